;;; cj-gate-settings.el --- The settings that the core gets with a call -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The programs that the gate can call, and the settings that the native core
;; gets with each call: options, environment, directories.

;;; Code:

(require 'cj-gate-load)

;;;; Options

;; A file must not choose these values by file-local variables, hence `:risky'.

(defcustom cj/gate-cwd-roots '("~/")
  "Directories under which a call may run.
The default is the home directory.  Symbolic links are resolved first: a link
under one of these that leads out of it is outside.  A call from any other
directory is refused."
  :type '(repeat directory)
  :group 'cj-gate
  :risky t)

(defcustom cj/gate-result-budget 800
  "Tokens that one result may take, from 200 to 8000; default 800.
The rest of a longer result is cut off and kept in memory.  The result says
so, and the model can read any part of the rest without another request to the
host (see `cj/gate-more')."
  :type 'natnum
  :group 'cj-gate
  :risky t)

;;;; Programs

(defvar cj/gate-programs
  '(("gh" cj-gh cj/gh--settings :accounts t)
    ("net" cj-net cj/net--settings :facts cj/net--facts))
  "Programs that the gate can call, rows of (NAME FEATURE FUNCTION . PLIST).
FUNCTION, which FEATURE defines, is called without arguments and returns a
plist with the user's options for the core.  PLIST has:
 :facts     function of the argv and a callback.  It collects the `:facts' for
            `cj/gate-plan' without waiting, calls the callback once with them
            and returns a handle.  nil: the facts are what git knows of the
            working directory
 :accounts  non-nil if calls act as an account, on repositories")

(defun cj/gate--program-option (program key)
  "Return the value of KEY in the row of PROGRAM, or nil."
  (plist-get (nthcdr 3 (assoc program cj/gate-programs)) key))

;;;; Settings

(defun cj/gate--environment ()
  "Return the environment that the environment of programs is made from.
The value is a list of strings, the global value of `process-environment': a
buffer-local one, which a project may have set, does not count."
  (default-value 'process-environment))

(defun cj/gate--file-bytes (name)
  "Return the file NAME, expanded and encoded as the system's file names are."
  (encode-coding-string (expand-file-name name)
                        (or file-name-coding-system
                            default-file-name-coding-system 'utf-8)
                        t))

(defun cj/gate--executable (program)
  "Return the absolute file name of PROGRAM on this machine, or nil.
A buffer-local variable `exec-path', which a project may have set, does not
count."
  ;; No file name handler is for files of this machine, and matching each name
  ;; against the handlers' patterns takes longer than the rest of a plan.
  (let* ((file-name-handler-alist nil)
         (default-directory (expand-file-name "~/"))
         (file (locate-file program (default-value 'exec-path) exec-suffixes 1)))
    (and file (cj/gate--file-bytes file))))

(defun cj/gate--common-settings ()
  "Return the settings that every program shares, a plist."
  (list :environment (cj/gate--environment)
        :result-budget (default-value 'cj/gate-result-budget)
        ;; A directory on another machine never counts as a root.  Without file
        ;; name handlers, expanding its name opens no connection.
        :roots (let ((file-name-handler-alist nil))
                 (mapcar #'cj/gate--file-bytes (default-value 'cj/gate-cwd-roots)))
        :git (cj/gate--executable "git")))

(defun cj/gate--settings (program)
  "Return the settings for PROGRAM, a plist.
Signal `cj/gate-bad-argument' for a program that the gate does not know."
  (let ((row (and (stringp program) (assoc program cj/gate-programs))))
    (unless row
      (cj/gate--signal 'bad-argument "There is no program `%s' here.
Use one of: %s" program (mapconcat #'car cj/gate-programs ", ")))
    (require (nth 1 row))
    (append (funcall (nth 2 row)) (cj/gate--common-settings))))

(defun cj/gate--place (cwd)
  "Return CWD, or the current directory if it is nil, as the core wants it.
The value is (:cwd BYTES), or (:remote-cwd NAME) for a remote directory."
  (let ((dir (or cwd default-directory)))
    (cond
     ((not (stringp dir))
      (cj/gate--signal 'bad-argument "The argument `cwd' is no string.
Give an existing directory under `cj/gate-cwd-roots'"))
     ((string-match-p "\0" dir)
      (cj/gate--signal 'bad-argument "The argument `cwd' holds a NUL character.
Leave it out"))
     ((file-remote-p dir) (list :remote-cwd dir))
     (t (list :cwd (cj/gate--file-bytes dir))))))

(provide 'cj-gate-settings)

;;; cj-gate-settings.el ends here
