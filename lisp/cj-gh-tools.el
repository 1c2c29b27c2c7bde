;;; cj-gh-tools.el --- The GitHub tools that gptel offers -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each tool is a row of a table, `cj/gh-tools-table'.  A row only makes an argv
;; and decides nothing: the core parses that argv again, as gh would, and judges
;; it like any other.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-gptel)
(require 'cj-gate-tools)
(require 'cj-gh-context)
(require 'cj-gh-download)
(require 'cj-gh-table)

(autoload 'cj/gh-errand-keys "cj-gh-errand" "Return the further keys of an errand.")
(autoload 'cj/gh-watch-argv "cj-gh-watch" "Return the argv of a watch.")
(autoload 'cj/gh-watch-keys "cj-gh-watch" "Return the further keys of a watch.")

(declare-function cj/gate--mod-fields "ext:cj-gate-module")

(defun cj/gh-tools--row (name)
  "Return the row of the tool NAME."
  (cl-find name cj/gh-tools-table :test #'equal
           :key (lambda (row) (plist-get row :name))))

;;;; From arguments to argv

(defun cj/gh-tools--json (row args &rest more)
  "Return the `--json' arguments of ROW for ARGS, with the fields MORE."
  (let ((names (cj/gate--mod-fields (symbol-name (plist-get row :view))
                                    (plist-get args :fields))))
    (dolist (field more)
      (unless (member field (split-string names ","))
        (setq names (concat names "," field))))
    (list "--json" names)))

(defun cj/gh-tools--words (row)
  "Return the command of ROW as a list of words."
  (split-string (plist-get row :leaf) " "))

(defconst cj/gh-tools--slim
  '(("comments" . ".comments|=(.[:-8]|map(null))+.[-8:]")
    ("reviews" . ".reviews|=(.[:-8]|map(null))+.[-8:]")
    ("jobs" . ".jobs|=map({databaseId,name,status,conclusion,steps:[.steps[]|select(.conclusion|IN(\"\",\"success\",\"skipped\")|not)|{name,conclusion}]})"))
  "Fields whose lists can be longer than the 64 KB that are kept of an output.
Each row is (FIELD . FILTER): a jq filter that keeps the entries that are shown
and, with null for each other entry, the length of the list.")

(defun cj/gh-tools--slimmed (argv)
  "Return ARGV with the filters of `cj/gh-tools--slim' for its fields.
The last element of ARGV is a list of fields, as a string.  Without a filter, 43
jobs with their steps take more than 64 KB.  Of comments and reviews only the
last eight are kept."
  (let ((filters (cl-loop for (field . filter) in cj/gh-tools--slim
                          when (member field (split-string (car (last argv)) ","))
                          collect filter)))
    (append argv (and filters (list "--jq" (string-join filters "|"))))))

(defun cj/gh-tools--which (args)
  "Return what ARGS name, a pull request, an issue or a run, as a list.
The list has one string, or none if ARGS name nothing."
  (let ((which (or (plist-get args :number) (plist-get args :run_id))))
    (when (and which (string-prefix-p "-" which))
      (cj/gate--signal 'bad-argument "The argument `%s' begins with a dash.
Give a number, an address, OWNER/REPO#NUMBER or a branch"
                       (if (plist-get args :number) "number" "run_id")))
    (and which (list which))))

(defun cj/gh-tools--item-argv (row args)
  "Return the argv to show one pull request, issue or run, for ROW and ARGS."
  (cj/gh-tools--slimmed
   (append (cj/gh-tools--words row)
           (cj/gh-tools--which args)
           (apply #'cj/gh-tools--json row args
                  (append (and (plist-get args :include_body) '("body"))
                          (and (plist-get args :include_comments) '("comments"))
                          (and (plist-get args :include_reviews) '("reviews")))))))

(defun cj/gh-tools--named-argv (row args)
  "Return the argv for ROW and ARGS that only names a thing.
The core makes a request of its own in its place."
  (append (cj/gh-tools--words row) (cj/gh-tools--which args)))

(defun cj/gh-tools--pull-argv (row args)
  "Return the argv of `gh_pr_view' for ROW and ARGS.
With the argument `fields', gh itself is asked for them."
  (if (plist-get args :fields)
      (cj/gh-tools--item-argv '(:leaf "pr view" :view pr-view) args)
    (cj/gh-tools--named-argv row args)))

(defun cj/gh-tools--repo-view-argv (row args)
  "Return the argv of `gh_repo_view' for ROW and ARGS."
  (append (cj/gh-tools--words row)
          (and (plist-get args :branch)
               (list (concat "--branch=" (plist-get args :branch))))
          (cj/gh-tools--json row args)))

(defun cj/gh-tools--files-argv (row args)
  "Return the argv of `gh_pr_files' for ROW and ARGS."
  (append (cj/gh-tools--words row)
          (cj/gh-tools--which args)
          (cj/gh-tools--json row args)))

(defun cj/gh-tools--diff-argv (row args)
  "Return the argv of `gh_pr_diff' for ROW and ARGS.
For one file this is the argv of `gh_pr_files': the core then fetches the diff
of that file from GitHub's list of changed files."
  (if (plist-get args :file)
      (cj/gh-tools--files-argv '(:leaf "pr view" :view pr-files) args)
    (when (plist-get args :hunk)
      (cj/gate--signal 'bad-argument "The argument `hunk' needs `file'.
Say of which file"))
    (append (cj/gh-tools--words row)
            (cj/gh-tools--which args)
            (list "--color" "never"))))

(defun cj/gh-tools--artifacts-argv (_row args)
  "Return the argv of `gh_run_artifacts' for ARGS."
  (list "api" "--method" "GET"
        (format "repos/{owner}/{repo}/actions/runs/%d/artifacts?per_page=100"
                (plist-get args :run_id))
        "--jq" "{total: .total_count, artifacts: [.artifacts[] | {name, size: .size_in_bytes, expired}]}"))

(defun cj/gh-tools--clamp (row args)
  "Return the number of entries to list for ROW and ARGS, an integer.
The value is the argument `limit', at least 1 and at most the row's MOST."
  (let ((limit (plist-get row :limit)))
    (max 1 (min (or (plist-get args :limit) (car limit)) (cdr limit)))))

(defun cj/gh-tools--list-argv (row args)
  "Return the argv of a list, for ROW and ARGS."
  (append (cj/gh-tools--words row)
          (list "--limit" (number-to-string (cj/gh-tools--clamp row args)))
          (mapcan (lambda (name)
                    (let ((value (plist-get args (intern (concat ":" name)))))
                      (and value (list (format "--%s=%s" name value)))))
                  (list "state" "search" "branch" "author" "label"))
          (cj/gh-tools--json row args)))

(defun cj/gh-tools--search-argv (_row args)
  "Return the argv of a search for ARGS, without what is searched for.
The core makes the rest of the request from the options of the view."
  (list "api" "--method" "GET"
        (concat "search/" (pcase (plist-get args :kind)
                            ('nil "issues")
                            ("repos" "repositories")
                            (kind kind)))))

(defun cj/gh-tools--search-view (row args)
  "Return how to render the result of a search, for ROW and ARGS."
  (list (if (eq (plist-get row :view) 'search)
            (intern (concat "search-" (plist-get args :kind)))
          (plist-get row :view))
        :search (plist-get args :query)
        :repo (plist-get args :repo)
        :since (plist-get args :since)
        :until (plist-get args :until)
        :date-field (plist-get args :date_field)
        :author (plist-get args :author)
        :label (plist-get args :label)
        :most (let ((limit (plist-get args :limit)))
                (and limit (number-to-string limit)))))

(defconst cj/gh-tools--headers "\\`\\(?:accept\\|if-[a-z-]+\\|x-github-api-version\\):"
  "Regexp for the headers that `gh_api_get' accepts.
Any other header could change the call: its credential, method or host.")

(defun cj/gh-tools--api-get-argv (_row args)
  "Return the argv of `gh_api_get' for ARGS."
  (let ((endpoint (string-remove-prefix "/" (plist-get args :endpoint)))
        (headers (plist-get args :headers)))
    (when (string-match-p "\\`-\\|\\`graphql\\'\\|://\\|[[:space:]]\\|\\`\\'" endpoint)
      (cj/gate--signal 'bad-argument "`%s' is no REST endpoint.
Give a path without host and flags, such as repos/OWNER/REPO/labels" endpoint))
    (dolist (header headers)
      (unless (let ((case-fold-search t))
                (string-match-p cj/gh-tools--headers header))
        (cj/gate--signal 'bad-argument "This header is not taken here.
Leave it out; Accept, If-… and X-GitHub-Api-Version can be given")))
    (append (list "api" "--method" "GET")
            (and (cj/gh-tools--api-get-keys args) (list "--paginate"))
            (mapcan (lambda (header) (list "--header" header)) headers)
            (list endpoint))))

(defun cj/gh-tools--errand-argv (row _args)
  "Return an argv that names the errand of ROW.
The core makes the argv of the look-up and that of the write."
  (split-string (plist-get row :errand) "-"))

(defun cj/gh-tools--api-get-keys (args)
  "Return further keys for `cj/gate-submit', for `gh_api_get' with ARGS, a plist.
The value is nil for a call of one page, which is a plain read."
  (let ((pages (plist-get args :pages)))
    (and pages (> pages 1)
         (list :pages (min pages 10)))))

(defun cj/gh-tools--gh-argv (_row args)
  "Return the argv of the tool `gh' for ARGS, a plist."
  (plist-get args :args))

(defun cj/gh-tools--view (row args)
  "Return how to render the result of ROW for ARGS, as :view of `cj/gate-plan'."
  (pcase (plist-get row :view)
    ((or 'search 'search-prs 'search-issues)
     (cj/gh-tools--search-view row args))
    ((and (or 'pr-list 'issue-list 'run-list) view)
     (list view
           :state (or (plist-get args :state)
                      (and (memq view '(pr-list issue-list)) "open"))
           :search (plist-get args :search)
           :branch (plist-get args :branch)
           :author (plist-get args :author)
           :label (plist-get args :label)
           :limit (cj/gh-tools--clamp row args)))
    ('nil nil)
    ;; Several pages have a view of their own.
    ((guard (cj/gh-tools--api-get-keys args)) nil)
    (view (list (if (and (eq view 'pr-brief) (plist-get args :fields))
                    'pr-view
                  view)
                :include-body (and (plist-get args :include_body) t)
                :include-comments (and (plist-get args :include_comments) t)
                :include-reviews (and (plist-get args :include_reviews) t)
                :branch (plist-get args :branch)
                :job (plist-get args :job_id)
                :run (and (integerp (plist-get args :run_id))
                          (plist-get args :run_id))
                :file (plist-get args :file)
                :hunk (plist-get args :hunk)))))

(defun cj/gh-tools--asks-p (args)
  "Return non-nil if the gate will ask about a call of the tool `gh' with ARGS.
ARGS are the raw arguments.  The gate asks about every call that is not a read.
gptel's own prompt stays for reads, for users who have set it so."
  (not (eq 'read
           (plist-get (cj/gh-classify
                       ;; Pages are read one by one, each by a plain read.
                       (cl-remove "--paginate"
                                  (cj/gate-gptel--strings
                                   "args" (plist-get args :args))
                                  :test #'equal))
                      :class))))

;;;; What gptel calls

(defun cj/gh-tools--call (name callback values)
  "Send a call of the tool NAME with VALUES through the gate.
CALLBACK gets the result, a string, exactly once.  Never signal."
  (let* ((row (cj/gh-tools--row name))
         (callback (if (plist-get row :context)
                       (lambda (result)
                         (with-demoted-errors "cj-gate: %S"
                           (cj/gh-context-note result))
                         (funcall callback result))
                     callback)))
    (condition-case err
        (let* ((_ (cj/gate-load-module))
               (args (cj/gate-gptel-normalize (plist-get row :args) values)))
          (if (plist-get row :slice)
              (apply #'cj/gate-more "gh" (plist-get args :handle) callback args)
            (apply
             #'cj/gate-submit
             "gh" (funcall (plist-get row :argv) row args) callback
             :hostname (plist-get args :hostname)
             :repo (plist-get args :repo)
             :cwd (plist-get args :cwd)
             :timeout (or (plist-get args :timeout)
                          (cdr (assoc name (cj/gh--timeouts))))
             :usual-timeout (plist-get row :timeout)
             (append (and (plist-get row :keys)
                          (funcall (plist-get row :keys) args))
                     (and (plist-get row :errand)
                          (cj/gh-errand-keys (plist-get row :errand) args))
                     ;; A view parses the output, so its beginning must be kept.
                     (list :keep (and (plist-get row :view) 'head)
                           :view (cj/gh-tools--view row args))))))
      ((error quit)
       (cj/gate-reject "gh" name err callback)))
    nil))

(cj/gate-tools-define cj/gh-tools-table cj/gh-tools--call
  (cj/gh-tool-repo-view "gh_repo_view")
  (cj/gh-tool-pr-view "gh_pr_view")
  (cj/gh-tool-pr-current "gh_pr_current")
  (cj/gh-tool-pr-list "gh_pr_list")
  (cj/gh-tool-pr-checks "gh_pr_checks")
  (cj/gh-tool-pr-files "gh_pr_files")
  (cj/gh-tool-pr-diff "gh_pr_diff")
  (cj/gh-tool-pr-threads "gh_pr_threads")
  (cj/gh-tool-run-artifacts "gh_run_artifacts")
  (cj/gh-tool-run-download "gh_run_download")
  (cj/gh-tool-release-download "gh_release_download")
  (cj/gh-tool-issue-view "gh_issue_view")
  (cj/gh-tool-issue-list "gh_issue_list")
  (cj/gh-tool-run-view "gh_run_view")
  (cj/gh-tool-run-logs-failed "gh_run_logs_failed")
  (cj/gh-tool-run-watch "gh_run_watch")
  (cj/gh-tool-run-list "gh_run_list")
  (cj/gh-tool-search-prs "gh_search_prs")
  (cj/gh-tool-search-issues "gh_search_issues")
  (cj/gh-tool-search "gh_search")
  (cj/gh-tool-api-get "gh_api_get")
  (cj/gh-tool-pr-create "gh_pr_create")
  (cj/gh-tool-pr-checkout "gh_pr_checkout")
  (cj/gh-tool-pr-push "gh_pr_push")
  (cj/gh-tool-repo-clone "gh_repo_clone")
  (cj/gh-tool-more "gh_more")
  (cj/gh-tool-gh "gh")
  (cj/gh-tool-pr-thread "gh_pr_thread")
  (cj/gh-tool-pr-review "gh_pr_review"))

;;;; Registration

(defun cj/gh-tools-register ()
  "Register every tool of `cj/gh-tools-table' with gptel; return the tools.
They are registered without gptel's own confirmation, since the gate asks."
  (cj/gate-tools-register cj/gh-tools-table "github"))

(defun cj/gh-tools-unregister ()
  "Take every tool of `cj/gh-tools-table' away from gptel.
See `cj/gate-tools-unregister'."
  (cj/gate-tools-unregister cj/gh-tools-table "github"))

(provide 'cj-gh-tools)

;;; cj-gh-tools.el ends here
