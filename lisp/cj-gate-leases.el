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

(declare-function cj/gate--mod-leases "ext:cj-gate-module")
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
                           (cj/gate-approval-text--line (plist-get lease :command))
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

;; `cj/gate-stop' calls this after the core has ended the leases.
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
                  (propertize (cj/gate-approval-text--line
                               (format "%s %s" (plist-get lease :program)
                                       (plist-get lease :command)))
                              'face 'cj/gate-command)
                  (cj/gate-approval-text--line (cj/gate--target lease))
                  (cj/gate-approval-text--line (or (plist-get lease :account) "by token"))
                  (number-to-string (plist-get lease :uses))
                  (cj/gate-approval-text--line (abbreviate-file-name (plist-get lease :cwd)))))))

(defun cj/gate-leases--nothing ()
  "Insert that there is no lease, and which key gives one."
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

(provide 'cj-gate-leases)

;;; cj-gate-leases.el ends here
