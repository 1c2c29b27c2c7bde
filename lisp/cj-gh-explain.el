;;; cj-gh-explain.el --- Say what the gate would do with a command line -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A gh command line, typed or pasted, is read as the gate would read it.  The
;; buffer shows how each word is taken, the class and its reason, the target,
;; the policy, the exact argv, and what a person would be asked.  gh is
;; asked for no more than its version and help; git for the facts of the checkout.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-confirm)

(declare-function cj/gate--mod-explain "ext:cj-gate-module")
(declare-function cj/gate--mod-before "ext:cj-gate-module")
(declare-function cj/gate--mod-installed "ext:cj-gate-module")

(defconst cj/gh-explain-buffer-name "*cj-gh explain*"
  "Name of the buffer with the explanation.")

(defun cj/gh-explain--words (line)
  "Return the words of LINE, a shell command line, a list of strings.
Quotes and backslashes are as in a shell; nothing is expanded.
Signal a `user-error' for a quote that is not closed."
  (let ((words nil) (word nil) (state nil) (index 0))
    (while (< index (length line))
      (let ((char (aref line index)))
        (cond
         ((eq state ?\') (if (eq char ?\') (setq state nil)
                           (setq word (concat word (string char)))))
         ((and (eq char ?\\) (< (1+ index) (length line)))
          (let ((next (aref line (1+ index))))
            (setq word (concat word (if (and (eq state ?\")
                                             (not (memq next '(?\" ?\\ ?$ ?`))))
                                        (string ?\\ next)
                                      (string next)))
                  index (1+ index))))
         ((eq char state) (setq state nil))
         (state (setq word (concat word (string char))))
         ((memq char '(?\" ?\')) (setq state char word (or word "")))
         ((memq char '(?\s ?\t ?\n))
          (when word (push word words) (setq word nil)))
         (t (setq word (concat word (string char))))))
      (setq index (1+ index)))
    (when state
      (user-error "A quote is not closed in: %s" line))
    (when word (push word words))
    (nreverse words)))

(defun cj/gh-explain--quote (word)
  "Return WORD as it would be written in a shell command line."
  (if (string-match-p "\\`[-_./:=@,+%a-zA-Z0-9]+\\'" word)
      word
    (concat "'" (string-replace "'" "'\\''" word) "'")))

(defun cj/gh-explain--answer (info)
  "Return what would happen with the call of INFO, a plan's, a string."
  (pcase (plist-get info :refusal)
    ('nil (if (eq (plist-get info :policy) 'auto)
              "It would run by itself.\n"
            (concat "A person would be asked, with this text:\n\n"
                    (replace-regexp-in-string
                     "^" "  | " (string-trim-right (cj/gate-confirm-text info)))
                    "\n")))
    (kind (format "It would be refused (%s):\n%s\n" kind
                  (plist-get info :refusal-message)))))

(defun cj/gh-explain--insert (argv directory verdict info err)
  "Insert the explanation of ARGV in DIRECTORY.
VERDICT is from `cj/gh-classify', INFO from the plan, or nil with ERR, the
condition that planning ended with.  Where there is a plan, its class counts:
it knows the installed gh."
  (let ((row (lambda (label value) (insert (format "%-10s %s\n" label value)))))
    (insert "How gh reads it:\n")
    (dolist (part (cj/gate--mod-explain argv (cj/gate--environment)))
      (insert (format "  %-24s %s\n" (car part) (cdr part))))
    (insert "\n")
    (funcall row "Command" (plist-get verdict :command))
    (funcall row "Class" (plist-get (or info verdict) :class))
    (funcall row "Reason" (plist-get (or info verdict) :reason))
    (funcall row "Version" (or (ignore-errors
                                 (cj/gate--mod-installed argv (cj/gate--place directory)
                                                         (cj/gate--settings "gh")))
                               "gh could not be asked for it"))
    (if (null info)
        (insert (format "\nIt would be refused (%s):\n%s\n"
                        (cj/gate-error-kind err) (cj/gate-error-message err)))
      (funcall row "Target" (cj/gate--target info))
      (funcall row "Found by" (plist-get info :source))
      (funcall row "Account" (or (plist-get info :account)
                                 "the active one on this host"))
      (funcall row "Policy" (plist-get info :policy))
      (insert (format "\nThe exact call:\n  gh %s\n\n"
                      (mapconcat #'cj/gh-explain--quote (plist-get info :shown) " "))
              (cj/gh-explain--answer info)))))

;;;###autoload
(defun cj/gh-explain (line)
  "Show what the gate would do with LINE, a gh command line, a string.
Interactively, read it in the minibuffer.  gh is asked for its version, and
for help pages where no release tells what it has; the call is not run.
Return the buffer that will hold the explanation."
  (interactive "sgh command line: ")
  (cj/gate-load-module 'offer)
  (let* ((argv (cj/gh-explain--words line))
         (verdict (cj/gh-classify argv))
         (buffer (get-buffer-create cj/gh-explain-buffer-name))
         (origin (current-buffer))
         (directory default-directory)
         (show
          (lambda (facts)
            (when (buffer-live-p buffer)
              (let (info err)
                (with-current-buffer (if (buffer-live-p origin) origin buffer)
                  (condition-case caught
                      (setq info (cj/gate-plan-info
                                  (cj/gate-plan "gh" argv :facts facts
                                                :cwd directory)))
                    (cj/gate-error (setq err caught))))
                (with-current-buffer buffer
                  (let ((inhibit-read-only t))
                    (erase-buffer)
                    (cj/gh-explain--insert argv directory verdict info err)
                    (goto-char (point-min))))))))
         (ask
          (lambda (facts)
            (let ((ticket
                   ;; What is wrong is said by the plan.
                   (ignore-errors
                     (with-current-buffer (if (buffer-live-p origin) origin buffer)
                       (cj/gate--mod-before "gh" argv
                                            (append (list :facts facts)
                                                    (cj/gate--place directory))
                                            (cj/gate--settings "gh"))))))
              (if ticket
                  (cj/gate--await ticket (lambda (_) (funcall show facts)))
                (funcall show facts))))))
    (with-current-buffer buffer
      (special-mode)
      (setq-local bidi-display-reordering nil)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert "Asking git about the checkout.\n")))
    (condition-case nil
        (cj/gate-git-facts directory ask)
      ;; The plan will say what is wrong with the directory, if it matters.
      (cj/gate-error (funcall ask nil)))
    (unless noninteractive (display-buffer buffer))
    buffer))

(provide 'cj-gh-explain)

;;; cj-gh-explain.el ends here
