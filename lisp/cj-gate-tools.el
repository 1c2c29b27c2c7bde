;;; cj-gate-tools.el --- Register a table of tools with gptel -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each program has a table of its tools; a row is a plist.  This file makes
;; gptel's tools from these keys of a row, for every program alike:
;;
;;  :name :description  gptel's own, strings
;;  :args               gptel's own, a list of plists
;;  :function           the named function that gptel calls
;;  :asks               nil, or a function of the raw arguments that says
;;                      whether a call will ask a person by itself
;;
;; The other keys of a row are for the program's own file.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-gptel)

(declare-function gptel-make-tool "ext:gptel-request")
(declare-function gptel-tool-function "ext:gptel-request" t t)
(defvar gptel--known-tools)
(defvar gptel-tools)

;;;; The functions that gptel calls

(defmacro cj/gate-tools-define (table call &rest tools)
  "Define the functions behind the TOOLS of TABLE, a symbol.
TOOLS are lists (FUNCTION NAME), of a symbol and a tool's name.  Each FUNCTION
calls CALL, the symbol of a function, with NAME, the callback and the list of
the values that gptel passed."
  (declare (indent 2))
  `(progn
     ,@(mapcar
        (pcase-lambda (`(,function ,name))
          `(defun ,function (callback &rest values)
             ,(format "The tool `%s', for gptel.
CALLBACK is called exactly once, with one string: the header line and the
result.  VALUES are the arguments in the order of `%s'."
                      name table)
             (,call ,name callback values)))
        tools)))

;;;; Tools and rows

(defun cj/gate-tools-row (tool table)
  "Return the row of TABLE from which TOOL, a tool of gptel, was made, or nil."
  (cl-find (gptel-tool-function tool) table
           :key (lambda (row) (plist-get row :function))))

(defun cj/gate-tools-without (tools table)
  "Return TOOLS, a list of tools of gptel, without those of TABLE."
  (cl-remove-if (lambda (tool) (cj/gate-tools-row tool table)) tools))

;;;; Registration

(defun cj/gate-tools--arg (spec)
  "Return SPEC, an argument of a row, as gptel wants it."
  (append (list :name (plist-get spec :name)
                :type (plist-get spec :type))
          (and (plist-get spec :description)
               (list :description (plist-get spec :description)))
          (and (plist-get spec :enum) (list :enum (plist-get spec :enum)))
          (and (plist-get spec :items) (list :items (plist-get spec :items)))
          (and (plist-get spec :optional) (list :optional t))))

(defun cj/gate-tools-register (table category)
  "Register every tool of TABLE with gptel under CATEGORY; return the tools.
They are registered without gptel's own confirmation, since the function of the
tool asks a person where that is needed."
  (require 'gptel)
  (cj/gate-gptel-setup)
  (mapcar
   (lambda (row)
     (setf (alist-get (plist-get row :function) cj/gate-gptel-tools)
           (plist-get row :asks))
     (gptel-make-tool
      :name (plist-get row :name)
      :function (plist-get row :function)
      :description (plist-get row :description)
      :args (mapcar #'cj/gate-tools--arg (plist-get row :args))
      :category category
      :async t
      :confirm nil
      :include t))
   table))

(defun cj/gate-tools-unregister (table category)
  "Take every tool of TABLE, under CATEGORY, away from gptel.
Also take the tools out of `gptel-tools' in every buffer."
  (when (boundp 'gptel--known-tools)
    (dolist (buffer (buffer-list))
      (when (local-variable-p 'gptel-tools buffer)
        (with-current-buffer buffer
          (setq gptel-tools (cj/gate-tools-without gptel-tools table)))))
    (setq-default gptel-tools
                  (cj/gate-tools-without (default-value 'gptel-tools) table))
    (let ((known (assoc category gptel--known-tools)))
      (when known
        (setcdr known (cl-remove-if
                       (lambda (entry) (cj/gate-tools-row (cdr entry) table))
                       (cdr known)))
        (unless (cdr known)
          (setq gptel--known-tools (delq known gptel--known-tools))))))
  (dolist (row table)
    (setf (alist-get (plist-get row :function) cj/gate-gptel-tools nil t) nil))
  ;; Another program's tools still need the advice.
  (unless cj/gate-gptel-tools
    (cj/gate-gptel-unload-function)))

(provide 'cj-gate-tools)

;;; cj-gate-tools.el ends here
