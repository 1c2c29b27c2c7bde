;;; readme-tests.el --- README.org is short, and its links lead somewhere -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'manual-readme)

(declare-function manual-reference-options "manual-reference")
(declare-function manual-reference-commands "manual-reference")

(defun readme-tests--links ()
  "Return where the links of README.org lead to, a list of strings."
  (with-temp-buffer
    (insert (manual-readme--file "README.org"))
    (goto-char (point-min))
    (let ((links nil))
      (while (re-search-forward "\\[\\[\\([^]]+\\)\\]" nil t)
        (push (match-string 1) links))
      (nreverse links))))

(defun readme-tests--nodes ()
  "Return the nodes of the manual as Info reads it, a list of strings."
  (with-temp-buffer
    (insert (manual-readme--file "docs/cj-gate.info"))
    (goto-char (point-min))
    (let ((nodes nil))
      (while (re-search-forward "^File: cj-gate\\.info,  Node: \\([^,\n]+\\),"
                                nil t)
        (push (match-string 1) nodes))
      nodes)))

(ert-deftest readme-has-at-most-10240-bytes ()
  "README.org has at most 10,240 bytes."
  (let ((readme (expand-file-name "README.org" manual-readme-root)))
    (should (<= 3000 (file-attribute-size (file-attributes readme)) 10240))))

(ert-deftest readme-excerpts-equal-the-manual ()
  "README.org equals what `make info' makes of it and of the manual."
  (unless (equal (manual-readme--file "README.org") (manual-readme-text))
    (ert-fail "README.org is stale; run `make info' and commit it")))

(ert-deftest readme-links-lead-to-files-and-nodes-of-the-manual ()
  "Each link leads to an existing file or node of the manual, or to https."
  (let ((nodes (readme-tests--nodes))
        (of-file 0)
        (of-manual 0))
    (should (member "Approving" nodes))
    (dolist (link (readme-tests--links))
      (cond
       ((string-prefix-p "file:" link)
        (cl-incf of-file)
        (unless (file-exists-p (expand-file-name
                                (string-remove-prefix "file:" link)
                                manual-readme-root))
          (ert-fail (format "There is no %s" link))))
       ((string-prefix-p "info:cj-gate#" link)
        (cl-incf of-manual)
        (unless (member (string-remove-prefix "info:cj-gate#" link) nodes)
          (ert-fail (format "The manual has no node for %s" link))))
       ((string-prefix-p "https://" link))
       (t (ert-fail (format "Nothing says where %s leads" link)))))
    (should (> of-file 4))
    (should (> of-manual 5))))

(ert-deftest readme-names-only-existing-commands-and-options ()
  "Each symbol of ours that README.org names is a command or an option."
  (require 'manual-reference)
  (let ((known (append '(cj/gh-register)
                       (manual-reference-options) (manual-reference-commands)))
        (seen 0))
    (with-temp-buffer
      (insert (manual-readme--file "README.org"))
      (goto-char (point-min))
      (while (re-search-forward "\\_<cj/[-a-z]+" nil t)
        (cl-incf seen)
        (unless (memq (intern (match-string 0)) known)
          (ert-fail (format "There is no %s" (match-string 0))))))
    (should (> seen 6))))

(ert-deftest readme-excerpts-are-converted-to-org ()
  "Lists, tables, code and marks of Texinfo become Org; others are an error."
  (cl-flet ((org (&rest lines)
              (manual-readme--org (concat (string-join lines "\n") "\n") nil)))
    (should (equal (org "Say @code{a} or" "@samp{b=c}.  Then" "see @ref{Top}.")
                   "Say =a= or ~b=c~.\nThen see [[info:cj-gate#Top][Top]].\n"))
    (should (equal (org "@enumerate" "@item" "One.  More." "@item Two@dots{}"
                        "@end enumerate")
                   "1. One.\n   More.\n2. Two…\n"))
    (should (equal (org "@table @asis" "@item A" "One." "@end table")
                   "- *A*: One.\n"))
    (should (equal (org "@multitable @columnfractions .5 .5"
                        "@headitem a @tab b" "@item @code{c}" "@tab d"
                        "@end multitable")
                   "| a | b |\n|---+---|\n| =c= | d |\n"))
    (should (equal (org "@lisp" "(f \"@@\")" "@end lisp")
                   "#+begin_src emacs-lisp\n(f \"@\")\n#+end_src\n"))
    (should (equal (org "@c sh" "@example" "ls" "@end example")
                   "#+begin_src sh\nls\n#+end_src\n"))
    (should-error (org "See @footnote{this}."))))

(ert-deftest readme-excerpts-can-be-cut-to-first-sentences ()
  "With the mark in the manual, each item is cut to its first sentence."
  (should (equal (manual-readme--org
                  (concat "@itemize @bullet\n@item\nOne, e.g. this.  More.\n"
                          "@item\nTwo.\n@end itemize\n")
                  t)
                 "- One, e.g. this.\n- Two.\n")))

(provide 'readme-tests)

;;; readme-tests.el ends here
