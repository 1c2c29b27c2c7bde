;;; bench-package.el --- The package as benches load it -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A bench times the package as a package manager leaves it: compiled by the
;; Emacs that runs the bench, in a separate directory.

;;; Code:

(defconst bench-lisp (file-name-directory (locate-library "cj-gate.el"))
  "Directory of the package's source.")

(defconst bench-setup
  (expand-file-name "../setup/init.el"
                    (file-name-directory (or load-file-name buffer-file-name)))
  "The file test/setup/init.el, which every Emacs of a make target loads first.")

(defun bench-emacs ()
  "Return the command that starts this Emacs once more."
  ;; An Emacs unpacked by `make deps' finds its parts by the environment, which
  ;; the new one inherits.
  (expand-file-name invocation-name invocation-directory))

(defun bench-compiled (directory)
  "Copy the package's Lisp into DIRECTORY and compile it there."
  (dolist (file (directory-files bench-lisp t "\\`cj-.*\\.el\\'"))
    (copy-file file directory t))
  (with-temp-buffer
    (unless (eql 0 (apply #'call-process (bench-emacs) nil t nil "-Q" "--batch"
                          "-l" bench-setup
                          "-L" directory "-f" "batch-byte-compile"
                          (directory-files directory t "\\`cj-.*\\.el\\'")))
      (error "The package does not compile: %s" (buffer-string)))))

(provide 'bench-package)

;;; bench-package.el ends here
