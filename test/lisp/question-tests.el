;;; question-tests.el --- The layout of the rows of a question -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The text that a person reads before a yes, made from a plist.  These tests
;; need no terminal and no module.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'cj-gate-approval-text)
(require 'cj-gate-view)

(defun question-tests-text (facts &rest more)
  "Return the text of a question with FACTS, rows of (LABEL TEXT TONE).
MORE is a plist that overrides the plist of the plan."
  (cj/gate-confirm-text
   (append more
           '(:program "gh" :command "pr close" :class write :host "github.com"
             :source explicit-repo :cwd "/tmp/" :reason "`gh pr close` closes it."
             :undo "`pr reopen' takes it back." :shown ("pr" "close" "1")
             :sentence "Close pull request #1, as octo"))
   (list :facts (cl-loop for (label text tone) in facts
                         collect (list :label label :text text :tone tone)))))

(defun question-tests-line (label text)
  "Return the line of the row LABEL in TEXT, with its faces."
  (cl-find-if (lambda (line) (string-match-p (concat "\\`[ !] " label " ") line))
              (split-string text "\n")))

(ert-deftest question-rows-keep-two-columns-between-label-and-text ()
  (let* ((labels '("Conflicts" "Last said" "Visibility" "Something long"))
         (text (question-tests-text
                (mapcar (lambda (label) (list label "the text" 'plain)) labels))))
    (dolist (label labels)
      (should (string-match-p (concat "^  " label "  +the text$") text)))
    ;; Labels of at most ten characters let all texts begin in one column.
    (dolist (label (butlast labels))
      (should (string-match-p "^  .\\{10\\}  the text$" (question-tests-line label text)))))
  (dolist (label '("Runs in" "Twelve chars" "More than twelve"))
    (should (string-match-p (concat "\\`" label "  +x\n\\'")
                            (substring-no-properties (cj/gate-view-row label "x"))))))

(ert-deftest question-marks-exactly-the-rows-that-speak-against-the-call ()
  (let ((text (question-tests-text '(("Effect" "already closed" bad)
                                     ("Visibility" "public" warning)
                                     ("Checks" "1 failed" plain)))))
    (should (string-prefix-p "! Effect " (question-tests-line "Effect" text)))
    (dolist (row '(("Effect" "already" cj/gate-bad) ("Visibility" "public" cj/gate-warning)
                   ("Checks" "1 failed" nil) ("Class" "write" nil)))
      (let ((line (question-tests-line (car row) text)))
        (unless (equal (car row) "Effect")
          (should (string-prefix-p "  " line)))
        (should (eq (get-text-property (string-search (cadr row) line) 'face line)
                    (nth 2 row))))))
  ;; The class unknown has a face of its own.
  (let ((line (question-tests-line "Class" (question-tests-text nil :class 'unknown))))
    (should (eq (get-text-property (string-search "unknown" line) 'face line)
                'cj/gate-class-unknown))))

(ert-deftest question-uses-curly-quotes-everywhere ()
  (dolist (source (mapcar #'car cj/gate-approval-text--sources))
    (let ((text (question-tests-text nil :source source)))
      (should (string-match-p "“gh pr close” closes it" text))
      (should (string-match-p "“pr reopen” takes it back" text))
      (should-not (string-match-p "[`']\\(?:[a-z]\\|$\\)" (replace-regexp-in-string "machine's" "" text)))))
  (should (string-prefix-p "Run “gh pr close” on github.com\n"
                           (question-tests-text nil :sentence ""))))

(ert-deftest question-says-they-of-notes-and-it-of-a-body ()
  (dolist (row '(("Notes" "they" "are") ("Body" "it" "is")))
    (let ((head (lambda (seen &rest more)
                  (cj/gate-approval-text--outgoing (append (list :label (car row) :text "x") more)
                                                   seen))))
      (should (string-match-p (format "as %s will appear:" (nth 1 row)) (funcall head nil)))
      (should (string-match-p (format "as %s will appear (the current text was not read):"
                                      (nth 1 row))
                              (funcall head nil :replaces t :field "body")))
      (should (string-match-p (format "which %s the current text:" (nth 2 row))
                              (funcall head '(:texts (("body" . "x")))
                                       :replaces t :field "body"))))))

(provide 'question-tests)

;;; question-tests.el ends here
