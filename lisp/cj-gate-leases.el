;;; cj-gate-leases.el --- What may run for some minutes without a question -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A lease lets one command on one repository run for some minutes.  The core
;; holds them; it is given by a key in the approval buffer and nowhere else.
;; What stands here shows them, in the mode line and in a list, and ends them.

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
  "Return the minutes left of LEASE, the one that has begun included."
  (/ (+ (plist-get lease :seconds) 59) 60))

;;;; The mode line

(defvar cj/gate-leases--mode-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line mouse-1] #'cj/gate-leases)
    map)
  "What a click on the leases in the mode line does.")

(defvar cj/gate-leases--text ""
  "What the mode line says of leases.")

(defvar cj/gate-leases--timer nil
  "Timer that brings the mode line up to date while a lease holds, or nil.")

(defconst cj/gate-leases--mode-line-form '(:eval cj/gate-leases--text)
  "What stands in `global-mode-string' for the leases.")

(defun cj/gate-leases--update ()
  "Bring the mode line and the list up to date, now and later if need be."
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

;; The core has ended them by then.
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
\\[cj/gate-leases-revoke] ends the one at point.
\\[revert-buffer] looks again.
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
  "Insert that there is no lease, and how one is given."
  (insert "No lease holds.  One is given with C-c C-t in the approval buffer.\n"))

(defun cj/gate-leases--fill ()
  "Show the leases that hold."
  (cj/gate-table-fill cj/gate-leases--columns
                      (mapcar #'cj/gate-leases--row (cj/gate--mod-leases))
                      #'cj/gate-leases--nothing))

;;;###autoload
(defun cj/gate-leases ()
  "List the leases: what may run now without being asked about.
\\<cj/gate-leases-mode-map>\\[cj/gate-leases-revoke] ends one."
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

;;;; What waits already

(defconst cj/gate-leases--offer-buffer-name "*cj-gate lease: what waits*"
  "Name of the buffer that lists what a new lease would let run.")

(defun cj/gate-leases-covered (entries)
  "Return the part of ENTRIES that could run now, under a lease."
  (cl-remove-if-not
   (lambda (entry)
     (plist-get (cj/gate-plan-info (cj/gate-confirm--entry-plan entry)) :leased))
   entries))

(defun cj/gate-leases--insert-entry (entry)
  "Insert what a person is to know of ENTRY before a yes to it.
That is the sentence and the facts of its question, and all of its arguments."
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
  "Insert a list of ENTRIES, with what a person is to know of each.
Return where the text of each ends, a list of positions."
  (insert (format "The lease covers %d more that %s already:\n"
                  (length entries) (if (cdr entries) "wait" "waits")))
  (mapcar (lambda (entry)
            (cj/gate-leases--insert-entry entry)
            (point))
          entries))

(defun cj/gate-leases--question (count of)
  "Return the question whether the first COUNT of OF listed ones are to run."
  (cond ((< count of) (format "Run the first %d of these %d too?" count of))
        ((= of 1) "Run this one too?")
        (t (format "Run these %d too?" of))))

(defun cj/gate-leases--show-list (covered)
  "Show the list of COVERED, which are entries, in the current buffer.
Return (WINDOW . ENTRIES): the window, or nil, and those of COVERED whose text
is in it whole."
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
  "Wait until the list was on the screen as long as a yes needs.
What is pressed meanwhile was not meant for it: it is dropped, and the time
begins anew."
  (message "Read what would run too; you are asked in a moment")
  (discard-input)
  (while (not (sit-for cj/gate-approval-delay))
    (discard-input)))

(defun cj/gate-leases--yes-p (question)
  "Ask QUESTION; return non-nil for a `y'.
No other key is a yes, and none leads anywhere else: a window that the person
left, or a macro that answers, would not have been read."
  (eq ?y (read-char-choice-with-read-key (concat question " (y or n) ") '(?y ?n))))

(defun cj/gate-leases-offer (entries)
  "Ask whether those of ENTRIES that a lease covers are to run now.
Return the ones that are, a list: those that were listed, wait still and are
covered still.  ENTRIES are waiting calls of the approval buffer.  Those whose
text does not fit on the screen are not among them: each is asked about.  A
`y' counts as in the approval buffer: only some time after the list was there,
and only while it is."
  (let ((covered (cj/gate-leases-covered entries)))
    (when covered
      (let ((buffer (get-buffer-create cj/gate-leases--offer-buffer-name)))
        (unwind-protect
            (pcase-let ((`(,window . ,shown)
                         (with-current-buffer buffer
                           (cj/gate-leases--show-list covered))))
              (if (not shown)
                  (progn
                    ;; Nor do keys count for what comes up in its place.
                    (discard-input)
                    (message "What else waits (%d) is asked about one by one: it does not fit here"
                             (length covered))
                    nil)
                (cj/gate-leases--let-read)
                (when (cj/gate-leases--yes-p
                       (cj/gate-leases--question (length shown) (length covered)))
                  (if (and (window-live-p window)
                           (eq (window-buffer window) buffer))
                      ;; In the order in which they wait: so they run.
                      (let ((covered (cj/gate-leases-covered entries)))
                        (cl-remove-if-not (lambda (entry) (memq entry covered)) shown))
                    (message "Not by this: the list was not on the screen any more")
                    nil))))
          (when (buffer-live-p buffer)
            (dolist (window (get-buffer-window-list buffer nil t))
              (quit-restore-window window 'kill))
            (when (buffer-live-p buffer)
              (kill-buffer buffer))))))))

(provide 'cj-gate-leases)

;;; cj-gate-leases.el ends here
