;;; road.el --- A tool's whole way, beside the bare gh -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Measures the time from a tool's call to its result, for reads that need one
;; request, beside the bare gh that makes the same request: the argv of the
;; tool's plan, run by `make-process' with a sentinel.  Both ask the stand-in for
;; GitHub, in turn, in one Emacs.  Then the parts of the way are told apart: the
;; git facts, the check of the installed gh (once for each program file), and
;; the making of the plan.
;;
;; Prints the load, medians, the 10th and 90th percentile, and whether the goal
;; is met (`bench-judge').

;;; Code:

(require 'cl-lib)
(require 'bench-goals)
(require 'lab-support)
(require 'lab-gptel)
(require 'cj-gh)
(require 'cj-gh-tools)

(declare-function cj/gate--mod-before "ext:cj-gate-module")
(declare-function cj/gate--mod-check "ext:cj-gate-module")

(defconst bench-rounds 100
  "How often each way is measured.")

(defconst bench-most 1.1
  "The goal: the time of a tool, as a multiple of the bare gh's.")

(defun bench-ms (function)
  "Call FUNCTION with a callback; return the milliseconds until that is called."
  (let ((done nil) (begun (float-time)))
    (funcall function (lambda (&rest _) (setq done (float-time))))
    (while (not done) (accept-process-output nil 0.5))
    (* 1000 (- done begun))))

(defun bench-bare (gh argv)
  "Return a function that runs GH with ARGV and calls back at its end."
  (lambda (callback)
    (let ((buffer (generate-new-buffer " *bench gh*" t)))
      (make-process :name "gh" :buffer buffer :command (cons gh argv)
                    :connection-type 'pipe :noquery t
                    :sentinel (lambda (process _)
                                (unless (process-live-p process)
                                  (unless (zerop (process-exit-status process))
                                    (error "The bare gh failed: %s"
                                           (with-current-buffer buffer (buffer-string))))
                                  (kill-buffer buffer)
                                  (funcall callback)))))))

(defun bench-said (what numbers)
  "Print the median and the spread of NUMBERS, milliseconds of WHAT."
  (princ (format "  %-34s %7.1f ms  (%.1f to %.1f)\n" what (bench-median numbers)
                 (bench-quantile numbers 0.1) (bench-quantile numbers 0.9))))

(defun bench-argv (name args dir)
  "Return the argv of the call of the tool NAME with ARGS in DIR, a list."
  (let* ((row (cj/gh-tools--row name))
         (facts nil)
         (default-directory dir))
    (cj/gate-git-facts dir (lambda (found) (setq facts (list found))))
    (lab-wait (lambda () facts))
    (append (plist-get
             (cj/gate-plan-info
              (cj/gate-plan "gh" (funcall (plist-get row :argv) row args)
                            :cwd dir :facts (car facts) :repo (plist-get args :repo)
                            :view (cj/gh-tools--view row args)))
             :argv)
            nil)))

(defconst bench-calls
  '(("gh_pr_view, a number" "gh_pr_view" (:number "1"))
    ("gh_pr_view, the branch's" "gh_pr_view" ())
    ("gh_pr_list" "gh_pr_list" ())
    ("gh_issue_view" "gh_issue_view" (:number "2")))
  "Rows (WHAT TOOL ARGUMENTS) of reads that make one request.")

(defun bench-road ()
  "Measure the tools of `bench-calls' and the parts of their way."
  (let ((load (bench-settle)) (goals nil)
        (gh (cdar (last (lab-ghs)))))
    (princ (format "load: %.1f, gh %s\n" load (caar (last (lab-ghs)))))
    (lab-with (lab)
      (let* ((cj/gh-executable gh)
             (dir (lab-checkout lab "work" "https://github.com/o/r.git"))
             (default-directory dir))
        (call-process "git" nil nil nil "checkout" "-q" "-b" "quoted-fields")
        (pcase-dolist (`(,what ,name ,args) bench-calls)
          (let* ((row (cj/gh-tools--row name))
                 (argv (bench-argv name args dir))
                 (values (mapcar (lambda (spec)
                                   (plist-get args (intern (concat ":" (plist-get spec :name)))))
                                 (plist-get row :args)))
                 (tool (lambda (callback)
                         (apply (plist-get row :function)
                                (lambda (text)
                                  (unless (string-match-p "\\`[^\n]* read ok " text)
                                    (error "%s" text))
                                  (funcall callback))
                                values)))
                 (bare (bench-bare gh argv))
                 (ours nil) (theirs nil))
            (bench-ms tool)
            (bench-ms bare)
            (dotimes (n bench-rounds)
              ;; Each way is first in every other round.
              (when (cl-evenp n) (push (bench-ms tool) ours))
              (push (bench-ms bare) theirs)
              (when (cl-oddp n) (push (bench-ms tool) ours)))
            (let ((ratio (/ (bench-median ours) (bench-median theirs))))
              (princ (format "%s\n" what))
              (bench-said "the tool" ours)
              (bench-said "the bare gh" theirs)
              (push (cons (<= ratio bench-most)
                          (format "%s: %.2f times the bare gh, at most %.1f" what ratio bench-most))
                    goals))))
        (bench-parts dir)))
    (bench-judge load (nreverse goals))))

(defun bench-parts (dir)
  "Measure the parts of a call in DIR."
  (let ((git nil) (plan nil) (facts nil)
        (row (cj/gh-tools--row "gh_pr_view")))
    (dotimes (_ bench-rounds)
      (push (bench-ms (lambda (callback)
                        (cj/gate-git-facts dir (lambda (found)
                                                 (setq facts found)
                                                 (funcall callback)))))
            git)
      (let ((begun (float-time)))
        (cj/gate-plan "gh" '("pr" "view" "1") :cwd dir :facts facts
                      :view (cj/gh-tools--view row '(:number "1")))
        (push (* 1000 (- (float-time) begun)) plan)))
    (princ "of these\n")
    (bench-said "the git facts" git)
    (bench-said "the plan" plan)
    (bench-said "the check of the installed gh, once"
                (list (bench-ms (lambda (callback)
                                  (let ((cj/gh-executable (cdar (lab-ghs))))
                                    (let ((ticket (cj/gate--mod-before
                                                   "gh" '("pr" "view" "1")
                                                   (append (list :facts facts) (cj/gate--place dir) nil)
                                                   (cj/gate--settings "gh"))))
                                      (if ticket
                                          (cj/gate--await ticket callback)
                                        (funcall callback))))))))))

(bench-road)

(provide 'road)

;;; road.el ends here
