;;; peer-tests.el --- What a peer's tool reads works here too -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The reading half of another agent's GitHub tool, feature by feature, each
;; with the test here that shows it.  The tests of searches and watches are
;; tables themselves, with a row for each rule.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)

(defconst peer-tests--rows
  '(("repo_view: a repository, and a branch of it" "tools" tools-every-tool-gives-its-text-from-the-right-host)
    ("repo and branch default to those of the checkout" "brief"
     brief-without-a-name-the-pull-request-of-the-branch-is-meant)
    ("an address beats nothing and contradicts nothing" "brief"
     brief-what-names-no-pull-request-is-an-error-that-says-what-to-do)
    ("pr and issue views by number and by address, on each host" "brief"
     brief-every-way-to-name-a-pull-request-takes-one-request)
    ("issue://N and pr://N with comments and reviews" "tools"
     tools-every-tool-gives-its-text-from-the-right-host)
    ("lists with state, limit, author and label" "search" search-lists-take-an-author-and-labels-and-count-them)
    ("pr://N/diff: the list of files, one file, all" "tools-logs" tools-a-diff-longer-than-64-kb-is-shown-as-an-index)
    ("search_*: repo, query, dates, dateField, limit and their defaults" "search"
     search-each-call-makes-the-one-request-of-its-row)
    ("search_*: every error of validation" "search"
     search-each-wrong-call-gets-the-error-of-its-row-and-asks-nothing)
    ("search_*: rows and count of each kind" "search" search-each-kind-shows-its-rows-and-the-total)
    ("search_code: the first line that matches" "search"
     search-code-asks-for-the-places-in-a-file-and-shows-the-line-of-the-first)
    ("search_*: GitHub's own refusals" "search" search-what-github-refuses-is-an-error-with-its-words)
    ("run_watch: a run by id or address; errors of validation" "watch"
     watch-wrong-arguments-are-refused-before-any-request)
    ("run_watch: one run" "watch" watch-one-run-is-asked-for-by-rest)
    ("run_watch: all runs of the branch's head" "watch"
     watch-without-arguments-the-branch-of-the-checkout-is-watched)
    ("run_watch: success is checked twice, for late runs" "watch" watch-a-run-that-begins-late-is-waited-for)
    ("run_watch: grace, then the logs of the failed jobs" "watch"
     watch-a-failure-is-told-with-its-error-while-others-run)
    ("run_watch: a log that cannot be read ends nothing" "watch"
     watch-a-failure-is-told-even-if-its-log-cannot-be-read)
    ("run_watch: a live view" "watch" watch-a-person-sees-the-tree-and-why-a-job-failed)
    ("run_watch: it can be aborted" "watch" watch-gptel-abort-ends-a-watch-without-an-answer)
    ("run_watch: the whole logs are kept" "kept" nil)
    ("no gh: an error that says so" "first-call" nil)
    ("no login and no repository: errors that say what to do" "gptel"
     gptel-arguments-of-any-json-type-are-converted-or-named-in-an-error))
  "Rows (FEATURE FILE TEST): TEST is defined in test/lisp/FILE-tests.el.
TEST nil: the whole file is about the feature.")

(ert-deftest peer-each-feature-has-its-test ()
  (pcase-dolist (`(,feature ,file ,test) peer-tests--rows)
    (ert-info (feature)
      (with-temp-buffer
        (insert-file-contents
         (expand-file-name (format "test/lisp/%s-tests.el" file) lab-root))
        (should (re-search-forward
                 (if test (format "^(ert-deftest %s ()" test) "^(ert-deftest ")
                 nil t))))))

(provide 'peer-tests)

;;; peer-tests.el ends here
