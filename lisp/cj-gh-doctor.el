;;; cj-gh-doctor.el --- Check what the GitHub tools need -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The table of the checks, and the buffer that shows their report, in the form
;; that cj-gate-doctor.el describes.  Checks that ask gh or git run in the
;; background and fill in their row when the answer comes; Emacs does not wait.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-doctor)
(require 'cj-gh)
(require 'cj-gh-doctor-emacs)
(require 'cj-gh-doctor-gh)

(declare-function cj/gate--mod-hosts "ext:cj-gate-module")

(defconst cj/gh-doctor-buffer-name "*cj-gh doctor*"
  "Name of the doctor's buffer.")

(defconst cj/gh-doctor--checks
  '(("Emacs" cj/gh-doctor--emacs)
    ("Module" cj/gh-doctor--module)
    ("gh" cj/gh-doctor--gh)
    ("gh version" cj/gh-doctor--gh-version module)
    ("gh catalog" cj/gh-doctor--gh-catalog module)
    ("Hosts" cj/gh-doctor--hosts module)
    ("Login" cj/gh-doctor--login module hosts)
    ("Limits" cj/gh-doctor--limits module hosts)
    ("Directory" cj/gh-doctor--directory module)
    ("Worktrees" cj/gh-doctor--worktrees)
    ("Environment" cj/gh-doctor--environment)
    ("Policy" cj/gh-doctor--policy module)
    ("Gate" cj/gh-doctor--gate module)
    ("Audit log" cj/gh-doctor--audit-log module)
    ("gptel" cj/gh-doctor--gptel)
    ("Eval-like tools" cj/gh-doctor--eval-tools))
  "The checks, in order: (NAME FUNCTION . NEEDS).
FUNCTION is called in the buffer that the doctor was called from, with a
function REPORT.  It calls REPORT once, now or later, with three arguments:
`pass', `warn', `fail' or `skip'; a string that says what was found; and a
string that says what to do, or nil.  A command quoted in the last, such as
`gh auth login', becomes a button.
NEEDS has `module' if the check needs the module and is skipped without one.  It
has `hosts' if the check is made for each known host; FUNCTION then gets the
plist of the host as a second argument.")

;;;; The buffer

(defun cj/gh-doctor--reporter (buffer row name)
  "Return the function with which the check NAME reports in BUFFER.
The lines of the check have ROW as the text property `cj/gh-doctor-row'.  A
later run of the doctor has other rows, so a late answer to this one changes
nothing."
  (lambda (grade found &optional advice)
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (let ((start (text-property-any (point-min) (point-max)
                                        'cj/gh-doctor-row row)))
          (when start
            (with-silent-modifications
              (save-excursion
                (goto-char start)
                (delete-region start (next-single-property-change
                                      start 'cj/gh-doctor-row nil (point-max)))
                (insert (propertize
                         (cj/gate-doctor-line name grade found advice)
                         'cj/gh-doctor-row row))
                (cj/gate-doctor-buttons start (point))))
            (cj/gate-doctor-sum-up)))))))

(defun cj/gh-doctor--no-module ()
  "Return why there is no module, a sentence, or nil."
  (condition-case err
      (progn (cj/gate-load-module) nil)
    (cj/gate-error (car (split-string (cj/gate-error-message err) "\n")))))

(defun cj/gh-doctor--rows ()
  "Return the rows of a report, a list of (NAME . FUNCTION).
FUNCTION has one argument, REPORT (see `cj/gh-doctor--checks')."
  (let ((missing (cj/gh-doctor--no-module)))
    (mapcan
     (pcase-lambda (`(,name ,function . ,needs))
       (cond
        ((and missing (memq 'module needs))
         (list (cons name (lambda (report)
                            (funcall report 'skip "not checked: there is no module")))))
        ((memq 'hosts needs)
         (mapcar (lambda (host)
                   (cons (format "%s %s" name (plist-get host :host))
                         (lambda (report) (funcall function report host))))
                 (ignore-errors (cj/gate--mod-hosts (cj/gate--settings "gh")))))
        (t (list (cons name function)))))
     cj/gh-doctor--checks)))

(defvar cj/gh-doctor-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-doctor-mode-map)
    map)
  "Keys of the doctor's buffer.")

(define-derived-mode cj/gh-doctor-mode cj/gate-doctor-mode "cj-gh doctor"
  "Mode of the doctor's buffer.
\\<cj/gh-doctor-mode-map>\
\\[revert-buffer] makes the report anew.
\\[cj/gate-doctor-step] takes the step at point, or the first step of the row.
\\[forward-button] goes to the next step.
\\[cj/gate-doctor-next-trouble] goes to the next row that fails or warns.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gh-doctor-again))))

(defvar-local cj/gh-doctor--handles nil
  "Handles of the reads that the checks of this report have under way.")

(defun cj/gh-doctor--under-way (handle)
  "Note HANDLE, of a read that a check of the report has under way."
  (push handle (buffer-local-value 'cj/gh-doctor--handles
                                   (get-buffer-create cj/gh-doctor-buffer-name))))

(defun cj/gh-doctor-again ()
  "Make the report anew, for the buffer that the doctor was called from.
If the directory of the doctor's buffer was changed, as with \\[cd], first give
that directory to the other buffer: the report is about its directory."
  (interactive nil cj/gh-doctor-mode)
  (let* ((doctor (get-buffer-create cj/gh-doctor-buffer-name))
         (origin (buffer-local-value 'cj/gate-doctor--origin doctor))
         (before (buffer-local-value 'cj/gate-doctor--directory doctor))
         (now (buffer-local-value 'default-directory doctor)))
    (with-current-buffer (if (buffer-live-p origin) origin (current-buffer))
      (when (and before (not (equal before now)))
        (setq default-directory now)
        (message "The directory of %s is %s now" (buffer-name)
                 (abbreviate-file-name now)))
      (cj/gh-doctor))))

(defun cj/gh-doctor--origin ()
  "Return the buffer that the doctor is called from.
If the doctor is called in its own buffer, return the buffer that it was called
from before."
  (let ((before (and (derived-mode-p 'cj/gh-doctor-mode) cj/gate-doctor--origin)))
    (if (buffer-live-p before) before (current-buffer))))

;;;###autoload
(defun cj/gh-doctor (&optional offer)
  "Check everything that the GitHub tools need, and show a report.
The checks change nothing, and Emacs does not wait for the programs that they
ask.  The first line of the report says how many checks fail, and which.  In the
buffer, \\<cj/gh-doctor-mode-map>\\[cj/gate-doctor-step] takes the step of a row, and \
\\[revert-buffer] makes the report anew.
If the native module is missing, a person who calls this command is first asked
whether to build the module; from Lisp, only with OFFER non-nil.
Return the buffer with the report."
  (interactive "p")
  (when offer
    (condition-case nil
        (cj/gate-load-module 'offer)
      (cj/gate-error nil)))
  (let* ((buffer (get-buffer-create cj/gh-doctor-buffer-name))
         (origin (cj/gh-doctor--origin))
         (directory (buffer-local-value 'default-directory origin))
         (rows (with-current-buffer origin (cj/gh-doctor--rows)))
         (waiting nil))
    (with-current-buffer buffer
      (mapc #'cj/gate-cancel cj/gh-doctor--handles)
      (cj/gh-doctor-mode)
      (setq cj/gate-doctor--origin origin
            cj/gate-doctor--directory directory
            default-directory directory
            cj/gh-doctor--handles nil)
      (cj/gate-doctor-set-width (mapcar #'car rows))
      (with-silent-modifications
        (erase-buffer)
        (pcase-dolist (`(,name . ,function) rows)
          (let ((row (list name)))
            (goto-char (point-max))
            (insert (propertize (cj/gate-doctor-asking name) 'cj/gh-doctor-row row))
            (push (cons function (cj/gh-doctor--reporter buffer row name))
                  waiting))))
      (cj/gate-doctor-sum-up)
      (goto-char (point-min)))
    ;; After all rows were inserted, since a check may report at once.
    (with-current-buffer origin
      (pcase-dolist (`(,function . ,report) (nreverse waiting))
        (condition-case err
            (funcall function report)
          (error (funcall report 'fail "could not be checked"
                          (cj/gate-error-message err))))))
    (with-current-buffer buffer (goto-char (point-min)))
    (unless noninteractive (pop-to-buffer buffer))
    buffer))

(provide 'cj-gh-doctor)

;;; cj-gh-doctor.el ends here
