;;; cj-gh-explain.el --- Explain what the gate would do with a command line -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A gh command line, typed or pasted, is read as the gate would read it.  The
;; buffer shows what each word means, the class and its reason, the target, the
;; policy, the exact argv, and the question for a person if there would be one.
;; The command itself is not run: gh is asked only for its version and its help
;; pages, and git for the facts of the checkout.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-approval)
(require 'cj-gate-view)

(declare-function cj/gate--mod-explain "ext:cj-gate-module")
(declare-function cj/gate--mod-before "ext:cj-gate-module")
(declare-function cj/gate--mod-installed "ext:cj-gate-module")

(defconst cj/gh-explain-buffer-name "*cj-gh explain*"
  "Name of the buffer with the explanation.")

(defvar cj/gh-explain--history nil
  "Command lines that were explained, the newest first.")

(defvar-local cj/gh-explain--line nil
  "The command line that is explained here.")

(defvar-local cj/gh-explain--origin nil
  "The buffer in which the explanation was asked for; its policy counts.")

(defvar-local cj/gh-explain--call nil
  "The exact call that the command line becomes, as a shell command, or nil.")

(defun cj/gh-explain--words (line)
  "Return the words of LINE, a shell command line, a list of strings.
Quotes and backslashes mean what they mean in a shell; nothing is expanded.
Signal a `user-error' if a quote is not closed."
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
  "Return a text on what would happen with the call of INFO.
INFO is as `cj/gate-plan-info' returns it."
  (pcase (plist-get info :refusal)
    ('nil (if (eq (plist-get info :policy) 'auto)
              (concat (cj/gate-view-section
                       "Answer" (propertize "It would run by itself." 'face 'cj/gate-good))
                      "\n")
            (concat (cj/gate-view-section
                     "Answer" (propertize "A person would be asked, with this text:"
                                          'face 'cj/gate-warning))
                    "\n\n"
                    (replace-regexp-in-string
                     "^" "  | " (string-trim-right (cj/gate-confirm-text info)))
                    "\n")))
    (kind (cj/gh-explain--refused kind (plist-get info :refusal-message)))))

(defun cj/gh-explain--refused (kind message)
  "Return the text for a call that would be refused with KIND and MESSAGE."
  (concat (cj/gate-view-section
           "Answer" (propertize (format "It would be refused (%s):" kind)
                                'face 'cj/gate-bad))
          "\n" message "\n"))

(defun cj/gh-explain--insert (argv directory verdict info err)
  "Insert the explanation of ARGV in DIRECTORY.
VERDICT is the value of `cj/gh-classify', INFO that of `cj/gate-plan-info'.  If
planning failed, INFO is nil and ERR is the condition.  The class in INFO counts
before that in VERDICT, since the plan also considers the installed gh."
  (let ((row (lambda (label value)
               (insert (cj/gate-view-row label (format "%s" value) 10)))))
    (insert (cj/gate-view-heading "How gh reads it:"))
    (dolist (part (cj/gate--mod-explain argv (cj/gate--environment)))
      (insert (propertize (format "  %-24s %s\n" (car part) (cdr part))
                          'wrap-prefix (make-string 27 ?\s))))
    (insert "\n" (cj/gate-view-heading "How the gate judges it:"))
    (funcall row "Command" (propertize (or (plist-get verdict :command) "")
                                     'face 'cj/gate-command))
    (funcall row "Class" (cj/gate-faces-class (plist-get (or info verdict) :class)))
    (funcall row "Reason" (plist-get (or info verdict) :reason))
    (funcall row "Version" (or (ignore-errors
                                 (cj/gate--mod-installed argv (cj/gate--place directory)
                                                         (cj/gate--settings "gh")))
                               "gh could not be asked for it"))
    (if (null info)
        (insert "\n" (cj/gh-explain--refused (cj/gate-error-kind err)
                                             (cj/gate-error-message err)))
      (funcall row "Target" (cj/gate--target info))
      (funcall row "Found by" (plist-get info :source))
      (funcall row "Account" (or (plist-get info :account)
                                 "the active one on this host"))
      (when (plist-get info :act)
        (funcall row "Row" (format "`%s' of `cj/gh-policy' counts as well"
                                   (plist-get info :act))))
      (funcall row "Policy" (plist-get info :policy))
      (setq cj/gh-explain--call
            (concat "gh " (mapconcat #'cj/gh-explain--quote (plist-get info :shown) " ")))
      (insert "\n" (cj/gate-view-heading "The exact call:")
              (propertize (format "  %s\n" cj/gh-explain--call) 'wrap-prefix "    ")
              "\n" (cj/gh-explain--answer info)))))

;;;; The buffer

(defvar cj/gh-explain-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "x") #'cj/gh-explain)
    (define-key map (kbd "e") #'cj/gh-explain-edit)
    (define-key map (kbd "c") #'cj/gh-explain-copy)
    map)
  "Keys of the buffer with an explanation.")

(define-derived-mode cj/gh-explain-mode cj/gate-view-mode "cj-gh explain"
  "Mode of the buffer that explains what the gate would do with a command line.
\\<cj/gh-explain-mode-map>\
\\[cj/gh-explain] explains another command line.
\\[cj/gh-explain-edit] lets you edit this command line, and explains it.
\\[cj/gh-explain-copy] copies the exact call.
\\[cj/gate-view-next] and \\[cj/gate-view-previous] go to the next and the previous section.
\\[revert-buffer] makes the explanation anew.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function
              (lambda (&rest _) (cj/gh-explain cj/gh-explain--line))))

(defun cj/gh-explain-edit (line)
  "Explain LINE, a command line; interactively edit this buffer's one first."
  (interactive (list (read-string "gh command line: " cj/gh-explain--line
                                  'cj/gh-explain--history))
               cj/gh-explain-mode)
  (cj/gh-explain line))

(defun cj/gh-explain-copy ()
  "Put the exact call on the `kill-ring', as a shell command."
  (interactive nil cj/gh-explain-mode)
  (unless cj/gh-explain--call
    (user-error "There is no call to copy: the command line would be refused"))
  (kill-new cj/gh-explain--call)
  (message "Copied: %s" cj/gh-explain--call))

;;;###autoload
(defun cj/gh-explain (line)
  "Show what the gate would do with LINE, a gh command line, a string.
Interactively, read LINE in the minibuffer.  The call is not run.  gh is asked
only for its version and, if that version is not known, for its help pages.
Return the buffer that will hold the explanation."
  (interactive (list (read-string "gh command line: " nil 'cj/gh-explain--history)))
  (cj/gate-load-module 'offer)
  (let* ((argv (cj/gh-explain--words line))
         (verdict (cj/gh-classify argv))
         (buffer (get-buffer-create cj/gh-explain-buffer-name))
         (origin (if (buffer-live-p cj/gh-explain--origin) cj/gh-explain--origin
                   (current-buffer)))
         (directory (buffer-local-value 'default-directory origin))
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
                  (with-silent-modifications
                    (erase-buffer)
                    (cj/gh-explain--insert argv directory verdict info err)
                    (goto-char (point-min))))))))
         (ask
          (lambda (facts)
            (let ((ticket
                   ;; An error here comes again with the plan, which shows it.
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
      (cj/gh-explain-mode)
      (setq cj/gh-explain--line line
            cj/gh-explain--origin origin
            default-directory directory)
      (with-silent-modifications
        (erase-buffer)
        (insert "Asking git about the checkout.\n")))
    (condition-case nil
        (cj/gate-git-facts directory ask)
      ;; If the call needs the directory, the plan says what is wrong with it.
      (cj/gate-error (funcall ask nil)))
    (unless noninteractive (pop-to-buffer buffer))
    buffer))

(provide 'cj-gh-explain)

;;; cj-gh-explain.el ends here
