;;; approval-head-tests.el --- A merge's question shows the pull request, and only the head shown is merged -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The question about a merge shows the pull request, its checks, and the commit
;; that would be merged.  GitHub's stand-in changes the commit while a person
;; reads the question; the gh that talks to it is real.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defconst approval-head-read "0123456789abcdef0123456789abcdef01234567"
  "The head of the pull request when the question is asked.")

(defconst approval-head-pushed "89abcdef0123456789abcdef0123456789abcdef"
  "The head of the pull request after somebody has pushed.")

(defun approval-head-world (head)
  "Return a world in which pull request 7 of octo/demo has HEAD."
  `(:repos
    (:octo/demo
     (:pulls
      [(:number 7 :title "Keep rows" :state "OPEN" :isDraft :false
                :author (:login "mona") :headRefOid ,head
                :headRefName "keep" :baseRefName "main" :reviewDecision "APPROVED"
                :additions 5 :deletions 1 :changedFiles 2 :mergeable "MERGEABLE"
                :commits (:nodes
                          [(:commit
                            (:statusCheckRollup
                             (:contexts
                              (:totalCount 2 :nodes
                               [(:__typename "CheckRun" :name "test" :status "COMPLETED"
                                             :conclusion "SUCCESS")
                                (:__typename "CheckRun" :name "lint" :status "COMPLETED"
                                             :conclusion "FAILURE")]))))]))]))))

(defun approval-head-push (lab)
  "Give the pull request in LAB another head, as a push would."
  (let ((file (lab-file lab "fixtures/world.json")))
    (lab-write-json (concat file ".new") (approval-head-world approval-head-pushed))
    (rename-file (concat file ".new") file t)))

(defmacro approval-head-with (spec &rest body)
  "Run BODY while a call waits: SPEC is (TERMINAL LAB ARGV OPTION...).
OPTIONs are those of `lab-terminal-start'.  The terminal has 100 columns and
60 lines unless they say otherwise."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,argv . ,options) spec))
    `(approval-with-call (,terminal ,lab ,argv :width 100 :height 60 ,@options)
       ,@body)))

(defconst approval-head-merge '("pr" "merge" "7" "--squash" "-R" "octo/demo")
  "The argv that merges pull request 7.")

(defun approval-head-accept (terminal)
  "Read the approval in TERMINAL, say yes, and wait for the model's last words."
  (approval-enter terminal)
  (lab-terminal-keys terminal "C-c" "C-c")
  (lab-terminal-wait-told terminal :chat "all done"))

(ert-deftest approval-of-a-merge-shows-the-pull-request-its-checks-and-the-account ()
  (approval-head-with (terminal lab approval-head-merge
                                :world (approval-head-world approval-head-read))
    (let ((text (lab-terminal-told terminal :approval)))
      (should (string-prefix-p "Squash and merge pull request #7 “Keep rows” in octo/demo, as octo\n" text))
      (dolist (row '("About       pull request #7 by mona, open"
                     "Branches    keep → main, at 0123456789"
                     "Checks      1 failed: lint; 1 passed"
                     "Review      approved"
                     "Conflicts   no conflicts"
                     "Base        up to date with main"
                     "Size        +5 −1 in 2 files"
                     "Visibility  public: everybody can read it"
                     "Account     octo"
                     "Repository  octo/demo"))
        (ert-info ((format "%s in\n%s" row text))
          (should (member (concat (if (string-prefix-p "Checks" row) "! " "  ") row)
                          (split-string text "\n")))))
      ;; GitHub saw one read before the question, and no other request.
      (should (= (length (lab-requests lab)) 1))
      (should-not (lab-mutations lab)))
    (approval-head-accept terminal)
    (should (equal (mapcar (lambda (mutation)
                             (plist-get (approval-input mutation) :expectedHeadOid))
                           (lab-mutations lab))
                   (list approval-head-read)))
    (should (string-match-p "write confirmed" (lab-terminal-told terminal :chat)))))

(ert-deftest approval-of-a-merge-merges-only-the-head-commit-that-was-shown ()
  (pcase-dolist (`(,_ . ,gh) (lab-ghs))
    (approval-head-with (terminal lab approval-head-merge
                                  :world (approval-head-world approval-head-read)
                                  :init `((setq cj/gh-executable ,gh)))
      (should (string-match-p "at 0123456789$" (lab-terminal-told terminal :approval)))
      (should (string-match-p "--match-head-commit\n +[0-9]+  0123456789abcdef"
                              (lab-terminal-told terminal :approval)))
      (approval-enter terminal)
      ;; Somebody pushes while a person reads; the key approves the old head.
      (approval-head-push lab)
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-wait-told terminal :chat "all done")
      (should (string-match-p "Head branch was modified" (lab-terminal-told terminal :chat)))
      (should-not (string-match-p "write confirmed" (lab-terminal-told terminal :chat)))
      (should (equal (mapcar (lambda (mutation)
                               (plist-get (approval-input mutation) :expectedHeadOid))
                             (lab-mutations lab))
                     (list approval-head-read))))))

(ert-deftest approval-of-a-merge-keeps-the-head-commit-that-the-call-names ()
  "A --match-head-commit that the call itself has stays, once."
  (approval-head-with (terminal lab (append approval-head-merge
                                            (list "--match-head-commit" approval-head-pushed))
                                :world (approval-head-world approval-head-read))
    (let ((text (lab-terminal-told terminal :approval)))
      (should (= (cl-count-if (lambda (line)
                                (string-match-p "\\`  +[0-9]+  --match-head-commit\\'" line))
                              (split-string text "\n"))
                 1))
      (should (string-search approval-head-pushed text)))
    (approval-head-accept terminal)
    (should (string-match-p "Head branch was modified" (lab-terminal-told terminal :chat)))))

(defun approval-head-each (rows check)
  "Let a model make the calls of ROWS; run CHECK on each question, then say no.
A row is (ARGV ARG...); CHECK is called with the text of the approval and the
ARGs."
  (let ((number 0))
    (lab-terminal-with (terminal lab
                                 (append (mapcan (lambda (row)
                                                   (list (approval-turn (car row))
                                                         (list :text (format "over %d" (cl-incf number)))))
                                                 rows))
                                 :stream t :width 100 :height 60)
      (setq number 0)
      (dolist (row rows)
        (ert-info ((format "%s" (car row)))
          (approval-send terminal "go")
          (approval-wait terminal)
          (let ((text (lab-terminal-told terminal :approval)))
            (ert-info (text)
              (apply check text (cdr row))))
          (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
          (lab-terminal-wait-told terminal :chat (format "over %d" (cl-incf number)))
          (approval-wait-away terminal)
          (should-not (lab-mutations lab)))))))

(ert-deftest approval-says-what-could-not-be-read ()
  (approval-head-each
   '((("pr" "merge" "7" "--squash" "-R" "err500/demo")
      "^  Unread +[^\n]* could not be read")
     (("issue" "close" "2" "-R" "err404/demo")
      "^  Unread +[^\n]* could not be read")
     (("pr" "merge" "9001" "--squash" "-R" "octo/demo")
      "^! Missing +there is no such pull request here"))
   (lambda (text row)
     (should (string-match-p row text))
     ;; The rows that the read would have filled are left out.
     (should-not (string-match-p "^[ !] \\(?:Checks\\|Review\\|Size\\|About\\) " text))
     (should-not (string-match-p "--match-head-commit" text)))))

(ert-deftest approval-names-the-account-and-leaves-out-the-source-of-its-token ()
  (approval-head-each
   '((("issue" "close" "2" "-R" "octo/demo") "octo")
     (("issue" "close" "2" "-R" "ghe.example.com/team/tool") "octo-work")
     (("variable" "set" "REGION" "-b" "eu" "--org" "acme") "octo"))
   (lambda (text login)
     (should (string-match-p (format "\\`[^\n]* as %s\n" login) text))
     (should (string-match-p (format "^  Account     %s$" login) text))
     (should-not (string-match-p "token" text)))))

(provide 'approval-head-tests)

;;; approval-head-tests.el ends here
