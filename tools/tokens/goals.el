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

;;;; Scenarios

(defun tokens-scenarios ()
  "Return the tasks of fixtures/tokens/scenarios.jsonl, plists."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "fixtures/tokens/scenarios.jsonl" lab-root))
    (cl-loop until (eobp)
             collect (json-parse-buffer :object-type 'plist :array-type 'list
                                        :false-object nil)
             do (skip-chars-forward "\n"))))

(defun tokens-lacking (needs text)
  "Return those of NEEDS that TEXT lacks, by the rule of fixtures/tokens/README.md."
  (let ((case-fold-search t)
        (plain (replace-regexp-in-string "\\([0-9]\\),\\([0-9]\\{3\\}\\)" "\\1\\2" text)))
    (cl-remove-if
     (lambda (need)
       (if (string-match-p "\\`[0-9]+\\'" need)
           (string-match-p (format "\\(?:\\`\\|[^0-9]\\)%s\\(?:[^0-9]\\|\\'\\)" need) plain)
         (string-match-p (regexp-quote need) text)))
     needs)))

(defun tokens-plain-gh (lab gh argv)
  "Return what GH prints for ARGV in the home of LAB, errors included."
  (with-temp-buffer
    (let ((process-environment (lab-environment lab))
          (default-directory (lab-dir lab)))
      (apply #'call-process gh nil t nil
             (if (equal (car argv) "gh") (cdr argv) argv)))
    (buffer-string)))

(defun tokens-scenarios-report ()
  "Run each scenario by our tools and by plain gh; print tokens and calls.
A task whose results lack something that its answer needs counts as missed."
  (let* ((tasks (tokens-scenarios))
         (calls (cl-loop for task in tasks append (plist-get task :calls)))
         (answers (tokens-answers
                   (mapcar (pcase-lambda (`(,name ,arguments))
                             (cons name (mapcar (lambda (value)
                                                  (if (consp value) (vconcat value) value))
                                                arguments)))
                           calls)))
         (gh (cdar (last (lab-ghs))))
         (plain (lab-with (lab (list (list :text "none"))
                               (expand-file-name "fixtures/github/busy" lab-root))
                  (cl-loop for task in tasks
                           collect (mapcar (lambda (argv) (tokens-plain-gh lab gh argv))
                                           (plist-get task :gh)))))
         (ours-all nil) (theirs-all nil) (questions nil))
    (princ (format "\n%-20s %22s  %22s\n" "task" "calls, tokens" "plain gh: calls, tokens"))
    (cl-loop
     for task in tasks for printed in plain
     for mine = (cl-loop repeat (length (plist-get task :calls)) collect (pop answers))
     for ours = (apply #'+ (tokens-count mine))
     for theirs = (apply #'+ (tokens-count printed))
     for lacking = (tokens-lacking (plist-get task :needs) (string-join mine "\n"))
     for theirs-lacking = (tokens-lacking (plist-get task :needs) (string-join printed "\n"))
     do
     (push ours ours-all)
     (push theirs theirs-all)
     (when (plist-get task :question)
       (push (list (length mine) ours (length printed) theirs) questions))
     (princ (format "%-20s %12d %9d  %12d %9d%s%s%s\n"
                    (plist-get task :id) (length mine) ours (length printed) theirs
                    (if (plist-get task :question) "  question" "")
                    (if lacking (format "  LACKS %S" lacking) "")
                    (if theirs-lacking (format "  (gh lacks %S)" theirs-lacking) "")))
     (when lacking
       (push (format "%s: %S" (plist-get task :id) lacking) tokens-missed)))
    (let ((mean (lambda (numbers) (/ (apply #'+ numbers) (max 1 (length numbers))))))
      (tokens-report (format "mean of %d scenarios; plain gh %d" (length tasks)
                             (funcall mean theirs-all))
                     (list (funcall mean ours-all)) 700)
      (princ (format "the %d questions: %d calls and %d tokens; plain gh %d calls and %d tokens\n"
                     (length questions)
                     (apply #'+ (mapcar #'car questions)) (apply #'+ (mapcar #'cadr questions))
                     (apply #'+ (mapcar #'caddr questions))
                     (apply #'+ (mapcar #'cadddr questions)))))))

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
                   (tokens-count (list (tokens-schema reads))) 1700)
    (tokens-report (format "schemas of all %d GitHub tools" (length tools))
                   (tokens-count (list (tokens-schema tools))) 2600)
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
    (tokens-scenarios-report)
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
