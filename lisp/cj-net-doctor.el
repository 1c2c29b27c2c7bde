;;; cj-net-doctor.el --- Check what the network tools need -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The report has a row for each program: whether it is there, what it is for,
;; and how to install it.  The checks run no program and send nothing.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-doctor)
(require 'cj-gate-install)
(require 'cj-net)

(declare-function cj/gate--mod-net-programs "ext:cj-gate-module")

(defconst cj/net-doctor-buffer-name "*cj-net doctor*"
  "Name of the doctor's buffer.")

(defconst cj/net-doctor--optional '("nmcli" "resolvectl" "ifconfig" "netstat")
  "Programs that many machines do not need; without them a check is skipped.")

(defun cj/net-doctor--foreign-p (row)
  "Return non-nil if the program of ROW is not there and no package has it."
  (and (string-empty-p (nth 2 row))
       (not (cj/net--executable (car row)))))

(defun cj/net-doctor--program (row)
  "Return the check of the program of ROW: a list (STATE NAME FOUND ADVICE)."
  (cl-destructuring-bind (name what debian fedora arch) row
    (let ((file (cj/net--executable name)))
      (if file
          (list 'pass name (abbreviate-file-name
                            (decode-coding-string file 'utf-8)))
        (list (if (member name cj/net-doctor--optional) 'skip 'fail)
              name (format "not found; it is for: %s" what)
              (concat (cj/net-doctor--install debian fedora arch)
                      "  Where it is installed already, name it in `cj/net-executables'."))))))

(defun cj/net-doctor--install (debian fedora arch)
  "Return a sentence on how to install a package on this machine.
DEBIAN, FEDORA and ARCH are the names of the package there, strings."
  (let ((line (cj/gate-install-line (list :debian debian :fedora fedora :arch arch))))
    (if line
        (format "Install it in a terminal with `%s'." line)
      (format "Install it (Debian: apt install %s; Fedora: dnf install %s; Arch: pacman -S %s)."
              debian fedora arch))))

(defun cj/net-doctor--networks ()
  "Return the check of `cj/net-trusted-networks'."
  (let ((wrong (cl-remove-if
                (lambda (text)
                  (and (stringp text)
                       (string-match-p "\\`[0-9a-fA-F.:]+/[0-9]+\\'" text)))
                (default-value 'cj/net-trusted-networks))))
    (if wrong
        (list 'warn "trusted networks" (format "not of the form ADDRESS/LENGTH: %S" wrong)
              "Mend `cj/net-trusted-networks'; what is not understood is asked about.")
      (list 'pass "trusted networks"
            (if (default-value 'cj/net-trusted-networks)
                (string-join (default-value 'cj/net-trusted-networks) ", ")
              "none: the first discovery of each network asks")))))

(defun cj/net-doctor--checks ()
  "Return every check, a list of lists STATE, NAME, FOUND, ADVICE or nil."
  (condition-case err
      (progn
        (cj/gate-load-module)
        (append (mapcar #'cj/net-doctor--program
                        (cl-remove-if #'cj/net-doctor--foreign-p
                                      (cj/gate--mod-net-programs)))
                (list (cj/net-doctor--networks))))
    (cj/gate-error
     (list (list 'fail "Module" (cj/gate-error-message err))))))

(defvar cj/net-doctor-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-doctor-mode-map)
    map)
  "Keys of the doctor's buffer.")

(define-derived-mode cj/net-doctor-mode cj/gate-doctor-mode "cj-net doctor"
  "Mode of the buffer of the network tools' doctor.
\\<cj/net-doctor-mode-map>\
\\[revert-buffer] makes the report anew.
\\[cj/gate-doctor-step] takes the step at point, or the first step of the row.
\\[forward-button] goes to the next step.
\\[cj/gate-doctor-next-trouble] goes to the next row that fails or warns.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/net-doctor))))

;;;###autoload
(defun cj/net-doctor ()
  "Check everything that the network tools need, and show a report.
The first line of the report says how many checks fail, and which."
  (interactive)
  (let ((checks (cj/net-doctor--checks))
        (buffer (get-buffer-create cj/net-doctor-buffer-name)))
    (with-current-buffer buffer
      (cj/net-doctor-mode)
      (cj/gate-doctor-set-width (mapcar #'cadr checks))
      (with-silent-modifications
        (erase-buffer)
        (dolist (check checks)
          (cl-destructuring-bind (state name found &optional advice) check
            (insert (cj/gate-doctor-line name state found advice))))
        (cj/gate-doctor-buttons (point-min) (point-max)))
      (cj/gate-doctor-sum-up)
      (goto-char (point-min)))
    (if noninteractive (display-buffer buffer) (cj/gate-view-show buffer))
    buffer))

(provide 'cj-net-doctor)

;;; cj-net-doctor.el ends here
