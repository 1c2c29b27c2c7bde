;;; cj-gate-record.el --- Read the records of calls -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Every call leaves a record in the core, which redacts it; so do refused and
;; declined calls.  The commands here show the records to a person.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate)
(require 'cj-gate-table)

(declare-function cj/gate--mod-record "ext:cj-gate-module")
(declare-function cj/gate--mod-records "ext:cj-gate-module")

(defconst cj/gate-record-buffer-name "*cj-gate record*"
  "Name of the buffer that shows a record.")

(defvar-local cj/gate-record--records nil
  "The records that can be shown here, without their texts, newest first.")

(defvar-local cj/gate-record--index 0
  "Which of `cj/gate-record--records' is shown.")

(defun cj/gate-record-list (&optional count brief)
  "Return the last COUNT records, newest first; nil: all records in memory.
`cj/gate-records-kept' says how many there can be.  With BRIEF non-nil, :text
is empty: the texts of 200 records can be 13 MB.
Each record is a plist.  It has the keys of `cj/gate-plan-info' except :shown,
:digest, :complaints and the refusal.  It has :exit-code, :duration-ms,
:bytes-captured, :bytes-dropped, :truncated, :error-kind, :header and :text of
the outcome, as in `cj/gate-run'.  It also has:
 :time         when the call ended, an ISO 8601 string
 :argv-sha256  the SHA-256 of the exact argv, in hexadecimal: each argument
               stands after its length in bytes, as eight bytes, the lowest
               byte first
 :approved-by  `rule', `person' or `lease'; nil if nothing ran
All text in the plist is redacted."
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

;;;; Commands on a record

(declare-function cj/gh-audit-search "cj-gh-audit")

(defun cj/gate-record--sha256 (argv)
  "Return the :argv-sha256 that a record of ARGV, a list of strings, has."
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
  "Return non-nil if the call of RECORD, a plist, can be made again.
It must be a read, and RECORD must have its exact argv, with no part masked."
  (and (eq (plist-get record :class) 'read)
       (plist-get record :argv)
       (equal (plist-get record :argv-sha256)
              (cj/gate-record--sha256 (plist-get record :argv)))))

(defun cj/gate-record-retry (record)
  "Make the call of RECORD, a read, again through the gate; return the new job.
When the call has ended, its record is shown in place of RECORD.
Signal a `user-error' if the call is no read, or if RECORD masks a part of its
argv."
  (unless (cj/gate-record-repeatable-p record)
    (user-error "Only a read can be made again, and only if its record masks no argument"))
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

(defun cj/gate-record--here ()
  "Return the record of the current buffer, a plist.
Signal a `user-error' if it shows none."
  (let ((head (nth cj/gate-record--index cj/gate-record--records)))
    (unless (and (derived-mode-p 'cj/gate-record-mode) head)
      (user-error "There is no record here"))
    (or (cj/gate--mod-record (plist-get head :call)) head)))

(defun cj/gate-record-copy ()
  "Put a line that repeats this call in a terminal on the `kill-ring'."
  (interactive nil cj/gate-record-mode)
  (let ((line (plist-get (cj/gate-record--here) :reproduce)))
    (when (string-empty-p line)
      (user-error "Nothing of this call can be repeated in a terminal"))
    (kill-new line)
    (message "Copied; fill in each value that was masked")))

(defun cj/gate-record-log ()
  "Show the lines that this call left in the audit log."
  (interactive nil cj/gate-record-mode)
  (cj/gh-audit-search (format " call=%d pid=%d "
                              (plist-get (cj/gate-record--here) :call) (emacs-pid))))

(defun cj/gate-record-retry-here ()
  "Make the call of this record, a read, again through the gate."
  (interactive nil cj/gate-record-mode)
  (cj/gate-record-retry (cj/gate-record--here))
  (message "Asked again; the result is shown here when it has come"))

(defun cj/gate-record--buttons (record)
  "Insert buttons for the commands on RECORD, a plist."
  (insert "\n")
  (unless (string-empty-p (plist-get record :reproduce))
    (cj/gate-view-button "Copy the line to reproduce" "For a terminal"
                         #'cj/gate-record-copy)
    (insert "  "))
  (cj/gate-view-button "Open the log" "The line of this call in the audit log"
                       #'cj/gate-record-log)
  (when (cj/gate-record-repeatable-p record)
    (insert "  ")
    (cj/gate-view-button "Retry this read" "Make the same call again, through the gate"
                         #'cj/gate-record-retry-here))
  (insert "\n"))

(defvar cj/gate-record-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "p") #'cj/gate-record-earlier)
    (define-key map (kbd "n") #'cj/gate-record-later)
    (define-key map (kbd "l") #'cj/gate-records)
    (define-key map (kbd "c") #'cj/gate-record-copy)
    (define-key map (kbd "f") #'cj/gate-record-log)
    (define-key map (kbd "r") #'cj/gate-record-retry-here)
    map)
  "Keys of the record buffer.")

(define-derived-mode cj/gate-record-mode cj/gate-view-mode "cj-gate record"
  "Mode of the buffer that shows the record of one call.
\\<cj/gate-record-mode-map>\
\\[cj/gate-record-earlier] and \\[cj/gate-record-later] show the record before and after this one.
\\[cj/gate-records] lists all records.
\\[cj/gate-record-copy] copies a line that repeats the call in a terminal.
\\[cj/gate-record-log] shows the lines of the call in the audit log.
\\[cj/gate-record-retry-here] makes the call again, if it is a read.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gate-record--fill))))

(defun cj/gate-record--head (record)
  "Return the header line for RECORD, a plist: command, class, end and target."
  (concat " " (propertize (string-trim (format "%s %s" (plist-get record :program)
                                               (plist-get record :command)))
                          'face 'cj/gate-command)
          "  " (cj/gate-faces-class (plist-get record :class))
          "  " (cj/gate-faces-end (plist-get record :error-kind)
                                  (plist-get record :exit-code))
          (if (plist-get record :host) (concat "  " (cj/gate--target record)) "")))

(defconst cj/gate-record--coloured
  '(("Classification" . :class) ("Error kind" . :error-kind) ("Exit code" . :exit-code))
  "Labels of rows whose values have a face, and the keys that choose the face.")

(defun cj/gate-record--decorate (record)
  "Put faces and sections on the text of RECORD, a plist, in the current buffer."
  (save-excursion
    (goto-char (point-min))
    (while (looking-at "\\([^:\n]+\\): \\(.*\\)\n")
      (let ((label (match-string 1)))
        (add-text-properties (match-beginning 1) (1+ (match-end 1))
                             (list 'face 'cj/gate-label))
        (put-text-property (point) (match-end 0) 'wrap-prefix
                           (make-string (+ 2 (length label)) ?\s))
        (pcase (cdr (assoc label cj/gate-record--coloured))
          (:class (put-text-property
                   (match-beginning 2) (match-end 2) 'face
                   (get-text-property 0 'face (cj/gate-faces-class
                                               (plist-get record :class)))))
          ((and key (guard (and key (plist-get record key))))
           (put-text-property
            (match-beginning 2) (match-end 2) 'face
            (get-text-property 0 'face (cj/gate-faces-end
                                        (and (eq key :error-kind) (plist-get record key))
                                        (plist-get record :exit-code)))))))
      (forward-line))
    (put-text-property (point-min) (1+ (point-min)) 'cj/gate-section "Call")
    ;; The first line "Reproduce:" or "Result:" is the heading; the text of the
    ;; result may have such a line too.
    (dolist (name '("Reproduce" "Result"))
      (when (re-search-forward (format "^%s:$" name) nil t)
        (add-text-properties (match-beginning 0) (match-end 0)
                             (list 'face 'cj/gate-heading 'cj/gate-section name))))
    (when (and (eq (plist-get record :class) 'read)
               (string-match-p "\\`pr diff\\'" (plist-get record :command)))
      (cj/gate-faces-diff (point) (point-max)))))

(defun cj/gate-record--fill ()
  "Fill the current buffer with the record at `cj/gate-record--index'."
  (let* ((inhibit-read-only t)
         (head (nth cj/gate-record--index cj/gate-record--records))
         (record (or (cj/gate--mod-record (plist-get head :call)) head)))
    (erase-buffer)
    (insert (cj/gate-record-text record))
    (cj/gate-record--decorate record)
    (setq header-line-format (string-replace "%" "%%" (cj/gate-record--head record)))
    (cj/gate-record--buttons record)
    (insert (format "\nCall %d of %d kept; p earlier, n later, l all, ? more keys, q away.\n"
                    (- (length cj/gate-record--records) cj/gate-record--index)
                    (length cj/gate-record--records)))
    (restore-buffer-modified-p nil)
    (goto-char (point-min))))

(defun cj/gate-record--move (step)
  "Show the record that is STEP records older than this one."
  (let ((index (+ cj/gate-record--index step)))
    (unless (< -1 index (length cj/gate-record--records))
      (user-error "No further record"))
    (setq cj/gate-record--index index)
    (cj/gate-record--fill)))

(defun cj/gate-record-earlier ()
  "Show the record of the call before this one."
  (interactive nil cj/gate-record-mode)
  (cj/gate-record--move 1))

(defun cj/gate-record-later ()
  "Show the record of the call after this one."
  (interactive nil cj/gate-record-mode)
  (cj/gate-record--move -1))

;;;###autoload
(defun cj/gh-tool-last-error (&optional any)
  "Show the record of the last call that failed.
With a prefix argument, or ANY non-nil from Lisp, show the record of the last
call, whether it failed or not.
In the buffer, p and n show the records of earlier and later calls, and l lists
all records in memory."
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
    (cj/gate-record--fill))
  (cj/gate-view-show cj/gate-record-buffer-name))

(defun cj/gate-record-show-call (call)
  "Show the record of CALL, a number, and return its buffer.
Signal a `user-error' if the record is no longer in memory."
  (let* ((records (cj/gate-record-list nil t))
         (index (cl-position call records
                             :key (lambda (record) (plist-get record :call)))))
    (unless index
      (user-error "This record is no longer kept; `cj/gate-records-kept' says how many are"))
    (cj/gate-record--show records index)))

;;;; The list

(defun cj/gate-record--rows (records)
  "Return RECORDS, plists, as rows of the list."
  (let ((clock (cj/gate-table-clock (mapcar (lambda (record) (plist-get record :time))
                                            records)))
        (place (cj/gate-table-place (mapcar (lambda (record) (plist-get record :host))
                                            records))))
    (mapcar
     (lambda (record)
       (let ((by (format "%s" (or (plist-get record :approved-by) ""))))
         (list record
               (vector (format "%s" (or (plist-get record :call) ""))
                       (funcall clock (plist-get record :time))
                       (cj/gate-faces-class (plist-get record :class))
                       (cj/gate-faces-end (plist-get record :error-kind)
                                          (plist-get record :exit-code))
                       (if (member by '("person" "lease")) (propertize by 'face 'bold) by)
                       (propertize (if (plist-get record :exit-code)
                                       (cj/gate-table-took (plist-get record :duration-ms))
                                     "")
                                   'face 'cj/gate-quiet)
                       (funcall place (plist-get record :host)
                                (cj/gate--owner-and-repo record))
                       (propertize
                        (replace-regexp-in-string
                         "[[:cntrl:]\u2028\u2029]+" " "
                         (if (plist-get record :argv)
                             (string-join (plist-get record :argv) " ")
                           (or (plist-get record :command) "")))
                        'face 'cj/gate-command)))))
     records)))

(defconst cj/gate-record--columns
  (list (list "Call" 5 nil (cj/gate-table-by-number :call) :right-align t)
        (list "Time" 14 nil #'cj/gate-table-by-time)
        (list "Class" 11 nil t)
        (list "End" 20 12 t)
        (list "By" 6 nil t)
        (list "Took" 7 0 (cj/gate-table-by-number :duration-ms) :right-align t)
        (list "Where" 40 16 t)
        (list "Command" nil nil t))
  "Columns of the list of records, for `cj/gate-table-fill'.")

(defvar cj/gate-records-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "RET") #'cj/gate-records-visit)
    map)
  "Keys of the list of records.")

(define-derived-mode cj/gate-records-mode cj/gate-table-mode "Records"
  "Mode of the list of records, the newest first.
\\<cj/gate-records-mode-map>\
\\[cj/gate-records-visit] shows the record of the call at point.
\\[tabulated-list-sort] sorts by the column at point.
\\[revert-buffer] updates the list.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gate-records--fill))))

(defun cj/gate-records--fill ()
  "Fill the list with the records in memory."
  (let* ((records (cj/gate-record-list nil t))
         (day (cj/gate-table-day (mapcar (lambda (record) (plist-get record :time))
                                         records))))
    (setq mode-line-process (concat " " (cj/gate-view-count (length records) "call")
                                    (if day (concat ", " day) "")))
    (cj/gate-table-fill cj/gate-record--columns (cj/gate-record--rows records)
                        #'cj/gate-records--nothing)))

(defun cj/gate-records--nothing ()
  "Insert that there is no record, and a button to search the audit log."
  (insert "No call has been made in this Emacs.\n")
  (cj/gate-view-command "The audit log" 'cj/gh-audit-search)
  (insert " has the calls of earlier ones.\n"))

(defun cj/gate-records-visit ()
  "Show the record of the row at point."
  (interactive nil cj/gate-records-mode)
  (let ((record (or (tabulated-list-get-id) (user-error "There is no row here"))))
    (cj/gate-record-show-call (plist-get record :call))))

;;;###autoload
(defun cj/gate-records ()
  "List all records in memory, the newest first; return the buffer.
In the list, \\<cj/gate-records-mode-map>\\[tabulated-list-sort] sorts by the column at point.
\\[cj/gate-records-visit] shows the record at point."
  (interactive)
  (cj/gate-load-module 'offer)
  (let ((buffer (get-buffer-create "*cj-gate records*")))
    (with-current-buffer buffer
      (cj/gate-records-mode)
      (cj/gate-records--fill)
      (goto-char (point-min)))
    (cj/gate-view-show buffer)))

(provide 'cj-gate-record)

;;; cj-gate-record.el ends here
