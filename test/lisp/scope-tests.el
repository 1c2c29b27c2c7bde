;;; scope-tests.el --- A call goes where it is shown to go -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; With the real gh: option values that name another host, an organization
;; beside a repository, and the repository in a path of the API.  The Rust tests
;; in test/rust/gh/scope.rs judge the rows of fixtures/gh-scope.jsonl.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gate-record)
(require 'cj-gh)

(defun scope-tests--call (argv &rest keys)
  "Return the answer to a call with ARGV and KEYS."
  (let ((answer nil))
    (apply #'cj/gh-call argv (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer))
    answer))

(defun scope-tests--paths (lab)
  "Return the paths of the requests that LAB has seen."
  (mapcar (lambda (request) (plist-get request :path)) (lab-requests lab)))

(defun scope-tests--row (label info)
  "Return the text of the row LABEL in INFO, the plist of a plan, or nil."
  (plist-get (cl-find label (plist-get info :rows)
                      :key (lambda (row) (plist-get row :label)) :test #'equal)
             :text))

(ert-deftest scope-a-value-that-names-another-host-is-refused-without-a-question ()
  (pcase-dolist (`(,_ . ,gh) (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable gh))
        (dolist (row '((("issue" "close" "2" "-R" "ghe.example.com/o/r" "--duplicate-of"
                         "https://evil.example/x/y/issues/5")
                        "host evil\\.example, which is not known")
                       (("issue" "close" "2" "-R" "ghe.example.com/o/r" "--duplicate-of"
                         "https://ghe.example.com@evil.example/x/y/issues/5")
                        "host evil\\.example, which is not known")
                       (("pr" "create" "-R" "ghe.example.com/o/r" "-t" "t" "-b" "b"
                         "--head" "https://evil.example/x/y/pull/5")
                        "is given a URL with --head")
                       (("skill" "preview" "github.com:octo/demo")
                        "in a form that can hide another")))
          (let ((answer (scope-tests--call (car row))))
            (should (string-match-p "\\`blocked " (nth 2 (lab-header answer))))
            (should (string-match-p (cadr row) answer))))
        (should-not (lab-requests lab))))))

(ert-deftest scope-an-organization-is-the-target-even-beside-a-repository ()
  (pcase-dolist (`(,_ . ,gh) (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable gh))
        (should (equal (car (lab-header (scope-tests--call
                                         '("variable" "list" "--org" "acme" "-R" "octo/demo"))))
                       "github.com/acme"))
        (should (equal (scope-tests--paths lab) '("/orgs/acme/actions/variables")))
        (should (equal (plist-get (car (cj/gate-record-list)) :owner) "acme"))
        (should-not (plist-get (car (cj/gate-record-list)) :repo))
        (let ((info (cj/gate-plan-info
                     (cj/gate-plan "gh" '("secret" "set" "X" "-b" "v" "--user" "-R" "octo/demo")))))
          (should-not (plist-get info :repo))
          (should (plist-get info :no-lease))
          (should (scope-tests--row "Reach" info)))))))

(ert-deftest scope-the-path-of-the-api-names-the-repository ()
  (pcase-dolist (`(,_ . ,gh) (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable gh))
        (dolist (repo '(nil "octo/demo"))
          (should (equal (car (lab-header (scope-tests--call
                                           '("api" "repos/octo/demo") :repo repo)))
                         "github.com/octo/demo")))
        (let ((asked (length (lab-requests lab)))
              (answer (scope-tests--call '("api" "repos/octo/demo") :repo "octo/other")))
          (should (string-match-p "names the repository twice, as octo/demo and as octo/other"
                                  answer))
          (should (equal (length (lab-requests lab)) asked)))
        (let ((info (cj/gate-plan-info
                     (cj/gate-plan "gh" '("api" "repositories/1/issues" "-f" "title=t")
                                   :repo "octo/demo"))))
          (should-not (plist-get info :repo))
          (should (string-match-p "do not tell which repository"
                                  (scope-tests--row "Reach" info))))))))

(ert-deftest scope-a-call-to-an-organization-shows-its-owner-and-refuses-a-lease ()
  (lab-terminal-with (terminal lab (list (approval-turn '("variable" "set" "REGION" "-b" "eu"
                                                          "--org" "acme" "-R" "octo/demo"))
                                         '(:text "all over"))
                               :stream t :width 100)
    (approval-send terminal "go")
    (approval-wait terminal)
    (let ((screen (lab-terminal-screen terminal)))
      (should (equal (length (approval-rows screen "Owner")) 1))
      (should (string-match-p "Owner +acme$" screen))
      (should (string-match-p "The organization acme as a whole, and no one repository" screen))
      (should-not (string-match-p "C-c C-t" (lab-terminal-told terminal :approval))))
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-t")
    (lab-terminal-wait-told terminal :messages "No lease can be given here: it works on an organization")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all over")
    (should (string-match-p "^\\[gh github\\.com/acme write confirmed "
                            (lab-terminal-told terminal :chat)))
    (should (member "/orgs/acme/actions/variables" (scope-tests--paths lab)))))

(provide 'scope-tests)

;;; scope-tests.el ends here
