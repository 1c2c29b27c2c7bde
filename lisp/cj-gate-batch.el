;;; cj-gate-batch.el --- Calls that were made together -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A model often makes several calls in one turn.  They are a batch: a person
;; is asked about them in the order in which the model made them, each with its
;; place among them ("2 of 4"), and can decline the rest of them with one no.
;; A turn ends when all its calls have been answered, so the next call of the
;; same request begins a new batch.
;;
;; The reads before a question take longer for some calls than for others.  A
;; question therefore waits for the questions of earlier calls of its batch.

;;; Code:

(require 'cl-lib)

(declare-function cj/gate--job-batch "cj-gate-job" (job) t)
(declare-function cj/gate--job-request "cj-gate-job" (job) t)
(declare-function cj/gate--job-reply "cj-gate-job" (job) t)
(declare-function cj/gate--job-running "cj-gate-job" (job) t)
(declare-function cj/gate--job-asked "cj-gate-job" (job) t)
(declare-function cj/gate--job-info "cj-gate-job" (job) t)

(cl-defstruct (cj/gate--batch (:constructor cj/gate--batch-make) (:copier nil))
  "The calls of one turn of a request."
  jobs               ; in the order in which the model made them
  declined)          ; words for the model, once a person declined the rest

(defun cj/gate--batch-join (job others)
  "Add JOB to its batch, and return that batch.
OTHERS are the jobs that have not been answered: JOB joins the batch of one that
has the same request.  A job without a request is a batch of its own."
  (let* ((request (cj/gate--job-request job))
         (sibling (and request
                       (cl-find-if (lambda (other)
                                     (and (eq (cj/gate--job-request other) request)
                                          (cj/gate--job-batch other)))
                                   others)))
         (batch (if sibling (cj/gate--job-batch sibling) (cj/gate--batch-make))))
    (setf (cj/gate--batch-jobs batch)
          (append (cj/gate--batch-jobs batch) (list job)))
    batch))

(defun cj/gate--batch-open-p (job)
  "Return non-nil if a person may yet be asked about JOB for the first time."
  (and (cj/gate--job-reply job)
       (not (cj/gate--job-running job))
       (not (cj/gate--job-asked job))))

(defun cj/gate--batch-next (batch)
  "Return the first job of BATCH that a person may yet be asked about, or nil."
  (cl-find-if #'cj/gate--batch-open-p (cj/gate--batch-jobs batch)))

(defun cj/gate--batch-awaited-p (job)
  "Return non-nil if JOB is judged, and a person will be asked about it.
A judged job that needs no question runs or was answered at once, so it is no
longer open."
  (and (cj/gate--batch-open-p job)
       (cj/gate--job-info job)))

(defun cj/gate--batch-unjudged (job)
  "Return the number of other jobs in the batch of JOB that are not judged yet.
The facts that their plans need are still being collected, so a person may or
may not be asked about them."
  (let ((batch (cj/gate--job-batch job)))
    (cl-count-if (lambda (other)
                   (and (not (eq other job))
                        (cj/gate--batch-open-p other)
                        (not (cj/gate--job-info other))))
                 (and batch (cj/gate--batch-jobs batch)))))

(defun cj/gate--batch-place (job)
  "Return the place of JOB among the questions of its batch, as (N . OF).
OF counts the questions that were asked and those that will be."
  (let ((asked (and (cj/gate--job-batch job)
                    (cl-remove-if-not
                     (lambda (other)
                       (or (cj/gate--job-asked other) (cj/gate--batch-awaited-p other)))
                     (cj/gate--batch-jobs (cj/gate--job-batch job))))))
    (cons (1+ (or (cl-position job asked) 0)) (max 1 (length asked)))))

(defun cj/gate--batch-which (job)
  "Return in words the place of JOB among the questions of its batch: \"2 of 4\".
A plus, \"2 of 4+\", says that there may be more than four: some calls of the
batch are not judged yet."
  (let ((place (cj/gate--batch-place job)))
    (format "%d of %d%s" (car place) (cdr place)
            (if (> (cj/gate--batch-unjudged job) 0) "+" ""))))

(provide 'cj-gate-batch)

;;; cj-gate-batch.el ends here
