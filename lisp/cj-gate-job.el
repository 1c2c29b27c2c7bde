;;; cj-gate-job.el --- The road of a call through the gate -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A call that is under way is a job.  This file has the road of one, in the
;; order in which it is travelled, and the ways in which it can end from
;; outside.  It is loaded by the first call.
;;
;; Nothing in it knows a program; `cj-gh' has the GitHub tools.

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
  "How many jobs there have been.")

(cl-defstruct (cj/gate--job (:constructor cj/gate--job-make) (:copier nil))
  "One call on its way through the gate."
  program argv keys
  reply              ; function of one string; nil once it was called
  buffer             ; where the call came from
  chat               ; its number, for what is kept of results
  request            ; what the caller tells its calls by, or nil
  ticket             ; handle of what runs for it now, or nil
  running            ; non-nil once its plan was given to `cj/gate-run'
  plan info
  facts              ; what git knows of its checkout, or nil
  unfit              ; (KIND . MESSAGE): its program may not be used, or nil
  seen               ; what was read about what it concerns, a plist, or nil
  looks              ; handles of the reads that are under way for a question
  batch              ; the calls that were made together with it, or nil
  ready              ; non-nil once all that its question needs is known
  asked              ; non-nil once a person was asked about it
  (number (cl-incf cj/gate--job-count))
  (begun (float-time)))

(defvar cj/gate--jobs nil
  "Jobs that have not been answered.")

(defun cj/gate--job-tickets (job)
  "Return the handles of what is under way for JOB now, a list."
  (append (and (cj/gate--job-ticket job) (list (cj/gate--job-ticket job)))
          (cj/gate--job-looks job)))

(defvar cj/gate-current-request nil
  "What calls made now belong to, for `cj/gate-abandon'; bound by callers.")

;;;; The road of a call

(defun cj/gate-submit (program argv reply &rest keys)
  "Send a call of PROGRAM with ARGV through the gate; return its job.
PROGRAM is a string, ARGV a list or vector of strings.  REPLY is called
exactly once, with one string of valid Unicode: the header line and the
text below it, whatever happens.  KEYS is as in `cj/gate-plan', and
:progress as in `cj/gate-run'.  :first is a function that is called with the
job and the `:facts' of its plan, in place of planning: it finds out, without
waiting, what else is to be known, and goes on by `cj/gate--plan-and-decide'.
Never signal, never wait."
  (let ((job (cj/gate--job-make
              :program program :keys keys :reply reply
              ;; What is no list or vector is refused later, in words.
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
  "Give a part of the result of PROGRAM that is kept under HANDLE; return its job.
REPLY is called exactly once with one string, as by `cj/gate-submit'.  KEYS
name the part; all but :hunk, an integer, are strings:
:lines    lines from 1, like \"120-180\"
:pattern  a regular expression of Rust's; lines that match are given
:file     a file of a diff, and with :hunk one of its hunks, from 1.
Without any, the result is given from its first line.  At most 8,000 tokens
are given at once.  No program runs; the call is recorded like any other.

HANDLE is good only in the buffer that the call came from which made it, and
in those that share its text: anywhere else it is as one that never was.  It
ends with the buffer.  The policy for the result's host is asked anew: what
it blocks now is refused, and what it asks about only if the call itself had
a person's yes since the last emergency stop.
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
  "Answer JOB with the part of the result under HANDLE that it asks for."
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
No stage waits, and a quit in its midst could answer for a call that runs:
it comes after."
  (when (cj/gate--job-reply job)
    (let ((inhibit-quit t))
      (condition-case err
          (apply #'cj/gate--in-buffer-of job function job args)
        ((error quit) (cj/gate--fail job err))))))

(defun cj/gate--in-buffer-of (job function &rest args)
  "Call FUNCTION with ARGS in the buffer that JOB came from.
That buffer's own options hold, wherever Emacs is by now."
  (with-current-buffer (if (buffer-live-p (cj/gate--job-buffer job))
                           (cj/gate--job-buffer job)
                         (current-buffer))
    (apply function args)))

(defun cj/gate--begin (job)
  "Check the arguments of JOB, then find out what its plan needs to know."
  (cj/gate-load-module)
  (let* ((place (cj/gate--place (plist-get (cj/gate--job-keys job) :cwd)))
         (cwd (plist-get place :cwd)))
    (setf (cj/gate--job-keys job)
          (append (if cwd (list :cwd (decode-coding-string cwd 'utf-8-emacs))
                    (list :cwd (plist-get place :remote-cwd)))
                  (cj/gate--job-keys job)))
    ;; Whatever is wrong with the arguments is said before anything runs,
    ;; git included.
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
  "Find out what the program of JOB is, if that is not known; go on with FACTS."
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
  "Plan JOB with FACTS and go on, after what its key :first does."
  (funcall (or (plist-get (cj/gate--job-keys job) :first)
               #'cj/gate--plan-and-decide)
           job facts))

(defun cj/gate--plan-and-decide (job facts)
  "Plan JOB with FACTS and go on."
  (cj/gate--make-plan job facts)
  (cj/gate--decide job))

(defvar cj/gate--complaints nil
  "Complaints about policy rows that have been shown.")

(defun cj/gate--complain (info)
  "Show, each once, what is wrong with the policy rows that INFO met."
  (dolist (complaint (plist-get info :complaints))
    (unless (member complaint cj/gate--complaints)
      (push complaint cj/gate--complaints)
      (display-warning 'cj-gate complaint))))

(defun cj/gate--decide (job)
  "Run JOB, ask a person about it, or refuse it."
  (let ((info (cj/gate--job-info job)))
    ;; The header line of a question counts it from now on, or does not.
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
  "Read what JOB concerns, if anything can be read, and then ask about it.
Each read is a call of its own: judged, and recorded.
AGAIN is a list of reads in place of those of its plan: a host that did not
know a part of what was asked is asked for the rest."
  (let* ((argvs (or again (plist-get (cj/gate--job-info job) :looks)))
         (answers (make-vector (length argvs) nil))
         (open (length argvs))
         (number -1))
    (setf (cj/gate--job-seen job) nil
          (cj/gate--job-looks job) nil)
    ;; Where nobody can be asked nothing needs to be known.
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
  "Run the read ARGV for the question about JOB; call REPORT once with its answer.
The answer is (OUTPUT . KIND): standard output, a string, and the name of an
error kind where there is none.  A read that cannot even start has an answer
too: JOB is asked about all the same."
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
                            ;; gh prints what GitHub sent where it fails, too.
                            (cons output ""))))))
            (cj/gate--job-looks job)))))

(defun cj/gate--look-plan (job argv)
  "Return a plan of the read ARGV for JOB; nil where it may not run unasked."
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
  "Ask about JOB by ANSWERS to ARGVS, a list of (OUTPUT . KIND).
What they add to its arguments is added before its digest is taken.  With it
JOB is judged anew, and may be refused: its policy can have changed meanwhile."
  (let ((seen (cj/gate--mod-seen (cj/gate--job-plan job)
                                 (mapcar #'car answers) (mapcar #'cdr answers))))
    (if (not (member (plist-get seen :again) (list nil argvs)))
        ;; Each time less is asked for, so this ends.
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
  "Put ARGV, which a person wrote, in the place of that of JOB, and ask anew.
JOB waits for a person.  FACTS are those of ARGV, nil: they are the same
as before.  Signal a condition under `cj/gate-error', and
change nothing, if the changed call would be refused.  The call as it was
is recorded as declined."
  (let* ((keys (append (list :edited t) (cj/gate--job-keys job)))
         (plan (apply #'cj/gate--in-buffer-of job #'cj/gate-plan
                      (cj/gate--job-program job) argv
                      :facts (or facts (cj/gate--job-facts job))
                      :chat (cj/gate--job-chat job) keys))
         (info (cj/gate-plan-info plan)))
    (when (plist-get info :refusal)
      (cj/gate--signal 'policy-blocked "%s" (plist-get info :refusal-message)))
    (let ((inhibit-quit t))
      ;; First what can fail: until then the call waits as it was.
      (cj/gate--mod-close (cj/gate--job-plan job) 'declined
                          "A person changed the call; what it became has a record of its own.")
      (cj/gate-confirm-withdraw job 'comes-back)
      (setf (cj/gate--job-argv job) argv
            (cj/gate--job-keys job) keys
            (cj/gate--job-plan job) plan
            (cj/gate--job-info job) info)
      (cj/gate--stage job #'cj/gate--look))))

(defun cj/gate--ask (job)
  "Ask about JOB once those before it in its batch have been asked about."
  (setf (cj/gate--job-ready job) t)
  (if (cj/gate--job-asked job)
      (cj/gate--ask-now job)
    (cj/gate--ask-next (cj/gate--job-batch job))))

(defun cj/gate--ask-next (batch)
  "Ask about the jobs of BATCH that are ready, up to one that is not."
  (let (job)
    (while (and (setq job (cj/gate--batch-next batch))
                (cj/gate--job-ready job))
      (setf (cj/gate--job-asked job) t)
      (cj/gate--stage job #'cj/gate--ask-now))))

(defun cj/gate--ask-now (job)
  "Show JOB to a person; refuse it where nobody can be asked.
One that was declined along with an earlier one of its batch is not shown, nor
one that a lease covers which was given meanwhile; but what a person has changed
is shown to them whatever covers it."
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
  "Put JOB among what waits for a person."
  (cj/gate-confirm
   (cj/gate--job-plan job) job
   (lambda (decision &optional why)
     (if (eq decision 'approved)
         (cj/gate--stage job #'cj/gate--run)
       (cj/gate--stage job #'cj/gate--refuse 'declined why)))))

(defun cj/gate--run (job)
  "Run the plan of JOB and answer with what it came to."
  (setf (cj/gate--job-ticket job)
        (cj/gate-run (cj/gate--job-plan job)
                     (lambda (outcome)
                       (cj/gate--stage job #'cj/gate--finish outcome))
                     :progress (cj/gate--job-progress job))
        (cj/gate--job-running job) t)
  (cj/gate--ask-after job))

(defun cj/gate--ask-after (job)
  "Ask about what waited behind JOB, about which nothing is to be asked."
  (when (cj/gate--job-batch job)
    (cj/gate--ask-next (cj/gate--job-batch job))))

(defun cj/gate--job-progress (job)
  "Return the function that is told how far JOB is, or nil."
  (let ((function (plist-get (cj/gate--job-keys job) :progress)))
    (and function
         (lambda (progress)
           (when (cj/gate--job-reply job)
             (cj/gate--in-buffer-of job function progress))))))

(defun cj/gate--refuse (job kind message)
  "Close the plan of JOB with KIND and MESSAGE, and answer so."
  (cj/gate--finish job (cj/gate--mod-close (cj/gate--job-plan job)
                                           kind message)))

(defun cj/gate--fail (job err)
  "Answer JOB with ERR, a condition that came up on its way."
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
ARGV is what is known of its arguments.  The call is recorded like any other."
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
          ;; One that is there and of no use for calls can still record.
          (ignore-errors (cj/gate-load-module))
          (cj/gate--text (cj/gate--mod-unplanned
                          program argv (cj/gate-error-kind err) message
                          (cj/gate--environment))))
      ;; No module: this text is all there is.
      (error (cj/gate--bare-answer program message)))))

(defun cj/gate--bare-answer (program message)
  "Return the answer for a call of PROGRAM that fails with MESSAGE.
For use where there is no module to make and record it."
  (let ((text (concat "Error: " (encode-coding-string message 'utf-8))))
    (format "[%s - unknown error module %.1fKB]\n%s" program
            (/ (string-bytes text) 1000.0)
            (decode-coding-string text 'utf-8))))

(defun cj/gate--text (outcome)
  "Return the answer that OUTCOME, a plist, stands for."
  ;; Every call that the core has recorded passes here.
  (with-demoted-errors "cj-gate: %S" (cj/gate-audit-say-trouble))
  (concat (plist-get outcome :header) "\n" (plist-get outcome :text)))

(defun cj/gate--finish (job outcome)
  "Answer JOB with OUTCOME, a plist with :header and :text."
  (cj/gate--answer job (cj/gate--text outcome)))

(defun cj/gate--answer (job text)
  "Call the reply of JOB with TEXT, the first time only."
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
  "Take JOB off the list; nothing more will be answered for it."
  (setf (cj/gate--job-reply job) nil)
  (setq cj/gate--jobs (delq job cj/gate--jobs))
  (when (featurep 'cj-gate-approval)
    (cj/gate-confirm-expect nil job))
  (cj/gate--ask-after job))

(defun cj/gate-abandon (test)
  "End every job for which TEST, a function of a job, is non-nil.
Their processes die, their prompts go away, and nobody is answered.
Return the number of jobs that were ended."
  (let ((jobs (cl-remove-if-not test cj/gate--jobs)))
    ;; First of all: what ends one of them asks about none of the others.
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
  "Record the cancelling of JOB, unless the end of its run records it.
WHY is a sentence; nil: its request was aborted."
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
  "Record each job that has not run, as Emacs is being left."
  (dolist (job cj/gate--jobs)
    (condition-case err
        (cj/gate--record-abandoned job "Emacs was left before the call ran.")
      ((error quit)
       (message "cj-gate: a call could not be recorded: %s"
                (error-message-string err))))))

;; Before the core is stopped, by whose records it is.
(add-hook 'kill-emacs-hook #'cj/gate--emacs-left -50)

(defun cj/gate--buffer-killed ()
  "End the jobs that came from the current buffer, which is being killed.
Those of a gptel request are dropped with it; any other caller is told."
  (let ((buffer (current-buffer)))
    (cj/gate-abandon (lambda (job)
                       (and (eq (cj/gate--job-buffer job) buffer)
                            (cj/gate--job-request job))))
    (dolist (job (cl-remove-if-not
                  (lambda (job) (eq (cj/gate--job-buffer job) buffer))
                  cj/gate--jobs))
      (cj/gate--cancel-job job))))

(defun cj/gate--cancel-job (job &optional message)
  "End JOB and tell its caller so, later.
MESSAGE says why; nil: its buffer is being killed."
  (when (featurep 'cj-gate-approval)
    (cj/gate-confirm-withdraw job))
  (mapc #'cj/gate-cancel (cj/gate--job-tickets job))
  ;; One that runs answers, and is recorded, at the end of its run.
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
