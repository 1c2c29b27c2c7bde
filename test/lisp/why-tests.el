;;; why-tests.el --- Why a run, a branch or a pull request failed -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; `gh_run_logs_failed' lists the jobs by one request, and then reads logs alone.
;; The real gh of both versions asks the stand-in for GitHub.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-tools)
(require 'cj-gh-tools)

(defconst why-tests--oid "00112233445566778899aabbccddeeff00112233")

(defun why-tests--check (name conclusion job &rest more)
  "Return a `CheckRun' NAME with CONCLUSION that is the job with the id JOB.
CONCLUSION nil: the job is queued.  MORE overrides members."
  (append more
          (list :name name :status (if conclusion "COMPLETED" "QUEUED")
                :conclusion (or conclusion :null) :title :null
                :detailsUrl (if job (format "https://github.com/o/r/actions/runs/9000000001/job/%d" job)
                              "https://ci.example.com/7")
                :steps (vector (list :name "Set up" :conclusion "SUCCESS")
                               (list :name "Run it" :conclusion (or conclusion :null))))))

(defun why-tests--commit (&rest checks)
  "Return a `Commit' with CHECKS."
  (list :__typename "Commit" :oid why-tests--oid
        :checkSuites (vector (list :workflowRun
                                   (list :url "https://github.com/o/r/actions/runs/9000000001"
                                         :workflow (list :name "CI"))
                                   :checkRuns (vconcat checks)))
        :status (list :contexts [])))

(defun why-tests--world (commit logs)
  "Return a world whose branch, pull request and commit all are at COMMIT.
LOGS is an alist of job ids and lists of the lines of their logs."
  (list :repos (list :o/r (list :object commit
                                :ref (list :name "quoted-fields" :target commit)
                                :pulls (vector (list :number 1 :title "Quotes" :state "OPEN"
                                                     :headRefName "quoted-fields"
                                                     :headRepositoryOwner '(:login "o")
                                                     :commits (vector (list :commit commit)))
                                               (list :number 4 :title "Of a fork" :state "OPEN"
                                                     :headRefName "menu"
                                                     :headRepositoryOwner '(:login "Mona")
                                                     :commits (vector (list :commit commit))))))
        :rest (vconcat
               (cl-loop for (job . lines) in logs
                        collect (list :path (format "repos/{owner}/{repo}/actions/jobs/%d/logs" job)
                                      :text (mapconcat
                                             (lambda (line)
                                               (concat "2026-01-05T10:00:01.0000000Z " line "\n"))
                                             lines ""))))))

(defun why-tests--log (command &rest output)
  "Return the lines of a log in which COMMAND printed OUTPUT and failed."
  (append (list (concat "##[group]Run " command) (concat "\e[36;1m" command "\e[0m")
                "shell: /usr/bin/bash -e {0}" "##[endgroup]")
          output (list "##[error]Process completed with exit code 1.")))

(defconst why-tests--two
  (why-tests--world
   (why-tests--commit (why-tests--check "test (20)" "FAILURE" 71000000001)
                      (why-tests--check "lint" "FAILURE" 71000000002)
                      (why-tests--check "docs" "SUCCESS" 71000000003)
                      (why-tests--check "e2e" nil 71000000004))
   (list (cons 71000000001 (why-tests--log "npm test" "TypeError: rows is undefined"))
         (cons 71000000002 (why-tests--log "npm run lint" "a.js:3:1: error: no semicolon"))))
  "A commit with two failed jobs, one that passed and one that is queued.")

(ert-deftest why-whatever-has-checks-takes-one-request-beyond-the-logs ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (let ((calls `(("gh_run_logs_failed" :run_id "#1" :repo "o/r")
                   ("gh_run_logs_failed" :run_id "https://github.com/o/r/pull/1/checks")
                   ("gh_run_logs_failed" :run_id "quoted-fields" :repo "o/r")
                   ("gh_run_logs_failed" :run_id "mona:menu" :repo "o/r")
                   ("gh_run_logs_failed" :run_id ,why-tests--oid :repo "o/r"))))
      (cl-loop
       for call in calls
       for of in '("#1 OPEN Quotes at 0011223" "#1 OPEN Quotes at 0011223"
                   "branch quoted-fields at 0011223" "#4 OPEN Of a fork at 0011223"
                   "commit 0011223")
       do (ert-info ((format "gh %s %S" version call))
            (let ((cj/gh-executable gh))
              (tools-tests--with (answers (list call) why-tests--two lab)
                (should (equal (tools-tests--text (car answers))
                               (tools-tests--lines
                                of "1 job is not done yet; more may fail." ""
                                "test (20) · failure · job 71000000001 of run 9000000001"
                                "command: npm test"
                                "ended: Process completed with exit code 1."
                                "TypeError: rows is undefined" ""
                                "lint · failure · job 71000000002 of run 9000000001"
                                "command: npm run lint"
                                "ended: Process completed with exit code 1."
                                "a.js:3:1: error: no semicolon")))
                (should (equal (sort (mapcar (lambda (seen) (or (nth 2 seen) (nth 1 seen)))
                                             (lab-seen (lab-requests lab)))
                                     #'string<)
                               '("/repos/o/r/actions/jobs/71000000001/logs"
                                 "/repos/o/r/actions/jobs/71000000002/logs"
                                 "FailedChecks"))))))))))

(ert-deftest why-without-a-name-the-checkout-s-branch-is-meant ()
  (lab-with (lab (list (tools-tests--turn '(("gh_run_logs_failed")))) why-tests--two)
    (let* ((dir (lab-checkout lab "work" "https://github.com/o/r.git"))
           (default-directory dir))
      (call-process "git" nil nil nil "checkout" "-q" "-b" "quoted-fields")
      (should (string-prefix-p
               "branch quoted-fields at 0011223\n1 job is not done yet"
               (tools-tests--text (car (tools-tests--ask lab '(("gh_run_logs_failed"))
                                                         :cwd dir))))))))

(ert-deftest why-the-same-in-several-jobs-is-said-once ()
  (let* ((failing (lambda (test) (why-tests--log "npm test" (concat "FAIL " test)
                                                 "TypeError: Cannot read properties of undefined (reading 'rows')"
                                                 "    at src/table.js:57:31")))
         (world (why-tests--world
                 (why-tests--commit (why-tests--check "test (18)" "FAILURE" 71000000001)
                                    (why-tests--check "test (20)" "FAILURE" 71000000002)
                                    (why-tests--check "test (22)" "FAILURE" 71000000003))
                 (list (cons 71000000001 (funcall failing "a.test.js"))
                       (cons 71000000002 (funcall failing "a.test.js"))
                       (cons 71000000003 (funcall failing "b.test.js"))))))
    (tools-tests--with (answers '(("gh_run_logs_failed" :run_id "#1" :repo "o/r")) world)
      (let ((text (tools-tests--text (car answers))))
        (with-temp-buffer
          (insert text)
          (should (= 1 (how-many "TypeError" (point-min) (point-max)))))
        (should (string-match-p "^test (20) · failure · job 71000000002 of run 9000000001: the same$"
                                text))
        (should (string-match-p
                 "^test (22) · failure · job 71000000003 of run 9000000001: the same, but for\nFAIL b\\.test\\.js$"
                 text))))))

(ert-deftest why-checks-of-other-services-are-named-with-their-address ()
  (let* ((commit (why-tests--commit
                  (why-tests--check "build" "SUCCESS" 71000000001)
                  (why-tests--check "coverage" "FAILURE" nil :title "61 % is below 70 %")))
         (world (why-tests--world
                 (plist-put commit :status
                            '(:contexts [(:context "ci/jenkins" :state "ERROR" :description "no agent"
                                          :targetUrl "https://jenkins.example.com/3")]))
                 nil)))
    (tools-tests--with (answers '(("gh_run_logs_failed" :run_id "#1" :repo "o/r")) world lab)
      (should (equal (tools-tests--text (car answers))
                     (tools-tests--lines
                      "#1 OPEN Quotes at 0011223"
                      "No job has failed: 2 jobs."
                      "coverage · failure · 61 % is below 70 % · https://ci.example.com/7"
                      "ci/jenkins · error · no agent · https://jenkins.example.com/3")))
      (should (= 1 (length (lab-requests lab)))))))

(ert-deftest why-a-failure-among-many-ended-jobs-and-a-run-without-a-job-are-found ()
  (let* ((ended (cl-loop for n from 1 to 40
                         collect (why-tests--check (format "test (%d)" n) "CANCELLED" (+ 72000000000 n))))
         (commit (apply #'why-tests--commit
                        (append ended (list (why-tests--check "test (41)" "FAILURE" 71000000001)))))
         (suites (append (plist-get commit :checkSuites)
                         (list '(:conclusion "STARTUP_FAILURE" :checkRuns []
                                 :workflowRun (:url "https://github.com/o/r/actions/runs/9" :workflow (:name "Release"))))))
         (world (why-tests--world (plist-put commit :checkSuites
                                             (list :totalCount 63 :nodes (vconcat suites)))
                                  (list (cons 71000000001 (why-tests--log "npm test" "TypeError: rows is undefined"))))))
    (tools-tests--with (answers '(("gh_run_logs_failed" :run_id "#1" :repo "o/r")) world lab)
      (should (equal (tools-tests--text (car answers))
                     (tools-tests--lines
                      "#1 OPEN Quotes at 0011223" ""
                      "test (41) · failure · job 71000000001 of run 9000000001"
                      "command: npm test"
                      "ended: Process completed with exit code 1."
                      "TypeError: rows is undefined" ""
                      "Release · startup_failure · without a job · https://github.com/o/r/actions/runs/9" ""
                      "[61 more runs of the commit were not read; give the id of one]")))
      (should (= 2 (length (lab-requests lab)))))))

(ert-deftest why-a-job-beyond-the-first-hundred-of-a-run-is-found ()
  (let* ((job (lambda (id conclusion)
                (list :id id :name (format "test (%d)" id) :run_id 1001 :status "completed"
                      :conclusion conclusion :steps [])))
         (page (lambda (from to)
                 (vconcat (cl-loop for id from from to to collect (funcall job id "success")))))
         (world (list :rest
                      (vector (list :path "repos/o/r/actions/runs/1001/jobs" :query "page=2"
                                    :body (list :total_count 230 :jobs (vconcat (list (funcall job 101 "failure"))
                                                                                (funcall page 102 200))))
                              (list :path "repos/o/r/actions/runs/1001/jobs"
                                    :body (list :total_count 230 :jobs (funcall page 1 100)))
                              (list :path "repos/o/r/actions/jobs/101/logs"
                                    :text (mapconcat (lambda (line) (concat "2026-01-05T10:00:01.0000000Z " line "\n"))
                                                     (why-tests--log "npm test" "TypeError: rows is undefined") ""))))))
    (tools-tests--with (answers '(("gh_run_logs_failed" :run_id "1001" :repo "o/r")) world lab)
      (should (string-match-p "^test (101) · failure · job 101\ncommand: npm test\n" (car answers)))
      (should (string-suffix-p "\n[the first 200 of 230 jobs were read]" (car answers)))
      (should (= 3 (length (lab-requests lab)))))))

(ert-deftest why-a-run-without-jobs-is-told-by-how-it-ended ()
  (let ((world '(:rest [(:path "repos/o/r/actions/runs/1001/jobs" :body (:total_count 0 :jobs []))
                        (:path "repos/o/r/actions/runs/1001"
                         :body (:id 1001 :status "completed" :conclusion "startup_failure"))])))
    (tools-tests--with (answers '(("gh_run_logs_failed" :run_id "1001" :repo "o/r")) world lab)
      (should (equal (tools-tests--text (car answers))
                     "The run has no jobs (startup_failure): GitHub could not read its workflow file; its page says why."))
      (should (= 2 (length (lab-requests lab)))))))

(ert-deftest why-what-is-not-there-is-an-error ()
  (let ((world '(:repos (:o/r (:ref :null :object :null :pulls []))))
        (calls `(("gh_run_logs_failed" :run_id "gone" :repo "o/r")
                 ("gh_run_logs_failed" :run_id ,why-tests--oid :repo "o/r")
                 ("gh_run_logs_failed" :run_id "mona:gone" :repo "o/r")
                 ("gh_run_logs_failed" :run_id "#9999" :repo "o/r")
                 ("gh_run_logs_failed" :run_id "--web" :repo "o/r"))))
    (tools-tests--with (answers calls world)
      (should (equal (mapcar (lambda (answer) (nth 2 (lab-header answer))) answers)
                     '("error not-found" "error not-found" "error not-found" "error not-found"
                       "error bad-argument"))))))

(provide 'why-tests)

;;; why-tests.el ends here
