;;; approval.el --- How long a call takes to become a question -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Measures the time from a call to its question on the screen, in a real Emacs
;; on a terminal with the package compiled: for a call without reads before the
;; question, and for calls whose pull request or issue is first read with the
;; real gh from the stand-in GitHub.  The first call of an Emacs loads files,
;; so each first call is measured in an Emacs of its own.  For comparison, a
;; read by `gh api graphql' alone is measured in the same run.
;;
;; Prints the load, medians and spread, and which goals are met (`bench-judge').

;;; Code:

(require 'cl-lib)
(require 'bench-goals)
(require 'bench-package)
(require 'lab-approval)

(defvar cj/gate-module-directory)
(defvar cj/gh-executable)
(defvar cj/gate-cwd-roots)

(defconst bench-calls
  '((unknown-command "frobnicate" "it")
    (pr-merge "pr" "merge" "1" "--squash" "-R" "octo/demo")
    (issue-comment "issue" "comment" "1" "--body" "words" "-R" "octo/demo"))
  "The calls: a list of (NAME . ARGV).
Nothing is read before the question about an unknown command.")

(defun bench-init (lab directory name times)
  "Return forms that measure NAME on LAB TIMES over, with the Lisp in DIRECTORY."
  `((setq load-path (cons ,directory load-path)
          cj/gate-module-directory ,cj/gate-module-directory)
    ;; The lab has loaded these files as source; load them compiled.
    (dolist (file (directory-files ,directory nil "\\`cj-.*\\.elc\\'"))
      (when (featurep (intern (file-name-sans-extension file)))
        (load (expand-file-name file ,directory) nil t)))
    (defvar bench-times nil)
    (defvar bench-begun nil)
    (defun bench-call ()
      (setq bench-begun (float-time))
      (cj/gate-submit "gh" ',(cdr (assq name bench-calls))
                      (lambda (_)
                        (if (< (length bench-times) ,times)
                            (run-at-time 0.3 nil #'bench-call)
                          (write-region (prin1-to-string bench-times) nil
                                        ,(lab-file lab "times") nil 'quiet)))))
    (defun bench-shown (&rest _)
      (push (* 1e3 (- (float-time) bench-begun)) bench-times)
      (run-at-time 0 nil (lambda ()
                           (cj/gate-confirm-decline-all "No."))))
    (with-eval-after-load 'cj-gate-approval
      (advice-add 'cj/gate-approval--arrived :after #'bench-shown))
    (run-at-time 1 nil #'bench-call)))

(defun bench-measure (directory name times)
  "Return the milliseconds of TIMES calls of NAME in one Emacs, first to last.
DIRECTORY has the compiled package."
  (lab-with (lab nil)
    (let ((terminal (apply #'lab-terminal-start lab
                           (list :init (bench-init lab directory name times)))))
      (unwind-protect
          (progn
            (lab-terminal-wait terminal
                               (lambda () (file-exists-p (lab-file lab "times"))) 60)
            (sleep-for 0.1)
            (nreverse (with-temp-buffer
                        (insert-file-contents (lab-file lab "times"))
                        (read (current-buffer)))))
        (lab-terminal-stop terminal)))))

(defun bench-gh-alone ()
  "Return the milliseconds of 15 reads of the stand-in by gh alone."
  (lab-with (lab nil)
    (let ((process-environment (lab-environment lab)))
      (cl-loop repeat 15
               collect (let ((begun (float-time)))
                         (unless (eql 0 (call-process (lab-gh) nil nil nil "api" "graphql" "-f"
                                                      "query={viewer{login}}"))
                           (error "The read failed"))
                         (* 1e3 (- (float-time) begun)))))))

(defun bench-run ()
  "Measure, print the figures and judge them."
  (let ((load (bench-settle))
        (directory (file-name-as-directory (make-temp-file "cj-gate-bench" t)))
        (print (lambda (name numbers)
                 (princ (format "%-44s %6.0f ms (p10 %.0f, p90 %.0f, median of %d)\n" name
                                (bench-median numbers) (bench-quantile numbers 0.1)
                                (bench-quantile numbers 0.9) (length numbers)))))
        first later)
    (unwind-protect
        (progn
          (bench-compiled directory)
          (princ (format "Emacs %s, load %.1f\n\n" emacs-version load))
          (funcall print "gh alone, one small read" (bench-gh-alone))
          (dolist (call bench-calls)
            (let ((times (cl-loop repeat 5 collect (bench-measure directory (car call) 6))))
              (push (cons (car call) (mapcar #'car times)) first)
              (push (cons (car call) (apply #'append (mapcar #'cdr times))) later)
              (funcall print (format "%s, the first call of an Emacs" (car call))
                       (alist-get (car call) first))
              (funcall print (format "%s, later calls" (car call))
                       (alist-get (car call) later)))))
      (delete-directory directory t))
    (princ (format "load now %.1f\n\n" (bench-load)))
    (bench-judge load
                 (mapcar (lambda (call)
                           (let ((most (if (eq (car call) 'unknown-command) 150 300)))
                             (cons (<= (bench-median (alist-get (car call) first)) most)
                                   (format "the first call of an Emacs, %s, becomes a question within %d ms (median)"
                                           (car call) most))))
                         bench-calls))))

(bench-run)

;;; approval.el ends here
