;;; cj-gate-progress.el --- Progress of running calls -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Lisp that started a call can have a function called with its progress, and
;; the mode line says how many calls run.  Both ask the core by a timer, and
;; only while a call runs.  If the core reported each piece of output instead, a
;; flood of output would wake Emacs thousands of times, even with no listener.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-load)

(declare-function cj/gate--mod-progress "ext:cj-gate-module")
(declare-function cj/gate--mod-runs "ext:cj-gate-module")
(declare-function cj/gate--mod-stopped "ext:cj-gate-module")

;;;; Progress functions

(defconst cj/gate-progress--interval 0.25
  "Seconds between two reports on a call, which makes four reports a second.")

(defvar cj/gate-progress--listeners nil
  "Progress functions, rows of (TICKET . FUNCTION), the newest first.")

(defvar cj/gate-progress--timer nil
  "Timer of the next reports, or nil.")

(defun cj/gate-progress--listen (ticket function)
  "Report the progress of the call behind TICKET to FUNCTION until it ends."
  (push (cons ticket function) cj/gate-progress--listeners)
  (cj/gate-progress--arm))

(defun cj/gate-progress--arm ()
  "Start the timer of the next reports, unless there is one."
  (unless cj/gate-progress--timer
    (setq cj/gate-progress--timer
          (run-at-time cj/gate-progress--interval nil #'cj/gate-progress--report))))

(defun cj/gate-progress--report ()
  "Call each progress function with the progress of its call."
  (setq cj/gate-progress--timer nil
        cj/gate-progress--listeners
        (cl-remove-if-not (lambda (row) (gethash (car row) cj/gate--waiting))
                          cj/gate-progress--listeners))
  (when cj/gate-progress--listeners
    ;; Before the functions are called, since one of them may throw.
    (cj/gate-progress--arm)
    (dolist (row (reverse cj/gate-progress--listeners))
      (cj/gate-progress--tell row))))

(defun cj/gate-progress--tell (row)
  "Call the progress function of ROW, unless its call has ended meanwhile.
A function that fails is not called again; the call goes on."
  (when (and (memq row cj/gate-progress--listeners)
             (gethash (car row) cj/gate--waiting))
    (condition-case err
        (let ((progress (cj/gate--mod-progress (car row))))
          (when progress
            (funcall (cdr row) progress)))
      ((error quit)
       (setq cj/gate-progress--listeners
             (delq row cj/gate-progress--listeners))
       (message "cj-gate: a progress function failed and is not called again: %s"
                (error-message-string err))))))

;;;; The mode line

(defface cj/gate-progress-stopped '((t :inherit error))
  "Face of the word in the mode line that says that the gate is stopped."
  :group 'cj-gate)

(autoload 'cj/gate-runs "cj-gate-runs" "Show what runs and what waits." t)
(autoload 'cj/gh-menu "cj-gh-menu" "Show what can be done with the gate." t)

(defun cj/gate-progress--link (text command help &rest properties)
  "Return TEXT with PROPERTIES, for the mode line; a click is for COMMAND.
HELP is the tooltip, which says what a click does."
  (apply #'propertize text
         'mouse-face 'mode-line-highlight
         'local-map (let ((map (make-sparse-keymap)))
                      (define-key map [mode-line mouse-1] command)
                      map)
         'help-echo (concat "mouse-1: " help)
         properties))

(defvar cj/gate-progress--text ""
  "The mode line's words about running calls.")

(defvar cj/gate-progress--look-timer nil
  "Timer of the next update of the mode line, or nil.")

(defconst cj/gate-progress--mode-line-form '(:eval (cj/gate-progress--mode-line))
  "The element of `global-mode-string' that counts the running calls.")

(defun cj/gate-progress--mode-line ()
  "Return the text for the mode line: what is running, or a stopped gate."
  (if (and (featurep 'cj-gate-module) (cj/gate--mod-stopped))
      ;; A click by mistake must not let calls run again.
      (cj/gate-progress--link " [gate: STOPPED]" 'cj/gh-menu
                              "a menu; M-x cj/gate-resume lets calls run again"
                              'face 'cj/gate-progress-stopped)
    cj/gate-progress--text))

(defun cj/gate-progress--in-mode-line ()
  "Add the gate's element to `global-mode-string' if it is not there."
  (unless (and (listp global-mode-string)
               (memq cj/gate-progress--mode-line-form global-mode-string))
    (setq global-mode-string
          (append (if (listp global-mode-string) (or global-mode-string '(""))
                    (list "" global-mode-string))
                  (list cj/gate-progress--mode-line-form)))))

(defun cj/gate-progress--started (ticket function)
  "Note that the call behind TICKET was started.
FUNCTION is its progress function, or nil.  The mode line shows calls that take
longer than a second."
  (when function
    (cj/gate-progress--listen ticket function))
  (unless cj/gate-progress--look-timer
    (setq cj/gate-progress--look-timer
          (run-at-time 1 nil #'cj/gate-progress--look))))

(defun cj/gate-progress--look ()
  "Update the mode line, every second as long as a call is running."
  (setq cj/gate-progress--look-timer nil)
  (let* ((calls (cl-remove-if-not (lambda (run) (eq (plist-get run :what) 'call))
                                  (cj/gate--mod-runs)))
         (queued (cl-count 'queued calls :key (lambda (run) (plist-get run :state))))
         (longest (cl-loop for run in calls maximize (plist-get run :elapsed-ms)))
         (text (if (null calls) ""
                 (cj/gate-progress--link
                  (format " [gate: %d running%s %ds]" (- (length calls) queued)
                          (if (> queued 0) (format ", %d queued" queued) "")
                          (/ longest 1000))
                  'cj/gate-runs "show what runs (M-x cj/gate-runs)"))))
    (when calls
      (cj/gate-progress--in-mode-line)
      (setq cj/gate-progress--look-timer
            (run-at-time 1 nil #'cj/gate-progress--look)))
    (unless (equal text cj/gate-progress--text)
      (setq cj/gate-progress--text text)
      (force-mode-line-update t))))

(provide 'cj-gate-progress)

;;; cj-gate-progress.el ends here
