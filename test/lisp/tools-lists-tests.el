;;; tools-lists-tests.el --- Limits, totals and fields of lists, and gh_api_get -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-tools)
(require 'cj-gh-tools)

;;;; Lists: limits and totals

(defun tools-tests--first (answer)
  "Return the first line of ANSWER below its header."
  (nth 1 (split-string answer "\n")))

(defun tools-tests--variables (lab operation name)
  "Return the values of the variable NAME in the queries OPERATION that LAB saw."
  (cl-loop for request in (lab-requests lab)
           for graphql = (plist-get request :graphql)
           when (equal (plist-get graphql :operation) operation)
           collect (plist-get (plist-get graphql :variables) name)))

(ert-deftest tools-a-limit-is-held-within-its-bounds ()
  (dolist (tool '(("gh_pr_list" "PullRequestList" "pull requests" 30)
                  ("gh_issue_list" "IssueList" "issues" 30)))
    (pcase-let ((`(,name ,operation ,noun ,default) tool))
      (tools-tests--with
          (answers (cl-loop for limit in '(nil 0 5 "7" 1000)
                            collect (append (list name :repo "many/r")
                                            (and limit (list :limit limit))))
                   nil lab)
        (should (equal (mapcar #'tools-tests--first answers)
                       (mapcar (lambda (shown) (format "%d/250 open %s" shown noun))
                               (list default 1 5 7 250))))
        (should (equal (sort (tools-tests--variables lab operation :limit) #'<)
                       (list 1 5 7 default 100 100 100)))))))

(ert-deftest tools-a-full-list-asks-for-its-total-and-a-short-one-does-not ()
  (tools-tests--with (answers '(("gh_pr_list" :repo "o/r" :limit 1)) nil lab)
    (should (equal (tools-tests--first (car answers)) "1/2 open pull requests"))
    (should (equal (tools-tests--sorted (lab-seen (lab-requests lab)))
                   '(("api.github.com" "/graphql" "PullRequestList" "github")
                     ("api.github.com" "/graphql" nil "github")))))
  (tools-tests--with (answers '(("gh_pr_list" :repo "o/r" :limit 3)) nil lab)
    (should (equal (tools-tests--first (car answers)) "2/2 open pull requests"))
    (should (= 1 (length (lab-requests lab))))))

(ert-deftest tools-a-total-counts-only-the-state-query-and-branch-asked-for ()
  (tools-tests--with
      (answers '(("gh_pr_list" :repo "o/r" :limit 1 :state "all")
                 ("gh_pr_list" :repo "o/r" :limit 1 :state "closed")
                 ("gh_issue_list" :repo "o/r" :limit 1 :state "all")
                 ("gh_issue_list" :repo "o/r" :limit 1 :state "closed")
                 ("gh_run_list" :repo "o/r" :branch "main" :limit 1))
               '(:rest [(:path "repos/{owner}/{repo}/actions/runs"
                               :query "per_page=1 branch=main"
                               :body (:total_count 913 :workflow_runs
                                                   [(:id 1 :name "CI" :status "queued"
                                                         :workflow_id 501)]))]))
    (should (equal (mapcar #'tools-tests--first answers)
                   ;; "these open" speaks of the rows shown, not of the total.
                   '("1/3 pull requests, these open"
                     "1/1 closed pull requests"
                     "1/2 issues, these open"
                     "1/1 closed issues"
                     "1/913 runs")))))

(ert-deftest tools-an-unknown-total-is-said ()
  (tools-tests--with
      (answers '(("gh_run_list" :repo "o/r" :limit 2)
                 ("gh_pr_list" :repo "many/r" :search "x" :limit 5))
               '(:rest [(:path "repos/{owner}/{repo}/actions/runs"
                               :query "per_page=1" :status 404 :body (:message "Not Found"))
                        (:path "search/issues" :query "per_page=1" :status 500
                               :body (:message "Sorry"))]))
    (should (equal (mapcar #'tools-tests--first answers)
                   '("≥2 runs" "≥5 open pull requests")))
    (dolist (answer answers)
      (should (equal (nth 2 (lab-header answer)) "ok")))))

;;;; Fields

(ert-deftest tools-fields-are-checked-before-anything-runs ()
  (tools-tests--with
      (answers '(("gh_pr_view" :number 1 :repo "o/r" :fields "number,stars")
                 ("gh_issue_list" :repo "o/r" :fields "headRefName")
                 ("gh_run_view" :run_id 1001 :repo "o/r" :fields "--web")
                 ("gh_pr_view" :number 1 :repo "o/r" :fields "comments,reviews")
                 ("gh_repo_view" :repo "o/r" :fields " , ")
                 ("gh_pr_list" :repo "o/r" :fields ["number" "state"]))
               nil lab)
    (cl-loop
     for answer in answers
     for said in '("gh pr view has no field stars\\.\nValid: .*\\bheadRefName\\b"
                   "gh issue list has no field headRefName\\.\nValid: .*\\bassignees\\b"
                   "gh run view has no field of that name\\.\nValid: .*\\bjobs\\b"
                   "The fields comments and reviews are both long lists\\.\nAsk for one of them"
                   "names no field\\.\nGive names apart by commas"
                   "`fields'")
     do (ert-info (answer)
          (should (equal (nth 2 (lab-header answer)) "error bad-argument"))
          (should (string-match-p said answer))))
    (should-not (lab-requests lab))))

(ert-deftest tools-other-fields-replace-the-usual-ones ()
  (tools-tests--with
      (answers '(("gh_issue_view" :number 2 :repo "o/r" :fields "number,milestone,url")
                 ("gh_run_list" :repo "o/r" :fields "databaseId,event,conclusion")
                 ("gh_repo_view" :repo "o/r" :fields "stargazerCount,isFork")
                 ("gh_pr_list" :repo "o/r" :fields "title,labels")))
    (should (equal (mapcar #'tools-tests--text answers)
                   (list (tools-tests--lines
                          "#2"
                          "url https://github.com/o/r/issues/2"
                          "milestone: dueOn=2026-03-01T00:00:00Z number=3 title=1.2")
                         (tools-tests--lines "2/2 runs"
                                             "1001 failure · event=pull_request"
                                             "1000 success · event=pull_request")
                         (tools-tests--lines "isFork: no" "stargazerCount: 42")
                         (tools-tests--lines
                          "2/2 open pull requests"
                          "- Read quoted fields with line breaks · [bug, area: parser]"
                          "- Draft: write quoted fields back"))))))

;;;; gh_api_get

(ert-deftest tools-api-get-refuses-whatever-makes-it-more-than-a-read ()
  (let ((calls (append
                (mapcar (lambda (endpoint) (list "gh_api_get" :endpoint endpoint))
                        '("--method=DELETE" "-XDELETE" "graphql" "/graphql"
                          "https://evil.example/x" "http://evil.example"
                          "repos/o/r -X DELETE" "repos/o/r\n-X" "" "/"))
                (mapcar (lambda (header)
                          (list "gh_api_get" :endpoint "repos/o/r" :headers (vector header)))
                        '("Authorization: Bearer x" "authorization: x" "Host: evil.example"
                          "X-HTTP-Method-Override: DELETE" "Cookie: a=b"
                          "Accept: text/plain\r\nHost: evil.example" "Accept")))))
    (tools-tests--with (answers calls nil lab)
      (cl-loop for answer in answers for call in calls
               do (ert-info ((format "%S: %s" call answer))
                    (should (string-match-p "\\`\\(?:blocked\\|error\\) "
                                            (nth 2 (lab-header answer))))))
      (should-not (lab-requests lab)))))

(ert-deftest tools-api-get-reads-a-path-with-a-query-and-harmless-headers ()
  (tools-tests--with
      (answers '(("gh_api_get" :endpoint "/repos/o/r/labels?per_page=5&page=1")
                 ("gh_api_get" :endpoint "repos/o/r/contents/a.yml"
                  :headers ["accept: application/vnd.github.raw"
                            "X-GitHub-Api-Version: 2022-11-28"]
                  :hostname "ghe.example.com"))
               nil lab)
    (should (equal (mapcar #'lab-header answers)
                   '(("github.com/o/r" "read" "ok") ("ghe.example.com/o/r" "read" "ok"))))
    (should (equal (string-trim-right (tools-tests--text (cadr answers)))
                   "name: CI\non: [push]\njobs: {}"))
    (should (equal (sort (mapcar (lambda (request)
                                   (concat (plist-get request :method) " "
                                           (plist-get request :path) "?"
                                           (plist-get request :query)))
                                 (lab-requests lab))
                         #'string<)
                   '("GET /api/v3/repos/o/r/contents/a.yml?"
                     "GET /repos/o/r/labels?per_page=5&page=1")))))

(provide 'tools-lists-tests)

;;; tools-lists-tests.el ends here
