;;; fill-tests.el --- `gh pr create --fill' takes its texts from commits -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defun fill-tests-git (dir &rest words)
  "Run git with WORDS in DIR."
  (let ((process-environment
         (append '("GIT_AUTHOR_NAME=Octo" "GIT_AUTHOR_EMAIL=octo@example.com"
                   "GIT_COMMITTER_NAME=Octo" "GIT_COMMITTER_EMAIL=octo@example.com")
                 process-environment)))
    (unless (zerop (apply #'call-process "git" nil nil nil "-C" dir words))
      (error "Git %S failed" words))))

(defun fill-tests-checkout (lab name &rest messages)
  "Make a checkout NAME in the home of LAB; return its directory.
It is on the branch keep-rows, which has a commit for each of MESSAGES."
  (let ((dir (lab-checkout lab name "https://github.com/octo/demo.git")))
    (fill-tests-git dir "commit" "-q" "--allow-empty" "-m" "Start")
    (fill-tests-git dir "update-ref" "refs/remotes/origin/main" "main")
    (fill-tests-git dir "symbolic-ref" "refs/remotes/origin/HEAD"
                    "refs/remotes/origin/main")
    (fill-tests-git dir "checkout" "-q" "-b" "keep-rows")
    (dolist (message messages)
      (fill-tests-git dir "commit" "-q" "--allow-empty" "-m" message))
    dir))

(defun fill-tests-turn (cwd &rest args)
  "Return the turn of a model that calls gh with ARGS in the directory CWD."
  `(:tool_calls [(:name "gh" :arguments (:args ,(vconcat args) :cwd ,cwd))]))

(ert-deftest fill-shows-whole-commit-messages-and-sends-what-it-showed ()
  (lab-terminal-with (terminal lab
                               (list (fill-tests-turn "work" "pr" "create" "--fill-verbose")
                                     '(:text "all over"))
                               :stream t :width 80 :height 90)
    (fill-tests-checkout lab "work" "Read whole rows" "Keep rows\n\nThey were cut\u202e in two.")
    (approval-send terminal "open it")
    (approval-wait terminal)
    (let ((screen (mapcar #'string-trim-right
                          (split-string (lab-terminal-screen terminal) "\n"))))
      (dolist (line '("  Texts       from 2 commits of keep-rows that origin/main lacks"
                      "    | keep rows" "    | - **Read whole rows**"
                      "    | - **Keep rows**" "    |   They were cut<U+202E> in two."))
        (ert-info ((format "%s in\n%s" line (string-join screen "\n")))
          (should (member line screen))))
      (should-not (cl-some (lambda (line) (string-search "--fill" line)) screen)))
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all over")
    (let ((input (approval-input (car (lab-mutations lab)))))
      (should (equal (length (lab-mutations lab)) 1))
      (should (equal (plist-get input :title) "keep rows"))
      (should (equal (plist-get input :baseRefName) "main"))
      (should (equal (plist-get input :body)
                     (concat "- **Read whole rows**\n  \n\n"
                             "- **Keep rows**\n  They were cut\u202e in two.\n  "))))))

(ert-deftest fill-refuses-a-commit-message-that-holds-a-secret ()
  (lab-with (lab)
    (let* ((token (concat "ghp_" "wX3kP9qLbT7mZ2vR8sYc4nHd6fJg1aQe5uKo"))
           (dir (fill-tests-checkout lab "work" (concat "Log in\n\nwith " token)))
           answer)
      (cj/gh-call '("pr" "create" "--fill") (lambda (text) (setq answer text))
                  :cwd dir)
      (lab-wait (lambda () answer))
      (should (string-match-p "\\`\\[gh github.com/octo/demo write blocked" answer))
      (should-not (string-search token answer))
      (should-not (lab-mutations lab)))))

(ert-deftest fill-without-facts-of-the-commits-is-refused-and-asks-for-title-and-body ()
  (lab-with (lab)
    (let ((dir (fill-tests-checkout lab "work" "Keep rows"))
          facts)
      (cj/gate-git-facts dir (lambda (value) (setq facts value)))
      (lab-wait (lambda () facts))
      (let ((err (should-error (cj/gate-plan "gh" '("pr" "create" "--fill")
                                             :cwd dir :facts facts)
                               :type 'cj/gate-error)))
        (should (string-match-p "Give --title and --body" (cj/gate-error-message err))))
      (setq facts nil)
      (cj/gate-git-facts dir (lambda (value) (setq facts value))
                         '("pr" "create" "--fill"))
      (lab-wait (lambda () facts))
      (let ((info (cj/gate-plan-info (cj/gate-plan "gh" '("pr" "create" "--fill")
                                                   :cwd dir :facts facts))))
        (should (member "--title" (plist-get info :argv)))
        (should-not (member "--fill" (plist-get info :argv)))))))

(provide 'fill-tests)

;;; fill-tests.el ends here
