;;; cj-gate-purge.el --- List what the gate keeps, and remove it -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A list of everything that the gate keeps, on disk and in memory.  Each row
;; says where one such thing is and how large it is.  A person marks rows and
;; removes what they stand for.  Files that gh itself keeps are not listed.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate)
(require 'cj-gate-audit)
(require 'cj-gate-table)

(declare-function cj/gate--mod-record-count "ext:cj-gate-module")
(declare-function cj/gate--mod-forget-records "ext:cj-gate-module")
(declare-function cj/gate--mod-kept "ext:cj-gate-module")
(declare-function cj/gate--mod-forget-kept "ext:cj-gate-module")

(autoload 'cj/gh-download-kept "cj-gh-download" "List what was downloaded.")
(autoload 'cj/gh-worktrees-kept "cj-gh-worktrees" "List the stores of worktrees.")

(defvar cj/gate-purge-sources
  '(cj/gate-purge--logs cj/gh-download-kept cj/gh-worktrees-kept
    cj/gate-purge--kept cj/gate-purge--records cj/gate-purge--results cj/gate-purge--buffers)
  "Functions without arguments that return the rows of the list.
Each returns a list of plists, one for each thing that is kept: :what, :place
and :size (strings), :bytes (a number, or nil), :visit (a function without
arguments that shows the thing, or nil), :remove (a function without
arguments that removes the thing, or nil if it cannot be removed now), and
:stays (a string: why not).")

(defun cj/gate-purge-size (bytes)
  "Return BYTES, a number, as text with its unit: \"2 B\", \"1.4 kB\"."
  (file-size-human-readable bytes 'si " " "B"))

(defun cj/gate-purge--logs ()
  "Return the files of the audit log, for `cj/gate-purge-sources'.
The file of today cannot be removed, since it is being written."
  (let ((folder (cj/gate-audit-directory))
        (today (format-time-string "%Y-%m-%d.log")))
    (when (and (not (file-remote-p folder)) (file-directory-p folder))
      (cl-loop
       for (name . facts)
       in (directory-files-and-attributes
           folder nil "\\`[0-9]\\{4\\}-[0-9]\\{2\\}-[0-9]\\{2\\}\\.log\\'" nil 'integer)
       unless (file-attribute-type facts) ; a link or a directory is not ours
       collect
       (let ((file (expand-file-name name folder))
             (bytes (file-attribute-size facts)))
         (list :what (if (string< name today) "Audit log" "Audit log, being written")
               :place (abbreviate-file-name file)
               :bytes bytes
               :size (cj/gate-purge-size bytes)
               :visit (lambda () (find-file-read-only file))
               :remove (and (string< name today)
                            (lambda () (delete-file file)))))))))

(defun cj/gate-purge--kept ()
  "Return the files with whole logs, for `cj/gate-purge-sources'."
  (let ((folder (cj/gate-kept-directory)))
    (when (and folder (file-directory-p folder))
      (cl-loop
       for (name . facts)
       in (directory-files-and-attributes
           folder nil "\\`log-[0-9a-f]\\{16\\}\\.\\(?:txt\\|new\\)\\'" nil 'integer)
       unless (file-attribute-type facts) ; a link or a directory is not ours
       collect
       (let ((file (expand-file-name name folder))
             (bytes (file-attribute-size facts)))
         (list :what "Log of a failed job"
               :place (abbreviate-file-name file)
               :bytes bytes
               :size (cj/gate-purge-size bytes)
               :visit (lambda () (find-file-read-only file))
               :remove (lambda () (delete-file file))))))))

(defun cj/gate-purge--records ()
  "Return the records in memory, for `cj/gate-purge-sources'."
  (when (featurep 'cj-gate-module)
    (let ((count (cj/gate--mod-record-count)))
      (unless (zerop count)
        (list (list :what "Records of calls" :place "memory of this Emacs"
                    :size (cj/gate-view-count count "call")
                    :visit #'cj/gate-records
                    :remove (lambda () (cj/gate--mod-forget-records))))))))

(defun cj/gate-purge--results ()
  "Return the results that are in memory, for `cj/gate-purge-sources'."
  (when (featurep 'cj-gate-module)
    (pcase-let ((`(,count . ,bytes) (cj/gate--mod-kept)))
      (unless (zerop count)
        (list (list :what "Results that were cut" :place "memory of this Emacs"
                    :bytes bytes
                    :size (cj/gate-purge-size bytes)
                    :remove (lambda () (cj/gate--mod-forget-kept))))))))

(defvar cj/gate-purge-buffers
  '("*cj-gate record*" "*cj-gate records*" "*cj-gh audit*" "*cj-gh audit hosts*"
    "*cj-gh audit line*" "*cj-gh audit check*" "*cj-gate runs*" "*cj-gate run*" "*cj-gate leases*"
    "*cj-gh doctor*" "*cj-net doctor*" "*cj-gh explain*"
    "*cj-gh review comments*" "*cj-gh watch*" "*cj-gh watch job*"
    "*cj-gh worktrees*")
  "Names of buffers that show calls and may be killed.
The approval buffer is not among them: killing it declines its call.")

(defun cj/gate-purge--buffers ()
  "Return the buffers with records and findings, for `cj/gate-purge-sources'."
  (cl-loop for name in cj/gate-purge-buffers
           for buffer = (get-buffer name)
           when buffer
           collect (list :what "Buffer" :place name
                         :bytes (buffer-size buffer)
                         :size (cj/gate-purge-size (buffer-size buffer))
                         :visit (let ((buffer buffer))
                                  (lambda () (pop-to-buffer buffer)))
                         :remove (let ((buffer buffer))
                                   (lambda () (kill-buffer buffer))))))

(defvar cj/gate-purge-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-table-mode-map)
    (define-key map (kbd "RET") #'cj/gate-purge-visit)
    (define-key map (kbd "m") #'cj/gate-purge-mark)
    (define-key map (kbd "u") #'cj/gate-purge-unmark)
    (define-key map (kbd "M") #'cj/gate-purge-mark-all)
    (define-key map (kbd "x") #'cj/gate-purge-execute)
    map)
  "Keys of the list of what is kept.")

(define-derived-mode cj/gate-purge-mode cj/gate-table-mode "Purge"
  "Mode of the list of everything that the gate keeps.
\\<cj/gate-purge-mode-map>\
\\[cj/gate-purge-mark] marks a row for removal, \\[cj/gate-purge-mark-all] marks all rows.
\\[cj/gate-purge-unmark] takes the mark of a row away.
\\[cj/gate-purge-execute] removes what the marked rows stand for.
\\[cj/gate-purge-visit] shows what the row at point stands for.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq tabulated-list-padding 2)
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gate-purge--fill))))

(defconst cj/gate-purge--columns
  (list (list "What" 26 nil t)
        (list "Size" 12 nil (cj/gate-table-by-number :bytes) :right-align t)
        (list "Where" nil nil t))
  "Columns of the list, for `cj/gate-table-fill'.")

(defun cj/gate-purge--fill ()
  "Fill the list with everything that is kept."
  (cj/gate-table-fill
   cj/gate-purge--columns
   (mapcar (lambda (item)
             (list item (vector (propertize (plist-get item :what) 'face
                                            (if (plist-get item :remove) 'default
                                              'cj/gate-quiet))
                                (plist-get item :size)
                                (plist-get item :place))))
           (mapcan #'funcall cj/gate-purge-sources))
   (lambda () (insert "Nothing is kept, neither on disk nor in memory.\n"))))

(defun cj/gate-purge-visit ()
  "Show what the row at point stands for, such as a file."
  (interactive nil cj/gate-purge-mode)
  (let ((item (or (tabulated-list-get-id) (user-error "There is no row here"))))
    (funcall (or (plist-get item :visit)
                 (lambda () (user-error "There is nothing to look at"))))))

(defun cj/gate-purge-mark ()
  "Mark the row at point for removal, and go to the next."
  (interactive nil cj/gate-purge-mode)
  (let ((item (or (tabulated-list-get-id) (user-error "There is no row here"))))
    (unless (plist-get item :remove)
      (user-error "%s" (or (plist-get item :stays)
                           "This file is being written; tomorrow it can be removed")))
    (tabulated-list-put-tag "D" t)))

(defun cj/gate-purge-mark-all ()
  "Mark every row that can be removed."
  (interactive nil cj/gate-purge-mode)
  (save-excursion
    (goto-char (point-min))
    (while (not (eobp))
      (if (plist-get (tabulated-list-get-id) :remove)
          (tabulated-list-put-tag "D" t)
        (forward-line)))))

(defun cj/gate-purge-unmark ()
  "Take the mark of the row at point away, and go to the next."
  (interactive nil cj/gate-purge-mode)
  (tabulated-list-put-tag " " t))

(defun cj/gate-purge--marked ()
  "Return the plists of the marked rows."
  (save-excursion
    (goto-char (point-min))
    (cl-loop until (eobp)
             when (eq (char-after) ?D) collect (tabulated-list-get-id)
             do (forward-line))))

(defun cj/gate-purge-execute ()
  "Remove what the marked rows stand for, after a question."
  (interactive nil cj/gate-purge-mode)
  (let* ((items (or (cj/gate-purge--marked)
                    (user-error "Nothing is marked; m marks a row")))
         (bytes (apply #'+ (mapcar (lambda (item) (or (plist-get item :bytes) 0))
                                   items))))
    (when (yes-or-no-p (format "Remove %d of these (%s) for good? " (length items)
                               (cj/gate-purge-size bytes)))
      (let ((left nil))
        (dolist (item items)
          (condition-case err
              (funcall (plist-get item :remove))
            (error (push (error-message-string err) left))))
        (revert-buffer)
        (if left
            (message "Not removed, %d of %d: %s" (length left) (length items)
                     (string-join (nreverse left) "; "))
          (message "Removed"))))))

;;;###autoload
(defun cj/gate-purge ()
  "List everything that is kept on disk and in memory, to remove parts of it.
Return the buffer."
  (interactive)
  (let ((buffer (get-buffer-create "*cj-gate purge*")))
    (with-current-buffer buffer
      (cj/gate-purge-mode)
      (cj/gate-purge--fill)
      (goto-char (point-min)))
    (cj/gate-view-show buffer)))

(provide 'cj-gate-purge)

;;; cj-gate-purge.el ends here
