;;; runner-memory-tests.el --- A gh that takes all the memory it can get -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Both versions of the real gh, on the GitHub stand-in, run jq programs whose
;; memory grows without end.  A timer reads from /proc how much memory gh takes.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-runner)

(defconst runner-memory-greedy
  '("def f: 1+f; f"                     ; recursion
    "\"x\"|until(length>1e12;.+.)"      ; a string that doubles
    "null|.[1e8]=0|until(false;.)"      ; 1.6 GB at once, and then a loop
    "(\"a\"*1e8)|explode|length")       ; a string of 100 MB, as a list
  "Programs for --jq that take gigabytes without a limit.")

(defun runner-memory-status (pid key)
  "Return the kilobytes after KEY in /proc/PID/status, or 0."
  (with-temp-buffer
    (or (and (ignore-errors
               (insert-file-contents-literally (format "/proc/%s/status" pid)) t)
             (re-search-forward (concat "^" key ":[ \t]*\\([0-9]+\\) kB") nil t)
             (string-to-number (match-string 1)))
        0)))

(defun runner-memory-ours-p (pid)
  "Return non-nil if PID is a child of this Emacs."
  (with-temp-buffer
    (and (ignore-errors (insert-file-contents-literally (format "/proc/%s/stat" pid)) t)
         (looking-at "[0-9]+ ([^)]*) [A-Z] \\([0-9]+\\) ")
         (equal (string-to-number (match-string 1)) (emacs-pid)))))

(defun runner-memory-call (lab argv)
  "Call gh with ARGV in LAB; return a cons of its `runner-end' and a number.
The number is the most memory in MiB that gh took."
  (cj/gate-load-module)
  (let* ((most 0)
         (all (mapcar #'number-to-string (list-system-processes)))
         (timer (run-at-time
                 0 0.02
                 (lambda ()
                   ;; To keep this cheap, other processes are looked at once.
                   (dolist (pid (cl-set-difference (directory-files "/proc" nil "\\`[0-9]+\\'" t)
                                                   all :test #'equal))
                     (if (runner-memory-ours-p pid)
                         (setq most (max most (runner-memory-status pid "VmHWM")))
                       (push pid all))))))
         (end (unwind-protect (runner-call (lab-home lab) argv)
                (cancel-timer timer))))
    (cons end (/ most 1024))))

(ert-deftest runner-memory-of-a-jq-program-is-limited-and-the-error-says-so ()
  (dolist (gh (lab-ghs))
    (dolist (program runner-memory-greedy)
      (lab-with (lab)
        (let ((cj/gh-executable (cdr gh)))
          (pcase-let* ((`(,end . ,most)
                        (runner-memory-call lab (list "api" "user" "--jq" program)))
                       (record (runner-end-record end))
                       (text (runner-end-text end)))
            (message "gh %s %s: %d MiB, %.1f s, awake to %.2f s" (car gh) program most
                     (runner-end-took end) (runner-end-gap end))
            (ert-info ((format "gh %s, %s: %s" (car gh) program text))
              (should (< 0 most 640))
              (should (< (runner-end-took end) 20))
              (should (eq (plist-get record :error-kind) 'gh-exit))
              (should (string-match-p
                       (concat "\\`\\[gh github.com read error gh-exit [^]]+\\]\n"
                               "Error: \\(?:gh's jq\\|gh\\|The program\\) ran out of the memory"
                               " that a call may have (512 MiB)\\.\nAsk for less at once")
                       text))
              ;; The stack traces of Go's goroutines are left out.
              (should-not (string-match-p "goroutine\\|runtime\\|\\_<0x[0-9a-f]" text))
              (should (< (length text) 600)))))))))

(ert-deftest runner-memory-of-plain-calls-stays-below-the-limit ()
  (dolist (gh (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable (cdr gh))
            (seen 0))
        (dolist (argv '(("api" "user" "--jq" ".login")
                        ("api" "user" "--template" "{{.login}}")
                        ("pr" "view" "1" "-R" "octo/demo" "--json" "title")
                        ("pr" "diff" "1" "-R" "octo/demo")
                        ("run" "list" "-R" "octo/demo" "--json" "databaseId")))
          (pcase-let ((`(,end . ,most) (runner-memory-call lab argv)))
            (ert-info ((format "gh %s %S: %d MiB, %s" (car gh) argv most (runner-end-text end)))
              (should-not (runner-kind end))
              (should (< most 200))
              (setq seen (max seen most)))))
        ;; One short call may end between two looks at it, but not all five.
        (should (> seen 0))))))

(provide 'runner-memory-tests)

;;; runner-memory-tests.el ends here
