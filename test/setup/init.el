;;; init.el --- What every Emacs of a make target loads first  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Puts our lisp/, test/lisp/ and tools/ on `load-path', and the packages that
;; "make deps" put under .deps/; sets the directory of the module of the dev
;; profile.  Works in each supported Emacs and from any directory.  Loads none
;; of these files.

;;; Code:

(defvar cj/gate-module-directory)

;; Native compilers in the background would take the cores that timing tests
;; need, and outlive the Emacs that started them.  Each version of Emacs knows
;; some of these options.
(dolist (option '(native-comp-jit-compilation native-comp-deferred-compilation
                  native-comp-enable-subr-trampolines comp-enable-subr-trampolines))
  (set option nil))

;; A source that is newer than its compiled file is loaded instead of it.
(setq load-prefer-newer t)

(let* ((root (expand-file-name
              "../../" (file-name-directory (or load-file-name buffer-file-name))))
       (deps (expand-file-name ".deps/" root)))
  (dolist (dir (file-expand-wildcards (concat deps "elpa/*") t))
    (push dir load-path))
  ;; GPTEL=DIR: the gptel in DIR goes before the one of "make deps".
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
