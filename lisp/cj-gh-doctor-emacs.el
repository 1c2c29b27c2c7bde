;;; cj-gh-doctor-emacs.el --- What the doctor checks in this Emacs -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The checks of Emacs itself, the module, the environment, the options, the
;; gate and gptel.  Each check is a function in the table of cj-gh-doctor.el,
;; which says how the function is called and how it reports.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-view)

(declare-function cj/gate--mod-audit-state "ext:cj-gate-module")
(declare-function cj/gate--mod-lifeline "ext:cj-gate-module")
(declare-function cj/gate--mod-memory "ext:cj-gate-module")
(declare-function cj/gate--mod-policy-complaints "ext:cj-gate-module")
(declare-function cj/gate--mod-stopped "ext:cj-gate-module")

;;;; Emacs and the module

(defun cj/gh-doctor--emacs (report)
  "Check the Emacs version and REPORT."
  (cond
   ((version< emacs-version "28.1")
    (funcall report 'fail (format "Emacs %s" emacs-version)
             "Use Emacs 28.1 or later."))
   ((not (and (fboundp 'module-load) module-file-suffix))
    (funcall report 'fail (format "Emacs %s, without modules" emacs-version)
             "Use an Emacs that was built with dynamic modules."))
   (t (funcall report 'pass (format "Emacs %s, with modules" emacs-version)))))

(defun cj/gh-doctor--module (report)
  "Check that the module is there and fits this Lisp, and REPORT."
  (condition-case err
      (let ((what (format "version %s, %s" (cj/gate-load-module)
                          (abbreviate-file-name
                           (or cj/gate--loaded-file "loaded elsewhere")))))
        (if cj/gate--loaded-doubt
            (funcall report 'warn (format "%s: %s" what cj/gate--loaded-doubt)
                     "Install it with `M-x cj/gate-compile-module' or `make build'.")
          (funcall report 'pass what)))
    (cj/gate-error
     (let ((lines (split-string (cj/gate-error-message err) "\n")))
       (funcall report 'fail (car lines)
                (concat (string-join (cdr lines) " ")
                        ", or set `cj/gate-module-directory' to where it is."))))))

;;;; The environment

(defconst cj/gh-doctor--variables
  '(("GH_TOKEN" used "stands in place of gh's own login on github.com")
    ("GITHUB_TOKEN" used "stands in place of gh's own login on github.com")
    ("GH_ENTERPRISE_TOKEN" used "stands in place of gh's own login on other hosts")
    ("GITHUB_ENTERPRISE_TOKEN" used "stands in place of gh's own login on other hosts")
    ("GH_HOST" ignored "is not passed on; `cj/gh-default-host' is the default")
    ("GH_REPO" ignored "is not passed on; a call names its repository")
    ("GH_DEBUG" ignored "is not passed on; it would print requests with their secrets")
    ("GH_FORCE_TTY" ignored "is not passed on; there is no terminal")
    ("GH_PATH" ignored "is not passed on; `cj/gh-executable' names the program")
    ("GH_PAGER" ignored "is not passed on; there is no pager")
    ("GH_BROWSER" ignored "is not passed on; no browser is opened")
    ("GH_EDITOR" ignored "is not passed on; no editor is opened")
    ("CLICOLOR_FORCE" ignored "is not passed on; results have no colours")
    ("DEBUG" ignored "is not passed on; gh would print requests with their secrets"))
  "Environment variables that change what gh does, rows of (NAME USE WORDS).
USE says whether the gate passes the variable to gh (`used') or not (`ignored');
WORDS continue a sentence that begins with NAME.")

(defun cj/gh-doctor--environment (report)
  "Name the set environment variables that change what gh does, and REPORT."
  (let* ((process-environment (cj/gate--environment))
         (rows (cl-remove-if (lambda (row) (member (getenv (car row)) '(nil "")))
                             cj/gh-doctor--variables))
         (name (lambda (use)
                 (mapcar #'car (cl-remove-if-not (lambda (row) (eq (nth 1 row) use))
                                                 rows))))
         (parts (cl-loop for use in '(used ignored)
                         for names = (funcall name use)
                         when names
                         collect (format "%s: %s" use (string-join names ", ")))))
    (if rows
        (funcall report 'warn (string-join parts "; ")
                 (mapconcat (lambda (row) (format "%s %s: `(setenv \"%s\")' takes it out of this Emacs."
                                                  (car row) (nth 2 row) (car row)))
                            rows "  "))
      (funcall report 'pass "nothing there changes what gh does"))))

;;;; The gate

(defun cj/gh-doctor--policy (report)
  "Check the rows of `cj/gh-policy' and `cj/gh-host-policy', and REPORT."
  (condition-case err
      (let ((wrong (progn
                     (cj/gate-load-module)
                     (mapcan (lambda (rows) (cj/gate--mod-policy-complaints "gh" rows))
                             (cons (default-value 'cj/gh-policy)
                                   (mapcar #'cdr-safe
                                           (default-value 'cj/gh-host-policy)))))))
        (if wrong
            (funcall report 'warn (string-join wrong "; ")
                     "Mend `cj/gh-policy' or `cj/gh-host-policy'; a row that is wrong counts as block.")
          (funcall report 'pass "every row is understood")))
    (error
     (funcall report 'fail "`cj/gh-policy' could not be checked"
              (cj/gate-error-message err)))))

(defun cj/gh-doctor--audit-log (report)
  "Check that each call is logged and REPORT."
  (condition-case err
      (let* ((state (progn (cj/gate-load-module) (cj/gate--mod-audit-state)))
             (folder (cj/gate-audit-directory))
             (there (locate-dominating-file folder #'file-directory-p))
             (modes (and (file-directory-p folder) (file-modes folder))))
        (cond
         ((not (default-value 'cj/gh-tool-audit-log-enabled))
          (funcall report 'warn "calls are not logged"
                   "Set `cj/gh-tool-audit-log-enabled' to t."))
         ((file-remote-p folder)
          (funcall report 'fail "the folder is on another machine, calls are not logged"
                   "Set `cj/gh-tool-audit-log-directory' to a local one."))
         ((plist-get state :trouble)
          (funcall report 'fail
                   (format "%s; %s in memory, %s lost"
                           (plist-get state :trouble)
                           (cj/gate-view-count (plist-get state :waiting)
                                               "line waits" "lines wait")
                           (cj/gate-view-count (plist-get state :lost) "is" "are"))
                   "Make room or mend the folder; the waiting lines are then written."))
         ((and modes (not (zerop (logand modes #o022))))
          (funcall report 'fail (format "others may write into %s"
                                        (abbreviate-file-name folder))
                   (format "Close it to others with `chmod 700 %s', or set `cj/gh-tool-audit-log-directory' to another folder."
                           (shell-quote-argument (directory-file-name folder)))))
         ((not (and there (file-writable-p there)))
          (funcall report 'fail (format "%s cannot be written"
                                        (abbreviate-file-name folder))
                   "Set `cj/gh-tool-audit-log-directory' to another folder."))
         (t (funcall report 'pass (abbreviate-file-name folder)))))
    (error
     (funcall report 'fail "not checked" (cj/gate-error-message err)))))

(defun cj/gh-doctor--gate (report)
  "Check that the gate is open and its programs end with Emacs, and REPORT."
  (let ((trouble (cj/gate--mod-lifeline))
        (memory (cj/gate--mod-memory)))
    (cond
     ((cj/gate--mod-stopped)
      (funcall report 'fail "stopped by a person: every call is refused"
               "`M-x cj/gate-resume' lets calls run again."))
     (trouble
      (funcall report 'warn (format "a program could outlive a crash of Emacs: %s" trouble)
               "See that /bin/sh is there, and restart Emacs."))
     (memory
      (funcall report 'warn memory
               "Programs run all the same; one that takes more than a call may have is ended when it is seen."))
     (t (funcall report 'pass "open; what it starts ends with Emacs")))))

;;;; gptel

(defconst cj/gh-doctor--gptel-floor "0.9.9.5"
  "The oldest gptel that is supported.")

(defun cj/gh-doctor--gptel-version ()
  "Return the version of the gptel on variable `load-path', a string, or nil."
  (let* ((library (locate-library "gptel.el"))
         (file (and library (if (file-exists-p library) library
                              (locate-library "gptel.el" t)))))
    (and file
         (with-temp-buffer
           (insert-file-contents file nil 0 4000)
           (and (re-search-forward "^;; \\(?:Package-\\)?Version: *\\([0-9][0-9.]*\\)" nil t)
                (match-string 1))))))

(defun cj/gh-doctor--gptel (report)
  "Check gptel's version, say what its own prompt is for, and REPORT."
  (let* ((library (locate-library "gptel"))
         (version (and library (cj/gh-doctor--gptel-version)))
         (asks (if (boundp 'gptel-confirm-tool-calls)
                   (default-value 'gptel-confirm-tool-calls)
                 'auto))
         (words (pcase asks
                  ('nil "it asks about no tool; a write waits for the gate all the same")
                  ('auto "it asks about no read; a write waits for the gate")
                  (_ "it asks about each read; a write waits for the gate alone"))))
    (cond
     ((not library)
      (funcall report 'warn "not on `load-path'"
               (format "Install gptel %s or later, with `M-x package-install' from NonGNU ELPA or MELPA; only `cj/gh-call' works without it."
                       cj/gh-doctor--gptel-floor)))
     ((and version (version< version cj/gh-doctor--gptel-floor))
      (funcall report 'fail (format "gptel %s is too old" version)
               (format "Install gptel %s or later, with `M-x package-install' from NonGNU ELPA or MELPA."
                       cj/gh-doctor--gptel-floor)))
     (t (funcall report 'pass
                 (format "gptel %s; `gptel-confirm-tool-calls' is %s: %s"
                         (or version "of unknown version") asks words))))))

(defun cj/gh-doctor--eval-tools (report)
  "Warn of gptel tools that can run any Lisp or shell command, and REPORT."
  (let ((names (and (boundp 'gptel-tools) (fboundp 'gptel-tool-name)
                    (cl-remove-if-not
                     (lambda (name)
                       (string-match-p
                        "eval\\|elisp\\|lisp\\|shell\\|bash\\|exec\\|command" name))
                     (mapcar (lambda (tool) (downcase (funcall 'gptel-tool-name tool)))
                             (symbol-value 'gptel-tools))))))
    (if names
        (funcall report 'warn (string-join names ", ")
                 "A tool that evaluates Lisp or runs a shell goes around the gate; leave it out.")
      (funcall report 'pass "none among `gptel-tools'"))))

(provide 'cj-gh-doctor-emacs)

;;; cj-gh-doctor-emacs.el ends here
