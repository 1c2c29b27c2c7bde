;;; tools-logs-tests.el --- Long diffs, and the logs of failed jobs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-tools)
(require 'cj-gh-tools)

;;;; Diffs

(defun tools-tests--patch (lines)
  "Return a patch that adds LINES lines."
  (concat (format "@@ -0,0 +1,%d @@\n" lines)
          (mapconcat (lambda (n) (format "+line %d of a file that is long" n))
                     (number-sequence 1 lines) "\n")))

(ert-deftest tools-a-diff-longer-than-64-kb-is-shown-as-an-index ()
  (let* ((paths (mapcar (lambda (n) (format "src/part%03d.rs" n)) (number-sequence 1 130)))
         (diff (mapconcat (lambda (path)
                            (format "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n%s\n"
                                    path path path path (tools-tests--patch 20)))
                          paths ""))
         (listed (mapcar (lambda (path)
                           (list :path path :additions 20 :deletions 0 :changeType "MODIFIED"))
                         paths))
         (page (lambda (from to)
                 (vconcat (mapcar (lambda (path)
                                    (list :filename path :patch (tools-tests--patch 20)))
                                  (seq-subseq paths from to)))))
         (world (list :repos
                      (list :big/r
                            (list :pulls
                                  (vector (list :number 1 :title "Many" :changedFiles 130
                                                :additions 2600 :deletions 0
                                                :files (vconcat listed)))))
                      :rest
                      (vector (list :path "repos/big/r/pulls/1" :accept "diff" :text diff)
                              (list :path "repos/big/r/pulls/1/files" :query "page=2"
                                    :body (funcall page 100 130))
                              (list :path "repos/big/r/pulls/1/files" :query "page=1"
                                    :body (funcall page 0 100))))))
    (should (> (length diff) 70000))
    (pcase-dolist (`(,version . ,gh) (lab-ghs))
      (ert-info (version)
        (let* ((calls '(("gh_pr_diff" :number 1 :repo "big/r")
                        ("gh_pr_diff" :number 1 :repo "big/r" :file "src/part003.rs" :hunk 1)
                        ("gh_pr_diff" :number 1 :repo "big/r" :file "src/part117.rs")
                        ("gh_pr_diff" :number 1 :repo "big/r" :file "src/none.rs")
                        ("gh_pr_diff" :number 1 :repo "big/r" :file "src/part003.rs" :hunk 2)
                        ("gh_pr_diff" :number 1 :repo "big/r" :hunk 2))))
          (lab-with (lab (list (tools-tests--turn calls)) world)
            (let* ((cj/gh-executable gh)
                   (cj/gate-result-budget 8000)
                   (answers (tools-tests--ask lab calls))
                   (texts (mapcar #'tools-tests--text answers)))
              (should (string-prefix-p
                       (tools-tests--lines "100/130 files, +2,600 -0"
                                           "M src/part001.rs +20 -0"
                                           "M src/part002.rs +20 -0")
                       (nth 0 texts)))
              (should (string-suffix-p
                       (tools-tests--lines
                        "M src/part100.rs +20 -0"
                        "[index only, the diff is longer than 64 KB; gh_pr_diff with file, and hunk for one of its hunks]")
                       (nth 0 texts)))
              (should (equal (nth 1 texts)
                             (concat "src/part003.rs +20 -0, 1 hunk, hunk 1\n"
                                     (tools-tests--patch 20))))
              (should (equal (nth 2 texts)
                             (concat "src/part117.rs +20 -0, 1 hunk\n"
                                     (tools-tests--patch 20))))
              (should (equal (mapcar (lambda (n) (nth 2 (lab-header (nth n answers))))
                                     '(3 4 5))
                             '("error not-found" "error not-found" "error bad-argument")))
              (should (string-match-p "does not change src/none\\.rs\\.\nAsk without `file'"
                                      (nth 3 texts)))
              (should (string-match-p "no hunk 2 in src/part003\\.rs" (nth 4 texts)))
              (should (string-match-p "`hunk' needs `file'" (nth 5 texts))))))))))

;;;; Logs of failed jobs

(defun tools-tests--job (id conclusion &rest more)
  "Return the job ID with CONCLUSION, a plist; MORE overrides its members."
  (append more
          (list :id id :run_id 1001 :name (format "job %d" id) :status "completed"
                :conclusion conclusion :started_at "2026-01-05T10:00:00Z"
                :completed_at "2026-01-05T10:03:00Z"
                :html_url (format "{web}/o/r/actions/runs/1001/job/%d" id)
                :steps (vector (list :name "Set up job" :status "completed"
                                     :conclusion "success" :number 1)
                               (list :name "Build it" :status "completed"
                                     :conclusion conclusion :number 2)))))

(defun tools-tests--jobs (&rest jobs)
  "Return the rows of rest.json for JOBS: their list, and each job by itself."
  (cons (list :path "repos/{owner}/{repo}/actions/runs/{number}/jobs"
              :body (list :total_count (length jobs) :jobs (vconcat jobs)))
        (mapcar (lambda (job)
                  (list :path (format "repos/{owner}/{repo}/actions/jobs/%d"
                                      (plist-get job :id))
                        :body job))
                jobs)))

(defun tools-tests--stamped (lines)
  "Return LINES as a log of GitHub Actions: with a mark and time stamps."
  (concat "\ufeff"
          (mapconcat (lambda (line) (concat "2026-01-05T10:00:01.0000000Z " line "\n"))
                     lines "")))

(defun tools-tests--step (command output ended)
  "Return the log lines of a step that runs COMMAND.
OUTPUT is a list of the lines that it prints, ENDED its last line."
  (append (list (concat "##[group]Run " command)
                (concat "\e[36;1m" command "\e[0m")
                "shell: /usr/bin/bash -e {0}" "##[endgroup]")
          output (list ended)))

(defun tools-tests--log (&rest lines)
  "Return a row of rest.json: the log of any job, with LINES."
  (list :path "repos/{owner}/{repo}/actions/jobs/{number}/logs"
        :text (tools-tests--stamped lines)))

(defmacro tools-tests--logs (spec &rest body)
  "Run BODY with the answer of gh_run_logs_failed, once for each gh.
SPEC is (TEXT REST [ARGUMENTS [LAB]]).  TEXT is bound to the answer below its
header, LAB to the lab.  REST has rows for rest.json; ARGUMENTS is a plist that
is added to the arguments of the tool."
  (declare (indent 1))
  (pcase-let ((`(,text ,rest ,arguments ,lab) spec))
    (let ((lab (or lab (make-symbol "lab"))))
      `(pcase-dolist (`(,version . ,gh) (lab-ghs))
         (ert-info (version)
           (let ((calls (list (append '("gh_run_logs_failed" :repo "o/r")
                                      (unless (plist-member ,arguments :run_id)
                                        '(:run_id 1001))
                                      ,arguments))))
             (lab-with (,lab (list (tools-tests--turn calls)) (list :rest ,rest))
               (let* ((cj/gh-executable gh)
                      (,text (tools-tests--text (car (tools-tests--ask ,lab calls)))))
                 ,@body))))))))

(ert-deftest tools-a-job-without-a-log-is-told-by-its-record ()
  (tools-tests--logs
      (text (vconcat
             (tools-tests--jobs (tools-tests--job 5002 "failure"))
             (list '(:path "repos/{owner}/{repo}/actions/jobs/{number}/logs"
                           :status 404 :body (:message "Not Found"))
                   '(:path "repos/{owner}/{repo}/actions/runs/{number}/logs"
                           :status 404 :body (:message "Not Found")))))
    (should (equal text
                   (tools-tests--lines
                    "job 5002 · failure · job 5002"
                    "The log is not there: it has expired, was deleted, or the job is not done."
                    "By the record of the job, this step failed: Build it")))))

(ert-deftest tools-a-cancelled-job-is-told-by-its-own-log ()
  (tools-tests--logs
      (text (vconcat
             (tools-tests--jobs (tools-tests--job 5001 "success")
                                (tools-tests--job 5002 "cancelled"))
             (list (apply #'tools-tests--log
                          (tools-tests--step
                           "sleep 9999" '("still waiting for the lock")
                           "##[error]The operation was canceled.")))))
    (should (string-prefix-p "job 5002 · cancelled · job 5002\n" text))
    (should (string-match-p "^command: sleep 9999$" text))
    (should (string-match-p "The operation was canceled" text))))

(ert-deftest tools-a-failed-job-is-told-while-its-run-goes-on ()
  (tools-tests--logs
      (text (vconcat
             (list '(:path "repos/{owner}/{repo}/actions/runs/{number}"
                           :body (:id 1001 :name "CI" :status "in_progress" :conclusion :null
                                      :workflow_id 501 :event "push" :head_branch "main"
                                      :jobs_url "{api}/repos/o/r/actions/runs/1001/jobs"
                                      :html_url "{web}/o/r/actions/runs/1001")))
             (tools-tests--jobs (tools-tests--job 5001 :null :status "in_progress")
                                (tools-tests--job 5002 "failure"))
             (list (apply #'tools-tests--log
                          (tools-tests--step
                           "make" '("cc: error: no input files")
                           "##[error]Process completed with exit code 2.")))))
    (should (string-prefix-p
             "1 job is not done yet; more may fail.\n\njob 5002 · failure · job 5002\ncommand: make\n"
             text))
    (should (string-match-p "cc: error: no input files" text))))

(ert-deftest tools-a-run-without-a-failed-job-says-so-without-reading-a-log ()
  (tools-tests--logs
      (text (vconcat (tools-tests--jobs (tools-tests--job 5001 "success")
                                        (tools-tests--job 5002 "skipped")))
            nil lab)
    (should (equal text "No job has failed: 2 jobs."))
    (should-not (cl-find-if (lambda (request)
                              (string-suffix-p "/logs" (plist-get request :path)))
                            (lab-requests lab)))))

(ert-deftest tools-one-job-is-told-where-one-is-asked-for ()
  (let ((rest (vconcat
               (tools-tests--jobs (tools-tests--job 5001 "failure")
                                  (tools-tests--job 5002 "failure"))
               (list (apply #'tools-tests--log
                            (tools-tests--step
                             "make" '("cc: error: no input files")
                             "##[error]Process completed with exit code 2."))))))
    (tools-tests--logs (text rest '(:job_id 5001) lab)
      (should (string-prefix-p "job 5001 · failure · job 5001\ncommand: make\n" text))
      (should-not (string-match-p "5002" text))
      (should (= 1 (cl-count-if (lambda (request)
                                  (string-suffix-p "/logs" (plist-get request :path)))
                                (lab-requests lab)))))
    (tools-tests--logs (text rest '(:job_id 5002 :run_id 1002))
      (should (string-match-p "Run 1002 has no job 5002\\.\nAsk without `job_id'" text)))
    (tools-tests--logs (text (vconcat '((:path "repos/{owner}/{repo}/actions/jobs/4"
                                         :status 404 :body (:message "Not Found"))))
                             '(:job_id 4))
      (should (string-match-p "\\`Error: .*Not Found" text)))))

(defun tools-tests--noise (lines)
  "Return a list of LINES dull lines."
  (mapcar (lambda (n) (format "fetching part %d of the toolchain from the mirror" n))
          (number-sequence 1 lines)))

(ert-deftest tools-a-long-log-is-told-by-its-end ()
  ;; The failed step stands at the end of a log of which the middle is not read.
  (tools-tests--logs
      (text (vconcat
             (tools-tests--jobs (tools-tests--job 5002 "failure"))
             (list (apply #'tools-tests--log
                          (append (tools-tests--noise 3000)
                                  (tools-tests--step
                                   "make -j2" '("src/a.c:3:5: error: 'x' undeclared")
                                   "##[error]Process completed with exit code 2."))))))
    (should (string-match-p "^command: make -j2$" text))
    (should (string-match-p "src/a\\.c:3:5: error: 'x' undeclared" text))
    (should (string-match-p "\\[[0-9]+ bytes in the middle of the log were not searched]" text))))

(ert-deftest tools-a-step-whose-command-was-not-read-is-told-by-gh-s-own-log ()
  (let* ((noise (tools-tests--noise 1500))
         (step (tools-tests--step
                "make -j2" (append noise '("src/a.c:3:5: error: 'x' undeclared"))
                "##[error]Process completed with exit code 2."))
         (whole (append noise step)))
    (tools-tests--logs
        (text (vconcat
               (tools-tests--jobs (tools-tests--job 5002 "failure"))
               (list (apply #'tools-tests--log whole)
                     (list :path "repos/{owner}/{repo}/actions/runs/{number}/logs"
                           :zip (list :0_job\ 5002.txt (tools-tests--stamped whole)
                                      :job\ 5002/1_Set\ up\ job.txt
                                      (tools-tests--stamped noise)
                                      :job\ 5002/2_Build\ it.txt
                                      (tools-tests--stamped step))))))
      (should (string-match-p "^command: make -j2$" text))
      (should (string-match-p "src/a\\.c:3:5: error: 'x' undeclared" text)))))

(provide 'tools-logs-tests)

;;; tools-logs-tests.el ends here
