;;; approval-keys-tests.el --- The keys for a waiting call besides yes and no -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(ert-deftest approval-declined-with-a-reason-tells-the-model-the-redacted-reason ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all over"))
                               :stream t)
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-r")
    (lab-terminal-wait-screen terminal "^Decline, since:")
    (lab-terminal-type terminal (concat "tests fail, see ghp_" "Zq7Rw3Xv9Lk2Np5Tc8Yd1Fh4Jm6Sb0GaUeIo"))
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :chat "all over")
    (approval-wait-away terminal)
    (should (string-match-p
             "declined .*\n.*Declined by the user: tests fail, see \\[REDACTED:[a-z-]+\\]\\.\n.*Do not retry"
             (lab-terminal-told terminal :chat)))
    (should-not (string-match-p "Zq7Rw3" (lab-terminal-told terminal :chat)))
    (should (equal (lab-mutations lab) nil))))

(ert-deftest approval-of-a-changed-call-is-asked-again-and-sends-what-the-new-question-shows ()
  (let ((body "two\nlines \"quoted\"\n\u202eodd \\ end"))
    (lab-terminal-with (terminal lab (list (approval-turn (approval-comment 1 body))
                                           '(:text "first over"))
                                 :stream t :height 60)
      (approval-send terminal "comment")
      (approval-wait terminal)
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-e")
      (lab-terminal-type terminal "Arguments")
      (lab-terminal-keys terminal "Enter")
      (lab-terminal-wait-told terminal :selected "change call")
      ;; A changed call that policy refuses is not taken; the old one waits on.
      (lab-terminal-keys terminal "C-n" "C-k")
      (lab-terminal-type terminal "delete")
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-wait-told terminal :messages "Not taken: ")
      (lab-terminal-wait-screen terminal "gate: 1 waiting")
      (lab-terminal-keys terminal "C-a" "C-k")
      (lab-terminal-type terminal "comment")
      ;; Only the number of the issue changes; the body must stay the same.
      (lab-terminal-keys terminal "C-n" "C-a" "C-k")
      (lab-terminal-type terminal "2")
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-wait-told terminal :messages "The changed call is asked about anew")
      (lab-terminal-wait-told terminal :asked "\"2\"")
      (should (equal (lab-mutations lab) nil))
      (approval-M-x terminal "cj/gate-approvals")
      (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*")
      (approval-enter terminal)
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-wait-told terminal :chat "first over")
      (should (string-match-p "write confirmed .*\n.*A person changed the call to: gh issue comment 2 "
                              (lab-terminal-told terminal :chat)))
      (let ((input (approval-input (car (lab-mutations lab)))))
        (should (equal (length (lab-mutations lab)) 1))
        (should (equal (plist-get input :body) body))
        (should (string-suffix-p "#2" (plist-get input :subjectId)))))))

(ert-deftest approval-list-opens-each-waiting-call-by-itself ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1) (approval-merge 2)
                                                        (approval-merge 3))
                                         '(:text "all done"))
                               :stream t)
    (approval-send terminal "merge them")
    (lab-terminal-wait-screen terminal "C-c C-k decline   1 of 3")
    (approval-wait terminal)
    (let ((first (approval-number terminal)))
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-l")
      (lab-terminal-wait-told terminal :selected "cj-gate waiting")
      ;; Each row has the sentence of its call, so three merges are told apart.
      (dolist (number '(1 2 3))
        (should (string-match-p (format "%d of 3 +write +[0-9.]+ m?s +Squash and merge pull request #%d “.+” in octo" number number)
                                (lab-terminal-screen terminal))))
      (lab-terminal-keys terminal "C-n" "C-n" "Enter")
      (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*")
      (let ((third (approval-wait-number terminal first)))
        (approval-enter terminal)
        (lab-terminal-keys terminal "C-c" "C-c")
        (lab-terminal-wait-screen terminal "gate: 2 waiting")
        (lab-terminal-wait terminal (lambda () (lab-mutations lab)))
        (should (equal (approval-merged lab) (list (format "PR_octo/demo#%s" third))))
        (approval-M-x terminal "cj/gate-stop")
        (lab-terminal-wait-told terminal :chat "all done")
        (should (equal (length (lab-mutations lab)) 1))))))

(ert-deftest approval-list-declines-the-call-at-point-and-has-a-menu ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1) (approval-merge 2)
                                                        (approval-merge 3))
                                         '(:text "all done"))
                               :stream t)
    (approval-send terminal "merge them")
    (lab-terminal-wait-screen terminal "C-c C-k decline   1 of 3")
    (approval-wait terminal)
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-l")
    (lab-terminal-wait-told terminal :selected "cj-gate waiting")
    (lab-terminal-keys terminal "C-n" "k")
    (lab-terminal-wait-told terminal :messages "Declined: gh pr merge on github.com/octo/demo")
    (lab-terminal-wait-screen terminal "gate: 2 waiting")
    (should-not (string-match-p "merge pull request #2" (lab-terminal-screen terminal)))
    ;; The key ? opens the menu in the list and in the approval buffer.
    (lab-terminal-keys terminal "?")
    (lab-terminal-wait-screen terminal "RET Show it")
    (lab-terminal-keys terminal "C-g" "M-<" "Enter")
    (lab-terminal-wait-told terminal :selected "cj-gate approval")
    (lab-terminal-keys terminal "?")
    (lab-terminal-wait-screen terminal "Decline it and say why")
    (lab-terminal-keys terminal "C-c" "C-k")
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    (lab-terminal-wait-screen terminal "merge pull request #3")
    (lab-terminal-keys terminal "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "all done")
    (should-not (lab-mutations lab))))

(ert-deftest approval-of-an-edit-shows-a-diff-against-the-current-text ()
  (lab-terminal-with (terminal lab (list (approval-turn
                                          '("pr" "edit" "1" "--title" "A new title"
                                            "-R" "octo/demo"))
                                         '(:text "first over")
                                         (approval-turn
                                          '("issue" "edit" "1" "2" "--body" "one\ntwo"
                                            "-R" "octo/demo"))
                                         '(:text "second over"))
                               :stream t :width 80 :height 60)
    (approval-send terminal "edit it")
    (approval-wait terminal)
    (let ((text (lab-terminal-told terminal :approval)))
      (dolist (line '("  Title, against the current text (+ is new, - goes away):"
                      "    |- Read quoted fields with line breaks"
                      "    |+ A new title"))
        (should (member line (split-string text "\n"))))
      (should (string-match-p "^  Undo        The former text stays" text))
      ;; The first line holds a title of any length; the other lines are short.
      (dolist (line (cdr (split-string text "\n")))
        (should (<= (string-width line) 80))))
    ;; One read asked GitHub for the current text; no other request was made.
    (should (= 1 (length (lab-requests lab))))
    (should (equal (lab-mutations lab) nil))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "first over")
    (approval-wait-away terminal)
    (approval-send terminal "edit them")
    (approval-wait terminal)
    (let ((lines (split-string (lab-terminal-told terminal :approval) "\n")))
      (dolist (line '("  Body, as it will appear (the current text was not read):" "    | one" "    | two"))
        (should (member line lines))))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "second over")
    ;; For two issues no text is read, only their repository, once.
    (should (= 2 (length (lab-requests lab))))
    (should (equal (lab-mutations lab) nil))))

(ert-deftest approval-is-asked-for-even-when-its-notification-fails ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1 "--body" "private words"))
                                         '(:text "first over")
                                         (approval-turn (approval-merge 2))
                                         '(:text "second over")
                                         (approval-turn (approval-merge 3))
                                         '(:text "third over"))
                               :stream t
                               :init '((setq cj/gate-notify
                                             (lambda (title line)
                                               (message "told: %s, %s" title line)))
                                       (global-set-key [f6] (lambda () (interactive)
                                                              (setq cj/gate-notify
                                                                    (lambda (&rest _) (error "No desktop")))))
                                       (global-set-key [f7] (lambda () (interactive)
                                                              (setq cj/gate-notify t)
                                                              (message "over D-Bus")))))
    (dolist (row '((nil "first over" "told: cj-gate: a call waits for your yes, gh pr merge on github\\.com/octo/demo$")
                   ("F6" "second over" "the notification failed: No desktop")
                   ;; There is no D-Bus here, so nothing but this is said.
                   ("F7" "third over" "^over D-Bus\n\\(?:.*\n\\)*?.* waits: M-x cj/gate-approvals")))
      (when (car row) (lab-terminal-keys terminal (car row)))
      (approval-send terminal "merge it")
      (approval-wait terminal)
      (lab-terminal-wait-told terminal :messages (nth 2 row))
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
      (lab-terminal-wait-told terminal :chat (cadr row))
      (approval-wait-away terminal))
    (should-not (string-match-p "private" (lab-terminal-told terminal :messages)))))

;; The test starts a D-Bus of its own; one Emacs sends and receives on it.
(ert-deftest approval-notification-goes-over-dbus-without-waiting-for-an-answer ()
  (unless (executable-find "dbus-run-session")
    (ert-skip "There is no dbus-run-session"))
  (with-temp-buffer
    (call-process
     "dbus-run-session" nil '(t t) nil "--"
     (lab-terminal-emacs) "-Q" "--batch"
     "-l" (expand-file-name "test/setup/init.el" lab-root) "--eval"
     (prin1-to-string
      '(progn
         (require 'dbus)
         (require 'cj-gate-approval)
         (defvar lab-got nil)
         (dbus-register-method
          :session "org.freedesktop.Notifications" "/org/freedesktop/Notifications"
          "org.freedesktop.Notifications" "Notify"
          (lambda (&rest args) (setq lab-got args) '(:uint32 1)))
         (setq cj/gate-notify t)
         (cj/gate-approval-notify "gh pr merge on github.com/o/r<b>")
         (message "before: %S" lab-got)
         (with-timeout (10) (while (not lab-got) (read-event nil nil 0.1)))
         (message "after: %S" lab-got))))
    (should (string-match-p "^before: nil$" (buffer-string)))
    ;; The <b> is left out: some desktops read it as markup.
    (should (string-match-p
             "^after: .*\"cj-gate: a call waits for your yes\" \"gh pr merge on github\\.com/o/r b \""
             (buffer-string)))))

(provide 'approval-keys-tests)

;;; approval-keys-tests.el ends here
