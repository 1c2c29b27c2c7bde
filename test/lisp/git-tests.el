;;; git-tests.el --- Pull requests opened, checked out and pushed -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The tools `gh_pr_create', `gh_pr_checkout', `gh_pr_push' and `gh_repo_clone'
;; with the real gh, the real git and the real gptel: bare repositories of the lab
;; play GitHub's.  test/rust/gh/worktree tests the same without Emacs, and more of
;; it.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'lab-gptel)
(require 'cj-gh-tools)

(defconst git-tests--tools
  '("gh_pr_create" "gh_pr_checkout" "gh_pr_push" "gh_repo_clone")
  "The tools of this file.")

(defun git-tests--pull (number title owner branch)
  "Return the pull request NUMBER called TITLE, from BRANCH of OWNER/table."
  (list :number number :title title :state "OPEN" :isDraft :false
        :author '(:login "mona") :baseRefName "main" :headRefName branch
        :isCrossRepository (if (equal owner "o") :false t) :maintainerCanModify t
        :headRepositoryOwner (list :login owner)
        :headRepository (list :name "table" :nameWithOwner (concat owner "/table")
                              :owner (list :login owner))
        :url (format "https://github.com/o/table/pull/%d" number)
        :changedFiles 1 :additions 1 :deletions 0))

(defun git-tests--world ()
  "Return a world with a repository o/table and its fork mona/table."
  (list :gitRoot t
        :repos (list :o/table (list :viewerPermission "WRITE"
                                    :pulls (vector (git-tests--pull 1 "Sort" "o" "sort")
                                                   (git-tests--pull 2 "Fix" "mona" "fix")))
                     :mona/table '(:isFork t :parent "o/table"))))

(defun git-tests--fill (lab)
  "Make the bare repositories of LAB: o/table with a branch, and its fork."
  (lab-commit lab "o/table" "main" '(("README" . "Tables\n")) "Begin")
  (lab-fork lab "o/table" "mona/table")
  (lab-commit lab "o/table" "sort" '(("sort.txt" . "s\n")) "Sort rows")
  (lab-commit lab "mona/table" "fix" '(("fix.txt" . "f\n")) "Fix a row")
  (pcase-dolist (`(,number ,name ,branch) '((1 "o/table" "sort") (2 "mona/table" "fix")))
    (lab-git (lab-bare lab "o/table") "fetch" "-q" (lab-bare lab name)
             (format "+refs/heads/%s:refs/pull/%d/head" branch number))))

(defun git-tests--worktree (lab name)
  "Return the worktree NAME of o/table in LAB."
  (lab-file lab (format "home/worktrees/github.com/o/table/%s" name)))

(defun git-tests--checkout (lab)
  "Make a user's checkout of o/table in the home of LAB; return its directory.
It is on the branch menu, with one commit."
  (let ((dir (lab-file lab "home/checkout")))
    (lab-git (lab-dir lab) "clone" "-q" (lab-bare lab "o/table") dir)
    (lab-git dir "remote" "set-url" "origin" "https://github.com/o/table.git")
    (lab-git dir "checkout" "-q" "-b" "menu")
    (git-tests--commit dir "menu.txt" "Add a menu")
    dir))

(defun git-tests--commit (dir name message)
  "Commit the file NAME in the checkout DIR with MESSAGE; return the commit."
  (write-region "x\n" nil (expand-file-name name dir) nil 'quiet)
  (lab-git dir "add" "-A")
  (lab-git dir "commit" "-q" "-m" message)
  (lab-git dir "rev-parse" "HEAD"))

(defun git-tests--tip (lab name branch)
  "Return the commit of BRANCH in the bare repository NAME of LAB."
  (lab-git (lab-bare lab name) "rev-parse" branch))

(defun git-tests--settings (lab)
  "Return the forms that set the options of an Emacs for LAB."
  `(setq cj/gh-worktree-directory ,(lab-file lab "home/worktrees/")
         cj/gh-git-urls '(("github.com" . ,(concat "file://" (lab-file lab "git"))))
         gptel-tools (mapcar #'gptel-get-tool ',git-tests--tools)))

(defun git-tests--turns ()
  "Return a script for the model: each tool is called once."
  (list (lab-ask "gh_pr_checkout" :numbers ["1" "#2"] :repo "o/table")
        '(:text "now commit")
        (lab-ask "gh_pr_push" :number "2" :repo "o/table")
        (lab-ask "gh_repo_clone" :repo "o/table")
        (lab-ask "gh_pr_create" :title "A menu" :body "With `code`." :push t
                 :cwd "~/checkout")
        '(:text "all done")))

(defun git-tests--answer (terminal words)
  "Say yes by one key in TERMINAL to the question whose argv has WORDS.
Return the text of the approval."
  (lab-terminal-wait-told terminal :asked words)
  (let ((text (lab-terminal-told terminal :approval)))
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    text))

(defun git-tests--play (terminal lab)
  "Let the model of LAB call each tool in TERMINAL; say yes once to each."
  (git-tests--fill lab)
  (let ((checkout (git-tests--checkout lab))
        commit)
    (approval-send terminal "go")
    (let ((text (git-tests--answer terminal "\"checkout\"")))
      (should (string-match-p "\\`Check out pull requests #1, #2 in o/table" text))
      (should (string-search "“Fix” by mona, open" text)))
    (lab-terminal-wait-told terminal :chat "now commit")
    (should (equal (lab-git (git-tests--worktree lab "pr-1") "status" "--porcelain") ""))
    (setq commit (git-tests--commit (git-tests--worktree lab "pr-2") "more.txt" "Fix more"))
    (approval-send terminal "push")
    (let ((text (git-tests--answer terminal "\"push\"")))
      (should (string-match-p "\\`Push 1 commit to mona/table:fix, the branch of pull request #2"
                              text))
      (should (string-search "Fix more (Kim)" text))
      (should-not (equal (git-tests--tip lab "mona/table" "fix") commit)))
    (git-tests--answer terminal "\"clone\"")
    (should (equal (git-tests--tip lab "mona/table" "fix") commit))
    (let ((text (git-tests--answer terminal "\"create\"")))
      (should (string-match-p "\\`Push menu and open a pull request from menu into main" text))
      (should (string-search "With `code`." text))
      (should (string-search "Add a menu (Kim)" text))
      (should (string-search "1 file, +1 −0" text)))
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (git-tests--tip lab "o/table" "menu") (lab-git checkout "rev-parse" "HEAD")))
    (should (file-exists-p (git-tests--worktree lab "main/README")))
    (should (equal (lab-terminal-told terminal :asked-by-gptel) 0))
    ;; One look-up for each call, one write for the new pull request, and its brief.
    (should (= (length (lab-mutations lab)) 1))
    (let ((operations (mapcar (lambda (request)
                                (plist-get (plist-get request :graphql) :operation))
                              (lab-requests lab))))
      (dolist (name '("PullRequestHeads" "PullRequestBranch" "RepositoryHead"
                      "NewPullRequest" "PullRequestBrief"))
        (should (= (cl-count name operations :test #'equal) 1))))))

(ert-deftest git-each-write-is-one-key-under-every-setting-of-gptel-and-with-each-gh ()
  (cl-loop
   with ghs = (mapcar #'cdr (lab-ghs))
   for (stream confirm gh) in `((t nil ,(car ghs))
                                (nil t ,(car (last ghs)))
                                (t auto ,(car (last ghs))))
   do (ert-info ((format "%s stream %s confirm %s" gh stream confirm))
        (lab-terminal-with
            (terminal lab (git-tests--turns)
                      :stream stream :confirm confirm :width 150 :height 60
                      :world (git-tests--world)
                      :init `((setq cj/gh-executable ,gh)
                              ,(git-tests--settings lab)))
          (git-tests--play terminal lab)))))

(ert-deftest git-texts-that-a-person-changes-are-those-of-the-pull-request ()
  (lab-terminal-with
      (terminal lab (list (lab-ask "gh_pr_create" :title "A menu" :body "With code." :push t
                                   :cwd "~/checkout" :labels ["bug"])
                          '(:text "all done"))
                :stream t :width 150 :height 60
                :world (git-tests--world) :init (list (git-tests--settings lab)))
    (git-tests--fill lab)
    (git-tests--checkout lab)
    (approval-send terminal "go")
    (approval-enter terminal)
    (approval-change-text terminal "Body" " Really." "With code\\. Really\\.")
    (should-not (lab-mutations lab))
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (string-search "Pushed o/table:menu and opened"
                           (lab-terminal-told terminal :chat)))
    (let ((sent (prin1-to-string (lab-mutations lab))))
      (should (string-search "With code. Really." sent))
      (should (string-search "A menu" sent)))))

(provide 'git-tests)

;;; git-tests.el ends here
