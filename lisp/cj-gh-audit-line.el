;;; cj-gh-audit-line.el --- One line of the audit log, decoded -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A line of the log is written for programs: some thirty percent-encoded words
;; in a row.  This buffer shows the line to a person, with a row for each field
;; and a line for each argument; a button goes to the line in its file.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate)
(require 'cj-gate-audit)
(require 'cj-gh-audit)
(require 'cj-gate-view)

(declare-function cj/gate-record-show-call "cj-gate-record")

(defconst cj/gh-audit-line-buffer-name "*cj-gh audit line*"
  "Name of the buffer that shows one line of the audit log.")

(defvar-local cj/gh-audit-line--row nil
  "The line that is shown here, a plist.")

(defvar-local cj/gh-audit-line--table nil
  "The buffer of the table in which the line was chosen.")

(defun cj/gh-audit-line-file (file line)
  "Go to LINE, a number, of FILE, the name of a file of the audit log."
  (let ((name (expand-file-name file (cj/gate-audit-directory))))
    (unless (file-readable-p name)
      (user-error "The file %s of the audit log is not there any more" file))
    (pop-to-buffer (find-file-noselect name))
    (setq buffer-read-only t)
    (widen)
    (goto-char (point-min))
    (forward-line (1- (max line 1)))))

;;;; The fields of a line

(defconst cj/gh-audit-line--events
  '(("start" . "the call is about to run; its end has a line of its own")
    ("lease-given" . "a lease was given")
    ("lease-ended" . "a lease ended")
    ("lease-revoked" . "a person ended a lease"))
  "Words for the events in the log, by their names.")

(defun cj/gh-audit-line--call (row)
  "Return the fields about the call in ROW, a plist: a list of (LABEL . VALUE)."
  (let ((get (lambda (key) (plist-get row key)))
        (bytes (cj/gh-audit--number (plist-get row :bytes))))
    (list (cons "Time" (funcall get :time))
          (cons "Event" (let ((event (funcall get :event)))
                          (and event
                               (concat event
                                       (let ((words (cdr (assoc event cj/gh-audit-line--events))))
                                         (if words (concat ": " words) ""))))))
          (cons "Command" (and (funcall get :command)
                               (propertize (string-join
                                            (delq nil (list (funcall get :program)
                                                            (funcall get :command)))
                                            " ")
                                           'face 'cj/gate-command)))
          (cons "Class" (and (funcall get :class)
                             (cj/gate-faces-class (funcall get :class))))
          (cons "Host" (funcall get :host))
          (cons "Repository" (funcall get :repo))
          (cons "Account" (funcall get :account))
          (cons "Policy" (funcall get :policy))
          (cons "Approved by" (or (funcall get :approved-by)
                                  (and (funcall get :error) "nobody")))
          (cons "End" (and (not (funcall get :event)) (cj/gh-audit-end row)))
          (cons "Exit code" (funcall get :exit))
          (cons "Error kind" (funcall get :error))
          (cons "Took" (and (not (funcall get :event))
                            (let ((took (cj/gh-audit-took row)))
                              (and (not (string-empty-p took)) took))))
          (cons "Output" (and (funcall get :exit)
                              (concat (cj/gate-view-count bytes "byte")
                                      (let ((dropped (cj/gh-audit--number (funcall get :dropped))))
                                        (if (> dropped 0)
                                            (format ", %s more dropped"
                                                    (cj/gate-view-count dropped "byte"))
                                          ""))
                                      (if (funcall get :truncated) ", cut" ""))))
          (cons "Lease" (funcall get :lease))
          (cons "Why" (funcall get :why))
          (cons "Minutes" (funcall get :minutes))
          (cons "Uses" (funcall get :uses)))))

(defun cj/gh-audit-line--place (row)
  "Return the fields about the place of ROW, a plist, in the log.
The value is a list of (LABEL . VALUE)."
  (list (cons "Call" (and (plist-get row :call)
                          (format "%s of the Emacs with process %s"
                                  (plist-get row :call) (or (plist-get row :pid) "?"))))
        (cons "Process" (and (not (plist-get row :call)) (plist-get row :pid)))
        (cons "Argv sha256" (plist-get row :argv-sha256))
        (cons "Writer" (and (plist-get row :w)
                            (format "%s, its line %s" (plist-get row :w)
                                    (or (plist-get row :n) "?"))))
        (cons "Chain" (plist-get row :h))))

(defun cj/gh-audit-line--insert-fields (fields)
  "Insert FIELDS, a list of (LABEL . VALUE), except those without a value."
  (pcase-dolist (`(,label . ,value) fields)
    (when value
      (insert (cj/gate-view-row label value)))))

(defun cj/gh-audit-line--kept-p (row)
  "Return non-nil if this Emacs may have the record of the call in ROW.
It may if this Emacs made the call."
  (and (plist-get row :call)
       (equal (plist-get row :pid) (number-to-string (emacs-pid)))))

(defun cj/gh-audit-line--fill ()
  "Fill the current buffer with its line."
  (let ((inhibit-read-only t)
        (row cj/gh-audit-line--row))
    (erase-buffer)
    (insert (cj/gate-view-heading (if (plist-get row :call) "Call" "Line")))
    (cj/gh-audit-line--insert-fields (cj/gh-audit-line--call row))
    (when (plist-get row :text)
      (insert "cj-gate did not write this line:\n" (plist-get row :text) "\n"))
    (when (plist-get row :words)
      (insert "\n" (cj/gate-view-heading "Arguments, one a line"))
      (dolist (word (plist-get row :words))
        (insert (propertize (concat "  " (if (string-empty-p word) "(empty)" word) "\n")
                            'wrap-prefix "    "))))
    (insert "\n" (cj/gate-view-heading "In the log"))
    (cj/gh-audit-line--insert-fields (cj/gh-audit-line--place row))
    (insert (propertize (string-pad "Line" 12) 'face 'cj/gate-label) " ")
    (cj/gate-view-button (format "%s:%d" (plist-get row :file) (plist-get row :line))
                         "Go to the line as it stands in its file"
                         #'cj/gh-audit-line-visit-file)
    (insert "\n")
    (when (cj/gh-audit-line--kept-p row)
      (insert (propertize (string-pad "Result" 12) 'face 'cj/gate-label) " ")
      (cj/gate-view-button "The record, with the answer to the model" "The record of this call"
                           #'cj/gh-audit-line-record)
      (insert "\n"))
    (restore-buffer-modified-p nil)
    (goto-char (point-min))))

;;;; The buffer

(defvar cj/gh-audit-line-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "n") #'cj/gh-audit-line-next)
    (define-key map (kbd "p") #'cj/gh-audit-line-previous)
    (define-key map (kbd "f") #'cj/gh-audit-line-visit-file)
    (define-key map (kbd "r") #'cj/gh-audit-line-record)
    map)
  "Keys of the buffer that shows a line of the audit log.")

(define-derived-mode cj/gh-audit-line-mode cj/gate-view-mode "Audit line"
  "Mode of the buffer that shows one line of the audit log, decoded.
\\<cj/gh-audit-line-mode-map>\
\\[cj/gh-audit-line-visit-file] goes to the line in its file.
\\[cj/gh-audit-line-record] shows the record of the call.
\\[cj/gh-audit-line-next] and \\[cj/gh-audit-line-previous] show the next and the previous row of the table.
\\[forward-button] goes to the next button.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gh-audit-line--fill))))

(defun cj/gh-audit-line (row table)
  "Show the line in ROW, a plist, which was chosen in the buffer TABLE.
Return the buffer that shows the line."
  (let ((buffer (get-buffer-create cj/gh-audit-line-buffer-name)))
    (with-current-buffer buffer
      (cj/gh-audit-line-mode)
      (setq cj/gh-audit-line--row row
            cj/gh-audit-line--table table)
      (cj/gh-audit-line--fill))
    (cj/gate-view-show buffer)))

(defun cj/gh-audit-line-visit-file ()
  "Go to the line that is shown here, in its file."
  (interactive nil cj/gh-audit-line-mode)
  (cj/gh-audit-line-file (plist-get cj/gh-audit-line--row :file)
                         (plist-get cj/gh-audit-line--row :line)))

(defun cj/gh-audit-line-record ()
  "Show the record of the call of this line.
The record has the text of the result as the model got it, which the log lacks;
neither has the program's whole output.  Only the Emacs that made the call has
the record, and only while the record is in memory (`cj/gate-records-kept')."
  (interactive nil cj/gh-audit-line-mode)
  (unless (cj/gh-audit-line--kept-p cj/gh-audit-line--row)
    (user-error "Another Emacs made this call; this one has no record of it"))
  (require 'cj-gate-record)
  (cj/gate-record-show-call
   (cj/gh-audit--number (plist-get cj/gh-audit-line--row :call))))

(defun cj/gh-audit-line-next (&optional count)
  "Show the row of the table that is COUNT rows below this one; 1 by default."
  (interactive "p" cj/gh-audit-line-mode)
  (unless (buffer-live-p cj/gh-audit-line--table)
    (user-error "The table is gone; M-x cj/gh-audit-search makes a new one"))
  (let* ((here cj/gh-audit-line--row)
         (there
          (with-current-buffer cj/gh-audit-line--table
            (goto-char (point-min))
            (while (not (or (eobp) (equal (tabulated-list-get-id) here)))
              (forward-line))
            (when (eobp)
              (user-error "This line is no longer in the table"))
            (unless (and (zerop (forward-line (or count 1)))
                         (tabulated-list-get-id))
              (forward-line (- (or count 1)))
              (user-error "No further row; the table has a page of older and of newer lines"))
            (dolist (window (get-buffer-window-list nil nil t))
              (set-window-point window (point)))
            (tabulated-list-get-id))))
    (setq cj/gh-audit-line--row there)
    (cj/gh-audit-line--fill)))

(defun cj/gh-audit-line-previous (&optional count)
  "Show the row of the table that is COUNT rows above this one; 1 by default."
  (interactive "p" cj/gh-audit-line-mode)
  (cj/gh-audit-line-next (- (or count 1))))

(provide 'cj-gh-audit-line)

;;; cj-gh-audit-line.el ends here
