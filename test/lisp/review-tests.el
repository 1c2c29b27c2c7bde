;;; review-tests.el --- Reviews with line comments, by a person's key -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The tool `gh_pr_review' with the real gh.  In batch: what is refused without a
;; question.  By keys on a terminal: reviews, which GitHub's stand-in remembers.
;; test/rust/gh/pr_review.rs has the arguments and answers.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'lab-gptel)
(require 'cj-gh-tools)

(defun review-tests--ask (event &rest arguments)
  "Return the answer of `gh_pr_review' to EVENT and ARGUMENTS, a plist.
The default pull request is 1 of o/r."
  (let (answer)
    (cj/gh-tool-pr-review (lambda (text) (setq answer text))
                          (or (plist-get arguments :number) "1")
                          event
                          (plist-get arguments :body)
                          (plist-get arguments :comments)
                          "o/r")
    (lab-wait (lambda () answer))
    answer))

(defun review-tests--comment (&rest more)
  "Return a line comment that GitHub takes, with the members MORE before it."
  (append more (list :path "src/reader.rs" :line 11 :body "Why?")))

(ert-deftest review-arguments-that-are-wrong-are-told-before-any-request ()
  (lab-with (lab)
    (pcase-dolist (`(,words ,event . ,arguments)
                   `(("`event' must be given" nil :body "x")
                     ("must be one of comment, request_changes, approve" "merge" :body "x")
                     ("neither `body' nor `comments'" "comment")
                     ("neither `body' nor `comments'" "comment" :body " " :comments [])
                     ("`body' is missing" "request_changes")
                     ("must be an array of objects" "comment" :comments "src/a.rs:3")
                     ("must be an array of objects" "comment" :comments 7)
                     ("`comments[1]' must be an object" "comment" :comments ["x"])
                     ("`comments[2].body' must be given" "comment"
                      :comments [,(review-tests--comment) (:path "a" :line 3)])
                     ("`comments[1].line' must be given" "comment"
                      :comments [(:path "a" :body "x")])
                     ("`comments[1].line' must be a whole number" "comment"
                      :comments [,(review-tests--comment :line "3-4")])
                     ("`comments[1].side' must be one of left, right" "comment"
                      :comments [,(review-tests--comment :side "both")])
                     ("`comments[1]' must be an object of path, line, side, start_line, body"
                      "comment" :comments [,(review-tests--comment :position 3)])
                     ("lacks its line" "comment" :comments [,(review-tests--comment :line 0)])
                     ("start_line that is not before" "comment"
                      :comments [,(review-tests--comment :start_line 12)])
                     ("begins with a dash" "comment" :body "x" :number "-R")))
      (ert-info ((prin1-to-string (cons event arguments)))
        (let ((answer (apply #'review-tests--ask event arguments)))
          (should (equal (nth 2 (lab-header answer)) "error bad-argument"))
          (should (string-search words answer)))))
    (should-not (lab-requests lab))))

(ert-deftest review-comments-come-as-json-text-or-as-one-object-too ()
  (lab-with (lab)
    (dolist (comments `([,(review-tests--comment :side "RIGHT" :start_line 10.0)]
                        (,(review-tests--comment))
                        ,(review-tests--comment :start_line nil)
                        "[{\"path\": \"src/reader.rs\", \"line\": \"11\", \"body\": \"Why?\", \"side\": null}]"
                        "{\"path\": \"src/reader.rs\", \"line\": 11, \"body\": \"Why?\"}"))
      (ert-info ((prin1-to-string comments))
        (let ((answer (review-tests--ask "comment" :comments comments)))
          (should (equal (lab-header answer) '("github.com/o/r" "write" "declined"))))))
    (should-not (lab-mutations lab))))

(defconst review-tests--own
  '(:repos (:o/r (:pulls [(:number 1 :author (:login "octo") :title "Mine")])))
  "A world in which pull request 1 of o/r is the account's own.")

(ert-deftest review-that-github-would-refuse-is-refused-without-a-question ()
  (lab-with (lab)
    (pcase-dolist (`(,words . ,comments)
                   `(("line 30 is no part of the diff; the nearest on the right side: 10-13, 41-42"
                      ,(review-tests--comment :line 30))
                     ("line 41 is no part of the diff; the nearest on the left side: 10-12, 40-41"
                      ,(review-tests--comment :side "left" :line 42)
                      ,(review-tests--comment :side "left" :line 41))
                     ("not of one hunk" ,(review-tests--comment :start_line 11 :line 41))
                     ("does not change this file; its files: src/reader.rs, tests/quotes.rs"
                      ,(review-tests--comment) ,(review-tests--comment :path "reader.rs"))
                     ("GitHub shows no text of this file"
                      ,(review-tests--comment :path "tests/quotes.rs"))))
      (ert-info (words)
        (let ((answer (review-tests--ask "comment" :comments (vconcat comments))))
          (should (equal (lab-header answer)
                         '("github.com/o/r" "write" "error bad-argument")))
          (should (string-search (replace-regexp-in-string "\\`line 41" "line 42" words)
                                 answer)))))
    (should-not (lab-mutations lab)))
  (lab-with (lab nil review-tests--own)
    (dolist (event '("approve" "request_changes"))
      (let ((answer (review-tests--ask event :body "x")))
        (should (equal (nth 2 (lab-header answer)) "error bad-argument"))
        (should (string-search "lets nobody approve" answer))))
    (should-not (lab-mutations lab))))

(ert-deftest review-reads-one-list-of-files-and-none-without-comments ()
  (lab-with (lab)
    (review-tests--ask "comment" :body "x")
    (should (equal (mapcar (lambda (row) (nth 2 row)) (lab-seen (lab-requests lab)))
                   '("ReviewedPull"))))
  (lab-with (lab)
    (review-tests--ask "comment" :comments (vector (review-tests--comment)))
    (should (equal (mapcar #'cadr (lab-seen (lab-requests lab)))
                   '("/graphql" "/repos/o/r/pulls/1/files")))))

(ert-deftest review-that-approves-needs-the-row-of-the-policy ()
  (lab-with (lab)
    (let ((answer (review-tests--ask "approve")))
      (should (equal (lab-header answer)
                     '("github.com/o/r" "write" "blocked policy-blocked")))
      (should (string-search "row `approve'" answer)))
    (let ((cj/gh-policy '((approve . confirm))))
      (should (equal (nth 2 (lab-header (review-tests--ask "approve"))) "declined")))
    (should (equal (nth 2 (lab-header (review-tests--ask "request_changes" :body "x")))
                   "declined"))
    (should-not (lab-mutations lab))))

;;;; With a person

(defun review-tests--turns (&rest arguments)
  "Return a script in which the model calls `gh_pr_review' with ARGUMENTS."
  (list (apply #'lab-ask "gh_pr_review" :repo "o/r" arguments)
        '(:text "all done")))

(ert-deftest review-with-comments-takes-one-key-and-shows-each-at-its-line ()
  (dolist (confirm '(nil t))
    (let ((gh (cdr (if confirm (car (last (lab-ghs))) (car (lab-ghs))))))
      (approval-with-turns
          (terminal lab gh
                    (review-tests--turns
                     :number "1" :event "comment" :body "Two things."
                     :comments [(:path "src/reader.rs" :line 12 :start_line 11
                                       :body "@/etc/passwd\nloops")
                                (:path "src/reader.rs" :line 11 :side "left" :body "true")])
                    nil confirm)
        (let ((text (lab-terminal-told terminal :approval)))
          (should (string-match-p "\\`Review pull request #1 “Read quoted fields with line breaks” in o/r without a verdict, with 2 line comments, as octo\n"
                                  text))
          (should (string-search "
  Body, as it will appear:
    | Two things.

  src/reader.rs:11-12:
    |      10   let mut row = Vec::new();
    |      11 -     let line = next_line();
    | >    11 +     let mut line = next_line();
    | >    12 +     while open_quote(&line) { line.push_str(&next_line()); }
    |      13       row

  Comment 1, as it will appear:
    | @/etc/passwd
    | loops

  src/reader.rs:11 (left):
    |      10   let mut row = Vec::new();
    | >    11 -     let line = next_line();
    |      11 +     let mut line = next_line();

  Comment 2, as it will appear:
    | true
"
                                 text))
          (should (string-match-p "^  Head        1f2e3d4c5b, the commit" text)))
        (should-not (lab-mutations lab))
        (lab-terminal-keys terminal "C-c" "C-c")
        (lab-terminal-wait-told terminal :chat "all done")
        (should (= (length (lab-mutations lab)) 1))
        (should (= (length (lab-requests lab)) 3))
        (should (equal (approval-variables (car (lab-mutations lab)) :head :body :body0 :body1)
                       '("1f2e3d4c5b6a79880123456789abcdef01234567" "Two things."
                         "@/etc/passwd\nloops" "true")))
        (should (equal (lab-terminal-told terminal :asked-by-gptel) 0))
        (let ((chat (lab-terminal-told terminal :chat)))
          (should (string-search "[gh github.com/o/r write confirmed" chat))
          (should (string-match-p "Reviewed pull request #1: commented, 2 line comments\\.\nhttps://github.com/o/r/pull/1#pullrequestreview-[0-9]+"
                                  chat)))
        ;; The stand-in remembers two threads more.
        (let (answer)
          (cj/gh-tool-pr-threads (lambda (text) (setq answer text)) "1" nil "o/r")
          (lab-wait (lambda () answer))
          (should (string-match-p "\\b5 \\(review \\)?threads" answer)))))))

(defun review-tests--pull (head)
  "Return a world with the pull request 3 of o/r, whose head is HEAD."
  `(:repos (:o/r (:pulls [(:number 3 :title "Sort rows" :author (:login "mona")
                                   :changedFiles 2 :headRefOid ,head)]))))

(ert-deftest review-that-approves-says-so-and-takes-one-key ()
  (lab-terminal-with (terminal lab (review-tests--turns :number "1" :event "approve")
                               :stream t :width 120 :height 60
                               :init `((setq cj/gh-policy '((approve . confirm))
                                             gptel-tools (list (gptel-get-tool "gh_pr_review")))))
    (approval-send terminal "go")
    (approval-enter terminal)
    (let ((text (lab-terminal-told terminal :approval)))
      (should (string-prefix-p "Approve pull request #1 “Read quoted fields with line breaks” in o/r, as octo\n"
                               text))
      (should (string-match-p "^  Verdict     It approves a pull request\\.$" text))
      (should-not (string-search "C-c C-t" text)))
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (= (length (lab-mutations lab)) 1))
    (should (string-search "Reviewed pull request #1: approved.\n"
                           (lab-terminal-told terminal :chat)))))

(ert-deftest review-that-fails-after-the-key-says-so-in-githubs-words ()
  (approval-with-turns
      (terminal lab (lab-gh) (review-tests--turns :number "1" :event "request_changes" :body "Split it.")
                '(:fails (:addPullRequestReview
                          (:type "UNPROCESSABLE"
                           :message "User can only have one pending review per pull request"))))
    (should (string-prefix-p "Request changes to pull request #1 “Read quoted fields with line breaks” in o/r, as octo\n"
                             (lab-terminal-told terminal :approval)))
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (= (length (lab-mutations lab)) 1))
    (let ((chat (lab-terminal-told terminal :chat)))
      (should (string-search "[gh github.com/o/r write error gh-exit" chat))
      (should (string-search "only have one pending review" chat)))))

(ert-deftest review-is-about-the-head-that-was-shown-though-the-head-moves ()
  (let ((shown (make-string 40 ?a)) (moved (make-string 40 ?b)))
    (approval-with-turns
        (terminal lab (lab-gh)
                  (review-tests--turns :number "3" :event "comment"
                                       :comments (vector (review-tests--comment)))
                  (review-tests--pull shown))
      (lab-write-json (lab-file lab "fixtures/world.json") (review-tests--pull moved))
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-wait-told terminal :chat "all done")
      (should (equal (mapcar (lambda (mutation) (car (approval-variables mutation :head)))
                             (lab-mutations lab))
                     (list shown))))))

(ert-deftest review-whose-comment-a-person-changes-sends-the-changed-one ()
  (approval-with-turns
      (terminal lab (lab-gh)
                (review-tests--turns :number "1" :event "comment"
                                     :comments (vector (review-tests--comment))))
    (approval-change-text terminal "Comment 1" " Tell me." "Tell me")
    (should (string-match-p "| >    11 [^\n]*\n\\(?:[^\n]*\n\\)\\{1,4\\}  Comment 1, as it will appear:\n    | Why\\? Tell me\\."
                            (lab-terminal-told terminal :approval)))
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (mapcar (lambda (mutation) (approval-variables mutation :body0))
                           (lab-mutations lab))
                   '(("Why? Tell me."))))))

(provide 'review-tests)

;;; review-tests.el ends here
