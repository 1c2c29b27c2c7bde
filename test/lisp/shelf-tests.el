;;; shelf-tests.el --- A log that a tool shows in part can be read on by its handle -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; gh_run_logs_failed shows an extract of a log and keeps the log in memory.  A
;; model then reads the log by lines or by pattern, without another request.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'lab-support)
(require 'cj-gh-tools)

(defconst shelf-tests--call '(1001 5002 "o/r")
  "Arguments of `gh_run_logs_failed': run, job and repository.")

(defun shelf-tests--log (lines)
  "Return rows of rest.json: a run with one failed job, whose log has LINES."
  (vector
   '(:path "repos/{owner}/{repo}/actions/jobs/5002"
           :body (:id 5002 :run_id 1001 :name "test" :status "completed"
                      :conclusion "failure" :steps []))
   (list :path "repos/{owner}/{repo}/actions/jobs/{number}/logs"
         :text (concat "\ufeff"
                       (mapconcat (lambda (line)
                                    (concat "2026-01-05T10:00:01.0000000Z " line "\n"))
                                  lines "")))))

(defun shelf-tests--lines (noise)
  "Return the lines of a job log: NOISE dull lines, then the error."
  (append '("##[group]Run make -j2" "\e[36;1mmake -j2\e[0m" "shell: /usr/bin/bash -e {0}"
            "##[endgroup]")
          (mapcar (lambda (n) (format "fetching part %d of the toolchain" n))
                  (number-sequence 1 noise))
          (list (concat "using ghp_" "Zq7Rw3Xv9Lk2Np5Tc8Yd1Fh4Jm6Sb0GaUeIo")
                "src/a.c:3:5: error: 'x' undeclared"
                "##[error]Process completed with exit code 2.")))

(defun shelf-tests--answer (function &rest args)
  "Return the answer of FUNCTION, a tool, to ARGS, a string."
  (let (answer)
    (apply function (lambda (text) (setq answer text)) args)
    (lab-wait (lambda () answer) 60)
    answer))

(defun shelf-tests--below (answer)
  "Return ANSWER below its header."
  (substring answer (1+ (string-search "\n" answer))))

(defun shelf-tests--handle (answer)
  "Return the handle and the number of lines that the last line of ANSWER has."
  (should (string-match
           "\n\\[the whole has \\([0-9]+\\) lines; gh_more handle=\\(m[0-9]+\\) lines=1-60 or pattern=REGEXP\\]\\'"
           answer))
  (list (match-string 2 answer) (string-to-number (match-string 1 answer))))

(ert-deftest shelf-the-log-of-a-failed-job-can-be-read-by-lines-and-by-pattern ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info (version)
      (lab-with (lab nil (list :rest (shelf-tests--log (shelf-tests--lines 300))))
        (let* ((cj/gh-executable gh)
               (answer (apply #'shelf-tests--answer #'cj/gh-tool-run-logs-failed
                              shelf-tests--call))
               (asked (length (lab-requests lab))))
          (should (string-match-p "^src/a\\.c:3:5: error: 'x' undeclared$" answer))
          (should (string-match-p "\\`\\[gh github\\.com/o/r read ok [0-9.]+KB cut]\n" answer))
          (should (<= (cj/gate-count-tokens answer) 600))
          (pcase-let ((`(,handle ,lines) (shelf-tests--handle answer)))
            ;; One line names the job; the log, without time stamps, follows.
            (should (= lines 308))
            (should (equal (shelf-tests--below
                            (shelf-tests--answer #'cj/gh-tool-more handle "1-7"))
                           "lines 1-7 of 308
test · failure · job 5002
##[group]Run make -j2
^[[36;1mmake -j2^[[0m
shell: /usr/bin/bash -e {0}
##[endgroup]
fetching part 1 of the toolchain
fetching part 2 of the toolchain
"))
            (should (string-match-p
                     "\\`1 lines match
305-fetching part 300 of the toolchain
306-using \\[REDACTED:[a-z-]+]
307:src/a\\.c:3:5: error: 'x' undeclared
308-##\\[error]Process completed with exit code 2\\.
\\'"
                     (shelf-tests--below
                      (shelf-tests--answer #'cj/gh-tool-more handle nil "undeclared"))))
            (should (= asked (length (lab-requests lab))))))))))

(ert-deftest shelf-a-log-longer-than-what-is-searched-is-kept-whole ()
  (lab-with (_ nil (list :rest (shelf-tests--log (shelf-tests--lines 3000))))
    (let ((answer (apply #'shelf-tests--answer #'cj/gh-tool-run-logs-failed
                         shelf-tests--call)))
      (should (string-match-p "^\\[[0-9]+ bytes in the middle of the log were not searched]$"
                              answer))
      (pcase-let ((`(,handle ,lines) (shelf-tests--handle answer)))
        (should (= lines 3008))
        (should (string-match-p
                 "\\`1 lines match\n1503-.*\n1504-.*\n1505:fetching part 1500 of the toolchain\n"
                 (shelf-tests--below
                  (shelf-tests--answer #'cj/gh-tool-more handle nil "part 1500 "))))))))

(ert-deftest shelf-a-short-log-is-shown-without-a-handle ()
  (lab-with (_ nil (list :rest (shelf-tests--log (shelf-tests--lines 3))))
    (let ((answer (apply #'shelf-tests--answer #'cj/gh-tool-run-logs-failed
                         shelf-tests--call)))
      (should (string-match-p "'x' undeclared" answer))
      (should-not (string-match-p "gh_more\\| cut]" answer)))))

(provide 'shelf-tests)

;;; shelf-tests.el ends here
