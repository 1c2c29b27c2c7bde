;;; cj-gate-queue.el --- The calls that wait for a person -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A list of what waits, the one that is shown first.  Nothing is approved
;; here: RET brings a call into the approval buffer, where each is answered
;; for itself.

;;; Code:

(require 'cl-lib)
(require 'tabulated-list)
(require 'cj-gate-confirm)

(defconst cj/gate-queue-buffer-name "*cj-gate waiting*"
  "Name of the buffer that lists the calls that wait.")

(defvar cj/gate-queue-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'cj/gate-queue-show)
    map)
  "Keys of the list of calls that wait.")

(define-derived-mode cj/gate-queue-mode tabulated-list-mode "cj-gate waiting"
  "Mode of the list of calls that wait for a person.
\\[cj/gate-queue-show] shows the one at point in the approval buffer."
  (setq tabulated-list-format [("Call" 5 nil) ("Class" 8 nil) ("Command" 22 nil)
                               ("Where" 34 nil) ("Waits" 7 nil)])
  (add-hook 'tabulated-list-revert-hook #'cj/gate-queue--fill nil t)
  (tabulated-list-init-header))

(defun cj/gate-queue--fill ()
  "Show what waits."
  (setq tabulated-list-entries
        (mapcar
         (lambda (entry)
           (let ((info (cj/gate-confirm--entry-info entry)))
             (list entry
                   (vector (number-to-string (plist-get info :call))
                           (symbol-name (plist-get info :class))
                           (cj/gate-confirm--line
                            (format "%s %s" (plist-get info :program)
                                    (plist-get info :command)))
                           (cj/gate-confirm--line (cj/gate--target info))
                           (format "%d s" (- (float-time)
                                             (cj/gate-confirm--entry-since entry)))))))
         cj/gate-confirm--queue))
  (tabulated-list-print t))

(defun cj/gate-queue ()
  "List what waits for a person."
  (interactive)
  (unless cj/gate-confirm--queue
    (user-error "No call waits"))
  (with-current-buffer (get-buffer-create cj/gate-queue-buffer-name)
    (cj/gate-queue-mode)
    (cj/gate-queue--fill)
    (goto-char (point-min))
    (pop-to-buffer (current-buffer))))

(defun cj/gate-queue-show ()
  "Show the call at point in the approval buffer, and go there."
  (interactive nil cj/gate-queue-mode)
  (let ((entry (tabulated-list-get-id)))
    (unless (memq entry cj/gate-confirm--queue)
      (cj/gate-queue--fill)
      (user-error "That call does not wait any more"))
    (quit-window t)
    (cj/gate-confirm--choose entry)
    (cj/gate-approvals)))

(provide 'cj-gate-queue)

;;; cj-gate-queue.el ends here
