;;; try-tests.el --- make try leads to an approved write -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A newcomer types `make try' and then the keys that its window names.

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'lab-terminal)

(defun try-tests--start (dir)
  "Start what `make try' starts, in a tmux with its socket in DIR; return it.
The Emacs is the one that runs this test.  It writes no state as that of other
tests does, so only its screen can be read."
  (let ((terminal (make-lab-terminal :lab (make-lab :dir dir)
                                     :socket (expand-file-name "tmux" dir)))
        (process-environment (append '("SHELL=/bin/sh") process-environment)))
    (lab-terminal--tmux terminal "new-session" "-d" "-x" "180" "-y" "50"
                        (format "cd %s && exec sh test/setup/own-home.sh %s %s"
                                (shell-quote-argument lab-root)
                                (shell-quote-argument (lab-terminal-emacs))
                                "-nw -Q -l test/setup/init.el -l test/demo/try.el"))
    terminal))

(ert-deftest try-leads-to-an-approved-write-and-leaves-nothing ()
  "The keys that the window at the top names lead to a comment."
  (unless (executable-find "tmux")
    (ert-skip "There is no tmux to type through; `make deps' installs it"))
  (let* ((base (expand-file-name "lab" lab-target))
         (dir (progn (make-directory base t)
                     (make-temp-file (expand-file-name "t" base) t)))
         (terminal (try-tests--start dir))
         (served nil))
    (unwind-protect
        (progn
          (lab-terminal-wait-screen terminal "stand-ins on this machine\\(.\\|\n\\)*Comment" 60)
          (lab-terminal-keys terminal "C-c" "Enter")
          (lab-terminal-wait-screen terminal "gate: 1 waiting")
          (lab-terminal-keys terminal "M-x")
          (lab-terminal-type terminal "cj/gate-approvals")
          (lab-terminal-keys terminal "Enter")
          (lab-terminal-wait-screen terminal "Runs in +\\(/.+/home\\)")
          ;; The folder of the stand-ins has the home in which the call runs.
          (let ((screen (lab-terminal-screen terminal)))
            (string-match "Runs in +\\(/.+\\)/home" screen)
            (setq served (match-string 1 screen)))
          (should-not (lab-mutations (make-lab :dir served)))
          ;; A yes counts only some time after the end was displayed.
          (lab-terminal-wait terminal
                             (lambda ()
                               (lab-terminal-keys terminal "Space")
                               (sleep-for 1.5)
                               (lab-terminal-keys terminal "C-c" "C-c")
                               (sleep-for 1)
                               (string-match-p "Approved: gh issue comment"
                                               (lab-terminal-screen terminal))))
          (lab-terminal-wait-screen terminal "answer to the comment stands above")
          (should (= (length (lab-mutations (make-lab :dir served))) 1))
          (lab-terminal-keys terminal "C-x" "C-c")
          (lab-wait (lambda () (not (file-exists-p served))) 20))
      (lab-terminal-stop terminal)
      (delete-directory dir t))))

(provide 'try-tests)

;;; try-tests.el ends here
