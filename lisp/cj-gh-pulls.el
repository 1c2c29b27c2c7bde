;;; cj-gh-pulls.el --- The pull request of the branch, and its review comments -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Two commands for a person in a checkout: which pull request does this branch
;; have, and what did reviewers say about which line?  Both make the reads that
;; the tools of the same names make for a model, through the gate; Emacs does
;; not wait for them.
;;
;; Paths come from outside.  A path becomes a link only if it names a file
;; within the checkout after symbolic links are followed.

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

;;;; Reads

(defun cj/gh-pulls--plan (job facts)
  "Plan JOB with FACTS and a larger budget, and go on.
This is for `:first' of `cj/gate-submit'.  The usual budget of 800 tokens is for
a model; a person can scroll through 8000."
  (let ((cj/gate-result-budget 8000))
    (cj/gate--plan-and-decide job facts)))

(defun cj/gh-pulls--read (place tool args function)
  "Make the call of the tool named TOOL with ARGS, a plist, without waiting.
PLACE is a plist of the :directory and the :repo of the call.  If the policy for
reads is `confirm', a person is asked first.  FUNCTION gets the text of the
result; the echo area shows why a call failed."
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
  "Show MESSAGE in the echo area, without its line \"Reproduce: ...\".
The record of the call has that line."
  (message "%s" (string-join (cl-remove-if (lambda (line) (string-prefix-p "Reproduce: " line))
                                           (split-string message "\n" t))
                             "\n")))

(defun cj/gh-pulls--pull (number repo function)
  "Find the pull request NUMBER; nil: that of the current branch.
REPO is the repository, \"[HOST/]OWNER/REPO\"; nil: that of the checkout.
FUNCTION gets the PLACE for `cj/gh-pulls--read', the number, and two lines about
the pull request."
  (cj/gate-load-module)
  (let ((place (list :directory (if (and repo (not (cj/gh-pulls--allowed-p default-directory)))
                                    (car (default-value 'cj/gate-cwd-roots))
                                  default-directory)
                     :repo repo)))
    (cj/gh-pulls--read
     place "gh_pr_view" (list :number (and number (number-to-string number)))
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
This waits for git, at most two seconds."
  (and (cj/gh-pulls--allowed-p default-directory)
       (condition-case nil
           (plist-get (cj/gh-resolve-context default-directory nil nil) :repo)
         (cj/gate-error nil))))

(defvar cj/gh-pulls--repositories nil
  "History of `cj/gh-read-repo': repositories, the newest first.")

(defun cj/gh-pulls--known ()
  "Return the repositories of the last 50 records, the newest first."
  (require 'cj-gate-record)
  (delete-dups
   (cl-loop for record in (cj/gate-record-list 50 t)
            when (plist-get record :repo)
            collect (if (equal (plist-get record :host) (default-value 'cj/gh-default-host))
                        (cj/gate--owner-and-repo record)
                      (cj/gate--target record)))))

(defun cj/gh-read-repo ()
  "Read the name of a repository in the minibuffer: \"[HOST/]OWNER/REPO\".
Repositories that recent calls of this Emacs went to are completed."
  (cj/gate-load-module 'offer)
  (let* ((known (cj/gh-pulls--known))
         (name (string-trim
                (completing-read "OWNER/REPO: " known nil nil nil
                                 'cj/gh-pulls--repositories (car known)))))
    (unless (string-match-p "\\`\\(?:[^/ ]+/\\)?[^/ ]+/[^/ ]+\\'" name)
      (user-error "This is not the name of a repository: %S; write OWNER/REPO" name))
    name))

(defun cj/gh-pulls--arguments (number)
  "Return the interactive arguments (NUMBER REPO) of a command.
In a checkout REPO is nil.  Outside one ask for REPO and, if NUMBER is nil, for
NUMBER too: no branch there names a pull request."
  (cj/gate-load-module 'offer)
  (if (cj/gh-pulls--repo-here)
      (list number nil)
    (let ((repo (cj/gh-read-repo)))
      (list (or number (read-number (format "Pull request of %s: #" repo)))
            repo))))

;;;###autoload
(defun cj/gh-pr-current (&optional number repo)
  "Show the pull request of the current branch in the echo area.
Its number is put on the `kill-ring'.  The branch is that of the checkout of
`default-directory'; outside a checkout you are asked for a repository and a
number.  Emacs does not wait for the answer.
From Lisp, NUMBER, an integer, and REPO, a string, [HOST/]OWNER/REPO, name
another pull request."
  (interactive (cj/gh-pulls--arguments nil))
  (cj/gh-pulls--pull number repo
                     (lambda (_place number lines)
                       (kill-new (number-to-string number))
                       (message "%s" lines))))

;;;; The buffer

(defvar-local cj/gh-pulls--number nil
  "Number of the pull request that the buffer shows.")

(defvar-local cj/gh-pulls--repo nil
  "Repository of that pull request; nil stands for that of the checkout.")

(defun cj/gh-pulls--file (root path)
  "Return the file PATH of the checkout at ROOT, or nil if it is not within."
  (let ((file (expand-file-name path root)))
    (and (not (file-remote-p file))
         (not (file-name-absolute-p path))
         (file-regular-p file)
         (file-in-directory-p file root)
         file)))

(defun cj/gh-pulls--link (root path line text)
  "Insert TEXT, as a link to LINE of PATH in the checkout at ROOT.
If the checkout has no such file, insert TEXT as plain text."
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
  "Return the paths in TEXT, in its order.
TEXT is the result of the tool gh_pr_files."
  (cl-loop for line in (cdr (split-string text "\n"))
           when (string-match "\\`[A-Z?] \\(.+\\) \\+[0-9]+ -[0-9]+\\'" line)
           collect (match-string 1 line)))

(defun cj/gh-pulls--thread (line changed)
  "Return the thread in LINE, a list (PATH NUMBER WORDS), or nil.
NUMBER is the line of the file, or nil; WORDS is the rest of LINE.
CHANGED has the paths of the pull request.  The longest of them with which LINE
begins is PATH, since a path may contain blanks and colons."
  (when (string-prefix-p "- " line)
    (let* ((rest (substring line 2))
           (path (car (sort (cl-remove-if-not
                             (lambda (path)
                               (and (string-prefix-p path rest)
                                    (string-match-p "\\`[: ]" (substring rest (length path)))))
                             (copy-sequence changed))
                            (lambda (a b) (> (length a) (length b))))))
           (start (cond (path (length path))
                        ;; The pull request no longer changes this file.
                        ((string-match "\\`[^ ]+?\\(?:[: ]\\)" rest) (1- (match-end 0))))))
      (when (and start
                 (string-match "\\`\\(?::\\([0-9]+\\)\\(?:-[0-9]+\\)?\\)? \\(.*\\)\\'"
                               (substring rest start)))
        (let ((tail (substring rest start)))
          (list (substring rest 0 start)
                (and (match-string 1 tail) (string-to-number (match-string 1 tail)))
                ;; Only a model needs the thread's id.
                (string-trim
                 (replace-regexp-in-string "\\(?:\\`\\| \\)\\(?:PRRT_\\|MDI\\)[^ ]+ ?" " "
                                           (match-string 2 tail) t))))))))

(defun cj/gh-pulls--threads (text changed)
  "Return the threads in TEXT by file: an alist of paths.
TEXT is the result of the tool gh_pr_threads.  Each value is a list of
\(NUMBER WORDS...) in the order of TEXT, in which unresolved threads come first.
CHANGED is as in `cj/gh-pulls--thread'."
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
  "Return the lines about all threads in TEXT: the first and those in brackets."
  (let ((lines (split-string text "\n")))
    (cons (car lines)
          (cl-remove-if-not (lambda (line)
                              (and (string-match-p "\\`\\[.*]\\'" line)
                                   (not (string-search "gh_more" line))))
                            (cdr lines)))))

(defun cj/gh-pulls--insert-words (words prefix)
  "Insert WORDS, a comment; its wrapped lines begin with PREFIX."
  (let ((state (and (string-match "\\`\\(?:resolved\\|outdated\\)\\_>" words)
                    (match-end 0))))
    (insert (propertize (concat (if state (propertize (substring words 0 state)
                                                      'face 'cj/gate-quiet)
                                  "")
                                (substring words (or state 0)) "\n")
                        'wrap-prefix prefix))))

(defun cj/gh-pulls--fill (root about files threads)
  "Fill the current buffer with the comments of a pull request.
ROOT is the root of its checkout, and ABOUT are two lines about it.  FILES is
the result of the tool gh_pr_files, THREADS that of gh_pr_threads."
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
        (unless (string-empty-p words) (insert "  "))
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
\\[forward-button] goes to the next link, to a file or a line.
\\<button-map>\\[push-button] on a link goes to that file or line in the checkout.
\\<cj/gh-pulls-mode-map>\
\\[revert-buffer] reads the comments again.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function
              (lambda (&rest _)
                (cj/gh-pr-review-comments cj/gh-pulls--number cj/gh-pulls--repo))))

;;;###autoload
(defun cj/gh-pr-review-comments (&optional number repo)
  "Show the review comments of a pull request by file and line, with links.
NUMBER, the prefix argument, is the number of the pull request; without it, this
is the pull request of the current branch.  REPO is its repository, a string,
[HOST/]OWNER/REPO, by default that of the checkout; outside a checkout you are
asked for both.  Each file and line that the checkout has is a link.
Emacs does not wait for the answers.  The buffer is shown when they have come,
and selected if you have pressed no key meanwhile."
  (interactive (cj/gh-pulls--arguments (and current-prefix-arg
                                            (prefix-numeric-value current-prefix-arg))))
  (let ((show (cj/gate-view-later)))
    (cj/gh-pulls--pull
     number repo
     (lambda (place number about)
       (cj/gh-pulls--read
        place "gh_pr_files" (list :number (number-to-string number))
        (lambda (files)
          (cj/gh-pulls--read
           place "gh_pr_threads" (list :number (number-to-string number)
                                       :include_body t)
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
