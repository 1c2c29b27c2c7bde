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
(require 'tabulated-list)
(require 'cj-gate)
(require 'cj-gate-question)

(declare-function cj/gate--mod-leases "ext:cj-gate-module")
(declare-function cj/gate-confirm--entry-plan "cj-gate-confirm" (entry) t)
(declare-function cj/gate-confirm--entry-info "cj-gate-confirm" (entry) t)
(declare-function cj/gate--mod-revoke "ext:cj-gate-module")
(defvar cj/gate--stop-functions)

(defconst cj/gate-leases-buffer-name "*cj-gate leases*"
  "Name of the buffer that lists the leases.")

(defun cj/gate-leases--minutes (lease)
  "Return the minutes left of LEASE, the one that has begun included."
  (/ (+ (plist-get lease :seconds) 59) 60))

;;;; The mode line

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
                   'face 'cj/gate-confirm-warning
                   'help-echo "M-x cj/gate-leases"))
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
    (define-key map (kbd "k") #'cj/gate-leases-revoke)
    map)
  "Keys of the list of leases.")

(define-derived-mode cj/gate-leases-mode tabulated-list-mode "cj-gate leases"
  "Mode of the list of leases.
\\[cj/gate-leases-revoke] ends the one at point."
  (setq tabulated-list-format [("Left" 7 nil) ("Command" 22 nil)
                               ("Where" 30 nil) ("Account" 12 nil)
                               ("Used" 5 nil) ("Directory" 0 nil)])
  (add-hook 'tabulated-list-revert-hook #'cj/gate-leases--fill nil t)
  (tabulated-list-init-header))

(defun cj/gate-leases--fill ()
  "Show the leases that hold."
  (setq tabulated-list-entries
        (mapcar (lambda (lease)
                  (list (plist-get lease :number)
                        (vector (format "%d min" (cj/gate-leases--minutes lease))
                                (cj/gate-confirm--line
                                 (format "%s %s" (plist-get lease :program)
                                         (plist-get lease :command)))
                                (cj/gate-confirm--line (cj/gate--target lease))
                                (cj/gate-confirm--line
                                 (or (plist-get lease :account) "by token"))
                                (number-to-string (plist-get lease :uses))
                                (cj/gate-confirm--line
                                 (abbreviate-file-name (plist-get lease :cwd))))))
                (cj/gate--mod-leases)))
  (tabulated-list-print t)
  (unless tabulated-list-entries
    (let ((inhibit-read-only t))
      (insert "No lease holds.  One is given with C-c C-t in the approval buffer.\n"))))

;;;###autoload
(defun cj/gate-leases ()
  "List the leases: what may run now without being asked about.
\\<cj/gate-leases-mode-map>\\[cj/gate-leases-revoke] ends one."
  (interactive)
  (cj/gate-load-module)
  (with-current-buffer (get-buffer-create cj/gate-leases-buffer-name)
    (cj/gate-leases-mode)
    (cj/gate-leases--fill)
    (goto-char (point-min))
    (pop-to-buffer (current-buffer))))

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

(defun cj/gate-leases--list-covered (entries)
  "Insert a list of ENTRIES, each with its target and all of its arguments."
  (insert (format "The lease covers %d more that %s already:\n"
                  (length entries) (if (cdr entries) "wait" "waits")))
  (dolist (entry entries)
    (let ((info (cj/gate-confirm--entry-info entry)))
      (insert (format "\n  %s %s on %s\n" (plist-get info :program)
                      (cj/gate-confirm--line (plist-get info :command))
                      (cj/gate-confirm--line (cj/gate--target info))))
      (dolist (argument (plist-get info :shown))
        (dolist (line (split-string argument "\n"))
          (insert (propertize (format "    | %s\n" line) 'wrap-prefix "    : ")))))))

(defun cj/gate-leases-offer (entries)
  "Ask whether those of ENTRIES that a lease covers are to run now.
Return the ones that are, a list: those that were listed, wait still and are
covered still.  ENTRIES are waiting calls of the approval buffer.  Keys that
were typed before the list was there do not count."
  (let ((covered (cj/gate-leases-covered entries)))
    (when covered
      (with-current-buffer (get-buffer-create cj/gate-leases--offer-buffer-name)
        (let ((inhibit-read-only t))
          (erase-buffer)
          (cj/gate-leases--list-covered covered)
          (goto-char (point-min)))
        (special-mode)
        (setq-local truncate-lines nil word-wrap t)
        (unwind-protect
            (let ((window (display-buffer (current-buffer))))
              (when window
                (fit-window-to-buffer window (/ (* 2 (frame-height)) 3)))
              (redisplay t)
              (discard-input)
              (and window
                   (y-or-n-p (format "Run %s too? "
                                     (if (cdr covered)
                                         (format "these %d" (length covered))
                                       "this one")))
                   (cl-intersection covered (cj/gate-leases-covered entries))))
          (let ((window (get-buffer-window nil t)))
            (if window (quit-window t window) (kill-buffer))))))))

(provide 'cj-gate-leases)

;;; cj-gate-leases.el ends here
