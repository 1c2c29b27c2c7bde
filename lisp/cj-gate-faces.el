;;; cj-gate-faces.el --- The faces of the gate's buffers -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The faces that all views share.  Views load this file; calls of tools do not
;; need it.  Each colour is chosen for a dark and for a light background, and
;; for the eight colours of a plain terminal.  A word or a mark stands beside
;; each colour, so a display without colours shows the same facts.

;;; Code:

(defgroup cj-gate-faces nil
  "Colours of the gate's buffers and of its words in the mode line."
  :group 'cj-gate
  :prefix "cj/gate-")

;;;; Good, doubtful, bad

(defface cj/gate-good
  '((((class color) (min-colors 88) (background light)) :foreground "#00602b")
    (((class color) (min-colors 88) (background dark)) :foreground "#7ad98f")
    (((class color)) :foreground "green")
    (t))
  "Face of words for success, such as PASS and ok."
  :group 'cj-gate-faces)

(defface cj/gate-warning
  '((((class color) (min-colors 88) (background light))
     :foreground "#7a4a00" :weight bold)
    (((class color) (min-colors 88) (background dark))
     :foreground "#f0b95a" :weight bold)
    (((class color) (background light)) :foreground "magenta" :weight bold)
    (((class color)) :foreground "yellow" :weight bold)
    (t :weight bold))
  "Face of words that deserve a second look: WARN, declined, truncated."
  :group 'cj-gate-faces)

(defface cj/gate-bad
  '((((class color) (min-colors 88) (background light))
     :foreground "#a60000" :weight bold)
    (((class color) (min-colors 88) (background dark))
     :foreground "#ff8a80" :weight bold)
    (((class color)) :foreground "red" :weight bold)
    (t :weight bold :inverse-video t))
  "Face of words for failure: FAIL, or a kind of error such as timeout."
  :group 'cj-gate-faces)

(defface cj/gate-mode-line '((t :inherit mode-line-emphasis :weight bold))
  "Face of the gate's words in the mode line.
The colour is the theme's own for the mode line, whose background differs from
that of buffers."
  :group 'cj-gate-faces)

(defface cj/gate-quiet
  '((((class color) (min-colors 88) (background light)) :foreground "#595959")
    (((class color) (min-colors 88) (background dark)) :foreground "#a8a8a8")
    (t))
  "Face of details that need no attention: times, sums, SKIP."
  :group 'cj-gate-faces)

;;;; Text

(defface cj/gate-heading '((t :inherit bold))
  "Face of the heading of a section."
  :group 'cj-gate-faces)

(defface cj/gate-label '((t :inherit cj/gate-quiet))
  "Face of the label before a value."
  :group 'cj-gate-faces)

(defface cj/gate-command '((t :inherit bold))
  "Face of the command that a row or a record is about."
  :group 'cj-gate-faces)

;; The faces of diff-mode are not used: they exist only once it is loaded.

(defface cj/gate-added
  '((((class color) (min-colors 88) (background light))
     :background "#ddffdd" :extend t)
    (((class color) (min-colors 88) (background dark))
     :background "#1f3d1f" :extend t)
    (((class color)) :foreground "green")
    (t))
  "Face of lines that a change adds; they begin with +."
  :group 'cj-gate-faces)

(defface cj/gate-removed
  '((((class color) (min-colors 88) (background light))
     :background "#ffdddd" :extend t)
    (((class color) (min-colors 88) (background dark))
     :background "#4a2020" :extend t)
    (((class color)) :foreground "red")
    (t :slant italic))
  "Face of lines that a change removes; they begin with -."
  :group 'cj-gate-faces)

(defface cj/gate-hunk '((t :inherit cj/gate-quiet :weight bold))
  "Face of the line that says where in a file a change is; it begins with @@."
  :group 'cj-gate-faces)

;;;; The classes of calls

(defface cj/gate-class-read '((t :inherit cj/gate-good))
  "Face of the class `read': a call that changes nothing."
  :group 'cj-gate-faces)

(defface cj/gate-class-local
  '((((class color) (min-colors 88) (background light)) :foreground "#005a8c")
    (((class color) (min-colors 88) (background dark)) :foreground "#7cc7f5")
    (((class color) (background light)) :foreground "blue")
    (((class color)) :foreground "cyan")
    (t))
  "Face of a class `local'; the gate gives no call this class."
  :group 'cj-gate-faces)

(defface cj/gate-class-write '((t :inherit cj/gate-warning))
  "Face of the class `write': a call whose change can be taken back."
  :group 'cj-gate-faces)

(defface cj/gate-class-unknown
  '((((class color) (min-colors 88) (background light))
     :foreground "#6b2fa0" :weight bold)
    (((class color) (min-colors 88) (background dark))
     :foreground "#d3a8ff" :weight bold)
    (((class color)) :foreground "magenta" :weight bold)
    (t :weight bold))
  "Face of the class `unknown': a call that is not fully understood."
  :group 'cj-gate-faces)

(defface cj/gate-class-destructive '((t :inherit cj/gate-bad))
  "Face of the class `destructive': a call that cannot be undone."
  :group 'cj-gate-faces)

(defface cj/gate-class-forbidden '((t :inherit cj/gate-bad :slant italic))
  "Face of the class `blocked': a call that is always refused."
  :group 'cj-gate-faces)

(defconst cj/gate-faces--of-classes
  '(("read" . cj/gate-class-read) ("local" . cj/gate-class-local)
    ("write" . cj/gate-class-write) ("unknown" . cj/gate-class-unknown)
    ("destructive" . cj/gate-class-destructive)
    ("blocked" . cj/gate-class-forbidden) ("forbidden" . cj/gate-class-forbidden))
  "Alist of classes, strings, and their faces.")

(defun cj/gate-faces-of-class (class)
  "Return the face of CLASS, a symbol or a string."
  (or (cdr (assoc (format "%s" class) cj/gate-faces--of-classes)) 'default))

(defun cj/gate-faces-class (class)
  "Return the name of CLASS, a symbol or a string, in the face of that class.
The value is empty where CLASS is nil."
  (let ((name (if class (format "%s" class) "")))
    (propertize name 'face (cj/gate-faces-of-class name))))

;;;; How a call ended

(defun cj/gate-faces-end (kind exit)
  "Return how a call ended, a short string in the face of that end.
KIND is the kind of error, a symbol or a string, or nil; EXIT is the exit code,
a number or a string, or nil.  The value is KIND, else \"ok\" or \"exit N\" by
EXIT, and empty where both are nil."
  (let ((code (and exit (format "%s" exit)))
        (kind (and kind (format "%s" kind))))
    (cond
     ((member kind '("declined" "cancelled" "truncated"))
      (propertize kind 'face 'cj/gate-warning))
     (kind (propertize kind 'face 'cj/gate-bad))
     ((equal code "0") (propertize "ok" 'face 'cj/gate-good))
     (code (propertize (concat "exit " code) 'face 'cj/gate-warning))
     (t ""))))

;;;; What a doctor found

(defun cj/gate-faces-grade (grade)
  "Return GRADE of a check, a symbol, as a word in capitals in its face.
GRADE is `pass', `warn', `fail' or `skip'."
  (propertize (upcase (symbol-name grade))
              'face (pcase grade
                      ('pass 'cj/gate-good)
                      ('warn 'cj/gate-warning)
                      ('fail 'cj/gate-bad)
                      (_ 'cj/gate-quiet))))

;;;; Lines of a change

(defun cj/gate-faces-diff (start end)
  "Put the faces of a unified diff on the lines between START and END."
  (save-excursion
    (goto-char start)
    (beginning-of-line)
    (while (< (point) end)
      (let ((face (cond ((looking-at "\\+\\+\\+ \\|--- \\|diff ") 'cj/gate-heading)
                        ((looking-at "@@") 'cj/gate-hunk)
                        ((eq (char-after) ?+) 'cj/gate-added)
                        ((eq (char-after) ?-) 'cj/gate-removed))))
        (when face
          (put-text-property (point) (min end (line-beginning-position 2))
                             'face face)))
      (forward-line))))

(provide 'cj-gate-faces)

;;; cj-gate-faces.el ends here
