;;; cj-gate-approval-window.el --- Where a question is shown, and what of it was seen -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The approval buffer is shown beside what the person is doing; it never takes
;; the focus, whatever rules there are for windows.  A yes counts only for what
;; was on the screen: from the beginning of the text to its end, without a gap,
;; and only some time after the person has entered the window.
;;
;; What is noted here is a pair of facts about the one text that the buffer has:
;; how far it was displayed, and since when the person has been in its window.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-approval-notice)

(declare-function cj/gate-confirm--show "cj-gate-approval")
(defvar cj/gate-confirm--queue)

(defconst cj/gate-approval-buffer-name "*cj-gate approval*"
  "Name of the approval buffer.")

(defconst cj/gate-approval-delay 0.6
  "Seconds that a person must have been in the window before a yes counts.")

;;;; Windows

(defun cj/gate-approval--on-screen-p (window)
  "Return non-nil if WINDOW is on a frame that somebody can see.
A daemon's first frame and one behind another on a text terminal are not."
  (let ((frame (window-frame window)))
    (if (eq (framep frame) t)
        (eq frame (tty-top-frame (frame-terminal frame)))
      (eq (frame-visible-p frame) t))))

(defun cj/gate-approval-window ()
  "Return a window in which the approval buffer can be seen, or nil.
The one in which the person is comes first."
  (let* ((buffer (get-buffer cj/gate-approval-buffer-name))
         (windows (and buffer
                       (cl-remove-if-not #'cj/gate-approval--on-screen-p
                                         (get-buffer-window-list buffer nil 'visible)))))
    (if (memq (selected-window) windows)
        (selected-window)
      (car windows))))

(defconst cj/gate-approval--display-action
  '((display-buffer-reuse-window
     display-buffer-pop-up-window
     display-buffer-use-some-window
     display-buffer-no-window)
    (inhibit-same-window . t)
    (allow-no-window . t))
  "How the approval buffer is shown: beside what is there, or not at all.")

(defun cj/gate-approval-display (buffer)
  "Display BUFFER, and leave the selected frame and window as they are.
Return a window of it that can be seen, or nil.  The person's own rules for
windows count; what they would do to the focus is undone, and so is a rule that
takes the selected window, or that fails.  A frame on a text terminal that would
cover the one in use is taken away again."
  (let ((window (selected-window))
        (shown (window-buffer))
        (frames (frame-list))
        (before (current-window-configuration)))
    (condition-case err
        (cj/gate-approval--display buffer)
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
        (cj/gate-approval--display buffer)))
    (cj/gate-approval-back-to window)
    (cj/gate-approval-window)))

(defun cj/gate-approval--display (buffer)
  "Display BUFFER by the rules that hold."
  ;; In BUFFER, where `post-command-hook' has no value of its own: a rule with
  ;; `post-command-select-window' adds to it what selects the window later.
  (with-current-buffer buffer
    (let ((post-command-hook nil))
      (display-buffer buffer cj/gate-approval--display-action))))

(defun cj/gate-approval-back-to (window)
  "Make WINDOW, and its frame, the selected ones, if it is still there."
  (when (and (window-live-p window) (not (eq (selected-window) window)))
    (select-frame (window-frame window) 'norecord)
    (select-window window 'norecord)))

(defun cj/gate-approval-redisplay-in (window)
  "Redisplay, and leave WINDOW the selected one.
Hooks on windows run in a redisplay, and may select one.  Where one of them
does so again because of the way back, the way back goes unnoticed."
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
A window that was there before keeps its height."
  (when (eq (car-safe (window-parameter window 'quit-restore)) 'window)
    (fit-window-to-buffer window
                          (max window-min-height
                               (/ (* 2 (frame-height (window-frame window))) 3)))))

;;;; What was lost comes back

(defvar cj/gate-approval--show nil
  "Function that shows the approval buffer again; nil while nothing is to be.")

(defvar cj/gate-approval--away nil
  "Non-nil once the person has put the approval buffer away.")

(defvar cj/gate-approval--command nil
  "The command that began while the approval buffer could be seen, or nil.")

(defvar cj/gate-approval--returns nil
  "Times at which it came back of late, the last first.")

(defconst cj/gate-approval--most-returns 3
  "How often it comes back within ten seconds.
Where something else takes it away each time, the mode line must do.")

(defconst cj/gate-approval--restoring
  "\\(?:winner\\|config\\|register\\|layout\\|restore\\|tab\\|persp\\|frame\\|undo\\)"
  "Matches names of commands that bring other windows back.")

(defconst cj/gate-approval--leaving
  "\\(?:delete\\|quit\\|bury\\|kill\\|close\\|hide\\|leave\\|switch\\|buffer\\|find-file\\|dired\\)"
  "Matches names of commands by which a person puts a window away.")

(defun cj/gate-approval-keep (show)
  "See to it that the approval buffer comes back where it gets lost.
SHOW is the function that shows it, or nil where there is nothing to show."
  (setq cj/gate-approval--show show
        cj/gate-approval--away nil)
  (if show
      (progn
        (add-hook 'pre-command-hook #'cj/gate-approval--before-command)
        (add-hook 'post-command-hook #'cj/gate-approval--after-command)
        (add-hook 'window-state-change-hook #'cj/gate-approval--after-change)
        (add-hook 'after-delete-frame-functions #'cj/gate-approval--after-change))
    (remove-hook 'pre-command-hook #'cj/gate-approval--before-command)
    (remove-hook 'post-command-hook #'cj/gate-approval--after-command)
    (remove-hook 'window-state-change-hook #'cj/gate-approval--after-change)
    (remove-hook 'after-delete-frame-functions #'cj/gate-approval--after-change)))

(defun cj/gate-approval-put-away ()
  "Note that the person has put the approval buffer away, and say how to return."
  (setq cj/gate-approval--away t)
  (message "The call still waits: %s shows it again" (cj/gate-approval-how)))

(defun cj/gate-approval--lost-p ()
  "Return non-nil if the approval buffer was shown, and cannot be seen now."
  (and cj/gate-approval--show
       (not cj/gate-approval--away)
       (not (cj/gate-approval-window))))

(defun cj/gate-approval--before-command ()
  "Note which command begins while the approval buffer can be seen.
One in the minibuffer puts no window away, though its end may."
  (setq cj/gate-approval--command
        (and (not (minibufferp))
             (cj/gate-approval-window)
             this-command)))

(defun cj/gate-approval--after-command ()
  "Note whether the command that ends now has put the approval buffer away.
A command that read from the minibuffer when the buffer appeared has not: it is
the minibuffer's end that brought the windows from before it back."
  (when (cj/gate-approval--lost-p)
    (let ((name (if (symbolp this-command) (symbol-name this-command) "")))
      (if (and this-command
               (eq this-command cj/gate-approval--command)
               (string-match-p cj/gate-approval--leaving name)
               (not (string-match-p cj/gate-approval--restoring name)))
          (cj/gate-approval-put-away)
        (cj/gate-approval--after-change)))))

(defun cj/gate-approval--after-change (&rest _)
  "Show the approval buffer again if it was lost, once windows have settled."
  (when (cj/gate-approval--lost-p)
    (run-at-time 0 nil #'cj/gate-approval--return)))

(defun cj/gate-approval--return ()
  "Show the approval buffer again, unless it was taken away too often."
  (when (and (cj/gate-approval--lost-p)
             ;; Its end brings back the windows from before it.
             (not (active-minibuffer-window)))
    (setq cj/gate-approval--returns
          (cl-remove-if (lambda (time) (< time (- (float-time) 10)))
                        cj/gate-approval--returns))
    (if (>= (length cj/gate-approval--returns) cj/gate-approval--most-returns)
        (cj/gate-approval-put-away)
      (push (float-time) cj/gate-approval--returns)
      (funcall cj/gate-approval--show))))

(defun cj/gate-approval--in-new-frame ()
  "Show the approval buffer in the frame of a client that has just come."
  (when (or cj/gate-approval--show cj/gate-confirm--queue)
    (run-at-time 0 nil #'cj/gate-approval--show-here)))

(defun cj/gate-approval--show-here ()
  "Show the approval buffer in the selected frame if a call waits."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (when (and cj/gate-confirm--queue buffer
               (not (get-buffer-window buffer)))
      (cj/gate-approval-display buffer)
      (cj/gate-confirm--show))))

(add-hook 'server-after-make-frame-hook #'cj/gate-approval--in-new-frame)

;;;; What was on the screen

(defvar-local cj/gate-approval--read-to nil
  "Up to where the text of this buffer was displayed, without a gap; or nil.")

(defvar-local cj/gate-approval--entered nil
  "Time since when the person has been in a window of this buffer, or nil.")

(defvar-local cj/gate-approval--timer nil
  "Timer that looks again once the time has passed, or nil.")

(defvar-local cj/gate-approval--pending nil
  "Timer that looks once a redisplay is over, or nil.")

(defvar-local cj/gate-approval--ready nil
  "Non-nil once a yes counts: all was displayed, and the time has passed.")

(defun cj/gate-approval-unread-lines ()
  "Return how many lines of this buffer were not displayed so far."
  (save-restriction
    (widen)
    (let ((from (or cj/gate-approval--read-to (point-min))))
      (if (>= from (point-max))
          0
        (max 1 (count-lines from (point-max)))))))

(defun cj/gate-approval-read-on ()
  "Scroll to what of the question was not on the screen so far.
At the end the last line stands at the bottom of the window.  A page that was
scrolled past before it could be displayed is gone back to, and what a person
has hidden is shown."
  (interactive nil cj/gate-approval-mode)
  (widen)
  (setq truncate-lines nil
        selective-display nil)
  (set-window-hscroll nil 0)
  (let ((from (or cj/gate-approval--read-to (point-min)))
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
  "Note that this buffer has a new text: nothing of it was displayed.
Long lines are wrapped, whatever a hook of the person's has set."
  (setq truncate-lines nil
        cj/gate-approval--read-to nil
        cj/gate-approval--entered nil
        cj/gate-approval--ready nil)
  (cj/gate-approval--cancel-timer))

(defun cj/gate-approval--cancel-timer ()
  "Cancel the timer of this buffer, if it has one."
  (when (timerp cj/gate-approval--timer)
    (cancel-timer cj/gate-approval--timer))
  (setq cj/gate-approval--timer nil))

(defun cj/gate-approval--displayed-to (window)
  "Return up to where WINDOW displays its buffer, without a line that is cut.
On a graphical display the last line may be there in part only."
  (let ((end (window-end window t)))
    (if (or (not (display-graphic-p (window-frame window)))
            (<= end (window-start window))
            (pos-visible-in-window-p (1- end) window))
        end
      (save-excursion
        (goto-char (1- end))
        (vertical-motion 0 window)
        (point)))))

(defun cj/gate-approval--hides-p (window)
  "Return non-nil if something between the ends of WINDOW is not displayed.
A person can narrow the current buffer, fold it by indentation, scroll it
sideways, or have its lines cut at the edge."
  (or (> (window-hscroll window) 0)
      truncate-lines
      selective-display
      (buffer-narrowed-p)))

(defun cj/gate-approval--note-displayed (window)
  "Note what of the current buffer WINDOW displays now.
Where a key waits to be read, a part that was scrolled to may never have been
displayed; nothing is noted then."
  (when (and (or noninteractive (redisplay))
             (not (cj/gate-approval--hides-p window)))
    (let ((start (window-start window))
          (end (cj/gate-approval--displayed-to window))
          (read-to (or cj/gate-approval--read-to (point-min))))
      (when (and (<= start read-to) (> end read-to))
        (setq cj/gate-approval--read-to end)
        (force-mode-line-update)))))

(defun cj/gate-approval--in-window-p ()
  "Return non-nil if the person is in a window of the current buffer.
The minibuffer that a command of this buffer reads from counts as well."
  (let ((window (if (window-minibuffer-p (selected-window))
                    (minibuffer-selected-window)
                  (selected-window))))
    (and window
         (eq (window-buffer window) (current-buffer))
         (cj/gate-approval--on-screen-p window))))

(defun cj/gate-approval-look (&rest _)
  "Note what of the approval buffer is displayed, and whether a yes counts.
It is called when windows scroll, change or are selected, and by a timer."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (cj/gate-approval--cancel-timer)
        (let ((window (cj/gate-approval-window)))
          (if (not (and window (cj/gate-approval--in-window-p)))
              (setq cj/gate-approval--entered nil
                    cj/gate-approval--ready nil)
            (unless cj/gate-approval--entered
              (setq cj/gate-approval--entered (float-time))))
          (when window
            (cj/gate-approval--note-displayed window)
            (cj/gate-approval--settle)))))))

(defun cj/gate-approval--settle ()
  "Note whether a yes counts in this buffer, now or after a moment.
A key that waits to be read was pressed before the text could be seen: while
Emacs was busy, time alone says nothing."
  (when (and cj/gate-approval--entered
             (not cj/gate-approval--ready)
             (zerop (cj/gate-approval-unread-lines)))
    (let ((left (- (+ cj/gate-approval--entered cj/gate-approval-delay)
                   (float-time))))
      (cond
       ((> left 0)
        (cj/gate-approval--again left))
       ((or (input-pending-p) (not (or noninteractive (redisplay))))
        (setq cj/gate-approval--entered (float-time))
        (cj/gate-approval--again cj/gate-approval-delay))
       (t
        (setq cj/gate-approval--ready t)
        (force-mode-line-update))))))

(defun cj/gate-approval--again (seconds)
  "Look again in SECONDS."
  (setq cj/gate-approval--timer
        (run-at-time seconds nil #'cj/gate-approval-look)))

(defun cj/gate-approval-watch ()
  "Watch the windows of this buffer, the approval buffer."
  (add-hook 'window-scroll-functions #'cj/gate-approval--later nil t)
  (add-hook 'window-buffer-change-functions #'cj/gate-approval--later nil t)
  (add-hook 'window-size-change-functions #'cj/gate-approval--later nil t)
  (add-hook 'window-selection-change-functions #'cj/gate-approval--later nil t))

(defun cj/gate-approval--later (&rest _)
  "Look at the approval buffer once the redisplay under way is over.
Each redisplay is looked at: a page that was scrolled past was on the screen."
  (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (unless (memq cj/gate-approval--pending timer-list)
          (setq cj/gate-approval--pending
                (run-at-time 0 nil #'cj/gate-approval-look)))))))

(defun cj/gate-approval-why-not ()
  "Return why a yes does not count yet in this buffer, a sentence, or nil.
What is displayed only now, by a key before this one, was not read before it."
  (let ((lines (cj/gate-approval-unread-lines))
        (ready cj/gate-approval--ready))
    (cj/gate-approval-look)
    (cond
     ((> lines 0)
      (format "Not yet: %s not been on the screen; SPC shows more"
              (if (= lines 1) "1 line has" (format "%d lines have" lines))))
     ((not (and ready cj/gate-approval--ready))
      "Not yet: read it first, then press the key again"))))

(defun cj/gate-approval-why-no-key (command)
  "Return why the keys that were just pressed do not stand for COMMAND, or nil.
A command that repeats the last one (\\[repeat]) is no yes to what came since."
  (unless (eq (key-binding (this-single-command-keys) t) command)
    (substitute-command-keys
     (format "Not by this: press \\[%s] here" command))))

(provide 'cj-gate-approval-window)

;;; cj-gate-approval-window.el ends here
