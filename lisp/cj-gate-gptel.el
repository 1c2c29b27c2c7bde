;;; cj-gate-gptel.el --- How the gate lives with gptel -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The gate is in the tool function; nothing of gptel's can open it.  What
;; stands here only takes away: gptel's own second prompt for a call that will
;; ask by itself, a second run of a call that is still under way, and the calls
;; of a request that was aborted.  Were one of these pieces of advice to fail
;; with a later gptel, the worst would be two prompts, never none.
;;
;; Registered tools are named functions, so that a new version of this
;; library takes effect for tools that a buffer holds already.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-job)

(autoload 'cj/gate-gptel-order-restore "cj-gate-gptel-order")
(defvar gptel--fsm-last)
(declare-function gptel-fsm-info "ext:gptel-request" t t)
(declare-function gptel-fsm-state "ext:gptel-request" t t)
(declare-function gptel-tool-name "ext:gptel-request" t t)
(declare-function gptel-tool-args "ext:gptel-request" t t)
(declare-function gptel-tool-function "ext:gptel-request" t t)
(declare-function gptel--fsm-transition "ext:gptel-request")

;;;; Arguments

(defun cj/gate-gptel--absent (value)
  "Return non-nil if VALUE stands for an argument that was not given."
  (memq value '(nil :null)))

(defun cj/gate-gptel--bad (name what)
  "Signal that the argument NAME is not WHAT."
  (cj/gate--signal 'bad-argument "The argument `%s' must be %s.
Call the tool again with it" name what))

(defun cj/gate-gptel--string (name value)
  "Return VALUE of the argument NAME as a string."
  (cond ((stringp value) (string-trim value))
        ((integerp value) (number-to-string value))
        (t (cj/gate-gptel--bad name "a string"))))

(defun cj/gate-gptel--integer (name value)
  "Return VALUE of the argument NAME as a natural number.
A model may send 3 as 3.0 or as a string."
  (let ((number (cond ((integerp value) value)
                      ((and (floatp value)
                            (< (abs value) 1e15)
                            (= value (ftruncate value)))
                       (truncate value))
                      ((and (stringp value)
                            (string-match-p "\\`[ \t]*#?[0-9]\\{1,15\\}[ \t]*\\'" value))
                       (string-to-number
                        (string-trim value "[ \t#]*"))))))
    ;; Emacs 30 reads a number of any length.
    (if (and (natnump number) (< number 1000000000000000))
        number
      (cj/gate-gptel--bad name "a whole number, zero or greater"))))

(defun cj/gate-gptel--boolean (name value)
  "Return VALUE of the argument NAME as t or nil."
  (cond ((memq value '(t 1)) t)
        ((memq value '(:json-false 0)) nil)
        ((and (stringp value) (equal (downcase (string-trim value)) "true")) t)
        ((and (stringp value)
              (member (downcase (string-trim value)) '("false" "")))
         nil)
        (t (cj/gate-gptel--bad name "true or false"))))

(defun cj/gate-gptel--strings (name value)
  "Return VALUE of the argument NAME as a list of strings.
A model may send the array as its JSON text."
  (let ((value (if (and (stringp value)
                        (string-prefix-p "[" (string-trim value)))
                   (condition-case nil
                       (json-parse-string value :array-type 'array)
                     (error value))
                 value)))
    (unless (or (vectorp value) (proper-list-p value))
      (cj/gate-gptel--bad name "an array of strings, one word each, like [\"pr\", \"view\", \"1\"]"))
    (mapcar (lambda (element)
              (cond ((stringp element) element)
                    ((integerp element) (number-to-string element))
                    (t (cj/gate-gptel--bad
                        name "an array that holds strings only"))))
            value)))

(defun cj/gate-gptel--one-of (spec value)
  "Return VALUE, which must be one of the :enum of SPEC if there is one."
  (let ((words (plist-get spec :enum)))
    (cond ((null words) value)
          ((cl-find (downcase value) words :test #'equal))
          (t (cj/gate-gptel--bad (plist-get spec :name)
                                 (concat "one of " (mapconcat #'identity words ", ")))))))

(defun cj/gate-gptel-normalize (specs values)
  "Return VALUES, a tool's arguments as gptel passes them, as a plist.
SPECS describes each in turn: a plist with :name, :type (`string', `integer',
`boolean' or `array'), :optional, and :enum, a vector of the strings that it
may be.  Absent ones are nil.
Signal `cj/gate-bad-argument' with the name of one that is missing or wrong."
  (let (plist)
    (cl-mapc
     (lambda (spec value)
       (let* ((name (plist-get spec :name))
              (type (plist-get spec :type))
              (absent (or (cj/gate-gptel--absent value)
                          (and (eq value :json-false) (not (eq type 'boolean)))
                          (and (stringp value) (plist-get spec :optional)
                               (string-blank-p value)))))
         (when (and absent (not (plist-get spec :optional)))
           (cj/gate-gptel--bad name "given"))
         (setq plist
               (plist-put plist (intern (concat ":" name))
                          (unless absent
                            (cj/gate-gptel--one-of
                             spec
                             (funcall (pcase-exhaustive type
                                        ('string #'cj/gate-gptel--string)
                                        ('integer #'cj/gate-gptel--integer)
                                        ('boolean #'cj/gate-gptel--boolean)
                                        ('array #'cj/gate-gptel--strings))
                                      name value)))))))
     specs
     (append values (make-list (max 0 (- (length specs) (length values))) nil)))
    plist))

;;;; Our calls among a request's

(defvar cj/gate-gptel-tools nil
  "Our tools: (FUNCTION . ASKS), each FUNCTION a symbol.
ASKS is nil for a tool that only reads; else a function of the tool's
arguments that says whether the call will ask a person by itself.")

(defun cj/gate-gptel--our-tool (name info)
  "Return the row of `cj/gate-gptel-tools' for the tool NAME of INFO."
  (let ((tool (cl-find name (plist-get info :tools)
                       :key #'gptel-tool-name :test #'equal)))
    (and tool (assq (gptel-tool-function tool) cj/gate-gptel-tools))))

(defun cj/gate-gptel--asks-p (call info)
  "Return non-nil if CALL, a tool call of INFO, will ask a person by itself."
  (let ((asks (cdr (cj/gate-gptel--our-tool (plist-get call :name) info))))
    (and asks
         (condition-case nil
             (funcall asks (plist-get call :args))
           (error t)))))

(defun cj/gate-gptel--live-p (fsm)
  "Return non-nil if a call of ours is still under way for FSM."
  (cl-find fsm cj/gate--jobs :key #'cj/gate--job-request))

(defun cj/gate-gptel--around-tool-use (function fsm &rest rest)
  "Call FUNCTION, `gptel--handle-tool-use', for FSM with REST.
They are made in the order in which the model made them.
Calls that ask a person by themselves are not asked about by gptel too, and
none is started again while one of the request is under way."
  (if (cj/gate-gptel--live-p fsm)
      (message "cj-gate: a call of this request is still under way")
    (let ((info (gptel-fsm-info fsm)))
      (cj/gate-gptel-order-restore info)
      (dolist (call (plist-get info :tool-use))
        (when (cj/gate-gptel--asks-p call info)
          (plist-put call :confirm nil)))
      (cj/gate-gptel--watch (plist-get info :buffer)))
    (let ((cj/gate-current-request fsm))
      (apply function fsm rest))))

;;;; Calls that gptel asked about

(defun cj/gate-gptel--around-accept (function &optional pending overlay)
  "Call FUNCTION, `gptel--accept-tool-calls', with PENDING and OVERLAY.
The calls are made from their chat, whose own options hold: the key may have
been pressed in the buffer in which gptel shows calls to be inspected."
  (let* ((info (and (bound-and-true-p gptel--fsm-last)
                    (gptel-fsm-info gptel--fsm-last)))
         (chat (or (plist-get info :buffer)
                   (and (overlayp overlay) (overlay-buffer overlay)))))
    (if (buffer-live-p chat)
        (with-current-buffer chat (funcall function pending overlay))
      (funcall function pending overlay))))

;;;; Abort

(defun cj/gate-gptel--watch (buffer)
  "See to it that killing BUFFER, a chat, aborts its request."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      ;; Before `cj/gate--buffer-killed', which would take the calls away.
      (add-hook 'kill-buffer-hook #'cj/gate-gptel--after-abort -50 t))))

(defun cj/gate-gptel--after-abort (&optional buffer &rest _)
  "End everything under way for the request of BUFFER.
`gptel-abort' itself does nothing while a tool runs."
  (let* ((buffer (or buffer (current-buffer)))
         (requests nil)
         (count (cj/gate-abandon
                 (lambda (job)
                   (let* ((fsm (cj/gate--job-request job))
                          (owner (if fsm (plist-get (gptel-fsm-info fsm) :buffer)
                                   (cj/gate--job-buffer job))))
                     (when (eq owner buffer)
                       (when fsm (cl-pushnew fsm requests))
                       t))))))
    (dolist (fsm requests)
      (when (eq (gptel-fsm-state fsm) 'TOOL)
        (let* ((info (gptel-fsm-info fsm))
               (callback (plist-get info :callback)))
          (with-demoted-errors "cj-gate: abort: %S"
            (when (functionp callback) (funcall callback 'abort info)))
          (with-demoted-errors "cj-gate: abort: %S"
            (gptel--fsm-transition fsm 'ABRT)))))
    (when (> count 0)
      (message "Stopped %d call(s) of the gate" count))))

(defun cj/gate-gptel-setup ()
  "Let gptel's own prompt and abort work together with the gate."
  (advice-add 'gptel--handle-tool-use :around #'cj/gate-gptel--around-tool-use)
  (advice-add 'gptel--accept-tool-calls :around #'cj/gate-gptel--around-accept)
  (advice-add 'gptel-abort :after #'cj/gate-gptel--after-abort))

(defun cj/gate-gptel-unload-function ()
  "Take the advice away again."
  (advice-remove 'gptel--handle-tool-use #'cj/gate-gptel--around-tool-use)
  (advice-remove 'gptel--accept-tool-calls #'cj/gate-gptel--around-accept)
  (advice-remove 'gptel-abort #'cj/gate-gptel--after-abort)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (remove-hook 'kill-buffer-hook #'cj/gate-gptel--after-abort t)))
  nil)

(provide 'cj-gate-gptel)

;;; cj-gate-gptel.el ends here
