;;; cj-gate-gptel.el --- The gate together with gptel -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The gate is in the function of each tool; no part of gptel can open it.  The
;; advice in this file only takes away: gptel's own prompt for a call about
;; which the gate asks, a second run of a call that is still under way, and the
;; calls of a request that was aborted.  If a piece of advice fails with a later
;; gptel, a person is asked twice at worst, but never not at all.
;;
;; Registered tools are named functions, so that a new version of this library
;; takes effect in buffers that have the tools already.

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
  "Signal `cj/gate-bad-argument': the argument NAME is not WHAT, a string."
  (cj/gate--signal 'bad-argument "The argument `%s' must be %s.
Call the tool again with it" name what))

(defun cj/gate-gptel--string (name value)
  "Return VALUE of the argument NAME as a string."
  (cond ((stringp value) (string-trim value))
        ((integerp value) (number-to-string value))
        ;; A model may send 3 as 3.0.
        ((and (floatp value) (< (abs value) 1e15) (= value (ftruncate value)))
         (number-to-string (truncate value)))
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

(defun cj/gate-gptel--number (name value)
  "Return VALUE of the argument NAME as a number.
A model may send the number as a string."
  (cond ((numberp value) value)
        ((and (stringp value)
              (string-match-p "\\`[ \t]*[-+]?[0-9]\\{1,15\\}\\(?:\\.[0-9]\\{0,15\\}\\)?[ \t]*\\'"
                              value))
         (string-to-number value))
        (t (cj/gate-gptel--bad name "a number"))))

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

(defun cj/gate-gptel--array (spec value)
  "Return VALUE of the argument SPEC, an array, as a list.
Its elements are strings, or plists if the :items of SPEC are objects."
  (let ((items (plist-get spec :items)))
    ;; gptel makes strings of the types in a table that it has registered.
    (if (equal (format "%s" (plist-get items :type)) "object")
        (cj/gate-gptel--objects (plist-get spec :name) items value)
      (cj/gate-gptel--strings (plist-get spec :name) value))))

(defun cj/gate-gptel--objects (name items value)
  "Return VALUE of the argument NAME, an array of objects, as a list of plists.
ITEMS is the JSON schema of an object, a plist of :properties and :required.  A
model may send the array as its JSON text, or one object in its place."
  (let* ((value (if (and (stringp value)
                         (string-match-p "\\`[ \t\n]*[[{]" value))
                    (condition-case nil
                        (json-parse-string value :object-type 'plist :array-type 'array
                                           :null-object nil :false-object :json-false)
                      (error value))
                  value))
         (all (if (and (consp value) (keywordp (car value))) (list value) value)))
    (unless (or (vectorp all) (proper-list-p all))
      (cj/gate-gptel--bad name "an array of objects"))
    (cl-loop for object in (append all nil)
             for number from 1
             collect (cj/gate-gptel--object (format "%s[%d]" name number) items object))))

(defun cj/gate-gptel--object (name items object)
  "Return OBJECT, the part NAME of an argument, normalized, a plist.
ITEMS is as in `cj/gate-gptel--objects'.  A member that ITEMS does not know is
an error: it would be dropped in silence."
  (unless (and (consp object) (proper-list-p object) (keywordp (car object)))
    (cj/gate-gptel--bad name "an object"))
  (let* ((properties (plist-get items :properties))
         (names (cl-loop for (key nil) on properties by #'cddr collect key)))
    (cl-loop for (key nil) on object by #'cddr
             unless (memq key names)
             do (cj/gate-gptel--bad
                 name (concat "an object of "
                              (mapconcat (lambda (key) (substring (symbol-name key) 1))
                                         names ", "))))
    (cl-loop for (key schema) on properties by #'cddr
             for member = (substring (symbol-name key) 1)
             for value = (cj/gate-gptel--value
                          (append (list :name (concat name "." member)
                                        :optional (not (cl-find member (plist-get items :required)
                                                                :test #'equal)))
                                  schema)
                          (plist-get object key))
             append (list key value))))

(defun cj/gate-gptel--one-of (spec value)
  "Return VALUE, which must be one of the :enum of SPEC if there is one."
  (let ((words (plist-get spec :enum)))
    (cond ((null words) value)
          ((cl-find (downcase value) words :test #'equal))
          (t (cj/gate-gptel--bad (plist-get spec :name)
                                 (concat "one of " (mapconcat #'identity words ", ")))))))

(defun cj/gate-gptel--value (spec value)
  "Return VALUE of the argument SPEC, nil if it is absent.
SPEC is as in `cj/gate-gptel-normalize'."
  (let* ((name (plist-get spec :name))
         (type (intern (format "%s" (plist-get spec :type))))
         (absent (or (cj/gate-gptel--absent value)
                     (and (eq value :json-false) (not (eq type 'boolean)))
                     (and (stringp value) (plist-get spec :optional)
                          (string-blank-p value)))))
    (when (and absent (not (plist-get spec :optional)))
      (cj/gate-gptel--bad name "given"))
    (unless absent
      (cj/gate-gptel--one-of
       spec
       (pcase-exhaustive type
         ('string (cj/gate-gptel--string name value))
         ('integer (cj/gate-gptel--integer name value))
         ('number (cj/gate-gptel--number name value))
         ('boolean (or (cj/gate-gptel--boolean name value) (plist-get spec :false)))
         ('array (cj/gate-gptel--array spec value)))))))

(defun cj/gate-gptel-normalize (specs values)
  "Return VALUES, a tool's arguments as gptel passes them, as a plist.
SPECS has a plist for each argument, in order: :name, :type (`string',
`integer', `number', `boolean' or `array'), :optional, :enum, a vector of the
strings that are allowed, :items, the schema of an array's elements (strings, or
objects with :properties and :required), and :false, the value of a boolean that
is given as false, nil by default.  The value of an absent argument is nil.
Signal `cj/gate-bad-argument' with the name of a missing or wrong argument."
  (let (plist)
    (cl-mapc
     (lambda (spec value)
       (setq plist (plist-put plist (intern (concat ":" (plist-get spec :name)))
                              (cj/gate-gptel--value spec value))))
     specs
     (append values (make-list (max 0 (- (length specs) (length values))) nil)))
    plist))

;;;; The gate's calls in a request

(defvar cj/gate-gptel-tools nil
  "The gate's tools, rows of (FUNCTION . ASKS), each FUNCTION a symbol.
ASKS is nil for a tool that only reads.  Otherwise it is a function of the
tool's arguments that returns non-nil if the gate will ask a person about the
call.")

(defun cj/gate-gptel--our-tool (name info)
  "Return the row of `cj/gate-gptel-tools' for the tool NAME, or nil.
INFO is the plist of a gptel request; a tool of another package has no row."
  (let ((tool (cl-find name (plist-get info :tools)
                       :key #'gptel-tool-name :test #'equal)))
    (and tool (assq (gptel-tool-function tool) cj/gate-gptel-tools))))

(defun cj/gate-gptel--asks-p (call info)
  "Return non-nil if the gate will ask about CALL, a tool call.
INFO is the plist of its gptel request."
  (let ((asks (cdr (cj/gate-gptel--our-tool (plist-get call :name) info))))
    (and asks
         (condition-case nil
             (funcall asks (plist-get call :args))
           (error t)))))

(defun cj/gate-gptel--live-p (fsm)
  "Return non-nil if a call of the gate is still under way for FSM, a request."
  (cl-find fsm cj/gate--jobs :key #'cj/gate--job-request))

(defun cj/gate-gptel--around-tool-use (function fsm &rest rest)
  "Call FUNCTION, `gptel--handle-tool-use', with FSM and REST.
First put the calls into the order in which the model made them, and take
gptel's own confirmation from the calls about which the gate asks.  While a call
of the request is under way, do nothing: FUNCTION would start it again."
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
Call it in the buffer of the chat, so that the chat's own options hold.  The key
may have been pressed in another buffer, where gptel shows calls to inspect."
  (let* ((info (and (bound-and-true-p gptel--fsm-last)
                    (gptel-fsm-info gptel--fsm-last)))
         (chat (or (plist-get info :buffer)
                   (and (overlayp overlay) (overlay-buffer overlay)))))
    (if (buffer-live-p chat)
        (with-current-buffer chat (funcall function pending overlay))
      (funcall function pending overlay))))

;;;; Abort

(defun cj/gate-gptel--watch (buffer)
  "Make killing BUFFER, a chat, abort its request."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      ;; Before `cj/gate--buffer-killed', which would drop the calls: then their
      ;; request would not be found.
      (add-hook 'kill-buffer-hook #'cj/gate-gptel--after-abort -50 t))))

(defun cj/gate-gptel--after-abort (&optional buffer &rest _)
  "End each job of the gate, and each request, that belongs to BUFFER, a chat.
Nil stands for the current buffer.  `gptel-abort' itself does nothing while a
tool runs."
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
  "Advise gptel's prompt and abort to work together with the gate."
  (advice-add 'gptel--handle-tool-use :around #'cj/gate-gptel--around-tool-use)
  (advice-add 'gptel--accept-tool-calls :around #'cj/gate-gptel--around-accept)
  (advice-add 'gptel-abort :after #'cj/gate-gptel--after-abort))

(defun cj/gate-gptel-unload-function ()
  "Remove the advice and the hooks from gptel; return nil."
  (advice-remove 'gptel--handle-tool-use #'cj/gate-gptel--around-tool-use)
  (advice-remove 'gptel--accept-tool-calls #'cj/gate-gptel--around-accept)
  (advice-remove 'gptel-abort #'cj/gate-gptel--after-abort)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (remove-hook 'kill-buffer-hook #'cj/gate-gptel--after-abort t)))
  nil)

(provide 'cj-gate-gptel)

;;; cj-gate-gptel.el ends here
