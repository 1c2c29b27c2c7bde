;;; cj-gate-plan.el --- One call, planned, approved and run -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A plan is one call, judged and pinned, that may run at most once.  These are
;; the doors of the native core for it, which other Lisp may use; the road that
;; a model's calls take through them is in cj-gate-job.el.

;;; Code:

(require 'cj-gate-load)
(require 'cj-gate-settings)

(declare-function cj/gate-progress--started "cj-gate-progress")
(declare-function cj/gate--mod-facts "ext:cj-gate-module")
(declare-function cj/gate--mod-plan "ext:cj-gate-module")
(declare-function cj/gate--mod-plan-info "ext:cj-gate-module")
(declare-function cj/gate--mod-approve "ext:cj-gate-module")
(declare-function cj/gate--mod-lease "ext:cj-gate-module")
(declare-function cj/gate--mod-run "ext:cj-gate-module")
(declare-function cj/gate--mod-cancel "ext:cj-gate-module")
(declare-function cj/gate--mod-forget-chat "ext:cj-gate-module")

;;;; Whose call it is

(defvar cj/gate--chats (make-hash-table :test 'eq :weakness 'key)
  "Numbers of the chats: buffers that calls were made from.
No buffer-local variable: a cloned buffer would have the same value, and a
file could set it.")

(defvar cj/gate--chat-count 0
  "How many chats there have been.")

(defun cj/gate--chat ()
  "Return the number of the chat that the current buffer is, from 1.
Buffers that share their text are one chat."
  (let ((buffer (or (buffer-base-buffer) (current-buffer))))
    (or (gethash buffer cj/gate--chats)
        (with-current-buffer buffer
          (add-hook 'kill-buffer-hook #'cj/gate--chat-killed nil t)
          (puthash buffer (setq cj/gate--chat-count (1+ cj/gate--chat-count))
                   cj/gate--chats)))))

(defun cj/gate--chat-killed ()
  "Forget what is kept for the current buffer, which is being killed."
  (let ((chat (gethash (current-buffer) cj/gate--chats)))
    (when (and chat (featurep 'cj-gate-module))
      (remhash (current-buffer) cj/gate--chats)
      (cj/gate--mod-forget-chat chat))))

;;;; One call

;; Not safe as a file-local or directory-local variable.

(defcustom cj/gate-approval-max-age 600
  "Seconds after which a call that waits for a person is declined by itself.
Default 600."
  :type 'natnum
  :group 'cj-gate
  :risky t)

(defun cj/gate-git-facts (cwd callback &optional argv keys)
  "Collect what git knows of the checkout in CWD, without waiting.
CWD is a directory of this machine, a string; nil stands for the current
one.  CALLBACK is called once, with an opaque object for the `:facts' of
`cj/gate-plan'; it is empty outside a checkout.
ARGV and KEYS are those of a call of gh that the facts are for, as for
`cj/gate-plan': one that would publish the messages of commits, such as
\"pr create --fill\", can be planned with facts that have them alone.
Return a handle for `cj/gate-cancel'.
Signal `cj/gate-bad-cwd' or `cj/gate-remote-cwd' before anything runs."
  (cj/gate-load-module)
  (let ((place (cj/gate--place cwd)))
    (when (plist-get place :remote-cwd)
      (cj/gate--signal 'remote-cwd "The directory %s is on another machine.
Give a local `cwd', or name the repository with `repo'" cwd))
    ;; C-g between the two would lose the callback.
    (let ((inhibit-quit t))
      (cj/gate--await (cj/gate--mod-facts (plist-get place :cwd)
                                          (if argv (cj/gate--settings "gh")
                                            (cj/gate--common-settings))
                                          argv keys)
                      callback))))

(defun cj/gate-plan (program argv &rest keys)
  "Return a plan for one call of PROGRAM with ARGV, without waiting.
PROGRAM is a string, \"gh\".  ARGV is a list or vector of strings without the
program.  KEYS is a plist:
 :cwd       directory to run in, a string; default: the current one
 :facts     what `cj/gate-git-facts' gave, or nil
 :hostname  host, a string, or nil
 :repo      repository, \"[HOST/]OWNER/REPO\", or nil
 :timeout   seconds, a number, taken as 0.1 to 120, and 0 as 1; default: by
            the user's option, else 20 or 60, by the command
 :cap       bytes kept of standard output, an integer, taken as 1 to 65536,
            which is the default
 :keep      `head' or `head-tail', which part is kept; default: by the command
 :view      how the result is rendered: (plain), the default, or
            (pr-view :include-body BOOLEAN)
 :download  an artifact that is to be downloaded, where ARGV asks for it: a
            plist of :run and :name and, by the run's list, :id, :size and
            :digest, or :kind and :message for why it is not there
The plan is opaque and runs at most once; see `cj/gate-plan-info'.  What is
kept of a result that was cut is kept for the current buffer alone.
Signal a condition under `cj/gate-error' for what cannot be planned."
  (cj/gate-load-module)
  (cj/gate--mod-plan program argv
                     (append (cj/gate--place (plist-get keys :cwd)) keys
                             (list :chat (cj/gate--chat)))
                     (cj/gate--settings program)))

(defun cj/gate-plan-info (plan)
  "Return what may be shown of PLAN, a plist.
Symbols: :class (`read', `write', `destructive', `blocked' or `unknown'),
:policy (`auto', `confirm' or `block'), :source (how the target was found),
:refusal (the kind of error with which it will not run, or nil).
Strings: :program, :command (\"pr view\"), :reason (why it has its class),
:host, :owner, :repo and :account (nil where there is none; :owner alone
where the call is about an organization or a user as a whole), :cwd, :digest
\(for `cj/gate-approve'), :reproduce (a line for a shell, redacted),
:refusal-message (or nil).
Lists of strings: :argv, :shown (the same with invisible characters made
visible), :complaints (what is wrong with the user's policy rows).
:undo is a sentence on what cannot be undone, :no-lease why no lease can
cover the call (or nil), :leased non-nil if one does now.  :texts are the
texts that it sends: plists of :label, :text, :replaces (non-nil for an
edit) and :field (what it replaces in what :before gives, or nil).  :rows
are what else is to be seen before a yes: plists of :label, :text and
:tone (how it bears on this call: good, plain, warning, bad).  :before
is the argv of a read that gives what is there now, or nil.
:call is the number of the call in this Emacs, from 1."
  (cj/gate-load-module)
  (cj/gate--mod-plan-info plan))

(defun cj/gate--owner-and-repo (info)
  "Return owner and repository in INFO, a plist, or nil.
A string: OWNER/REPO, or OWNER where a call is about the owner as a whole."
  (let ((owner (plist-get info :owner))
        (repo (plist-get info :repo)))
    (and owner (if repo (format "%s/%s" owner repo) owner))))

(defun cj/gate--target (info)
  "Return the target in INFO, a plist: HOST, HOST/OWNER or HOST/OWNER/REPO."
  (let ((names (cj/gate--owner-and-repo info)))
    (concat (plist-get info :host) (and names (concat "/" names)))))

(defun cj/gate-approve (plan digest)
  "Note that a person approved PLAN as it was shown with DIGEST; return t.
DIGEST is a string, the `:digest' of the plan's `cj/gate-plan-info'.
Signal `cj/gate-denied' when DIGEST is another's, when nobody can be
asked (batch, a keyboard macro, no key of a person's), when PLAN is
refused by its class or policy, or older than `cj/gate-approval-max-age';
signal `cj/gate-used' when it has run.
Called by the accepting key of the approval buffer, and nowhere else."
  (cj/gate-load-module)
  (cj/gate--mod-approve plan digest
                        (default-value 'cj/gate-approval-max-age)))

(defun cj/gate-lease (plan digest minutes)
  "Approve PLAN like `cj/gate-approve', and its like for MINUTES; return t.
DIGEST is as there, MINUTES an integer from 1 to 60.  Its like are calls that
are judged `write' and would wait for a key, of the same program, command,
host, owner, repository, account and directory.
Signal as `cj/gate-approve', and `cj/gate-denied' for any other plan, and
where the policy says (leases . block).
Called by the key for it in the approval buffer, and nowhere else."
  (cj/gate-load-module)
  (cj/gate--mod-lease plan digest
                      (default-value 'cj/gate-approval-max-age) minutes))

(defun cj/gate-run (plan callback &rest keys)
  "Run PLAN without waiting; return a handle at once.
CALLBACK is called exactly once with the outcome, a plist:
 :header :text    the first line and the text below it, for a model; strings
 :stdout :stderr  what the program printed, cut at the cap; strings
 :exit-code       an integer; nil where nothing ran or a signal ended it
 :error-kind      a symbol of `cj/gate-error-kinds'; nil on success
 :truncated       non-nil if part of the output is missing
 :bytes-captured :bytes-dropped
                  bytes of standard output that were kept, or read and dropped
 :duration-ms     milliseconds from the program's start to its end
 :argv            the arguments, redacted; a list of strings
 :context         where it went, a plist :host :owner :repo :account :source
 :call            the number of the call in this Emacs, from 1
All text in it is redacted.
KEYS is a plist of :progress, a function or nil.  While the call is queued
or runs it is called up to four times a second, never after CALLBACK, with
a plist:
 :call            as above
 :state           `queued' or `running'
 :elapsed-ms      milliseconds since the start of the program that runs now
 :bytes           bytes read so far, both streams
 :last-line       the last line of standard output that can be shown, a
                  string of some 200 bytes at most, redacted; may be empty
If it fails it is not called again; the call goes on.
Signal `cj/gate-denied' when PLAN is neither automatic nor approved or the
gate is stopped, and `cj/gate-used' when it has run."
  (cj/gate-load-module)
  ;; Before the program runs: a file that cannot be loaded must not lose it.
  (require 'cj-gate-progress)
  (let* ((inhibit-quit t)
         (ticket (cj/gate--await (cj/gate--mod-run plan nil) callback)))
    (cj/gate-progress--started ticket (plist-get keys :progress))
    ticket))

(defun cj/gate-cancel (handle)
  "End the work behind HANDLE with all its processes.
HANDLE is what `cj/gate-run' or `cj/gate-git-facts' returned.  The callback
of a run is still called, once, with :error-kind `cancelled'.
Return non-nil if it was still under way."
  ;; Also where the module cannot be used for anything else any more.
  (and (featurep 'cj-gate-module)
       (cj/gate--mod-cancel handle)))

(provide 'cj-gate-plan)

;;; cj-gate-plan.el ends here
