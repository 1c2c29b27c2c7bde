;;; cj-gate-approval-text.el --- The text that a person approves -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The text of the approval buffer, in the order in which a person decides: one
;; sentence that says what will happen, the texts that the call sends compared
;; with those that they replace, the facts about what the call concerns, its
;; arguments, and what cannot be undone.  All of it is plain text under labels:
;; no fact is shown by a colour or a face alone.  No text of a call can pass for
;; a line of the buffer: each line of such a text has a prefix.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate)
(require 'cj-gate-faces)
(require 'cj-gate-view)

;; The face has a background, not larger letters: so the sentence of most calls
;; stays on one line in a window of 80 columns, and the last line of a window is
;; never cut in half.
(defface cj/gate-confirm-sentence
  '((((class color) (min-colors 88) (background light))
     :inherit bold :background "#dde7ff" :extend t)
    (((class color) (min-colors 88) (background dark))
     :inherit bold :background "#1d2f52" :extend t)
    (t :inherit bold))
  "Face of the sentence that the approval buffer begins with."
  :group 'cj-gate-faces)

(defun cj/gate-approval-text--line (text)
  "Return TEXT on one line: its control characters, line ends too, as \"^J\"."
  (replace-regexp-in-string
   "[[:cntrl:]\u2028\u2029]"
   (lambda (found)
     (let ((code (aref found 0)))
       (if (< code 32) (string ?^ (+ code 64)) (format "<U+%04X>" code))))
   text t t))

;;;; Rows

(defconst cj/gate-approval-text--label-width 10
  "Columns for the label of a row: the length of the longest, \"Visibility\".")

(defconst cj/gate-approval-text--indent
  (make-string (+ 2 cj/gate-approval-text--label-width 2) ?\s)
  "Blanks before each line of a row after the first.")

(defun cj/gate-approval-text--row (label value &optional face)
  "Return the line for VALUE, with FACE, under LABEL.
At least two columns between LABEL and VALUE stay empty.  If FACE is
`cj/gate-bad', for a fact that speaks against the call, \"!\" stands before
LABEL, for a display without colours."
  (let* ((line (cj/gate-approval-text--line value))
         (bad (eq face 'cj/gate-bad))
         ;; A wrapped part has the prefix of a text: it cannot pass for a row.
         (row (cj/gate-view-row (concat (if bad "! " "  ") label)
                                (if face (propertize line 'face face) line)
                                (+ 2 cj/gate-approval-text--label-width 1) "    | ")))
    (when bad
      (put-text-property 0 2 'face face row))
    row))

(defun cj/gate-approval-text--quoted (text)
  "Return TEXT, the gate's own, with curved quotes in place of `...'."
  (replace-regexp-in-string "`\\([^`'\n]+\\)[`']" "“\\1”" text t))

(defun cj/gate-approval-text--folded (text)
  "Return the prose TEXT folded so that a row with it fits in 80 columns."
  (with-temp-buffer
    (insert (cj/gate-approval-text--line text))
    (let ((fill-column (- 80 (length cj/gate-approval-text--indent))) (adaptive-fill-mode nil))
      (fill-region (point-min) (point-max)))
    (split-string (buffer-string) "\n" t)))

(defun cj/gate-approval-text--prose (label text &optional face)
  "Return the lines for the prose TEXT, with FACE, under LABEL."
  (let ((lines (cj/gate-approval-text--folded text)))
    (concat (cj/gate-approval-text--row label (or (car lines) "") face)
            (mapconcat (lambda (line)
                         (propertize (concat cj/gate-approval-text--indent line "\n")
                                     'face face))
                       (cdr lines) ""))))

(defconst cj/gate-approval-text--sources
  '((explicit-repo . "the call, which names it")
    (explicit-host . "the call, which names the host")
    (set-default . "“gh repo set-default” in this checkout")
    (upstream . "what the current branch tracks")
    (origin . "the remote “origin” of this checkout")
    (default . "the option “cj/gh-default-host”")
    (local . "this machine's own network"))
  "Words for the source of a target, by the :source of a plan.")

(defun cj/gate-approval-text--heading (text)
  "Return the heading TEXT with an empty line above."
  (concat "\n"
          (propertize (format "  %s\n" text)
                      'face 'cj/gate-heading 'cj/gate-section (string-trim-right text "[:.]+"))))

;;;; Arguments

(defconst cj/gate-approval-text--before-value
  "\\`\\(?:\\|--[a-z][a-z-]*=\\|-[A-Za-z]=?\\|[^=[:space:]]+=\\)\\'"
  "Regexp for the part of an argument before its text: `--body=', `body='.")

(defun cj/gate-approval-text--before-text (text argument)
  "Return the part of ARGUMENT before TEXT; nil if TEXT is not its value."
  (and (not (equal text ""))
       (string-suffix-p text argument)
       (let ((before (string-remove-suffix text argument)))
         (and (string-match-p cj/gate-approval-text--before-value before) before))))

(defun cj/gate-approval-text--named-text (argument texts)
  "Return words for ARGUMENT, as in \"--body=(3 lines: Body, above)\".
Return nil if TEXTS, which are shown above, do not have its text."
  (cl-loop for text in texts
           for before = (cj/gate-approval-text--before-text (plist-get text :text) argument)
           for count = (length (cj/gate-approval-text--lines argument))
           when before
           return (format "%s(%d line%s: %s, above)" before
                          count (if (= count 1) "" "s")
                          (cj/gate-approval-text--line (plist-get text :label)))))

(defun cj/gate-approval-text--argument (number argument texts)
  "Return the lines for ARGUMENT, which has NUMBER in the list of arguments.
An argument of several lines whose text is one of TEXTS, which are shown above,
is only named.  In any other argument each line has a prefix, also the parts of
a line that a narrow window wraps, so that no text in an argument can pass for a
line of the buffer."
  (let* ((lines (split-string argument "\n"))
         (named (and (cdr lines) (cj/gate-approval-text--named-text argument texts))))
    (if named
        (format "  %2d  %s\n" number named)
      (propertize
       (concat (format "  %2d  %s\n" number
                       (if (equal argument "") "(empty)" (car lines)))
               (mapconcat (lambda (line) (format "    | %s\n" line))
                          (cdr lines) ""))
       'wrap-prefix "    : "))))

;;;; Texts

(defconst cj/gate-approval-text--diff-cells 250000
  "Most cells of a comparison's table, old lines times new lines.
500 by 500 lines are compared; texts that differ in more count as replaced.")

(defun cj/gate-approval-text--diff (old new)
  "Return how the lines OLD become the lines NEW, a list of (MARK . LINE).
MARK is `same', `gone' or `new'.  If a comparison would need a table of more
than `cj/gate-approval-text--diff-cells' cells, all lines between the common
beginning and the common end count as gone and new."
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
            (if (> (* (length old) (length new)) cj/gate-approval-text--diff-cells)
                (append (mapcar (lambda (line) (cons 'gone line)) old)
                        (mapcar (lambda (line) (cons 'new line)) new))
              (cj/gate-approval-text--compare (vconcat old) (vconcat new)))
            tail)))

(defun cj/gate-approval-text--compare (old new)
  "Return how the lines OLD become the lines NEW, both vectors.
The value is as in `cj/gate-approval-text--diff'.  The lines of the longest
common subsequence of OLD and NEW count as `same'."
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

(defun cj/gate-approval-text--lines (text)
  "Return the lines of TEXT; a line end at its end begins no further line."
  (let ((lines (split-string text "\n")))
    (if (and (cdr lines) (equal (car (last lines)) "")) (butlast lines) lines)))

(defun cj/gate-approval-text--text-line (mark line)
  "Return LINE of a text behind MARK, \"+ \", \"- \", \"  \" or \" \"."
  (propertize (format "    |%s%s\n" mark (cj/gate-approval-text--line line))
              'wrap-prefix "    : "
              'face (pcase mark
                      ("+ " 'cj/gate-added)
                      ("- " 'cj/gate-removed))))

(defun cj/gate-approval-text--old-text (text seen)
  "Return the current text in place of which TEXT is sent; nil if unknown.
SEEN is what the reads before the question gave, a plist, or nil."
  (let ((field (plist-get text :field)))
    (and field
         (cdr (assoc field (plist-get seen :texts))))))

(defun cj/gate-approval-text--cited (quoted)
  "Return the lines for QUOTED, a text that is there already.
QUOTED is a plist of :label and :text."
  (concat
   (cj/gate-approval-text--heading
    (concat (cj/gate-approval-text--line (plist-get quoted :label)) ":"))
   (mapconcat (lambda (line) (cj/gate-approval-text--text-line " " line))
              (cj/gate-approval-text--lines (plist-get quoted :text)) "")))

(defun cj/gate-approval-text--outgoing (text seen)
  "Return the lines for the outgoing TEXT, below those that it is about.
If TEXT replaces a current text that SEEN has, show the difference."
  (let* ((label (cj/gate-approval-text--line (plist-get text :label)))
         (new (plist-get text :text))
         (replaces (plist-get text :replaces))
         (old (and replaces (cj/gate-approval-text--old-text text seen)))
         (many (member label '("Notes" "Field notes")))
         (appear (if many "as they will appear" "as it will appear")))
    (concat
     (mapconcat #'cj/gate-approval-text--cited (plist-get text :above) "")
     (cj/gate-approval-text--heading
      (cond ((not replaces) (format "%s, %s:" label appear))
            ((not old) (format "%s, %s (the current text was not read):" label appear))
            ((equal old new) (format "%s, which %s the current text:"
                                     label (if many "are" "is")))
            (t (format "%s, against the current text (+ is new, - goes away):" label))))
     (cond ((equal new "") (if (or (not old) (equal old "")) "    (empty)\n" ""))
           ((not old)
            (mapconcat (lambda (line) (cj/gate-approval-text--text-line " " line))
                       (cj/gate-approval-text--lines new) "")))
     (and old
          (mapconcat
           (lambda (change)
             (cj/gate-approval-text--text-line
              (pcase (car change) ('new "+ ") ('gone "- ") (_ "  "))
              (cdr change)))
           (cj/gate-approval-text--diff
            (and (not (equal old "")) (cj/gate-approval-text--lines old))
            (and (not (equal new "")) (cj/gate-approval-text--lines new)))
           "")))))

;;;; What the call concerns

(defconst cj/gate-approval-text--tones
  '((good . cj/gate-good) (warning . cj/gate-warning)
    (bad . cj/gate-bad))
  "Faces of facts by their :tone: whether they speak for or against the call.")

(defun cj/gate-approval-text--fact (fact)
  "Return the lines for FACT, a plist of :label, :text and :tone."
  (cj/gate-approval-text--prose
   (plist-get fact :label) (plist-get fact :text)
   (alist-get (plist-get fact :tone) cj/gate-approval-text--tones)))

(defun cj/gate-approval-text--facts (info seen)
  "Return the lines for the facts in SEEN about what the call of INFO concerns."
  (concat
   (mapconcat #'cj/gate-approval-text--fact (plist-get seen :facts) "")
   (and (plist-get info :first-write)
        (cj/gate-approval-text--prose
         "First" (format "the first write to %s from this Emacs"
                         (or (cj/gate--owner-and-repo info) (plist-get info :host)))
         'cj/gate-warning))))

(defun cj/gate-approval-text--more-facts (info)
  "Return the lines for the facts that INFO itself has, its :rows."
  (mapconcat #'cj/gate-approval-text--fact (plist-get info :rows) ""))

(defun cj/gate-approval-text--where (info seen)
  "Return the lines about the target of INFO: host, account, repository.
SEEN is what the reads before the question gave, or nil."
  (let ((program (plist-get info :program))
        (source (plist-get info :source)))
    (concat
     (cj/gate-approval-text--row "Host" (plist-get info :host))
     (and (cj/gate--program-option program :accounts)
          (concat
           (cj/gate-approval-text--row
            "Account" (or (plist-get seen :account) (plist-get info :account)
                          "could not be read; whoever the token belongs to"))
           (cj/gate-approval-text--row
            (if (or (plist-get info :repo) (not (plist-get info :owner)))
                "Repository" "Owner")
            (or (cj/gate--owner-and-repo info) "none"))))
     (cj/gate-approval-text--row "Found by"
                                 (format "%s (%s)"
                                         (alist-get source cj/gate-approval-text--sources)
                                         source))
     (cj/gate-approval-text--row "Runs in"
                                 (abbreviate-file-name (plist-get info :cwd))))))

;;;; The whole text

(defun cj/gate-confirm-sentence (info &optional seen)
  "Return a sentence on what the call of INFO will do, where and as whom.
SEEN is what the reads before the question gave, or nil."
  (let ((sentence (or (plist-get seen :sentence) (plist-get info :sentence))))
    (cj/gate-approval-text--line
     (if (member sentence '(nil ""))
         (format "Run “%s %s” on %s" (plist-get info :program)
                 (plist-get info :command) (cj/gate--target info))
       sentence))))

(defun cj/gate-approval-text--class (class)
  "Return the line about CLASS, a symbol.
Only a class other than `write' has its face: most questions are about writes."
  (cj/gate-approval-text--row "Class" (symbol-name class)
                              (unless (eq class 'write) (cj/gate-faces-of-class class))))

(defun cj/gate-confirm-text (info &optional seen keys)
  "Return the text of the approval buffer for INFO, as of `cj/gate-plan-info'.
SEEN is what the reads before the question gave, a plist with :sentence, :facts,
:texts and :account, or nil.  KEYS is a list of lines, shown under \"Keys\"."
  (concat
   (propertize (concat (cj/gate-confirm-sentence info seen) "\n")
               'face 'cj/gate-confirm-sentence
               'wrap-prefix (propertize "  … " 'face 'cj/gate-confirm-sentence))
   (mapconcat #'cj/gate-approval-text--cited (plist-get info :quoted) "")
   (mapconcat (lambda (text) (cj/gate-approval-text--outgoing text seen))
              (plist-get info :texts) "")
   (cj/gate-approval-text--heading "What it concerns:")
   (cj/gate-approval-text--facts info seen)
   (cj/gate-approval-text--more-facts info)
   (cj/gate-approval-text--where info seen)
   (cj/gate-approval-text--heading (format "Arguments of %s, one a line:"
                                           (plist-get info :program)))
   (let ((number 0))
     (mapconcat (lambda (argument)
                  (cj/gate-approval-text--argument (cl-incf number) argument
                                                   (plist-get info :texts)))
                (plist-get info :shown) ""))
   "\n"
   (cj/gate-approval-text--class (plist-get info :class))
   (cj/gate-approval-text--prose "Why" (cj/gate-approval-text--quoted (plist-get info :reason)))
   (cj/gate-approval-text--prose "Undo" (cj/gate-approval-text--quoted (plist-get info :undo)))
   (and keys
        (concat (cj/gate-approval-text--row "Keys" (car keys))
                (mapconcat (lambda (line)
                             (concat cj/gate-approval-text--indent
                                     (cj/gate-approval-text--line line) "\n"))
                           (cdr keys) "")))))

(provide 'cj-gate-approval-text)

;;; cj-gate-approval-text.el ends here
