;;; cj-gate-approval-window.el --- The window of a question, and what was read in it -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The approval buffer is shown beside the person's own; it never takes the
;; focus, whatever rules the person has for windows.  A yes counts only after
;; the text was on the screen, from its beginning to its end without a gap, and
;; only some time after the person has entered the window.
;;
;; Two facts are noted about the text of the buffer: how far it was displayed,
;; and since when the person has been in its window.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-approval-notice)

(declare-function cj/gate-approval--show "cj-gate-approval")
(defvar cj/gate-approval--queue)

(defconst cj/gate-approval-buffer-name "*cj-gate approval*"
  "Name of the approval buffer.")

(defconst cj/gate-approval-delay 0.6
  "Seconds that a person must have been in the window before a yes counts.
A key typed for another buffer just as the window was entered is no yes.")

;;;; Windows

(defun cj/gate-approval-window--on-screen-p (window)
  "Return non-nil if WINDOW is on a frame that somebody can see.
Nobody sees the first frame of a daemon, nor a frame that is hidden behind
another one on a text terminal."
  (let ((frame (window-frame window)))
    (if (eq (framep frame) t)
        (eq frame (tty-top-frame (frame-terminal frame)))
      (eq (frame-visible-p frame) t))))

(defun cj/gate-approval-window ()
  "Return a window in which the approval buffer can be seen, or nil.
If the selected window shows it, return that one."
  (let* ((buffer (get-buffer cj/gate-approval-buffer-name))
         (windows (and buffer
                       (cl-remove-if-not #'cj/gate-approval-window--on-screen-p
                                         (get-buffer-window-list buffer nil 'visible)))))
    (if (memq (selected-window) windows)
        (selected-window)
      (car windows))))

(defconst cj/gate-approval-window--display-action
  '((display-buffer-reuse-window
     display-buffer-pop-up-window
     display-buffer-use-some-window
     display-buffer-no-window)
    (inhibit-same-window . t)
    (allow-no-window . t))
  "Display action for the approval buffer: in another window, or in none.")

(defun cj/gate-approval-display (buffer)
  "Display BUFFER, and leave the selected frame and window as they are.
Return a window of BUFFER that can be seen, or nil.  The user's own rules, such
as `display-buffer-alist', are followed first.  If a rule moves the focus, the
focus is moved back; if a rule shows BUFFER in the selected window or fails,
the windows are restored and BUFFER is displayed without rules.  A new frame on
a text terminal, which would cover the frame in use, is deleted."
  (let ((window (selected-window))
        (shown (window-buffer))
        (frames (frame-list))
        (before (current-window-configuration)))
    (condition-case err
        (cj/gate-approval-window--display buffer)
      (error (message "cj-gate: a rule for windows failed: %s"
                      (error-message-string err))))
    (unless (and (window-live-p window) (eq (window-buffer window) shown))
      (set-window-configuration before))
    (cj/gate-approval-back-to window)
    (unless (cj/gate-approval-window)
      (dolist (new (frame-list))
        (unless (or (memq new frames) (not (eq (framep new) t)))
          (delete-frame new)))
      (let ((display-buffer-alist nil)
            (display-buffer-overriding-action nil)
            (pop-up-frames nil))
        (cj/gate-approval-window--display buffer)))
    (cj/gate-approval-back-to window)
    (cj/gate-approval-window)))

(defun cj/gate-approval-window--display (buffer)
  "Display BUFFER by `display-buffer', following the rules in effect."
  ;; A rule with `post-command-select-window' adds a function that selects the
  ;; window to `post-command-hook'.  The binding drops that function; it is made
  ;; in BUFFER, where the hook has no buffer-local value.
  (with-current-buffer buffer
    (let ((post-command-hook nil))
      (display-buffer buffer cj/gate-approval-window--display-action))))

(defun cj/gate-approval-back-to (window)
  "Select WINDOW and its frame again, if WINDOW is still there."
  (when (and (window-live-p window) (not (eq (selected-window) window)))
    (select-frame (window-frame window) 'norecord)
    (select-window window 'norecord)))

(defun cj/gate-approval-redisplay-in (window)
  "Redisplay, and leave WINDOW selected.
The window hooks run in a redisplay and may select another window; then WINDOW
is selected again, and redisplayed again.  If a hook selects another window even
then, WINDOW is selected once more, without running the hooks."
  (redisplay t)
  (unless (eq (selected-window) window)
    (cj/gate-approval-back-to window)
    (redisplay t)
    (unless (eq (selected-window) window)
      (cj/gate-approval-back-to window)
      (let ((window-configuration-change-hook nil)
            (window-state-change-hook nil)
            (window-selection-change-functions nil))
        (redisplay t)))))

(defun cj/gate-approval-fit (window)
  "Make WINDOW as high as its text, at most two thirds of the frame.
Only a window that was made for the approval buffer changes its height."
  (when (eq (car-safe (window-parameter window 'quit-restore)) 'window)
    (fit-window-to-buffer window
                          (max window-min-height
                               (/ (* 2 (frame-height (window-frame window))) 3)))))

;;;; Showing the buffer again after it was lost

(defvar cj/gate-approval-window--show nil
  "Function that shows the approval buffer again; nil while no call is shown.")

(defvar cj/gate-approval-window--away nil
  "Non-nil once the person has put the approval buffer away.")

(defvar cj/gate-approval-window--command nil
  "The command that began while the approval buffer could be seen, or nil.")

(defvar cj/gate-approval-window--returns nil
  "Times of the last ten seconds at which the buffer came back, newest first.")

(defconst cj/gate-approval-window--most-returns 3
  "How often at most the approval buffer comes back within ten seconds.
Other Lisp may take its window away each time.  After so many returns the buffer
stays away, and only the mode line says that a call waits.")

(defconst cj/gate-approval-window--restoring
  "\\(?:winner\\|config\\|register\\|layout\\|restore\\|tab\\|persp\\|frame\\|undo\\)"
  "Regexp for names of commands that restore windows, as `winner-undo' does.
The approval buffer comes back after them.")

(defconst cj/gate-approval-window--leaving
  "\\(?:delete\\|quit\\|bury\\|kill\\|close\\|hide\\|leave\\|switch\\|buffer\\|find-file\\|dired\\)"
  "Regexp for names of commands that put a window away, as `delete-window' does.
The approval buffer stays away after them.")

(defun cj/gate-approval-keep (show)
  "From now on show the approval buffer again whenever it gets lost.
SHOW is the function that shows it; nil: stop, since no call is shown."
  (setq cj/gate-approval-window--show show
        cj/gate-approval-window--away nil)
  (if show
      (progn
        (add-hook 'pre-command-hook #'cj/gate-approval-window--before-command)
        (add-hook 'post-command-hook #'cj/gate-approval-window--after-command)
        (add-hook 'window-state-change-hook #'cj/gate-approval-window--after-change)
        (add-hook 'after-delete-frame-functions #'cj/gate-approval-window--after-change))
    (remove-hook 'pre-command-hook #'cj/gate-approval-window--before-command)
    (remove-hook 'post-command-hook #'cj/gate-approval-window--after-command)
    (remove-hook 'window-state-change-hook #'cj/gate-approval-window--after-change)
    (remove-hook 'after-delete-frame-functions #'cj/gate-approval-window--after-change)))

(defun cj/gate-approval-put-away ()
  "Note that the person put the approval buffer away, and say how to return."
  (setq cj/gate-approval-window--away t)
  (message "The call still waits: %s shows it again" (cj/gate-approval-how)))

(defun cj/gate-approval-window--lost-p ()
  "Return non-nil if the approval buffer cannot be seen, but should be.
That is so if it was shown and the person has not put it away."
  (and cj/gate-approval-window--show
       (not cj/gate-approval-window--away)
       (not (cj/gate-approval-window))))

(defun cj/gate-approval-window--before-command ()
  "Note which command begins while the approval buffer can be seen.
A command in the minibuffer does not count: the person puts no window away with
it, although leaving the minibuffer may restore earlier windows."
  (setq cj/gate-approval-window--command
        (and (not (minibufferp))
             (cj/gate-approval-window)
             this-command)))

(defun cj/gate-approval-window--after-command ()
  "Note whether the command that ends now has put the approval buffer away.
A command that was reading from the minibuffer when the approval buffer appeared
has not: leaving the minibuffer restored the windows from before."
  (when (cj/gate-approval-window--lost-p)
    (let ((name (if (symbolp this-command) (symbol-name this-command) "")))
      (if (and this-command
               (eq this-command cj/gate-approval-window--command)
               (string-match-p cj/gate-approval-window--leaving name)
               (not (string-match-p cj/gate-approval-window--restoring name)))
          (cj/gate-approval-put-away)
        (cj/gate-approval-window--after-change)))))

(defun cj/gate-approval-window--after-change (&rest _)
  "Show the approval buffer again if it was lost.
This is done by a timer, after all changes of windows that are under way."
  (when (cj/gate-approval-window--lost-p)
    (run-at-time 0 nil #'cj/gate-approval-window--return)))

(defun cj/gate-approval-window--return ()
  "Show the approval buffer again, unless it was taken away too often."
  (when (and (cj/gate-approval-window--lost-p)
             ;; Leaving the minibuffer will restore the windows from before it.
             (not (active-minibuffer-window)))
    (setq cj/gate-approval-window--returns
          (cl-remove-if (lambda (time) (< time (- (float-time) 10)))
                        cj/gate-approval-window--returns))
    (if (>= (length cj/gate-approval-window--returns) cj/gate-approval-window--most-returns)
        (cj/gate-approval-put-away)
      (push (float-time) cj/gate-approval-window--returns)
      (funcall cj/gate-approval-window--show))))

(defun cj/gate-approval-window--in-new-frame ()
  "Show the approval buffer in the frame of a client that has just come."
  (when (or cj/gate-approval-window--show cj/gate-approval--queue)
    (run-at-time 0 nil #'cj/gate-approval-window--show-here)))

(defun cj/gate-approval-window--show-here ()
  "Show the approval buffer in the selected frame if a call waits."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (when (and cj/gate-approval--queue buffer
               (not (get-buffer-window buffer)))
      (cj/gate-approval-display buffer)
      (cj/gate-approval--show))))

(add-hook 'server-after-make-frame-hook #'cj/gate-approval-window--in-new-frame)

;;;; What was on the screen

(defvar-local cj/gate-approval-window--read-to nil
  "Position up to which this buffer was displayed without a gap, or nil.")

(defvar-local cj/gate-approval-window--entered nil
  "Time at which the person entered a window of this buffer; nil outside one.")

(defvar-local cj/gate-approval-window--timer nil
  "Timer that looks again after `cj/gate-approval-delay', or nil.")

(defvar-local cj/gate-approval-window--pending nil
  "Timer that looks again after a redisplay, or nil.")

(defvar-local cj/gate-approval-window--ready nil
  "Non-nil once a yes counts.
All of the text was displayed, and `cj/gate-approval-delay' has passed.")

(defun cj/gate-approval-unread-lines ()
  "Return how many lines of this buffer have not been displayed yet."
  (save-restriction
    (widen)
    (let ((from (or cj/gate-approval-window--read-to (point-min))))
      (if (>= from (point-max))
          0
        (max 1 (count-lines from (point-max)))))))

(defun cj/gate-approval-read-on ()
  "Scroll to the first part of the question that was not on the screen yet.
If a page was scrolled past before it could be displayed, this goes back to it.
Text that a person has hidden, as by narrowing, is shown again.  At the end the
last line stands at the bottom of the window."
  (interactive nil cj/gate-approval-mode)
  (widen)
  (setq truncate-lines nil
        selective-display nil)
  (set-window-hscroll nil 0)
  (let ((from (or cj/gate-approval-window--read-to (point-min)))
        (window (selected-window)))
    (if (zerop (cj/gate-approval-unread-lines))
        (scroll-up-command)
      (goto-char from)
      (vertical-motion (- (min next-screen-context-lines
                               (/ (window-body-height) 4))))
      (set-window-start window (point))
      (when (pos-visible-in-window-p (point-max) window)
        (goto-char (point-max))
        (recenter -1))
      (when (< (point) (window-start window))
        (goto-char (window-start window))))))

(defun cj/gate-approval-begin ()
  "Note that this buffer has a new text, of which nothing was displayed yet.
Also wrap long lines, whatever a hook of the user has set."
  (setq truncate-lines nil
        cj/gate-approval-window--read-to nil
        cj/gate-approval-window--entered nil
        cj/gate-approval-window--ready nil)
  (cj/gate-approval-window--cancel-timer))

(defun cj/gate-approval-window--cancel-timer ()
  "Cancel the timer of this buffer, if it has one."
  (when (timerp cj/gate-approval-window--timer)
    (cancel-timer cj/gate-approval-window--timer))
  (setq cj/gate-approval-window--timer nil))

(defun cj/gate-approval-window--displayed-to (window)
  "Return the position up to which WINDOW displays its buffer in whole lines.
On a graphical display the last line may be cut at the edge of the window; it
does not count then."
  (let ((end (window-end window t)))
    (if (or (not (display-graphic-p (window-frame window)))
            (<= end (window-start window))
            (pos-visible-in-window-p (1- end) window))
        end
      (save-excursion
        (goto-char (1- end))
        (vertical-motion 0 window)
        (point)))))

(defun cj/gate-approval-window--hides-p (window)
  "Return non-nil if text between the ends of WINDOW may be hidden.
A person can narrow the current buffer, fold it by indentation, scroll it
sideways, or have its lines cut at the edge."
  (or (> (window-hscroll window) 0)
      truncate-lines
      selective-display
      (buffer-narrowed-p)))

(defun cj/gate-approval-window--note-displayed (window)
  "Note which part of the current buffer WINDOW displays now.
While a key waits to be read, Emacs skips the redisplay, so a part that was
scrolled to may never have been on the screen.  Then nothing is noted."
  (when (and (or noninteractive (redisplay))
             (not (cj/gate-approval-window--hides-p window)))
    (let ((start (window-start window))
          (end (cj/gate-approval-window--displayed-to window))
          (read-to (or cj/gate-approval-window--read-to (point-min))))
      (when (and (<= start read-to) (> end read-to))
        (setq cj/gate-approval-window--read-to end)
        (force-mode-line-update)))))

(defun cj/gate-approval-window--in-window-p ()
  "Return non-nil if the person is in a window of the current buffer.
The minibuffer that a command of this buffer reads from counts as well."
  (let ((window (if (window-minibuffer-p (selected-window))
                    (minibuffer-selected-window)
                  (selected-window))))
    (and window
         (eq (window-buffer window) (current-buffer))
         (cj/gate-approval-window--on-screen-p window))))

(defun cj/gate-approval-look (&rest _)
  "Note which part of the approval buffer is displayed and whether a yes counts.
This is called when windows scroll, change or are selected, and by a timer."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (cj/gate-approval-window--cancel-timer)
        (let ((window (cj/gate-approval-window)))
          (if (not (and window (cj/gate-approval-window--in-window-p)))
              (setq cj/gate-approval-window--entered nil
                    cj/gate-approval-window--ready nil)
            (unless cj/gate-approval-window--entered
              (setq cj/gate-approval-window--entered (float-time))))
          (when window
            (cj/gate-approval-window--note-displayed window)
            (cj/gate-approval-window--settle)))))))

(defun cj/gate-approval-window--settle ()
  "Note that a yes counts in this buffer, once it does.
If all of the text was displayed but `cj/gate-approval-delay' has not passed,
look again later.  If a key waits to be read, the delay begins anew: the person
pressed that key while Emacs was busy, before the text could be seen."
  (when (and cj/gate-approval-window--entered
             (not cj/gate-approval-window--ready)
             (zerop (cj/gate-approval-unread-lines)))
    (let ((left (- (+ cj/gate-approval-window--entered cj/gate-approval-delay)
                   (float-time))))
      (cond
       ((> left 0)
        (cj/gate-approval-window--again left))
       ((or (input-pending-p) (not (or noninteractive (redisplay))))
        (setq cj/gate-approval-window--entered (float-time))
        (cj/gate-approval-window--again cj/gate-approval-delay))
       (t
        (setq cj/gate-approval-window--ready t)
        (force-mode-line-update))))))

(defun cj/gate-approval-window--again (seconds)
  "Look again in SECONDS."
  (setq cj/gate-approval-window--timer
        (run-at-time seconds nil #'cj/gate-approval-look)))

(defun cj/gate-approval-watch ()
  "Watch the windows of this buffer, the approval buffer."
  (add-hook 'window-scroll-functions #'cj/gate-approval-window--later nil t)
  (add-hook 'window-buffer-change-functions #'cj/gate-approval-window--later nil t)
  (add-hook 'window-size-change-functions #'cj/gate-approval-window--later nil t)
  (add-hook 'window-selection-change-functions #'cj/gate-approval-window--later nil t))

(defun cj/gate-approval-window--later (&rest _)
  "Look at the approval buffer once the redisplay under way is over.
This happens after each redisplay: a page that was on the screen counts even if
it was scrolled past."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (unless (memq cj/gate-approval-window--pending timer-list)
          (setq cj/gate-approval-window--pending
                (run-at-time 0 nil #'cj/gate-approval-look)))))))

(defun cj/gate-approval-why-not ()
  "Return why a yes does not count yet in this buffer, a sentence, or nil.
The state before this key decides: text that comes on the screen only now was
not read before the key was pressed."
  (let ((lines (cj/gate-approval-unread-lines))
        (ready cj/gate-approval-window--ready))
    (cj/gate-approval-look)
    (cond
     ((> lines 0)
      (format "Not yet: %s not been on the screen; SPC shows more"
              (if (= lines 1) "1 line has" (format "%d lines have" lines))))
     ((not (and ready cj/gate-approval-window--ready))
      "Not yet: read it first, then press the key again"))))

(defun cj/gate-approval-why-no-key (command)
  "Return why the keys just pressed are no yes by COMMAND, or nil if they are.
They must be a key of COMMAND.  \\[repeat], which repeats the last command, is
no yes to a call that has come since."
  (unless (eq (key-binding (this-single-command-keys) t) command)
    (substitute-command-keys
     (format "Not approved: press \\[%s] here" command))))

(provide 'cj-gate-approval-window)

;;; cj-gate-approval-window.el ends here
