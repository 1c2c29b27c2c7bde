;;; cj-gate-manual.el --- Let Info find the manual -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; docs/ has the manual in Info's format, cj-gate.info, and a `dir' file with
;; its entry, so that installing the package needs no texinfo.  Loading this
;; library adds docs/ to the directories in which Info looks; it loads Info
;; itself only if INFOPATH is set.  The autoloads of an installed package load
;; this library, and so does cj-gate-load.el if the package is only on
;; `load-path'.

;;; Code:

(defvar Info-default-directory-list)
(defvar Info-dir-contents)
(defvar Info-directory-list)
(declare-function info-initialize "info" ())

(defconst cj/gate-manual--directory
  (let* ((this (or load-file-name buffer-file-name default-directory))
         (source (concat (file-name-sans-extension this) ".el")))
    ;; Straight and elpaca load from a directory of links to the sources; docs/
    ;; is beside the sources.
    (expand-file-name "../docs/" (file-name-directory
                                  (if (file-exists-p source) (file-truename source) this))))
  "Directory of the manual in a checkout; an installed package may lack it.")

(defun cj/gate-manual-add ()
  "Let Info find the manual and list it in its directory node.
Do nothing if the package has no docs/ with a manual: a package that was built
without docs/, as MELPA builds it, has its manual where Info looks anyway."
  (when (file-exists-p (expand-file-name "dir" cj/gate-manual--directory))
    ;; At its first use Info takes over the default list, unless INFOPATH is
    ;; set; then the directory must be added to Info's own list.
    (when (getenv "INFOPATH")
      (require 'info)
      (info-initialize))
    (add-to-list (if (bound-and-true-p Info-directory-list)
                     'Info-directory-list
                   'Info-default-directory-list)
                 cj/gate-manual--directory t)
    ;; Each Info buffer keeps the directory node that it made before; drop it.
    (dolist (buffer (buffer-list))
      (when (local-variable-p 'Info-dir-contents buffer)
        (with-current-buffer buffer
          (setq Info-dir-contents nil))))))

;;;###autoload (require 'cj-gate-manual nil t)
(cj/gate-manual-add)

(provide 'cj-gate-manual)

;;; cj-gate-manual.el ends here
