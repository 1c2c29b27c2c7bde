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

(defconst cj/gh-pulls-buffer-name "*cj-gh review comments*"
  "Name of the buffer with the review comments.")

;;;; Asking

(defun cj/gh-pulls--plan (job facts)
  "Plan JOB with FACTS, and go on: the function for `:first' of `cj/gate-submit'.
A person scrolls; the usual budget of a result is for a model."
  (let ((cj/gate-result-budget 8000))
    (cj/gate--plan-and-decide job facts)))

(defun cj/gh-pulls--read (directory tool args function)
  "Read what TOOL, a name, gives for ARGS, a plist, without waiting.
The call is made in DIRECTORY; where the policy for reads says so, a person is
asked first.  FUNCTION gets the text; what cannot be read is said in the echo
area."
  (let ((row (cj/gh-tools--row tool)))
    (cj/gate-submit
     "gh" (funcall (plist-get row :argv) row args)
     (lambda (answer)
       (if (string-match "\\`\\[gh [^] ]+ read \\(?:ok\\|confirmed\\|leased\\) [^]\n]+\\]\n" answer)
           (funcall function (substring answer (match-end 0)))
         (cj/gh-pulls--say (substring answer (1+ (string-search "\n" answer))))))
     :cwd directory
     :timeout (plist-get row :timeout)
     :view (cj/gh-tools--view row args)
     :first #'cj/gh-pulls--plan)))

(defun cj/gh-pulls--say (message)
  "Show MESSAGE, without the line to repeat the call with.
That one is in the call's record."
  (message "%s" (string-join (cl-remove-if (lambda (line) (string-prefix-p "Reproduce: " line))
                                           (split-string message "\n" t))
                             "\n")))

(defun cj/gh-pulls--pull (number function)
  "Find the pull request NUMBER, or that of the current branch if it is nil.
FUNCTION gets the directory, the number, and two lines about the pull request."
  (cj/gate-load-module)
  (let ((directory default-directory))
    (cj/gh-pulls--read
     directory (if number "gh_pr_view" "gh_pr_current") (list :number number)
     (lambda (text)
       (if (string-match "\\`#\\([0-9]+\\) .*\\(?:\n.*\\)?" text)
           (funcall function directory
                    (string-to-number (match-string 1 text)) (match-string 0 text))
         (cj/gh-pulls--say "What gh said about the pull request could not be read.
See it with M-x cj/gate-records"))))))

;;;###autoload
(defun cj/gh-pr-current ()
  "Show which pull request the current branch has, in the echo area.
Its number is put on the `kill-ring'.  The branch is that of the checkout
which holds `default-directory'; Emacs does not wait for the answer."
  (interactive)
  (cj/gh-pulls--pull nil (lambda (_directory number lines)
                           (kill-new (number-to-string number))
                           (message "%s" lines))))

;;;; What is shown

(defvar-local cj/gh-pulls--number nil
  "Number of the pull request that the buffer shows.")

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

(defun cj/gh-pulls--fill (root about files threads)
  "Show what there is of a pull request whose checkout is at ROOT.
ABOUT is two lines on it, FILES the text of its files, THREADS that of its
review threads."
  (let* ((inhibit-read-only t)
         (changed (cj/gh-pulls--changed files))
         (by-file (cj/gh-pulls--threads threads changed))
         (quiet (cl-remove-if (lambda (path) (assoc path by-file)) changed)))
    (erase-buffer)
    (insert about "\n\n" (string-join (cj/gh-pulls--notes threads) "\n") "\n")
    (pcase-dolist (`(,path . ,comments) by-file)
      (insert "\n")
      (cj/gh-pulls--link root path nil path)
      (insert "\n")
      (pcase-dolist (`(,line ,words . ,more) comments)
        (insert "  ")
        (cj/gh-pulls--link root path line (if line (format "line %d" line) "file"))
        (insert "  " words "\n")
        (dolist (words more)
          (insert "    " words "\n"))))
    (when quiet
      (insert "\nChanged, without a comment:\n")
      (dolist (path quiet)
        (insert "  ")
        (cj/gh-pulls--link root path nil path)
        (insert "\n")))
    (goto-char (point-min))))

(defvar cj/gh-pulls-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    (define-key map (kbd "n") #'forward-button)
    (define-key map (kbd "p") #'backward-button)
    map)
  "Keys of the buffer with the review comments.")

(define-derived-mode cj/gh-pulls-mode special-mode "cj-gh review"
  "Mode of the buffer with the review comments of a pull request.
\\<cj/gh-pulls-mode-map>\\[forward-button] goes to the next place, RET to its line in the checkout.
\\[revert-buffer] reads anew."
  (setq-local bidi-display-reordering nil)
  (setq-local revert-buffer-function
              (lambda (&rest _) (cj/gh-pr-review-comments cj/gh-pulls--number)))
  (setq truncate-lines nil)
  (visual-line-mode 1))

;;;###autoload
(defun cj/gh-pr-review-comments (&optional number)
  "Show the review comments of a pull request by file and line, with links.
NUMBER is that of the pull request, an integer, the prefix argument; without
one it is the pull request of the current branch.  Each file and line that is
in the checkout is a link to it.  Emacs does not wait for the answers; the
buffer is shown when they are there."
  (interactive (list (and current-prefix-arg
                          (prefix-numeric-value current-prefix-arg))))
  (cj/gh-pulls--pull
   number
   (lambda (directory number about)
     (cj/gh-pulls--read
      directory "gh_pr_files" (list :number number)
      (lambda (files)
        (cj/gh-pulls--read
         directory "gh_pr_review_comments" (list :number number)
         (lambda (threads)
           (with-current-buffer (get-buffer-create cj/gh-pulls-buffer-name)
             (cj/gh-pulls-mode)
             (setq default-directory directory
                   cj/gh-pulls--number number)
             (cj/gh-pulls--fill (or (locate-dominating-file directory ".git") directory)
                                about files threads)
             (unless noninteractive
               (display-buffer (current-buffer)))))))))))

(provide 'cj-gh-pulls)

;;; cj-gh-pulls.el ends here
