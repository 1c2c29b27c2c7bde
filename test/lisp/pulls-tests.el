;;; pulls-tests.el --- The branch's pull request and its review comments -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The real gh in a real checkout, with the GitHub stand-in: the texts that a
;; person sees, and the files and lines that the links open.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-pulls)
(require 'cj-gate-record)

(defun pulls-tests--checkout (lab host)
  "Make a checkout of o/r on HOST in LAB, on the branch of its pull request 1."
  (let* ((dir (lab-checkout lab "work" (format "https://%s/o/r.git" host)))
         (default-directory dir))
    (unless (zerop (call-process "git" nil nil nil "checkout" "-q" "-b" "quoted-fields"))
      (error "No branch could be made"))
    (make-directory (expand-file-name "src" dir))
    (with-temp-file (expand-file-name "src/reader.rs" dir)
      (dotimes (n 20) (insert (format "line %d\n" (1+ n)))))
    dir))

(defun pulls-tests--shown ()
  "Wait for the buffer with the comments; return its text."
  (lab-wait (lambda ()
              (and (get-buffer cj/gh-pulls-buffer-name)
                   (with-current-buffer cj/gh-pulls-buffer-name
                     (> (buffer-size) 0)))))
  (lab-text cj/gh-pulls-buffer-name))

(defun pulls-tests--said (function)
  "Call FUNCTION; return the first message that comes within 20 seconds."
  (let* ((said nil)
         (note (lambda (format &rest args)
                 (when format (push (apply #'format-message format args) said)))))
    (advice-add 'message :before note)
    (unwind-protect
        (progn (funcall function)
               (lab-wait (lambda () said)))
      (advice-remove 'message note))
    (car (last said))))

(defmacro pulls-tests--with (spec &rest body)
  "Run BODY in a checkout in a lab.
SPEC is (LAB DIR HOST [WORLD]).  Kill the buffer with the comments afterwards."
  (declare (indent 1))
  (pcase-let ((`(,lab ,dir ,host ,world) spec))
    `(lab-with (,lab nil ,world)
       (let* ((,dir (pulls-tests--checkout ,lab ,host))
              (default-directory ,dir))
         (ignore ,dir)
         (unwind-protect (progn ,@body)
           (when (get-buffer cj/gh-pulls-buffer-name)
             (kill-buffer cj/gh-pulls-buffer-name)))))))

(ert-deftest pulls-the-branch-s-pull-request-is-named-without-waiting ()
  (dolist (host '("github.com" "ghe.example.com"))
    (ert-info (host)
      (pulls-tests--with (lab dir host)
        (let ((kill-ring nil) (interprogram-cut-function nil) (waited 'unknown))
          (should (equal (pulls-tests--said
                          (lambda ()
                            (cj/gh-pr-current)
                            ;; A command that waited would have its answer now.
                            (setq waited kill-ring)))
                         (concat "#1 OPEN  Read quoted fields with line breaks\n"
                                 "author mona · created 2026-01-04 · updated 2026-01-05 · url https://"
                                 host "/o/r/pull/1")))
          (should-not waited)
          (should (equal (car kill-ring) "1"))
          (should (equal (lab-seen (lab-requests lab))
                         (list (if (equal host "github.com")
                                   '("api.github.com" "/graphql" "PullRequestBrief" "github")
                                 '("ghe.example.com" "/api/graphql" "PullRequestBrief" "ghe")))))
          (should-not (lab-mutations lab)))))))

(ert-deftest pulls-comments-are-grouped-by-file-and-link-to-their-lines ()
  (pulls-tests--with (lab dir "github.com")
    (cj/gh-pr-review-comments)
    (should (equal (pulls-tests--shown)
                   "#1 OPEN  Read quoted fields with line breaks
author mona · created 2026-01-04 · updated 2026-01-05 · url https://github.com/o/r/pull/1

3 review threads: 2 unresolved (1 outdated), 1 resolved

src/reader.rs
  line 11
    | + while open_quote(&line) { line.push_str(&next_line()); }
    kim: What happens with a file that ends inside quotes?
    last of 2, mona: It is an error with the line of the opening quote.
  line 9  resolved by mona lee: A typo in the comment.

NEWS
  line 3  outdated
    | +Quoted fields may hold line breaks.
    unknown: Name the issue.

Changed, without a comment:
  tests/quotes.rs
"))
    (should (equal (mapcar (lambda (request) (nth 2 request)) (lab-seen (lab-requests lab)))
                   '("PullRequestBrief" "PullRequestByNumber" "ReviewThreads")))
    (with-current-buffer cj/gh-pulls-buffer-name
      ;; NEWS is not in the checkout, so it is no link.
      (let ((links (cl-loop with at = (point-min)
                            for button = (next-button at t)
                            while button
                            collect (button-label button)
                            do (setq at (button-end button)))))
        (should (equal links '("src/reader.rs" "line 11" "line 9"))))
      (goto-char (point-min))
      (forward-button 2)
      (save-window-excursion
        (push-button)
        (should (equal (buffer-file-name (window-buffer))
                       (expand-file-name "src/reader.rs" (file-truename dir))))
        (with-current-buffer (window-buffer)
          (should (looking-at "line 11$"))
          (kill-buffer))))))

(ert-deftest pulls-only-files-inside-the-checkout-are-links ()
  (let ((paths '("../outside.txt" "/etc/passwd" "~/secret" "link/secret" "a b: c.rs"
                 "/ssh:host:/x" "src/../../outside.txt" "src")))
    (pulls-tests--with
        (lab dir "github.com"
             (list :repos
                   (list :o/r
                         (list :pulls
                               (vector
                                (list :number 1 :title "Paths" :headRefName "quoted-fields"
                                      :changedFiles (length paths)
                                      :files (vconcat (mapcar (lambda (path)
                                                                (list :path path :additions 1 :deletions 0
                                                                      :changeType "MODIFIED"))
                                                              paths))
                                      :reviewThreads
                                      (vconcat (mapcar (lambda (path)
                                                         (list :id "PRRT_1" :isResolved :false
                                                               :isOutdated :false :path path :line 1 :originalLine 1
                                                               :comments [(:author (:login "eve")
                                                                           :diffHunk "+x = 1"
                                                                                   :body "Look: here")]))
                                                       paths))))))))
      (with-temp-file (expand-file-name "outside.txt" (lab-home lab)) (insert "x"))
      (with-temp-file (expand-file-name "secret" (lab-home lab)) (insert "x"))
      (with-temp-file (expand-file-name "a b: c.rs" dir) (insert "x"))
      (make-symbolic-link ".." (expand-file-name "link" dir))
      (cj/gh-pr-review-comments 1)
      (let ((text (pulls-tests--shown)))
        (dolist (path paths)
          (should (string-match-p (format "^%s\n  line 1\n    | \\+x = 1\n    eve: Look: here$"
                                          (regexp-quote path))
                                  text))))
      (with-current-buffer cj/gh-pulls-buffer-name
        (let ((links (cl-loop with at = (point-min)
                              for button = (next-button at t)
                              while button
                              collect (button-label button)
                              do (setq at (button-end button)))))
          (should (equal links '("a b: c.rs" "line 1"))))))))

(ert-deftest pulls-a-missing-pull-request-is-said-in-the-echo-area-alone ()
  (lab-with (lab)
    (let* ((dir (lab-checkout lab "other" "https://github.com/o/r.git"))
           (default-directory dir))
      (unless (zerop (call-process "git" nil nil nil "checkout" "-q" "-b" "no-pull-request"))
        (error "No branch could be made"))
      (should (string-match-p "no pull request from the branch no-pull-request"
                              (pulls-tests--said #'cj/gh-pr-current)))
      (should (string-match-p "no pull request from the branch no-pull-request"
                              (pulls-tests--said #'cj/gh-pr-review-comments)))
      (should-not (get-buffer cj/gh-pulls-buffer-name)))))

(ert-deftest pulls-a-refused-read-is-said-and-recorded ()
  (pulls-tests--with (lab dir "github.com")
    (pcase-dolist (`(,policy ,kind) '((((read . confirm)) declined)
                                      (((read . block)) policy-blocked)))
      (let ((cj/gh-policy policy))
        (should-not (string-prefix-p "[" (pulls-tests--said #'cj/gh-pr-current)))
        (let ((record (car (cj/gate-record-list 1))))
          (should (equal (plist-get record :command) "pr view"))
          (should (eq (plist-get record :error-kind) kind)))))
    (should-not (lab-requests lab))))

(provide 'pulls-tests)

;;; pulls-tests.el ends here
