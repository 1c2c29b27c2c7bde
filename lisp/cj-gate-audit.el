;;; cj-gate-audit.el --- What is kept of calls, and for how long -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The options of the audit log and of the records.  The core writes the log,
;; on a thread of its own; it is told the options here, at each use of the
;; module, and asked whether it is in trouble.

;;; Code:

(declare-function cj/gate--mod-audit-configure "ext:cj-gate-module")
(declare-function cj/gate--mod-audit-trouble "ext:cj-gate-module")

(defcustom cj/gh-tool-audit-log-enabled t
  "Whether every call leaves a line in the audit log.
Default t.  Nil: no file is written; records in memory stay."
  :type 'boolean
  :group 'cj-gate
  :risky t)

(defcustom cj/gh-tool-audit-log-directory nil
  "Folder of the audit log, which has one file a day.
Nil, the default, stands for data/gh-tool-log/ under
`user-emacs-directory'.  The folder is closed to other users.  One that
others may write to, one below a directory that they could change, and one
that is a symbolic link are refused; your own links on the way are not."
  :type '(choice (const :tag "data/gh-tool-log/ under user-emacs-directory" nil)
                 directory)
  :group 'cj-gate
  :risky t)

(defcustom cj/gh-tool-audit-log-keep-days nil
  "Days for which files of the audit log are kept.
Nil, the default: for ever.
Older ones are removed with the first call of a day.  Only files named
YYYY-MM-DD.log in the log's folder are."
  :type '(choice (const :tag "For ever" nil) natnum)
  :group 'cj-gate
  :risky t)

(defcustom cj/gh-tool-audit-log-required nil
  "Whether what may change something is refused when it cannot be logged.
So it is where the log is off or its folder is on another machine.
Nil, the default: the call runs, its line is kept in memory, and a warning
is shown."
  :type 'boolean
  :group 'cj-gate
  :risky t)

(defcustom cj/gate-records-kept 200
  "How many records of calls are kept in memory, a number; default 200.
The oldest go first.  `cj/gate-records' lists them."
  :type 'natnum
  :group 'cj-gate
  :risky t)

(defun cj/gate-audit-directory ()
  "Return the folder of the audit log, an absolute directory name."
  (file-name-as-directory
   (expand-file-name (or (default-value 'cj/gh-tool-audit-log-directory)
                         "data/gh-tool-log/")
                     user-emacs-directory)))

(defun cj/gate-audit-directory-bytes ()
  "Return the folder of the audit log as the bytes the system knows it by."
  (encode-coding-string (directory-file-name (cj/gate-audit-directory))
                        (or file-name-coding-system
                            default-file-name-coding-system 'utf-8)
                        t))

(defun cj/gate-audit--natural (variable)
  "Return the value of VARIABLE, a symbol, if it is a natural number; or nil."
  (let ((value (default-value variable)))
    (and (natnump value) (<= value most-positive-fixnum) value)))

(defun cj/gate-audit--settings ()
  "Return the options as the core wants them, a plist."
  (list :folder (and (default-value 'cj/gh-tool-audit-log-enabled)
                     (not (file-remote-p (cj/gate-audit-directory)))
                     (cj/gate-audit-directory-bytes))
        :days (cj/gate-audit--natural 'cj/gh-tool-audit-log-keep-days)
        :required (and (default-value 'cj/gh-tool-audit-log-required) t)
        :records (cj/gate-audit--natural 'cj/gate-records-kept)))

(defvar cj/gate-audit--told nil
  "The options as they were when the core was told them last.")

(defun cj/gate-audit-configure ()
  "Tell the core the options, unless it knows them.
Every door calls this; working the options out takes several times as long
as most doors take, and so they are compared as they stand."
  (let ((options (list (default-value 'cj/gh-tool-audit-log-enabled)
                       (default-value 'cj/gh-tool-audit-log-directory)
                       (default-value 'cj/gh-tool-audit-log-keep-days)
                       (default-value 'cj/gh-tool-audit-log-required)
                       (default-value 'cj/gate-records-kept)
                       ;; What a relative or an abbreviated folder depends on.
                       user-emacs-directory (getenv-internal "HOME"))))
    (unless (equal options cj/gate-audit--told)
      (cj/gate--mod-audit-configure (cj/gate-audit--settings))
      (setq cj/gate-audit--told options))))

(defun cj/gate-audit-say-trouble ()
  "Warn that the audit log cannot be written, once until it can be again."
  (when (featurep 'cj-gate-module)
    (let ((why (cj/gate--mod-audit-trouble)))
      (when why
        (display-warning
         'cj-gate
         (format "The audit log cannot be written: %s.
%s, and lines are kept in memory until it can be; see `M-x cj/gh-doctor'."
                 why
                 (if (default-value 'cj/gh-tool-audit-log-required)
                     "What may change something is refused, reads go on"
                   "Calls go on")))))))

(provide 'cj-gate-audit)

;;; cj-gate-audit.el ends here
