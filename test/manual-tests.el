;;; manual-tests.el --- The manual says what the sources say -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'manual-reference)

(defun manual-tests--file (name)
  "Return the text of the file NAME of the checkout."
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8))
      (insert-file-contents (expand-file-name name manual-reference-root)))
    (buffer-string)))

(ert-deftest manual-reference-is-not-stale ()
  "A tool, option or command that has changed is in the manual after `make info'."
  (unless (equal (manual-tests--file "docs/reference.texi") (manual-reference-text))
    (ert-fail "docs/reference.texi is stale; run `make info' and commit it")))

(ert-deftest manual-table-of-the-readme-is-not-stale ()
  "A tool or argument that has changed is in README.org after `make info'."
  (with-temp-buffer
    (insert (manual-tests--file "README.org"))
    (unless (equal (manual-reference-readme-table) (manual-reference-table))
      (ert-fail "The table of tools in README.org is stale; run `make info' and commit it"))))

(ert-deftest manual-readme-lists-every-option-and-command ()
  "Each public option and command has a row in README.org."
  (let ((readme (manual-tests--file "README.org")))
    (dolist (option (manual-reference-options))
      (unless (string-match-p (format "^| =%s= " option) readme)
        (ert-fail (format "%s has no row" option))))
    (dolist (command (manual-reference-commands))
      (unless (string-match-p (format "^| =M-x %s\\( [A-Z]+\\)?= " command) readme)
        (ert-fail (format "%s has no row" command))))))

(ert-deftest manual-has-every-option-command-and-tool ()
  "Each public option and command, and each tool, has an entry."
  (let ((text (manual-tests--file "docs/reference.texi")))
    (should (> (length (manual-reference-options)) 10))
    (should (memq 'cj/gh-policy (manual-reference-options)))
    (should (memq 'cj/gate-stop (manual-reference-commands)))
    (should-not (memq 'cj/gate-approval-accept (manual-reference-commands)))
    (dolist (entry (append
                    (mapcar (lambda (option) (format "@defopt %s\n" option))
                            (manual-reference-options))
                    (mapcar (lambda (command) (format "@deffn Command %s\n" command))
                            (manual-reference-commands))
                    (mapcar (lambda (row) (format "@deffn Tool %s\n" (plist-get row :name)))
                            (append cj/gh-tools-table cj/net-tools-table))))
      (should (string-match-p (regexp-quote entry) text)))))

(ert-deftest manual-options-say-their-default ()
  "The docstring of an option says what its default does."
  (dolist (option (manual-reference-options))
    (let ((case-fold-search t))
      (unless (string-match-p "\\bdefaults?\\b"
                              (documentation-property option 'variable-documentation t))
        (ert-fail (format "The docstring of %s does not say its default" option))))))

(ert-deftest manual-has-every-error-kind ()
  "The manual and the README list the kinds of errors that there are."
  (let ((manual (manual-tests--file "docs/cj-gate.texi"))
        (readme (manual-tests--file "README.org")))
    (dolist (kind cj/gate-error-kinds)
      (should (string-match-p (format "^@item %s$" kind) manual))
      (should (string-match-p (format "^| =%s= " kind) readme)))))

(ert-deftest manual-is-of-this-version ()
  "The manual, the Lisp and the module tell the same version."
  (should (string-match-p (format "^@set VERSION %s$" (regexp-quote cj/gate-version))
                          (manual-tests--file "docs/cj-gate.texi")))
  (should (string-match-p (format "^version = \"%s\"$" (regexp-quote cj/gate-version))
                          (manual-tests--file "Cargo.toml"))))

(ert-deftest manual-pictures-are-of-this-version ()
  "The pictures of README.org are there, small, and made with this version."
  (let ((readme (manual-tests--file "README.org"))
        (start 0)
        (pictures nil))
    (should (equal (car (split-string (manual-tests--file "docs/images/version") "\n"))
                   (concat "cj-gate " cj/gate-version)))
    (should (string-match-p (format "^The pictures are of version %s;"
                                    (regexp-quote cj/gate-version))
                            readme))
    (while (string-match "\\[\\[file:\\(docs/images/[^]]+\\)\\]\\]" readme start)
      (push (match-string 1 readme) pictures)
      (setq start (match-end 0)))
    (should (= (length pictures)
               (length (directory-files (expand-file-name "docs/images" manual-reference-root)
                                        nil "\\.png\\'"))))
    (dolist (picture pictures)
      (let ((file (expand-file-name picture manual-reference-root)))
        (should (< 1000 (file-attribute-size (file-attributes file)) 100001))))))

(ert-deftest manual-builds-without-a-warning ()
  "Makeinfo has nothing to say about the manual."
  (unless (executable-find "makeinfo")
    (ert-skip "There is no makeinfo; `make deps' installs it as root"))
  (let ((info (make-temp-file "manual" nil ".info")))
    (unwind-protect
        (with-temp-buffer
          (let ((status (call-process "makeinfo" nil t nil "--no-split" "-o" info
                                      (expand-file-name "docs/cj-gate.texi"
                                                        manual-reference-root))))
            (should (equal (buffer-string) ""))
            (should (equal status 0)))
          (insert-file-contents info)
          ;; Info's own reader finds each chapter.
          (dolist (node '("Overview" "Approving" "Tools" "Options" "Commands"))
            (goto-char (point-min))
            (should (search-forward (format "Node: %s," node) nil t))))
      (delete-file info))))

;;; manual-tests.el ends here
