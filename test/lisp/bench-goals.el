;;; bench-goals.el --- What the benches share: medians, load, goals -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A bench ends by calling `bench-judge', which prints for each goal whether it
;; is met, and exits with 1 when one is missed.  Above a load of 1.5 it judges
;; nothing, says so and exits with 0: times of a busy machine prove nothing.
;;
;; The environment variable BENCH_LOAD is the load before a series of benches.
;; The benches themselves raise the load.  If BENCH_LOAD was low, each bench
;; first waits until the load that the bench before it made has fallen.

;;; Code:

(require 'cl-lib)

(defconst bench-load-limit 1.5
  "Load above which no goal is judged: times of a busy machine prove nothing.")

(defun bench-quantile (numbers q)
  "Return the quantile Q, 0 to 1, of the list NUMBERS."
  (let ((sorted (sort (copy-sequence numbers) #'<)))
    (nth (round (* q (1- (length sorted)))) sorted)))

(defun bench-median (numbers)
  "Return the median of NUMBERS."
  (bench-quantile numbers 0.5))

(defun bench-load ()
  "Return the load of the last minute."
  (/ (car (load-average)) 100.0))

(defun bench-settle ()
  "Return the load by which `bench-judge' decides.
If BENCH_LOAD, the load before the series, is above `bench-load-limit', return
BENCH_LOAD.  If it is set and lower, wait at most 150 s until the load is below
the limit; then return the load of the last minute."
  (let* ((before (getenv "BENCH_LOAD"))
         (until (time-add nil 150)))
    (if (and before (> (string-to-number before) bench-load-limit))
        (string-to-number before)
      (while (and before (> (bench-load) bench-load-limit) (time-less-p nil until))
        (sleep-for 1))
      (bench-load))))

(defun bench-judge (load goals)
  "Print which of GOALS, a list of (MET . SENTENCE), are met; end Emacs.
LOAD is what `bench-settle' returned before anything was measured."
  (let ((judged (<= load bench-load-limit)))
    (unless judged
      (princ (format "not judged: the load was %.1f, above %.1f\n" load bench-load-limit)))
    (dolist (goal goals)
      (princ (format "%s: %s\n"
                     (cond ((not judged) "goal") ((car goal) "met") (t "MISSED"))
                     (cdr goal))))
    (princ "\n")
    (kill-emacs (if (and judged (cl-some #'null (mapcar #'car goals))) 1 0))))

(provide 'bench-goals)

;;; bench-goals.el ends here
