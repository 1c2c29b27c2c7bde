;;; cj-gh-errand.el --- Writes that need a look-up first -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A person can be asked about some writes only after reads: which thread a reply
;; goes to, which commits a push has.  The core calls such a write an errand.
;; Its tool is planned twice: first as the look-up, a read that runs by itself,
;; then as the write, about which the person is asked.  The row of the tool in
;; `cj/gh-tools-table' has the name of its errand under :errand.

;;; Code:

(require 'subr-x)
(require 'cj-gate-job)
(require 'cj-gh)

(declare-function cj/gate--mod-errand "ext:cj-gate-module")
(declare-function cj/gate--mod-run "ext:cj-gate-module")

(defun cj/gh-errand-keys (name args)
  "Return further keys for `cj/gate-submit', for the errand NAME with ARGS.
NAME is a string, ARGS a plist.
Signal `cj/gate-bad-argument' if one of ARGS is wrong or missing."
  (list :first #'cj/gh-errand--look-up
        :errand (cj/gate--mod-errand name args)))

(defun cj/gh-errand--look-up (job facts)
  "Make the look-up of the errand of JOB with FACTS, then plan its write.
The look-up is a call of its own: judged, and recorded."
  (let* ((plan (apply #'cj/gate-plan "gh" (cj/gate--job-argv job)
                      :facts facts :chat (cj/gate--job-chat job)
                      (cj/gate--job-keys job)))
         (info (cj/gate-plan-info plan)))
    (if (not (and (eq (plist-get info :class) 'read)
                  (eq (plist-get info :policy) 'auto)
                  (not (plist-get info :refusal))))
        (cj/gh-errand--write
         job facts (cons (or (plist-get info :refusal) 'policy-blocked)
                         (or (plist-get info :refusal-message)
                             "What the write is about may not be read without a question (`cj/gh-policy').
Tell the person, who can do it in a terminal.")))
      (setf (cj/gate--job-ticket job)
            (cj/gate--await
             (cj/gate--mod-run plan nil)
             (lambda (outcome)
               (setf (cj/gate--job-ticket job) nil)
               (let ((kind (plist-get outcome :error-kind)))
                 (cj/gate--stage
                  job #'cj/gh-errand--write facts
                  (if kind
                      (cons kind (cj/gh--error-words (plist-get outcome :text)))
                    t)))))))))

(defun cj/gh-errand--write (job facts looked-up)
  "Plan the write of the errand of JOB with FACTS, and go on.
LOOKED-UP is t, or (KIND . MESSAGE) if the look-up failed: then the write is
refused for that reason."
  (setf (cj/gate--job-keys job)
        (append (list :looked-up looked-up) (cj/gate--job-keys job)))
  (cj/gate--make-plan job facts)
  (let ((info (cj/gate--job-info job)))
    (unless (plist-get info :refusal)
      ;; A person who changes the call changes the arguments that would run.
      (setf (cj/gate--job-argv job) (plist-get info :argv))))
  (cj/gate--decide job))

(provide 'cj-gh-errand)

;;; cj-gh-errand.el ends here
