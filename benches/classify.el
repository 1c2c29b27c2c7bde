;;; classify.el --- How long a verdict takes, from Lisp -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Times `cj/gh-classify' and, for comparison, a simple classifier in Lisp that
;; only looks words up in lists of verbs.  The two are called in turn in one
;; run.  Wrong verdicts of the simple classifier are not counted here.
;; Prints the load, medians, their ratio, and which goals are met (`bench-judge').

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'bench-goals)
(require 'cj-gh)

(defconst bench-argvs
  '(("pr" "view" "171" "--repo" "ghe.example.com/org/repo" "--json" "number,title,state")
    ("pr" "merge" "12" "--squash" "-d" "-R" "o/r")
    ("api" "repos/o/r/issues" "--method" "GET" "-f" "state=open" "--jq" ".[].number")
    ("issue" "list" "--limit" "30" "--label" "bug" "-R" "o/r"))
  "Argvs of everyday length.")

(defconst bench-read-verbs
  '("view" "list" "status" "search" "diff" "checks" "logs" "show")
  "Words that the verb list takes for reads.")

(defconst bench-write-verbs
  '("create" "edit" "merge" "close" "reopen" "comment" "review" "upload" "set"
    "add" "remove" "rerun" "cancel" "delete" "fork" "archive" "lock" "unlock"
    "pin" "unpin" "ready" "rename" "transfer")
  "Words that the verb list takes for writes.")

(defconst bench-blocked
  '("login" "logout" "checkout" "clone" "ssh" "code" "alias" "config"
    "extension" "browse" "--web" "--paginate" "--input" "--editor")
  "Words that the verb list blocks.")

(defun bench-verb-list (argv)
  "Classify ARGV by lists of words."
  (let* ((words (cl-remove-if (lambda (word) (string-prefix-p "-" word)) argv))
         (line (string-join words " ")))
    (cond
     ((cl-intersection argv bench-blocked :test #'equal) 'blocked)
     ((cl-some (lambda (word) (string-match-p "=@" word)) argv) 'blocked)
     ((string-match-p "\\`\\(repo\\|release\\|secret\\|ssh-key\\|gpg-key\\|project\\|variable\\) delete\\b" line)
      'destructive)
     ((equal (car words) "api")
      (let ((method (or (cadr (member "-X" argv)) (cadr (member "--method" argv)))))
        (cond ((and method (not (member (upcase method) '("GET" "HEAD")))) 'write)
              ((cl-intersection argv '("-f" "-F" "--field" "--raw-field") :test #'equal)
               (if method 'read 'write))
              (t 'read))))
     ((member (cadr words) bench-read-verbs) 'read)
     ((member (cadr words) bench-write-verbs) 'write)
     (t 'unknown))))

(defun bench-once (function argv)
  "Return the microseconds that FUNCTION takes on ARGV, over 20 calls."
  (let ((start (float-time)))
    (dotimes (_ 20) (funcall function argv))
    (/ (* 1e6 (- (float-time) start)) 20)))

(defun bench-run ()
  "Time both classifiers, print the figures and judge them."
  (let ((load (bench-settle))
        (begun (float-time))
        loaded first ours theirs (gc-cons-threshold most-positive-fixnum))
    (princ (format "Emacs %s, load %.1f\n\n" emacs-version load))
    (cj/gate-load-module)
    (setq loaded (* 1e3 (- (float-time) begun))
          begun (float-time))
    (cj/gh-classify '("pr" "view" "1"))
    (setq first (* 1e3 (- (float-time) begun)))
    (princ (format "module loaded in %.1f ms; first verdict, which loads the catalog, %.1f ms\n"
                   loaded first))
    (byte-compile #'bench-verb-list)
    (dotimes (_ 500)
      (dolist (argv bench-argvs)
        (push (bench-once #'cj/gh-classify argv) ours)
        (push (bench-once #'bench-verb-list argv) theirs)))
    (pcase-dolist (`(,name . ,times) `(("cj/gh-classify" . ,ours)
                                       ("verb list in Lisp" . ,theirs)))
      (princ (format "%-18s %5.1f us (p10 %.1f, p90 %.1f, medians of %d), ratio %.2f\n" name
                     (bench-median times) (bench-quantile times 0.1) (bench-quantile times 0.9)
                     (length times) (/ (bench-median times) (bench-median ours)))))
    (princ (format "load now %.1f\n\n" (bench-load)))
    (bench-judge load `((,(<= (bench-median ours) 20)
                         . "`cj/gh-classify' takes at most 20 us (median)")
                        (,(<= first 10)
                         . "the first verdict, which loads the catalog, takes at most 10 ms")))))

(bench-run)

;;; classify.el ends here
