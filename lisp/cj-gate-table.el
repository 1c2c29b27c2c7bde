;;; cj-gate-table.el --- Tables of calls -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The audit log, the records and the running calls are tables.  Each column is
;; as wide as its widest cell, so that the command can be read in a window of
;; 100 columns.  A time has its day only if the table has several days, and a
;; target has its host only if the table has several hosts.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'tabulated-list)
(require 'parse-time)
(require 'cj-gate-view)

;;;; The mode

(defvar cj/gate-table-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map (kbd "j") cj/gate-view-jump-map)
    (define-key map (kbd "?") #'cj/gate-view-menu)
    (define-key map [mouse-2] #'cj/gate-table-mouse)
    (define-key map [follow-link] 'mouse-face)
    map)
  "Keys of the gate's tables.")

(define-derived-mode cj/gate-table-mode tabulated-list-mode "cj-gate table"
  "Mode that the gate's tables derive from.
\\<cj/gate-table-mode-map>\
\\[tabulated-list-sort] sorts by the column at point.
\\[revert-buffer] updates the table.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq tabulated-list-padding 1
        tabulated-list-printer #'cj/gate-table--print)
  (setq-local bidi-display-reordering nil)
  (add-hook 'window-size-change-functions #'cj/gate-table--resized nil t))

(defun cj/gate-table--print (id columns)
  "Insert the row ID with COLUMNS, highlighted under the mouse."
  (let ((start (point)))
    (tabulated-list-print-entry id columns)
    (put-text-property start (1- (point)) 'mouse-face 'highlight)))

(defun cj/gate-table-mouse (event)
  "Do what RET does on the row that EVENT, a click, is on."
  (interactive "e" cj/gate-table-mode)
  (mouse-set-point event)
  (let ((command (key-binding (kbd "RET"))))
    (when (commandp command)
      (call-interactively command))))

;;;; Columns

(defvar-local cj/gate-table--shown nil
  "Width of the table and the last arguments of `cj/gate-table-fill', a list.")

(defconst cj/gate-table--room 30
  "Least width of the last cell of a row, if the other columns can give way.
The last cell is the command.  30 columns show \"pr merge 171 --squash -R o/r\"
whole, so that it can be told from the merge of another pull request.")

(defun cj/gate-table--width ()
  "Return the width in columns that a row may have."
  (let ((window (get-buffer-window (current-buffer) t)))
    (if (and window (not noninteractive)) (window-body-width window) 100)))

(defun cj/gate-table--widths (columns entries)
  "Return a list of the widths of COLUMNS, by the cells of ENTRIES.
If the last column would get fewer than `cj/gate-table--room' columns, other
columns give way as their LEAST allows (see `cj/gate-table-fill'); a width of
nil stands for a column that is left out."
  (let* ((widths
          (cl-loop for (name most) in columns
                   for nth from 0
                   collect (if (null most) 0
                             (cl-loop for (_ cells) in entries
                                      maximize (string-width (aref cells nth)) into widest
                                      finally return
                                      (max (string-width name)
                                           (min most (or widest 0)))))))
         (missing (- cj/gate-table--room
                     (- (cj/gate-table--width) 1
                        (apply #'+ (mapcar #'1+ (butlast widths)))))))
    ;; First leave out columns that may be left out, then narrow the last ones
    ;; first, so that the time and the class stay whole.
    (setq widths (cl-loop for (_ _ least) in columns
                          for width in widths
                          collect (if (not (and (eql least 0) (> missing 0))) width
                                    (setq missing (- missing width 1))
                                    nil)))
    (cl-loop for (name _ least) in (reverse columns)
             for width in (reverse widths)
             for spare = (if (and least width (> least 0))
                             (max 0 (min missing (- width (max least (string-width name)))))
                           0)
             do (setq missing (- missing spare))
             collect (and width (- width spare)) into narrowed
             finally return (nreverse narrowed))))

(defun cj/gate-table-fill (columns entries &optional empty)
  "Show ENTRIES, rows as `tabulated-list-entries' has them, under COLUMNS.
COLUMNS is a list of (NAME MOST LEAST SORT . PROPERTIES).  A cell is at most
MOST columns wide; the last of COLUMNS has a MOST of nil and takes the rest.
LEAST says how a narrow window changes the column: a number is its least width,
0 lets it be left out, and nil keeps its width.  SORT and PROPERTIES are as in
`tabulated-list-format'.
If ENTRIES is nil, call the function EMPTY, which inserts a text instead."
  (let ((widths (cj/gate-table--widths columns entries)))
    (setq cj/gate-table--shown (list (cj/gate-table--width) columns entries empty)
          tabulated-list-entries
          (if (not (memq nil widths)) entries
            (mapcar (lambda (entry)
                      (list (car entry)
                            (vconcat (cl-loop for cell across (cadr entry)
                                              for width in widths
                                              when width collect cell))))
                    entries))
          tabulated-list-format
          (vconcat (cl-loop for (name _ _ sort . properties) in columns
                            for width in widths
                            when width
                            collect (append (list name width sort) properties)))))
  (unless (cl-find (car tabulated-list-sort-key) tabulated-list-format
                   :key #'car :test #'equal)
    (setq tabulated-list-sort-key nil))
  (tabulated-list-init-header)
  (tabulated-list-print t)
  (when (and (null entries) empty)
    (let ((inhibit-read-only t))
      (funcall empty)
      (goto-char (point-min))))
  (restore-buffer-modified-p nil))

(defun cj/gate-table--resized (window)
  "Fit the table to WINDOW, whose size has changed."
  (with-current-buffer (window-buffer window)
    (when (and cj/gate-table--shown
               (not (eql (car cj/gate-table--shown) (cj/gate-table--width))))
      (apply #'cj/gate-table-fill (cdr cj/gate-table--shown)))))

(defun cj/gate-table-by-number (key)
  "Return a predicate to sort rows by the number under KEY in their ids."
  (lambda (a b)
    (let ((value (lambda (entry)
                   (let ((value (plist-get (car entry) key)))
                     (if (stringp value) (string-to-number value) (or value 0))))))
      (< (funcall value a) (funcall value b)))))

(defun cj/gate-table-by-time (a b)
  "Return non-nil if the time of the row A is before that of the row B.
The id of a row is a plist with :time, an ISO 8601 string."
  (time-less-p (or (cj/gate-table--time (plist-get (car a) :time)) 0)
               (or (cj/gate-table--time (plist-get (car b) :time)) 0)))

;;;; Cells

(defun cj/gate-table--time (text)
  "Return the time that TEXT, an ISO 8601 string, states, or nil."
  (and (stringp text)
       (ignore-errors (parse-iso8601-time-string text))))

(defun cj/gate-table-clock (times)
  "Return a function to make a cell of a time, one of TIMES.
TIMES are ISO 8601 strings.  A cell is \"HH:MM:SS\" in this machine's time zone,
or \"MM-DD HH:MM:SS\" if TIMES are of several days.  A string that is no time is
its own cell."
  (let* ((day (lambda (text)
                (let ((time (cj/gate-table--time text)))
                  (and time (format-time-string "%F" time)))))
         (form (if (cdr (delete-dups (delq nil (mapcar day times))))
                   "%m-%d %T" "%T")))
    (lambda (text)
      (let ((time (cj/gate-table--time text)))
        (propertize (if time (format-time-string form time) (or text ""))
                    'face 'cj/gate-quiet)))))

(defun cj/gate-table-day (times)
  "Return the day of TIMES, \"YYYY-MM-DD\", or nil.
The value is nil if TIMES, ISO 8601 strings, are of several days or of today."
  (let ((days (delete-dups
               (delq nil (mapcar (lambda (text)
                                   (let ((time (cj/gate-table--time text)))
                                     (and time (format-time-string "%F" time))))
                                 times)))))
    (and days (null (cdr days))
         (not (equal (car days) (format-time-string "%F")))
         (car days))))

(defun cj/gate-table-place (hosts)
  "Return a function of HOST and NAMES to make the cell of a target.
HOSTS are the hosts of all rows, strings or nil.  NAMES is OWNER/REPO, OWNER or
nil.  A cell has HOST if HOSTS are several, or if NAMES is nil."
  (let ((several (cdr (delete-dups (delq nil (copy-sequence hosts))))))
    (lambda (host names)
      (cond ((and host names several) (concat host "/" names))
            (t (or names host "-"))))))

(defun cj/gate-table-took (milliseconds)
  "Return MILLISECONDS, a number, as text: \"12 ms\", \"1.2 s\", \"75 s\"."
  (cond ((< milliseconds 1000) (format "%d ms" milliseconds))
        ((< milliseconds 10000) (format "%.1f s" (/ milliseconds 1000.0)))
        (t (format "%d s" (round milliseconds 1000)))))

(provide 'cj-gate-table)

;;; cj-gate-table.el ends here
