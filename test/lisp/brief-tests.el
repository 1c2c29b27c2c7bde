;;; brief-tests.el --- What a pull request is at, and what names one -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The brief of a pull request takes one request, however the pull request is
;; named.  The real gh of both versions asks the stand-in for GitHub.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-tools)
(require 'cj-gh-tools)

(defun brief-tests--kinds (answers)
  "Return the status of each of ANSWERS: \"ok\", \"error not-found\" …"
  (mapcar (lambda (answer) (nth 2 (lab-header answer))) answers))

(defun brief-tests--operations (lab)
  "Return the GraphQL operations and REST paths that LAB has seen."
  (mapcar (lambda (seen) (or (nth 2 seen) (nth 1 seen))) (lab-seen (lab-requests lab))))

(ert-deftest brief-every-way-to-name-a-pull-request-takes-one-request ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (dolist (host '("github.com" "ghe.example.com"))
      (ert-info ((format "gh %s, %s" version host))
        (let* ((repo (concat host "/o/r"))
               (calls `(("gh_pr_view" :number 1 :repo ,repo)
                        ("gh_pr_view" :number "#1" :repo ,repo)
                        ("gh_pr_view" :number 1.0 :repo ,repo)
                        ("gh_pr_view" :number ,(concat repo "#1"))
                        ("gh_pr_view" :number ,(format "https://%s/pull/1" repo))
                        ("gh_pr_view" :number ,(format "https://%s/pull/1/files#diff-1" repo))
                        ("gh_pr_view" :number ,(format "%s/pull/1" repo) :repo ,repo)
                        ("gh_pr_view" :number "quoted-fields" :repo ,repo)
                        ("gh_pr_view" :number "O:quoted-fields" :repo ,repo))))
          (lab-with (lab (list (tools-tests--turn calls)))
            (let* ((cj/gh-executable gh)
                   (answers (tools-tests--ask lab calls)))
              (dolist (answer answers)
                (should (equal (lab-header answer) (list repo "read" "ok")))
                (should (string-prefix-p "#1 OPEN  Read quoted fields with line breaks\n"
                                         (tools-tests--text answer))))
              (should (= 1 (length (delete-dups (mapcar #'tools-tests--text answers)))))
              (should (equal (brief-tests--operations lab)
                             (make-list (length calls) "PullRequestBrief"))))))))))

(ert-deftest brief-a-flag-that-a-person-adds-is-refused-and-not-dropped ()
  (lab-with (_)
    (let ((plan (lambda (argv)
                  (plist-get (cj/gate-plan-info
                              (cj/gate-plan "gh" argv :view '(pr-brief) :edited t))
                             :command))))
      (should (equal (funcall plan '("pr" "view" "1" "--repo" "o/r")) "pr view"))
      (should (string-match-p
               "in which --comments has no place\\.\nTake --comments out"
               (cadr (should-error
                      (funcall plan '("pr" "view" "1" "--comments" "--repo" "o/r"))
                      :type 'cj/gate-bad-argument)))))))

(ert-deftest brief-without-a-name-the-pull-request-of-the-branch-is-meant ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info (version)
      (lab-with (lab (list (tools-tests--turn '(("gh_pr_view") ("gh_pr_threads")))))
        (let* ((cj/gh-executable gh)
               (dir (lab-checkout lab "work" "https://github.com/o/r.git"))
               (default-directory dir))
          (call-process "git" nil nil nil "checkout" "-q" "-b" "quoted-fields")
          (let ((answers (tools-tests--ask lab '(("gh_pr_view") ("gh_pr_threads")) :cwd dir)))
            (should (equal (brief-tests--kinds answers) '("ok" "ok")))
            (should (string-match-p "\\`#1 OPEN" (tools-tests--text (car answers))))
            (should (string-match-p "\\`3 review threads" (tools-tests--text (cadr answers))))
            (should (equal (sort (brief-tests--operations lab) #'string<)
                           '("PullRequestBrief" "ReviewThreads")))))))))

(ert-deftest brief-what-names-no-pull-request-is-an-error-that-says-what-to-do ()
  (let ((calls '(("gh_pr_view" :number "x/y#1" :repo "o/r")
                 ("gh_pr_view" :number "https://evil.example/o/r/pull/1")
                 ("gh_pr_view" :number "https://github.com/o/r/actions/runs/1001")
                 ("gh_pr_view" :number "--web" :repo "o/r")
                 ("gh_pr_view" :number "two words" :repo "o/r")
                 ("gh_pr_view" :number "no-such-branch" :repo "o/r")
                 ("gh_pr_view" :number 99999 :repo "o/r")
                 ("gh_issue_view" :number "quoted-fields" :repo "o/r")
                 ("gh_run_view" :run_id "quoted-fields" :repo "o/r"))))
    (tools-tests--with (answers calls nil lab)
      (should (equal (brief-tests--kinds answers)
                     '("error bad-argument" "blocked policy-blocked" "error bad-argument"
                       "error bad-argument" "error bad-argument" "error not-found"
                       "error not-found" "error bad-argument" "error bad-argument")))
      (dolist (answer answers)
        (should (string-match-p "\\`Error: .+\n.+" (tools-tests--text answer))))
      (should (equal (brief-tests--operations lab)
                     '("PullRequestBrief" "PullRequestBrief"))))))

(ert-deftest brief-other-tools-take-the-same-names ()
  (let ((calls '(("gh_issue_view" :number "https://github.com/o/r/issues/2")
                 ("gh_issue_view" :number "o/r#2")
                 ("gh_pr_files" :number "https://github.com/o/r/pull/1")
                 ("gh_pr_checks" :number "o/r#1")
                 ("gh_pr_diff" :number "quoted-fields" :repo "o/r" :file "src/reader.rs" :hunk 2)
                 ("gh_run_view" :run_id "https://github.com/o/r/actions/runs/1001/job/5002"))))
    (tools-tests--with (answers calls)
      (should (equal (brief-tests--kinds answers) (make-list (length calls) "ok")))
      (cl-loop for answer in answers
               for beginning in '("#2 OPEN" "#2 OPEN" "3/3 files" "4 checks" "src/reader.rs +3 -2"
                                  "run 1001")
               do (should (string-prefix-p beginning (tools-tests--text answer)))))))

(ert-deftest brief-a-host-that-lacks-a-field-is-asked-once-more-and-then-without-it ()
  (let ((world '(:lacks ["PullRequest.latestOpinionatedReviews" "PullRequestReviewThread.resolvedBy"]))
        (calls '(("gh_pr_view" :number 1 :repo "lacking.ghe.com/o/r")))
        (threads '(("gh_pr_threads" :number 1 :repo "lacking.ghe.com/o/r"))))
    (dolist (round '(2 1))
      (let ((cj/gh-known-hosts '("github.com" "lacking.ghe.com")))
        (tools-tests--with (answers (append calls threads) world lab)
          (should (equal (brief-tests--kinds answers) '("ok" "ok")))
          (should (= (* 2 round) (length (lab-requests lab)))))))))

(ert-deftest brief-texts-of-the-greatest-length-fit-into-one-answer ()
  (let* ((long (make-string 65000 ?x))
         (remark (lambda (n) (list :author '(:login "kim") :body (format "%d %s" n long)
                                   :createdAt "2026-01-05T10:00:00Z" :submittedAt "2026-01-05T10:00:00Z"
                                   :state "COMMENTED")))
         (world (list :repos
                      (list :o/long
                            (list :pulls
                                  (vector
                                   (list :number 1 :title "Long" :body long :headRefName "long" :headRepositoryOwner '(:login "o")
                                         :comments (vconcat (mapcar remark (number-sequence 1 20)))
                                         :reviews (vconcat (mapcar remark (number-sequence 1 20)))
                                         :reviewThreads
                                         (vconcat
                                          (mapcar
                                           (lambda (n)
                                             (list :id (format "PRRT_%d" n) :path "a.rs" :line n
                                                   :isResolved :false :isOutdated :false
                                                   :comments (vector (append (list :diffHunk long)
                                                                             (funcall remark n)))))
                                           (number-sequence 1 60)))))))))
         (calls '(("gh_pr_view" :number 1 :repo "o/long" :include_body t :include_comments t
                   :include_reviews t)
                  ("gh_pr_threads" :number "long" :repo "o/long"))))
    (let ((cj/gate-result-budget 8000))
      (tools-tests--with (answers calls world)
        (should (equal (brief-tests--kinds answers) '("ok" "ok")))
        (should (string-match-p "^20 comments, the last 8:$" (car answers)))
        (should (string-match-p "^20 reviews, the last 8:$" (car answers)))
        (should (string-match-p "\n60 review threads: 60 unresolved, 0 resolved\n" (cadr answers)))))))

(provide 'brief-tests)

;;; brief-tests.el ends here
