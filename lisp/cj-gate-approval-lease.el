;;; cj-gate-approval-lease.el --- Giving a lease together with a yes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; With C-c C-t in the approval buffer a person approves the shown call and gives
;; a lease: for some minutes, calls that resemble the shown one run without a
;; question.  Calls that wait already and that the lease covers are listed in a
;; buffer of their own, and run after one `y' to that list.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-approval)
(require 'cj-gate-leases)

;;;; The key

(defun cj/gate-approval-lease--read-minutes ()
  "Read the number of minutes for a lease, 1 to 60, from the minibuffer."
  (let ((entry (cj/gate-approval--current)))
    (when (plist-get (cj/gate-approval--entry-info entry) :no-lease)
      (user-error "No lease can be given here: %s"
                  (plist-get (cj/gate-approval--entry-info entry) :no-lease)))
    ;; Keys that were typed ahead must not answer the question about minutes.
    (let ((why-not (or (cj/gate-approval-why-not)
                       (cj/gate-approval-why-no-key 'cj/gate-approval-lease))))
      (when why-not
        (user-error "%s" why-not)))
    (cj/gate-approval--ask-for
     #'read-number (format "Run `%s' on %s unasked for minutes (1 to 60): "
                           (plist-get (cj/gate-approval--entry-info entry) :command)
                           (cj/gate-approval-text--line
                            (cj/gate--target
                             (cj/gate-approval--entry-info entry))))
     10)))

(defun cj/gate-approval-lease (minutes &optional number)
  "Approve the shown call, and for MINUTES also each call that resembles it.
MINUTES is a number from 1 to 60.  A call resembles this one if it is judged a
plain write and has the same command, repository, host, account and directory.
Such calls that wait already are listed, if they fit on the screen, and run
after a `y'.  `cj/gate-leases' lists and ends leases.
NUMBER is the number of the job for which MINUTES was read.  `repeat' calls this
command with the same arguments; NUMBER keeps it from approving another call
that is shown by then."
  (interactive (list (cj/gate-approval-lease--read-minutes)
                     (cj/gate--job-number
                      (cj/gate-approval--entry-job (cj/gate-approval--current))))
               cj/gate-approval-mode)
  (let ((entry (cj/gate-approval--current))
        (inhibit-quit t))
    (unless (memql number
                   (list nil (cj/gate--job-number (cj/gate-approval--entry-job entry))))
      (user-error "Not approved: the minutes were given for another call"))
    (unless (and (natnump minutes) (<= 1 minutes 60))
      (user-error "A lease lasts 1 to 60 minutes, a whole number"))
    (let ((why-not (cj/gate-approval-why-not)))
      (when why-not
        (user-error "%s" why-not)))
    (condition-case err
        (progn
          (cj/gate-lease
           (cj/gate-approval--entry-plan entry)
           (plist-get (cj/gate-approval--entry-info entry) :digest) minutes)
          (cj/gate-approval--decide entry 'approved)
          (cj/gate-leases--update)
          (message "Approved, and for %d minutes without asking: %s" minutes
                   (cj/gate-approval--summary entry))
          (cj/gate-approval-lease--run-covered))
      (cj/gate-error
       (message "Not approved: %s" (cj/gate-error-message err))))))

(defun cj/gate-approval-lease--run-covered ()
  "Offer to run each waiting call that the new lease covers."
  (let ((inhibit-quit nil))
    (dolist (entry (with-local-quit
                     (cj/gate-approval-lease--offer cj/gate-approval--queue)))
      (when (memq entry cj/gate-approval--queue)
        (cj/gate-approval--decide entry 'approved)))))

;;;; Waiting calls that a new lease covers

(defconst cj/gate-approval-lease--buffer-name "*cj-gate lease: what waits*"
  "Name of the buffer that lists the waiting calls that a new lease covers.")

(defun cj/gate-approval-lease--covered (entries)
  "Return those ENTRIES, a list, that a lease covers now."
  (cl-remove-if-not
   (lambda (entry)
     (plist-get (cj/gate-plan-info (cj/gate-approval--entry-plan entry)) :leased))
   entries))

(defun cj/gate-approval-lease--insert-entry (entry)
  "Insert the text about ENTRY that a person must read before a yes.
The text has the sentence and the facts of its question, and all its arguments."
  (let ((info (cj/gate-approval--entry-info entry))
        (seen (cj/gate-approval--entry-seen entry)))
    (insert "\n"
            (propertize (concat "  " (cj/gate-confirm-sentence info seen) "\n")
                        'face 'cj/gate-confirm-sentence 'wrap-prefix "  … ")
            (cj/gate-approval-text--facts info seen)
            (cj/gate-approval-text--more-facts info))
    (dolist (argument (plist-get info :shown))
      (dolist (line (split-string argument "\n"))
        (insert (propertize (format "    | %s\n" line) 'wrap-prefix "    : "))))))

(defun cj/gate-approval-lease--list-covered (entries)
  "Insert a list of ENTRIES, with the text that a person must read about each.
Return the end positions of these texts, a list."
  (insert (format "The lease covers %d more that %s already:\n"
                  (length entries) (if (cdr entries) "wait" "waits")))
  (mapcar (lambda (entry)
            (cj/gate-approval-lease--insert-entry entry)
            (point))
          entries))

(defun cj/gate-approval-lease--question (count of)
  "Return the question whether to run the first COUNT of OF listed entries."
  (cond ((< count of) (format "Run the first %d of these %d too?" count of))
        ((= of 1) "Run this one too?")
        (t (format "Run these %d too?" of))))

(defun cj/gate-approval-lease--show-list (covered)
  "Show the list of COVERED, which are entries, in the current buffer.
Return (WINDOW . ENTRIES): the window, or nil, and those of COVERED whose whole
text is visible in that window."
  (let* ((inhibit-read-only t)
         (ends (progn (erase-buffer)
                      (cj/gate-approval-lease--list-covered covered)))
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

(defun cj/gate-approval-lease--let-read ()
  "Wait until the list was on the screen for `cj/gate-approval-delay'.
A key that is pressed meanwhile was not meant for the list: the key is dropped,
and the time begins anew."
  (message "Read what would run too; you are asked in a moment")
  (discard-input)
  (while (not (sit-for cj/gate-approval-delay))
    (discard-input)))

(defun cj/gate-approval-lease--yes-p (question)
  "Ask QUESTION; return non-nil for a `y'.
No other key is a yes, and no key leaves the question, so that the person cannot
answer from another window, where the list is not read."
  (eq ?y (read-char-choice-with-read-key (concat question " (y or n) ") '(?y ?n))))

(defun cj/gate-approval-lease--offer (entries)
  "Ask whether to run those of ENTRIES, of the queue, that a lease covers.
Return the entries to run, a list: those that were listed and that a lease still
covers after the answer.  An entry whose text does not fit on the screen is not
listed; a person is asked about it separately.  A `y' counts only some time
after the list was shown, as in the approval buffer, and only while the list is
on the screen."
  (let ((covered (cj/gate-approval-lease--covered entries)))
    (when covered
      (let ((buffer (get-buffer-create cj/gate-approval-lease--buffer-name)))
        (unwind-protect
            (pcase-let ((`(,window . ,shown)
                         (with-current-buffer buffer
                           (cj/gate-approval-lease--show-list covered))))
              (if (not shown)
                  (progn
                    ;; Keys that were typed ahead must not answer the question
                    ;; that comes up next.
                    (discard-input)
                    (message "Calls that the lease covers (%d) do not fit here; each is asked about"
                             (length covered))
                    nil)
                (cj/gate-approval-lease--let-read)
                (when (cj/gate-approval-lease--yes-p
                       (cj/gate-approval-lease--question (length shown) (length covered)))
                  (if (and (window-live-p window)
                           (eq (window-buffer window) buffer))
                      ;; Keep the order of the queue: they run in that order.
                      (let ((covered (cj/gate-approval-lease--covered entries)))
                        (cl-remove-if-not (lambda (entry) (memq entry covered)) shown))
                    (message "Not run: the list was no longer on the screen")
                    nil))))
          (when (buffer-live-p buffer)
            (dolist (window (get-buffer-window-list buffer nil t))
              (quit-restore-window window 'kill))
            (when (buffer-live-p buffer)
              (kill-buffer buffer))))))))

(provide 'cj-gate-approval-lease)

;;; cj-gate-approval-lease.el ends here
