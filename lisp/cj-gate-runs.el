;;; cj-gate-runs.el --- A table of the calls that run or wait -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The table has every call that has not been answered, and all other work that
;; the core has under way, such as reading the audit log.  The table is updated
;; while it can be seen.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-job)
(require 'cj-gate-table)

(declare-function cj/gate--mod-runs "ext:cj-gate-module")
(declare-function cj/gate--mod-progress "ext:cj-gate-module")
(declare-function cj/gate-approval--decide "cj-gate-approval")
(declare-function cj/gate-approval--entry-job "cj-gate-approval" t t)
(defvar cj/gate-approval--queue)

(defconst cj/gate-runs-buffer-name "*cj-gate runs*"
  "Name of the buffer with the table of calls that run or wait.")

(defconst cj/gate-runs-details-buffer-name "*cj-gate run*"
  "Name of the buffer that shows one call that runs or waits.")

;;;; Items: what the rows show

(defun cj/gate-runs--entry (job)
  "Return the entry of JOB among those that wait for a person, or nil."
  (and (featurep 'cj-gate-approval)
       (cl-find job cj/gate-approval--queue :key #'cj/gate-approval--entry-job)))

(defun cj/gate-runs--state (run)
  "Return the word for the state of RUN, a plist of the core."
  (pcase (plist-get run :what)
    ('call (symbol-name (plist-get run :state)))
    ('facts "asks git")
    ('check "asks version")
    ('drift "compares gh")
    ('log "reads the log")
    ('worktrees "looks at worktrees")))

(defun cj/gate-runs--line (run)
  "Return the last line of output of RUN that can be shown, a string."
  (or (and (eq (plist-get run :what) 'call)
           (plist-get (cj/gate--mod-progress (plist-get run :ticket)) :last-line))
      ""))

(defun cj/gate-runs--job-item (job run)
  "Return the item for JOB, a plist.
RUN is the core's plist of the work that runs for JOB, or nil."
  (let ((waits (cj/gate-runs--entry job))
        (info (cj/gate--job-info job)))
    (list :id (cons 'job (cj/gate--job-number job))
          :job job
          :state (cond (waits "waits for you")
                       ((car (cj/gate--job-waits job)))
                       (run (cj/gate-runs--state run))
                       (t "ends"))
          :show (nth 2 (cj/gate--job-waits job))
          :info (or info (list :program (cj/gate--job-program job)))
          ;; Before the program runs, this is the time since the call was made.
          :elapsed-ms (if (cj/gate--job-running job)
                          (or (plist-get run :elapsed-ms) 0)
                        (round (* 1000 (- (float-time) (cj/gate--job-begun job)))))
          :bytes (or (plist-get run :bytes) 0)
          :line (cond ((nth 1 (cj/gate--job-waits job)))
                      (run (cj/gate-runs--line run))
                      (t "")))))

(defun cj/gate-runs--run-item (run)
  "Return the item for RUN, the core's plist of work that belongs to no job."
  (list :id (cons 'run (plist-get run :ticket))
        :ticket (plist-get run :ticket)
        :state (cj/gate-runs--state run)
        :info (if (plist-get run :program) run
                (list :program (pcase (plist-get run :what)
                                 ((or 'facts 'worktrees) "git")
                                 ('log "audit log")
                                 (_ "gh"))))
        :elapsed-ms (plist-get run :elapsed-ms)
        :bytes (plist-get run :bytes)
        :line (cj/gate-runs--line run)))

(defun cj/gate-runs--items ()
  "Return an item, a plist, for each running or waiting call, the oldest first."
  (let ((runs (and (featurep 'cj-gate-module) (cj/gate--mod-runs)))
        (items nil))
    (dolist (job (sort (copy-sequence cj/gate--jobs)
                       (lambda (a b) (< (cj/gate--job-number a)
                                        (cj/gate--job-number b)))))
      (let ((run (and (cj/gate--job-ticket job)
                      (cl-find (cj/gate--job-ticket job) runs
                               :key (lambda (run) (plist-get run :ticket))))))
        (setq runs (delq run runs))
        (push (cj/gate-runs--job-item job run) items)))
    (append (nreverse items) (mapcar #'cj/gate-runs--run-item runs))))

(defun cj/gate-runs--target (info)
  "Return the target in INFO as `cj/gate--target' does; \"-\" without a host."
  (if (plist-get info :host) (cj/gate--target info) "-"))

(defun cj/gate-runs--command (info)
  "Return program and command in INFO."
  (string-trim (format "%s %s" (plist-get info :program)
                       (or (plist-get info :command) ""))))

(defun cj/gate-runs--seconds (item)
  "Return how long ITEM has taken, as text."
  (format "%.1fs" (/ (plist-get item :elapsed-ms) 1000.0)))

(defun cj/gate-runs--arguments (info)
  "Return the arguments in INFO behind its command, on one line.
By them a person can tell two calls of one command apart."
  (let ((argv (or (plist-get info :shown) (plist-get info :argv)))
        (command (split-string (or (plist-get info :command) ""))))
    (while (and command (equal (car argv) (car command)))
      (setq argv (cdr argv) command (cdr command)))
    ;; The target has a column of its own.
    (setq argv (cl-loop while argv
                        for word = (pop argv)
                        if (and (member word '("-R" "--repo"))
                                (member (car argv) (list (cj/gate--target info)
                                                         (cj/gate--owner-and-repo info))))
                        do (pop argv)
                        else collect word))
    (replace-regexp-in-string "[[:cntrl:]\u2028\u2029]+" " " (string-join argv " "))))

(defun cj/gate-runs--state-cell (item)
  "Return the state of ITEM, with the face of that state."
  (let ((state (plist-get item :state)))
    (propertize state 'face (pcase state
                              ("waits for you" 'cj/gate-warning)
                              ("running" 'cj/gate-good)
                              (_ 'cj/gate-quiet)))))

(defun cj/gate-runs--row (item)
  "Return the row of the table for ITEM."
  (let ((info (plist-get item :info)))
    (list (plist-get item :id)
          (vector (format "%s" (or (plist-get info :call) "-"))
                  (cj/gate-runs--state-cell item)
                  (propertize (cj/gate-runs--command info) 'face 'cj/gate-command)
                  (cj/gate-runs--arguments info)
                  (cj/gate-runs--target info)
                  (cj/gate-runs--seconds item)
                  (number-to-string (plist-get item :bytes))
                  (plist-get item :line)))))

;;;; The table

(defvar cj/gate-runs-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "k") #'cj/gate-runs-cancel)
    (define-key map (kbd "RET") #'cj/gate-runs-details)
    map)
  "Keys of the table of calls that run or wait.")

(defun cj/gate-runs--by-number (column)
  "Return a predicate to sort rows by the number in COLUMN."
  (lambda (a b)
    (< (string-to-number (aref (cadr a) column))
       (string-to-number (aref (cadr b) column)))))

(defconst cj/gate-runs--columns
  (list (list "Call" 5 nil (cj/gate-runs--by-number 0) :right-align t)
        (list "State" 13 nil t)
        (list "Command" 24 nil t)
        (list "Arguments" 30 9 t)
        (list "Target" 40 16 t)
        (list "Elapsed" 8 nil (cj/gate-runs--by-number 5) :right-align t)
        (list "Bytes" 9 0 (cj/gate-runs--by-number 6) :right-align t)
        (list "Last line" nil nil nil))
  "Columns of the table, for `cj/gate-table-fill'.")

(define-derived-mode cj/gate-runs-mode cj/gate-table-mode "cj-gate runs"
  "Mode of the table of calls that run or wait.
\\<cj/gate-runs-mode-map>\
\\[cj/gate-runs-cancel] ends or declines the call at point.
\\[cj/gate-runs-details] shows more about the call at point.
\\[revert-buffer] updates the table.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gate-runs--refresh)))
  (add-hook 'window-buffer-change-functions #'cj/gate-runs--arm nil t))

(defvar-local cj/gate-runs--timer nil
  "Timer of the table's next update, or nil.")

(defun cj/gate-runs--nothing ()
  "Insert that nothing is running or waiting, and a button to list the records."
  (insert "Nothing runs, nothing waits.\n")
  (cj/gate-view-command "The records" 'cj/gate-records)
  (insert " have what ran before.  A call shows up here by itself.\n"))

(defun cj/gate-runs--refresh ()
  "Update the table in the current buffer; point stays at its row."
  (let ((items (cj/gate-runs--items)))
    (unless (and (null items) (null tabulated-list-entries) (> (buffer-size) 0))
      (cj/gate-table-fill cj/gate-runs--columns (mapcar #'cj/gate-runs--row items)
                          #'cj/gate-runs--nothing))))

(defun cj/gate-runs--arm (&rest _)
  "Start the timer of the table's next update, unless there is one."
  (let ((buffer (get-buffer cj/gate-runs-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (unless cj/gate-runs--timer
          (setq cj/gate-runs--timer
                (run-at-time 1 nil #'cj/gate-runs--tick buffer)))))))

(defun cj/gate-runs--tick (buffer)
  "Update the table in BUFFER if it can be seen, and again a second later."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq cj/gate-runs--timer nil))
    (let ((window (get-buffer-window buffer 'visible)))
      (when window
        (cj/gate-runs--arm)
        (with-selected-window window
          (cj/gate-runs--refresh))))))

;;;###autoload
(defun cj/gate-runs ()
  "Show every call that is running, queued, or waiting for a person's key."
  (interactive)
  (cj/gate-load-module 'offer)
  (cj/gate-view-show (get-buffer-create cj/gate-runs-buffer-name))
  (unless (derived-mode-p 'cj/gate-runs-mode)
    (cj/gate-runs-mode))
  (cj/gate-runs--refresh)
  (cj/gate-runs--arm))

;;;; Commands on a row

(defun cj/gate-runs--at-point ()
  "Return the item at point; signal a `user-error' if its work is over."
  (unless (derived-mode-p 'cj/gate-runs-mode)
    (user-error "This is not the table; `M-x cj/gate-runs' shows it"))
  (let ((id (or (tabulated-list-get-id) (user-error "There is no call here"))))
    (or (cl-find id (cj/gate-runs--items) :test #'equal
                 :key (lambda (item) (plist-get item :id)))
        (user-error "It is over already"))))

(defun cj/gate-runs--end (item)
  "End ITEM; decline it if it waits for a person."
  (let* ((job (plist-get item :job))
         (entry (and job (cj/gate-runs--entry job))))
    (cond
     (entry
      (cj/gate-approval--decide entry 'declined
                                "Declined by the user.  Do not retry this call."))
     ((and job (nth 3 (cj/gate--job-waits job)))
      (funcall (nth 3 (cj/gate--job-waits job))))
     (job
      (cj/gate--cancel-job job "A person cancelled the call before it ran.
Ask the person before trying again."))
     (t (cj/gate-cancel (plist-get item :ticket))))
    (message "%s: %s" (if entry "Declined" "Cancelled")
             (cj/gate-runs--command (plist-get item :info)))))

(defun cj/gate-runs-cancel ()
  "End the call at point; decline it if it waits for a person.
The caller still gets one answer."
  (interactive nil cj/gate-runs-mode)
  (cj/gate-runs--end (cj/gate-runs--at-point))
  (cj/gate-runs--refresh))

(defun cj/gate-runs--text (item)
  "Return the known facts of ITEM, as lines for a person to read."
  (let* ((info (plist-get item :info))
         (row (lambda (label value)
                (if value (format "%s: %s\n" label value) ""))))
    (concat
     (funcall row "Call" (plist-get info :call))
     (funcall row "State" (plist-get item :state))
     (funcall row "Command" (cj/gate-runs--command info))
     (funcall row "Class" (plist-get info :class))
     (funcall row "Reason" (plist-get info :reason))
     (funcall row "Target" (cj/gate-runs--target info))
     (funcall row "Account" (plist-get info :account))
     (funcall row "CWD" (and (plist-get info :cwd)
                             (abbreviate-file-name (plist-get info :cwd))))
     (funcall row "Argv" (let ((argv (or (plist-get info :shown)
                                         (plist-get info :argv)))
                               (print-escape-newlines t)
                               (print-escape-control-characters t))
                           (and argv (prin1-to-string argv))))
     (funcall row "Elapsed" (cj/gate-runs--seconds item))
     (funcall row "Bytes" (plist-get item :bytes))
     (funcall row "Last line" (plist-get item :line)))))

;;;; One call

(defvar-local cj/gate-run--id nil
  "The :id of the item that is shown here.")

(defvar cj/gate-run-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "k") #'cj/gate-run-cancel)
    map)
  "Keys of the buffer that shows one call that runs or waits.")

(define-derived-mode cj/gate-run-mode cj/gate-view-mode "cj-gate run"
  "Mode of the buffer that shows one call that runs or waits.
\\<cj/gate-run-mode-map>\
\\[cj/gate-run-cancel] ends or declines the call.
\\[revert-buffer] updates the buffer.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function #'cj/gate-run--revert))

(defun cj/gate-run--item ()
  "Return the item of the current buffer.
Signal a `user-error' if its work is over."
  (or (cl-find cj/gate-run--id (cj/gate-runs--items) :test #'equal
               :key (lambda (item) (plist-get item :id)))
      (user-error "It is over already; `M-x cj/gate-records' has how it ended")))

(defun cj/gate-run--fill (item)
  "Show ITEM in the current buffer."
  (let ((inhibit-read-only t)
        (argv (or (plist-get (plist-get item :info) :shown)
                  (plist-get (plist-get item :info) :argv))))
    (erase-buffer)
    (insert (cj/gate-runs--text item))
    (goto-char (point-min))
    (while (looking-at "\\([^:\n]+: \\).*\n")
      (put-text-property (match-beginning 1) (match-end 1) 'face 'cj/gate-label)
      (put-text-property (point) (match-end 0) 'wrap-prefix
                         (make-string (- (match-end 1) (match-beginning 1)) ?\s))
      (forward-line))
    (goto-char (point-max))
    (when argv
      (insert "\n" (cj/gate-view-heading "Arguments, one a line"))
      (dolist (word argv)
        (insert (propertize (concat "  " (replace-regexp-in-string
                                          "\n" "\n  | " (if (string-empty-p word) "(empty)" word))
                                    "\n")
                            'wrap-prefix "    "))))
    (when (plist-get item :show)
      (insert "\n")
      (cj/gate-view-button "Show what it waits for" "Open its buffer"
                           (plist-get item :show))
      (insert "\n"))
    (when (equal (plist-get item :state) "waits for you")
      (insert "\n")
      (cj/gate-view-command "Go to where it is decided" 'cj/gate-approvals)
      (insert "\n"))
    (restore-buffer-modified-p nil)
    (goto-char (point-min))))

(defun cj/gate-run--revert (&rest _)
  "Update the current buffer, with one call."
  (cj/gate-run--fill (cj/gate-run--item)))

(defun cj/gate-run-cancel ()
  "End the call that is shown here; decline it if it waits for a person."
  (interactive nil cj/gate-run-mode)
  (cj/gate-runs--end (cj/gate-run--item))
  (quit-window t))

(defun cj/gate-runs-details ()
  "Show all known facts of the call at point."
  (interactive nil cj/gate-runs-mode)
  (let ((item (cj/gate-runs--at-point)))
    (with-current-buffer (get-buffer-create cj/gate-runs-details-buffer-name)
      (cj/gate-run-mode)
      (setq cj/gate-run--id (plist-get item :id))
      (cj/gate-run--fill item))
    (if noninteractive
        (display-buffer cj/gate-runs-details-buffer-name)
      (cj/gate-view-show cj/gate-runs-details-buffer-name))))

(provide 'cj-gate-runs)

;;; cj-gate-runs.el ends here
