;;; explain-tests.el --- What `cj/gh-explain' shows of a command line -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-explain)

(defun explain-tests--text (line)
  "Return what `cj/gh-explain' shows for LINE."
  (with-current-buffer (cj/gh-explain line)
    (lab-wait (lambda () (not (string-prefix-p "Asking" (buffer-string)))))
    (buffer-string)))

(ert-deftest explain-splits-words-as-a-shell-does ()
  (dolist (row '(("pr view 1" "pr" "view" "1")
                 ("a 'b c' \"d 'e'\" f\\ g" "a" "b c" "d 'e'" "f g")
                 ("x '' y" "x" "" "y")
                 ("\"a\\\"b\\n\"" "a\"b\\n")
                 ("$HOME `ls` *" "$HOME" "`ls`" "*")
                 ("" . nil)))
    (should (equal (cj/gh-explain--words (car row)) (cdr row))))
  (should-error (cj/gh-explain--words "a 'b") :type 'user-error))

(ert-deftest explain-shows-parse-class-target-policy-argv-and-prompt-and-runs-nothing ()
  (lab-with (lab)
    (let* ((default-directory
            (lab-checkout lab "d" "git@ghe.example.com:team/thing.git"))
           (text (explain-tests--text "gh pr merge 12 -sd -t 'a b'")))
      (dolist (piece '("-t a b +--subject a b" "Class +write" "Reason +.*merges"
                       "Target +ghe.example.com/team/thing" "Found by +origin"
                       "Policy +confirm"
                       "gh pr merge 12 -sd -t 'a b' --repo ghe.example.com/team/thing"
                       "A person would be asked" "  |    6  a b"))
        (should (string-match-p piece text))))
    (should-not (lab-requests lab))))

(ert-deftest explain-says-why-a-call-would-be-refused ()
  (lab-with (lab)
    (should (string-match-p "refused (policy-blocked)"
                            (explain-tests--text "pr view 1 -R evil.example/o/r")))
    (should (string-match-p "refused (irreversible-blocked)"
                            (explain-tests--text "repo delete o/r --yes")))
    (should (string-match-p "refused (bad-argument)"
                            (explain-tests--text "issue list")))
    (should-not (lab-requests lab))))

;;; explain-tests.el ends here
