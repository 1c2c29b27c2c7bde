;;; cj-gh-audit.el --- Search the audit log and check its chains -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The audit log says what the agent did, when, and who approved it.  The core
;; reads the log on a worker thread and returns one page, so that Emacs does not
;; wait for a long log.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate)
(require 'cj-gate-audit)
(require 'cj-gate-table)

(declare-function cj/gate--mod-audit-ask "ext:cj-gate-module")

(autoload 'cj/gh-audit-line "cj-gh-audit-line" "Show a line of the log, decoded.")
(autoload 'cj/gh-audit-line-file "cj-gh-audit-line" "Go to a line of the log's files.")

(defcustom cj/gh-audit-page 100
  "How many lines of the audit log one page of a table shows; default 100."
  :type 'natnum
  :group 'cj-gate)

(defun cj/gh-audit--ask (question options callback)
  "Ask the core QUESTION, a symbol, about the log; call CALLBACK with a plist.
OPTIONS is a plist for that question.  Return a handle for `cj/gate-cancel'."
  (cj/gate-load-module)
  (let ((inhibit-quit t))
    (cj/gate--await
     (cj/gate--mod-audit-ask
      question (append options (list :folder (cj/gate-audit-directory-bytes))))
     callback)))

;;;; Tables

(defvar-local cj/gh-audit--question nil
  "The question whose answer this buffer shows: a symbol, then a plist.
For example (search :host \"github.com\").")

(defvar-local cj/gh-audit--skip 0
  "How many newer matching lines are on the pages before this one.")

(defvar-local cj/gh-audit--answer nil
  "What the core answered last, a plist.")

(defvar-local cj/gh-audit--handle nil
  "Handle of the question that the core is answering, or nil.")

(defun cj/gh-audit--number (text)
  "Return the number at the beginning of TEXT, a string; 0 for nil."
  (string-to-number (or text "")))

(defun cj/gh-audit-end (row)
  "Return how the call of ROW, a plist, ended, as `cj/gate-faces-end' does.
For an event, such as \"start\", return its name in parentheses."
  (if (plist-get row :event)
      (propertize (format "(%s)" (plist-get row :event)) 'face 'cj/gate-quiet)
    (cj/gate-faces-end (plist-get row :error) (plist-get row :exit))))

(defun cj/gh-audit-took (row)
  "Return how long the call of ROW, a plist, took, as text."
  (if (plist-get row :exit)
      (cj/gate-table-took (cj/gh-audit--number (plist-get row :duration)))
    ""))

(defun cj/gh-audit-words (row)
  "Return one line of text for ROW, a plist.
That is the arguments of the call, or the event of a lease with its reason."
  (or (plist-get row :argv)
      (and (plist-get row :lease)
           (format "%s, lease %s: %s" (plist-get row :command) (plist-get row :lease)
                   (or (plist-get row :why) "")))
      (plist-get row :command)
      (plist-get row :text)
      ""))

(defun cj/gh-audit--entries (rows)
  "Return ROWS, plists, as entries of the table."
  (let ((clock (cj/gate-table-clock (mapcar (lambda (row) (plist-get row :time)) rows)))
        (place (cj/gate-table-place (mapcar (lambda (row) (plist-get row :host)) rows))))
    (mapcar
     (lambda (row)
       (let ((by (or (plist-get row :approved-by) "")))
         (list row
               (vector (funcall clock (plist-get row :time))
                       (cj/gate-faces-class (plist-get row :class))
                       (cj/gh-audit-end row)
                       (if (member by '("person" "lease")) (propertize by 'face 'bold) by)
                       (propertize (cj/gh-audit-took row) 'face 'cj/gate-quiet)
                       (funcall place (plist-get row :host) (plist-get row :repo))
                       (propertize (cj/gh-audit-words row) 'face 'cj/gate-command)))))
     rows)))

(defconst cj/gh-audit--columns
  (list (list "Time" 14 nil #'cj/gate-table-by-time)
        (list "Class" 11 nil t)
        (list "End" 20 12 t)
        (list "By" 6 nil t)
        (list "Took" 7 0 (cj/gate-table-by-number :duration) :right-align t)
        (list "Where" 40 16 t)
        (list "Command" nil nil t))
  "Columns of the table of lines, for `cj/gate-table-fill'.")

(defvar cj/gh-audit-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "RET") #'cj/gh-audit-visit)
    (define-key map (kbd "f") #'cj/gh-audit-visit-file)
    (define-key map (kbd "]") #'cj/gh-audit-older)
    (define-key map (kbd "[") #'cj/gh-audit-newer)
    (define-key map (kbd "s") #'cj/gh-audit-search)
    (define-key map (kbd "b") #'cj/gh-audit-by-host)
    (define-key map (kbd "v") #'cj/gh-audit-verify)
    map)
  "Keys of a table of lines of the audit log.")

(define-derived-mode cj/gh-audit-mode cj/gate-table-mode "Audit"
  "Mode of a table of lines of the audit log, the newest first.
\\<cj/gh-audit-mode-map>\
\\[cj/gh-audit-visit] shows the line at point, decoded.
\\[cj/gh-audit-visit-file] goes to the line at point in its file.
\\[cj/gh-audit-older] and \\[cj/gh-audit-newer] show the page of older and of newer lines.
\\[tabulated-list-sort] sorts by the column at point.
\\[revert-buffer] reads the log again.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function #'cj/gh-audit--revert))

(defvar cj/gh-audit-hosts-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "RET") #'cj/gh-audit-visit)
    (define-key map (kbd "s") #'cj/gh-audit-search)
    (define-key map (kbd "v") #'cj/gh-audit-verify)
    map)
  "Keys of the table of hosts.")

(defconst cj/gh-audit--host-columns
  (append
   '(("Host" 30 12 t))
   (mapcar (lambda (column)
             (list (car column) 9 nil (cj/gate-table-by-number (cdr column))
                   :right-align t))
           '(("Calls" . :calls) ("Reads" . :reads)
             ("By person" . :by-person) ("By lease" . :by-lease)
             ("By rule" . :by-rule) ("Refused" . :refused)
             ("Failed" . :failed)))
   '(("Last" nil nil t)))
  "Columns of the table of hosts, for `cj/gate-table-fill'.")

(define-derived-mode cj/gh-audit-hosts-mode cj/gate-table-mode "Audit hosts"
  "Mode of the table that counts the calls to each host.
\\<cj/gh-audit-hosts-mode-map>\
\\[cj/gh-audit-visit] shows the lines of the host at point.
\\[tabulated-list-sort] sorts by the column at point.
\\[revert-buffer] reads the log again.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function #'cj/gh-audit--revert))

(defun cj/gh-audit--revert (&rest _)
  "Ask the core the question of the current buffer again."
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
                     ;; If they differ, a later question has replaced this one.
                     (when (eql handle cj/gh-audit--handle)
                       (setq cj/gh-audit--handle nil)
                       (cj/gh-audit--show answer))))))))
      (setq cj/gh-audit--handle handle
            mode-line-process " reading")
      (force-mode-line-update))))

(defun cj/gh-audit--nothing ()
  "Insert why the table of the current buffer has no rows, and what to do."
  (let ((options (cdr cj/gh-audit--question)))
    (insert
     (cond ((plist-get cj/gh-audit--answer :broken) "The audit log was not read.\n")
           ((plist-get cj/gh-audit--answer :cancelled) "The search was broken off.\n")
           ((plist-get options :regexp)
            (format "No line of the audit log matches %s\n" (plist-get options :regexp)))
           ((plist-get options :host)
            (format "No line of the audit log is of the host %s\n" (plist-get options :host)))
           (t "The audit log has no lines yet: each call leaves one.\n"))
     (substitute-command-keys
      "\\<cj/gh-audit-mode-map>\\[cj/gh-audit-search] searches for something else, \\[revert-buffer] reads the log again.\n"))))

(defun cj/gh-audit--show (answer)
  "Show ANSWER, a plist, in the current buffer."
  (let ((rows (plist-get answer :rows))
        (hosts (derived-mode-p 'cj/gh-audit-hosts-mode)))
    (setq cj/gh-audit--answer answer
          mode-line-process
          (cond
           ((plist-get answer :broken) " not read")
           ((plist-get answer :cancelled) " broken off, not whole")
           (hosts (concat " " (cj/gate-view-count (plist-get answer :matched) "call")))
           (rows (format " %d-%d of %d%s" (1+ cj/gh-audit--skip)
                         (+ cj/gh-audit--skip (length rows))
                         (plist-get answer :matched)
                         (let ((day (cj/gate-table-day
                                     (mapcar (lambda (row) (plist-get row :time)) rows))))
                           (if day (concat ", " day) ""))))
           (t " none")))
    (if hosts
        (cj/gate-table-fill cj/gh-audit--host-columns
                            (mapcar #'cj/gh-audit--host-entry rows) #'cj/gh-audit--nothing)
      (cj/gate-table-fill cj/gh-audit--columns (cj/gh-audit--entries rows)
                          #'cj/gh-audit--nothing))
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
    (cj/gate-view-show buffer)))

;;;; Commands

(defvar cj/gh-audit--searches nil
  "Regular expressions that the audit log was searched for, newest first.")

;;;###autoload
(defun cj/gh-audit-search (regexp)
  "Show the lines of the audit log that match REGEXP, the newest first.
REGEXP is a regular expression as Rust has them, such as \"(pr|issue) close\";
the argument `pattern' of the tool gh_more has the same syntax.  A line matches
if REGEXP matches its decoded form, such as
\"... host=github.com ... argv=pr merge 1\", or its form in the file.  An empty
REGEXP shows every line.  Case is ignored unless REGEXP has upper-case letters
or `case-fold-search' is nil.
In the table, \\<cj/gh-audit-mode-map>\\[cj/gh-audit-visit] shows the line at point decoded, \\[cj/gh-audit-visit-file] shows it in its file,
\\[cj/gh-audit-older] and \\[cj/gh-audit-newer] show the page of older and of newer lines, and
\\[revert-buffer] reads the log again.
Return the buffer."
  (interactive (list (read-string "Search the audit log for (empty: all): "
                                  nil 'cj/gh-audit--searches)))
  (cj/gh-audit--open
   "*cj-gh audit*" #'cj/gh-audit-mode
   (list 'search
         :regexp (and regexp (not (string-empty-p regexp)) regexp)
         :fold (and (default-value 'case-fold-search) regexp
                    (isearch-no-upper-case-p regexp t)))))

;;;###autoload
(defun cj/gh-audit-by-host (&optional host)
  "Show a table of the audit log with one row for each host.
A row counts the host's calls: reads, calls that may change something (by who
approved them), refused calls and failed calls.  RET on a row shows the lines of
that host.
With a prefix argument, or with HOST, a string, from Lisp, show the lines of one
host at once.  Return the buffer."
  (interactive (list (and current-prefix-arg
                          (read-string "Show the lines of host: "))))
  (if host
      (cj/gh-audit--open "*cj-gh audit*" #'cj/gh-audit-mode
                         (list 'search :host host))
    (cj/gh-audit--open "*cj-gh audit hosts*" #'cj/gh-audit-hosts-mode
                       (list 'by-host))))

(defun cj/gh-audit--host-entry (row)
  "Return ROW, a plist of sums, as an entry of the table of hosts."
  (let ((time (plist-get row :last)))
    (list row
          (apply #'vector
                 (append
                  (mapcar (lambda (key)
                            (let ((text (format "%s" (or (plist-get row key) ""))))
                              (cond ((equal text "0") (propertize text 'face 'cj/gate-quiet))
                                    ((eq key :failed) (propertize text 'face 'cj/gate-bad))
                                    (t text))))
                          '(:host :calls :reads :by-person :by-lease :by-rule
                                  :refused :failed))
                  (list (let ((stated (cj/gate-table--time time)))
                          (if stated (format-time-string "%F %T" stated) (or time "")))))))))

(defun cj/gh-audit--row ()
  "Return the row at point, a plist; signal a `user-error' if there is none."
  (or (tabulated-list-get-id)
      (user-error "There is no row here")))

(defun cj/gh-audit-visit ()
  "Show the line of the row at point, decoded, or the lines of its host."
  (interactive nil cj/gh-audit-mode cj/gh-audit-hosts-mode)
  (let ((row (cj/gh-audit--row)))
    (if (plist-get row :file)
        (cj/gh-audit-line row (current-buffer))
      (cj/gh-audit-by-host (plist-get row :host)))))

(defun cj/gh-audit-visit-file ()
  "Go to the line of the row at point, in its file."
  (interactive nil cj/gh-audit-mode)
  (let ((row (cj/gh-audit--row)))
    (cj/gh-audit-line-file (plist-get row :file) (plist-get row :line))))

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

(defvar cj/gh-audit-check-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    map)
  "Keys of the buffer with what the check of the log found.")

(define-derived-mode cj/gh-audit-check-mode cj/gate-view-mode "Audit check"
  "Mode of the buffer that says what the check of the audit log found.
\\<cj/gh-audit-check-mode-map>\
\\[forward-button] goes to the next button, which names a line of the log.
\\<button-map>\\[push-button] on a button goes to that line in its file.
\\<cj/gh-audit-check-mode-map>\
\\[revert-buffer] checks again.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gh-audit-verify))))

(defconst cj/gh-audit-verify-buffer-name "*cj-gh audit check*"
  "Name of the buffer that says what the check of the log found.")

(defun cj/gh-audit--finding (finding)
  "Insert FINDING, a plist, as a line with a button."
  (let ((file (plist-get finding :file))
        (line (plist-get finding :line)))
    (insert-text-button (if (> line 0) (format "%s:%d" file line) file)
                        'action (lambda (_) (cj/gh-audit-line-file file line))
                        'help-echo "Go to this line of the log"
                        'follow-link t)
    (insert ": " (plist-get finding :words) "\n")))

(defun cj/gh-audit-summary (report)
  "Return a sentence that sums up REPORT, a plist of `cj/gh-audit-verify'."
  (let ((first (car (plist-get report :findings))))
    (cond
     ((plist-get report :broken)
      (format "The audit log was not checked: %s" (plist-get report :broken)))
     ((plist-get report :cancelled) "The check of the audit log was cancelled.")
     (first (format "The audit log does not verify: %s%s.  %s"
                    (plist-get first :file)
                    (if (> (plist-get first :line) 0)
                        (format ":%d" (plist-get first :line)) "")
                    (plist-get first :words)))
     ((zerop (plist-get report :files)) "There is no audit log.")
     (t (format "The audit log verifies: %s of %s in %s."
                (cj/gate-view-count (plist-get report :whole) "line")
                (cj/gate-view-count (plist-get report :writers) "writer")
                (cj/gate-view-count (plist-get report :files) "file"))))))

(defun cj/gh-audit--verdict (report)
  "Return the face for the summary of REPORT, a plist."
  (cond ((plist-get report :findings) 'cj/gate-bad)
        ((or (plist-get report :broken) (plist-get report :cancelled)
             (zerop (plist-get report :files)))
         'cj/gate-warning)
        (t 'cj/gate-good)))

(defun cj/gh-audit--fill (report)
  "Fill the current buffer with REPORT, a plist."
  (let ((inhibit-read-only t)
        (findings (plist-get report :findings))
        (notes (plist-get report :notes)))
    (erase-buffer)
    (insert (propertize (cj/gh-audit-summary report)
                        'face (cj/gh-audit--verdict report))
            "\n"
            (if (plist-get report :broken) ""
              (format "%d of %s verify.\n" (plist-get report :whole)
                      (cj/gate-view-count (plist-get report :lines) "line"))))
    (when findings
      (insert "\n" (cj/gate-view-heading "What is wrong, the first line first:"))
      (mapc #'cj/gh-audit--finding findings)
      (when (> (plist-get report :more) 0)
        (insert (format "And %d more.\n" (plist-get report :more)))))
    (when notes
      (insert "\n" (cj/gate-view-heading "Worth knowing, and no tampering:"))
      (mapc #'cj/gh-audit--finding notes))
    (insert "\n" (cj/gate-view-heading "What a check cannot see:")
            "The end of a chain that was cut off, a chain that was written anew by \
whoever can write the files, and a writer left out as a whole.\n")
    (restore-buffer-modified-p nil)
    (goto-char (point-min))))

;;;###autoload
(defun cj/gh-audit-verify (&optional callback)
  "Check the chains of the audit log, and name lines that were tampered with.
The buffer names, by file and line, each place where a line was changed,
removed or inserted, the first place first.  Torn lines, which a kill or a full
disk leaves, are listed apart.
From Lisp, CALLBACK, a function, is called with a plist instead, and no buffer
is shown.  The plist has :findings and :notes, lists of plists (:file NAME :line
NUMBER :wrong SYMBOL :words STRING) with SYMBOL one of `changed', `removed',
`inserted', `end-removed' and `unreadable'; :more, the number of further
findings; :files, :lines, :whole (lines that verify) and :writers, numbers; and
:cancelled, non-nil if the check was cancelled.  If the module itself fails, the
plist is (:broken MESSAGE).
Return a handle for `cj/gate-cancel'."
  (interactive)
  (cj/gate-load-module 'offer)
  (if callback
      (cj/gh-audit--ask 'verify nil callback)
    (let ((buffer (get-buffer-create cj/gh-audit-verify-buffer-name)))
      (with-current-buffer buffer
        (cj/gh-audit-check-mode)
        (with-silent-modifications
          (erase-buffer)
          (insert "Reading the audit log.\n")))
      (cj/gate-view-show buffer)
      (cj/gh-audit--ask 'verify nil
                        (lambda (report)
                          (when (buffer-live-p buffer)
                            (with-current-buffer buffer
                              (cj/gh-audit--fill report))
                            (message "%s" (cj/gh-audit-summary report))))))))

(provide 'cj-gh-audit)

;;; cj-gh-audit.el ends here
