;;; approval-view-tests.el --- What a person is shown of a call, and where -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gate-approval)

;;;; What is shown

(ert-deftest approval-shows-the-call-and-escapes-arguments-that-imitate-its-rows ()
  (let* ((wide (concat "x" (make-string 90 ?\s) "  Class    read"))
         (body (concat "First\n  Class    read\nevil\u202etxt\e[31m red\r\n"
                       wide "\n\u2028  Host     elsewhere.example"))
         (ghe (list "pr" "merge" "1" "--squash" "-R" "ghe.example.com/team/tool"
                    "--body" body)))
    (lab-terminal-with (terminal lab
                                 (list (approval-turn ghe)
                                       '(:text "first over")
                                       '(:tool_calls
                                         [(:name "gh" :arguments
                                                 (:args ["x\n  Class    read\e" "y"]
                                                  :cwd "in\n  Class    read\e"))])
                                       '(:text "second over"))
                                 :stream t :width 80 :height 90)
      (approval-send terminal "merge it")
      (approval-wait terminal)
      (let ((screen (lab-terminal-screen terminal))
            (text (lab-terminal-told terminal :approval)))
        (should (string-prefix-p
                 "Squash and merge pull request #1 “Read quoted fields with line breaks” in team/tool on ghe.example.com, as octo-work\n"
                 text))
        (dolist (row '(("Class" "write") ("Why" "“gh pr merge” merges a pull request.")
                       ("Host" "ghe.example.com") ("Account" "octo-work")
                       ("Repository" "team/tool") ("Runs in" "~")
                       ("Found by" "the call, which names it (explicit-repo)")))
          (should (equal (approval-rows screen (car row))
                         (list (format "  %-10s  %s" (car row) (cadr row))))))
        ;; Each argument has a numbered line; the ones that we add have one too.
        (dolist (line '("   1  pr" "   2  merge" "   3  1" "   4  --squash" "   5  -R"
                        "   6  ghe.example.com/team/tool" "   7  --body"
                        "   8  (5 lines: Body, above)"
                        "  Body, as it will appear:" "    | First"
                        "    |   Class    read" "    | evil<U+202E>txt^[[31m red^M"
                        "    | <U+2028>  Host     elsewhere.example"))
          (should (member line (mapcar #'string-trim-right
                                       (split-string screen "\n")))))
        (should-not (string-match-p "[\u202e\u2028\e]" text))
        ;; A line that is wrapped goes on behind a prefix.
        (should (string-match-p "^    :  *Class    read$" screen)))
      (approval-enter terminal)
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-wait-told terminal :chat "first over")
      (let ((mutation (car (lab-mutations lab))))
        (should (equal (length (lab-mutations lab)) 1))
        (should (equal (plist-get mutation :host) "ghe.example.com"))
        (should (equal (plist-get mutation :token) "ghe"))
        (should (equal (plist-get (approval-input mutation) :commitBody) body))
        (should (equal (plist-get (approval-input mutation) :mergeMethod) "SQUASH")))
      ;; A call with an unknown command and a directory with a line break.
      (approval-wait-away terminal)
      (make-directory (expand-file-name "in\n  Class    read\e" (lab-home lab)))
      (approval-send terminal "now this")
      (approval-wait terminal)
      (should (equal (approval-rows (lab-terminal-screen terminal) "Class")
                     '("  Class       unknown")))
      (should (equal (approval-rows (lab-terminal-screen terminal) "Runs in")
                     '("  Runs in     ~/in^J  Class    read^[")))
      (should-not (string-match-p "\e" (lab-terminal-told terminal :approval)))
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
      (lab-terminal-wait-told terminal :chat "second over"))))

(ert-deftest approval-of-a-usual-call-fits-into-80-columns ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "first over")
                                         (approval-turn '("frobnicate" "it"))
                                         '(:text "second over"))
                               :stream t :width 80 :height 24)
    (dolist (over '("first over" "second over"))
      (approval-send terminal "do it")
      (approval-wait terminal)
      (let ((lines (split-string (lab-terminal-told terminal :approval) "\n")))
        (dolist (line (cdr lines))
          (should (<= (string-width line) 80)))
        ;; The first line holds a title of any length; it goes on behind a mark.
        (when (> (string-width (car lines)) 80)
          (should (string-match-p "^  … [^ ]" (lab-terminal-screen terminal)))))
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
      (lab-terminal-wait-told terminal :chat over)
      (approval-wait-away terminal))))

;;;; Where it is shown

(ert-deftest approval-leaves-an-open-minibuffer-alone ()
  (lab-terminal-with (terminal lab (list (append (approval-turn (approval-merge 1))
                                                 '(:delay_ms 1500))
                                         '(:text "all done"))
                               :stream t)
    (approval-send terminal "merge it")
    (lab-terminal-keys terminal "M-x")
    (lab-terminal-type terminal "calendar")
    (approval-wait terminal)
    (lab-terminal-type terminal "-whatever")
    (lab-terminal-wait-screen terminal "^M-x calendar-whatever")
    (lab-terminal-keys terminal "C-c" "C-c" "C-g")
    (lab-terminal-wait-told terminal :selected "chat")
    ;; Leaving the minibuffer restores the old windows; the approval returns.
    (lab-terminal-wait-screen terminal "C-c C-k decline")
    (should (equal (lab-mutations lab) nil))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "all done")
    (approval-wait-away terminal)))

(ert-deftest approval-on-a-small-terminal-shows-its-keys-and-how-many-lines-are-left ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all done"))
                               :stream t :width 80 :height 14)
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (should (string-match-p "^ [0-9]+ more lines: SPC   C-c C-k decline"
                            (lab-terminal-screen terminal)))
    (should (equal (lab-terminal-told terminal :selected) "chat"))
    (approval-enter terminal)
    (lab-terminal-wait-screen terminal "^ C-c C-c run it, once   C-c C-k decline *$")
    (lab-terminal-wait-screen terminal "^  Keys ")
    (lab-terminal-keys terminal "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "all done")
    (approval-wait-away terminal)))

(ert-deftest approval-gives-back-a-window-that-it-borrowed ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all done"))
                               :stream t :height 24)
    (lab-terminal-keys terminal "C-x" "3" "C-x" "o" "C-x" "b")
    (lab-terminal-type terminal "*scratch*")
    (lab-terminal-keys terminal "Enter" "C-x" "o")
    (lab-terminal-wait-told terminal :windows "(chat \\*scratch\\*)")
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (should (equal (lab-terminal-told terminal :windows) '("chat" "*cj-gate approval*")))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "all done")
    (lab-terminal-wait-told terminal :windows "\\`(chat \\*scratch\\*)\\'")
    (should (equal (lab-terminal-told terminal :selected) "chat"))
    (should (equal (lab-mutations lab) nil))))

(ert-deftest approval-without-room-stays-hidden-until-a-command-shows-it ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all done"))
                               :stream t :width 80 :height 6)
    (approval-send terminal "merge it")
    (lab-terminal-wait-told terminal :messages "waits: M-x cj/gate-approvals")
    (sleep-for 0.8)
    (lab-terminal-type terminal "typing on")
    (lab-terminal-wait-told terminal :chat "typing on")
    (should (equal (lab-terminal-told terminal :windows) '("chat")))
    (should (equal (lab-terminal-told terminal :frames) 1))
    (lab-terminal-keys terminal "M-x")
    (lab-terminal-type terminal "cj/gate-approvals")
    (lab-terminal-keys terminal "Enter" "C-c" "C-c")
    (lab-terminal-wait-told terminal :messages "Not yet")
    (approval-enter terminal)
    (should (equal (lab-mutations lab) nil))
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (approval-wait-away terminal)
    (should (equal (length (lab-mutations lab)) 1))))

;;;; Errors of windows

(ert-deftest approval-answers-reach-the-caller-when-windows-fail ()
  (require 'cj-gate-approval)
  (let* ((said nil)
         (job (cj/gate--job-make :program "gh" :buffer (current-buffer)
                                 :reply (lambda (text) (push text said))))
         (cj/gate-approval--expected job)
         (cj/gate-approval--queue (list (cj/gate-approval--entry-make))))
    (cl-letf (((symbol-function 'cj/gate-approval--show)
               (lambda () (error "There is no room"))))
      (cj/gate--answer job "done"))
    (should (equal said '("done")))
    (should-not cj/gate-approval--expected)))

(provide 'approval-view-tests)

;;; approval-view-tests.el ends here
