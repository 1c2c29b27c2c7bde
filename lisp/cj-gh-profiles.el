;;; cj-gh-profiles.el --- Which GitHub tools a chat has -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Three gptel presets: `github-read' has the tools that only read,
;; `github-write' has these and the tools that write by one key each, and
;; `github-full' has all tools, the raw `gh' and the downloads among them.  The
;; classifier of the core decides which tools only read, by the command line that
;; each tool makes, not by its name.
;;
;; A profile is a convenience, not the guard: a chat file from elsewhere may
;; name tools and presets in its local variables, and gptel takes them.  The
;; tool itself decides what a call may do, by the user's own policy.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-tools)
(require 'cj-gh)
(require 'cj-gh-tools)

(defvar gptel-tools)
(defvar gptel--known-presets)
(declare-function gptel-make-preset "ext:gptel")
(declare-function gptel-get-tool "ext:gptel-request")
(declare-function gptel--apply-preset "ext:gptel")

(defconst cj/gh-profiles--presets
  '((github-read nil "GitHub: the tools that only read")
    (github-write write "GitHub: reads, and pull requests by your key")
    (github-full t "GitHub: all tools; a write waits for your key"))
  "The presets, rows of (NAME WHICH DESCRIPTION).
WHICH is as in `cj/gh-profile-tools'.")

(defun cj/gh-profiles--sample (row)
  "Return the argv of the tool of ROW for sample arguments.
The sample has a value for each required argument, such as 1 for an integer."
  (let (args)
    (dolist (spec (plist-get row :args))
      (unless (plist-get spec :optional)
        (setq args (plist-put args (intern (concat ":" (plist-get spec :name)))
                              (pcase (plist-get spec :type)
                                ('integer 1)
                                ('array '("x"))
                                (_ "x"))))))
    (funcall (plist-get row :argv) row args)))

(defun cj/gh-profile-tools (&optional which)
  "Return the names of the tools that only read, a list of strings.
With WHICH `write', return these and the tools for writes that need a look-up
first: opening, checking out, pushing and answering.  With any other non-nil
WHICH, return the names of all tools.  A tool only reads if the argv that it
makes has the class `read'.
Signal `cj/gate-module' if there is no module to classify it."
  (cj/gate-load-module)
  (mapcar
   (lambda (row) (plist-get row :name))
   (cl-remove-if-not
    (lambda (row)
      (or (and which (not (eq which 'write)))
          ;; This tool gives a part of an earlier result and runs nothing.
          (plist-get row :slice)
          ;; The argv of an errand only names what it is about.
          (if (plist-get row :errand)
              which
            (eq 'read (plist-get (cj/gh-classify (cj/gh-profiles--sample row))
                                 :class)))))
    cj/gh-tools-table)))

(defun cj/gh-profiles--tools (which)
  "Return a function that puts the tools of a profile into a list of tools.
The function takes a list and returns a new one: other tools stay, and the
GitHub tools are replaced by those of the profile; WHICH is as in
`cj/gh-profile-tools'."
  (lambda (tools)
    (append (cj/gate-tools-without tools cj/gh-tools-table)
            (mapcar (lambda (name) (gptel-get-tool (list "github" name)))
                    (cj/gh-profile-tools which)))))

(defun cj/gh-profiles--ensure-tools ()
  "Register the GitHub tools with gptel unless they are registered."
  (unless (ignore-errors (gptel-get-tool '("github" "gh")))
    (cj/gh-tools-register)))

(defun cj/gh-profiles-register ()
  "Make the presets known to gptel; return their names, a list of symbols.
The tools are registered when a preset is first applied."
  (require 'gptel)
  (mapcar
   (pcase-lambda (`(,name ,which ,description))
     (gptel-make-preset name
       :description description
       :pre #'cj/gh-profiles--ensure-tools
       :tools (list :function (cj/gh-profiles--tools which)))
     name)
   cj/gh-profiles--presets))

(defun cj/gh-profiles-unregister ()
  "Take the presets away from gptel again."
  (when (boundp 'gptel--known-presets)
    (setq gptel--known-presets
          (cl-remove-if (lambda (row) (assq (car row) cj/gh-profiles--presets))
                        gptel--known-presets))))

;;;###autoload
(defun cj/gh-use-profile (profile &optional say)
  "Give the current buffer the tools of PROFILE, a symbol.
PROFILE is `github-read', `github-write', `github-full', or nil for none of the
GitHub tools.  Other tools of the buffer stay.  Return the names of the GitHub
tools that the buffer has now.  With SAY non-nil, as interactively, show their
number."
  (interactive
   (list (intern-soft
          (let ((answer (completing-read
                         "GitHub tools of this buffer: "
                         '("github-read" "github-write" "github-full" "none") nil t)))
            (if (equal answer "none") "nil" answer)))
         t))
  (require 'gptel)
  (cond
   ((null profile)
    (setq-local gptel-tools (cj/gate-tools-without gptel-tools cj/gh-tools-table)))
   ((assq profile cj/gh-profiles--presets)
    (cj/gh-profiles-register)
    (gptel--apply-preset profile
                         (lambda (symbol value)
                           (set (make-local-variable symbol) value))))
   (t (user-error "There is no profile %s" profile)))
  (let ((names (cj/gh-profiles-in-buffer)))
    ;; SAY and not `called-interactively-p', which is nil in a call by the menu.
    (when say
      (message "%s" (if names
                        (format "This buffer has %d GitHub tool%s" (length names)
                                (if (cdr names) "s" ""))
                      "This buffer has no GitHub tools")))
    names))

(defun cj/gh-profiles-in-buffer ()
  "Return the names of the GitHub tools that the current buffer has, a list."
  (and (boundp 'gptel-tools)
       (delq nil
             (mapcar (lambda (tool)
                       (plist-get (cj/gate-tools-row tool cj/gh-tools-table) :name))
                     gptel-tools))))

(defun cj/gh-profile ()
  "Return the profile of the current buffer, a symbol.
The value is `github-read', `github-write', `github-full', `some' for another
choice of the GitHub tools, or nil for none of them."
  (let ((names (sort (cj/gh-profiles-in-buffer) #'string<)))
    (and names
         (or (car (cl-find-if (lambda (row)
                                (equal names (sort (cj/gh-profile-tools (nth 1 row))
                                                   #'string<)))
                              cj/gh-profiles--presets))
             'some))))

(defun cj/gh-profile-of-directory ()
  "Give the current buffer the profile of its directory in `cj/gh-profile-alist'.
This is for `gptel-mode-hook'.  Without a row for the directory, do nothing."
  (let ((row (cl-find-if (lambda (row)
                           (and (stringp (car-safe row))
                                (not (file-remote-p default-directory))
                                (file-in-directory-p default-directory (car row))))
                         (default-value 'cj/gh-profile-alist))))
    (when row
      (condition-case err
          (cj/gh-use-profile (cdr row))
        (error (message "cj-gate: the profile of this directory: %s"
                        (cj/gate-error-message err)))))))

(provide 'cj-gh-profiles)

;;; cj-gh-profiles.el ends here
