;;; worktrees-tests.el --- The list of worktrees -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; `cj/gh-worktrees' on a store that plain git has made.  In batch: the list and
;; the visit.  By keys on a terminal: the questions before a removal.
;; test/rust/gh/worktree/list.rs tests the core.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh-worktrees)
(require 'cj-gate-purge)

(declare-function vc-dir-busy "vc-dir")

(defun worktrees-tests--git (directory &rest args)
  "Call git with ARGS in DIRECTORY; return what it prints."
  (with-temp-buffer
    (let ((default-directory (file-name-as-directory directory)))
      (unless (zerop (apply #'call-process "git" nil t nil
                            "-c" "user.name=Mona" "-c" "user.email=mona@example.com"
                            args))
        (error "Git %S: %s" args (buffer-string))))
    (buffer-string)))

(defun worktrees-tests--place (lab)
  "Return the directory for worktrees of LAB."
  (lab-file lab "home/worktrees/"))

(defun worktrees-tests--store (lab)
  "Return the store of o/r in LAB."
  (concat (worktrees-tests--place lab) "github.com/o/r.git"))

(defun worktrees-tests--worktree (lab name)
  "Return the worktree NAME of o/r in LAB."
  (concat (worktrees-tests--place lab) "github.com/o/r/" name))

(defun worktrees-tests--write (file text)
  "Write TEXT into FILE."
  (let ((coding-system-for-write 'utf-8))
    (write-region text nil file nil 'quiet)))

(defun worktrees-tests--make (lab &rest numbers)
  "Make a store in LAB with a worktree for each pull request of NUMBERS."
  (let ((store (worktrees-tests--store lab))
        (work (lab-file lab "home/work/")))
    (make-directory work)
    (make-directory (file-name-directory store) t)
    (set-file-modes (worktrees-tests--place lab) #o700)
    (worktrees-tests--git work "init" "-q" "-b" "main")
    (worktrees-tests--write (concat work "README") "one\n")
    (worktrees-tests--git work "add" "README")
    (worktrees-tests--git work "commit" "-q" "-m" "Begin")
    (worktrees-tests--git work "init" "-q" "--bare" "--template=" store)
    (dolist (number numbers)
      (let ((name (format "pr-%d" number)))
        (worktrees-tests--git work "push" "-q" store
                              (format "main:refs/heads/%s" name)
                              (format "main:refs/cj/%s" name))
        (worktrees-tests--git store "worktree" "add" "-q"
                              (worktrees-tests--worktree lab name) name)))))

(defun worktrees-tests--work (lab name)
  "Leave a commit and a new file in the worktree NAME of LAB."
  (let ((directory (worktrees-tests--worktree lab name)))
    (worktrees-tests--git directory "commit" "-q" "--allow-empty" "-m" "Fix the menu")
    (worktrees-tests--write (concat directory "/mine.txt") "mine\n")))

(defun worktrees-tests--attack (lab)
  "Let the configuration of LAB's store name a program; return what that writes."
  (let* ((store (worktrees-tests--store lab))
         (fired (lab-file lab "fired"))
         (program (lab-script lab (concat "touch " fired))))
    (set-file-modes store #o700)
    (set-file-modes (concat store "/config") #o600)
    (worktrees-tests--git store "config" "core.fsmonitor" program)
    fired))

(defmacro worktrees-tests--with (spec &rest body)
  "Run BODY with a list of worktrees: SPEC is (LAB . NUMBERS)."
  (declare (indent 1))
  `(lab-with (,(car spec))
     (let ((cj/gh-worktree-directory (worktrees-tests--place ,(car spec))))
       (when ',(cdr spec)
         (worktrees-tests--make ,(car spec) ,@(cdr spec)))
       (unwind-protect (progn ,@body)
         (when (get-buffer cj/gh-worktrees-buffer-name)
           (kill-buffer cj/gh-worktrees-buffer-name))))))

(defun worktrees-tests--list ()
  "List the worktrees; return the text of the list once it is read."
  (with-current-buffer (cj/gh-worktrees)
    (let ((before (buffer-modified-tick)))
      (revert-buffer)
      (lab-wait (lambda () (> (buffer-modified-tick) before))))
    (lab-text (current-buffer))))

(ert-deftest worktrees-are-listed-with-the-work-in-them ()
  (worktrees-tests--with (lab 1 12)
    (worktrees-tests--work lab "pr-12")
    (let ((text (worktrees-tests--list)))
      (should (string-match-p "^ o/r +#1 +0 min +clean$" text))
      (should (string-match-p
               "^ o/r +#12 +0 min +1 commit not pushed, 1 file changed$" text)))
    (with-current-buffer cj/gh-worktrees-buffer-name
      (goto-char (point-min))
      (search-forward "#12")
      (cj/gh-worktrees-copy)
      (should (equal (current-kill 0)
                     (file-name-as-directory (worktrees-tests--worktree lab "pr-12"))))
      ;; The line of point stays when the list is read again.
      (worktrees-tests--list)
      (should (equal (plist-get (tabulated-list-get-id) :what) "#12")))))

(ert-deftest worktrees-of-nothing-say-which-tools-make-some ()
  (worktrees-tests--with (lab)
    (should (string-search "gh_pr_checkout" (worktrees-tests--list)))
    (should-not (file-exists-p (worktrees-tests--place lab)))
    (should-error (with-current-buffer cj/gh-worktrees-buffer-name
                    (cj/gh-worktrees-visit))
                  :type 'user-error)))

(ert-deftest worktrees-are-removed-by-no-code-without-a-person ()
  (worktrees-tests--with (lab 1)
    (worktrees-tests--list)
    (with-current-buffer cj/gh-worktrees-buffer-name
      (goto-char (point-min))
      (let ((this-command 'cj/gh-worktrees-remove))
        (should-error (cj/gh-worktrees-remove (tabulated-list-get-id) t)
                      :type 'cj/gate-denied)))
    (should (file-directory-p (worktrees-tests--worktree lab "pr-1")))
    ;; Nor does the purge, which lists their stores.
    (let ((kept (cj/gh-worktrees-kept)))
      (should (equal (mapcar (lambda (item) (plist-get item :place)) kept)
                     (list (abbreviate-file-name
                            (string-remove-suffix ".git" (worktrees-tests--store lab))))))
      (let ((cj/gate-purge-sources '(cj/gh-worktrees-kept)))
        (with-current-buffer (cj/gate-purge)
          (should (string-search "one by one"
                                 (cadr (should-error (cj/gate-purge-mark)
                                                     :type 'user-error))))
          (kill-buffer))))))

(ert-deftest worktrees-that-are-visited-run-no-program-of-their-configuration ()
  (worktrees-tests--with (lab 1)
    (let ((fired (worktrees-tests--attack lab))
          (directory (worktrees-tests--worktree lab "pr-1"))
          visited)
      ;; Where nobody mends, a mere look runs it.
      (worktrees-tests--git directory "status")
      (should (file-exists-p fired))
      (delete-file fired)
      (worktrees-tests--list)
      (worktrees-tests--attack lab)
      (cl-letf* ((open (symbol-function 'cj/gh-worktrees--open))
                 ((symbol-function 'cj/gh-worktrees--open)
                  (lambda (there)
                    (setq visited there)
                    (funcall open there))))
        (with-current-buffer cj/gh-worktrees-buffer-name
          (goto-char (point-min))
          (cj/gh-worktrees-visit))
        (lab-wait (lambda () visited)))
      (should (file-equal-p visited directory))
      ;; A person's own git, whose configuration may name what it likes.
      (worktrees-tests--git directory "status")
      (should-not (file-exists-p fired))
      (should (string-search "fsmonitor"
                             (with-temp-buffer
                               (insert-file-contents
                                (concat (worktrees-tests--store lab) "/config.set-aside"))
                               (buffer-string))))
      (dolist (buffer (buffer-list))
        (when (with-current-buffer buffer (derived-mode-p 'vc-dir-mode 'dired-mode))
          (lab-wait (lambda () (with-current-buffer buffer (not (vc-dir-busy)))))
          (let ((kill-buffer-query-functions nil))
            (kill-buffer buffer)))))))

(ert-deftest worktrees-are-visited-with-magit-where-it-is ()
  (worktrees-tests--with (lab 1)
    (worktrees-tests--list)
    (let (visited)
      (cl-letf (((symbol-function 'magit-status-setup-buffer)
                 (lambda (directory) (setq visited directory))))
        (with-current-buffer cj/gh-worktrees-buffer-name
          (goto-char (point-min))
          (cj/gh-worktrees-visit))
        (lab-wait (lambda () visited)))
      (should (equal visited (file-name-as-directory
                              (worktrees-tests--worktree lab "pr-1")))))))

;;;; With a person

(defmacro worktrees-tests--at-keys (spec &rest body)
  "Run BODY with a terminal that shows the list: SPEC is (TERMINAL LAB . NUMBERS).
One of the worktrees is that of pull request 12, with work in it."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab . ,numbers) spec))
    `(lab-terminal-with
         (,terminal ,lab nil :width 110
                    :init `((setq cj/gh-worktree-directory
                                  ,(worktrees-tests--place ,lab)
                                  ;; Even so a y is no yes.
                                  use-short-answers t))
                    :world nil)
       (worktrees-tests--make ,lab ,@numbers)
       (worktrees-tests--work ,lab "pr-12")
       (approval-M-x ,terminal "cj/gh-worktrees")
       (lab-terminal-wait-screen ,terminal "#12 +0 min +1 commit not pushed, 1 file changed")
       ,@body)))

(defun worktrees-tests--go-to (terminal number)
  "Put point of TERMINAL on the row of pull request NUMBER."
  (lab-terminal-keys terminal "M-<" "C-s" "#")
  (lab-terminal-type terminal (format "%d " number))
  (lab-terminal-keys terminal "Enter"))

(ert-deftest worktrees-that-are-clean-are-removed-by-one-y ()
  (worktrees-tests--at-keys (terminal lab 1 12)
    (worktrees-tests--go-to terminal 1)
    (lab-terminal-keys terminal "k")
    (lab-terminal-wait-screen terminal "Remove #1 of o/r (nothing is lost)\\? (y or n)")
    (lab-terminal-keys terminal "n")
    (lab-terminal-wait-told terminal :messages "Kept")
    (should (file-directory-p (worktrees-tests--worktree lab "pr-1")))
    (lab-terminal-keys terminal "k")
    (lab-terminal-wait-screen terminal "Remove #1 of o/r (nothing is lost)\\? (y or n)")
    (lab-terminal-keys terminal "y")
    (lab-terminal-wait-told terminal :messages "Removed #1 of o/r")
    (should-not (file-exists-p (worktrees-tests--worktree lab "pr-1")))
    (should-not (string-match-p "#1 +0 min" (lab-terminal-screen terminal)))
    (should (file-directory-p (worktrees-tests--worktree lab "pr-12")))))

(ert-deftest worktrees-with-work-are-removed-only-by-a-yes-to-exactly-this-work ()
  (worktrees-tests--at-keys (terminal lab 12)
    (let ((directory (worktrees-tests--worktree lab "pr-12"))
          (question (lambda (lost)
                      (worktrees-tests--go-to terminal 12)
                      (lab-terminal-keys terminal "k")
                      (lab-terminal-wait-screen
                       terminal (format "Remove #12 of o/r and lose %s\\? (yes or no)" lost)))))
      (funcall question "1 commit not pushed, 1 file changed")
      (let ((screen (lab-terminal-screen terminal)))
        (should (string-match-p "Lost with #12 of o/r, and nowhere else" screen))
        (should (string-match-p "[0-9a-f]\\{7\\} Fix the menu (Mona)" screen))
        (should (string-match-p "^  mine.txt" screen)))
      ;; A y is no yes.
      (lab-terminal-type terminal "y")
      (lab-terminal-keys terminal "Enter")
      (lab-terminal-wait-screen terminal "Please answer yes or no")
      (sleep-for 2.2)
      (lab-terminal-type terminal "no")
      (lab-terminal-keys terminal "Enter")
      (lab-terminal-wait-told terminal :messages "Kept")
      (should (file-exists-p (concat directory "/mine.txt")))
      ;; What has changed since the list was read was not agreed to.
      (funcall question "1 commit not pushed, 1 file changed")
      (worktrees-tests--write (concat directory "/more.txt") "more\n")
      (lab-terminal-type terminal "yes")
      (lab-terminal-keys terminal "Enter")
      (lab-terminal-wait-told terminal :messages "Not removed: something has changed")
      (should (file-exists-p (concat directory "/more.txt")))
      (lab-terminal-wait-screen terminal "1 commit not pushed, 2 files changed")
      (funcall question "1 commit not pushed, 2 files changed")
      (should (string-match-p "^  more.txt" (lab-terminal-screen terminal)))
      (lab-terminal-type terminal "yes")
      (lab-terminal-keys terminal "Enter")
      (lab-terminal-wait-told terminal :messages "it was the last one, so its store is gone too")
      (should-not (file-exists-p directory))
      (should-not (file-exists-p (worktrees-tests--store lab)))
      (lab-terminal-wait-screen terminal "There is no worktree below"))))

(ert-deftest worktrees-that-are-visited-by-a-key-say-what-was-set-aside ()
  (worktrees-tests--at-keys (terminal lab 12)
    (let ((fired (worktrees-tests--attack lab)))
      (worktrees-tests--go-to terminal 12)
      (lab-terminal-keys terminal "Enter")
      (lab-terminal-wait-told terminal :messages "Set aside: the configuration [^\n]*fsmonitor")
      (lab-terminal-wait-told terminal :selected "\\*vc-dir\\*\\|magit: pr-12")
      (lab-terminal-wait-screen terminal "mine.txt")
      (should-not (file-exists-p fired)))))

(provide 'worktrees-tests)

;;; worktrees-tests.el ends here
