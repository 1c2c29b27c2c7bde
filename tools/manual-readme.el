;;; manual-readme.el --- Excerpts of the manual in README.org -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; README.org is short, and most of its text is in the manual too.  So that
;; nobody writes that text twice, the manual marks its excerpts,
;;
;;   @c README: NAME
;;   ...
;;   @c End README
;;
;; and `make info' puts each excerpt, as Org, between the lines
;;
;;   # From the manual, by `make info': NAME
;;   # End of NAME
;;
;; of README.org.  Where ", first sentences" stands behind NAME in the manual,
;; only the first sentence of each paragraph and list item is taken.
;;
;; `manual-readme--org' knows the Texinfo commands that the excerpts need, and
;; signals an error on any other.

;;; Code:

(require 'cl-lib)
(require 'subr-x)

(defconst manual-readme-root
  (expand-file-name "../" (file-name-directory
                           (or load-file-name buffer-file-name)))
  "Root of the checkout.")

(defun manual-readme--file (name)
  "Return the text of the file NAME of the checkout."
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8-unix))
      (insert-file-contents (expand-file-name name manual-readme-root)))
    (buffer-string)))

(defun manual-readme-excerpts ()
  "Return the excerpts that the manual marks, a list of (NAME FIRST TEXINFO).
FIRST is non-nil where only first sentences are to be taken."
  (with-temp-buffer
    (insert (manual-readme--file "docs/cj-gate.texi"))
    (goto-char (point-min))
    (let ((all nil))
      (while (re-search-forward
              "^@c README: \\([a-z-]+\\)\\(, first sentences\\)?\n" nil t)
        (let ((name (match-string 1))
              (first (and (match-beginning 2) t))
              (start (point)))
          (re-search-forward "^@c End README$")
          (push (list name first
                      (buffer-substring start (line-beginning-position)))
                all)))
      (nreverse all))))

;;;; From Texinfo to Org

(defconst manual-readme--verbatim
  (concat "@\\(?:code\\|command\\|env\\|file\\|kbd\\|option\\|samp\\)"
          "{\\(\\(?:[^@{}]\\|@[@{}]\\)*\\)}")
  "Regular expression for the Texinfo commands that become code in Org.")

(defun manual-readme--inline (text)
  "Return TEXT, a piece of a Texinfo paragraph, as Org."
  (let ((replace (lambda (regexp new)
                   (setq text (replace-regexp-in-string regexp new text t)))))
    (funcall replace "@key{\\([^}]*\\)}" "\\1")
    (funcall replace "@dots{}" "…")
    (funcall replace "@p?x?ref{\\([^}\n]*\\)}" "[[info:cj-gate#\\1][\\1]]")
    (funcall replace "@uref{\\([^,}]*\\),\\([^}]*\\)}" "[[\\1][\\2]]")
    (funcall replace "@emph{\\([^}]*\\)}" "/\\1/")
    (funcall replace manual-readme--verbatim
             (lambda (found)
               (let ((inner (match-string 1 found)))
                 (format (if (string-search "=" inner) "~%s~" "=%s=") inner))))
    (funcall replace "``" "“")
    (funcall replace "''" "”")
    (funcall replace "`" "‘")
    (funcall replace "' " "’ ")
    (when (string-match "\\(?:^\\|[^@]\\)\\(?:@@\\)*@[^@{}]" text)
      (error "README.org cannot have this Texinfo: %s" text))
    (funcall replace "@\\([@{}]\\)" "\\1")
    text))

(defun manual-readme--sentences (text)
  "Return TEXT, a paragraph of Texinfo, as a list of sentences in Org.
A sentence ends where two blanks or a line's end follow its full stop."
  (mapcar (lambda (sentence)
            (manual-readme--inline
             (replace-regexp-in-string "[ \n]+" " " sentence)))
          (split-string (replace-regexp-in-string
                         "\\([.?!]\\(?:''\\|)\\)?\\)\\(?:  +\\|\n\\)"
                         "\\1\0" (string-trim text) t)
                        "\0" t "[ \n]+")))

(defun manual-readme--paragraph (text indent first)
  "Return TEXT, a paragraph of Texinfo, as Org, a line a sentence.
Each line but the first begins with the string INDENT.  With FIRST non-nil,
return only the first sentence."
  (let ((sentences (manual-readme--sentences text)))
    (string-join (if first (list (car sentences)) sentences)
                 (concat "\n" indent))))

(defun manual-readme--items (text)
  "Return the items of TEXT, the inside of a list or table of Texinfo."
  (cdr (split-string (concat "\n" text)
                     "\n@\\(?:item\\|headitem\\)\\>[ \n]?")))

(defun manual-readme--list (kind text first)
  "Return the Texinfo list TEXT of KIND as Org.
FIRST is as for `manual-readme--paragraph'."
  (let ((number 0))
    (mapconcat
     (lambda (item)
       (pcase kind
         ("enumerate"
          (concat (format "%d. " (cl-incf number))
                  (manual-readme--paragraph item "   " first)))
         ("itemize"
          (concat "- " (manual-readme--paragraph item "  " first)))
         ("table"
          (let ((name (car (split-string item "\n"))))
            (format "- *%s*: %s" (manual-readme--inline name)
                    (manual-readme--paragraph (string-remove-prefix name item)
                                              "  " first))))))
     (manual-readme--items text)
     "\n")))

(defun manual-readme--table (text)
  "Return the inside TEXT of a table with several columns as an Org table."
  (let ((rows (mapcar (lambda (item)
                        (mapcar (lambda (cell)
                                  (string-join (manual-readme--sentences cell) " "))
                                (split-string item "[ \n]*@tab[ \n]*")))
                      (manual-readme--items text))))
    (concat "| " (string-join (car rows) " | ") " |\n"
            "|" (mapconcat (lambda (_) "---") (car rows) "+") "|\n"
            (mapconcat (lambda (row)
                         (concat "| " (string-join row " | ") " |"))
                       (cdr rows) "\n"))))

(defun manual-readme--code (kind text)
  "Return TEXT, the lines of an example, as Org.
KIND is a language of Org's blocks of code, or nil."
  (format "#+begin_%s\n%s#+end_%s"
          (if kind (concat "src " kind) "example")
          (replace-regexp-in-string "@\\([@{}]\\)" "\\1" text)
          (if kind "src" "example")))

(defconst manual-readme--block
  (concat "@\\(lisp\\|example\\|itemize\\|enumerate\\|table\\|multitable\\)"
          "\\>.*\n")
  "Regular expression for the first line of an example, a list or a table.")

(defun manual-readme--org (text first)
  "Return the Texinfo TEXT as Org; FIRST is as in `manual-readme-excerpts'."
  (with-temp-buffer
    (insert text)
    (goto-char (point-min))
    (let ((parts nil)
          (shell nil))
      (while (progn (skip-chars-forward "\n") (not (eobp)))
        (cond
         ((looking-at "@c sh\n")
          (setq shell "sh")
          (goto-char (match-end 0)))
         ((looking-at manual-readme--block)
          (let ((kind (match-string 1))
                (start (goto-char (match-end 0))))
            (re-search-forward (format "^@end %s$" kind))
            (let ((inside (buffer-substring start (line-beginning-position))))
              (push (pcase kind
                      ("lisp" (manual-readme--code "emacs-lisp" inside))
                      ("example" (manual-readme--code shell inside))
                      ("multitable" (manual-readme--table (string-trim inside)))
                      (_ (manual-readme--list kind (string-trim inside) first)))
                    parts)
              (setq shell nil))))
         (t
          (let ((start (point)))
            (re-search-forward "\n\\(?:\n\\|\\'\\)\\|\\'")
            (push (manual-readme--paragraph (buffer-substring start (point))
                                            "" first)
                  parts)))))
      (concat (string-join (nreverse parts) "\n\n") "\n"))))

;;;; README.org

(defun manual-readme-text ()
  "Return the text of README.org with each excerpt as it is in the manual now."
  (let ((left (manual-readme-excerpts)))
    (with-temp-buffer
      (insert (manual-readme--file "README.org"))
      (goto-char (point-min))
      (while (re-search-forward
              "^# From the manual, by `make info': \\(.*\\)\n" nil t)
        (let* ((name (match-string 1))
               (excerpt (or (assoc name left)
                            (error "The manual marks no excerpt %s" name)))
               (start (point)))
          (re-search-forward (format "^# End of %s$" name))
          (delete-region start (line-beginning-position))
          (goto-char start)
          (insert (manual-readme--org (nth 2 excerpt) (nth 1 excerpt)))
          (setq left (delq excerpt left))))
      (when left
        (error "README.org has no place for the excerpt %s" (caar left)))
      (buffer-string))))

(defun manual-readme-write ()
  "Write the excerpts of the manual into README.org."
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region (manual-readme-text) nil
                  (expand-file-name "README.org" manual-readme-root) nil 'quiet)))

(provide 'manual-readme)

;;; manual-readme.el ends here
