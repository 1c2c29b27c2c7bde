;;; cj-gate-confirm.el --- The approval buffer -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A call that a person must approve waits here.  The buffer is shown beside
;; what the person is doing and never takes the focus, so text that is being
;; typed cannot answer it: one goes there, and presses C-c C-c or C-c C-k.
;; An entry can be accepted only some time after it came into view.
;;
;; One entry is shown at a time, the oldest or the one that was chosen from the
;; list (cj-gate-queue.el); the others wait behind it.  What a person reads is
;; in cj-gate-question.el.  Where
;; there is no room to show it, nothing is disturbed: the mode line counts, and
;; `cj/gate-approvals' goes there.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-job)
(require 'cj-gate-question)

(autoload 'cj/gate-edit "cj-gate-edit" "Change a call that waits.")
(autoload 'cj/gate-queue "cj-gate-queue" "List the calls that wait." t)
(declare-function cj/gate-leases--update "cj-gate-leases")
(declare-function cj/gate-leases-offer "cj-gate-leases")
(declare-function dbus-call-method-asynchronously "dbus")

(defcustom cj/gate-notify nil
  "Whether a notification of the desktop tells that a call waits.
Nil, the default: no.  t: yes, through D-Bus; where there is none, nothing
happens.  A function: it is called with two strings, a title and one line.
The notification names the command and where it goes, and no argument."
  :type '(choice (const :tag "No" nil) (const :tag "Through D-Bus" t) function)
  :group 'cj-gate
  :risky t)

(defconst cj/gate-confirm-delay 0.6
  "Seconds that an entry must have been in view before it can be accepted.")

(cl-defstruct (cj/gate-confirm--entry (:constructor cj/gate-confirm--entry-make)
                                      (:copier nil))
  "A call that waits for a person."
  plan info job
  before             ; what is there now, as JSON, where it is replaced
  (since (float-time))
  decide             ; function of `approved' or `declined' and a reason
  shown              ; non-nil once it was in view for a moment
  arming             ; timer that will say so, or nil
  timer)             ; declines it when it grows too old

(defvar cj/gate-confirm--queue nil
  "Entries that wait, the oldest first.")

(defconst cj/gate-confirm-buffer-name "*cj-gate approval*"
  "Name of the approval buffer.")

;;;; Asking

(defun cj/gate-confirm--nobody ()
  "Return why no person can be asked now, or nil."
  (and noninteractive "Emacs runs without a person (batch)"))

(defun cj/gate-confirm (plan job decide)
  "Ask a person about PLAN, which belongs to JOB; never wait.
DECIDE is called once, with `approved', or with `declined' and words for
the model.  Where nobody can be asked the answer is no, at once."
  (let ((nobody (cj/gate-confirm--nobody)))
    (if nobody
        (funcall decide 'declined
                 (format "Declined: no person can be asked, %s.
Do not retry this call."
                         nobody))
      (let ((entry (cj/gate-confirm--entry-make
                    :plan plan :info (cj/gate-plan-info plan) :job job
                    :before (and (cj/gate--job-p job) (cj/gate--job-before job))
                    :decide decide)))
        (setf (cj/gate-confirm--entry-timer entry)
              (run-at-time (default-value 'cj/gate-approval-max-age) nil
                           #'cj/gate-confirm--expired entry
                           (default-value 'cj/gate-approval-max-age)))
        (setq cj/gate-confirm--queue
              (append cj/gate-confirm--queue (list entry)))
        ;; From a timer: this may run in a process filter.
        (run-at-time 0 nil #'cj/gate-confirm--arrived entry)))))

(defun cj/gate-confirm--arrived (entry)
  "Show the approval buffer and announce ENTRY, if it still waits."
  (when (memq entry cj/gate-confirm--queue)
    (cj/gate-confirm--show)
    (cj/gate-confirm--notify entry)
    ;; One line: a second one would cover the last one of the buffer.
    (message "%s" (truncate-string-to-width
                   (format "%s waits: M-x cj/gate-approvals"
                           (cj/gate-confirm--summary entry))
                   (1- (frame-width)) nil nil t))))

(defun cj/gate-confirm--notify (entry)
  "Tell the desktop of ENTRY, following `cj/gate-notify'; never fail."
  (let ((how (default-value 'cj/gate-notify))
        (title "cj-gate: a call waits for your yes")
        (line (cj/gate-confirm--summary entry)))
    (condition-case err
        (cond
         ((functionp how) (funcall how title line))
         ;; Without a bus, to ask for one could start programs, or wait.
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

(defun cj/gate-confirm--expired (entry seconds)
  "Decline ENTRY, which nobody answered within SECONDS."
  (when (memq entry cj/gate-confirm--queue)
    (cj/gate-confirm--decide
     entry 'declined
     (format "Declined: nobody answered within %d seconds.
Ask the person before trying again." seconds))
    (message "cj-gate: %s was declined by itself after %d seconds"
             (cj/gate-confirm--summary entry) seconds)))

(defun cj/gate-confirm--summary (entry)
  "Return a few words on the call of ENTRY."
  (let ((info (cj/gate-confirm--entry-info entry)))
    (cj/gate-confirm--line
     (format "%s %s on %s" (plist-get info :program) (plist-get info :command)
             (cj/gate--target info)))))

(defun cj/gate-confirm--decide (entry decision &optional why)
  "Take ENTRY off the queue and report DECISION, with WHY, once."
  (when (memq entry cj/gate-confirm--queue)
    (cj/gate-confirm--drop entry)
    (funcall (cj/gate-confirm--entry-decide entry) decision why)))

(defun cj/gate-confirm--drop (entry)
  "Take ENTRY off the queue and show what waits behind it.
Whatever goes wrong with windows, the decision on ENTRY goes on its way."
  (when (cj/gate-confirm--entry-timer entry)
    (cancel-timer (cj/gate-confirm--entry-timer entry)))
  (cj/gate-confirm--disarm entry)
  (let ((shown (eq entry (car cj/gate-confirm--queue))))
    (setq cj/gate-confirm--queue (delq entry cj/gate-confirm--queue))
    (if (not shown)
        (force-mode-line-update t)
      (condition-case err
          (cj/gate-confirm--refresh)
        ((error quit)
         (message "cj-gate: the approval buffer could not be shown: %s"
                  (error-message-string err)))))))

(defun cj/gate-confirm-withdraw (job)
  "Take the entry of JOB off the queue, if it has one, and tell nobody."
  (let ((entry (cl-find job cj/gate-confirm--queue
                        :key #'cj/gate-confirm--entry-job)))
    (when entry
      (cj/gate-confirm--drop entry))))

(defun cj/gate-confirm-decline-all (why)
  "Decline every entry, with WHY for the model; return their number."
  (let* ((entries cj/gate-confirm--queue)
         (count (length entries)))
    ;; All at once: none of them is to come into view in between.
    (setq cj/gate-confirm--queue nil)
    (dolist (entry entries)
      (when (cj/gate-confirm--entry-timer entry)
        (cancel-timer (cj/gate-confirm--entry-timer entry)))
      (cj/gate-confirm--disarm entry))
    (condition-case err
        (cj/gate-confirm--refresh)
      ((error quit)
       (message "cj-gate: the approval buffer could not be put away: %s"
                (error-message-string err))))
    (cj/gate-confirm--tell-declined entries why)
    count))

(defun cj/gate-confirm--tell-declined (entries why)
  "Report that ENTRIES were declined because of WHY.
Whoever leaves by a `throw' takes nothing from the others."
  (unwind-protect
      (while entries
        (funcall (cj/gate-confirm--entry-decide (pop entries)) 'declined why))
    (when entries
      (run-at-time 0 nil #'cj/gate-confirm--tell-declined entries why))))

;;;; Keys

(defun cj/gate-confirm--keys ()
  "Return the line of keys, which stands above the text wherever it is scrolled."
  (let ((behind (1- (length cj/gate-confirm--queue))))
    (concat " C-c C-c run it, once   C-c C-k decline"
            (if (> behind 0) (format "   (%d more behind)" behind) "")
            (if (< (window-end) (point-max))
                (propertize "   more below: scroll" 'face 'cj/gate-confirm-warning)
              ""))))

(defun cj/gate-confirm--more-keys (entry)
  "Return the lines of keys that stand in the buffer of ENTRY, a list."
  (let ((info (cj/gate-confirm--entry-info entry)))
    (append
     '("C-c C-r decline and say why   C-c C-e change it   C-c C-l list all")
     (unless (plist-get info :no-lease)
       (list (truncate-string-to-width
              (format "C-c C-t run it, and `%s' here unasked for some minutes"
                      (plist-get info :command))
              68 nil nil t))))))

;;;; The buffer

(defvar cj/gate-approval-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'cj/gate-approval-accept)
    (define-key map (kbd "C-c C-k") #'cj/gate-approval-decline)
    (define-key map (kbd "C-c C-r") #'cj/gate-approval-decline-saying)
    (define-key map (kbd "C-c C-e") #'cj/gate-approval-edit)
    (define-key map (kbd "C-c C-l") #'cj/gate-queue)
    (define-key map (kbd "C-c C-t") #'cj/gate-approval-lease)
    map)
  "Keys of the approval buffer.")

(define-derived-mode cj/gate-approval-mode special-mode "cj-gate approval"
  "Mode of the buffer in which a person approves or declines a call.
Nothing runs before \\[cj/gate-approval-accept] is pressed here, and that
only once the call has been in view for a moment."
  ;; Nothing is cut off at the edge, and what is wrapped cannot pass for a
  ;; line of the buffer: an argument may hold any number of blanks.
  (setq-local truncate-lines nil
              truncate-partial-width-windows nil
              word-wrap t
              wrap-prefix "    | "
              bidi-display-reordering nil
              header-line-format '((:eval (cj/gate-confirm--keys))))
  (add-hook 'window-buffer-change-functions #'cj/gate-confirm--in-view nil t)
  (add-hook 'kill-buffer-hook #'cj/gate-confirm--killed nil t))

(defvar-local cj/gate-confirm--entry nil
  "The entry that the approval buffer shows.")

(defun cj/gate-confirm--buffer ()
  "Return the approval buffer, made if need be."
  (with-current-buffer (get-buffer-create cj/gate-confirm-buffer-name)
    (unless (derived-mode-p 'cj/gate-approval-mode)
      (cj/gate-approval-mode))
    (current-buffer)))

(defun cj/gate-confirm--fill (entry)
  "Make the current buffer, the approval buffer, show ENTRY."
  (let ((inhibit-read-only t))
    (widen)
    (delete-all-overlays)
    (erase-buffer)
    (insert (cj/gate-confirm-text (cj/gate-confirm--entry-info entry)
                                  (cj/gate-confirm--entry-before entry)
                                  (cj/gate-confirm--more-keys entry)))
    (goto-char (point-min))
    (setq cj/gate-confirm--entry entry)
    (cj/gate-confirm--disarm entry)))

(defun cj/gate-confirm--disarm (entry)
  "Let ENTRY be accepted only when it has been in view anew."
  (setf (cj/gate-confirm--entry-shown entry) nil)
  (when (cj/gate-confirm--entry-arming entry)
    (cancel-timer (cj/gate-confirm--entry-arming entry))
    (setf (cj/gate-confirm--entry-arming entry) nil)))

(defun cj/gate-confirm--on-screen-p (window)
  "Return non-nil if WINDOW is on a frame that somebody can see.
A daemon's first frame and one behind another on a text terminal are not."
  (let ((frame (window-frame window)))
    (if (eq (framep frame) t)
        (eq frame (tty-top-frame (frame-terminal frame)))
      (eq (frame-visible-p frame) t))))

(defun cj/gate-confirm--window ()
  "Return a window in which the approval buffer can be seen, or nil."
  (let ((buffer (get-buffer cj/gate-confirm-buffer-name)))
    (and buffer
         (cl-find-if #'cj/gate-confirm--on-screen-p
                     (get-buffer-window-list buffer nil 'visible)))))

(defun cj/gate-confirm--entry-in-view ()
  "Return the entry that is in view, or nil."
  (let ((window (cj/gate-confirm--window)))
    (and window
         (buffer-local-value 'cj/gate-confirm--entry (window-buffer window)))))

(defun cj/gate-confirm--in-view (&rest _)
  "Arm the entry in the approval buffer, if it is in view, after a moment."
  (let ((entry (cj/gate-confirm--entry-in-view)))
    (when (and entry (not (cj/gate-confirm--entry-shown entry))
               (not (cj/gate-confirm--entry-arming entry)))
      (setf (cj/gate-confirm--entry-arming entry)
            (run-at-time cj/gate-confirm-delay nil
                         #'cj/gate-confirm--arm entry)))))

(defun cj/gate-confirm--arm (entry)
  "Let ENTRY be accepted from now on, if it is in view.
A key that waits to be read was pressed before ENTRY could be seen: while
Emacs was busy, time alone says nothing."
  (setf (cj/gate-confirm--entry-arming entry) nil)
  (when (eq entry (cj/gate-confirm--entry-in-view))
    (if (or (input-pending-p) (not (or noninteractive (redisplay))))
        (cj/gate-confirm--in-view)
      (setf (cj/gate-confirm--entry-shown entry) t))))

(defun cj/gate-confirm--fit (window)
  "Make WINDOW as high as its text, at most two thirds of the frame.
A window that was there before keeps its height."
  (when (eq (car-safe (window-parameter window 'quit-restore)) 'window)
    (fit-window-to-buffer window (max window-min-height
                                      (/ (* 2 (frame-height (window-frame window))) 3)))))

(defconst cj/gate-confirm--display-action
  '((display-buffer-reuse-window
     display-buffer-pop-up-window
     display-buffer-use-some-window
     display-buffer-no-window)
    (inhibit-same-window . t)
    (allow-no-window . t))
  "How the approval buffer is shown: beside what is there, or not at all.
A new frame could take the focus.")

(defun cj/gate-confirm--show ()
  "Show the oldest entry without taking the focus."
  (let ((entry (car cj/gate-confirm--queue)))
    (when entry
      (let ((buffer (cj/gate-confirm--buffer))
            (window (cj/gate-confirm--window)))
        (with-current-buffer buffer
          (unless (eq entry cj/gate-confirm--entry)
            (cj/gate-confirm--fill entry)))
        (unless window
          (cj/gate-confirm--disarm entry)
          (setq window (display-buffer buffer cj/gate-confirm--display-action)))
        (when window
          (cj/gate-confirm--fit window)
          ;; Keys that were typed already must not be taken as typed after it
          ;; came into view.
          (redisplay t)
          (cj/gate-confirm--in-view)))
      ;; The end of a minibuffer brings back the windows from before it.
      (when (active-minibuffer-window)
        (add-hook 'minibuffer-exit-hook #'cj/gate-confirm--after-minibuffer))
      (force-mode-line-update t))))

(defun cj/gate-confirm--after-minibuffer ()
  "Show what waits once more, after the minibuffer that is ending now."
  (remove-hook 'minibuffer-exit-hook #'cj/gate-confirm--after-minibuffer)
  (run-at-time 0 nil #'cj/gate-confirm--show))

(defun cj/gate-confirm--choose (entry)
  "Make ENTRY the one that is shown."
  (setq cj/gate-confirm--queue
        (cons entry (delq entry (copy-sequence cj/gate-confirm--queue))))
  (cj/gate-confirm--show))

(defun cj/gate-confirm--refresh ()
  "Show the next entry, or put the approval buffer away."
  (let ((buffer (get-buffer cj/gate-confirm-buffer-name)))
    (cond
     ;; Also where the buffer was killed: others wait behind that call.
     (cj/gate-confirm--queue (cj/gate-confirm--show))
     (buffer
      (with-current-buffer buffer
        (setq cj/gate-confirm--entry nil)
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert "No call waits.\n")))
      (dolist (window (get-buffer-window-list buffer nil t))
        (quit-restore-window window 'bury)))))
  (force-mode-line-update t))

(defun cj/gate-confirm--killed ()
  "Decline the entry of the approval buffer, which is being killed."
  (let ((entry cj/gate-confirm--entry))
    (dolist (window (get-buffer-window-list nil nil t))
      (quit-restore-window window))
    (when entry
      (setq cj/gate-confirm--entry nil)
      (run-at-time 0 nil #'cj/gate-confirm--decide entry 'declined
                   "Declined by the user.  Do not retry this call."))))

;;;; Commands

;;;###autoload
(defun cj/gate-approvals ()
  "Go to the call that waits for a person, if there is one."
  (interactive)
  (unless cj/gate-confirm--queue
    (user-error "No call waits"))
  (cj/gate-confirm--show)
  (let ((window (cj/gate-confirm--window)))
    (if window
        (progn (select-frame-set-input-focus (window-frame window))
               (select-window window))
      (pop-to-buffer cj/gate-confirm-buffer-name))))

(defun cj/gate-confirm--current ()
  "Return the entry in the current buffer; signal if there is none."
  (unless (derived-mode-p 'cj/gate-approval-mode)
    (user-error "This is not the approval buffer; `M-x cj/gate-approvals' shows it"))
  (or cj/gate-confirm--entry (user-error "No call waits")))

(defun cj/gate-approval-accept ()
  "Approve the call that is shown, and run it once."
  (interactive nil cj/gate-approval-mode)
  (let ((entry (cj/gate-confirm--current))
        ;; A quit between the yes and the run would leave the call in neither.
        (inhibit-quit t))
    (if (not (cj/gate-confirm--entry-shown entry))
        (progn
          (cj/gate-confirm--in-view)
          (message "Not yet: read it first, then press the key again"))
      (condition-case err
          (progn
            (cj/gate-approve
             (cj/gate-confirm--entry-plan entry)
             (plist-get (cj/gate-confirm--entry-info entry) :digest))
            (cj/gate-confirm--decide entry 'approved)
            (message "Approved: %s" (cj/gate-confirm--summary entry)))
        (cj/gate-error
         (message "Not approved: %s" (cj/gate-error-message err)))))))

(defun cj/gate-approval-decline ()
  "Decline the call that is shown."
  (interactive nil cj/gate-approval-mode)
  (let ((entry (cj/gate-confirm--current)))
    (cj/gate-confirm--decide entry 'declined
                             "Declined by the user.  Do not retry this call.")
    (message "Declined: %s" (cj/gate-confirm--summary entry))))

(defun cj/gate-approval-decline-saying (why)
  "Decline the call that is shown and tell the model WHY, a string.
It is redacted like everything that goes to the model."
  (interactive
   (progn (cj/gate-confirm--current)
          (list (cj/gate-confirm--ask-for #'read-string "Decline, since: ")))
   cj/gate-approval-mode)
  (let ((entry (cj/gate-confirm--current))
        (why (string-trim why)))
    (cj/gate-confirm--decide
     entry 'declined
     (if (equal why "")
         "Declined by the user.  Do not retry this call."
       (format "Declined by the user: %s\nDo not retry this call."
               (cj/gate-confirm--line
                (if (string-match-p "[.!?]\\'" why) why (concat why "."))))))
    (message "Declined: %s" (cj/gate-confirm--summary entry))))

(defun cj/gate-confirm--ask-for (read &rest args)
  "Return what READ, called with ARGS in the minibuffer, gives.
Signal if another call has come into view meanwhile: the answer was not
meant for it."
  (let* ((entry (cj/gate-confirm--current))
         (buffer (current-buffer))
         (value (apply read args)))
    (unless (and (buffer-live-p buffer)
                 (eq entry (buffer-local-value 'cj/gate-confirm--entry buffer))
                 (memq entry cj/gate-confirm--queue))
      (user-error "That call does not wait any more"))
    value))

(defun cj/gate-approval-edit ()
  "Change the arguments of the call that is shown.
The changed call is judged like any other and waits anew."
  (interactive nil cj/gate-approval-mode)
  (cj/gate-edit (cj/gate-confirm--current)))

(defun cj/gate-confirm--read-minutes ()
  "Read for how many minutes a lease is to hold, 1 to 60."
  (let ((entry (cj/gate-confirm--current)))
    (when (plist-get (cj/gate-confirm--entry-info entry) :no-lease)
      (user-error "No lease can be given here: %s"
                  (plist-get (cj/gate-confirm--entry-info entry) :no-lease)))
    ;; Before the question: keys that were typed ahead must not answer it.
    (unless (cj/gate-confirm--entry-shown entry)
      (cj/gate-confirm--in-view)
      (user-error "Not yet: read it first, then press the key again"))
    (cj/gate-confirm--ask-for
     #'read-number (format "Run `%s' on %s unasked for minutes (1 to 60): "
                           (plist-get (cj/gate-confirm--entry-info entry) :command)
                           (cj/gate-confirm--line
                            (cj/gate--target
                             (cj/gate-confirm--entry-info entry))))
     10)))

(defun cj/gate-approval-lease (minutes)
  "Approve the call that is shown, and its like for MINUTES, a number.
Its like are calls of the same command on the same repository, host, account
and directory that are judged a plain write.  Those that wait already are
listed, and run after a `y'.  `cj/gate-leases' lists and ends leases."
  (interactive (list (cj/gate-confirm--read-minutes)) cj/gate-approval-mode)
  (let ((entry (cj/gate-confirm--current))
        (inhibit-quit t))
    (unless (and (natnump minutes) (<= 1 minutes 60))
      (user-error "A lease lasts 1 to 60 minutes, a whole number"))
    (unless (cj/gate-confirm--entry-shown entry)
      (user-error "Not yet: read it first, then press the key again"))
    (condition-case err
        (progn
          (cj/gate-lease
           (cj/gate-confirm--entry-plan entry)
           (plist-get (cj/gate-confirm--entry-info entry) :digest) minutes)
          (cj/gate-confirm--decide entry 'approved)
          (require 'cj-gate-leases)
          (cj/gate-leases--update)
          (message "Approved, and for %d minutes without asking: %s" minutes
                   (cj/gate-confirm--summary entry))
          (cj/gate-confirm--offer))
      (cj/gate-error
       (message "Not approved: %s" (cj/gate-error-message err))))))

(defun cj/gate-confirm--offer ()
  "Offer to run what waits and is covered by the lease that was just given."
  (let ((inhibit-quit nil))
    (dolist (entry (with-local-quit
                     (cj/gate-leases-offer cj/gate-confirm--queue)))
      (when (memq entry cj/gate-confirm--queue)
        (cj/gate-confirm--decide entry 'approved)))))

;;;; The mode line

(defun cj/gate-confirm--mode-line ()
  "Return the text for the mode line: the number of waiting entries."
  (if cj/gate-confirm--queue
      (propertize (format " [gate: %d waiting]" (length cj/gate-confirm--queue))
                  'face 'cj/gate-confirm-warning
                  'help-echo "M-x cj/gate-approvals")
    ""))

(defconst cj/gate-confirm--mode-line-form '(:eval (cj/gate-confirm--mode-line))
  "What stands in `global-mode-string' for the calls that wait.")

(unless (and (listp global-mode-string)
             (memq cj/gate-confirm--mode-line-form global-mode-string))
  (setq global-mode-string
        (append (if (listp global-mode-string) (or global-mode-string '(""))
                  (list "" global-mode-string))
                (list cj/gate-confirm--mode-line-form))))

(provide 'cj-gate-confirm)

;;; cj-gate-confirm.el ends here
