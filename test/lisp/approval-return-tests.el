;;; approval-return-tests.el --- An approval that other code hid comes back -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defun return-shown-p (terminal)
  "Return non-nil if TERMINAL shows the approval buffer in a window."
  (member "*cj-gate approval*" (lab-terminal-told terminal :windows)))

(defun return-wait-shown (terminal)
  "Wait until TERMINAL shows the approval buffer, and its chat is selected."
  (lab-terminal-fresh terminal)
  (lab-terminal-wait terminal (lambda () (return-shown-p terminal)) 10)
  (should (equal (lab-terminal-told terminal :selected) "chat")))

(defun return-over (terminal lab)
  "Approve in TERMINAL; check that LAB then has seen exactly one mutation."
  (approval-enter terminal)
  (lab-terminal-keys terminal "C-c" "C-c")
  (lab-terminal-wait-told terminal :chat "all over")
  (should (equal (length (lab-mutations lab)) 1)))

(ert-deftest approval-comes-back-after-a-window-configuration-is-restored ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all over"))
                               :stream t
                               :init '((winner-mode 1)
                                       (global-set-key [f9] (lambda () (interactive)
                                                              (run-at-time 0.2 nil #'lab-restore)))
                                       (defvar lab-windows nil)
                                       (defun lab-restore ()
                                         (set-window-configuration lab-windows))
                                       (run-at-time 1 nil
                                                    (lambda ()
                                                      (setq lab-windows
                                                            (current-window-configuration))))))
    ;; A register keeps the window configuration from before the call.
    (lab-terminal-keys terminal "C-x" "r" "w" "a")
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (lab-terminal-keys terminal "C-x" "r" "j" "a")
    (return-wait-shown terminal)
    ;; A timer restores a window configuration, without a key.
    (lab-terminal-keys terminal "F9")
    (sleep-for 0.5)
    (return-wait-shown terminal)
    (should-not (lab-mutations lab))
    (return-over terminal lab)))

(ert-deftest approval-that-a-person-hides-stays-hidden-and-names-the-key-to-return ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all over"))
                               :stream t
                               :init '((global-set-key (kbd "C-c a") 'cj/gate-approvals)))
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (lab-terminal-wait-told terminal :messages "gh pr merge on github.com/octo/demo waits: C-c a")
    (lab-terminal-keys terminal "C-x" "o" "q")
    (lab-terminal-wait-told terminal :messages "The call still waits: C-c a shows it again")
    (should (equal (lab-terminal-told terminal :windows) '("chat")))
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    (sleep-for 1)
    (lab-terminal-fresh terminal)
    (should (equal (lab-terminal-told terminal :windows) '("chat")))
    ;; An approval that C-x 1 hid stays hidden too.
    (lab-terminal-keys terminal "C-c" "a")
    (lab-terminal-wait-told terminal :selected "cj-gate approval")
    (lab-terminal-keys terminal "C-x" "o" "C-x" "1")
    (lab-terminal-fresh terminal)
    (sleep-for 1)
    (lab-terminal-fresh terminal)
    (should (equal (lab-terminal-told terminal :windows) '("chat")))
    (should-not (lab-mutations lab))
    (lab-terminal-keys terminal "C-c" "a")
    (lab-terminal-wait-told terminal :selected "cj-gate approval")
    (return-over terminal lab)))

(ert-deftest approval-appears-in-the-frame-of-a-new-emacsclient ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all over"))
                               :stream t
                               :init `((require 'server)
                                       (setq server-socket-dir ,(lab-file lab "server")
                                             server-client-instructions nil)
                                       (server-start)))
    (approval-send terminal "merge it")
    (approval-wait terminal)
    ;; An emacsclient of any version will do: the protocol is the same.
    (let ((client (or (executable-find "emacsclient")
                      (car (file-expand-wildcards
                            (expand-file-name ".deps/emacs/*/usr/bin/emacsclient*" lab-root))))))
      (lab-terminal--tmux terminal "new-window"
                          (format "exec %s -t -s %s -e %s"
                                  client
                                  (shell-quote-argument
                                   (lab-file lab "server/server"))
                                  (shell-quote-argument "(switch-to-buffer \"*scratch*\")")))
      (lab-terminal-wait-screen terminal "Squash and merge pull request #1 ")
      (lab-terminal-wait-told terminal :frames "^2$")
      (should-not (lab-mutations lab))
      (lab-terminal-wait-told terminal :selected "scratch")
      (return-over terminal lab))))

(ert-deftest approval-mode-line-is-short-in-a-narrow-window-and-can-be-clicked ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all over"))
                               :stream t :width 60 :height 40
                               :init '((xterm-mouse-mode 1)))
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (lab-terminal-wait-screen terminal "\\[gate 1\\]")
    (lab-terminal-keys terminal "C-x" "1")
    (lab-terminal-wait terminal
                       (lambda () (equal (lab-terminal-told terminal :windows) '("chat"))))
    (let* ((lines (split-string (lab-terminal-screen terminal) "\n"))
           (row (cl-position-if (lambda (line) (string-search "[gate 1]" line)) lines))
           (column (string-search "[gate 1]" (nth row lines))))
      (dolist (end '("M" "m"))
        (lab-terminal-type terminal (format "\e[<0;%d;%d%s" (+ column 3) (1+ row) end))))
    (lab-terminal-wait-told terminal :selected "cj-gate approval")
    (return-over terminal lab)))

(ert-deftest approval-suggests-a-key-binding-once ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1) (approval-merge 2))
                                         '(:text "all over"))
                               :stream t)
    (approval-send terminal "merge them")
    (lab-terminal-wait-screen terminal "1 of 2")
    (lab-terminal-wait-told
     terminal :messages
     "waits: M-x cj/gate-approvals (C-c g would be a good key for it)\n\\(?:.*\n\\)*?gh pr merge on github.com/octo/demo waits: M-x cj/gate-approvals$")
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "all over")))

(provide 'approval-return-tests)

;;; approval-return-tests.el ends here
