;;; cj-gate-stop.el --- The emergency stop -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; One command ends everything that the gate has under way and refuses every new
;; call until a person resumes.  The core refuses them; this file answers the
;; calls that have not reached the core.

;;; Code:

(require 'cl-lib)
(require 'cj-gate-job)
(require 'cj-gate-progress)

(declare-function cj/gate--mod-halt "ext:cj-gate-module")
(declare-function cj/gate--mod-resume "ext:cj-gate-module")
(declare-function cj/gate--mod-runs "ext:cj-gate-module")
(declare-function cj/gate--mod-stopped "ext:cj-gate-module")
(declare-function cj/gate-confirm-decline-all "cj-gate-approval")

(defvar cj/gate--stop-functions nil
  "Functions without arguments that `cj/gate-stop' calls after the core stopped.
By then the core has ended all leases, for instance.")

(defconst cj/gate-stop--words
  "A person stopped the gate before the call ran.
Do not retry; tell the person what is still to be done."
  "Answer to a call that had not run when the gate was stopped.")

;;;###autoload
(defun cj/gate-stop ()
  "Stop the gate: end what is under way, decline what waits, refuse the rest.
All processes of the gate end, also git and the reads of `cj/gh-doctor', and
all leases end.  Every call is answered and recorded.
Until `cj/gate-resume' no call can run or be approved.  This command may be
called from anywhere, also from Lisp.
Return the number of calls and other reads that were ended or declined."
  (interactive)
  (let ((inhibit-quit t)
        (count (length cj/gate--jobs))
        (missing nil))
    (condition-case err
        (progn
          ;; A loaded module may still have calls under way although it may not
          ;; be used for new ones (Lisp of another version was loaded since, or
          ;; its channel was closed).  So only a missing one is loaded here.
          (unless (featurep 'cj-gate-module)
            (cj/gate-load-module))
          (setq count (+ count (cj/gate-stop--without-job)))
          ;; From here on no program starts.
          (cj/gate--mod-halt))
      (cj/gate-error
       (setq missing (cj/gate-error-message err))))
    (dolist (function cj/gate--stop-functions)
      (condition-case err
          (funcall function)
        ((error quit)
         (message "cj-gate: part of the stop failed: %s"
                  (error-message-string err)))))
    (let ((waiting (if (featurep 'cj-gate-approval)
                       (cj/gate-confirm-decline-all (concat "Declined: " cj/gate-stop--words))
                     0)))
      (dolist (job (cl-remove-if #'cj/gate--job-running cj/gate--jobs))
        (condition-case err
            (cj/gate--cancel-job job cj/gate-stop--words)
          ((error quit)
           (message "cj-gate: a call could not be answered: %s"
                    (error-message-string err)))))
      (cj/gate-progress--in-mode-line)
      (force-mode-line-update t)
      (if missing
          (message "There is no module, so nothing runs; once there is one, the gate is open: %s"
                   missing)
        (message "The gate is stopped: %d ended, %d declined.  M-x cj/gate-resume lets calls run again"
                 (- count waiting) waiting))
      count)))

(defun cj/gate-stop--without-job ()
  "Return the number of things under way that belong to no job.
A read of a doctor is one, for example."
  (let ((tickets (mapcan #'cj/gate--job-tickets cj/gate--jobs)))
    (cl-count-if-not (lambda (run) (memql (plist-get run :ticket) tickets))
                     (cj/gate--mod-runs))))

;;;###autoload
(defun cj/gate-resume ()
  "Open the gate again after `cj/gate-stop'.
Signal `cj/gate-denied' unless a person called this command, by a key or by
\\[execute-extended-command].  Calls that were ended or declined stay so."
  (interactive)
  (cj/gate-load-module)
  (if (not (cj/gate--mod-stopped))
      (message "The gate is not stopped")
    (cj/gate--mod-resume)
    (force-mode-line-update t)
    (message "The gate is open again: calls run as before")))

(provide 'cj-gate-stop)

;;; cj-gate-stop.el ends here
