;;; cj-gate-record.el --- Look at what calls came to -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Every call leaves a record in the core, redacted there; the refused and the
;; declined ones too.  Here a person reads them.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'tabulated-list)
(require 'cj-gate)

(declare-function cj/gate--mod-record "ext:cj-gate-module")
(declare-function cj/gate--mod-records "ext:cj-gate-module")

(defconst cj/gate-record-buffer-name "*cj-gate record*"
  "Name of the buffer that shows a record.")

(defvar-local cj/gate-record--records nil
  "The records that can be shown here, without their texts, newest first.")

(defvar-local cj/gate-record--index 0
  "Which of `cj/gate-record--records' is shown.")

(defun cj/gate-record-list (&optional count brief)
  "Return the last COUNT records, newest first; nil: all that are kept.
How many those are says `cj/gate-records-kept'.  With BRIEF non-nil, :text
is empty: the texts of 200 records can be 13 MB.
Each is a plist with the keys of `cj/gate-plan-info', but :shown, :digest,
:complaints and the refusal; with :exit-code :duration-ms :bytes-captured
:bytes-dropped :truncated :error-kind :header :text of the outcome, as in
`cj/gate-run'; and with :time (an ISO 8601 string), :argv-sha256 (of the
exact argv, each argument after its length in bytes as eight bytes, the
lowest first; in hexadecimal) and :approved-by (`rule', `person' or `lease';
nil where nothing ran).  All text in it is redacted."
  (cj/gate-load-module)
  (cj/gate--mod-records (or count most-positive-fixnum) brief))

(defun cj/gate-record-text (record)
  "Return RECORD, a plist, as lines for a person to read."
  (let* ((get (lambda (key) (plist-get record key)))
         (row (lambda (label value)
                (format "%s: %s\n" label (or value "none"))))
         (yes-no (lambda (value) (if value "yes" "no"))))
    (concat
     (funcall row "Call" (format "%s at %s" (funcall get :call) (funcall get :time)))
     (funcall row "Host" (funcall get :host))
     (funcall row "Repo" (cj/gate--owner-and-repo record))
     (funcall row "Account" (funcall get :account))
     (funcall row "Source" (funcall get :source))
     (funcall row "CWD" (and (not (string-empty-p (funcall get :cwd)))
                             (abbreviate-file-name (funcall get :cwd))))
     (funcall row "Command" (and (not (string-empty-p (funcall get :command)))
                                 (format "%s %s" (funcall get :program)
                                         (funcall get :command))))
     (funcall row "Argv" (and (funcall get :argv)
                              (let ((print-escape-newlines t)
                                    (print-escape-control-characters t))
                                (prin1-to-string (funcall get :argv)))))
     (funcall row "Argv sha256" (funcall get :argv-sha256))
     (funcall row "Classification" (funcall get :class))
     (funcall row "Reason" (funcall get :reason))
     (funcall row "Policy" (funcall get :policy))
     (funcall row "Approved by" (funcall get :approved-by))
     (funcall row "Exit code" (funcall get :exit-code))
     (funcall row "Duration" (format "%s ms" (funcall get :duration-ms)))
     (funcall row "Bytes captured" (funcall get :bytes-captured))
     (funcall row "Bytes dropped" (funcall get :bytes-dropped))
     (funcall row "Truncated" (funcall yes-no (funcall get :truncated)))
     (funcall row "Error kind" (funcall get :error-kind))
     (unless (string-empty-p (funcall get :reproduce))
       (format "\nReproduce:\n  %s\n" (funcall get :reproduce)))
     (format "\nResult:\n%s\n%s\n" (funcall get :header) (funcall get :text)))))

;;;; What can be done with a record

(declare-function cj/gh-audit-search "cj-gh-audit")

(defun cj/gate-record--sha256 (argv)
  "Return the sum of ARGV, strings, that a record has as :argv-sha256."
  (secure-hash
   'sha256
   (mapconcat (lambda (word)
                (let* ((bytes (encode-coding-string word 'utf-8-emacs))
                       (length (length bytes)))
                  (concat (apply #'unibyte-string
                                 (cl-loop for shift from 0 to 56 by 8
                                          collect (logand 255 (ash length (- shift)))))
                          bytes)))
              argv "")))

(defun cj/gate-record-repeatable-p (record)
  "Return non-nil if the call of RECORD, a plist, can be made again from it.
It must be a read, and its argv be there as it was, nothing masked."
  (and (eq (plist-get record :class) 'read)
       (plist-get record :argv)
       (equal (plist-get record :argv-sha256)
              (cj/gate-record--sha256 (plist-get record :argv)))))

(defun cj/gate-record-retry (record)
  "Make the call of RECORD, a read, again through the gate; return its job.
Its result is shown in place of the record when it is there.
Signal a `user-error' for what is no read, or was masked in the record."
  (unless (cj/gate-record-repeatable-p record)
    (user-error "Only a read whose arguments stand in the record whole is made again"))
  (let ((repo (plist-get record :repo))
        (buffer (current-buffer)))
    (cj/gate-submit
     (plist-get record :program) (plist-get record :argv)
     (lambda (_result)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (when (derived-mode-p 'cj/gate-record-mode)
             (setq cj/gate-record--records (cj/gate-record-list nil t)
                   cj/gate-record--index 0)
             (cj/gate-record--fill)))))
     :cwd (plist-get record :cwd)
     :hostname (and (not repo) (plist-get record :host))
     :repo (and repo (cj/gate--target record)))))

(defun cj/gate-record--button (label help function)
  "Insert a button LABEL with HELP, to call FUNCTION."
  (insert-text-button label 'help-echo help 'follow-link t
                      'action (lambda (_) (funcall function)))
  (insert "  "))

(defun cj/gate-record--buttons (record)
  "Insert what can be done with RECORD, a plist, as buttons."
  (insert "\n")
  (unless (string-empty-p (plist-get record :reproduce))
    (cj/gate-record--button
     "Copy the line to reproduce" "For a terminal"
     (lambda ()
       (kill-new (plist-get record :reproduce))
       (message "Copied; a value that was masked is to be filled in"))))
  (cj/gate-record--button
   "Open the log" "The line of this call in the audit log"
   (lambda ()
     (cj/gh-audit-search (format " call=%d pid=%d " (plist-get record :call)
                                 (emacs-pid)))))
  (when (cj/gate-record-repeatable-p record)
    (cj/gate-record--button
     "Retry this read" "Make the same call again, through the gate"
     (lambda () (cj/gate-record-retry record))))
  (insert "\n"))

(defvar cj/gate-record-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "p") #'cj/gate-record-earlier)
    (define-key map (kbd "n") #'cj/gate-record-later)
    (define-key map (kbd "l") #'cj/gate-records)
    (define-key map (kbd "TAB") #'forward-button)
    map)
  "Keys of the record buffer.")

(define-derived-mode cj/gate-record-mode special-mode "cj-gate record"
  "Mode of the buffer that shows the record of one call.")

(defun cj/gate-record--fill ()
  "Show the record that the current buffer is at."
  (let* ((inhibit-read-only t)
         (head (nth cj/gate-record--index cj/gate-record--records))
         (record (or (cj/gate--mod-record (plist-get head :call)) head)))
    (erase-buffer)
    (insert (cj/gate-record-text record))
    (cj/gate-record--buttons record)
    (insert (format "\nCall %d of %d kept; p earlier, n later, l all, q away.\n"
                    (- (length cj/gate-record--records) cj/gate-record--index)
                    (length cj/gate-record--records)))
    (goto-char (point-min))))

(defun cj/gate-record--move (step)
  "Show the record STEP places further back."
  (let ((index (+ cj/gate-record--index step)))
    (unless (< -1 index (length cj/gate-record--records))
      (user-error "No further record"))
    (setq cj/gate-record--index index)
    (cj/gate-record--fill)))

(defun cj/gate-record-earlier ()
  "Show the record before this one."
  (interactive nil cj/gate-record-mode)
  (cj/gate-record--move 1))

(defun cj/gate-record-later ()
  "Show the record after this one."
  (interactive nil cj/gate-record-mode)
  (cj/gate-record--move -1))

;;;###autoload
(defun cj/gh-tool-last-error (&optional any)
  "Show the record of the last call that failed; with prefix ANY, of the last.
In the buffer, p and n go to the calls before and after it, and l lists all
that are kept."
  (interactive "P")
  (cj/gate-load-module 'offer)
  (let* ((records (cj/gate-record-list nil t))
         (index (if any 0
                  (cl-position-if (lambda (record)
                                    (plist-get record :error-kind))
                                  records))))
    (cond
     ((null records) (user-error "No call has been made"))
     ((null index)
      (user-error "No call has failed; C-u %s shows the last one"
                  (substitute-command-keys "\\[cj/gh-tool-last-error]"))))
    (cj/gate-record--show records index)))

(defun cj/gate-record--show (records index)
  "Show the record at INDEX of RECORDS, and return its buffer."
  (with-current-buffer (get-buffer-create cj/gate-record-buffer-name)
    (cj/gate-record-mode)
    (setq cj/gate-record--records records
          cj/gate-record--index index)
    (cj/gate-record--fill)
    (display-buffer (current-buffer))
    (current-buffer)))

;;;; The list

(defun cj/gate-record--by-number (key)
  "Return a sorter of rows by the number under KEY of their records."
  (lambda (a b)
    (< (or (plist-get (car a) key) 0) (or (plist-get (car b) key) 0))))

(defun cj/gate-record--row (record)
  "Return RECORD, a plist, as a row of the list."
  (let ((text (lambda (value) (if value (format "%s" value) ""))))
    (list record
          (vector (funcall text (plist-get record :call))
                  (plist-get record :time)
                  (funcall text (plist-get record :class))
                  (funcall text (plist-get record :approved-by))
                  (funcall text (or (plist-get record :error-kind)
                                    (and (plist-get record :exit-code)
                                         (format "exit %d" (plist-get record :exit-code)))))
                  (funcall text (plist-get record :duration-ms))
                  (funcall text (plist-get record :bytes-captured))
                  (if (plist-get record :host) (cj/gate--target record) "-")
                  (plist-get record :command)))))

(defvar cj/gate-records-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'cj/gate-records-visit)
    map)
  "Keys of the list of records.")

(define-derived-mode cj/gate-records-mode tabulated-list-mode "Records"
  "Mode of the list of records, the newest first."
  (setq tabulated-list-format
        (vector (list "Call" 6 (cj/gate-record--by-number :call) :right-align t)
                '("Time" 24 t) '("Class" 11 t) '("By" 6 t) '("End" 20 t)
                (list "ms" 7 (cj/gate-record--by-number :duration-ms) :right-align t)
                (list "Bytes" 8 (cj/gate-record--by-number :bytes-captured)
                      :right-align t)
                '("Where" 34 t) '("Command" 0 t))
        tabulated-list-padding 1
        tabulated-list-entries (lambda ()
                                 (mapcar #'cj/gate-record--row
                                         (cj/gate-record-list nil t))))
  (tabulated-list-init-header))

(defun cj/gate-records-visit ()
  "Show the record of the row at point."
  (interactive nil cj/gate-records-mode)
  (let* ((record (or (tabulated-list-get-id) (user-error "There is no row here")))
         (records (cj/gate-record-list nil t))
         (index (cl-position (plist-get record :call) records
                             :key (lambda (other) (plist-get other :call)))))
    (unless index
      (user-error "This record is no longer kept"))
    (cj/gate-record--show records index)))

;;;###autoload
(defun cj/gate-records ()
  "List all records in memory, the newest first.
S sorts by a column, RET shows a record.  Return the buffer."
  (interactive)
  (cj/gate-load-module 'offer)
  (let ((buffer (get-buffer-create "*cj-gate records*")))
    (with-current-buffer buffer
      (cj/gate-records-mode)
      (tabulated-list-print)
      (goto-char (point-min)))
    (display-buffer buffer)
    buffer))

(provide 'cj-gate-record)

;;; cj-gate-record.el ends here
