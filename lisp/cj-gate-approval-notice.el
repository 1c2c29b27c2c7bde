;;; cj-gate-approval-notice.el --- How a person learns that a call waits -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Besides the approval buffer, three places say that a call waits: the echo
;; area, the mode line and, if `cj/gate-notify' asks for it, a desktop
;; notification.  None of them can approve or decline the call.

;;; Code:

(require 'cl-lib)

(declare-function dbus-call-method-asynchronously "dbus")
(declare-function cj/gate-approvals "cj-gate-approval")
(defvar cj/gate-approval--queue)

(defcustom cj/gate-notify nil
  "Whether a desktop notification says that a call waits.
Nil, the default, sends none.  With t it is sent through D-Bus; on a machine
without D-Bus nothing happens.  A function is called with two strings, a title
and one line.
The notification names the command and its target, for example
\"gh pr merge on github.com/o/r\", and none of the call's arguments."
  :type '(choice (const :tag "No" nil) (const :tag "Through D-Bus" t) function)
  :group 'cj-gate
  :risky t)

(defconst cj/gate-approval-suggested-key "C-c g"
  "Key suggested for `cj/gate-approvals' while that command has no key.
Keys of \\`C-c' and a letter are reserved for users, so the gate binds none.")

(defvar cj/gate-approval-notice--suggested nil
  "Non-nil once a key for `cj/gate-approvals' was suggested.")

(defun cj/gate-approval-how ()
  "Return the key or the command to show the waiting call, as text."
  (substitute-command-keys "\\[cj/gate-approvals]"))

(defun cj/gate-approval-notice--suggestion (room)
  "Return words that suggest a key for `cj/gate-approvals', or an empty string.
The key is suggested once in a session, and only if the command has no key, the
suggested key is free, and the words fit in ROOM columns."
  (let ((words (format " (%s would be a good key for it)"
                       cj/gate-approval-suggested-key)))
    (if (or cj/gate-approval-notice--suggested
            (where-is-internal #'cj/gate-approvals nil t)
            (key-binding (kbd cj/gate-approval-suggested-key) t)
            (> (string-width words) room))
        ""
      (setq cj/gate-approval-notice--suggested t)
      words)))

(defun cj/gate-approval-announce (summary)
  "Say in the echo area that the call of SUMMARY, a string, waits.
The message is one line: a second line would make the echo area grow over the
last line of the approval buffer."
  (let* ((width (1- (frame-width)))
         (how (concat " waits: " (cj/gate-approval-how)))
         (summary (truncate-string-to-width
                   summary (max 20 (- width (string-width how))) nil nil t))
         (said (concat summary how)))
    (message "%s"
             (truncate-string-to-width
              (concat said (cj/gate-approval-notice--suggestion
                            (- width (string-width said))))
              width nil nil t))))

(defun cj/gate-approval-notify (line)
  "Notify the desktop of a call by LINE, a string, following `cj/gate-notify'.
Never signal."
  (let ((how (default-value 'cj/gate-notify))
        (title "cj-gate: a call waits for your yes"))
    (condition-case err
        (cond
         ((functionp how) (funcall how title line))
         ;; Only where a bus is running: without one, D-Bus could start
         ;; programs, or wait.
         ((and how (featurep 'dbusbind)
               (or (getenv "DBUS_SESSION_BUS_ADDRESS")
                   (file-exists-p (expand-file-name
                                   "bus" (or (getenv "XDG_RUNTIME_DIR") "/nowhere"))))
               (require 'dbus nil t))
          (dbus-call-method-asynchronously
           :session "org.freedesktop.Notifications"
           "/org/freedesktop/Notifications" "org.freedesktop.Notifications"
           "Notify" nil
           "cj-gate" :uint32 0 "" title
           (replace-regexp-in-string "[<>&]" " " line)
           '(:array) '(:array :signature "{sv}") :int32 -1)))
      ((error quit)
       (message "cj-gate: the notification failed: %s" (error-message-string err))))))

;;;; The mode line

(defvar cj/gate-approval-notice--mode-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line mouse-1] #'cj/gate-approvals)
    map)
  "Keys on the mode line's words about waiting calls.")

(defun cj/gate-approval-notice--waiting (format)
  "Return FORMAT with the length of the queue; \"\" for an empty queue.
The queue has the calls that wait for a person."
  (let ((count (length cj/gate-approval--queue)))
    (if (zerop count)
        ""
      (propertize (format format count)
                  'face 'cj/gate-mode-line
                  'mouse-face 'mode-line-highlight
                  'local-map cj/gate-approval-notice--mode-line-map
                  'help-echo "A call waits for your yes
mouse-1, or M-x cj/gate-approvals: go there"))))

(defun cj/gate-approval-notice--narrow-p ()
  "Return non-nil if the length of the queue must precede the position.
That is so in a window of less than 76 columns, where the end of the mode line
would be cut off, if the mode line has the usual `mode-line-position'."
  (and (< (window-total-width) 76)
       (consp mode-line-format)
       (memq 'mode-line-position mode-line-format)))

(defun cj/gate-approval-notice--mode-line ()
  "Return the text for the end of the mode line, as in \"[gate: 2 waiting]\"."
  (if (cj/gate-approval-notice--narrow-p) ""
    (cj/gate-approval-notice--waiting " [gate: %d waiting]")))

(defun cj/gate-approval-notice--short-mode-line ()
  "Return the text before the position in the mode line, as in \"[gate 2]\".
The value is empty unless `cj/gate-approval-notice--narrow-p' is non-nil."
  (if (cj/gate-approval-notice--narrow-p)
      (cj/gate-approval-notice--waiting "[gate %d] ")
    ""))

(defconst cj/gate-approval-notice--mode-line-form '(:eval (cj/gate-approval-notice--mode-line))
  "The element of `global-mode-string' that counts the waiting calls.")

(defconst cj/gate-approval-notice--short-form '(:eval (cj/gate-approval-notice--short-mode-line))
  "The element of `mode-line-position' that counts the waiting calls.")

(defun cj/gate-approval-notice--with (form list)
  "Return LIST, a part of the mode line, with FORM in front.
If LIST has FORM already, return it unchanged."
  (cond ((and (consp list) (member form list)) list)
        ((and (consp list) (or (stringp (car list)) (consp (car list))))
         (cons form list))
        (t (list "" form list))))

(unless (and (listp global-mode-string)
             (memq cj/gate-approval-notice--mode-line-form global-mode-string))
  (setq global-mode-string
        (append (if (listp global-mode-string) (or global-mode-string '(""))
                  (list "" global-mode-string))
                (list cj/gate-approval-notice--mode-line-form))))

(setq-default mode-line-position
              (cj/gate-approval-notice--with cj/gate-approval-notice--short-form
                                             (default-value 'mode-line-position)))

(provide 'cj-gate-approval-notice)

;;; cj-gate-approval-notice.el ends here
