;;; cj-gh-pulls.el --- From the branch to its pull request and the comments on its files -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; What a person in a checkout asks most: which pull request is this branch,
;; and what was said about which line.  Both are reads through the gate, with
;; what the tools of the same names give a model; Emacs does not wait for them.
;;
;; A path comes from outside: it becomes a link only if it names a file within
;; the checkout, links of the file system followed.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-job)
(require 'cj-gh-tools)
(require 'cj-gate-view)

(declare-function cj/gate-record-list "cj-gate-record")

(defconst cj/gh-pulls-buffer-name "*cj-gh review comments*"
  "Name of the buffer with the review comments.")

;;;; Asking

(defun cj/gh-pulls--plan (job facts)
  "Plan JOB with FACTS, and go on: the function for `:first' of `cj/gate-submit'.
A person scrolls; the usual budget of a result is for a model."
  (let ((cj/gate-result-budget 8000))
    (cj/gate--plan-and-decide job facts)))

(defun cj/gh-pulls--read (place tool args function)
  "Read what TOOL, a name, gives for ARGS, a plist, without waiting.
The call is made at PLACE, a plist of :directory and :repo; where the policy for
reads says so, a person is asked first.  FUNCTION gets the text; what cannot be
read is said in the echo area."
  (let ((row (cj/gh-tools--row tool)))
    (cj/gate-submit
     "gh" (funcall (plist-get row :argv) row args)
     (lambda (answer)
       (if (string-match "\\`\\[gh [^] ]+ read \\(?:ok\\|confirmed\\|leased\\) [^]\n]+\\]\n" answer)
           (funcall function (substring answer (match-end 0)))
         (cj/gh-pulls--say (substring answer (1+ (string-search "\n" answer))))))
     :cwd (plist-get place :directory)
     :repo (plist-get place :repo)
     :timeout (plist-get row :timeout)
     :view (cj/gh-tools--view row args)
     :first #'cj/gh-pulls--plan)))

(defun cj/gh-pulls--say (message)
  "Show MESSAGE, without the line to repeat the call with.
That one is in the call's record."
  (message "%s" (string-join (cl-remove-if (lambda (line) (string-prefix-p "Reproduce: " line))
                                           (split-string message "\n" t))
                             "\n")))

(defun cj/gh-pulls--pull (number repo function)
  "Find the pull request NUMBER, or that of the current branch if it is nil.
REPO is the repository, \"[HOST/]OWNER/REPO\"; nil: that of the checkout.
FUNCTION gets the place, for `cj/gh-pulls--read', the number, and two lines
about the pull request."
  (cj/gate-load-module)
  (let ((place (list :directory (if (and repo (not (cj/gh-pulls--allowed-p default-directory)))
                                    (car (default-value 'cj/gate-cwd-roots))
                                  default-directory)
                     :repo repo)))
    (cj/gh-pulls--read
     place (if number "gh_pr_view" "gh_pr_current") (list :number number)
     (lambda (text)
       (if (string-match "\\`#\\([0-9]+\\) .*\\(?:\n.*\\)?" text)
           (funcall function place
                    (string-to-number (match-string 1 text)) (match-string 0 text))
         (cj/gh-pulls--say "What gh said about the pull request could not be read.
See it with M-x cj/gate-records"))))))

;;;; Which repository

(defun cj/gh-pulls--allowed-p (directory)
  "Return non-nil if a call may run in DIRECTORY."
  (and (not (file-remote-p directory))
       (cl-some (lambda (root) (file-in-directory-p directory root))
                (default-value 'cj/gate-cwd-roots))))

(defun cj/gh-pulls--repo-here ()
  "Return the repository of the checkout in `default-directory', or nil.
This asks git, for two seconds at most."
  (and (cj/gh-pulls--allowed-p default-directory)
       (condition-case nil
           (plist-get (cj/gh-resolve-context default-directory nil nil) :repo)
         (cj/gate-error nil))))

(defvar cj/gh-pulls--repositories nil
  "Repositories that a person named, the newest first.")

(defun cj/gh-pulls--known ()
  "Return the repositories that this Emacs has asked about, the newest first."
  (require 'cj-gate-record)
  (delete-dups
   (cl-loop for record in (cj/gate-record-list 50 t)
            when (plist-get record :repo)
            collect (if (equal (plist-get record :host) (default-value 'cj/gh-default-host))
                        (cj/gate--owner-and-repo record)
                      (cj/gate--target record)))))

(defun cj/gh-read-repo ()
  "Read the name of a repository in the minibuffer: \"[HOST/]OWNER/REPO\".
What calls of this Emacs went to can be completed."
  (cj/gate-load-module 'offer)
  (let* ((known (cj/gh-pulls--known))
         (name (string-trim
                (completing-read "OWNER/REPO: " known nil nil nil
                                 'cj/gh-pulls--repositories (car known)))))
    (unless (string-match-p "\\`\\(?:[^/ ]+/\\)?[^/ ]+/[^/ ]+\\'" name)
      (user-error "This is not the name of a repository: %S; write OWNER/REPO" name))
    name))

(defun cj/gh-pulls--arguments (number)
  "Return the list of NUMBER and a repository for an interactive call.
Outside a checkout the person is asked for the repository, and for the number
too where NUMBER is nil: there is no branch whose pull request could be meant."
  (cj/gate-load-module 'offer)
  (if (cj/gh-pulls--repo-here)
      (list number nil)
    (let ((repo (cj/gh-read-repo)))
      (list (or number (read-number (format "Pull request of %s: #" repo)))
            repo))))

;;;###autoload
(defun cj/gh-pr-current (&optional number repo)
  "Show which pull request the current branch has, in the echo area.
Its number is put on the `kill-ring'.  The branch is that of the checkout
which holds `default-directory'; outside one you are asked for a repository and
a number.  Emacs does not wait for the answer.
From Lisp, NUMBER, an integer, and REPO, a string, [HOST/]OWNER/REPO, name
another one."
  (interactive (cj/gh-pulls--arguments nil))
  (cj/gh-pulls--pull number repo
                     (lambda (_place number lines)
                       (kill-new (number-to-string number))
                       (message "%s" lines))))

;;;; What is shown

(defvar-local cj/gh-pulls--number nil
  "Number of the pull request that the buffer shows.")

(defvar-local cj/gh-pulls--repo nil
  "Its repository, where it is not that of the checkout.")

(defun cj/gh-pulls--file (root path)
  "Return the file PATH of the checkout at ROOT, if there is one within it."
  (let ((file (expand-file-name path root)))
    (and (not (file-remote-p file))
         (not (file-name-absolute-p path))
         (file-regular-p file)
         (file-in-directory-p file root)
         file)))

(defun cj/gh-pulls--link (root path line text)
  "Insert TEXT, as a link to LINE of PATH in the checkout at ROOT.
Without a file of that name there it is plain text."
  (let ((file (cj/gh-pulls--file root path)))
    (if (not file)
        (insert text)
      (insert-text-button
       text 'follow-link t 'help-echo (format "Go to %s" path)
       'action (lambda (_)
                 (find-file-other-window file)
                 (when line
                   (push-mark nil t)
                   (widen)
                   (goto-char (point-min))
                   (forward-line (1- line))))))))

(defun cj/gh-pulls--changed (text)
  "Return the paths in TEXT, the files of a pull request, in their order."
  (cl-loop for line in (cdr (split-string text "\n"))
           when (string-match "\\`[A-Z?] \\(.+\\) \\+[0-9]+ -[0-9]+\\'" line)
           collect (match-string 1 line)))

(defun cj/gh-pulls--thread (line changed)
  "Return the thread in LINE, a list (PATH NUMBER WORDS), or nil.
CHANGED has the paths of the pull request: a path may hold anything, and the
longest of them that fits is meant."
  (when (string-prefix-p "- " line)
    (let* ((rest (substring line 2))
           (path (car (sort (cl-remove-if-not
                             (lambda (path)
                               (and (string-prefix-p path rest)
                                    (string-match-p "\\`[: ]" (substring rest (length path)))))
                             (copy-sequence changed))
                            (lambda (a b) (> (length a) (length b))))))
           (start (cond (path (length path))
                        ;; A file that is no longer changed.
                        ((string-match "\\`[^ ]+?\\(?:[: ]\\)" rest) (1- (match-end 0))))))
      (when (and start
                 (string-match "\\`\\(?::\\([0-9]+\\)\\)? \\(.*\\)\\'" (substring rest start)))
        (let ((tail (substring rest start)))
          (list (substring rest 0 start)
                (and (match-string 1 tail) (string-to-number (match-string 1 tail)))
                (match-string 2 tail)))))))

(defun cj/gh-pulls--threads (text changed)
  "Return the threads in TEXT by file: an alist of paths.
Each value is a list of (NUMBER WORDS...), in the order of TEXT, in which what
is unresolved comes first.  CHANGED is as in `cj/gh-pulls--thread'."
  (let ((files nil) (last nil))
    (dolist (line (split-string text "\n"))
      (let* ((thread (cj/gh-pulls--thread line changed))
             (file (and thread (assoc (car thread) files))))
        (cond
         (thread
          (unless file
            (setq file (list (car thread))
                  files (append files (list file))))
          (setq last (copy-sequence (cdr thread)))
          (nconc file (list last)))
         ;; The thread's last answer.
         ((and last (string-prefix-p "  " line))
          (nconc last (list (string-trim line)))))))
    files))

(defun cj/gh-pulls--notes (text)
  "Return the lines of TEXT about it as a whole: the first and those in brackets."
  (let ((lines (split-string text "\n")))
    (cons (car lines)
          (cl-remove-if-not (lambda (line) (string-match-p "\\`\\[.*]\\'" line))
                            (cdr lines)))))

(defun cj/gh-pulls--insert-words (words prefix)
  "Insert WORDS, a comment; in a narrow window PREFIX stands before the rest."
  (let ((state (and (string-match "\\`\\(?:resolved\\|outdated\\)\\_>" words)
                    (match-end 0))))
    (insert (propertize (concat (if state (propertize (substring words 0 state)
                                                      'face 'cj/gate-quiet)
                                  "")
                                (substring words (or state 0)) "\n")
                        'wrap-prefix prefix))))

(defun cj/gh-pulls--fill (root about files threads)
  "Show what there is of a pull request whose checkout is at ROOT.
ABOUT is two lines on it, FILES the text of its files, THREADS that of its
review threads."
  (let* ((inhibit-read-only t)
         (changed (cj/gh-pulls--changed files))
         (by-file (cj/gh-pulls--threads threads changed))
         (quiet (cl-remove-if (lambda (path) (assoc path by-file)) changed)))
    (erase-buffer)
    (insert (propertize (car (split-string about "\n")) 'face 'cj/gate-heading)
            (substring about (length (car (split-string about "\n"))))
            "\n\n" (string-join (cj/gh-pulls--notes threads) "\n") "\n")
    (pcase-dolist (`(,path . ,comments) by-file)
      (insert "\n")
      (let ((start (point)))
        (cj/gh-pulls--link root path nil path)
        (put-text-property start (point) 'cj/gate-section path))
      (insert "\n")
      (pcase-dolist (`(,line ,words . ,more) comments)
        (insert "  ")
        (cj/gh-pulls--link root path line (if line (format "line %d" line) "file"))
        (insert "  ")
        (cj/gh-pulls--insert-words words "    ")
        (dolist (words more)
          (insert "    ")
          (cj/gh-pulls--insert-words words "      "))))
    (when quiet
      (insert "\n" (cj/gate-view-heading "Changed, without a comment:"))
      (dolist (path quiet)
        (insert "  ")
        (cj/gh-pulls--link root path nil path)
        (insert "\n")))
    (restore-buffer-modified-p nil)
    (goto-char (point-min))))

(defvar cj/gh-pulls-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "n") #'forward-button)
    (define-key map (kbd "p") #'backward-button)
    map)
  "Keys of the buffer with the review comments.")

(define-derived-mode cj/gh-pulls-mode cj/gate-view-mode "cj-gh review"
  "Mode of the buffer with the review comments of a pull request.
\\<cj/gh-pulls-mode-map>\
\\[forward-button] goes to the next place.
\\<button-map>\\[push-button] goes to its line in the checkout.
\\<cj/gh-pulls-mode-map>\
\\[revert-buffer] reads anew.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function
              (lambda (&rest _)
                (cj/gh-pr-review-comments cj/gh-pulls--number cj/gh-pulls--repo))))

;;;###autoload
(defun cj/gh-pr-review-comments (&optional number repo)
  "Show the review comments of a pull request by file and line, with links.
NUMBER is that of the pull request, an integer, the prefix argument; without
one it is the pull request of the current branch.  REPO is its repository, a
string, [HOST/]OWNER/REPO, by default that of the checkout; outside a checkout
you are asked for both.  Each file and line that is in the checkout is a link
to it.
Emacs does not wait for the answers; the buffer is shown when they are there,
and selected if you have pressed no key meanwhile."
  (interactive (cj/gh-pulls--arguments (and current-prefix-arg
                                            (prefix-numeric-value current-prefix-arg))))
  (let ((show (cj/gate-view-later)))
    (cj/gh-pulls--pull
     number repo
     (lambda (place number about)
       (cj/gh-pulls--read
        place "gh_pr_files" (list :number number)
        (lambda (files)
          (cj/gh-pulls--read
           place "gh_pr_review_comments" (list :number number)
           (lambda (threads)
             (with-current-buffer (get-buffer-create cj/gh-pulls-buffer-name)
               (cj/gh-pulls-mode)
               (setq default-directory (plist-get place :directory)
                     cj/gh-pulls--number number
                     cj/gh-pulls--repo repo)
               (cj/gh-pulls--fill (or (locate-dominating-file default-directory ".git")
                                      default-directory)
                                  about files threads)
               (unless noninteractive
                 (funcall show (current-buffer))))))))))))

(provide 'cj-gh-pulls)

;;; cj-gh-pulls.el ends here
