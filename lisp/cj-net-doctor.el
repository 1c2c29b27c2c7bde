;;; cj-net-doctor.el --- Check what the network tools need -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; One line a program: whether it is there, what it is for, and what to
;; install.  Nothing is run and nothing is sent.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-net)

(declare-function cj/gate--mod-net-programs "ext:cj-gate-module")

(defconst cj/net-doctor-buffer-name "*cj-net doctor*"
  "Name of the doctor's buffer.")

(defconst cj/net-doctor--optional '("nmcli" "resolvectl" "ifconfig" "netstat")
  "Programs that many machines have no use for.")

(defun cj/net-doctor--foreign-p (row)
  "Return non-nil if ROW is of a program that is not there and of no package."
  (and (string-empty-p (nth 2 row))
       (not (cj/net--executable (car row)))))

(defun cj/net-doctor--program (row)
  "Return the check of ROW, a program: a list of STATE, NAME, FOUND, ADVICE."
  (cl-destructuring-bind (name what debian fedora arch) row
    (let ((file (cj/net--executable name)))
      (if file
          (list 'pass name (abbreviate-file-name
                            (decode-coding-string file 'utf-8)))
        (list (if (member name cj/net-doctor--optional) 'skip 'fail)
              name (format "not found; it is for: %s" what)
              (format "Install it (Debian: apt install %s; Fedora: dnf install %s; Arch: pacman -S %s), or name it in `cj/net-executables'."
                      debian fedora arch))))))

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

;;;###autoload
(defun cj/net-doctor ()
  "Check what the network tools need, and show it in a buffer."
  (interactive)
  (let ((checks (cj/net-doctor--checks)))
    (with-current-buffer (get-buffer-create cj/net-doctor-buffer-name)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (dolist (check checks)
          (cl-destructuring-bind (state name found &optional advice) check
            (insert (format "%-4s %-16s %s\n" (upcase (symbol-name state)) name found))
            (when advice
              (insert (format "     %-16s %s\n" "" advice)))))
        (goto-char (point-min)))
      (special-mode)
      (display-buffer (current-buffer)))))

(provide 'cj-net-doctor)

;;; cj-net-doctor.el ends here
