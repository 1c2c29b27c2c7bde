;;; goals.el --- What the tools cost in tokens -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Counts the tokens (vocabulary of o200k_base) of the schemas as gptel sends
;; them, and of the results of the real tools over a busy repository
;; (fixtures/github/busy).  A missed goal ends Emacs with an error.
;; `make tokens' runs this file.

;;; Code:

(require 'cl-lib)
(require 'lab-gptel)
(require 'cj-gh-tools)
(require 'cj-gh-profiles)
(require 'cj-net)

(defvar tokens-counter (getenv "TOKENS")
  "The program that counts tokens, built from tools/tokens/src/.")

(defun tokens-count (texts)
  "Return the number of tokens of each of TEXTS."
  (with-temp-buffer
    (let ((coding-system-for-write 'no-conversion)
          (coding-system-for-read 'utf-8))
      (dolist (text texts)
        (insert (json-serialize text) "\n"))
      (unless (zerop (call-process-region (point-min) (point-max) tokens-counter
                                          t t nil "counts"))
        (error "The counter says: %s" (buffer-string))))
    (mapcar #'string-to-number (split-string (buffer-string) "\n" t))))

(defvar tokens-missed nil "Goals that were missed.")

(defun tokens-report (what numbers &optional goal)
  "Print the median and the range of NUMBERS, the token counts of WHAT.
A median above GOAL is noted in `tokens-missed'."
  (let* ((sorted (sort (copy-sequence numbers) #'<))
         (median (nth (/ (length sorted) 2) sorted))
         (missed (and goal (> median goal))))
    (when missed (push what tokens-missed))
    (princ (format "%-46s %5d%s  %s\n" what median
                   (if (cdr sorted)
                       (format "  (median of %d, from %d to %d)"
                               (length sorted) (car sorted) (car (last sorted)))
                     "")
                   (cond (missed (format "MISSED the goal: at most %d" goal))
                         (goal (format "met the goal: at most %d" goal))
                         (t ""))))))

(defun tokens-schema (tools)
  "Return the JSON in which gptel sends TOOLS."
  (gptel--json-encode
   (gptel--parse-tools (gptel-make-openai "Schema" :models '(lab)) tools)))

(defun tokens-answers (calls)
  "Return what the model gets for CALLS, lists of tool and arguments."
  (let ((cj/gate-approval-max-age 5))
    (lab-with (lab (list (list :tool_calls
                               (vconcat (cl-loop for (name . arguments) in calls for n from 0
                                                 collect (list :id (format "call%d" n) :name name
                                                               :arguments arguments)))))
                   (expand-file-name "fixtures/github/busy" lab-root))
      (let ((answers (lab-talk-answers (lab-converse lab :deadline 120))))
        (cl-loop for call in calls for n from 0
                 for answer = (cdr (assoc (format "call%d" n) answers))
                 unless (equal (nth 2 (lab-header answer)) "ok")
                 do (error "%S: %s" call answer)
                 collect answer)))))

(defconst tokens-rows
  '(("gh_pr_view" 220 pulls ("gh_pr_view" :number number :repo "busy/r"))
    ("gh_pr_view, include_body" 700 pulls
     ("gh_pr_view" :number number :repo "busy/r" :include_body t))
    ("gh_pr_view, include_comments, include_reviews" nil pulls
     ("gh_pr_view" :number number :repo "busy/r" :include_comments t :include_reviews t))
    ("gh_pr_checks, 43 checks, 3 of them failed" 120 pull
     ("gh_pr_checks" :number number :repo "busy/r"))
    ("gh_pr_list, 10 entries" 350 pull ("gh_pr_list" :repo "busy/r" :limit 10))
    ("gh_issue_list, 10 entries" 350 pull ("gh_issue_list" :repo "busy/r" :limit 10))
    ("gh_run_list, 10 entries" 350 pull ("gh_run_list" :repo "busy/r" :limit 10))
    ("gh_search_prs, 10 entries" 350 pull
     ("gh_search_prs" :query "repo:busy/r key" :limit 10))
    ("gh_search_issues, 10 entries" 350 pull
     ("gh_search_issues" :query "repo:busy/r key" :limit 10))
    ("gh_pr_list, default limit (30)" nil pull ("gh_pr_list" :repo "busy/r"))
    ("gh_issue_list, default limit (30)" nil pull ("gh_issue_list" :repo "busy/r"))
    ("gh_run_list, default limit (20)" nil pull ("gh_run_list" :repo "busy/r"))
    ("gh_search_prs, 50 entries" nil pull
     ("gh_search_prs" :query "repo:busy/r key" :limit 50))
    ("gh_search_issues, 50 entries" nil pull
     ("gh_search_issues" :query "repo:busy/r key" :limit 50))
    ("gh_issue_view" 220 issues ("gh_issue_view" :number number :repo "busy/r"))
    ("gh_repo_view" nil pull ("gh_repo_view" :repo "busy/r"))
    ("gh_pr_files, 20 files" nil pull ("gh_pr_files" :number number :repo "busy/r"))
    ("gh_run_view, 43 jobs, 3 of them failed" nil pull
     ("gh_run_view" :run_id run :repo "busy/r"))
    ("gh_run_logs_failed, all 3 failed jobs" 800 pull
     ("gh_run_logs_failed" :run_id run :repo "busy/r"))
    ("gh_run_logs_failed, one job" 600 jobs
     ("gh_run_logs_failed" :run_id run :job_id job :repo "busy/r")))
  "Rows (WHAT GOAL KIND CALL): a name, the most tokens or nil, and a tool call.
The call is made for each thing of KIND in `tokens-things'.")

(defun tokens-read (file)
  "Return the JSON in FILE of the busy repository."
  (with-temp-buffer
    (insert-file-contents (expand-file-name (concat "fixtures/github/busy/" file) lab-root))
    (json-parse-buffer :object-type 'plist :array-type 'list :null-object nil)))

(defun tokens-things ()
  "Return the things that calls are about, an alist (KIND . SUBSTITUTIONS).
SUBSTITUTIONS are plists with the numbers that stand for `number', `run' and
`job' in the calls of `tokens-rows'."
  (let* ((repo (plist-get (plist-get (tokens-read "world.json") :repos) :busy/r))
         (rest (tokens-read "rest.json"))
         (numbers (lambda (list)
                    (cl-loop for row in (plist-get (plist-get repo list) :nodes)
                             when (plist-get row :body)
                             collect (list :number (plist-get row :number)))))
         (pulls (funcall numbers :pulls))
         (jobs (cl-loop for row in rest for body = (plist-get row :body)
                        when (and (equal (plist-get body :conclusion) "failure")
                                  (plist-get body :steps))
                        collect (list :job (plist-get body :id) :run (plist-get body :run_id)))))
    (list (cons 'pulls pulls)
          (cons 'pull (list (append (car pulls) (car jobs))))
          (cons 'issues (funcall numbers :issues))
          (cons 'jobs jobs))))

(defun tokens-main ()
  "Measure everything; end with an error when a goal was missed."
  (let* ((tools (cj/gh-register))
         (reads (cl-remove-if-not (lambda (tool)
                                    (member (gptel-tool-name tool) (cj/gh-profile-tools)))
                                  tools))
         (things (tokens-things))
         (calls (cl-loop for (what _ kind call) in tokens-rows
                         append (cl-loop for thing in (alist-get kind things)
                                         collect (cons what
                                                       (cons (car call)
                                                             (mapcar
                                                              (lambda (word)
                                                                (pcase word
                                                                  ('number (plist-get thing :number))
                                                                  ('run (plist-get thing :run))
                                                                  ('job (plist-get thing :job))
                                                                  (_ word)))
                                                              (cdr call)))))))
         (answers (tokens-answers (mapcar #'cdr calls)))
         (numbers (tokens-count answers)))
    (princ "Tokens that a model gets:\n")
    (tokens-report (format "schemas of the %d tools of github-read" (length reads))
                   (tokens-count (list (tokens-schema reads))) 1200)
    (tokens-report (format "schemas of all %d GitHub tools" (length tools))
                   (tokens-count (list (tokens-schema tools))) 1800)
    (tokens-report "schemas of the five network tools"
                   (tokens-count (list (tokens-schema
                                        (cl-remove "net_more" (cj/net-register)
                                                   :key #'gptel-tool-name :test #'equal))))
                   450)
    (pcase-dolist (`(,what ,goal . ,_) tokens-rows)
      (tokens-report what
                     (cl-loop for (name . _) in calls for n in numbers
                              when (equal name what) collect n)
                     goal))
    (let ((longest (apply #'max numbers)))
      (tokens-report "the longest of all these results" (list longest) 800))
    (unless (member (getenv "SHOW") '(nil ""))
      (cl-loop for (what . call) in calls for answer in answers for n in numbers
               for last = nil then (equal what seen) for seen = what
               unless last
               do (princ (format "\n--- %s, %d tokens: %S\n%s\n" what n call answer))))
    (when tokens-missed
      (princ (format "\nmissed goals: %s\n" (string-join (nreverse tokens-missed) "; ")))
      (kill-emacs 1))))

(provide 'goals)

;;; goals.el ends here
