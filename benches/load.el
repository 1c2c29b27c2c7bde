;;; load.el --- What requiring the package costs an Emacs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Times whole Emacs processes that start, require `cj-gh' and end, in turn
;; with processes that only start and end, in one run.  The package is required
;; as source, as in a checkout, and compiled (by this Emacs, into a directory of
;; its own), as a package manager leaves it.  `cl-lib' alone, which nearly
;; every package needs, is timed for comparison.  The cost of requiring is the
;; difference of the medians.  Requiring the package may change no hook, and may
;; not load the module, gptel, transient or json.
;; Prints the load, medians, and which goals are met (`bench-judge').

;;; Code:

(require 'cl-lib)
(require 'bench-goals)
(require 'bench-package)

(defun bench-start (&rest arguments)
  "Return the milliseconds that an Emacs with ARGUMENTS takes from start to end."
  (let ((begun (float-time)))
    (unless (eql 0 (apply #'call-process (bench-emacs) nil nil nil "-Q" "--batch" arguments))
      (error "Emacs failed with %S" arguments))
    (* 1e3 (- (float-time) begun))))

(defun bench-changes ()
  "Return the forbidden changes that requiring the package makes, a string.
An empty string means that there are none."
  (with-temp-buffer
    (call-process
     (bench-emacs) nil t nil "-Q" "--batch" "-L" bench-lisp "--eval"
     (format "%S" '(let* ((hooks (lambda ()
                                   (let (all)
                                     (mapatoms
                                      (lambda (s)
                                        (when (and (boundp s) (string-match-p "-\\(hook\\|functions\\)\\'" (symbol-name s)))
                                          (push (cons s (format "%S" (symbol-value s))) all))))
                                     all)))
                          (before (funcall hooks)))
                     (require 'cj-gh)
                     (dolist (now (funcall hooks))
                       (let ((was (assq (car now) before)))
                         (when (and was (not (equal was now))) (princ (format "%s " (car now))))))
                     (dolist (feature '(cj-gate-module gptel transient json))
                       (when (featurep feature) (princ (format "%s " feature)))))))
    (buffer-string)))

(defun bench-run ()
  "Time the ways, print the figures and judge them."
  (let* ((load (bench-settle))
         (compiled (file-name-as-directory (make-temp-file "cj-gate-bench" t)))
         (ways `(("Emacs alone")
                 ("cl-lib" "--eval" "(require 'cl-lib)")
                 ("cj-gh as source" "-L" ,bench-lisp "-l" "cj-gh")
                 ("cj-gh compiled" "-L" ,compiled "-l" "cj-gh")))
         (times (mapcar (lambda (way) (list (car way))) ways))
         (changes (bench-changes))
         alone)
    (unwind-protect
        (progn
          (bench-compiled compiled)
          (princ (format "Emacs %s, load %.1f\n\n" emacs-version load))
          ;; One run of each way first fills the file cache.
          (dolist (way ways) (apply #'bench-start (cdr way)))
          (dotimes (_ 41)
            (dolist (way ways)
              (push (apply #'bench-start (cdr way)) (cdr (assoc (car way) times))))))
      (delete-directory compiled t))
    (setq alone (bench-median (cdar times)))
    (pcase-dolist (`(,name . ,numbers) times)
      (princ (format "%-16s %6.1f ms (p10 %.1f, p90 %.1f, median of %d), %+.1f ms\n" name
                     (bench-median numbers) (bench-quantile numbers 0.1)
                     (bench-quantile numbers 0.9) (length numbers)
                     (- (bench-median numbers) alone))))
    (princ (format "load now %.1f\n\n" (bench-load)))
    (bench-judge load
                 (append
                  (mapcar (lambda (name)
                            (cons (<= (- (bench-median (cdr (assoc name times))) alone) 50)
                                  (format "requiring %s makes Emacs's start at most 50 ms longer (medians)" name)))
                          '("cj-gh as source" "cj-gh compiled"))
                  (list (cons (equal changes "")
                              (format "requiring cj-gh changes no hook and does not load the module, gptel, transient or json%s"
                                      (if (equal changes "") "" (concat ": " changes)))))))))

(bench-run)

;;; load.el ends here
