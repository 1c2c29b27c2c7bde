;;; cj-gate-edit.el --- Changing a call before a yes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A call that waits can be changed: its arguments stand in a buffer, one a
;; line.  What comes of it is planned and judged like any other call and waits
;; anew; changing it never approves it.
;;
;; An argument that would not come back as it is from a line of its own stands
;; in double quotes, as a string of Lisp, which may have several lines.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-job)
(require 'cj-gate-confirm)

(defconst cj/gate-edit-buffer-name "*cj-gate change call*"
  "Name of the buffer in which a call is changed.")

(defvar-local cj/gate-edit--entry nil
  "The entry that is being changed.")

(defvar cj/gate-edit-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'cj/gate-edit-finish)
    (define-key map (kbd "C-c C-k") #'cj/gate-edit-leave)
    map)
  "Keys of the buffer in which a call is changed.")

(define-derived-mode cj/gate-edit-mode text-mode "cj-gate change"
  "Mode of the buffer in which a waiting call is changed.
Each line is an argument; one in double quotes is a string of Lisp and may
have several lines.  \\[cj/gate-edit-finish] asks about what the call is then."
  (setq-local bidi-display-reordering nil
              header-line-format
              " One argument a line.  C-c C-c ask anew   C-c C-k leave it as it was"))

(defun cj/gate-edit--written (argument)
  "Return ARGUMENT as it stands in the buffer."
  (if (or (equal argument "")
          (string-match-p "\\`[ \t\"]\\|[ \t]\\'\\|[[:cntrl:]\u2028\u2029\u202a-\u202e\u2066-\u2069]"
                          argument))
      (let ((print-escape-newlines nil) (print-escape-control-characters nil))
        (replace-regexp-in-string
         "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
         (lambda (found) (format "\\u%04x" (aref found 0)))
         (prin1-to-string argument) t t))
    argument))

(defun cj/gate-edit--arguments ()
  "Return the arguments in the current buffer, a list of strings."
  (save-excursion
    (goto-char (point-min))
    (let (arguments)
      (while (not (eobp))
        (cond
         ((looking-at-p "[ \t]*$"))
         ((eq (char-after) ?\")
          (push (condition-case nil
                    (substring-no-properties (read (current-buffer)))
                  (error (user-error "The double quotes that begin here do not end")))
                arguments)
          (unless (looking-at-p "[ \t]*$")
            (user-error "After the double quotes of an argument the line must end")))
         (t (push (buffer-substring-no-properties (line-beginning-position)
                                                  (line-end-position))
                  arguments)))
        (forward-line 1))
      (nreverse arguments))))

(defun cj/gate-edit--facts (entry)
  "Return the function for facts about the arguments of ENTRY, or nil.
Nil is for programs whose facts do not depend on the arguments."
  (cj/gate--program-option (plist-get (cj/gate-confirm--entry-info entry) :program)
                           :facts))

(defun cj/gate-edit--argv (entry)
  "Return the arguments of ENTRY as they were given, a list of strings.
Where they say what to find out, its plan holds what was found as well."
  (if (cj/gate-edit--facts entry)
      (append (cj/gate--job-argv (cj/gate-confirm--entry-job entry)) nil)
    (plist-get (cj/gate-confirm--entry-info entry) :argv)))

(defun cj/gate-edit (entry)
  "Open a buffer in which the arguments of ENTRY can be changed."
  (let ((argv (cj/gate-edit--argv entry)))
    (with-current-buffer (get-buffer-create cj/gate-edit-buffer-name)
      (cj/gate-edit-mode)
      (erase-buffer)
      (dolist (argument argv)
        (insert (cj/gate-edit--written argument) "\n"))
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (setq buffer-undo-list nil
            cj/gate-edit--entry entry)
      (pop-to-buffer (current-buffer)))))

(defun cj/gate-edit-leave ()
  "Leave the call as it was; it still waits."
  (interactive nil cj/gate-edit-mode)
  (quit-window t)
  (when cj/gate-confirm--queue
    (cj/gate-approvals)))

(defun cj/gate-edit-finish ()
  "Judge the changed call, and ask about it anew.
One that would be refused is not taken: the reason is shown, and the call
waits as it was."
  (interactive nil cj/gate-edit-mode)
  (let ((entry cj/gate-edit--entry)
        (arguments (cj/gate-edit--arguments)))
    (unless (memq entry cj/gate-confirm--queue)
      (user-error "The call does not wait any more"))
    (if (equal arguments (cj/gate-edit--argv entry))
        (cj/gate-edit-leave)
      (condition-case err
          (if (cj/gate-edit--facts entry)
              (cj/gate-edit--look-up entry arguments)
            (cj/gate--change-call (cj/gate-confirm--entry-job entry) arguments))
        (cj/gate-error (user-error "Not taken: %s" (cj/gate-error-message err))))
      (quit-window t)
      (message "The changed call is asked about anew"))))

(defun cj/gate-edit--look-up (entry arguments)
  "Find out about ARGUMENTS, then put them in the place of those of ENTRY.
Until then ENTRY waits as it was, and can be answered.  Signal a condition
under `cj/gate-error' if ARGUMENTS are refused before that."
  (let ((job (cj/gate-confirm--entry-job entry))
        (ticket nil))
    (setq ticket
          (funcall (cj/gate-edit--facts entry) arguments
                   (lambda (facts)
                     (when (memq entry cj/gate-confirm--queue)
                       (setf (cj/gate--job-ticket job) nil)
                       (condition-case err
                           (cj/gate--change-call job arguments facts)
                         (cj/gate-error
                          (message "Not taken: %s" (cj/gate-error-message err))))))))
    ;; With the call ends what is found out for it.
    (setf (cj/gate--job-ticket job) ticket)))

(provide 'cj-gate-edit)

;;; cj-gate-edit.el ends here
