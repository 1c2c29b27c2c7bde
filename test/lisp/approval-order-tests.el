;;; approval-order-tests.el --- Several calls of one turn, asked about in order -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defun order-comment (owner number body)
  "Return the argv that comments BODY on issue NUMBER of OWNER's repository demo."
  (list "issue" "comment" (number-to-string number) "--body" body
        "-R" (concat owner "/demo")))

(ert-deftest approval-questions-of-one-turn-come-in-order-and-numbered ()
  ;; The read for the first question takes 1.5 s, longer than the others.
  (lab-terminal-with (terminal lab
                               (list (approval-turn (order-comment "slow-1500" 1 "first words")
                                                    '("pr" "view" "1" "-R" "octo/demo")
                                                    (order-comment "octo" 1 "second words")
                                                    '("label" "create" "third" "-R" "octo/demo"))
                                     '(:text "all done"))
                               :stream t)
    (approval-send terminal "do them")
    (dolist (step '(("1 of 3" . "first words") ("2 of 3" . "second words")
                    ("3 of 3" . "third")))
      (lab-terminal-wait-told terminal :asked (regexp-quote (cdr step)))
      (approval-enter terminal)
      (should (string-match-p (concat "C-c C-k decline   " (car step))
                              (lab-terminal-screen terminal)))
      (lab-terminal-keys terminal "C-c" "C-c"))
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (length (lab-mutations lab)) 3))))

(ert-deftest approval-declined-with-a-reason-can-decline-the-whole-turn ()
  (lab-terminal-with (terminal lab
                               (list (approval-turn (order-comment "octo" 1 "first words")
                                                    (order-comment "slow-4000" 1 "second words")
                                                    (order-comment "octo" 2 "third words"))
                                     '(:text "all done")
                                     (approval-turn (order-comment "octo" 3 "fourth words"))
                                     '(:text "done again"))
                               :stream t)
    (approval-send terminal "do them")
    (approval-wait terminal)
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-r")
    (lab-terminal-wait-screen terminal "^Decline, since:")
    (lab-terminal-type terminal "not today")
    (lab-terminal-keys terminal "Enter")
    ;; The read for the second question still runs; that call is counted too.
    (lab-terminal-wait-screen terminal "^Decline the other 2 calls that came with it too\\? ")
    (lab-terminal-keys terminal "y")
    (lab-terminal-wait-told terminal :chat "all done")
    (approval-wait-away terminal)
    (let ((chat (lab-terminal-told terminal :chat)))
      (should (= 3 (with-temp-buffer
                     (insert chat)
                     (how-many "Declined by the user: not today\\." (point-min))))))
    (should-not (lab-mutations lab))
    ;; The next turn of the model is asked about as usual.
    (approval-send terminal "again")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "done again")
    (should (equal (length (lab-mutations lab)) 1))))

(ert-deftest approval-declined-with-a-reason-leaves-the-rest-of-the-turn-after-a-no ()
  (lab-terminal-with (terminal lab
                               (list (approval-turn (order-comment "octo" 1 "first words")
                                                    (order-comment "octo" 2 "second words"))
                                     '(:text "all done"))
                               :stream t)
    (approval-send terminal "do them")
    (lab-terminal-wait-screen terminal "1 of 2")
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-r")
    (lab-terminal-wait-screen terminal "^Decline, since:")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-screen terminal "^Decline the other call that came with it too\\? ")
    (lab-terminal-keys terminal "n")
    (lab-terminal-wait-told terminal :asked "second words")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (length (lab-mutations lab)) 1))))

(ert-deftest approval-needs-the-key-itself-and-refuses-a-repeated-command ()
  (lab-terminal-with (terminal lab
                               (list (approval-turn (order-comment "octo" 1 "first words")
                                                    (order-comment "octo" 2 "second words"))
                                     '(:text "all done"))
                               :stream t :height 70
                               :init '((global-set-key [f6] (lambda () (interactive)
                                                              (message "now by name")))))
    (approval-send terminal "do them")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :asked "second words")
    (lab-terminal-wait-told terminal :armed "second words")
    (lab-terminal-keys terminal "C-x" "z" "z" "z")
    (lab-terminal-wait-told terminal :messages "Not approved: press C-c C-c here")
    ;; The command is refused too when M-x calls it by its name.
    (lab-terminal-keys terminal "F6")
    (approval-M-x terminal "cj/gate-approval-accept")
    (lab-terminal-wait-told
     terminal :messages
     "^now by name\n\\(?:.*\n\\)*?Not approved: press C-c C-c here")
    (should (equal (length (lab-mutations lab)) 1))
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (length (lab-mutations lab)) 2))))

(provide 'approval-order-tests)

;;; approval-order-tests.el ends here
