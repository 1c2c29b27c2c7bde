;;; cj-gate-approval-queue.el --- The calls that wait for a person -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A list of the waiting calls, the one in the approval buffer first, each with
;; the first sentence of its question.  No call is approved here: RET shows a
;; call in the approval buffer, where each is answered separately.  To decline
;; a call nobody needs to read it, so `k' declines from here.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-table)
(require 'cj-gate-approval)

(defconst cj/gate-queue-buffer-name "*cj-gate waiting*"
  "Name of the buffer that lists the calls that wait.")

(defvar cj/gate-queue-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "RET") #'cj/gate-queue-show)
    (define-key map (kbd "k") #'cj/gate-queue-decline)
    map)
  "Keys of the list of calls that wait.")

(define-derived-mode cj/gate-queue-mode cj/gate-table-mode "cj-gate waiting"
  "Mode of the list of calls that wait for a person.
\\<cj/gate-queue-mode-map>\
\\[cj/gate-queue-show] shows the call at point in the approval buffer.
\\[cj/gate-queue-decline] declines the call at point.
\\[revert-buffer] brings the list up to date.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gate-queue-refresh))))

(defconst cj/gate-queue--columns
  '(("Which" 8 nil nil) ("Class" 11 nil t) ("Waits" 6 nil nil)
    ("What it will do" nil nil nil))
  "Columns of the list, for `cj/gate-table-fill'.")

(defun cj/gate-queue--waits (entry)
  "Return how long ENTRY has waited, as text."
  (cj/gate-table-took
   (round (* 1000 (- (float-time) (cj/gate-approval--entry-since entry))))))

(defun cj/gate-queue--which (entry)
  "Return the place of ENTRY in its batch: \"2 of 4\"."
  (cj/gate--batch-which (cj/gate-approval--entry-job entry)))

(defun cj/gate-queue--row (entry)
  "Return the row of the table for ENTRY."
  (let ((info (cj/gate-approval--entry-info entry)))
    (list entry
          (vector (cj/gate-queue--which entry)
                  (cj/gate-faces-class (plist-get info :class))
                  (cj/gate-queue--waits entry)
                  (cj/gate-confirm-sentence info (cj/gate-approval--entry-seen entry))))))

(defun cj/gate-queue-refresh ()
  "Update the list in its buffer, if that buffer is there."
  (let ((buffer (get-buffer cj/gate-queue-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (cj/gate-table-fill cj/gate-queue--columns
                            (mapcar #'cj/gate-queue--row cj/gate-approval--queue)
                            (lambda () (insert " No call waits.\n")))))))

(defun cj/gate-queue ()
  "List every call that is waiting for a person."
  (interactive)
  (unless cj/gate-approval--queue
    (user-error "No call waits"))
  (with-current-buffer (get-buffer-create cj/gate-queue-buffer-name)
    (cj/gate-queue-mode)
    (cj/gate-queue-refresh)
    (goto-char (point-min)))
  (cj/gate-view-show cj/gate-queue-buffer-name))

(defun cj/gate-queue--at-point ()
  "Return the entry at point; signal a `user-error' if it waits no longer."
  (let ((entry (or (tabulated-list-get-id) (user-error "There is no call here"))))
    (unless (memq entry cj/gate-approval--queue)
      (cj/gate-queue-refresh)
      (user-error "That call does not wait any more"))
    entry))

(defun cj/gate-queue-show ()
  "Show the call at point in the approval buffer, and go there."
  (interactive nil cj/gate-queue-mode)
  (let ((entry (cj/gate-queue--at-point)))
    (quit-window t)
    (cj/gate-approval--choose entry)
    (cj/gate-approvals)))

(defun cj/gate-queue-decline ()
  "Decline the call at point."
  (interactive nil cj/gate-queue-mode)
  (let ((entry (cj/gate-queue--at-point)))
    (cj/gate-approval--decide entry 'declined
                              "Declined by the user.  Do not retry this call.")
    (cj/gate-queue-refresh)
    (message "Declined: %s" (cj/gate-approval--summary entry))))

(provide 'cj-gate-approval-queue)

;;; cj-gate-approval-queue.el ends here
