;;; cj-gate-leases.el --- Leases: commands that run unasked for some minutes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A lease lets one command on one repository run without a question for some
;; minutes.  Only a key in the approval buffer gives a lease.  The core holds
;; the leases; this file shows them, in the mode line and in a list, and ends
;; them.

;;; Code:

(require 'cl-lib)
(require 'cj-gate)
(require 'cj-gate-table)
(require 'cj-gate-approval-text)
(require 'cj-gate-approval-window)

(declare-function cj/gate--mod-leases "ext:cj-gate-module")
(declare-function cj/gate-confirm--entry-plan "cj-gate-approval" (entry) t)
(declare-function cj/gate-confirm--entry-info "cj-gate-approval" (entry) t)
(declare-function cj/gate-confirm--entry-seen "cj-gate-approval" (entry) t)
(declare-function cj/gate--mod-revoke "ext:cj-gate-module")
(defvar cj/gate--stop-functions)

(defconst cj/gate-leases-buffer-name "*cj-gate leases*"
  "Name of the buffer that lists the leases.")

(defun cj/gate-leases--minutes (lease)
  "Return the minutes left of LEASE, rounded up."
  (/ (+ (plist-get lease :seconds) 59) 60))

;;;; The mode line

(defvar cj/gate-leases--mode-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line mouse-1] #'cj/gate-leases)
    map)
  "Keys on the mode line's words about leases.")

(defvar cj/gate-leases--text ""
  "The mode line's words about leases.")

(defvar cj/gate-leases--timer nil
  "Timer that updates the mode line while a lease holds, or nil.")

(defconst cj/gate-leases--mode-line-form '(:eval cj/gate-leases--text)
  "The element of `global-mode-string' that shows the leases.")

(defun cj/gate-leases--update ()
  "Update the mode line and the list, every 5 s as long as there is a lease."
  (when (timerp cj/gate-leases--timer)
    (cancel-timer cj/gate-leases--timer))
  (let* ((leases (cj/gate--mod-leases))
         (text (mapconcat
                (lambda (lease)
                  (propertize
                   (format " [lease %s %s %dmin]"
                           (cj/gate-confirm--line (plist-get lease :command))
                           (cj/gate--owner-and-repo lease)
                           (cj/gate-leases--minutes lease))
                   'face 'cj/gate-mode-line
                   'mouse-face 'mode-line-highlight
                   'local-map cj/gate-leases--mode-line-map
                   'help-echo "mouse-1: list the leases (M-x cj/gate-leases)"))
                leases "")))
    (setq cj/gate-leases--timer
          (and leases (run-at-time 5 nil #'cj/gate-leases--update)))
    (unless (and (listp global-mode-string)
                 (memq cj/gate-leases--mode-line-form global-mode-string))
      (setq global-mode-string
            (append (if (listp global-mode-string) (or global-mode-string '(""))
                      (list "" global-mode-string))
                    (list cj/gate-leases--mode-line-form))))
    (unless (equal text cj/gate-leases--text)
      (setq cj/gate-leases--text text)
      (force-mode-line-update t))
    (let ((buffer (get-buffer cj/gate-leases-buffer-name)))
      (when (and buffer (get-buffer-window buffer t))
        (with-current-buffer buffer
          (cj/gate-leases--fill))))))

;; By then the core has ended the leases.
(add-hook 'cj/gate--stop-functions #'cj/gate-leases--update)

;;;; The list

(defvar cj/gate-leases-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "k") #'cj/gate-leases-revoke)
    map)
  "Keys of the list of leases.")

(define-derived-mode cj/gate-leases-mode cj/gate-table-mode "cj-gate leases"
  "Mode of the list of leases.
\\<cj/gate-leases-mode-map>\
\\[cj/gate-leases-revoke] ends the lease at point.
\\[revert-buffer] updates the list.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gate-leases--fill))))

(defconst cj/gate-leases--columns
  '(("Left" 7 nil nil) ("Command" 30 nil nil) ("Where" 40 12 nil)
    ("Account" 16 8 nil) ("Used" 5 nil nil :right-align t) ("Directory" nil nil nil))
  "Columns of the list, for `cj/gate-table-fill'.")

(defun cj/gate-leases--row (lease)
  "Return LEASE, a plist, as a row of the list."
  (let ((minutes (cj/gate-leases--minutes lease)))
    (list (plist-get lease :number)
          (vector (propertize (format "%d min" minutes)
                              'face (if (> minutes 1) 'cj/gate-warning 'cj/gate-quiet))
                  (propertize (cj/gate-confirm--line
                               (format "%s %s" (plist-get lease :program)
                                       (plist-get lease :command)))
                              'face 'cj/gate-command)
                  (cj/gate-confirm--line (cj/gate--target lease))
                  (cj/gate-confirm--line (or (plist-get lease :account) "by token"))
                  (number-to-string (plist-get lease :uses))
                  (cj/gate-confirm--line (abbreviate-file-name (plist-get lease :cwd)))))))

(defun cj/gate-leases--nothing ()
  "Insert a sentence: there is no lease, and this key gives one."
  (insert "No lease holds.  One is given with C-c C-t in the approval buffer.\n"))

(defun cj/gate-leases--fill ()
  "Fill the list with the leases that hold."
  (cj/gate-table-fill cj/gate-leases--columns
                      (mapcar #'cj/gate-leases--row (cj/gate--mod-leases))
                      #'cj/gate-leases--nothing))

;;;###autoload
(defun cj/gate-leases ()
  "List the leases: the commands that run now without a question.
In the list, \\<cj/gate-leases-mode-map>\\[cj/gate-leases-revoke] ends the lease at point."
  (interactive)
  (cj/gate-load-module)
  (with-current-buffer (get-buffer-create cj/gate-leases-buffer-name)
    (cj/gate-leases-mode)
    (cj/gate-leases--fill)
    (goto-char (point-min)))
  (cj/gate-view-show cj/gate-leases-buffer-name))

(defun cj/gate-leases-revoke ()
  "End the lease at point."
  (interactive nil cj/gate-leases-mode)
  (let ((number (or (tabulated-list-get-id) (user-error "There is no lease here"))))
    (message (if (cj/gate--mod-revoke number)
                 "The lease has ended"
               "The lease had ended already"))
    (cj/gate-leases--update)
    (cj/gate-leases--fill)))

;;;; Waiting calls that a new lease covers

(defconst cj/gate-leases--offer-buffer-name "*cj-gate lease: what waits*"
  "Name of the buffer that lists the waiting calls that a new lease covers.")

(defun cj/gate-leases-covered (entries)
  "Return those ENTRIES, a list, that a lease covers now."
  (cl-remove-if-not
   (lambda (entry)
     (plist-get (cj/gate-plan-info (cj/gate-confirm--entry-plan entry)) :leased))
   entries))

(defun cj/gate-leases--insert-entry (entry)
  "Insert the text about ENTRY that a person must read before a yes.
The text has the sentence and the facts of its question, and all its arguments."
  (let ((info (cj/gate-confirm--entry-info entry))
        (seen (cj/gate-confirm--entry-seen entry)))
    (insert "\n"
            (propertize (concat "  " (cj/gate-confirm-sentence info seen) "\n")
                        'face 'cj/gate-confirm-sentence 'wrap-prefix "  … ")
            (cj/gate-confirm--facts info seen)
            (cj/gate-confirm--more-facts info))
    (dolist (argument (plist-get info :shown))
      (dolist (line (split-string argument "\n"))
        (insert (propertize (format "    | %s\n" line) 'wrap-prefix "    : "))))))

(defun cj/gate-leases--list-covered (entries)
  "Insert a list of ENTRIES, with the text that a person must read about each.
Return the end positions of these texts, a list."
  (insert (format "The lease covers %d more that %s already:\n"
                  (length entries) (if (cdr entries) "wait" "waits")))
  (mapcar (lambda (entry)
            (cj/gate-leases--insert-entry entry)
            (point))
          entries))

(defun cj/gate-leases--question (count of)
  "Return the question whether to run the first COUNT of OF listed entries."
  (cond ((< count of) (format "Run the first %d of these %d too?" count of))
        ((= of 1) "Run this one too?")
        (t (format "Run these %d too?" of))))

(defun cj/gate-leases--show-list (covered)
  "Show the list of COVERED, which are entries, in the current buffer.
Return (WINDOW . ENTRIES): the window, or nil, and those of COVERED whose whole
text is visible in that window."
  (let* ((inhibit-read-only t)
         (ends (progn (erase-buffer)
                      (cj/gate-leases--list-covered covered)))
         (window nil))
    (goto-char (point-min))
    (special-mode)
    (setq-local truncate-lines nil word-wrap t)
    (setq window (display-buffer (current-buffer)))
    (when window
      (fit-window-to-buffer window (/ (* 2 (frame-height (window-frame window))) 3))
      (set-window-start window (point-min))
      (redisplay t))
    (cons window
          (and window
               (let ((end (window-end window t)))
                 (cl-loop for entry in covered
                          for last in ends
                          while (<= last end)
                          collect entry))))))

(defun cj/gate-leases--let-read ()
  "Wait until the list was on the screen for `cj/gate-approval-delay'.
A key that is pressed meanwhile was not meant for the list: the key is dropped,
and the time begins anew."
  (message "Read what would run too; you are asked in a moment")
  (discard-input)
  (while (not (sit-for cj/gate-approval-delay))
    (discard-input)))

(defun cj/gate-leases--yes-p (question)
  "Ask QUESTION; return non-nil for a `y'.
No other key is a yes, and no key leaves the question, so that the person cannot
answer from another window, where the list is not read."
  (eq ?y (read-char-choice-with-read-key (concat question " (y or n) ") '(?y ?n))))

(defun cj/gate-leases-offer (entries)
  "Ask whether to run those of ENTRIES, of the queue, that a lease covers.
Return the entries to run, a list: those that were listed and that a lease still
covers after the answer.  An entry whose text does not fit on the screen is not
listed; a person is asked about it separately.  A `y' counts only some time
after the list was shown, as in the approval buffer, and only while the list is
on the screen."
  (let ((covered (cj/gate-leases-covered entries)))
    (when covered
      (let ((buffer (get-buffer-create cj/gate-leases--offer-buffer-name)))
        (unwind-protect
            (pcase-let ((`(,window . ,shown)
                         (with-current-buffer buffer
                           (cj/gate-leases--show-list covered))))
              (if (not shown)
                  (progn
                    ;; Keys that were typed ahead must not answer the question
                    ;; that comes up next.
                    (discard-input)
                    (message "Calls that the lease covers (%d) do not fit here; each is asked about"
                             (length covered))
                    nil)
                (cj/gate-leases--let-read)
                (when (cj/gate-leases--yes-p
                       (cj/gate-leases--question (length shown) (length covered)))
                  (if (and (window-live-p window)
                           (eq (window-buffer window) buffer))
                      ;; Keep the order of the queue: they run in that order.
                      (let ((covered (cj/gate-leases-covered entries)))
                        (cl-remove-if-not (lambda (entry) (memq entry covered)) shown))
                    (message "Not run: the list was no longer on the screen")
                    nil))))
          (when (buffer-live-p buffer)
            (dolist (window (get-buffer-window-list buffer nil t))
              (quit-restore-window window 'kill))
            (when (buffer-live-p buffer)
              (kill-buffer buffer))))))))

(provide 'cj-gate-leases)

;;; cj-gate-leases.el ends here
