;;; init.el --- What every Emacs of a make target loads first  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Puts on `load-path' our own lisp/, test/lisp/ and tools/, and the packages
;; that "make deps" left under .deps/, whatever Emacs this is and wherever it
;; was started, and says where the module of the dev profile is.  Loads none of
;; them.

;;; Code:

(defvar cj/gate-module-directory)

;; Compilers in the background would take the cores that timing tests need,
;; and outlive the Emacs that started them.  Each Emacs knows some of the names.
(dolist (option '(native-comp-jit-compilation native-comp-deferred-compilation
                  native-comp-enable-subr-trampolines comp-enable-subr-trampolines))
  (set option nil))

;; A test may read a file that was saved after its compiled one was made.
(setq load-prefer-newer t)

(let* ((root (expand-file-name
              "../../" (file-name-directory (or load-file-name buffer-file-name))))
       (deps (expand-file-name ".deps/" root)))
  (dolist (dir (file-expand-wildcards (concat deps "elpa/*") t))
    (push dir load-path))
  ;; GPTEL=DIR: the gptel there, before that of "make deps".
  (unless (member (getenv "GPTEL") '(nil ""))
    (push (expand-file-name (getenv "GPTEL") root) load-path))
  ;; transient wants seq 2.24; Emacs 28 has 2.23.
  (when (< emacs-major-version 29)
    (push (concat deps "seq") load-path))
  (dolist (dir '("tools" "test/lisp" "lisp"))
    (push (expand-file-name dir root) load-path))
  (setq cj/gate-module-directory
        (expand-file-name "dev-module/"
                          (expand-file-name (or (getenv "CARGO_TARGET_DIR") "target") root))))

;;; init.el ends here
