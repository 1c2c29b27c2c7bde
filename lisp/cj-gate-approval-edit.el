;;; cj-gate-approval-edit.el --- Changing a call before a yes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A person can change a call that waits.  A text that the call sends, such as a
;; body or a title, is changed in a buffer of its own, as plain text and in a
;; major mode that fits the text.  The arguments are changed in another buffer,
;; one a line; an argument that does not fit on a line is named in angle
;; brackets, and RET opens it.
;;
;; The changed call is planned and judged like any other call and waits anew;
;; changing a call never approves it.  The buffers are killed when the call is
;; answered; text that a person had changed and not sent goes to the kill ring.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-job)
(require 'cj-gate-approval)

(defconst cj/gate-edit-buffer-name "*cj-gate change call*"
  "Name of the buffer in which the arguments of a call are changed.")

(defvar-local cj/gate-edit--entry nil
  "The entry that is being changed in this buffer.")

(defvar-local cj/gate-edit--take nil
  "Function that is called with the text of this buffer once it is finished.")

(defvar-local cj/gate-edit--what nil
  "The part of the entry that is changed in this buffer, a list.
It is (text INDEX), a text in the argument INDEX, or (line MARKER), the argument
on a line of the buffer of arguments; nil in that buffer itself, and for a new
argument.")

(defvar-local cj/gate-edit--looking nil
  "Timer of the look-up for the changed arguments, nil while there is none.
The look-up collects the facts that the new plan needs; the timer ends it after
`cj/gate-edit-look-limit'.")

(defvar cj/gate-edit-look-limit 30
  "Seconds after which a look-up of changed arguments counts as failed.")

;; A person can choose another major mode; these variables keep their values.
(dolist (variable '(cj/gate-edit--entry cj/gate-edit--take cj/gate-edit--what
                    cj/gate-edit--looking cj/gate-edit-text-mode))
  (put variable 'permanent-local t))

;;;; Which text is which argument

(defun cj/gate-edit--places (entry argv)
  "Return the places of the texts of ENTRY in ARGV, a list of strings.
Each place is (LABEL INDEX PREFIX): the argument INDEX is PREFIX and the text,
as in \"--body=\" and a body.  A text that is no argument, such as that of a
file, has no place.
Texts and arguments are compared in the form in which they are shown.  The gate
adds its own arguments at the end, so an index holds for both forms."
  (let* ((info (cj/gate-approval--entry-info entry))
         (shown (plist-get info :shown))
         (taken nil)
         (places nil))
    (dolist (outgoing (plist-get info :texts))
      (let ((index (cl-position-if
                    (lambda (argument)
                      (cj/gate-approval-text--before-text
                       (plist-get outgoing :text) argument))
                    (cl-loop for argument in shown
                             for i from 0
                             collect (if (memq i taken) "" argument)))))
        (when index
          (let ((prefix (cj/gate-approval-text--before-text
                         (plist-get outgoing :text) (nth index shown))))
            (push index taken)
            (when (and (nth index argv)
                       (string-prefix-p prefix (nth index argv)))
              (push (list (plist-get outgoing :label) index prefix) places))))))
    (nreverse places)))

(defun cj/gate-edit--argv (entry)
  "Return the arguments of ENTRY as they were given, a list of strings."
  (append (cj/gate--job-argv (cj/gate-approval--entry-job entry)) nil))

;;;; A text

(defvar cj/gate-edit-text-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'cj/gate-edit-finish)
    (define-key map (kbd "C-c C-k") #'cj/gate-edit-leave)
    map)
  "Keys of a buffer in which a text of a call is changed.")

(define-minor-mode cj/gate-edit-text-mode
  "Mode of a buffer in which a text of a waiting call is changed.
\\<cj/gate-edit-text-mode-map>\\[cj/gate-edit-finish] takes the text as it stands, \\[cj/gate-edit-leave] leaves it as it was."
  :lighter " change"
  :interactive nil
  (cj/gate-edit--keep-text)
  (setq-local header-line-format
              (substitute-command-keys
               " Sent as it stands.  \\<cj/gate-edit-text-mode-map>\\[cj/gate-edit-finish] take it   \\[cj/gate-edit-leave] leave it as it was")))

(defun cj/gate-edit--json-p (text)
  "Return non-nil if TEXT is a JSON object or array."
  (and (string-match-p "\\`[[:space:]]*[[{]" text)
       (condition-case nil
           (or (json-parse-string text) t)
         (error nil))))

(defun cj/gate-edit--mode (label text)
  "Return the major mode for TEXT, which LABEL names, a symbol."
  (cl-find-if
   #'fboundp
   (cond
    ((cj/gate-edit--json-p text) '(json-mode js-mode))
    ((string-match-p "query" label) '(graphql-mode text-mode))
    ((member (downcase label) '("title" "subject" "name" "description")) '(text-mode))
    (t '(gfm-mode markdown-mode text-mode)))))

(defun cj/gate-edit--show-hidden ()
  "Show invisible characters in this buffer, such as U+200B, as their codes."
  (setq-local bidi-display-reordering nil
              enable-local-variables nil
              require-final-newline nil
              glyphless-char-display (copy-sequence glyphless-char-display))
  (dolist (range '((#x200b . #x200f) (#x2028 . #x202e) (#x2066 . #x2069) (#xfeff . #xfeff)))
    (set-char-table-range glyphless-char-display range 'hex-code)))

(defun cj/gate-edit--opened (entry what)
  "Return the buffer in which the part WHAT of ENTRY is being changed, or nil."
  (cl-find-if (lambda (buffer)
                (and (eq entry (buffer-local-value 'cj/gate-edit--entry buffer))
                     (equal what (buffer-local-value 'cj/gate-edit--what buffer))))
              (buffer-list)))

(defun cj/gate-edit--open-text (entry what label text take)
  "Open a buffer with TEXT of ENTRY, which LABEL names.
TAKE is called with the changed text, a string.  WHAT is as in
`cj/gate-edit--what'; if that part is being changed already, show its buffer
unchanged.  If WHAT is nil, always open a new buffer."
  (let ((opened (and what (cj/gate-edit--opened entry what))))
    (pop-to-buffer (or opened (cj/gate-edit--new-text entry what label text take)))))

(defun cj/gate-edit--new-text (entry what label text take)
  "Return a new buffer with TEXT, for `cj/gate-edit--open-text'.
ENTRY, WHAT, LABEL and TAKE are as in that function."
  (let ((buffer (generate-new-buffer
                 (format "*cj-gate change %s of call %s*" (downcase label)
                         (plist-get (cj/gate-approval--entry-info entry) :call)))))
    (with-current-buffer buffer
      (insert text)
      (goto-char (point-min))
      (funcall (cj/gate-edit--mode label text))
      (cj/gate-edit--show-hidden)
      (cj/gate-edit-text-mode)
      (set-buffer-modified-p nil)
      (setq buffer-undo-list nil
            cj/gate-edit--entry entry
            cj/gate-edit--what what
            cj/gate-edit--take take))
    buffer))

;;;; The arguments, one a line

(defvar cj/gate-edit-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'cj/gate-edit-finish)
    (define-key map (kbd "C-c C-k") #'cj/gate-edit-leave)
    (define-key map (kbd "C-c C-t") #'cj/gate-edit-insert-text)
    map)
  "Keys of the buffer in which the arguments of a call are changed.")

(defvar cj/gate-edit-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'cj/gate-edit-text-at-point)
    (define-key map [mouse-2] #'cj/gate-edit-text-at-point)
    (define-key map [follow-link] 'mouse-face)
    map)
  "Keys on a line that stands for an argument that does not fit on a line.")

(define-derived-mode cj/gate-edit-mode text-mode "cj-gate change"
  "Mode of the buffer in which the arguments of a waiting call are changed.
Each line is an argument, unquoted.  A line in angle brackets stands for an
argument that a line cannot show: one of several lines, an empty one, or one
with invisible characters.
\\<cj/gate-edit-line-map>\\[cj/gate-edit-text-at-point] on such a line opens the argument.
\\<cj/gate-edit-mode-map>\\[cj/gate-edit-insert-text] adds such an argument.
\\[cj/gate-edit-finish] asks about the changed call.
\\[cj/gate-edit-leave] leaves the call as it was."
  (cj/gate-edit--show-hidden)
  (cj/gate-edit--keep-text)
  (setq-local header-line-format
              (substitute-command-keys
               " One argument a line.  \\<cj/gate-edit-mode-map>\\[cj/gate-edit-finish] ask anew   \\[cj/gate-edit-leave] leave it as it was")))

(defun cj/gate-edit--plain-p (argument)
  "Return non-nil if a line can show ARGUMENT unchanged."
  (not (or (string-blank-p argument)
           (string-match-p "[[:cntrl:]\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
                           argument))))

(defun cj/gate-edit--stand-in (argument)
  "Return the line in angle brackets for ARGUMENT, which no line can show."
  (let* ((lines (split-string argument "\n"))
         (words (cj/gate-approval-text--line (string-trim (car lines)))))
    (propertize
     (if (equal argument "")
         "<an empty argument>"
       (format "<%d line%s: %s>" (length lines) (if (cdr lines) "s" "")
               (truncate-string-to-width words 50 nil nil t)))
     'cj/gate-value argument
     'face 'link 'mouse-face 'highlight 'keymap cj/gate-edit-line-map
     'help-echo "RET: change this text"
     'rear-nonsticky t)))

(defun cj/gate-edit--line (argument)
  "Return the line for ARGUMENT."
  (if (cj/gate-edit--plain-p argument) argument (cj/gate-edit--stand-in argument)))

(defun cj/gate-edit--argument-here ()
  "Return the argument on the line at point, or nil for an empty line."
  (let* ((line (buffer-substring-no-properties (line-beginning-position)
                                               (line-end-position)))
         (held (text-property-not-all (line-beginning-position) (line-end-position)
                                      'cj/gate-value nil))
         (value (and held (get-text-property held 'cj/gate-value))))
    (cond
     ((not value) (and (not (string-blank-p line)) line))
     ((equal line (substring-no-properties (cj/gate-edit--stand-in value))) value)
     (t (user-error "Line %d stands for a text: undo what was typed there, and change it by RET"
                    (line-number-at-pos))))))

(defun cj/gate-edit--arguments ()
  "Return the arguments in the current buffer, a list of strings."
  (save-excursion
    (goto-char (point-min))
    (let (arguments)
      (while (not (eobp))
        (let ((argument (cj/gate-edit--argument-here)))
          (when argument
            (push argument arguments)))
        (forward-line 1))
      (nreverse arguments))))

(defun cj/gate-edit--open-arguments (entry)
  "Open the buffer in which the arguments of ENTRY can be changed.
If they are being changed already, show that buffer unchanged."
  (with-current-buffer (get-buffer-create cj/gate-edit-buffer-name)
    (unless (eq entry cj/gate-edit--entry)
      (cj/gate-edit--rescue "Another call is changed here now")
      (cj/gate-edit-mode)
      (erase-buffer)
      (dolist (argument (cj/gate-edit--argv entry))
        (insert (cj/gate-edit--line argument) "\n"))
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (cj/gate-edit--stop-looking (current-buffer))
      (setq buffer-undo-list nil
            cj/gate-edit--entry entry))
    (pop-to-buffer (current-buffer))))

(defun cj/gate-edit-text-at-point (&optional event)
  "Change the text that the line at point, or at EVENT, stands for."
  (interactive (list last-input-event) cj/gate-edit-mode)
  (when (mouse-event-p event)
    (mouse-set-point event))
  (let ((value (cj/gate-edit--argument-here))
        (marker (copy-marker (line-beginning-position))))
    (cj/gate-edit--open-text cj/gate-edit--entry (list 'line marker)
                             "argument" (or value "")
                             (cj/gate-edit--put-back marker 'instead value))))

(defun cj/gate-edit-insert-text ()
  "Add an argument of several lines, or an empty one, before the line at point."
  (interactive nil cj/gate-edit-mode)
  (cj/gate-edit--open-text cj/gate-edit--entry nil "argument" ""
                           (cj/gate-edit--put-back
                            (copy-marker (line-beginning-position)) nil)))

(defun cj/gate-edit--put-back (marker instead &optional value)
  "Return a function that puts a text on a line at MARKER.
If INSTEAD is non-nil, the text replaces the line there, which must still stand
for VALUE; otherwise the text becomes a new line before it."
  (lambda (text)
    (let ((buffer (marker-buffer marker)))
      (unless (and (buffer-live-p buffer)
                   (eq cj/gate-edit--entry
                       (buffer-local-value 'cj/gate-edit--entry buffer)))
        (user-error "The buffer of the arguments is gone"))
      (with-current-buffer buffer
        (goto-char marker)
        (when instead
          (unless (equal value (cj/gate-edit--argument-here))
            (user-error "The line of this text is gone from the arguments, or changed"))
          (delete-region (line-beginning-position) (line-end-position)))
        (insert (cj/gate-edit--line text))
        (unless instead (insert "\n"))
        (goto-char marker))
      (cj/gate-edit--close)
      (pop-to-buffer buffer))))

;;;; Beginning and end

(defun cj/gate-edit (entry)
  "Open a buffer to change a text of ENTRY, or its arguments.
If ENTRY has texts, ask which of them to change, or the arguments."
  (let* ((argv (cj/gate-edit--argv entry))
         (places (cj/gate-edit--places entry argv))
         (labels (mapcar #'car places))
         (choice (and places
                      (let ((completion-ignore-case t))
                        (cj/gate-approval--ask-for
                         #'completing-read
                         (format "Change (%s by default): " (car (last labels)))
                         (append (reverse labels) '("Arguments")) nil t nil nil
                         (car (last labels))))))
         (place (assoc choice places)))
    (if (not place)
        (cj/gate-edit--open-arguments entry)
      (pcase-let ((`(,label ,index ,prefix) place))
        (cj/gate-edit--open-text
         entry (list 'text index) label (string-remove-prefix prefix (nth index argv))
         (lambda (text)
           (let ((changed (copy-sequence argv)))
             (setf (nth index changed) (concat prefix text))
             (cj/gate-edit--submit entry changed))))))))

(defun cj/gate-edit--close ()
  "Kill the current buffer, whose text was taken or given up."
  (set-buffer-modified-p nil)
  (quit-window t))

(defun cj/gate-edit-leave ()
  "Leave the call, or the text of it, as it was; the call still waits."
  (interactive nil cj/gate-edit-mode cj/gate-edit-text-mode)
  (let ((arguments (get-buffer cj/gate-edit-buffer-name))
        (of-line (and cj/gate-edit--take (not (derived-mode-p 'cj/gate-edit-mode))))
        (entry cj/gate-edit--entry))
    (cj/gate-edit--close)
    (cond
     ((and of-line arguments
           (eq entry (buffer-local-value 'cj/gate-edit--entry arguments)))
      (pop-to-buffer arguments))
     (cj/gate-approval--queue (cj/gate-approvals)))))

(defun cj/gate-edit-finish ()
  "Take the changed text or arguments, and ask about the changed call anew.
The changed call is judged first.  If it would be refused, the change is not
taken: the reason is shown, and the call waits as it was."
  (interactive nil cj/gate-edit-mode cj/gate-edit-text-mode)
  (unless (memq cj/gate-edit--entry cj/gate-approval--queue)
    (user-error "The call does not wait any more"))
  (when cj/gate-edit--looking
    (user-error "The changed call is being looked up; it is asked about soon"))
  (if cj/gate-edit--take
      (funcall cj/gate-edit--take
               (buffer-substring-no-properties (point-min) (point-max)))
    (cj/gate-edit--submit cj/gate-edit--entry (cj/gate-edit--arguments))))

(defun cj/gate-edit--submit (entry arguments)
  "Replace the arguments of ENTRY with ARGUMENTS, from the current buffer."
  (if (equal arguments (cj/gate-edit--argv entry))
      (cj/gate-edit-leave)
    (let* ((job (cj/gate-approval--entry-job entry))
           (facts (cj/gate--program-option (cj/gate--job-program job) :facts)))
      (condition-case err
          (if facts
              (cj/gate-edit--look-up entry arguments facts (current-buffer))
            (cj/gate-edit--change entry arguments nil (current-buffer)
                                  (buffer-chars-modified-tick)))
        (error (user-error "Not taken: %s" (cj/gate-error-message err)))))))

(defun cj/gate-edit--change (entry arguments facts buffer tick)
  "Ask about ENTRY anew, with ARGUMENTS and their FACTS; end its edit BUFFER.
TICK is the `buffer-chars-modified-tick' of BUFFER when ARGUMENTS were taken
from it: if text was typed there since, it goes to the kill ring.
If the changed call is refused, signal a condition and keep BUFFER unchanged."
  (let* ((modified (and (buffer-live-p buffer) (buffer-modified-p buffer)))
         (typed-on (and modified
                        (not (eql tick (buffer-chars-modified-tick buffer))))))
    (when (and modified (not typed-on))
      (with-current-buffer buffer (set-buffer-modified-p nil)))
    (condition-case err
        (cj/gate--change-call (cj/gate-approval--entry-job entry) arguments facts)
      (error
       (when (buffer-live-p buffer)
         (with-current-buffer buffer (set-buffer-modified-p modified)))
       (signal (car err) (cdr err))))
    (message "The changed call is asked about anew%s"
             (if typed-on "; what you typed since is in the kill ring" ""))))

(defun cj/gate-edit--look-up (entry arguments look buffer)
  "Collect the facts of ARGUMENTS, then replace those of ENTRY with ARGUMENTS.
LOOK is the function that collects them, the :facts of `cj/gate-programs'.
Meanwhile ENTRY waits as it was and can be answered.  Signal a condition if LOOK
refuses ARGUMENTS at once.  BUFFER is kept until ARGUMENTS are taken; if they
are not, it can be used again."
  (let* ((job (cj/gate-approval--entry-job entry))
         (tick (buffer-chars-modified-tick buffer))
         (ticket nil)
         (timer (run-at-time cj/gate-edit-look-limit nil
                             (lambda () (cj/gate-edit--not-looked-up entry ticket buffer)))))
    (with-current-buffer buffer
      (setq cj/gate-edit--looking timer))
    (condition-case err
        (setq ticket
              (cj/gate--in-buffer-of
               job look arguments
               (lambda (facts)
                 (cj/gate-edit--looked-up entry arguments facts buffer tick timer))))
      ((error quit)
       (cj/gate-edit--stop-looking buffer)
       (signal (car err) (cdr err))))
    ;; Unless the look-up has answered already.
    (when (and (buffer-live-p buffer)
               (eq timer (buffer-local-value 'cj/gate-edit--looking buffer)))
      ;; So the end of the call ends the look-up too.
      (setf (cj/gate--job-ticket job) ticket)
      (message "The changed call is being looked up"))))

(defun cj/gate-edit--stop-looking (buffer)
  "Note that no look-up for BUFFER is under way, and cancel its timer."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when (timerp cj/gate-edit--looking)
        (cancel-timer cj/gate-edit--looking))
      (setq cj/gate-edit--looking nil))))

(defun cj/gate-edit--looked-up (entry arguments facts buffer tick timer)
  "Replace the arguments of ENTRY with ARGUMENTS, after their look-up.
FACTS is what the look-up found, or nil if it failed.  Do nothing unless BUFFER
still waits for the look-up of TIMER.  TICK is as in `cj/gate-edit--change'.  If
ARGUMENTS cannot be taken, say so and keep BUFFER."
  (when (and (memq entry cj/gate-approval--queue)
             (buffer-live-p buffer)
             (eq timer (buffer-local-value 'cj/gate-edit--looking buffer)))
    (cj/gate-edit--stop-looking buffer)
    (setf (cj/gate--job-ticket (cj/gate-approval--entry-job entry)) nil)
    (condition-case err
        (if facts
            (cj/gate-edit--change entry arguments facts buffer tick)
          (message "Not taken: nothing could be found out about the changed call"))
      (error
       (message "Not taken: %s" (cj/gate-error-message err))))))

(defun cj/gate-edit--not-looked-up (entry ticket buffer)
  "End the look-up TICKET for ENTRY, which gave BUFFER no answer in time."
  (cj/gate-edit--stop-looking buffer)
  (let ((job (cj/gate-approval--entry-job entry)))
    (when (and ticket (eql ticket (cj/gate--job-ticket job))
               (memq entry cj/gate-approval--queue))
      (setf (cj/gate--job-ticket job) nil)
      (cj/gate-cancel ticket)))
  (when (and (buffer-live-p buffer) (memq entry cj/gate-approval--queue))
    (message
     "Not taken: the changed call could not be looked up within %s seconds; it waits as it was, and your text is kept"
     cj/gate-edit-look-limit)))

(defun cj/gate-edit--keep-text ()
  "Keep the changed text of this buffer in the kill ring when it is killed."
  (add-hook 'kill-buffer-hook #'cj/gate-edit--killed nil t))

(defun cj/gate-edit--killed ()
  "Keep the changed text of the current buffer, which is being killed."
  (cj/gate-edit--stop-looking (current-buffer))
  (when cj/gate-edit--entry
    (cj/gate-edit--rescue "The buffer was killed")))

(put 'cj/gate-edit--killed 'permanent-local-hook t)

(defun cj/gate-edit--rescue (why)
  "Put the text of the current buffer on the kill ring if it was changed.
Say so, and WHY, a sentence without its full stop.  An argument in angle
brackets is put there in full."
  (when (buffer-modified-p)
    (kill-new (or (and (derived-mode-p 'cj/gate-edit-mode)
                       (ignore-errors (string-join (cj/gate-edit--arguments) "\n")))
                  (buffer-substring-no-properties (point-min) (point-max))))
    (message "%s: what you changed is in the kill ring" why)))

(defun cj/gate-edit-forget (entry)
  "Kill the buffers in which ENTRY, which was answered, was being changed.
Text that a person had changed there and not sent goes to the kill ring."
  (dolist (buffer (buffer-list))
    (when (eq entry (buffer-local-value 'cj/gate-edit--entry buffer))
      ;; A failing hook of the user must not stop the answer.
      (condition-case err
          (cj/gate-edit--end buffer)
        ((error quit)
         (message "cj-gate: a buffer of the changed call could not be ended: %s"
                  (error-message-string err)))))))

(defun cj/gate-edit--end (buffer)
  "Kill BUFFER, whose call was answered, and keep its changed text."
  (with-current-buffer buffer
    (cj/gate-edit--rescue "The call was answered")
    (set-buffer-modified-p nil))
  (dolist (window (get-buffer-window-list buffer nil t))
    (quit-restore-window window 'bury))
  (kill-buffer buffer))

(provide 'cj-gate-approval-edit)

;;; cj-gate-approval-edit.el ends here
