;;; cj-gate-audit.el --- Options of what is kept of calls -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The core writes the audit log, on a thread of its own, and long logs of jobs.
;; This file has the options of both and of the records, passes them to the core
;; at each use of the module, and warns when the core cannot write the audit log.

;;; Code:

(declare-function cj/gate--mod-audit-configure "ext:cj-gate-module")
(declare-function cj/gate--mod-audit-trouble "ext:cj-gate-module")
(declare-function cj/gate--mod-kept-configure "ext:cj-gate-module")

(defcustom cj/gh-tool-audit-log-enabled t
  "Whether every call is written to the audit log.
Default t.  With nil no file is written; calls still leave records in memory,
see `cj/gate-records-kept'."
  :type 'boolean
  :group 'cj-gate
  :risky t)

(defcustom cj/gh-tool-audit-log-directory nil
  "Folder of the audit log, which has one file a day.
Nil, the default, stands for data/gh-tool-log/ under
`user-emacs-directory'.  A new folder is closed to other users.  Nothing is
written to a folder that is a symbolic link, that others may write to, or
that lies below a directory that others could change.  Links of your own above
the folder are followed, as when your Emacs directory is a link."
  :type '(choice (const :tag "data/gh-tool-log/ under user-emacs-directory" nil)
                 directory)
  :group 'cj-gate
  :risky t)

(defcustom cj/gh-tool-audit-log-keep-days nil
  "Days for which a file of the audit log is kept.
Nil, the default, keeps every file for ever.  With a number, the first call of
a day removes the older files.  Only files named YYYY-MM-DD.log in the log's
folder are removed."
  :type '(choice (const :tag "For ever" nil) natnum)
  :group 'cj-gate
  :risky t)

(defcustom cj/gh-tool-audit-log-required nil
  "Whether a call that may change something is refused if it cannot be logged.
With non-nil it is refused also where the log is turned off or its folder is on
another machine; reads still run.  With nil, the default, the call runs, its
line is kept in memory until the log can be written, and a warning is shown."
  :type 'boolean
  :group 'cj-gate
  :risky t)

(defcustom cj/gate-records-kept 200
  "How many records of calls are kept in memory, a number; default 200.
The oldest records are dropped first.  `cj/gate-records' lists them all."
  :type 'natnum
  :group 'cj-gate
  :risky t)

(defcustom cj/gate-kept-directory nil
  "Folder for the whole logs behind the extracts that a model gets.
Nil, the default, stands for data/gate-kept/ under `user-emacs-directory'.
A new folder is closed to other users, and so is each file, whose secrets are
masked before it is written.  At most 64 MB in 100 files are kept, and none for
more than a day; the file goes with the chat that it was read for.
The value `memory' keeps logs in memory, as does a folder that cannot be used:
one on another machine, a symbolic link, or one that others may write to."
  :type '(choice (const :tag "data/gate-kept/ under user-emacs-directory" nil)
                 (const :tag "In memory" memory)
                 directory)
  :group 'cj-gate
  :risky t)

(defun cj/gate-kept-directory ()
  "Return the folder for whole logs, an absolute directory name; nil for none."
  (let ((folder (default-value 'cj/gate-kept-directory)))
    (unless (eq folder 'memory)
      (let ((place (file-name-as-directory
                    (expand-file-name (or folder "data/gate-kept/")
                                      user-emacs-directory))))
        (unless (file-remote-p place)
          place)))))

(defun cj/gate-audit-directory ()
  "Return the folder of the audit log, an absolute directory name."
  (file-name-as-directory
   (expand-file-name (or (default-value 'cj/gh-tool-audit-log-directory)
                         "data/gh-tool-log/")
                     user-emacs-directory)))

(defun cj/gate-audit--bytes (folder)
  "Return FOLDER, a directory name, encoded as the system's file names are."
  (encode-coding-string (directory-file-name folder)
                        (or file-name-coding-system
                            default-file-name-coding-system 'utf-8)
                        t))

(defun cj/gate-audit-directory-bytes ()
  "Return the folder of the audit log, encoded as the system's file names are."
  (cj/gate-audit--bytes (cj/gate-audit-directory)))

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
  "The values of the options that the core was last told, a list.")

(defun cj/gate-audit-configure ()
  "Tell the core the options if they have changed since it was last told.
`cj/gate-load-module' calls this before each use of the core.  Working out the
settings takes several times as long as most functions of the core, so only the
values of the options are compared."
  (let ((options (list (default-value 'cj/gh-tool-audit-log-enabled)
                       (default-value 'cj/gh-tool-audit-log-directory)
                       (default-value 'cj/gh-tool-audit-log-keep-days)
                       (default-value 'cj/gh-tool-audit-log-required)
                       (default-value 'cj/gate-records-kept)
                       (default-value 'cj/gate-kept-directory)
                       ;; A relative folder, or one under ~, depends on these.
                       user-emacs-directory (getenv-internal "HOME"))))
    (unless (equal options cj/gate-audit--told)
      (cj/gate--mod-audit-configure (cj/gate-audit--settings))
      (let ((folder (cj/gate-kept-directory)))
        (cj/gate--mod-kept-configure
         (list :folder (and folder (cj/gate-audit--bytes folder)))))
      (setq cj/gate-audit--told options))))

(defun cj/gate-audit-say-trouble ()
  "Warn if the audit log cannot be written; warn again only after it could be."
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
