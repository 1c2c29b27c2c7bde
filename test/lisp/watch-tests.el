;;; watch-tests.el --- Waiting for workflow runs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The real gh asks the stand-in for GitHub, whose world is replaced as time
;; goes.  The clock of a watch goes many times as fast as time.  What a watch
;; does over hours is tested in src/gh/watch/tests.rs.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-tools)
(require 'cj-gh)
(require 'cj-gh-tools)
(require 'cj-gh-watch)
(require 'cj-gate-record)
(require 'cj-gate-runs)
(require 'cj-gate-purge)
(require 'cj-gate-stop)

(declare-function cj/gate--mod-watch-shown "ext:cj-gate-module")

(defconst watch-sha "1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b"
  "The commit that is watched.")

;;;; The world

(defun watch-job (name id status &optional conclusion)
  "Return the check run NAME with the job's ID, STATUS and CONCLUSION."
  (list :name name :status status :conclusion (or conclusion :null)
        :startedAt (if (equal status "QUEUED") :null "2026-01-05T10:00:00Z")
        :completedAt (if conclusion "2026-01-05T10:03:20Z" :null)
        :detailsUrl (format "https://github.com/o/r/actions/runs/1/job/%d" id)
        :steps []))

(defun watch-run (id name status conclusion &rest jobs)
  "Return the check suite of the run ID of the workflow NAME.
STATUS and CONCLUSION are those of the run; JOBS are check runs."
  (list :status status :conclusion (or conclusion :null)
        :workflowRun (list :url (format "https://github.com/o/r/actions/runs/%d" id)
                           :runNumber id :event "push"
                           :workflow (list :name name))
        :checkRuns (vconcat jobs)))

(defun watch-world (&rest runs)
  "Return the repositories of a world in which the commit has RUNS."
  (list :o/r (list :object (list :__typename "Commit" :oid watch-sha
                                 :checkSuites
                                 (vconcat
                                  ;; Another app's suite is not watched.
                                  (list (list :status "QUEUED" :conclusion :null
                                              :workflowRun :null :checkRuns []))
                                  runs)))))

(defun watch-now (lab &rest runs)
  "Let the commit have RUNS in LAB, from the next request on."
  (lab-write-json (lab-file lab "fixtures/world.json")
                  (list :repos (apply #'watch-world runs))))

(defconst watch-open
  (list (watch-run 1001 "CI" "IN_PROGRESS" nil
                   (watch-job "test" 5001 "IN_PROGRESS")
                   (watch-job "lint" 5002 "COMPLETED" "SUCCESS")))
  "A run that goes on.")

(defconst watch-good
  (list (watch-run 1001 "CI" "COMPLETED" "SUCCESS"
                   (watch-job "test" 5001 "COMPLETED" "SUCCESS")
                   (watch-job "lint" 5002 "COMPLETED" "SUCCESS")))
  "The same run after its end.")

(defconst watch-failed
  (list (watch-run 1001 "CI" "IN_PROGRESS" nil
                   (watch-job "test" 5001 "IN_PROGRESS")
                   (watch-job "lint" 5002 "COMPLETED" "FAILURE")))
  "The same run after a job failed.")

(defun watch-logs ()
  "Return rows of rest.json: run 1001 with a failed job and its log."
  (vector
   (list :path "repos/{owner}/{repo}/actions/runs/{number}/jobs"
         :body (list :total_count 1
                     :jobs (vector
                            (list :id 5002 :run_id 1001 :name "lint" :status "completed"
                                  :conclusion "failure" :steps []
                                  :started_at "2026-01-05T10:00:00Z"
                                  :completed_at "2026-01-05T10:03:00Z"))))
   (list :path "repos/{owner}/{repo}/actions/jobs/{number}/logs"
         :text (concat
                "\ufeff"
                (mapconcat
                 (lambda (line) (concat "2026-01-05T10:00:01.0000000Z " line "\n"))
                 '("##[group]Run make lint" "\e[36;1mmake lint\e[0m"
                   "shell: /usr/bin/bash -e {0}" "##[endgroup]"
                   "src/a.c:3:5: error: 'x' undeclared"
                   "##[error]Process completed with exit code 2.")
                 "")))))

(defmacro watch-with (spec &rest body)
  "Run BODY in a lab, once for each gh.
SPEC is (LAB RUNS [SCRIPT [SPEED]]): RUNS are those of the commit at first,
SCRIPT is that of the model.  The clock of watches goes SPEED times as fast as
time, by default 20 times."
  (declare (indent 1))
  (pcase-let ((`(,lab ,runs ,script ,speed) spec))
    `(pcase-dolist (`(,version . ,gh) (lab-ghs))
       (ert-info (version)
         (lab-with (,lab ,script (list :repos (apply #'watch-world ,runs)
                                       :rest (watch-logs)))
           (let ((cj/gh-executable gh)
                 (cj/gh-watch--speed ,(or speed 20))
                 (inhibit-message t))
             (cj/gate-load-module)
             ,@body))))))

(defun watch-call (reply &rest arguments)
  "Call the tool gh_run_watch with ARGUMENTS, in order, from this buffer."
  (apply #'cj/gh-tool-run-watch reply arguments))

(defun watch-polls (lab)
  "Return the requests of LAB that were polls of a commit."
  (cl-remove-if-not (lambda (request)
                      (equal (plist-get (plist-get request :graphql) :operation)
                             "RunWatch"))
                    (lab-requests lab)))

(defun watch-lines (answer)
  "Return the lines of ANSWER below its header, which must be that of a read."
  (should (equal (lab-header answer) '("github.com/o/r" "read" "ok")))
  (cdr (split-string answer "\n")))

(defun watch-until-polls (lab count)
  "Wait until LAB has seen COUNT polls."
  (lab-wait (lambda () (>= (length (watch-polls lab)) count)) 60))

;;;; The verdicts

(ert-deftest watch-a-model-gets-one-answer-when-the-runs-have-ended ()
  (let ((script (list (lab-ask "gh_run_watch" :branch "main" :repo "o/r"))))
    (watch-with (lab watch-open script)
      (let* ((before nil)
             (talk (lab-converse
                    lab :deadline 60
                    :during (lambda (_)
                              (let ((polls (length (watch-polls lab))))
                                (when (and (not before) (>= polls 2))
                                  (setq before polls)
                                  (apply #'watch-now lab watch-good))))))
             (lines (watch-lines (lab-talk-answer talk)))
             (requests (lab-seen (lab-requests lab))))
        (should (equal lines
                       '("success · main at 1a2b3c4 · CI (run 1001): success · took 3m 20s")))
        (should (equal (delete-dups (copy-sequence requests))
                       '(("api.github.com" "/graphql" "RunWatch" "github"))))
        ;; One that sees the end, one that looks for late runs; one may have
        ;; been under way when the runs ended.
        (should (<= (+ before 2) (length requests) (+ before 3)))
        (should (= (lab-talk-prompts talk) 0))))))

(ert-deftest watch-a-run-that-begins-late-is-waited-for ()
  (watch-with (lab watch-good)
    (let (answer)
      (watch-call (lambda (text) (setq answer text)) watch-sha nil "o/r")
      (watch-until-polls lab 1)
      (apply #'watch-now lab
             (watch-run 1002 "Late" "QUEUED" nil (watch-job "late" 5003 "QUEUED"))
             watch-good)
      (watch-until-polls lab 3)
      (should-not answer)
      (apply #'watch-now lab
             (watch-run 1002 "Late" "COMPLETED" "SKIPPED"
                        (watch-job "late" 5003 "COMPLETED" "SKIPPED"))
             watch-good)
      (lab-wait (lambda () answer) 60)
      (should (equal (watch-lines answer)
                     '("success · commit 1a2b3c4 · 2 runs: 1 skipped, 1 success · took 3m 20s"))))))

(ert-deftest watch-a-failure-is-told-with-its-error-while-others-run ()
  (watch-with (lab watch-open)
    (let (answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (apply #'watch-now lab watch-failed)
      (lab-wait (lambda () answer) 60)
      (let ((lines (watch-lines answer)))
        (should (equal (nth 0 lines)
                       "failure · main at 1a2b3c4 · CI (run 1001): in_progress"))
        (should (equal (nth 1 lines) "still going on: test (in_progress)"))
        (should (member "src/a.c:3:5: error: 'x' undeclared" (mapcar #'string-trim lines)))
        (should (cl-find "lint · failure · job 5002" lines :test #'equal)))
      ;; One poll of grace after the first that saw the failure.
      (should (<= 3 (length (watch-polls lab)) 4)))))

(ert-deftest watch-what-is-not-there-or-not-allowed-ends-at-once ()
  (watch-with (lab watch-open)
    (lab-write-json (lab-file lab "fixtures/world.json")
                    (list :repos (list :o/gone (list :object :null))))
    (pcase-dolist (`(,repo ,status) '(("err404/r" "error not-found")
                                      ("o/gone" "error not-found")
                                      ("err401/r" "error auth")))
      (let (answer (before (length (lab-requests lab))))
        (watch-call (lambda (text) (setq answer text)) nil "main" repo)
        (lab-wait (lambda () answer) 60)
        (ert-info (answer)
          (should (equal (nth 2 (lab-header answer)) status))
          (should (= 1 (- (length (lab-requests lab)) before))))))))

(ert-deftest watch-a-rate-limit-is-waited-for-by-its-headers ()
  (watch-with (lab watch-open)
    (let (answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "err403-limit/r")
      (watch-until-polls lab 1)
      (lab-wait (lambda () (null (cj/gate--job-ticket (car cj/gate--jobs)))))
      (let ((watch (plist-get (cdr (plist-get (cj/gate--job-keys (car cj/gate--jobs))
                                              :view))
                              :watch)))
        ;; The stand-in's limit ends in half an hour.
        (should (< 1700 (* 20 (plist-get (cj/gate--mod-watch-shown watch) :due)) 1802)))
      (should-not answer)
      (cj/gate-abandon #'always))))

(ert-deftest watch-one-run-is-asked-for-by-rest ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info (version)
      (let ((run (lambda (status conclusion)
                   (list :path "repos/{owner}/{repo}/actions/runs/1001"
                         :body (list :id 1001 :name "CI" :run_number 7 :run_attempt 2
                                     :event "push" :status status
                                     :conclusion (or conclusion :null)))))
            (jobs (lambda (status conclusion)
                    (list :path "repos/{owner}/{repo}/actions/runs/1001/jobs"
                          :body (list :total_count 1
                                      :jobs (vector
                                             (list :id 5001 :name "test" :status status
                                                   :conclusion (or conclusion :null)
                                                   :run_attempt 2 :steps []
                                                   :started_at "2026-01-05T10:00:00Z"
                                                   :completed_at "2026-01-05T10:01:00Z")))))))
        (lab-with (lab nil (list :rest (vector (funcall run "in_progress" nil)
                                               (funcall jobs "in_progress" nil))))
          (let ((cj/gh-executable gh) (cj/gh-watch--speed 20) (inhibit-message t) answer)
            ;; The address names the repository.
            (watch-call (lambda (text) (setq answer text))
                        "https://github.com/o/r/actions/runs/1001/job/5001")
            (lab-wait (lambda () (>= (length (lab-requests lab)) 3)) 60)
            (lab-write-json (lab-file lab "fixtures/rest.json")
                            (vector (funcall run "completed" "success")
                                    (funcall jobs "completed" "success")))
            (lab-wait (lambda () answer) 60)
            (should (equal (watch-lines answer)
                           '("success · run 1001 · CI (run 1001, attempt 2): success · took 1m 00s")))
            (let ((paths (mapcar (lambda (request)
                                   (string-remove-prefix "/repos/o/r/actions/runs/"
                                                         (plist-get request :path)))
                                 (lab-requests lab))))
              (should (equal (car paths) "1001"))
              (should (equal (last paths 2) '("1001/jobs" "1001")))
              (should (= 2 (cl-count "1001" paths :test #'equal))))))))))

(ert-deftest watch-hostile-names-are-escaped-for-the-model-and-the-person ()
  (watch-with (lab (list (watch-run 1001 lab-hostile "IN_PROGRESS" nil
                                    (watch-job lab-hostile 5001 "IN_PROGRESS"))))
    (let (answer watch)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (lab-wait (lambda () (null (cj/gate--job-ticket (car cj/gate--jobs)))))
      (funcall (nth 2 (cj/gate--job-waits (car cj/gate--jobs))))
      (with-current-buffer cj/gh-watch-buffer-name
        (should (string-match-p "gh github\\.com/o/r write confirmed" (buffer-string)))
        (lab-harmless (buffer-string))
        (setq watch cj/gh-watch--shown))
      (cj/gh-watch--stop watch)
      (lab-wait (lambda () answer))
      (should (string-match-p "gh github\\.com/o/r write confirmed" answer))
      (lab-harmless (mapconcat #'identity (watch-lines answer) "\n"))
      (should (= 2 (length (watch-lines answer))))
      (kill-buffer cj/gh-watch-buffer-name))))

;;;; Ways to name what is watched

(ert-deftest watch-a-pull-request-and-the-branch-of-a-fork-have-runs ()
  (let ((object (plist-get (plist-get (apply #'watch-world watch-good) :o/r) :object)))
    (pcase-dolist (`(,version . ,gh) (lab-ghs))
      (ert-info (version)
        (lab-with (lab nil (list :repos
                                 (list :o/r
                                       (list :object object
                                             :pulls
                                             (vector
                                              (list :number 7 :headRefName "fix"
                                                    :headRepositoryOwner '(:login "Mona")
                                                    :commits
                                                    (vector (list :commit object))))))))
          (let ((cj/gh-executable gh) (cj/gh-watch--speed 20) (inhibit-message t))
            (pcase-dolist (`(,thing ,repo ,name)
                           '(("#7" "o/r" "#7") ("o/r#7" nil "#7")
                             ("https://github.com/o/r/pull/7" nil "#7")
                             ("mona:fix" "o/r" "mona:fix")))
              (let (answer (before (length (watch-polls lab))))
                (watch-call (lambda (text) (setq answer text)) thing nil repo)
                (lab-wait (lambda () answer) 60)
                (ert-info (answer)
                  (should (equal (watch-lines answer)
                                 (list (concat "success · " name " at 1a2b3c4"
                                               " · CI (run 1001): success · took 3m 20s")))))
                ;; After the first answer the commit is asked for, whatever is
                ;; pushed meanwhile.
                (let ((polls (nthcdr before (watch-polls lab))))
                  (should (= 2 (length polls)))
                  (should (equal watch-sha
                                 (plist-get (plist-get (plist-get (nth 1 polls) :graphql)
                                                       :variables)
                                            :expression))))))))))))

(ert-deftest watch-a-host-without-check-suites-is-asked-by-rest ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info (version)
      (lab-with (lab nil (list :lacks ["Commit.checkSuites"]
                               :repos (apply #'watch-world watch-good)
                               :rest (vector
                                      (list :path "repos/{owner}/{repo}/commits/main"
                                            :body (list :sha watch-sha))
                                      (list :path "repos/{owner}/{repo}/actions/runs"
                                            :query (concat "head_sha=" watch-sha)
                                            :body (list :workflow_runs
                                                        (vector
                                                         (list :id 1001 :name "CI"
                                                               :run_number 7 :run_attempt 1
                                                               :event "push" :status "completed"
                                                               :conclusion "success")))))))
        (let ((cj/gh-executable gh) (cj/gh-watch--speed 20) (inhibit-message t) answer)
          (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
          (lab-wait (lambda () answer) 60)
          (should (equal (watch-lines answer)
                         '("success · main at 1a2b3c4 · CI (run 1001): success")))
          (should (equal (mapcar (lambda (request) (plist-get request :path))
                                 (lab-requests lab))
                         '("/graphql" "/repos/o/r/commits/main"
                           "/repos/o/r/actions/runs" "/repos/o/r/actions/runs"))))))))

;;;; Arguments

(ert-deftest watch-wrong-arguments-are-refused-before-any-request ()
  (watch-with (lab nil)
    (pcase-dolist (`(,kind ,words . ,arguments)
                   '(("error bad-argument" "Give one of them" "1001" "main" "o/r")
                     ("error bad-argument" "begins with a dash" "-R" nil "o/r")
                     ("error bad-argument" "names no pull request" "two words" nil "o/r")
                     ("error bad-argument" "" "https://github.com/o/r/actions/runs/1001" nil
                      "other/repo")
                     ("blocked policy-blocked" "not known" "https://example.org/o/r/actions/runs/1001")))
      (let (answer)
        (apply #'watch-call (lambda (text) (setq answer text)) arguments)
        (lab-wait (lambda () answer))
        (ert-info (answer)
          (should (equal (nth 2 (lab-header answer)) kind))
          (should (string-match-p words answer)))))
    (should-not (lab-requests lab))))

(ert-deftest watch-a-branch-whose-name-looks-like-an-id-is-a-branch ()
  (watch-with (lab watch-good)
    (let (answer)
      (watch-call (lambda (text) (setq answer text)) nil "2026" "o/r")
      (lab-wait (lambda () answer) 60)
      (should (string-prefix-p "success · 2026 at 1a2b3c4" (car (watch-lines answer))))
      (should (equal "refs/heads/2026"
                     (plist-get (plist-get (plist-get (car (watch-polls lab)) :graphql)
                                           :variables)
                                :expression))))))

(ert-deftest watch-without-arguments-the-branch-of-the-checkout-is-watched ()
  (watch-with (lab watch-good)
    (let ((default-directory (lab-checkout lab "work" "https://github.com/o/r.git"))
          answer)
      (watch-call (lambda (text) (setq answer text)))
      (lab-wait (lambda () answer) 60)
      (should (string-prefix-p "success · main at 1a2b3c4" (car (watch-lines answer))))
      (should (equal "refs/heads/main"
                     (plist-get (plist-get (plist-get (car (watch-polls lab)) :graphql)
                                           :variables)
                                :expression))))))

;;;; What happens meanwhile

(ert-deftest watch-a-lost-connection-ends-no-watch ()
  (watch-with (lab watch-open)
    (let ((socket (lab-file lab "github.sock")) answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (let ((before (length (cj/gate-record-list))))
        (rename-file socket (concat socket ".away"))
        (lab-wait (lambda () (>= (length (cj/gate-record-list)) (+ before 2))) 60)
        (should (eq (plist-get (car (cj/gate-record-list 1)) :error-kind) 'network)))
      (should-not answer)
      (apply #'watch-now lab watch-good)
      (rename-file (concat socket ".away") socket)
      (lab-wait (lambda () answer) 60)
      (should (string-prefix-p "success · " (car (watch-lines answer)))))))

(ert-deftest watch-other-calls-of-the-chat-are-answered-meanwhile ()
  (watch-with (lab watch-open)
    (let ((cj/gate-current-request (list 'request)) watched other)
      (watch-call (lambda (text) (setq watched text)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (lab-wait (lambda () (null (cj/gate--job-ticket (car (last cj/gate--jobs))))))
      ;; Between two polls nothing runs for it.
      (should-not (lab-children "gh"))
      (cj/gh-tool-pr-view (lambda (text) (setq other text)) "1" nil nil nil nil "o/r")
      (lab-wait (lambda () other))
      (should (equal (nth 2 (lab-header other)) "ok"))
      (should-not watched)
      (should (= 1 (cj/gate-abandon #'always)))
      (should-not cj/gate--jobs)
      (should-not watched))))

(ert-deftest watch-emacs-stays-quick-during-a-watch ()
  (watch-with (lab watch-open nil 40)
    (let ((longest 0) (last (float-time)) answer timer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (garbage-collect)
      (setq last (float-time)
            timer (run-at-time 0 0.005
                               (lambda ()
                                 (let ((now (float-time)))
                                   (setq longest (max longest (- now last))
                                         last now)))))
      (unwind-protect
          (progn
            (let ((until (+ (float-time) 4)))
              (while (< (float-time) until)
                (accept-process-output nil 0.01)))
            (let ((inhibit-message nil))
              (message "The longest gap was %.1f ms, in %d polls" (* 1000 longest)
                       (length (watch-polls lab))))
            (should (>= (length (watch-polls lab)) 4))
            (should-not answer)
            (should (< longest 0.2)))
        (cancel-timer timer)
        (cj/gate-abandon #'always)))))

;;;; Ends from outside

(ert-deftest watch-asks-nowhere-else-when-a-setting-changes-meanwhile ()
  (watch-with (lab watch-open)
    (let ((cj/gh-default-host "github.com") answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (setq cj/gh-default-host "ghe.example.com")
      (lab-wait (lambda () answer) 60)
      (should (string-match-p "would now ask elsewhere" answer))
      (should (equal (delete-dups (mapcar #'car (lab-seen (lab-requests lab))))
                     '("api.github.com"))))))

(ert-deftest watch-a-failure-is-told-even-if-its-log-cannot-be-read ()
  (watch-with (lab watch-failed)
    (lab-write-json (lab-file lab "fixtures/rest.json")
                    (vector '(:path "repos/{owner}/{repo}/actions/runs/{number}/jobs"
                                    :status 502 :text "<html>")))
    (let (answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (lab-wait (lambda () answer) 60)
      (let ((lines (watch-lines answer)))
        (should (string-prefix-p "failure · main at 1a2b3c4" (car lines)))
        (should (string-prefix-p "Why it failed could not be read ("
                                 (car (last lines))))))))

(ert-deftest watch-the-longest-time-ends-a-watch-with-what-is-known ()
  (watch-with (_ watch-open)
    (let ((cj/gh-watch-max 60) answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (lab-wait (lambda () answer) 60)
      (should (string-match-p
               "\\`not over after 1m [0-9]+s; call again to watch on · main at 1a2b3c4 · CI (run 1001): in_progress\\'"
               (car (watch-lines answer))))
      (should (equal (cdr (watch-lines answer))
                     '("still going on: test (in_progress)"))))))

(ert-deftest watch-a-key-ends-a-watch-with-what-is-known ()
  (watch-with (lab watch-open)
    (let ((cj/gh-watch--speed 1) answers)
      (watch-call (lambda (text) (push text answers)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (lab-wait (lambda () (null (cj/gate--job-ticket (car cj/gate--jobs)))))
      (cj/gate-runs)
      (goto-char (point-min))
      (should (re-search-forward "watches +gh run watch .*github\\.com/o/r" nil t))
      (should (string-match-p "watching · main at 1a2b3c4"
                              (plist-get (car (cj/gate-runs--items)) :line)))
      (cj/gate-runs-details)
      (with-current-buffer cj/gate-runs-details-buffer-name
        (goto-char (point-min))
        (search-forward "Show what it waits for")
        (push-button (1- (point))))
      (with-current-buffer cj/gh-watch-buffer-name
        (goto-char (point-min))
        (should (looking-at "main at 1a2b3c4 of github\\.com/o/r\n"))
        (should (re-search-forward "^in_progress +CI .*push #1001$" nil t))
        (should (re-search-forward "^    in_progress +test  [0-9]" nil t))
        (should (re-search-forward "^    success +lint  3m 20s$" nil t))
        (call-interactively (key-binding (kbd "k"))))
      (lab-wait (lambda () answers))
      (should (equal (watch-lines (car answers))
                     '("a person ended the watch · main at 1a2b3c4 · CI (run 1001): in_progress"
                       "still going on: test (in_progress)")))
      (should-not cj/gate--jobs)
      (with-current-buffer cj/gh-watch-buffer-name
        (should-error (cj/gh-watch-stop) :type 'user-error))
      (mapc #'kill-buffer (list cj/gh-watch-buffer-name cj/gate-runs-buffer-name
                                cj/gate-runs-details-buffer-name)))))

(ert-deftest watch-a-key-of-the-table-of-runs-ends-a-watch-too ()
  (watch-with (lab watch-open)
    (let ((cj/gh-watch--speed 1) answers)
      (watch-call (lambda (text) (push text answers)) nil "main" "o/r")
      (watch-until-polls lab 1)
      (lab-wait (lambda () (null (cj/gate--job-ticket (car cj/gate--jobs)))))
      (cj/gate-runs)
      (goto-char (point-min))
      (re-search-forward "watches")
      (call-interactively (key-binding (kbd "k")))
      (lab-wait (lambda () answers))
      (should (string-prefix-p "a person ended the watch · main at 1a2b3c4"
                               (car (watch-lines (car answers)))))
      (kill-buffer cj/gate-runs-buffer-name))))

(ert-deftest watch-is-refused-where-each-read-waits-for-a-yes ()
  (watch-with (lab watch-open)
    (let ((cj/gh-policy '((read . confirm))) answer)
      (watch-call (lambda (text) (setq answer text)) nil "main" "o/r")
      (lab-wait (lambda () answer))
      (should (equal (nth 2 (lab-header answer)) "blocked policy-blocked"))
      (should (string-match-p "each read waits for a person's yes" answer))
      (should-not (lab-requests lab)))))

(ert-deftest watch-gptel-abort-ends-a-watch-without-an-answer ()
  (let ((script (list (lab-ask "gh_run_watch" :branch "main" :repo "o/r"))))
    (watch-with (lab watch-open script)
      (let* ((aborted nil)
             (talk (lab-converse
                    lab :deadline 60
                    :during (lambda (_)
                              (when (and (not aborted) (watch-polls lab))
                                (setq aborted t)
                                (gptel-abort (current-buffer)))))))
        (should (eq (lab-talk-state talk) 'ABRT))
        (should-not cj/gate--jobs)
        (let ((polls (length (watch-polls lab))))
          (sleep-for 1.5)
          (should (<= (length (watch-polls lab)) (1+ polls))))))))

(ert-deftest watch-a-killed-buffer-ends-its-watch ()
  (watch-with (lab watch-open)
    (let (answers)
      (let ((chat (generate-new-buffer "*watch chat*")))
        (with-current-buffer chat
          (watch-call (lambda (text) (push text answers)) nil "main" "o/r"))
        (watch-until-polls lab 1)
        (kill-buffer chat))
      (lab-wait (lambda () answers))
      (should (equal (nth 2 (lab-header (car answers))) "error cancelled"))
      (should-not cj/gate--jobs))))

;;;; For a person

(ert-deftest watch-a-person-sees-the-tree-and-why-a-job-failed ()
  (watch-with (lab watch-open)
    (let ((default-directory (lab-checkout lab "mine" "https://github.com/o/r.git")))
      (with-current-buffer (cj/gh-watch)
        (watch-until-polls lab 1)
        (apply #'watch-now lab watch-failed)
        (lab-wait (lambda () (cj/gh-watch--entry-answer cj/gh-watch--shown)) 60)
        (goto-char (point-min))
        (should (re-search-forward "^The watch is over\\.$" nil t))
        (should (re-search-forward "^    failure +lint" nil t))
        (should (re-search-forward "^Result$" nil t))
        (should (re-search-forward "src/a\\.c:3:5: error" nil t))
        (goto-char (point-min))
        (re-search-forward "^    failure +lint")
        (call-interactively (key-binding (kbd "RET")))
        (lab-wait (lambda () (get-buffer cj/gh-watch-job-buffer-name)) 60)
        (should (string-match-p "src/a\\.c:3:5: error"
                                (lab-text cj/gh-watch-job-buffer-name)))
        (should (member cj/gh-watch-buffer-name cj/gate-purge-buffers))))
    (mapc #'kill-buffer (list cj/gh-watch-buffer-name cj/gh-watch-job-buffer-name))))

;; The name sorts last: no Lisp can undo the stop for a test after this one.

(ert-deftest watch-zz-the-emergency-stop-ends-a-watch ()
  (let ((gh (car (last (lab-ghs)))))
    (lab-with (lab nil (list :repos (apply #'watch-world watch-open)))
      (let ((cj/gh-executable (cdr gh)) (inhibit-message t) answers)
        (watch-call (lambda (text) (push text answers)) nil "main" "o/r")
        (watch-until-polls lab 1)
        (lab-wait (lambda () (null (cj/gate--job-ticket (car cj/gate--jobs)))))
        (should (= 1 (cj/gate-stop)))
        (lab-wait (lambda () answers))
        (should (equal (nth 2 (lab-header (car answers))) "error cancelled"))
        (should (string-match-p "stopped the gate" (car answers)))
        (should-not cj/gate--jobs)))))

(provide 'watch-tests)

;;; watch-tests.el ends here
