;;; cj-gate-settings.el --- What the core is told of the user's settings -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The programs that calls can be made for, and what the native core is told
;; with each call: options, environment, directories.

;;; Code:

(require 'cj-gate-load)

;;;; Options

;; None of these is safe as a file-local or directory-local variable.

(defcustom cj/gate-cwd-roots '("~/")
  "Directories under which a call may run.
The default is the home directory.  A working directory counts by where it
really is, symbolic links resolved; a call from elsewhere is refused."
  :type '(repeat directory)
  :group 'cj-gate
  :risky t)

(defcustom cj/gate-result-budget 800
  "Tokens that one result may take, from 200 to 8000; default 800.
What is beyond them is cut and kept in memory; the result says so, and the
model gets any part of it without another request (see `cj/gate-more')."
  :type 'natnum
  :group 'cj-gate
  :risky t)

;;;; Programs

(defvar cj/gate-programs
  '(("gh" cj-gh cj/gh--settings :accounts t)
    ("net" cj-net cj/net--settings :facts cj/net--facts))
  "Programs that a plan can be made for: (NAME FEATURE FUNCTION . PLIST).
FUNCTION, in FEATURE, is called without arguments and returns a plist
of what the core needs to know of the user's options.  In PLIST:
 :facts     function of the argv and a callback that finds out, without
            waiting, what the `:facts' of `cj/gate-plan' are to be, calls the
            callback with them once and returns a handle; nil: the git facts
            of the working directory
 :accounts  non-nil if calls act as an account, on repositories")

(defun cj/gate--program-option (program key)
  "Return the value of KEY in the row of PROGRAM, or nil."
  (plist-get (nthcdr 3 (assoc program cj/gate-programs)) key))

;;;; What the core is told

(defun cj/gate--environment ()
  "Return the environment that children are made from, a list of strings.
It is Emacs's global one, never a buffer's own."
  (default-value 'process-environment))

(defun cj/gate--file-bytes (name)
  "Return the file NAME expanded, as the bytes that the system knows it by."
  (encode-coding-string (expand-file-name name)
                        (or file-name-coding-system
                            default-file-name-coding-system 'utf-8)
                        t))

(defun cj/gate--executable (program)
  "Return the absolute file name of PROGRAM on this machine, or nil.
The variable `exec-path' of a buffer, which a project may have set, does
not count."
  ;; No handler has a say: none of them is for files of this machine, and to
  ;; try their patterns on each name took longer than all else of a plan.
  (let* ((file-name-handler-alist nil)
         (default-directory (expand-file-name "~/"))
         (file (locate-file program (default-value 'exec-path) exec-suffixes 1)))
    (and file (cj/gate--file-bytes file))))

(defun cj/gate--common-settings ()
  "Return the settings that every program shares, a plist."
  (list :environment (cj/gate--environment)
        :result-budget (default-value 'cj/gate-result-budget)
        ;; A root on another machine is none, and need not be asked for there.
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
  "Return CWD, or the current directory, as the core wants it.
The value is (:cwd BYTES), or (:remote-cwd NAME) for another machine's."
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
