;;; approval-edit-tests.el --- A person edits a waiting call before the yes -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gate-approval-edit)

(defconst edit-body "First \"line\"\n\n* a \\ point\n  indented\u202e\nlast"
  "A body that a Lisp string would show with escapes.")

(defmacro edit-with (spec &rest body)
  "Run BODY while the edit buffer of a waiting call is open.
SPEC is (TERMINAL LAB ARGV WHAT).  WHAT, a string, names the part of ARGV to
edit: \"Body\", which the key must offer as its default, or \"Arguments\"."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,argv ,what) spec))
    `(lab-terminal-with (,terminal ,lab (list (approval-turn ,argv) '(:text "all over"))
                                   :stream t :height 60)
       (approval-send ,terminal "comment")
       (approval-enter ,terminal)
       (lab-terminal-keys ,terminal "C-c" "C-e")
       (if (equal ,what "Body")
           (lab-terminal-wait-screen ,terminal "^Change (Body by default):")
         (lab-terminal-wait-screen ,terminal "^Change (")
         (lab-terminal-type ,terminal ,what))
       (lab-terminal-keys ,terminal "Enter")
       ,@body)))

(ert-deftest approval-edit-opens-a-body-as-plain-text-and-sends-the-changed-body ()
  (edit-with (terminal lab (approval-comment 1 edit-body) "Body")
    (lab-terminal-wait-told terminal :selected "change body of call")
    (lab-terminal-wait-screen terminal "^First \"line\"\n\n\\* a \\\\ point\n  indented\\\\u202E\nlast$")
    (lab-terminal-keys terminal "M->")
    (lab-terminal-type terminal " words")
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :messages "The changed call is asked about anew")
    (lab-terminal-wait-told terminal :asked "last words")
    (should-not (lab-mutations lab))
    (lab-terminal-wait-told terminal :selected "cj-gate approval")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all over")
    (should (equal (mapcar (lambda (mutation) (plist-get (approval-input mutation) :body))
                           (lab-mutations lab))
                   (list (concat edit-body " words"))))))

(ert-deftest approval-edit-opens-a-multi-line-argument-in-a-buffer-of-its-own ()
  (edit-with (terminal lab (list "api" "repos/octo/demo/issues/1/comments"
                                 "-f" "body=one\ntwo" "-X" "POST")
                       "Arguments")
    (lab-terminal-wait-told terminal :selected "change call")
    (lab-terminal-wait-screen terminal "^-f\n<2 lines: body=one>\n")
    ;; Line 4 stands for the text; a change of that line itself is refused.
    (lab-terminal-keys terminal "C-n" "C-n" "C-n")
    (lab-terminal-type terminal "x")
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :messages "Line 4 stands for a text")
    (lab-terminal-keys terminal "BSpace" "C-a" "Enter")
    (lab-terminal-wait-told terminal :selected "change argument of call")
    (lab-terminal-wait-screen terminal "^body=one\ntwo$")
    (lab-terminal-keys terminal "M->")
    (lab-terminal-type terminal " more")
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :selected "change call")
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :asked "two more")
    (lab-terminal-wait-told terminal :selected "cj-gate approval")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all over")
    (should (equal (length (lab-mutations lab)) 1))))

(ert-deftest approval-edit-buffer-closes-on-an-abort-and-its-text-goes-to-the-kill-ring ()
  (edit-with (terminal lab (approval-comment 1 edit-body) "Body")
    (lab-terminal-wait-told terminal :selected "change body of call")
    (lab-terminal-type terminal "My own words. ")
    ;; The person gives up, and aborts the request from the chat.
    (lab-terminal-keys terminal "C-x" "b")
    (lab-terminal-type terminal "chat")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :selected "^chat$")
    (approval-M-x terminal "gptel-abort")
    (lab-terminal-wait-told terminal :messages "what you changed is in the kill ring")
    (lab-terminal-wait terminal
                       (lambda ()
                         (not (cl-find "change body" (lab-terminal-told terminal :windows)
                                       :test #'string-search))))
    (lab-terminal-keys terminal "M->" "C-y")
    (lab-terminal-wait-told terminal :chat "My own words\\. First \"line\"")
    (should-not (lab-mutations lab))))

;; In batch: this test needs no windows, so it calls the functions directly.
(ert-deftest approval-edit-keeps-changed-arguments-when-they-are-opened-again ()
  (require 'cj-gate-approval-edit)
  (cl-flet ((entry (&rest argv)
              (cj/gate-approval--entry-make :job (cj/gate--job-make :argv argv))))
    (let ((first (entry "pr" "comment" "1"))
          (second (entry "issue" "comment" "2" "--body" "a\nb"))
          (kill-ring nil))
      (unwind-protect
          (with-current-buffer (progn (cj/gate-edit--open-arguments first)
                                      cj/gate-edit-buffer-name)
            (goto-char (point-max))
            (insert "--body\nmy words\n")
            (cj/gate-edit--open-arguments first)
            (should (equal (cj/gate-edit--arguments)
                           '("pr" "comment" "1" "--body" "my words")))
            (cj/gate-edit--open-arguments second)
            (should (equal (cj/gate-edit--arguments)
                           '("issue" "comment" "2" "--body" "a\nb")))
            (should (string-match-p "my words" (car kill-ring)))
            ;; In the kill ring a line that stands for a text becomes the text.
            (goto-char (point-max))
            (insert "-x")
            (cj/gate-edit--open-arguments first)
            (should (equal (car kill-ring) "issue\ncomment\n2\n--body\na\nb\n-x"))
            (cj/gate-edit--open-arguments second)
            ;; A text of one call cannot go among the arguments of another call.
            (let ((put (cj/gate-edit--put-back (point-min-marker) 'instead)))
              (with-temp-buffer
                (setq cj/gate-edit--entry first)
                (should-error (funcall put "words") :type 'user-error)))
            (should (equal (car (cj/gate-edit--arguments)) "issue")))
        (kill-buffer cj/gate-edit-buffer-name)))))

(provide 'approval-edit-tests)

;;; approval-edit-tests.el ends here
