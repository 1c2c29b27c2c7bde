;;; live.el --- Read one pull request with the user's own gh -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Calls the function of the tool gh_pr_view on GitHub itself, with the gh that
;; the variable GH names and the user's own login and environment.  REPO and PR
;; name the pull request.  This is one read; no other call is made.

;;; Code:

(require 'cj-gh)
(require 'cj-gh-tools)
(require 'cj-gate-record)

(defun live-read (repo number)
  "Return the answer of gh_pr_view for pull request NUMBER of REPO, or nil."
  (let ((deadline (time-add nil 60))
        (answer nil))
    (cj/gh-tool-pr-view (lambda (text) (setq answer text)) number nil nil repo)
    (while (and (not answer) (time-less-p nil deadline))
      (accept-process-output nil 0.05))
    answer))

(defun live ()
  "Read the pull request and print what a model would get; end Emacs."
  (let* ((coding-system-for-write 'utf-8)
         (cj/gh-executable (or (executable-find (getenv "GH")) (getenv "GH")))
         (repo (getenv "REPO"))
         (number (string-to-number (getenv "PR")))
         ;; The home directory, so that no checkout names another repository.
         (default-directory (expand-file-name "~/"))
         (answer (live-read repo number))
         (record (car (cj/gate-record-list 1))))
    (princ (format "gh_pr_view of pull request %d in %s, through your own gh and login.
This is what a model would get:\n\n" number repo))
    (princ (or answer "Nothing came within 60 seconds."))
    (princ "\n")
    (let ((failed (or (null answer) (plist-get record :error-kind))))
      (unless failed
        (princ (format "\nThe same in a terminal:\n  %s\n" (plist-get record :reproduce))))
      (kill-emacs (if failed 1 0)))))

(live)

;;; live.el ends here
