;;; load.el --- What requiring the package costs an Emacs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Times whole Emacs processes that start, require `cj-gh' and end, in turn
;; with ones that only start, in one run.  The package is taken as it lies in a
;; checkout (source) and as a package manager leaves it (compiled, by this very
;; Emacs, into a directory of its own); beside it stands `cl-lib' alone, which
;; nearly every package needs.  What requiring costs is the difference of
;; the medians.  Nothing may be registered, advised or hooked by it, and no
;; module, gptel or transient loaded.
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
  "Return what requiring the package changes that it must not, a string; or \"\"."
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
  "Time the ways, print what comes of it and judge it."
  (let* ((load (bench-settle))
         (compiled (file-name-as-directory (make-temp-file "cj-gate-bench" t)))
         (ways `(("Emacs alone")
                 ("cl-lib" "--eval" "(require 'cl-lib)")
                 ("cj-gh, source" "-L" ,bench-lisp "-l" "cj-gh")
                 ("cj-gh, compiled" "-L" ,compiled "-l" "cj-gh")))
         (times (mapcar (lambda (way) (list (car way))) ways))
         (changes (bench-changes))
         alone)
    (unwind-protect
        (progn
          (bench-compiled compiled)
          (princ (format "Emacs %s, load %.1f\n\n" emacs-version load))
          ;; Once each for the file cache.
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
                                  (format "to require %s, takes at most 50 ms" name)))
                          '("cj-gh, source" "cj-gh, compiled"))
                  (list (cons (equal changes "")
                              (format "requiring changes no hook and loads no module, gptel or transient%s"
                                      (if (equal changes "") "" (concat ": " changes)))))))))

(bench-run)

;;; load.el ends here
