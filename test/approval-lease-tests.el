;;; approval-lease-tests.el --- A yes for some minutes, and its ends -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defun approval-give-lease (terminal)
  "Give a lease for the call that waits in TERMINAL, for ten minutes."
  (lab-terminal-keys terminal "C-x" "o" "C-c" "C-t")
  (lab-terminal-wait-screen terminal "unasked for minutes (1 to 60)")
  (lab-terminal-keys terminal "Enter"))

(ert-deftest approval-by-lease-runs-its-leaf-unasked-and-no-other-until-it-is-revoked ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-comment 1 "a"))
                                         '(:text "first over")
                                         (approval-turn (approval-comment 2 "b"))
                                         '(:text "second over")
                                         (approval-turn (approval-merge 1))
                                         '(:text "third over")
                                         (approval-turn
                                          '("issue" "comment" "1" "--body" "c" "-R" "octo/other"))
                                         '(:text "fourth over")
                                         (approval-turn '("issue" "delete" "1" "--yes" "-R" "octo/demo"))
                                         '(:text "fifth over")
                                         (approval-turn (approval-comment 3 "d"))
                                         '(:text "sixth over"))
                               :confirm t :stream t :width 170)
    (approval-send terminal "one")
    (approval-wait terminal)
    (lab-terminal-wait-screen terminal "C-c C-t run it, and `issue comment' here unasked")
    (approval-give-lease terminal)
    (lab-terminal-wait-told terminal :chat "first over")
    (approval-wait-away terminal)
    (lab-terminal-wait-screen terminal "\\[lease issue comment octo/demo 10min]")
    (should (string-match-p "write confirmed " (lab-terminal-told terminal :chat)))
    (should (equal (length (lab-mutations lab)) 1))
    (approval-send terminal "two")
    (lab-terminal-wait-told terminal :chat "second over")
    (should (string-match-p "^\\[gh github\\.com/octo/demo write leased "
                            (lab-terminal-told terminal :chat)))
    (should (equal (length (lab-mutations lab)) 2))
    (should (equal (lab-terminal-told terminal :asked-by-gptel) 0))
    (should-not (string-match-p "waits: .*waits:"
                                (replace-regexp-in-string
                                 "\n" " " (lab-terminal-told terminal :messages))))
    ;; The log says who approved each: the intent, and the end.
    (let ((log (with-temp-buffer
                 (dolist (file (directory-files-recursively
                                (lab-home lab) "\\`[^.].*\\.log\\'"))
                   (insert-file-contents file))
                 (buffer-string))))
      (dolist (by '("person" "lease"))
        (should (= 2 (cl-count-if
                      (lambda (line)
                        (and (string-match-p "command=issue[^ ]*comment" line)
                             (string-match-p (concat "approved-by=" by " ") line)))
                      (split-string log "\n" t))))))
    ;; Another command, another repository: each asks.
    (dolist (over '("third over" "fourth over"))
      (approval-send terminal "and")
      (approval-wait terminal)
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
      (lab-terminal-wait-told terminal :chat over)
      (approval-wait-away terminal))
    ;; What cannot be undone stays refused.
    (approval-send terminal "five")
    (lab-terminal-wait-told terminal :chat "fifth over")
    (should (string-match-p "destructive blocked" (lab-terminal-told terminal :chat)))
    ;; Listed with its uses, and ended by a key.
    (approval-M-x terminal "cj/gate-leases")
    (lab-terminal-wait-told terminal :selected "cj-gate leases")
    (lab-terminal-wait-screen terminal "gh issue comment +github\\.com/octo/demo +[^ ].* 1 *$")
    (lab-terminal-keys terminal "k")
    (lab-terminal-wait-told terminal :messages "The lease has ended")
    (lab-terminal-wait-screen terminal "No lease holds")
    (lab-terminal-keys terminal "q")
    (lab-terminal-wait-told terminal :selected "chat")
    (should-not (string-match-p "\\[lease" (lab-terminal-screen terminal)))
    (approval-send terminal "six")
    (approval-wait terminal)
    (should (equal (length (lab-mutations lab)) 2))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "sixth over")))

(ert-deftest approval-by-lease-ends-with-a-stop ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-comment 1 "a"))
                                         '(:text "first over")
                                         (approval-turn (approval-comment 2 "b"))
                                         '(:text "second over"))
                               :stream t :width 170)
    (approval-send terminal "one")
    (approval-wait terminal)
    (approval-give-lease terminal)
    (lab-terminal-wait-told terminal :chat "first over")
    (lab-terminal-wait-screen terminal "\\[lease issue comment")
    (approval-M-x terminal "cj/gate-stop")
    (lab-terminal-wait-screen terminal "gate: STOPPED")
    (should-not (string-match-p "\\[lease" (lab-terminal-screen terminal)))
    (approval-M-x terminal "cj/gate-resume")
    (lab-terminal-wait-told terminal :messages "The gate is open again")
    (lab-terminal-keys terminal "M->")
    (approval-send terminal "two")
    (approval-wait terminal)
    (should (equal (length (lab-mutations lab)) 1))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "second over")))

(ert-deftest approval-by-lease-is-not-given-by-lisp-a-macro-or-where-policy-says-no ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-comment 1 "a"))
                                         '(:text "first over")
                                         (approval-turn (approval-comment 2 "b"))
                                         '(:text "second over")
                                         (approval-turn '("frobnicate" "it"))
                                         '(:text "third over"))
                               :stream t :width 100
                               :init '((fset 'lab-storm (kbd "C-x o C-c C-t RET"))
                                       (global-set-key [f6] 'lab-storm)
                                       (global-set-key
                                        [f7] (lambda () (interactive)
                                               (setq cj/gh-host-policy
                                                     '(("github.com" (leases . block))))))))
    (approval-send terminal "one")
    (approval-wait terminal)
    (lab-terminal-keys terminal "F6")
    (lab-terminal-wait-told terminal :messages "Not approved: No person can be asked here")
    (lab-terminal-keys terminal "M-:")
    (lab-terminal-type
     terminal
     (prin1-to-string
      '(let ((entry (car cj/gate-confirm--queue)) (this-command 'cj/gate-approval-accept))
         (condition-case err
             (cj/gate-lease (cj/gate-confirm--entry-plan entry)
                            (plist-get (cj/gate-confirm--entry-info entry) :digest) 10)
           (cj/gate-denied (message "denied: %s" (cadr err)))))))
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "denied: Only the key in the approval buffer gives")
    (lab-terminal-keys terminal "M-:")
    (lab-terminal-type terminal "(cj/gate-approval-lease 10)")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "Not approved: Only the key in the approval buffer gives")
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    (should-not (string-match-p "\\[lease" (lab-terminal-screen terminal)))
    (should (equal (lab-mutations lab) nil))
    (lab-terminal-keys terminal "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "first over")
    (approval-wait-away terminal)
    ;; Neither where the host's policy forbids it, nor for what is not known.
    (lab-terminal-keys terminal "F7")
    (dolist (row '(("second over" "the policy of this host allows none")
                   ("third over" "only a write that waits for a key can have one")))
      (approval-send terminal "and")
      (approval-wait terminal)
      (should-not (string-match-p "C-c C-t" (lab-terminal-told terminal :approval)))
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-t")
      (lab-terminal-wait-told terminal :messages (concat "No lease can be given here: " (cadr row)))
      (lab-terminal-keys terminal "C-c" "C-k")
      (lab-terminal-wait-told terminal :chat (car row))
      (approval-wait-away terminal))
    (should (equal (lab-mutations lab) nil))))

(provide 'approval-lease-tests)

;;; approval-lease-tests.el ends here
