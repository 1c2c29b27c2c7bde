;;; cj-gate-approval.el --- The approval buffer -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A call that a person must approve waits here.  The buffer is shown beside
;; the person's own and never takes the focus, so text that the person is typing
;; cannot answer the call: the person goes to the buffer and presses C-c C-c or
;; C-c C-k.  A yes counts only some time after the call came into view.
;;
;; Each waiting call is an entry of the queue.  One entry is shown at a time,
;; the oldest or the one that was chosen from the list of waiting calls
;; (cj-gate-approval-queue.el); the others wait behind it.
;; cj-gate-approval-text.el makes the text of the buffer.  If there is no room
;; to show the buffer, no window is changed: the mode line counts the waiting
;; calls, and `cj/gate-approvals' shows the buffer.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-job)
(require 'cj-gate-approval-text)
(require 'cj-gate-approval-window)
(require 'cj-gate-approval-notice)
(require 'cj-gate-view)

(autoload 'cj/gate-edit "cj-gate-approval-edit" "Change a call that waits.")
(autoload 'cj/gate-queue "cj-gate-approval-queue" "List the calls that wait." t)
(autoload 'cj/gate-approval-lease "cj-gate-approval-lease" "Give a lease."
  '(cj/gate-approval-mode))
(declare-function cj/gate-edit-forget "cj-gate-approval-edit")
(declare-function cj/gate-queue-refresh "cj-gate-approval-queue")

(cl-defstruct (cj/gate-approval--entry (:constructor cj/gate-approval--entry-make)
                                       (:copier nil))
  "A call that waits for a person."
  plan info job
  seen               ; what the reads for the question gave, a plist, or nil
  (since (float-time))
  decide             ; function of `approved' or `declined' and a reason
  timer)             ; declines the call after `cj/gate-approval-max-age'

(defvar cj/gate-approval--queue nil
  "Entries that wait, the oldest first.")

(defvar cj/gate-approval--expected nil
  "The job that a person has changed, until it is asked about anew; or nil.")

(defvar-local cj/gate-approval--entry nil
  "The entry that the approval buffer shows.")

;;;; Asking

(defun cj/gate-approval--nobody ()
  "Return why no person can be asked now, or nil."
  (and noninteractive "Emacs runs without a person (batch)"))

(defun cj/gate-confirm (plan job decide)
  "Ask a person about PLAN, which belongs to JOB; never wait.
DECIDE is called once, with `approved', or with `declined' and words for the
model.  If nobody can be asked (batch), it is called with `declined' at once."
  (let ((nobody (cj/gate-approval--nobody)))
    (if nobody
        (funcall decide 'declined
                 (format "Declined: no person can be asked, %s.
Do not retry this call."
                         nobody))
      (let ((entry (cj/gate-approval--entry-make
                    :plan plan :info (cj/gate-plan-info plan) :job job
                    :seen (cj/gate--job-seen job)
                    :decide decide)))
        (setf (cj/gate-approval--entry-timer entry)
              (run-at-time (default-value 'cj/gate-approval-max-age) nil
                           #'cj/gate-approval--expired entry
                           (default-value 'cj/gate-approval-max-age)))
        (setq cj/gate-approval--queue
              (cj/gate-approval--queued entry cj/gate-approval--queue))
        (cj/gate-approval--tell-list)
        (when (eq job cj/gate-approval--expected)
          (setq cj/gate-approval--expected nil))
        ;; By a timer, since windows must not change in a process filter.
        (run-at-time 0 nil #'cj/gate-approval--arrived entry)))))

(defun cj/gate-approval--queued (entry queue)
  "Return QUEUE with ENTRY added.
ENTRY comes before later calls of its batch, or last if none of these waits.  A
call that a person has just changed comes first, since the person is at work on
it."
  (let* ((job (cj/gate-approval--entry-job entry))
         (at (if (plist-get (cj/gate--job-keys job) :edited)
                 0
               (or (cl-position-if
                    (lambda (other)
                      (let ((its (cj/gate-approval--entry-job other)))
                        (and (eq (cj/gate--job-batch its) (cj/gate--job-batch job))
                             (> (cj/gate--job-number its) (cj/gate--job-number job)))))
                    queue)
                   (length queue)))))
    (append (butlast queue (- (length queue) at)) (list entry) (nthcdr at queue))))

(defun cj/gate-approval--arrived (entry)
  "Show the approval buffer and announce ENTRY, if it still waits."
  (when (memq entry cj/gate-approval--queue)
    (cj/gate-approval--show)
    (cj/gate-approval-notify (cj/gate-approval--summary entry))
    (cj/gate-approval-announce (cj/gate-approval--summary entry))))

(defun cj/gate-approval--expired (entry seconds)
  "Decline ENTRY, which nobody answered within SECONDS."
  (when (memq entry cj/gate-approval--queue)
    (cj/gate-approval--decide
     entry 'declined
     (format "Declined: nobody answered within %d seconds.
Ask the person before trying again." seconds))
    (message "cj-gate: %s was declined by itself after %d seconds"
             (cj/gate-approval--summary entry) seconds)))

(defun cj/gate-approval--summary (entry)
  "Return command and target of ENTRY: \"gh pr merge on github.com/o/r\"."
  (let ((info (cj/gate-approval--entry-info entry)))
    (cj/gate-approval-text--line
     (format "%s %s on %s" (plist-get info :program) (plist-get info :command)
             (cj/gate--target info)))))

(defun cj/gate-approval--decide (entry decision &optional why)
  "Take ENTRY off the queue, and call its decide function.
That function gets DECISION, a symbol, and WHY, words for the model or nil.  Do
nothing if ENTRY waits no longer."
  (when (memq entry cj/gate-approval--queue)
    (cj/gate-approval--drop entry)
    (funcall (cj/gate-approval--entry-decide entry) decision why)))

(defun cj/gate-approval--drop (entry)
  "Take ENTRY off the queue; if it was the first, show the next entry."
  (cj/gate-approval--forget entry)
  (let ((shown (eq entry (car cj/gate-approval--queue))))
    (setq cj/gate-approval--queue (delq entry cj/gate-approval--queue))
    (if shown
        (cj/gate-approval--refresh)
      (force-mode-line-update t))))

(defun cj/gate-approval--forget (entry)
  "End the timer and the edit buffers of ENTRY, which waits no longer."
  (when (cj/gate-approval--entry-timer entry)
    (cancel-timer (cj/gate-approval--entry-timer entry)))
  (when (featurep 'cj-gate-approval-edit)
    (cj/gate-edit-forget entry))
  (cj/gate-approval--tell-list))

(defun cj/gate-approval--tell-list ()
  "Update the list of what waits, if its library is loaded."
  (when (featurep 'cj-gate-approval-queue)
    (run-at-time 0 nil #'cj/gate-queue-refresh)))

(defun cj/gate-confirm-withdraw (job &optional comes-back)
  "Take the entry of JOB off the queue, if it has one; call no decide function.
With COMES-BACK non-nil JOB will be asked about anew, so the approval buffer
stays in its window until then."
  (let ((entry (cl-find job cj/gate-approval--queue
                        :key #'cj/gate-approval--entry-job)))
    (when comes-back
      (setq cj/gate-approval--expected job))
    (when entry
      (cj/gate-approval--drop entry))))

(defun cj/gate-confirm-expect (job &optional instead-of)
  "Change the job that is expected to be asked about anew to JOB, or to nil.
Do nothing if no job is expected, or if INSTEAD-OF, a job, is not the expected
one."
  (when (and cj/gate-approval--expected
             (or (not instead-of) (eq instead-of cj/gate-approval--expected)))
    (setq cj/gate-approval--expected job)
    (cj/gate-approval--refresh)))

(defun cj/gate-confirm-decline-all (why)
  "Decline every entry, with WHY for the model; return their number."
  (cj/gate-approval--decline-list cj/gate-approval--queue why))

(defun cj/gate-approval--decline-list (entries why)
  "Decline ENTRIES, with WHY for the model; return their number."
  (let ((count (length entries)))
    ;; All are removed first, so that none of them comes into view in between.
    (setq cj/gate-approval--queue
          (cl-remove-if (lambda (entry) (memq entry entries)) cj/gate-approval--queue))
    (dolist (entry entries)
      (cj/gate-approval--forget entry))
    (cj/gate-approval--refresh)
    (cj/gate-approval--tell-declined entries why)
    count))

(defun cj/gate-approval--tell-declined (entries why)
  "Call the decide functions of ENTRIES with `declined' and WHY.
If one of them throws, the others are still called."
  (unwind-protect
      (while entries
        (funcall (cj/gate-approval--entry-decide (pop entries)) 'declined why))
    (when entries
      (run-at-time 0 nil #'cj/gate-approval--tell-declined entries why))))

;;;; Keys

(defun cj/gate-approval--place ()
  "Return the place of the shown call among those that wait, or an empty string.
The place counts the calls that the model made together with it, as in \"2 of
4\"; waiting calls of other batches are counted apart, as \"1 more elsewhere\"."
  (if (not cj/gate-approval--entry)
      ""
    (let* ((job (cj/gate-approval--entry-job cj/gate-approval--entry))
           (which (cj/gate--batch-which job))
           (others (cl-count-if-not
                    (lambda (entry)
                      (eq (cj/gate--job-batch (cj/gate-approval--entry-job entry))
                          (cj/gate--job-batch job)))
                    cj/gate-approval--queue)))
      (concat (if (equal which "1 of 1") "" (concat "   " which))
              (if (> others 0) (format "   %d more elsewhere" others) "")))))

(defun cj/gate-approval--keys ()
  "Return the header line of the approval buffer: its keys.
The number of lines left to read comes first, so that even a narrow window shows
it."
  (let* ((left (cj/gate-approval-unread-lines))
         (place (cj/gate-approval--place)))
    (substitute-command-keys
     (cond
      ((not cj/gate-approval--entry)
       " Nothing to answer here   \\<cj/gate-approval-mode-map>\\[cj/gate-approval-leave] put away")
      ((> left 0)
       (concat (propertize
                (format " %d more line%s: \\<cj/gate-approval-mode-map>\\[cj/gate-approval-read-on]"
                        left (if (= left 1) "" "s"))
                'face 'cj/gate-warning)
               "   \\[cj/gate-approval-decline] decline" place))
      (t
       (concat " \\<cj/gate-approval-mode-map>\\[cj/gate-approval-accept] run it, once"
               "   \\[cj/gate-approval-decline] decline" place))))))

(defun cj/gate-approval--more-keys (entry)
  "Return the lines of keys for the text of ENTRY, a list of strings."
  (let ((info (cj/gate-approval--entry-info entry))
        (keys (lambda (text)
                (substitute-command-keys
                 (concat "\\<cj/gate-approval-mode-map>" text)))))
    (cons
     (funcall keys "\\[cj/gate-approval-decline-saying] decline and say why   \\[cj/gate-approval-edit] change it   \\[cj/gate-view-menu] all keys")
     (unless (plist-get info :no-lease)
       (list (truncate-string-to-width
              (format "%s run it, and “%s” here unasked for some minutes"
                      (funcall keys "\\[cj/gate-approval-lease]")
                      (plist-get info :command))
              66 nil nil t))))))

;;;; The buffer

(defvar cj/gate-approval-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'cj/gate-approval-accept)
    (define-key map (kbd "C-c C-k") #'cj/gate-approval-decline)
    (define-key map (kbd "C-c C-r") #'cj/gate-approval-decline-saying)
    (define-key map (kbd "C-c C-e") #'cj/gate-approval-edit)
    (define-key map (kbd "C-c C-l") #'cj/gate-queue)
    (define-key map (kbd "C-c C-t") #'cj/gate-approval-lease)
    (define-key map (kbd "SPC") #'cj/gate-approval-read-on)
    (define-key map (kbd "q") #'cj/gate-approval-leave)
    (define-key map (kbd "?") #'cj/gate-view-menu)
    (define-key map (kbd "j") cj/gate-view-jump-map)
    (define-key map (kbd "TAB") #'cj/gate-view-next)
    (define-key map (kbd "<backtab>") #'cj/gate-view-previous)
    (define-key map (kbd "n") #'cj/gate-view-next)
    (define-key map (kbd "p") #'cj/gate-view-previous)
    map)
  "Keys of the approval buffer.")

(define-derived-mode cj/gate-approval-mode special-mode "cj-gate approval"
  "Mode of the buffer in which a person approves or declines a call.
The call runs only once \\<cj/gate-approval-mode-map>\\[cj/gate-approval-accept] is pressed here.  That
key counts only after all of the text has been on the screen, and some time
after you entered this window.  \\[cj/gate-approval-read-on] shows the text below.

\\[cj/gate-approval-decline] declines the call, \\[cj/gate-approval-decline-saying] with words for the model.
\\[cj/gate-approval-edit] changes the call.
\\[cj/gate-queue] lists all waiting calls.
\\[cj/gate-approval-leave] puts this window away and answers nothing.
\\[cj/gate-view-next] and \\[cj/gate-view-previous] go to the next and the previous part.
\\[cj/gate-view-menu] shows a menu of the keys."
  ;; Long lines are wrapped, not cut, and each wrapped part has a prefix.
  ;; Without one, an argument with enough blanks could wrap into what looks like
  ;; a line of the buffer, such as "Class  read".
  (setq-local truncate-lines nil
              truncate-partial-width-windows nil
              word-wrap t
              wrap-prefix "    | "
              bidi-display-reordering nil
              ;; The prefix marks wrapped parts; arrows are not needed too.
              fringe-indicator-alist (cons '(continuation nil nil)
                                           fringe-indicator-alist)
              imenu-create-index-function #'cj/gate-view-sections
              header-line-format '((:eval (cj/gate-approval--keys))))
  (cj/gate-approval-watch)
  (add-hook 'kill-buffer-hook #'cj/gate-approval--killed nil t))

(defun cj/gate-approval--buffer ()
  "Return the approval buffer; make it if it is not there."
  (with-current-buffer (get-buffer-create cj/gate-approval-buffer-name)
    (unless (derived-mode-p 'cj/gate-approval-mode)
      (cj/gate-approval-mode))
    (current-buffer)))

(defun cj/gate-approval--fill (entry)
  "Make the current buffer, the approval buffer, show ENTRY."
  (let ((inhibit-read-only t))
    (widen)
    (delete-all-overlays)
    (erase-buffer)
    (insert (cj/gate-confirm-text (cj/gate-approval--entry-info entry)
                                  (cj/gate-approval--entry-seen entry)
                                  (cj/gate-approval--more-keys entry)))
    (goto-char (point-min))
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-start window (point-min))
      (set-window-point window (point-min)))
    (setq cj/gate-approval--entry entry)
    (cj/gate-approval-begin)))

(defun cj/gate-approval--show ()
  "Show the entry at the head of the queue without taking the focus."
  (let ((entry (car cj/gate-approval--queue)))
    (when entry
      (let ((buffer (cj/gate-approval--buffer))
            (window (cj/gate-approval-window))
            (selected (selected-window)))
        (with-current-buffer buffer
          (unless (eq entry cj/gate-approval--entry)
            (cj/gate-approval--fill entry)))
        (unless window
          (setq window (cj/gate-approval-display buffer)))
        (when window
          (cj/gate-approval-fit window)
          ;; Display the buffer now: keys that were typed before must not count
          ;; as typed after it came into view.
          (cj/gate-approval-redisplay-in selected)
          (cj/gate-approval-look))
        (cj/gate-approval-keep (and window #'cj/gate-approval--show)))
      (force-mode-line-update t))))

(defun cj/gate-approval--choose (entry)
  "Put ENTRY first in the queue, and show it."
  (setq cj/gate-approval--queue
        (cons entry (delq entry (copy-sequence cj/gate-approval--queue))))
  (cj/gate-approval--show))

(defun cj/gate-approval--refresh ()
  "Show the next entry, or put the approval buffer away; never signal.
An error about windows must not stop a decision or an answer."
  (condition-case err
      (cj/gate-approval--refresh-windows)
    ((error quit)
     (message "cj-gate: the approval buffer could not be brought up to date: %s"
              (error-message-string err))))
  (force-mode-line-update t))

(defun cj/gate-approval--refresh-windows ()
  "Show the next entry, or put the approval buffer away."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (cond
     ((and cj/gate-approval--expected buffer)
      (with-current-buffer buffer
        (setq cj/gate-approval--entry nil)
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert "The changed call is being looked at.\n"))))
     ;; Also if the buffer was killed: other calls may wait.
     (cj/gate-approval--queue (cj/gate-approval--show))
     (buffer
      (cj/gate-approval-keep nil)
      (with-current-buffer buffer
        (setq cj/gate-approval--entry nil)
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert "No call waits.\n")))
      (dolist (window (get-buffer-window-list buffer nil t))
        (quit-restore-window window 'bury))))))

(defun cj/gate-approval--killed ()
  "Decline the entry of the approval buffer, which is being killed."
  (let ((entry cj/gate-approval--entry))
    (dolist (window (get-buffer-window-list nil nil t))
      (quit-restore-window window))
    (when entry
      (setq cj/gate-approval--entry nil)
      (run-at-time 0 nil #'cj/gate-approval--decide entry 'declined
                   "Declined by the user.  Do not retry this call."))))

;;;; Commands

;;;###autoload
(defun cj/gate-approvals (&optional _event)
  "Go to the approval buffer, with the call that is waiting for a person.
Signal a `user-error' if no call waits."
  (interactive)
  (unless cj/gate-approval--queue
    (user-error "No call waits"))
  (cj/gate-approval--show)
  (let ((window (cj/gate-approval-window)))
    (if window
        (progn (select-frame-set-input-focus (window-frame window))
               (select-window window))
      (pop-to-buffer cj/gate-approval-buffer-name))))

(defun cj/gate-approval--current ()
  "Return the entry in the current buffer; signal if there is none."
  (unless (derived-mode-p 'cj/gate-approval-mode)
    (user-error "This is not the approval buffer; `M-x cj/gate-approvals' shows it"))
  (or cj/gate-approval--entry (user-error "No call waits")))

(defun cj/gate-approval-accept ()
  "Approve the call that is shown, and run it once."
  (interactive nil cj/gate-approval-mode)
  (let ((entry (cj/gate-approval--current))
        ;; A quit between the yes and the run would leave the call approved, but
        ;; neither waiting nor run.
        (inhibit-quit t)
        (why-not (or (cj/gate-approval-why-not)
                     (cj/gate-approval-why-no-key 'cj/gate-approval-accept))))
    (if why-not
        (message "%s" why-not)
      (condition-case err
          (progn
            (cj/gate-approve
             (cj/gate-approval--entry-plan entry)
             (plist-get (cj/gate-approval--entry-info entry) :digest))
            (cj/gate-approval--decide entry 'approved)
            (message "Approved: %s" (cj/gate-approval--summary entry)))
        (cj/gate-error
         (message "Not approved: %s" (cj/gate-error-message err)))))))

(defun cj/gate-approval-decline ()
  "Decline the call that is shown."
  (interactive nil cj/gate-approval-mode)
  (let ((entry (cj/gate-approval--current)))
    (cj/gate-approval--decide entry 'declined
                              "Declined by the user.  Do not retry this call.")
    (message "Declined: %s" (cj/gate-approval--summary entry))))

(defun cj/gate-approval-decline-saying (why &optional siblings)
  "Decline the call that is shown and tell the model WHY, a string.
WHY is redacted like everything that goes to the model.
With SIBLINGS non-nil also decline, with the same words, the other calls that
the model made together with this one: those that wait, and those that would be
asked about later."
  (interactive
   (let* ((entry (cj/gate-approval--current))
          (why (cj/gate-approval--ask-for #'read-string "Decline, since: "))
          (question (cj/gate-approval--siblings-question
                     (length (cj/gate-approval--siblings entry))
                     (cj/gate--batch-unjudged (cj/gate-approval--entry-job entry)))))
     (list why
           (and question (cj/gate-approval--ask-for #'y-or-n-p question))))
   cj/gate-approval-mode)
  (let* ((entry (cj/gate-approval--current))
         (others (and siblings (cj/gate-approval--siblings entry)))
         (why (cj/gate-approval--declined-since why)))
    (when siblings
      (setf (cj/gate--batch-declined
             (cj/gate--job-batch (cj/gate-approval--entry-job entry)))
            why))
    (cj/gate-approval--decline-list (cons entry (cj/gate-approval--waiting others)) why)
    (if others
        (message "Declined: %s, and %d more that came with it"
                 (cj/gate-approval--summary entry) (length others))
      (message "Declined: %s" (cj/gate-approval--summary entry)))))

(defun cj/gate-approval--declined-since (why)
  "Return the answer to the model for a call declined because of WHY, a string."
  (let ((why (string-trim why)))
    (if (equal why "")
        "Declined by the user.  Do not retry this call."
      (format "Declined by the user: %s\nDo not retry this call."
              (cj/gate-approval-text--line
               (if (string-match-p "[.!?]\\'" why) why (concat why ".")))))))

(defun cj/gate-approval--siblings (entry)
  "Return the other jobs of the batch of ENTRY that can be declined now.
They wait for a person, or the reads for their questions are under way.  A call
that is not judged yet does not count, since it may be a read."
  (let* ((job (cj/gate-approval--entry-job entry))
         (waiting (mapcar #'cj/gate-approval--entry-job cj/gate-approval--queue)))
    (cl-remove-if-not (lambda (other)
                        (and (not (eq other job))
                             (or (memq other waiting) (cj/gate--batch-awaited-p other))))
                      (cj/gate--batch-jobs (cj/gate--job-batch job)))))

(defun cj/gate-approval--siblings-question (count more)
  "Return the question whether to decline COUNT siblings of a call too, or nil.
MORE is the number of further siblings, which are not judged yet and may need no
question.  The value is nil if both numbers are zero."
  (let ((calls (lambda (number) (if (= number 1) "call" (format "%d calls" number))))
        (if-asked (if (= more 1) "if it is asked about" "if they are asked about")))
    (cond
     ((and (zerop count) (zerop more)) nil)
     ((zerop more)
      (format "Decline the other %s that came with it too? " (funcall calls count)))
     ((zerop count)
      (format "Decline the other %s that came with it too, %s? " (funcall calls more) if-asked))
     (t
      (format "Decline the other %s that came with it too, and %d more %s? "
              (funcall calls count) more if-asked)))))

(defun cj/gate-approval--waiting (jobs)
  "Return the queue's entries for JOBS, a list; not every job has one."
  (cl-remove-if-not (lambda (entry) (memq (cj/gate-approval--entry-job entry) jobs))
                    cj/gate-approval--queue))

(defun cj/gate-approval--ask-for (read &rest args)
  "Call READ with ARGS, to read from the minibuffer, and return its value.
Signal a `user-error' if the call that was shown waits no longer or is no longer
shown: the answer was not meant for another call."
  (let* ((entry (cj/gate-approval--current))
         (buffer (current-buffer))
         (value (apply read args)))
    (unless (and (buffer-live-p buffer)
                 (eq entry (buffer-local-value 'cj/gate-approval--entry buffer))
                 (memq entry cj/gate-approval--queue))
      (user-error "That call does not wait any more"))
    value))

(defun cj/gate-approval-edit ()
  "Change a text or the arguments of the call that is shown.
The changed call is judged like any other call and waits anew."
  (interactive nil cj/gate-approval-mode)
  (cj/gate-edit (cj/gate-approval--current)))

(defun cj/gate-approval-leave ()
  "Put the approval buffer away; the call is not answered and still waits."
  (interactive nil cj/gate-approval-mode)
  (let ((waits cj/gate-approval--entry))
    (quit-window)
    (when waits
      (cj/gate-approval-put-away))))

(provide 'cj-gate-approval)

;;; cj-gate-approval.el ends here
