;;; peer-tests.el --- What a peer's tool reads works here too -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Another agent's GitHub tool, feature by feature, each with the test here that
;; shows it.  The tests of searches and watches are tables themselves, with a row
;; for each rule, and so are those of the errors of validation.

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

(defconst peer-tests--rust
  '(("pr_create: every error of validation" "create"
     "wrong_arguments_are_refused_before_anything_is_asked")
    ("pr_create: body, draft, reviewers, assignees, labels; the summary" "create"
     "a_branch_is_pushed_and_its_pull_request_opened_by_one_yes")
    ("pr_create: fill" "create" "title_and_body_are_taken_from_the_commits")
    ("pr_create: the head of a fork" "create" "a_branch_that_is_on_github_is_compared_there")
    ("pr_checkout: one, several, forks; the branch pr-N" "checkout"
     "a_pull_request_of_the_repository_and_one_of_a_fork_are_checked_out_by_one_yes")
    ("pr_checkout: a worktree is reused" "checkout"
     "a_pull_request_that_is_checked_out_is_reused_without_a_question")
    ("pr_checkout: a branch at another commit, and force" "checkout"
     "a_branch_at_another_commit_is_set_only_by_force_and_what_is_dropped_is_shown")
    ("pr_checkout: a path that is taken" "checkout"
     "a_worktree_on_another_branch_and_a_place_that_is_taken_are_left_alone")
    ("pr_checkout: every error of validation" "checkout"
     "wrong_names_are_refused_and_nothing_is_made")
    ("pr_push: to the head of the pull request, of a fork too" "push"
     "commits_go_to_the_branch_of_the_pull_request_by_one_yes")
    ("pr_push: forceWithLease" "push"
     "commits_on_github_are_dropped_only_with_a_lease_and_are_listed")
    ("pr_push: a branch that was not checked out here, and other errors" "push"
     "nothing_is_pushed_where_the_pull_request_does_not_say_where_to"))
  "Rows (FEATURE FILE TEST): TEST stands in test/rust/gh/worktree/FILE.rs.")

(ert-deftest peer-each-feature-has-its-test ()
  (pcase-dolist (`(,feature ,file ,test) peer-tests--rows)
    (ert-info (feature)
      (with-temp-buffer
        (insert-file-contents
         (expand-file-name (format "test/lisp/%s-tests.el" file) lab-root))
        (should (re-search-forward
                 (if test (format "^(ert-deftest %s ()" test) "^(ert-deftest ")
                 nil t)))))
  (pcase-dolist (`(,feature ,file ,test) peer-tests--rust)
    (ert-info (feature)
      (with-temp-buffer
        (insert-file-contents
         (expand-file-name (format "test/rust/gh/worktree/%s.rs" file) lab-root))
        (should (re-search-forward (format "^#\\[test\\]\nfn %s()" test) nil t))))))

(provide 'peer-tests)

;;; peer-tests.el ends here
