;;; cj-gate-purge.el --- See what is kept, and remove it -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Everything that the gate keeps, on disk and in memory, one row each: where
;; it lies and how much it is.  A person marks rows and removes them.  Only
;; what the gate itself made is listed; gh's own files are gh's.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'tabulated-list)
(require 'cj-gate)
(require 'cj-gate-audit)

(declare-function cj/gate--mod-record-count "ext:cj-gate-module")
(declare-function cj/gate--mod-forget-records "ext:cj-gate-module")
(declare-function cj/gate--mod-kept "ext:cj-gate-module")
(declare-function cj/gate--mod-forget-kept "ext:cj-gate-module")

(autoload 'cj/gh-download-kept "cj-gh-download" "List what was downloaded.")

(defvar cj/gate-purge-sources
  '(cj/gate-purge--logs cj/gh-download-kept cj/gate-purge--records
    cj/gate-purge--results cj/gate-purge--buffers)
  "Functions that say what is kept.
Each returns a list of plists: :what and :place (strings), :size (a string),
:bytes (a number, or nil), and :remove (a function without arguments, or nil
for what cannot be removed now).")

(defun cj/gate-purge--logs ()
  "Return the files of the audit log, for `cj/gate-purge-sources'.
The file of today is being written and stays."
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
               :size (file-size-human-readable bytes)
               :remove (and (string< name today)
                            (lambda () (delete-file file)))))))))

(defun cj/gate-purge--records ()
  "Return the records in memory, for `cj/gate-purge-sources'."
  (when (featurep 'cj-gate-module)
    (let ((count (cj/gate--mod-record-count)))
      (unless (zerop count)
        (list (list :what "Records of calls" :place "memory of this Emacs"
                    :size (format "%d calls" count)
                    :remove (lambda () (cj/gate--mod-forget-records))))))))

(defun cj/gate-purge--results ()
  "Return the results kept for more of them, for `cj/gate-purge-sources'."
  (when (featurep 'cj-gate-module)
    (pcase-let ((`(,count . ,bytes) (cj/gate--mod-kept)))
      (unless (zerop count)
        (list (list :what "Results that were cut" :place "memory of this Emacs"
                    :bytes bytes
                    :size (file-size-human-readable bytes)
                    :remove (lambda () (cj/gate--mod-forget-kept))))))))

(defvar cj/gate-purge-buffers
  '("*cj-gate record*" "*cj-gate records*" "*cj-gh audit*" "*cj-gh audit hosts*"
    "*cj-gh audit check*" "*cj-gate runs*" "*cj-gate run*" "*cj-gh doctor*"
    "*cj-gh explain*")
  "Names of buffers that show calls; the approval buffer is none of them.")

(defun cj/gate-purge--buffers ()
  "Return the buffers with records and findings, for `cj/gate-purge-sources'."
  (cl-loop for name in cj/gate-purge-buffers
           for buffer = (get-buffer name)
           when buffer
           collect (list :what "Buffer" :place name
                         :bytes (buffer-size buffer)
                         :size (file-size-human-readable (buffer-size buffer))
                         :remove (let ((buffer buffer))
                                   (lambda () (kill-buffer buffer))))))

(defvar cj/gate-purge-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "m") #'cj/gate-purge-mark)
    (define-key map (kbd "u") #'cj/gate-purge-unmark)
    (define-key map (kbd "M") #'cj/gate-purge-mark-all)
    (define-key map (kbd "x") #'cj/gate-purge-execute)
    map)
  "Keys of the list of what is kept.")

(define-derived-mode cj/gate-purge-mode tabulated-list-mode "Purge"
  "Mode of the list of what the gate keeps.
Mark rows with m, M for all, take a mark away with u, remove with x."
  (setq tabulated-list-format
        [("What" 26 t)
         ("Size" 12 (lambda (a b) (< (or (plist-get (car a) :bytes) 0)
                                     (or (plist-get (car b) :bytes) 0)))
          :right-align t)
         ("Where" 0 t)]
        tabulated-list-padding 2
        tabulated-list-entries #'cj/gate-purge--entries)
  (tabulated-list-init-header))

(defun cj/gate-purge--entries ()
  "Return the rows of the list."
  (mapcar (lambda (item)
            (list item (vector (plist-get item :what) (plist-get item :size)
                               (plist-get item :place))))
          (mapcan #'funcall cj/gate-purge-sources)))

(defun cj/gate-purge-mark ()
  "Mark the row at point for removal, and go to the next."
  (interactive nil cj/gate-purge-mode)
  (let ((item (or (tabulated-list-get-id) (user-error "There is no row here"))))
    (unless (plist-get item :remove)
      (user-error "This file is being written; tomorrow it can be removed"))
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
  "Return the items that are marked."
  (save-excursion
    (goto-char (point-min))
    (cl-loop until (eobp)
             when (eq (char-after) ?D) collect (tabulated-list-get-id)
             do (forward-line))))

(defun cj/gate-purge-execute ()
  "Remove what is marked, after a question."
  (interactive nil cj/gate-purge-mode)
  (let* ((items (or (cj/gate-purge--marked)
                    (user-error "Nothing is marked; m marks a row")))
         (bytes (apply #'+ (mapcar (lambda (item) (or (plist-get item :bytes) 0))
                                   items))))
    (when (yes-or-no-p (format "Remove %d of these (%s) for good? " (length items)
                               (file-size-human-readable bytes)))
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
  "Show all that is kept on disk and in memory, to remove what you mark.
Return the buffer."
  (interactive)
  (let ((buffer (get-buffer-create "*cj-gate purge*")))
    (with-current-buffer buffer
      (cj/gate-purge-mode)
      (tabulated-list-print)
      (goto-char (point-min)))
    (pop-to-buffer buffer)
    buffer))

(provide 'cj-gate-purge)

;;; cj-gate-purge.el ends here
