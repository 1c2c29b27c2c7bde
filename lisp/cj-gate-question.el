;;; cj-gate-question.el --- What a person reads before a yes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The text of the approval buffer: where a call goes, what it does and cannot
;; undo, its arguments, and the texts that it sends, held against those that
;; they replace.  All of it is plain text under labels: nothing is told by a
;; colour or a face alone.  No text of a call can pass for a line of the
;; buffer: each of its lines has a prefix.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate)

(declare-function cj/gate--mod-clean-text "ext:cj-gate-module")

(defface cj/gate-confirm-heading '((t :inherit bold))
  "Face of headings in the approval buffer."
  :group 'cj-gate)

(defface cj/gate-confirm-warning '((t :inherit warning))
  "Face of what deserves a second look in the approval buffer."
  :group 'cj-gate)

(defface cj/gate-confirm-new '((t :inherit diff-added))
  "Face of lines that are new in the approval buffer; they begin with +."
  :group 'cj-gate)

(defface cj/gate-confirm-gone '((t :inherit diff-removed))
  "Face of lines that go away in the approval buffer; they begin with -."
  :group 'cj-gate)

(defun cj/gate-confirm--line (text)
  "Return TEXT as what fits on one line: its control characters made visible."
  (replace-regexp-in-string
   "[[:cntrl:]\u2028\u2029]"
   (lambda (found)
     (let ((code (aref found 0)))
       (if (< code 32) (string ?^ (+ code 64)) (format "<U+%04X>" code))))
   text t t))

;;;; Rows

(defun cj/gate-confirm--row (label value &optional face)
  "Return the line for VALUE, with FACE, under LABEL."
  (concat (propertize (format "  %-8s " label) 'face 'cj/gate-confirm-heading)
          (propertize (cj/gate-confirm--line value) 'face face)
          "\n"))

(defun cj/gate-confirm--folded (text)
  "Return the prose TEXT folded so that a row with it fits in 80 columns."
  (with-temp-buffer
    (insert (cj/gate-confirm--line text))
    (let ((fill-column 68) (adaptive-fill-mode nil))
      (fill-region (point-min) (point-max)))
    (split-string (buffer-string) "\n" t)))

(defun cj/gate-confirm--prose (label text &optional face)
  "Return the lines for the prose TEXT, with FACE, under LABEL."
  (let ((lines (cj/gate-confirm--folded text)))
    (concat (cj/gate-confirm--row label (or (car lines) "") face)
            (mapconcat (lambda (line)
                         (propertize (format "           %s\n" line) 'face face))
                       (cdr lines) ""))))

(defconst cj/gate-confirm--sources
  '((explicit-repo . "the call, which names it")
    (explicit-host . "the call, which names the host")
    (set-default . "`gh repo set-default' in this checkout")
    (upstream . "what the current branch tracks")
    (origin . "the remote `origin' of this checkout")
    (default . "`cj/gh-default-host'")
    (local . "this machine's own network"))
  "In words, where a target comes from.")

(defun cj/gate-confirm--heading (text)
  "Return the heading TEXT with an empty line above."
  (propertize (format "\n  %s\n" text) 'face 'cj/gate-confirm-heading))

;;;; Arguments

(defun cj/gate-confirm--argument (number argument texts)
  "Return the lines for ARGUMENT, the one of that NUMBER.
One of several lines that stands among TEXTS, which are shown whole below,
is only named.  Each line of any other has a prefix of its own, also where
the window is too narrow for it, so that no text in an argument can pass
for a line of the buffer."
  (let* ((lines (split-string argument "\n"))
         (below (and (cdr lines)
                     (cl-find argument texts :test #'equal
                              :key (lambda (text) (plist-get text :text))))))
    (if below
        (format "  %2d  (%d lines: %s, below)\n" number (length lines)
                (cj/gate-confirm--line (plist-get below :label)))
      (propertize
       (concat (format "  %2d  %s\n" number
                       (if (equal argument "") "(empty)" (car lines)))
               (mapconcat (lambda (line) (format "    | %s\n" line))
                          (cdr lines) ""))
       'wrap-prefix "    : "))))

;;;; Texts

(defconst cj/gate-confirm--diff-cells 250000
  "The largest table of lines against lines that a comparison may need.")

(defun cj/gate-confirm--diff (old new)
  "Return how the lines OLD become the lines NEW, a list of (MARK . LINE).
MARK is `same', `gone' or `new'.  Where comparing them would take long, all
between what they begin and end with counts as gone and new."
  (let ((head nil) (tail nil))
    (while (and old new (equal (car old) (car new)))
      (push (cons 'same (pop old)) head)
      (pop new))
    (setq old (nreverse (copy-sequence old))
          new (nreverse (copy-sequence new)))
    (while (and old new (equal (car old) (car new)))
      (push (cons 'same (pop old)) tail)
      (pop new))
    (setq old (nreverse old) new (nreverse new))
    (append (nreverse head)
            (if (> (* (length old) (length new)) cj/gate-confirm--diff-cells)
                (append (mapcar (lambda (line) (cons 'gone line)) old)
                        (mapcar (lambda (line) (cons 'new line)) new))
              (cj/gate-confirm--compare (vconcat old) (vconcat new)))
            tail)))

(defun cj/gate-confirm--compare (old new)
  "Return how the vector of lines OLD becomes NEW, by their longest common part."
  (let* ((n (length old)) (m (length new))
         (width (1+ m))
         (table (make-vector (* (1+ n) width) 0))
         (i 0) (j 0) (out nil))
    (cl-loop for a from (1- n) downto 0 do
             (cl-loop for b from (1- m) downto 0 do
                      (aset table (+ (* a width) b)
                            (if (equal (aref old a) (aref new b))
                                (1+ (aref table (+ (* (1+ a) width) b 1)))
                              (max (aref table (+ (* (1+ a) width) b))
                                   (aref table (+ (* a width) b 1)))))))
    (while (or (< i n) (< j m))
      (cond
       ((and (< i n) (< j m) (equal (aref old i) (aref new j)))
        (push (cons 'same (aref old i)) out)
        (setq i (1+ i) j (1+ j)))
       ((and (< i n)
             (or (= j m)
                 (>= (aref table (+ (* (1+ i) width) j))
                     (aref table (+ (* i width) j 1)))))
        (push (cons 'gone (aref old i)) out)
        (setq i (1+ i)))
       (t
        (push (cons 'new (aref new j)) out)
        (setq j (1+ j)))))
    (nreverse out)))

(defun cj/gate-confirm--lines (text)
  "Return the lines of TEXT, without the empty one after a last line end."
  (let ((lines (split-string text "\n")))
    (if (and (cdr lines) (equal (car (last lines)) "")) (butlast lines) lines)))

(defun cj/gate-confirm--text-line (mark line)
  "Return LINE of a text with MARK, a string of one or two characters."
  (propertize (format "    |%s%s\n" mark (cj/gate-confirm--line line))
              'wrap-prefix "    : "
              'face (pcase mark
                      ("+ " 'cj/gate-confirm-new)
                      ("- " 'cj/gate-confirm-gone))))

(defun cj/gate-confirm--old-text (text before)
  "Return the current text in the place of the outgoing TEXT; nil if unknown.
BEFORE is JSON that shows what is there now, a string, or nil."
  (let ((field (plist-get text :field)))
    (when (and field before)
      (condition-case nil
          (let ((value (gethash field (json-parse-string before :null-object nil)
                                'absent)))
            (cond ((null value) "")
                  ((stringp value)
                   (replace-regexp-in-string
                    "\r$" "" (cj/gate--mod-clean-text value)))))
        (error nil)))))

(defun cj/gate-confirm--text (text before)
  "Return the lines for the outgoing TEXT, held against BEFORE if it edits."
  (let* ((label (cj/gate-confirm--line (plist-get text :label)))
         (new (plist-get text :text))
         (replaces (plist-get text :replaces))
         (old (and replaces (cj/gate-confirm--old-text text before))))
    (concat
     (cj/gate-confirm--heading
      (cond ((not replaces) (format "%s, as it will appear:" label))
            ((not old) (format "%s, as it will appear (current text unknown):" label))
            ((equal old new) (format "%s, which is the current text:" label))
            (t (format "%s, against the current text (+ is new, - goes away):" label))))
     (cond ((equal new "") (if (or (not old) (equal old "")) "    (empty)\n" ""))
           ((not old)
            (mapconcat (lambda (line) (cj/gate-confirm--text-line " " line))
                       (cj/gate-confirm--lines new) "")))
     (and old
          (mapconcat
           (lambda (change)
             (cj/gate-confirm--text-line
              (pcase (car change) ('new "+ ") ('gone "- ") (_ "  "))
              (cdr change)))
           (cj/gate-confirm--diff
            (and (not (equal old "")) (cj/gate-confirm--lines old))
            (and (not (equal new "")) (cj/gate-confirm--lines new)))
           "")))))

;;;; The whole

(defun cj/gate-confirm-text (info &optional before keys)
  "Return the text of the approval buffer for INFO, a plan's.
BEFORE shows what is there now, as JSON in a string, where the call replaces
something and that could be read.  KEYS is a list of lines, shown as keys."
  (concat
   (propertize "A call waits for your yes.\n\n" 'face 'cj/gate-confirm-heading)
   (cj/gate-confirm--row "Class" (symbol-name (plist-get info :class))
                         'cj/gate-confirm-warning)
   (cj/gate-confirm--prose "Why" (plist-get info :reason))
   (cj/gate-confirm--prose "Undo" (plist-get info :undo))
   (cj/gate-confirm--row "Command" (format "%s %s" (plist-get info :program)
                                           (plist-get info :command)))
   (cj/gate-confirm--row "Host" (plist-get info :host))
   (and (cj/gate--program-option (plist-get info :program) :accounts)
        (concat
         (cj/gate-confirm--row "Account" (or (plist-get info :account)
                                             "that of the token in Emacs's environment"))
         (cj/gate-confirm--row
          (if (or (plist-get info :repo) (not (plist-get info :owner))) "Repo" "Owner")
          (or (cj/gate--owner-and-repo info) "none"))))
   (let ((source (plist-get info :source)))
     (cj/gate-confirm--row "Found by"
                           (format "%s (%s)"
                                   (alist-get source cj/gate-confirm--sources)
                                   source)))
   (cj/gate-confirm--row "Runs in" (abbreviate-file-name (plist-get info :cwd)))
   (mapconcat (lambda (row)
                (cj/gate-confirm--prose
                 (car row) (cdr row)
                 (and (equal (car row) "Public") 'cj/gate-confirm-warning)))
              (plist-get info :rows) "")
   (and keys
        (concat (cj/gate-confirm--row "Keys" (car keys))
                (mapconcat (lambda (line)
                             (format "           %s\n" (cj/gate-confirm--line line)))
                           (cdr keys) "")))
   (cj/gate-confirm--heading (format "Arguments of %s, one a line:"
                                     (plist-get info :program)))
   (let ((number 0))
     (mapconcat (lambda (argument)
                  (cj/gate-confirm--argument (cl-incf number) argument
                                             (plist-get info :texts)))
                (plist-get info :shown) ""))
   (mapconcat (lambda (text) (cj/gate-confirm--text text before))
              (plist-get info :texts) "")))

(provide 'cj-gate-question)

;;; cj-gate-question.el ends here
