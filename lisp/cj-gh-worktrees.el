;;; cj-gh-worktrees.el --- A list of the gate's worktrees -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The worktrees of pull requests and the clones below
;; `cj/gh-worktree-directory', with what in them was not pushed or not
;; committed.  One is visited with magit, vc or Dired, after the core has set
;; aside whatever could make git run a program there.  One is removed by a yes;
;; one with work in it only by a yes to exactly this work, which is named.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-table)

(declare-function cj/gate--mod-worktrees "ext:cj-gate-module")
(declare-function cj/gate--mod-worktree-visit "ext:cj-gate-module")
(declare-function cj/gate--mod-worktree-remove "ext:cj-gate-module")
(declare-function magit-status-setup-buffer "ext:magit-status")
(declare-function vc-dir "vc-dir")

(defconst cj/gh-worktrees-buffer-name "*cj-gh worktrees*"
  "Name of the buffer that lists the worktrees.")

(defconst cj/gh-worktrees--losses-name "*cj-gh worktree*"
  "Name of the buffer that names what would be lost with a worktree.")

;;;; Asking the core

(defun cj/gh-worktrees--await (ticket function)
  "Call FUNCTION with the plist that the work behind TICKET comes to.
If the work fails, say so in the echo area instead."
  (cj/gate--await
   ticket
   (lambda (came)
     (if (keywordp (car came))
         (funcall function came)
       (message "%s" (cdr came))))))

(defun cj/gh-worktrees--aside (came)
  "Return a sentence for each thing that was set aside, by CAME, a plist.
The value is a string to add to a message, empty if there was nothing."
  (mapconcat (lambda (sentence) (concat "\nSet aside: " sentence))
             (plist-get came :told) ""))

;;;; The list

(defvar cj/gh-worktrees-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "RET") #'cj/gh-worktrees-visit)
    (define-key map (kbd "k") #'cj/gh-worktrees-remove)
    (define-key map (kbd "w") #'cj/gh-worktrees-copy)
    map)
  "Keys of the list of worktrees.")

(define-derived-mode cj/gh-worktrees-mode cj/gate-table-mode "cj-gh worktrees"
  "Mode of the list of worktrees and clones.
\\<cj/gh-worktrees-mode-map>\
\\[cj/gh-worktrees-visit] visits the worktree at point.
\\[cj/gh-worktrees-remove] removes it, after a question.
\\[cj/gh-worktrees-copy] copies the name of its directory.
\\[revert-buffer] updates the list.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gh-worktrees--read))))

(defun cj/gh-worktrees--later-p (a b)
  "Return non-nil if the worktree of the row A was changed after that of B."
  (> (or (plist-get (car a) :changed-at) 0)
     (or (plist-get (car b) :changed-at) 0)))

(defconst cj/gh-worktrees--columns
  (list (list "Repository" 40 12 t)
        (list "What" 24 6 t)
        (list "Age" 7 nil #'cj/gh-worktrees--later-p)
        (list "State" nil nil t))
  "Columns of the list, for `cj/gate-table-fill'.")

(defun cj/gh-worktrees--age (row)
  "Return the time since git last changed something of ROW, as text."
  (let* ((then (plist-get row :changed-at))
         (minutes (and then (max 0 (floor (- (float-time) then) 60)))))
    (cond ((null minutes) "-")
          ((< minutes 60) (format "%d min" minutes))
          ((< minutes (* 48 60)) (format "%d h" (/ minutes 60)))
          (t (format "%d d" (/ minutes 1440))))))

(defun cj/gh-worktrees--losses (row)
  "Return a list of words for the work in ROW, a plist: \"2 commits not pushed\"."
  (let ((unpushed (or (plist-get row :unpushed) 0))
        (changed (or (plist-get row :changed) 0)))
    (delq nil
          (list (unless (zerop unpushed)
                  (concat (cj/gate-view-count unpushed "commit") " not pushed"))
                (unless (zerop changed)
                  (concat (cj/gate-view-count changed "file") " changed"))))))

(defun cj/gh-worktrees--words (row)
  "Return the state of ROW, a plist, as words with a face."
  (pcase (plist-get row :state)
    ('busy (propertize "busy: a call is at work" 'face 'cj/gate-quiet))
    ('broken (propertize (concat "cannot be read: " (plist-get row :why))
                         'face 'cj/gate-bad))
    ('foreign (propertize (concat "made by somebody else, at " (plist-get row :why))
                          'face 'cj/gate-quiet))
    ('empty (if (plist-get row :more)
                (propertize "no worktree; a stash or a tag not pushed"
                            'face 'cj/gate-warning)
              (propertize "no worktree" 'face 'cj/gate-quiet)))
    (_
     (let ((elsewhere (plist-get row :elsewhere))
           (losses (cj/gh-worktrees--losses row)))
       (mapconcat
        #'identity
        (delq nil
              (list (and (plist-get row :interrupted)
                         (propertize "interrupted" 'face 'cj/gate-bad))
                    (unless (plist-get row :there)
                      (propertize "directory gone" 'face 'cj/gate-quiet))
                    (and elsewhere
                         (if (string-empty-p elsewhere) "on no branch"
                           (concat "on " elsewhere)))
                    (if losses
                        (propertize (string-join losses ", ") 'face 'cj/gate-warning)
                      (propertize "clean" 'face 'cj/gate-good))))
        ", ")))))

(defun cj/gh-worktrees--several-hosts-p (rows)
  "Return non-nil if ROWS, plists, are of several hosts or not of github.com."
  (cl-some (lambda (row) (not (equal (plist-get row :host) "github.com"))) rows))

(defun cj/gh-worktrees--fill (rows)
  "Fill the list with ROWS, plists, and stay at the line of point."
  (let ((line (line-number-at-pos))
        (name (plist-get (tabulated-list-get-id) :name))
        (hosts (cj/gh-worktrees--several-hosts-p rows)))
    (cj/gate-table-fill
     cj/gh-worktrees--columns
     (mapcar (lambda (row)
               (list row
                     (vector (concat (and hosts (concat (plist-get row :host) "/"))
                                     (plist-get row :repo))
                             (propertize (plist-get row :what) 'face 'cj/gate-command)
                             (propertize (cj/gh-worktrees--age row) 'face 'cj/gate-quiet)
                             (cj/gh-worktrees--words row))))
             rows)
     (lambda ()
       (insert (format "There is no worktree below %s.\n\
The tools `gh_pr_checkout' and `gh_repo_clone' make some.\n"
                       (abbreviate-file-name (cj/gh-worktree-directory))))))
    (goto-char (point-min))
    (forward-line (1- line))
    (when (and (eobp) (> line 1))
      (forward-line -1))
    (let ((there (and name (save-excursion
                             (goto-char (point-min))
                             (cl-loop until (eobp)
                                      when (equal name (plist-get (tabulated-list-get-id)
                                                                  :name))
                                      return (point)
                                      do (forward-line))))))
      (when there
        (goto-char there)))))

(defun cj/gh-worktrees--read (&optional words)
  "Read the worktrees in the background, then fill the list.
WORDS, a string, is shown in the echo area then."
  (let ((buffer (current-buffer)))
    (cj/gh-worktrees--await
     (cj/gate--mod-worktrees (cj/gate--settings "gh"))
     (lambda (came)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (cj/gh-worktrees--fill (plist-get came :rows))
           (let ((window (get-buffer-window buffer t)))
             (when window
               (set-window-point window (point)))))
         (let ((text (string-trim (concat words (cj/gh-worktrees--aside came)))))
           (unless (string-empty-p text)
             (message "%s" text))))))))

;;;###autoload
(defun cj/gh-worktrees ()
  "List the worktrees of pull requests and the clones of the gate.
They are below `cj/gh-worktree-directory'.  The list says which have commits
that were not pushed or files that were not committed.  In the list,
\\<cj/gh-worktrees-mode-map>\\[cj/gh-worktrees-visit] visits the worktree at point and \\[cj/gh-worktrees-remove] removes it."
  (interactive)
  (cj/gate-load-module 'offer)
  (with-current-buffer (get-buffer-create cj/gh-worktrees-buffer-name)
    (unless (derived-mode-p 'cj/gh-worktrees-mode)
      (cj/gh-worktrees-mode))
    (cj/gh-worktrees--read))
  (cj/gate-view-show cj/gh-worktrees-buffer-name))

(defun cj/gh-worktrees--row ()
  "Return the row at point, a plist; signal a `user-error' if there is none."
  (or (tabulated-list-get-id) (user-error "There is no worktree here")))

(defun cj/gh-worktrees-copy ()
  "Copy the name of the directory of the worktree at point."
  (interactive nil cj/gh-worktrees-mode)
  (let ((directory (file-name-as-directory
                    (plist-get (cj/gh-worktrees--row) :directory))))
    (kill-new directory)
    (message "Copied %s" directory)))

;;;; Visiting

(defun cj/gh-worktrees--open (directory)
  "Show the state of the worktree in DIRECTORY with magit, else vc, else Dired."
  (let ((directory (file-name-as-directory directory)))
    (cond
     ((or (fboundp 'magit-status-setup-buffer)
          (and (require 'magit nil t) (fboundp 'magit-status-setup-buffer)))
      (magit-status-setup-buffer directory))
     ((require 'vc-dir nil t)
      (condition-case nil
          (vc-dir directory 'Git)
        (error (dired directory))))
     (t (dired directory)))))

(defun cj/gh-worktrees-visit ()
  "Visit the worktree at point, with magit if it is there, else with vc.
First the core sets aside whatever somebody has written into the configuration
of its store, so that your own git runs no program of a stranger; the echo area
says so."
  (interactive nil cj/gh-worktrees-mode)
  (let ((row (cj/gh-worktrees--row))
        (events num-nonmacro-input-events))
    (when (memq (plist-get row :state) '(foreign empty))
      (user-error "There is no worktree of the gate here"))
    (cj/gh-worktrees--await
     (cj/gate--mod-worktree-visit (plist-get row :name) (cj/gate--settings "gh"))
     (lambda (came)
       (let ((aside (string-trim (cj/gh-worktrees--aside came))))
         ;; A person who has gone on typing is not led away.
         (if (not (and (eql events num-nonmacro-input-events)
                       (not (active-minibuffer-window))))
             (message "%s" (string-trim (concat "Press RET again to visit it.\n" aside)))
           (with-local-quit
             (cj/gh-worktrees--open (plist-get came :directory)))
           (unless (string-empty-p aside)
             (message "%s" aside))))))))

;;;; Removing

(defun cj/gh-worktrees--title (row)
  "Return what ROW, a plist, stands for: \"#12 of o/r\"."
  (let ((what (plist-get row :what))
        (repo (plist-get row :repo)))
    (cond ((string-empty-p what) (concat "the store of " repo))
          ((and (eq (plist-get row :state) 'read) (not (plist-get row :there)))
           (format "the branch %s of %s, whose directory is gone" what repo))
          (t (format "%s of %s" what repo)))))

(defun cj/gh-worktrees--shown (heading lines)
  "Return HEADING and below it LINES, a list of strings, as text; nil if empty."
  (and lines
       (concat (propertize heading 'face 'cj/gate-heading) "\n"
               (mapconcat (lambda (line) (concat "  " line "\n")) lines "")
               "\n")))

(defun cj/gh-worktrees--lost (row)
  "Return the text that names what would be lost with ROW, a plist."
  (concat
   (propertize (format "Lost with %s, and nowhere else:" (cj/gh-worktrees--title row))
               'face 'cj/gate-bad)
   "\n\n"
   (pcase (plist-get row :state)
     ('broken (concat "  Nobody knows: " (plist-get row :why) "\n"))
     ('empty "  A stash, a tag or other commits that were not pushed.\n"))
   (cj/gh-worktrees--shown "Commits that were not pushed" (plist-get row :commits))
   (cj/gh-worktrees--shown "Files that were not committed" (plist-get row :files))
   (cj/gh-worktrees--shown "Files that git ignores" (plist-get row :ignored-files))))

(defun cj/gh-worktrees--yes-p (prompt)
  "Ask PROMPT until yes or no is typed in full; return non-nil for yes.
For `yes-or-no-p' a key can be enough (`use-short-answers', or an alias)."
  (let (answer)
    (while (not (member (setq answer (downcase (string-trim (read-from-minibuffer
                                                             (concat prompt "(yes or no) ")))))
                        '("yes" "no")))
      (ding)
      (discard-input)
      (message "Please answer yes or no.")
      (sleep-for 1))
    (equal answer "yes")))

(defun cj/gh-worktrees--ask-about-work (row)
  "Ask whether ROW may be removed with the work in it; return non-nil if so.
The question stands below a window that names each commit and each file."
  (let* ((buffer (get-buffer-create cj/gh-worktrees--losses-name))
         (window (progn
                   (with-current-buffer buffer
                     (cj/gate-view-mode)
                     (let ((inhibit-read-only t))
                       (erase-buffer)
                       (insert (cj/gh-worktrees--lost row))
                       (goto-char (point-min))))
                   (display-buffer
                    buffer '(display-buffer-at-bottom
                             (window-height . fit-window-to-buffer)
                             (inhibit-same-window . t))))))
    (unwind-protect
        (cj/gh-worktrees--yes-p
         (format "Remove %s and lose %s? " (cj/gh-worktrees--title row)
                 (if (cj/gh-worktrees--losses row)
                     (string-join (cj/gh-worktrees--losses row) ", ")
                   "whatever is in it")))
      (when (window-live-p window)
        (quit-restore-window window 'kill))
      (when (buffer-live-p buffer)
        (kill-buffer buffer)))))

(defun cj/gh-worktrees--ask (row)
  "Ask whether ROW, a plist, may be removed; return non-nil if so."
  (pcase (plist-get row :state)
    ('busy (user-error "A call is at work there; type g when it has ended"))
    ('foreign (user-error "The gate did not make it; use `git worktree remove'")))
  (if (plist-get row :seen)
      (cj/gh-worktrees--ask-about-work row)
    (let ((ignored (plist-get row :ignored-files)))
      (y-or-n-p (format "Remove %s (%s)? " (cj/gh-worktrees--title row)
                        (if ignored
                            (format "with it goes what git ignores: %s"
                                    (truncate-string-to-width
                                     (string-join ignored ", ") 60 nil nil t))
                          "nothing is lost"))))))

(defun cj/gh-worktrees-remove (row yes)
  "Remove the worktree of ROW, a plist, if YES is non-nil.
With it go git's own directory for it and its branch, and with the last one of a
repository the store.  The question for one with commits that were not pushed,
or with files that were not committed, names them, and wants yes in full; if
something else is there by then, nothing is removed."
  (interactive (let ((row (cj/gh-worktrees--row)))
                 (list row (cj/gh-worktrees--ask row)))
               cj/gh-worktrees-mode)
  (if (not yes)
      (message "Kept")
    (let ((buffer (current-buffer))
          (title (cj/gh-worktrees--title row)))
      (cj/gh-worktrees--await
       (cj/gate--mod-worktree-remove (plist-get row :name) (plist-get row :seen)
                                     (cj/gate--settings "gh"))
       (lambda (came)
         (when (buffer-live-p buffer)
           (with-current-buffer buffer
             (cj/gh-worktrees--read
              (concat
               (if (plist-get came :kept)
                   (format "Not removed: something has changed in %s meanwhile.  Look again"
                           title)
                 (concat "Removed " title
                         (let ((more (plist-get came :removed)))
                           (unless (string-empty-p more)
                             (concat "; " more)))))
               (cj/gh-worktrees--aside came))))))))))

;;;; The list of what is kept

(defun cj/gh-worktrees-kept ()
  "Return what has worktrees on disk, plists for `cj/gate-purge-sources'.
None of it is removed there: that needs a look at what was not pushed."
  (let ((place (cj/gh-worktree-directory)))
    (unless (or (file-remote-p place) (not (file-directory-p place)))
      (cl-loop
       for store in (let ((default-directory place))
                      (file-expand-wildcards "*/*/*.git" t))
       when (eq t (file-attribute-type (file-attributes store)))
       collect (list :what "Worktrees"
                     :place (abbreviate-file-name (file-name-sans-extension store))
                     :size ""
                     :visit #'cj/gh-worktrees
                     :stays "Worktrees are removed one by one (M-x cj/gh-worktrees)")))))

(provide 'cj-gh-worktrees)

;;; cj-gh-worktrees.el ends here
