;;; lint.el --- Checks of the Lisp sources, all offline  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Loaded after test/setup/init.el:
;;
;;   emacs -Q --batch -l test/setup/init.el -l test/lint/lint.el -f FUNCTION FILE...
;;
;; FUNCTION checks each FILE, prints its findings as FILE:LINE: TEXT, and exits
;; with 1 if there is a finding.

;;; Code:

(require 'cl-lib)
(require 'seq)

(defvar byte-compile-dest-file-function)
(defvar byte-compile-error-on-warn)
(defvar checkdoc-autofix-flag)
(defvar checkdoc-create-error-function)
(defvar package-lint--sane-prefixes)
(defvar package-lint-main-file)
(declare-function check-declare-file "check-declare" (file))
(declare-function checkdoc-current-buffer "checkdoc" (&optional take-notes))
(declare-function package-lint-buffer "package-lint" (&optional buffer))
(declare-function package-load-descriptor "package" (pkg-dir))

(defconst lint--root (expand-file-name "../../" (file-name-directory load-file-name))
  "The directory that the package's sources are in.")

(defun lint--exit (findings)
  "Print the strings FINDINGS and exit, with 1 if there are any."
  (dolist (finding findings)
    (message "%s" finding))
  (kill-emacs (if findings 1 0)))

(defun lint-byte-compile ()
  "Compile each file with warnings as errors; leave no compiled file."
  (require 'bytecomp)
  (let* ((scratch (make-temp-file "lint" t))
         (byte-compile-error-on-warn t)
         (byte-compile-dest-file-function
          (lambda (file)
            (expand-file-name (concat (file-name-base file) ".elc") scratch)))
         (failed (seq-remove #'byte-compile-file command-line-args-left)))
    (delete-directory scratch t)
    ;; The compiler has printed the warnings and errors already.
    (lint--exit (mapcar (lambda (file) (format "%s: does not compile cleanly" file))
                        failed))))

(defun lint-check-declare ()
  "Compare each `declare-function' with the definition that it names."
  (require 'check-declare)
  ;; Without this, check-declare would look for definitions in a built module.
  (let* ((load-suffixes (remove module-file-suffix load-suffixes))
         (failed (seq-filter #'check-declare-file command-line-args-left)))
    ;; The checker has printed the wrong declarations already.
    (lint--exit (mapcar (lambda (file) (format "%s: has a wrong declare-function" file))
                        failed))))

(defun lint-checkdoc ()
  "Check the documentation strings and comments of each file."
  (require 'checkdoc)
  (let* ((findings nil)
         (checkdoc-autofix-flag 'never)
         (checkdoc-create-error-function
          (lambda (text start _end &optional _unfixable)
            (push (format "%s:%d: %s" (file-relative-name buffer-file-name lint--root)
                          (line-number-at-pos (or start (point-min)) t) text)
                  findings)
            nil)))
    (dolist (file command-line-args-left)
      (with-current-buffer (find-file-noselect file)
        (checkdoc-current-buffer t)))
    (lint--exit (nreverse findings))))

(defun lint-package ()
  "Check each file by the rules of the package archives.
The packages under .deps/elpa are known to package-lint as dependencies, and the
four prefixes of our symbols, cj/gh, cj/net, cj/forge and cj/gate, as allowed."
  (require 'package)
  (require 'package-lint)
  (mapc #'package-load-descriptor
        (file-expand-wildcards (expand-file-name ".deps/elpa/*" lint--root)))
  (setq package-lint-main-file (expand-file-name "lisp/cj-gate.el" lint--root)
        package-lint--sane-prefixes
        (concat package-lint--sane-prefixes
                "\\|\\`cj/\\(?:gh\\|net\\|forge\\|gate\\)\\(?:-\\|\\'\\)"))
  (lint--exit
   (cl-loop for file in command-line-args-left
            append (with-current-buffer (find-file-noselect file)
                     (cl-loop for (line column type text) in (package-lint-buffer)
                              collect (format "%s:%d:%d: %s: %s"
                                              file line column type text))))))

;;; lint.el ends here
