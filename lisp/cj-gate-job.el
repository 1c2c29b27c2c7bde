;;; cj-gate-job.el --- The way of a call through the gate -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A call that is under way is a job.  First come the stages of a job, in the
;; order in which a job passes them; then the ways in which a job is ended from
;; outside, such as an aborted request.  The first call loads this file.
;;
;; Nothing here is particular to one program; `cj-gh' has the GitHub tools.

;;; Code:

(require 'cl-lib)
(require 'cj-gate)
(require 'cj-gate-batch)

(declare-function cj/gate--mod-check "ext:cj-gate-module")
(declare-function cj/gate--mod-before "ext:cj-gate-module")
(declare-function cj/gate--mod-run "ext:cj-gate-module")
(declare-function cj/gate--mod-preflight "ext:cj-gate-module")
(declare-function cj/gate--mod-close "ext:cj-gate-module")
(declare-function cj/gate--mod-seen "ext:cj-gate-module")
(declare-function cj/gate--mod-unplanned "ext:cj-gate-module")
(declare-function cj/gate--mod-more "ext:cj-gate-module")
(declare-function cj/gate-confirm "cj-gate-approval")
(declare-function cj/gate-confirm-withdraw "cj-gate-approval")
(declare-function cj/gate-confirm-expect "cj-gate-approval")

;;;; Jobs

(defvar cj/gate--job-count 0
  "How many jobs this Emacs has made.")

(cl-defstruct (cj/gate--job (:constructor cj/gate--job-make) (:copier nil))
  "One call on its way through the gate."
  program argv keys
  reply              ; function of one string, the answer; nil once called
  buffer             ; the buffer that the call came from
  chat               ; `cj/gate--chat' of that buffer; it owns kept results
  request            ; `cj/gate-current-request' at the call, or nil
  ticket             ; handle of the work that runs for the job now, or nil
  running            ; non-nil once its plan was given to `cj/gate-run'
  plan info
  facts              ; the facts that `cj/gate-plan' got, or nil
  unfit              ; (KIND . MESSAGE): its program may not be used, or nil
  seen               ; what the reads for its question gave, a plist, or nil
  looks              ; handles of those reads while they run
  batch              ; the batch that the call belongs to, or nil
  ready              ; non-nil once the question about it can be asked
  asked              ; non-nil once a person was asked about it
  waits              ; (STATE LINE SHOW STOP) while it waits for something
                     ; outside: two strings, a function that shows more, and
                     ; one that ends it with the answer that it has
  (number (cl-incf cj/gate--job-count))
  (begun (float-time)))

(defvar cj/gate--jobs nil
  "Jobs whose callers have no answer yet.")

(defun cj/gate--job-tickets (job)
  "Return the handles of all work that is under way for JOB now, a list."
  (append (and (cj/gate--job-ticket job) (list (cj/gate--job-ticket job)))
          (cj/gate--job-looks job)))

(defvar cj/gate-current-request nil
  "The request that calls made now belong to; callers bind this variable.
Any object will do; calls of one request have the same object (`eq').  With
gptel it is the request's state machine.")

;;;; The stages of a call

(defun cj/gate-submit (program argv reply &rest keys)
  "Send a call of PROGRAM with ARGV through the gate; return its job.
PROGRAM is a string, ARGV a list or vector of strings.  Whatever happens, REPLY
is called exactly once, with one string of valid Unicode: the header line and
the text below it.  KEYS are the keys of `cj/gate-plan', and also:
:progress  as in `cj/gate-run'
:first     a function that is called in place of planning, with the job and the
           `:facts' for its plan.  It finds out, without waiting, what else the
           plan needs, and then calls `cj/gate--plan-and-decide'
Never signal, never wait."
  (let ((job (cj/gate--job-make
              :program program :keys keys :reply reply
              ;; Any other value is refused by a later stage, in words.
              :argv (if (or (vectorp argv) (proper-list-p argv))
                        (copy-sequence argv)
                      argv)
              :buffer (current-buffer) :chat (cj/gate--chat)
              :request cj/gate-current-request)))
    (setf (cj/gate--job-batch job) (cj/gate--batch-join job cj/gate--jobs))
    (push job cj/gate--jobs)
    (add-hook 'kill-buffer-hook #'cj/gate--buffer-killed nil t)
    (cj/gate--stage job #'cj/gate--begin)
    job))

(defun cj/gate-more (program handle reply &rest keys)
  "Give a part of PROGRAM's result that is kept under HANDLE; return the job.
REPLY is called exactly once with one string, as by `cj/gate-submit'.  KEYS
name the part; all values but that of :hunk, an integer, are strings:
:lines    lines from 1, like \"120-180\"
:pattern  a regular expression as Rust has them; matching lines are given
:file     a file of a diff, and with :hunk one of its hunks, from 1.
Without KEYS, the result is given from its first line.  At most 8,000 tokens
are given at once.  No program runs; the call is recorded like any other.

HANDLE is known only in the buffer whose call made it, and in buffers that share
the text of that buffer; it ends with the buffer.  The policy for the result's
host is applied anew.  A part is refused if the policy now blocks the call, and
also if the policy now asks about the call, unless a person approved that call
since the last emergency stop.
Never signal, never wait."
  (let ((job (cj/gate--job-make
              :program program :keys keys :reply reply
              :argv (list "more" handle)
              :buffer (current-buffer) :chat (cj/gate--chat)
              :request cj/gate-current-request)))
    (push job cj/gate--jobs)
    (add-hook 'kill-buffer-hook #'cj/gate--buffer-killed nil t)
    (cj/gate--stage job #'cj/gate--slice handle)
    job))

(defun cj/gate--slice (job handle)
  "Answer JOB with a part of the result under HANDLE; its keys name the part."
  (cj/gate-load-module)
  (setf (cj/gate--job-ticket job)
        (cj/gate--await
         (cj/gate--mod-more (cj/gate--job-program job) handle
                            (append (list :chat (cj/gate--job-chat job))
                                    (cj/gate--job-keys job))
                            (cj/gate--settings (cj/gate--job-program job)))
         (lambda (outcome) (cj/gate--stage job #'cj/gate--finish outcome)))
        (cj/gate--job-running job) t))

(defun cj/gate--stage (job function &rest args)
  "Call FUNCTION with JOB and ARGS; an error becomes the answer of JOB.
Do nothing if JOB has been answered or abandoned.
Quitting is inhibited meanwhile.  No stage waits, and a \\`C-g' in the middle of
one could answer \"cancelled\" for a call that runs."
  (when (cj/gate--job-reply job)
    (let ((inhibit-quit t))
      (condition-case err
          (apply #'cj/gate--in-buffer-of job function job args)
        ((error quit) (cj/gate--fail job err))))))

(defun cj/gate--in-buffer-of (job function &rest args)
  "Call FUNCTION with ARGS in the buffer that JOB came from.
So that buffer's own options hold, whichever buffer is current now."
  (with-current-buffer (if (buffer-live-p (cj/gate--job-buffer job))
                           (cj/gate--job-buffer job)
                         (current-buffer))
    (apply function args)))

(defun cj/gate--begin (job)
  "Check the arguments of JOB, then collect the facts that its plan needs."
  (cj/gate-load-module)
  (let* ((place (cj/gate--place (plist-get (cj/gate--job-keys job) :cwd)))
         (cwd (plist-get place :cwd)))
    (setf (cj/gate--job-keys job)
          (append (if cwd (list :cwd (decode-coding-string cwd 'utf-8-emacs))
                    (list :cwd (plist-get place :remote-cwd)))
                  (cj/gate--job-keys job)))
    ;; Errors in the arguments are reported before any program runs, even git.
    (cj/gate--mod-check (cj/gate--job-program job) (cj/gate--job-argv job)
                        (append place (cj/gate--job-keys job))
                        (cj/gate--settings (cj/gate--job-program job)))
    (let ((own (cj/gate--program-option (cj/gate--job-program job) :facts))
          (go-on (lambda (facts)
                   (cj/gate--stage job #'cj/gate--with-facts facts))))
      (cond
       (own (setf (cj/gate--job-ticket job)
                  (funcall own (cj/gate--job-argv job) go-on)))
       (cwd (setf (cj/gate--job-ticket job)
                  (cj/gate-git-facts (plist-get (cj/gate--job-keys job) :cwd)
                                     go-on (cj/gate--job-argv job)
                                     (cj/gate--job-keys job))))
       (t (cj/gate--with-facts job nil))))))

(defun cj/gate--make-plan (job facts)
  "Make the plan of JOB with FACTS."
  (let ((plan (apply #'cj/gate-plan (cj/gate--job-program job)
                     (cj/gate--job-argv job)
                     :facts facts :chat (cj/gate--job-chat job)
                     (cj/gate--job-keys job))))
    (setf (cj/gate--job-facts job) facts
          (cj/gate--job-plan job) plan
          (cj/gate--job-info job) (cj/gate-plan-info plan))))

(defun cj/gate--with-facts (job facts)
  "Plan JOB with FACTS, once the version of its program is known.
If that version is not known yet, ask the program first."
  (setf (cj/gate--job-ticket job) nil)
  (let* ((keys (cj/gate--job-keys job))
         (program (cj/gate--job-program job))
         (ticket (cj/gate--mod-before
                  program (cj/gate--job-argv job)
                  (append (list :facts facts)
                          (cj/gate--place (plist-get keys :cwd)) keys)
                  (cj/gate--settings program))))
    (if (not ticket)
        (cj/gate--go-on job facts)
      (setf (cj/gate--job-ticket job)
            (cj/gate--await
             ticket
             (lambda (refusal)
               (setf (cj/gate--job-ticket job) nil
                     (cj/gate--job-unfit job) refusal)
               (cj/gate--stage job #'cj/gate--go-on facts)))))))

(defun cj/gate--go-on (job facts)
  "Plan JOB with FACTS and go on, or call the function under its key :first.
That function plans JOB later, when it has what the plan needs."
  (funcall (or (plist-get (cj/gate--job-keys job) :first)
               #'cj/gate--plan-and-decide)
           job facts))

(defun cj/gate--plan-and-decide (job facts)
  "Plan JOB with FACTS, and run it, ask about it or refuse it."
  (cj/gate--make-plan job facts)
  (cj/gate--decide job))

(defvar cj/gate--complaints nil
  "Complaints about policy rows that the user has been shown.")

(defun cj/gate--complain (info)
  "Warn of each wrong policy row that INFO, a plan's, names; of each row once."
  (dolist (complaint (plist-get info :complaints))
    (unless (member complaint cj/gate--complaints)
      (push complaint cj/gate--complaints)
      (display-warning 'cj-gate complaint))))

(defun cj/gate--decide (job)
  "Run JOB, ask a person about it, or refuse it."
  (let ((info (cj/gate--job-info job)))
    ;; JOB is judged now, which changes the "2 of 4+" in the header line of a
    ;; question of its batch.
    (force-mode-line-update t)
    (cj/gate--complain info)
    (cond
     ((plist-get info :refusal)
      (cj/gate--refuse job (plist-get info :refusal)
                       (plist-get info :refusal-message)))
     ((cj/gate--job-unfit job)
      (cj/gate--refuse job (car (cj/gate--job-unfit job))
                       (cdr (cj/gate--job-unfit job))))
     ((eq (plist-get info :policy) 'auto) (cj/gate--run job))
     ((and (plist-get info :leased) (cj/gate--run-leased job)))
     (t
      (setf (cj/gate--job-ticket job)
            (cj/gate--await
             (cj/gate--mod-preflight (cj/gate--job-plan job))
             (lambda (refusal)
               (setf (cj/gate--job-ticket job) nil)
               (if refusal
                   (cj/gate--stage job #'cj/gate--refuse
                                   (car refusal) (cdr refusal))
                 (cj/gate--stage job #'cj/gate--look)))))))))

(defun cj/gate--run-leased (job)
  "Run JOB if a lease covers it, and return non-nil."
  (condition-case nil
      (progn (cj/gate--run job) t)
    ;; The lease has just ended: a person is asked after all.
    (cj/gate-denied nil)))

(defun cj/gate--look (job &optional again)
  "Make each read that the question about JOB needs, then ask about JOB.
Each read is a call of its own: judged, and recorded.
AGAIN is a list of reads to make in place of those that the plan names: after a
host did not know a field that was asked for, they ask for the other fields."
  (let* ((argvs (or again (plist-get (cj/gate--job-info job) :looks)))
         (answers (make-vector (length argvs) nil))
         (open (length argvs))
         (number -1))
    (setf (cj/gate--job-seen job) nil
          (cj/gate--job-looks job) nil)
    ;; In batch nobody can be asked, so no read is needed.
    (if (or (not argvs) noninteractive)
        (cj/gate--ask job)
      (dolist (argv argvs)
        (let ((place (cl-incf number)))
          (cj/gate--read-for
           job argv
           (lambda (answer)
             (aset answers place answer)
             (when (zerop (cl-decf open))
               (setf (cj/gate--job-looks job) nil)
               (cj/gate--stage job #'cj/gate--ask-by argvs
                               (append answers nil))))))))))

(defun cj/gate--read-for (job argv report)
  "Make the read ARGV for the question about JOB; call REPORT once.
REPORT gets (OUTPUT . KIND): standard output, a string, and the name of the
error kind if OUTPUT is empty, else \"\".  A read that cannot start is reported
too, since a person is asked about JOB all the same."
  (let ((ticket (condition-case err
                    (let ((plan (cj/gate--look-plan job argv)))
                      (if plan (cj/gate--mod-run plan t) 'policy-blocked))
                  (error (cj/gate-error-kind err)))))
    (if (symbolp ticket)
        (funcall report (cons "" (symbol-name ticket)))
      (push (cj/gate--await
             ticket
             (lambda (outcome)
               (let ((kind (plist-get outcome :error-kind))
                     (output (plist-get outcome :stdout)))
                 (funcall report
                          (if (or (plist-get outcome :truncated)
                                  (equal output ""))
                              (cons "" (if kind (symbol-name kind) "cut"))
                            ;; gh prints GitHub's answer even when it fails.
                            (cons output ""))))))
            (cj/gate--job-looks job)))))

(defun cj/gate--look-plan (job argv)
  "Return a plan of the read ARGV for JOB; nil if it may not run unasked."
  (let* ((plan (cj/gate-plan
                (cj/gate--job-program job) argv
                :facts (cj/gate--job-facts job)
                :cwd (plist-get (cj/gate--job-keys job) :cwd)
                :hostname (plist-get (cj/gate--job-info job) :host)
                :chat (cj/gate--job-chat job)
                :timeout 10))
         (info (cj/gate-plan-info plan)))
    (and (eq (plist-get info :class) 'read)
         (eq (plist-get info :policy) 'auto)
         (not (plist-get info :refusal))
         plan)))

(defun cj/gate--ask-by (job argvs answers)
  "Ask about JOB with the ANSWERS to ARGVS, a list of (OUTPUT . KIND).
ARGVS are the reads of `cj/gate--look'.  If ANSWERS supply arguments, such as
the commit to merge, first plan the call anew with them, so that its digest
covers them.  The new plan may be refused, since the policy may have changed
meanwhile."
  (let ((seen (cj/gate--mod-seen (cj/gate--job-plan job)
                                 (mapcar #'car answers) (mapcar #'cdr answers))))
    (if (not (member (plist-get seen :again) (list nil argvs)))
        ;; Each round asks for fewer fields, so the rounds end.
        (cj/gate--look job (plist-get seen :again))
      (when (plist-get seen :supply)
        (let ((plan (apply #'cj/gate-plan (cj/gate--job-program job)
                           (append (cj/gate--job-argv job) (plist-get seen :supply) nil)
                           :facts (cj/gate--job-facts job)
                           :chat (cj/gate--job-chat job)
                           (cj/gate--job-keys job))))
          (setf (cj/gate--job-plan job) plan
                (cj/gate--job-info job) (cj/gate-plan-info plan))))
      (setf (cj/gate--job-seen job) seen)
      (let ((info (cj/gate--job-info job)))
        (if (plist-get info :refusal)
            (cj/gate--refuse job (plist-get info :refusal)
                             (plist-get info :refusal-message))
          (cj/gate--ask job))))))

(defun cj/gate--change-call (job argv &optional facts)
  "Replace the argv of JOB, which waits for a person, with ARGV, and ask anew.
A person wrote ARGV.  FACTS are the facts that ARGV needs; nil: the facts of the
call before.  If the changed call would be refused, signal a condition under
`cj/gate-error' and change nothing.  The call as it was before is recorded as
declined."
  (let* ((keys (append (list :edited t)
                       ;; The request of a tool can name its repository by these
                       ;; words alone; they stay those of the call before.
                       (and (cl-some (lambda (word) (string-match-p "{owner}" word)) argv)
                            (plist-get (cj/gate--job-info job) :repo)
                            (list :repo (cj/gate--target (cj/gate--job-info job))))
                       (cj/gate--job-keys job)))
         (plan (apply #'cj/gate--in-buffer-of job #'cj/gate-plan
                      (cj/gate--job-program job) argv
                      :facts (or facts (cj/gate--job-facts job))
                      :chat (cj/gate--job-chat job) keys))
         (info (cj/gate-plan-info plan)))
    (when (plist-get info :refusal)
      (cj/gate--signal 'policy-blocked "%s" (plist-get info :refusal-message)))
    (let ((inhibit-quit t))
      ;; First, since it may fail: then the call still waits unchanged.
      (cj/gate--mod-close (cj/gate--job-plan job) 'declined
                          "A person changed the call; what it became has a record of its own.")
      (cj/gate-confirm-withdraw job 'comes-back)
      (setf (cj/gate--job-argv job) argv
            (cj/gate--job-keys job) keys
            (cj/gate--job-plan job) plan
            (cj/gate--job-info job) info)
      (cj/gate--stage job #'cj/gate--look))))

(defun cj/gate--ask (job)
  "Ask about JOB once each earlier call of its batch has been asked about."
  (setf (cj/gate--job-ready job) t)
  (if (cj/gate--job-asked job)
      (cj/gate--ask-now job)
    (cj/gate--ask-next (cj/gate--job-batch job))))

(defun cj/gate--ask-next (batch)
  "Ask about the next jobs of BATCH, in order, up to one that is not ready."
  (let (job)
    (while (and (setq job (cj/gate--batch-next batch))
                (cj/gate--job-ready job))
      (setf (cj/gate--job-asked job) t)
      (cj/gate--stage job #'cj/gate--ask-now))))

(defun cj/gate--ask-now (job)
  "Ask a person about JOB, unless that is no longer needed.
Refuse JOB if it was declined together with an earlier call of its batch.  Run
JOB if a lease that was given meanwhile covers it; but a call that the person
has changed is always shown."
  (require 'cj-gate-approval)
  (cond
   ((cj/gate--batch-declined (cj/gate--job-batch job))
    (cj/gate--refuse job 'declined
                     (cj/gate--batch-declined (cj/gate--job-batch job))))
   ((and (not (plist-get (cj/gate--job-keys job) :edited))
         (plist-get (cj/gate-plan-info (cj/gate--job-plan job)) :leased)
         (cj/gate--run-leased job)))
   (t (cj/gate--show-question job))))

(defun cj/gate--show-question (job)
  "Put JOB into the queue, where it waits for a person."
  (cj/gate-confirm
   (cj/gate--job-plan job) job
   (lambda (decision &optional why)
     (if (eq decision 'approved)
         (cj/gate--stage job #'cj/gate--run)
       (cj/gate--stage job #'cj/gate--refuse 'declined why)))))

(defun cj/gate--run (job)
  "Run the plan of JOB, and answer JOB with the outcome."
  (setf (cj/gate--job-ticket job)
        (cj/gate-run (cj/gate--job-plan job)
                     (lambda (outcome)
                       (cj/gate--stage job #'cj/gate--finish outcome))
                     :progress (cj/gate--job-progress job))
        (cj/gate--job-running job) t)
  (cj/gate--ask-after job))

(defun cj/gate--ask-after (job)
  "Ask about the jobs of the batch of JOB that waited for its question.
JOB needs no question any more: it runs or has ended."
  (when (cj/gate--job-batch job)
    (cj/gate--ask-next (cj/gate--job-batch job))))

(defun cj/gate--job-progress (job)
  "Return the progress function for the run of JOB, or nil."
  (let ((function (plist-get (cj/gate--job-keys job) :progress)))
    (and function
         (lambda (progress)
           (when (cj/gate--job-reply job)
             (cj/gate--in-buffer-of job function progress))))))

(defun cj/gate--refuse (job kind message)
  "Close the plan of JOB with the error KIND and MESSAGE, and answer JOB so."
  (cj/gate--finish job (cj/gate--mod-close (cj/gate--job-plan job)
                                           kind message)))

(defun cj/gate--fail (job err)
  "Answer JOB with ERR, a condition that one of its stages signalled."
  (cj/gate--answer job (cj/gate--failure-text job err)))

(defun cj/gate--failure-text (job err)
  "Record that JOB ended with ERR; return its text."
  (let ((plan (cj/gate--job-plan job)))
    (if (not plan)
        (cj/gate--unplanned-text (cj/gate--job-program job)
                                 (cj/gate--job-argv job) err)
      (condition-case nil
          (cj/gate--text (cj/gate--mod-close plan (cj/gate-error-kind err)
                                             (cj/gate-error-message err)))
        (error (cj/gate--bare-answer (cj/gate--job-program job)
                                     (cj/gate-error-message err)))))))

(defun cj/gate-reject (program argv err reply)
  "Answer REPLY with ERR for a call of PROGRAM that cannot be submitted.
ARGV is as much of its arguments as is known.  The call is recorded like any
other."
  (condition-case failure
      (funcall reply (cj/gate--unplanned-text program argv err))
    ((error quit)
     (message "cj-gate: the caller failed on its result: %s"
              (error-message-string failure)))))

(defun cj/gate--unplanned-text (program argv err)
  "Record a call of PROGRAM with ARGV that ended with ERR; return its text."
  (let ((message (cj/gate-error-message err)))
    (condition-case nil
        (progn
          ;; A module that may not be used for calls, such as one of another
          ;; version, can still record this one.
          (ignore-errors (cj/gate-load-module))
          (cj/gate--text (cj/gate--mod-unplanned
                          program argv (cj/gate-error-kind err) message
                          (cj/gate--environment))))
      ;; Without a module nothing is recorded.
      (error (cj/gate--bare-answer program message)))))

(defun cj/gate--bare-answer (program message)
  "Return the answer for a call of PROGRAM that fails with MESSAGE.
It is for calls that no module can record."
  (let ((text (concat "Error: " (encode-coding-string message 'utf-8))))
    (format "[%s - unknown error module %.1fKB]\n%s" program
            (/ (string-bytes text) 1000.0)
            (decode-coding-string text 'utf-8))))

(defun cj/gate--text (outcome)
  "Return the answer made of the :header and :text of OUTCOME, a plist."
  ;; Each call that the core has recorded comes here, so trouble with the audit
  ;; log is noticed here.
  (with-demoted-errors "cj-gate: %S" (cj/gate-audit-say-trouble))
  (concat (plist-get outcome :header) "\n" (plist-get outcome :text)))

(defun cj/gate--finish (job outcome)
  "Answer JOB with OUTCOME, a plist with :header and :text."
  (cj/gate--answer job (cj/gate--text outcome)))

(defun cj/gate--answer (job text)
  "Call the reply of JOB with TEXT, unless JOB has been answered."
  (let ((reply (cj/gate--job-reply job)))
    (cj/gate--forget job)
    (when reply
      (condition-case err
          (cj/gate--in-buffer-of job reply text)
        ((error quit)
         (message "cj-gate: the caller failed on its result: %s"
                  (error-message-string err)))))))

;;;; Ends from outside

(defun cj/gate--forget (job)
  "Take JOB off the list of open jobs; its reply will not be called any more."
  (setf (cj/gate--job-reply job) nil)
  (setq cj/gate--jobs (delq job cj/gate--jobs))
  (when (featurep 'cj-gate-approval)
    (cj/gate-confirm-expect nil job))
  (cj/gate--ask-after job))

(defun cj/gate-abandon (test)
  "End every job for which TEST, a function of a job, is non-nil.
Kill their processes, withdraw their questions, and call none of their replies.
Return the number of jobs that were ended."
  (let ((jobs (cl-remove-if-not test cj/gate--jobs)))
    ;; First, for all jobs: otherwise ending one job would ask about the next.
    (dolist (job jobs)
      (setf (cj/gate--job-reply job) nil))
    (dolist (job jobs)
      (cj/gate--forget job)
      (when (featurep 'cj-gate-approval)
        (cj/gate-confirm-withdraw job))
      (mapc #'cj/gate-cancel (cj/gate--job-tickets job))
      (cj/gate--record-abandoned job))
    (length jobs)))

(defun cj/gate--record-abandoned (job &optional why)
  "Record that JOB was cancelled, unless the end of its run will record it.
WHY is a sentence; nil stands for \"The request was aborted.\"."
  (let ((message (concat (or why "The request was aborted.")
                         "\nAsk the person before trying again.")))
    (cond
     ((cj/gate--job-running job))
     ((cj/gate--job-plan job)
      (cj/gate--mod-close (cj/gate--job-plan job) 'cancelled message))
     (t
      (cj/gate--unplanned-text (cj/gate--job-program job) (cj/gate--job-argv job)
                               (list 'cj/gate-cancelled message
                                     :kind 'cancelled))))))

(defun cj/gate--emacs-left ()
  "Record each job that has not run; for `kill-emacs-hook'."
  (dolist (job cj/gate--jobs)
    (condition-case err
        (cj/gate--record-abandoned job "Emacs was left before the call ran.")
      ((error quit)
       (message "cj-gate: a call could not be recorded: %s"
                (error-message-string err))))))

;; Before `cj/gate--stop-all': the core must still be there to record.
(add-hook 'kill-emacs-hook #'cj/gate--emacs-left -50)

(defun cj/gate--buffer-killed ()
  "End the jobs that came from the current buffer, which is being killed.
Jobs of a gptel request are dropped; any other job's caller gets an answer."
  (let ((buffer (current-buffer)))
    (cj/gate-abandon (lambda (job)
                       (and (eq (cj/gate--job-buffer job) buffer)
                            (cj/gate--job-request job))))
    (dolist (job (cl-remove-if-not
                  (lambda (job) (eq (cj/gate--job-buffer job) buffer))
                  cj/gate--jobs))
      (cj/gate--cancel-job job))))

(defun cj/gate--cancel-job (job &optional message)
  "End JOB, and later answer its caller that the call was cancelled.
MESSAGE says why; nil: its buffer was killed."
  (when (featurep 'cj-gate-approval)
    (cj/gate-confirm-withdraw job))
  (mapc #'cj/gate-cancel (cj/gate--job-tickets job))
  ;; A running job is answered and recorded at the end of its run.
  (unless (cj/gate--job-running job)
    (let ((reply (cj/gate--job-reply job)))
      (cj/gate--forget job)
      (run-at-time 0 nil #'cj/gate--answer (cj/gate--job-make :reply reply)
                   (cj/gate--failure-text
                    job (list 'cj/gate-cancelled
                              (or message "The buffer that the call came from was killed.
Ask the person before trying again.")
                              :kind 'cancelled))))))

(provide 'cj-gate-job)

;;; cj-gate-job.el ends here
