;;; cj-gh-table.el --- The table of the GitHub tools -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each GitHub tool is a row: its arguments, the function that makes an argv
;; from them, and how its result is rendered.

;;; Code:

;;;; Arguments that several tools share

(defconst cj/gh-table--repo
  '(:name "repo" :type string :optional t)
  "The argument that names a repository, without a description.
Descriptions are sent to the model with every request, so only some tools have
this one, `cj/gh-table--repo-said'; the error for a wrong value repeats it.")

(defconst cj/gh-table--repo-said
  '(:name "repo" :type string :optional t
    :description "[HOST/]OWNER/REPO")
  "The argument that names a repository, with a description.")

(defconst cj/gh-table--hostname
  '(:name "hostname" :type string :optional t)
  "The argument that names a host, for calls that need no repository.")

(defconst cj/gh-table--fields
  '(:name "fields" :type string :optional t)
  "The argument that names fields, without a description.")

(defconst cj/gh-table--fields-said
  '(:name "fields" :type string :optional t
    :description "for gh --json")
  "The argument that names fields, with a description.")

(defconst cj/gh-table--limit
  '(:name "limit" :type integer :optional t)
  "The argument that limits the length of a list.")

(defconst cj/gh-table--author
  '(:name "author" :type string :optional t)
  "The argument that names the login of an author.")

(defconst cj/gh-table--label
  '(:name "label" :type string :optional t)
  "The argument that names a label, or several apart by commas.")

(defconst cj/gh-table--since
  '(:name "since" :type string :optional t)
  "The argument that is the earlier end of a time, without a description.")

(defconst cj/gh-table--since-said
  '(:name "since" :type string :optional t
    :description "12h, 3d, 2w, 2mo, 1y, date or ISO time")
  "The argument that is the earlier end of a time, with a description.")

(defconst cj/gh-table--search-args
  `((:name "until" :type string :optional t)
    (:name "date_field" :type string :optional t :enum ["created" "updated"])
    ,cj/gh-table--author
    (:name "limit" :type number :optional t)
    ,cj/gh-table--repo ,cj/gh-table--hostname)
  "The arguments that all searches have, besides the query and `since'.
The core reads each of them.")

(defconst cj/gh-table--pull
  '(:name "number" :type string :optional t)
  "The argument that names a pull request, without a description.
The core reads it: a number, #NUMBER, OWNER/REPO#NUMBER, an address or a branch;
without it, the pull request of the checkout's branch is meant.")

(defconst cj/gh-table--pull-said
  '(:name "number" :type string :optional t
    :description "Number, URL, OWNER/REPO#N, branch; default: this branch's")
  "The argument that names a pull request, with a description.")

(defconst cj/gh-table--issue
  '(:name "number" :type string)
  "The argument that names an issue.")

(defconst cj/gh-table--run
  '(:name "run_id" :type string)
  "The argument that names a workflow run: its id or its address.")

(defconst cj/gh-table--checked
  '(:name "run_id" :type string :optional t
    :description "Run, URL, #PR, branch or commit; default: this branch")
  "The argument that names whatever has checks, for the reason of a failure.")

(defconst cj/gh-table--run-number
  '(:name "run_id" :type integer)
  "The argument that is the id of a workflow run.")

(defun cj/gh-table--flag (name)
  "Return the boolean argument NAME."
  (list :name name :type 'boolean :optional t))

(defun cj/gh-table--strings (name)
  "Return the argument NAME, an array of strings."
  (list :name name :type 'array :items '(:type string) :optional t))

;;;; The table

(defconst cj/gh-tools-table
  `((:name "gh_repo_view" :function cj/gh-tool-repo-view
     :description "Show a repository"
     :args ((:name "branch" :type string :optional t)
            ,cj/gh-table--fields ,cj/gh-table--repo)
     :leaf "repo view" :view repo-view
     :argv cj/gh-tools--repo-view-argv)
    (:name "gh_pr_view" :function cj/gh-tool-pr-view
     :description "Brief of a PR: reviews, checks, threads, mergeability"
     :args (,cj/gh-table--pull-said
            ,(cj/gh-table--flag "include_body")
            ,(cj/gh-table--flag "include_comments")
            ,(cj/gh-table--flag "include_reviews")
            ,cj/gh-table--fields-said ,cj/gh-table--repo-said)
     :leaf "pr view" :view pr-brief :context t
     :argv cj/gh-tools--pull-argv)
    (:name "gh_pr_current" :function cj/gh-tool-pr-current
     :description "Brief of this branch's PR"
     :args (,(cj/gh-table--flag "include_body"))
     :leaf "pr view" :view pr-brief :context t
     :argv cj/gh-tools--pull-argv)
    (:name "gh_pr_list" :function cj/gh-tool-pr-list
     :description "List PRs"
     :args ((:name "state" :type string :optional t
             :enum ["open" "closed" "merged" "all"])
            (:name "search" :type string :optional t)
            ,cj/gh-table--author ,cj/gh-table--label
            ,cj/gh-table--limit ,cj/gh-table--fields ,cj/gh-table--repo)
     :leaf "pr list" :view pr-list :limit (30 . 300)
     :argv cj/gh-tools--list-argv)
    (:name "gh_pr_checks" :function cj/gh-tool-pr-checks
     :description "Checks of a PR"
     :args (,cj/gh-table--pull ,cj/gh-table--repo)
     :leaf "pr checks" :view pr-checks
     :argv cj/gh-tools--named-argv)
    (:name "gh_pr_files" :function cj/gh-tool-pr-files
     :description "Files of a PR"
     :args (,cj/gh-table--pull ,cj/gh-table--repo)
     :leaf "pr view" :view pr-files
     :argv cj/gh-tools--files-argv)
    (:name "gh_pr_diff" :function cj/gh-tool-pr-diff
     :description "Diff of a PR, or its index"
     :args (,cj/gh-table--pull
            (:name "file" :type string :optional t)
            (:name "hunk" :type integer :optional t)
            ,cj/gh-table--repo)
     :leaf "pr diff" :view pr-diff :timeout 60
     :argv cj/gh-tools--diff-argv)
    (:name "gh_pr_threads" :function cj/gh-tool-pr-threads
     :description "Review threads of a PR, unresolved first"
     :args (,cj/gh-table--pull
            (:name "file" :type string :optional t)
            ,cj/gh-table--repo)
     :leaf "pr view" :view pr-threads :timeout 30
     :argv cj/gh-tools--named-argv)
    (:name "gh_pr_thread" :function cj/gh-tool-pr-thread
     :description "Answer a review thread; waits for the person's yes"
     :args ((:name "thread_id" :type string)
            ,cj/gh-table--pull
            (:name "body" :type string :optional t)
            (:name "resolve" :type boolean :optional t :false :json-false
             :description "false reopens")
            ,cj/gh-table--repo)
     :timeout 30
     :argv cj/gh-tools--errand-argv :errand "pr-thread"
     :asks always)
    (:name "gh_pr_review" :function cj/gh-tool-pr-review
     :description "Review a PR; waits for the person's yes"
     :args (,cj/gh-table--pull
            (:name "event" :type string :enum ["comment" "request_changes" "approve"])
            (:name "body" :type string :optional t)
            (:name "comments" :type array :optional t
             :items (:type object
                     :properties (:path (:type string)
                                  :line (:type integer)
                                  :side (:type string :enum ["left" "right"])
                                  :start_line (:type integer)
                                  :body (:type string))
                     :required ["path" "line" "body"]))
            ,cj/gh-table--repo)
     :timeout 60
     :argv cj/gh-tools--errand-argv :errand "pr-review"
     :asks always)
    (:name "gh_issue_view" :function cj/gh-tool-issue-view
     :description "Show an issue"
     :args (,cj/gh-table--issue
            ,(cj/gh-table--flag "include_body")
            ,(cj/gh-table--flag "include_comments")
            ,cj/gh-table--fields ,cj/gh-table--repo)
     :leaf "issue view" :view issue-view
     :argv cj/gh-tools--item-argv)
    (:name "gh_issue_list" :function cj/gh-tool-issue-list
     :description "List issues"
     :args ((:name "state" :type string :optional t
             :enum ["open" "closed" "all"])
            (:name "search" :type string :optional t)
            ,cj/gh-table--author ,cj/gh-table--label
            ,cj/gh-table--limit ,cj/gh-table--fields ,cj/gh-table--repo)
     :leaf "issue list" :view issue-list :limit (30 . 300)
     :argv cj/gh-tools--list-argv)
    (:name "gh_run_view" :function cj/gh-tool-run-view
     :description "Show a workflow run"
     :args (,cj/gh-table--run ,cj/gh-table--fields ,cj/gh-table--repo)
     :leaf "run view" :view run-view
     :argv cj/gh-tools--item-argv)
    (:name "gh_run_logs_failed" :function cj/gh-tool-run-logs-failed
     :description "Why checks failed"
     :args (,cj/gh-table--checked
            (:name "job_id" :type integer :optional t)
            ,cj/gh-table--repo)
     :leaf "run view" :view run-logs-failed :timeout 60
     :argv cj/gh-tools--named-argv)
    (:name "gh_run_watch" :function cj/gh-tool-run-watch
     :description "Wait until runs end; why they failed"
     :args ((:name "run_id" :type string :optional t
             :description "Run id, URL, #PR or commit; default: this branch's head")
            (:name "branch" :type string :optional t)
            ,cj/gh-table--repo)
     :timeout 30
     :argv cj/gh-watch-argv :keys cj/gh-watch-keys)
    (:name "gh_run_artifacts" :function cj/gh-tool-run-artifacts
     :description "A run's artifacts"
     :args (,cj/gh-table--run-number ,cj/gh-table--repo)
     :leaf "api" :view run-artifacts
     :argv cj/gh-tools--artifacts-argv)
    (:name "gh_run_download" :function cj/gh-tool-run-download
     :description "Download an artifact; waits for the person's yes"
     :args (,cj/gh-table--run-number
            (:name "name" :type string)
            ,cj/gh-table--repo)
     :timeout 120
     :argv cj/gh-download-argv :keys cj/gh-download-keys
     :asks always)
    (:name "gh_release_download" :function cj/gh-tool-release-download
     :description "Download a release's files; waits for the person's yes"
     :args ((:name "name" :type string :description "Or a pattern: *.tar.gz")
            (:name "tag" :type string :optional t)
            ,cj/gh-table--repo)
     :timeout 120
     :argv cj/gh-download-release-argv :keys cj/gh-download-release-keys
     :asks always)
    (:name "gh_run_list" :function cj/gh-tool-run-list
     :description "List workflow runs"
     :args ((:name "branch" :type string :optional t)
            ,cj/gh-table--limit ,cj/gh-table--fields ,cj/gh-table--repo)
     :leaf "run list" :view run-list :limit (20 . 300)
     :argv cj/gh-tools--list-argv)
    (:name "gh_search_prs" :function cj/gh-tool-search-prs
     :description "Search PRs"
     :args ((:name "query" :type string :optional t)
            ,cj/gh-table--since-said ,@cj/gh-table--search-args ,cj/gh-table--label)
     :leaf "api" :view search-prs :timeout 30
     :argv cj/gh-tools--search-argv)
    (:name "gh_search_issues" :function cj/gh-tool-search-issues
     :description "Search issues"
     :args ((:name "query" :type string :optional t)
            ,cj/gh-table--since ,@cj/gh-table--search-args ,cj/gh-table--label)
     :leaf "api" :view search-issues :timeout 30
     :argv cj/gh-tools--search-argv)
    (:name "gh_search" :function cj/gh-tool-search
     :description "Search code, commits or repositories"
     :args ((:name "kind" :type string :enum ["code" "commits" "repos"])
            (:name "query" :type string :optional t)
            ,cj/gh-table--since ,@cj/gh-table--search-args)
     :leaf "api" :view search :timeout 30
     :argv cj/gh-tools--search-argv)
    (:name "gh_api_get" :function cj/gh-tool-api-get
     :description "GET a REST endpoint"
     :args ((:name "endpoint" :type string)
            (:name "headers" :type array :items (:type string) :optional t)
            (:name "pages" :type integer :optional t :description "At most 10")
            ,cj/gh-table--hostname)
     :leaf "api" :view api-get :timeout 30
     :argv cj/gh-tools--api-get-argv :keys cj/gh-tools--api-get-keys)
    (:name "gh_pr_create" :function cj/gh-tool-pr-create
     :description "Open a PR; `push' pushes the branch first; waits for the person's yes"
     :args ((:name "title" :type string :optional t)
            (:name "body" :type string :optional t)
            (:name "base" :type string :optional t)
            (:name "head" :type string :optional t
             :description "Default: the checkout's branch")
            ,(cj/gh-table--flag "draft")
            (:name "fill" :type boolean :optional t
             :description "Title and body from commits")
            ,(cj/gh-table--flag "push")
            ,(cj/gh-table--strings "reviewers")
            ,(cj/gh-table--strings "assignees")
            ,(cj/gh-table--strings "labels")
            (:name "cwd" :type string :optional t)
            ,cj/gh-table--repo)
     :timeout 60
     :argv cj/gh-tools--errand-argv :errand "pr-create"
     :asks always)
    (:name "gh_pr_checkout" :function cj/gh-tool-pr-checkout
     :description "Check out PRs into worktrees; waits for the person's yes"
     :args (,(cj/gh-table--strings "numbers")
            (:name "force" :type boolean :optional t
             :description "Drop local commits")
            ,cj/gh-table--repo)
     :timeout 60
     :argv cj/gh-tools--errand-argv :errand "pr-checkout"
     :asks always)
    (:name "gh_pr_push" :function cj/gh-tool-pr-push
     :description "Push a checked out PR's commits; waits for the person's yes"
     :args (,cj/gh-table--pull
            (:name "force_with_lease" :type boolean :optional t)
            ,cj/gh-table--repo)
     :timeout 60
     :argv cj/gh-tools--errand-argv :errand "pr-push"
     :asks always)
    (:name "gh_repo_clone" :function cj/gh-tool-repo-clone
     :description "Clone a branch; waits for the person's yes"
     :args ((:name "repo" :type string)
            (:name "branch" :type string :optional t)
            ,(cj/gh-table--flag "force"))
     :timeout 60
     :argv cj/gh-tools--errand-argv :errand "repo-clone"
     :asks always)
    (:name "gh_more" :function cj/gh-tool-more
     :description "More of a result that was cut"
     :args ((:name "handle" :type string)
            (:name "lines" :type string :optional t)
            (:name "pattern" :type string :optional t)
            (:name "file" :type string :optional t)
            (:name "hunk" :type integer :optional t))
     :slice t)
    (:name "gh" :function cj/gh-tool-gh
     :description "Run any other gh command.  A write waits for the person's yes; what can't be undone, is interactive, uploads files or prints secrets is refused."
     :args ((:name "args" :type array :items (:type string)
             :description "As [\"issue\",\"close\",\"5\"]")
            ,cj/gh-table--repo-said ,cj/gh-table--hostname
            (:name "cwd" :type string :optional t)
            (:name "timeout" :type integer :optional t
             :description "Seconds, at most 120"))
     :argv cj/gh-tools--gh-argv
     :asks cj/gh-tools--asks-p))
  "The tools, a list of plists.
Each has these keys:
 :name :description :args
            as gptel has them; the descriptions are short, since all of them
            are sent with every request
 :function  the named function that gptel calls
 :leaf      the command of gh that the tool runs
 :view      how its result is rendered
 :limit     for a list: (DEFAULT . MOST) entries
 :timeout   seconds that a call may take, if not 20 or 60 by its command; a row
            of `cj/gh-timeouts' counts before it
 :argv      function of the row and the normalized arguments, a plist, that
            returns the argv
 :slice     non-nil for the tool that gives a part of an earlier result; it has
            no :argv
 :keys      function of the normalized arguments that returns further keys for
            `cj/gate-submit', which count before those of the row
 :errand    for a write that needs a look-up first: the name of its errand in
            the core, a string (see `cj/gh-errand-keys')
 :context   non-nil if the chat gets a line about the pull request in the
            result (see `cj/gh-insert-context')
 :asks      function of the raw arguments that returns non-nil if the gate will
            ask a person about the call")

(provide 'cj-gh-table)

;;; cj-gh-table.el ends here
