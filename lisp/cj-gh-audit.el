;;; cj-gh-audit.el --- Search the audit log and check its chains -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; What did the agent do, when, and who let it?  The core reads the log on a
;; worker and gives back one page; a long log keeps nobody waiting.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'tabulated-list)
(require 'cj-gate)
(require 'cj-gate-audit)

(declare-function cj/gate--mod-audit-ask "ext:cj-gate-module")

(defcustom cj/gh-audit-page 100
  "How many lines of the audit log one page of a table shows; default 100."
  :type 'natnum
  :group 'cj-gate)

(defun cj/gh-audit--ask (question options callback)
  "Ask the core QUESTION, a symbol, about the log; call CALLBACK with a plist.
OPTIONS is a plist, as the door wants it.  Return a handle for
`cj/gate-cancel'."
  (cj/gate-load-module)
  (let ((inhibit-quit t))
    (cj/gate--await
     (cj/gate--mod-audit-ask
      question (append options (list :folder (cj/gate-audit-directory-bytes))))
     callback)))

;;;; Tables

(defvar-local cj/gh-audit--question nil
  "What is asked here: a symbol and a plist of options.")

(defvar-local cj/gh-audit--skip 0
  "How many newer matches stand before this page.")

(defvar-local cj/gh-audit--answer nil
  "What the core answered last, a plist.")

(defvar-local cj/gh-audit--handle nil
  "Handle of the question that is under way.")

(defun cj/gh-audit--number (key)
  "Return a sorter of table rows by the number under KEY of their plists."
  (lambda (a b)
    (let ((value (lambda (entry)
                   (let ((value (plist-get (car entry) key)))
                     (if (stringp value) (string-to-number value) (or value 0))))))
      (< (funcall value a) (funcall value b)))))

(defun cj/gh-audit--cell (row key &optional face)
  "Return the text of ROW, a plist, under KEY, in FACE; empty for none."
  (let* ((value (plist-get row key))
         (text (cond ((null value) "") ((stringp value) value)
                     (t (format "%s" value)))))
    (if face (propertize text 'face face) text)))

(defun cj/gh-audit--end (row)
  "Return in one word how the call of ROW, a plist, ended."
  (cond ((plist-get row :event) (format "(%s)" (plist-get row :event)))
        ((plist-get row :error))
        ((plist-get row :exit) (format "exit %s" (plist-get row :exit)))
        (t "")))

(defun cj/gh-audit--entry (row)
  "Return ROW, a plist, as an entry of the table."
  (let ((changes (and (plist-get row :approved-by)
                      (not (equal (plist-get row :class) "read")))))
    (list row
          (vector (cj/gh-audit--cell row :time)
                  (cj/gh-audit--cell row :class (and changes 'bold))
                  (cj/gh-audit--cell row :approved-by (and changes 'bold))
                  (cj/gh-audit--end row)
                  (cj/gh-audit--cell row :duration)
                  (cj/gh-audit--cell row :host)
                  (cj/gh-audit--cell row :repo)
                  (or (plist-get row :argv) (plist-get row :text) "")))))

(defvar cj/gh-audit-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'cj/gh-audit-visit)
    (define-key map (kbd "]") #'cj/gh-audit-older)
    (define-key map (kbd "[") #'cj/gh-audit-newer)
    map)
  "Keys of a table of lines of the audit log.")

(define-derived-mode cj/gh-audit-mode tabulated-list-mode "Audit"
  "Mode of a table of lines of the audit log, the newest first."
  (setq tabulated-list-format
        (vector '("Time" 24 t) '("Class" 11 t) '("By" 6 t) '("End" 14 t)
                (list "Took" 8 (cj/gh-audit--number :duration) :right-align t)
                '("Host" 18 t) '("Repository" 24 t) '("Arguments" 0 t))
        tabulated-list-padding 1)
  (setq-local revert-buffer-function #'cj/gh-audit--revert)
  (tabulated-list-init-header))

(defvar cj/gh-audit-hosts-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'cj/gh-audit-visit)
    map)
  "Keys of the table of hosts.")

(define-derived-mode cj/gh-audit-hosts-mode tabulated-list-mode "Audit hosts"
  "Mode of the table of what went to which host."
  (setq tabulated-list-format
        (vconcat
         '(("Host" 30 t))
         (mapcar (lambda (column)
                   (list (car column) 9 (cj/gh-audit--number (cdr column))
                         :right-align t))
                 '(("Calls" . :calls) ("Reads" . :reads)
                   ("By person" . :by-person) ("By lease" . :by-lease)
                   ("By rule" . :by-rule) ("Refused" . :refused)
                   ("Failed" . :failed)))
         '(("Last" 24 t)))
        tabulated-list-padding 1)
  (setq-local revert-buffer-function #'cj/gh-audit--revert)
  (tabulated-list-init-header))

(defun cj/gh-audit--revert (&rest _)
  "Ask again the question of the current buffer."
  (let ((buffer (current-buffer)))
    (when cj/gh-audit--handle (cj/gate-cancel cj/gh-audit--handle))
    (setq mode-line-process " not read")
    (letrec ((handle
              (cj/gh-audit--ask
               (car cj/gh-audit--question)
               (append (list :skip cj/gh-audit--skip :most cj/gh-audit-page)
                       (cdr cj/gh-audit--question))
               (lambda (answer)
                 (when (buffer-live-p buffer)
                   (with-current-buffer buffer
                     ;; A later question has made this answer stale.
                     (when (eql handle cj/gh-audit--handle)
                       (setq cj/gh-audit--handle nil)
                       (cj/gh-audit--show answer))))))))
      (setq cj/gh-audit--handle handle
            mode-line-process " reading")
      (force-mode-line-update))))

(defun cj/gh-audit--show (answer)
  "Show ANSWER, a plist, in the current buffer."
  (let ((rows (plist-get answer :rows))
        (hosts (derived-mode-p 'cj/gh-audit-hosts-mode)))
    (setq cj/gh-audit--answer answer
          tabulated-list-entries
          (mapcar (if hosts #'cj/gh-audit--host-entry #'cj/gh-audit--entry) rows)
          mode-line-process
          (cond
           ((plist-get answer :broken) " not read")
           ((plist-get answer :cancelled) " broken off, not whole")
           (hosts (format " %d calls" (plist-get answer :matched)))
           (rows (format " %d-%d of %d" (1+ cj/gh-audit--skip)
                         (+ cj/gh-audit--skip (length rows))
                         (plist-get answer :matched)))
           (t " none")))
    (tabulated-list-print t)
    (when (plist-get answer :broken)
      (message "The audit log was not read: %s" (plist-get answer :broken)))
    (when (plist-get answer :unread)
      (display-warning 'cj-gate (format "Part of the audit log cannot be read: %s"
                                        (string-join (plist-get answer :unread) "; "))))))

(defun cj/gh-audit--open (name mode question)
  "Show the table NAME in MODE with the answer to QUESTION; return its buffer."
  (cj/gate-load-module 'offer)
  (let ((buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (funcall mode)
      (setq cj/gh-audit--question question
            cj/gh-audit--skip 0)
      (cj/gh-audit--revert))
    (display-buffer buffer)
    buffer))

;;;; Commands

;;;###autoload
(defun cj/gh-audit-search (regexp)
  "Show the lines of the audit log that match REGEXP, the newest first.
REGEXP is an Emacs regular expression, without back-references.  It is
compared with each line as it reads decoded, \"... host=github.com ...
argv=pr merge 1\", and as it stands in the file.  An empty one shows every
line.  Upper and lower case are the same unless REGEXP has upper-case letters.
In the table, S sorts by a column, RET opens the line in its file, ] and [ go
to older and newer pages, g reads the log again.  Return the buffer."
  (interactive (list (read-regexp "Search the audit log for (empty: all): ")))
  (cj/gh-audit--open
   "*cj-gh audit*" #'cj/gh-audit-mode
   (list 'search
         :regexp (and regexp (not (string-empty-p regexp)) regexp)
         :fold (and (default-value 'case-fold-search) regexp
                    (isearch-no-upper-case-p regexp t)))))

;;;###autoload
(defun cj/gh-audit-by-host (&optional host)
  "Show a table of the audit log by host, one row a host.
It counts reads, what may change something by who approved it, and what was
refused.  RET on a row shows the lines of that host.  With HOST, a string,
show those at once; with a prefix argument, ask for it.  Return the buffer."
  (interactive (list (and current-prefix-arg
                          (read-string "Show the lines of host: "))))
  (if host
      (cj/gh-audit--open "*cj-gh audit*" #'cj/gh-audit-mode
                         (list 'search :host host))
    (cj/gh-audit--open "*cj-gh audit hosts*" #'cj/gh-audit-hosts-mode
                       (list 'by-host))))

(defun cj/gh-audit--host-entry (row)
  "Return ROW, a plist of sums, as an entry of the table of hosts."
  (list row
        (apply #'vector
               (mapcar (lambda (key) (cj/gh-audit--cell row key))
                       '(:host :calls :reads :by-person :by-lease :by-rule
                               :refused :failed :last)))))

(defun cj/gh-audit--visit-line (file line)
  "Show LINE, a number, of the log's FILE."
  (let ((name (expand-file-name file (cj/gate-audit-directory))))
    (pop-to-buffer (find-file-noselect name))
    (setq buffer-read-only t)
    (widen)
    (goto-char (point-min))
    (forward-line (1- (max line 1)))))

(defun cj/gh-audit-visit ()
  "Open the line of the row at point in its file, or the lines of its host."
  (interactive nil cj/gh-audit-mode cj/gh-audit-hosts-mode)
  (let ((row (or (tabulated-list-get-id)
                 (user-error "There is no row here"))))
    (if (plist-get row :file)
        (cj/gh-audit--visit-line (plist-get row :file) (plist-get row :line))
      (cj/gh-audit-by-host (plist-get row :host)))))

(defun cj/gh-audit--turn (pages)
  "Show the page that is PAGES pages older."
  (let ((skip (+ cj/gh-audit--skip (* pages cj/gh-audit-page))))
    (when (or (< skip 0)
              (>= skip (or (plist-get cj/gh-audit--answer :matched) 0)))
      (user-error "No further page"))
    (setq cj/gh-audit--skip skip)
    (cj/gh-audit--revert)))

(defun cj/gh-audit-older ()
  "Show the page of older lines."
  (interactive nil cj/gh-audit-mode)
  (cj/gh-audit--turn 1))

(defun cj/gh-audit-newer ()
  "Show the page of newer lines."
  (interactive nil cj/gh-audit-mode)
  (cj/gh-audit--turn -1))

;;;; Checking

(defconst cj/gh-audit-verify-buffer-name "*cj-gh audit check*"
  "Name of the buffer that says what the check of the log found.")

(defun cj/gh-audit--finding (finding)
  "Insert FINDING, a plist, as a line with a button."
  (let ((file (plist-get finding :file))
        (line (plist-get finding :line)))
    (insert-text-button (if (> line 0) (format "%s:%d" file line) file)
                        'action (lambda (_) (cj/gh-audit--visit-line file line))
                        'follow-link t)
    (insert ": " (plist-get finding :words) "\n")))

(defun cj/gh-audit-summary (report)
  "Return what REPORT, as `cj/gh-audit-verify' hands it on, comes to, a string."
  (let ((first (car (plist-get report :findings))))
    (cond
     ((plist-get report :broken)
      (format "The audit log was not checked: %s" (plist-get report :broken)))
     ((plist-get report :cancelled) "The check of the audit log was cancelled.")
     (first (format "The audit log does not hold: %s%s.  %s"
                    (plist-get first :file)
                    (if (> (plist-get first :line) 0)
                        (format ":%d" (plist-get first :line)) "")
                    (plist-get first :words)))
     ((zerop (plist-get report :files)) "There is no audit log.")
     (t (format "The audit log holds: %d lines of %d writers in %d files."
                (plist-get report :whole) (plist-get report :writers)
                (plist-get report :files))))))

(defun cj/gh-audit--fill (report)
  "Fill the current buffer with REPORT, a plist."
  (let ((inhibit-read-only t)
        (findings (plist-get report :findings))
        (notes (plist-get report :notes)))
    (erase-buffer)
    (insert (cj/gh-audit-summary report) "\n"
            (if (plist-get report :broken) ""
              (format "%d of %d lines verify.\n" (plist-get report :whole)
                      (plist-get report :lines))))
    (when findings
      (insert "\nWhat is wrong, the first line first:\n")
      (mapc #'cj/gh-audit--finding findings)
      (when (> (plist-get report :more) 0)
        (insert (format "And %d more.\n" (plist-get report :more)))))
    (when notes
      (insert "\nWorth knowing, and no tampering:\n")
      (mapc #'cj/gh-audit--finding notes))
    (insert "
What a check cannot see: the end of a chain that was cut off, a chain that was
written anew by whoever can write the files, and a writer left out as a whole.\n")
    (goto-char (point-min))))

;;;###autoload
(defun cj/gh-audit-verify (&optional callback)
  "Check every chain of the audit log, and name what was tampered with.
The buffer names the first line that was changed, removed or inserted, by
file and line, and all others.  Torn lines, left by a kill or a full disk,
are listed apart.
From Lisp, CALLBACK, a function, is called with what was found instead, a
plist: :findings and :notes, lists of plists (:file NAME :line NUMBER :wrong
SYMBOL :words STRING) with SYMBOL one of `changed', `removed', `inserted',
`end-removed' and `unreadable'; :more (findings beyond those); :files,
:lines, :whole (lines that verify) and :writers, numbers; :cancelled.
Where the module itself fails it is (:broken MESSAGE) alone.
Return a handle for `cj/gate-cancel'."
  (interactive)
  (cj/gate-load-module 'offer)
  (if callback
      (cj/gh-audit--ask 'verify nil callback)
    (let ((buffer (get-buffer-create cj/gh-audit-verify-buffer-name)))
      (with-current-buffer buffer
        (special-mode)
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert "Reading the audit log.\n")))
      (display-buffer buffer)
      (cj/gh-audit--ask 'verify nil
                        (lambda (report)
                          (when (buffer-live-p buffer)
                            (with-current-buffer buffer
                              (cj/gh-audit--fill report))
                            (message "%s" (cj/gh-audit-summary report))))))))

(provide 'cj-gh-audit)

;;; cj-gh-audit.el ends here
