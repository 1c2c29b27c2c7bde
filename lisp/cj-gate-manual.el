;;; cj-gate-manual.el --- The manual is where Info looks -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; docs/ holds the manual as Info reads it, cj-gate.info, and a `dir' file with
;; its entry, so that no texinfo is needed where the package is installed.
;; Loading this library puts that directory on Info's list: the autoloads of an
;; installed package load it, and so does cj-gate-load.el where the package is
;; only on `load-path'.  Info itself is not loaded for that.

;;; Code:

(defvar Info-default-directory-list)
(defvar Info-dir-contents)
(defvar Info-directory-list)
(declare-function info-initialize "info" ())

(defconst cj/gate-manual--directory
  (let* ((this (or load-file-name buffer-file-name default-directory))
         (source (concat (file-name-sans-extension this) ".el")))
    ;; Straight and elpaca load from a directory of links.
    (expand-file-name "../docs/" (file-name-directory
                                  (if (file-exists-p source) (file-truename source) this))))
  "Directory of the manual in a checkout; another way to install may lack it.")

(defun cj/gate-manual-add ()
  "Let Info find the manual and list it in its directory node.
Do nothing where the package's own directory has no manual: who built such a
package, as MELPA does, put the manual in Info's way."
  (when (file-exists-p (expand-file-name "dir" cj/gate-manual--directory))
    ;; Info takes the default list at its first use, but not beside INFOPATH.
    (when (getenv "INFOPATH")
      (require 'info)
      (info-initialize))
    (add-to-list (if (bound-and-true-p Info-directory-list)
                     'Info-directory-list
                   'Info-default-directory-list)
                 cj/gate-manual--directory t)
    ;; Each buffer of Info keeps the directory node that it composed before.
    (dolist (buffer (buffer-list))
      (when (local-variable-p 'Info-dir-contents buffer)
        (with-current-buffer buffer
          (setq Info-dir-contents nil))))))

;;;###autoload (require 'cj-gate-manual nil t)
(cj/gate-manual-add)

(provide 'cj-gate-manual)

;;; cj-gate-manual.el ends here
