;;; cj-gate-plan.el --- One call, planned, approved and run -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A plan is one call, judged and with its target fixed, that may run at most
;; once.  Other Lisp may use the functions of this file.  The steps by which a
;; model's call passes through them are in cj-gate-job.el.

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
  "Numbers of the chats, by buffer: a chat is a buffer that made a call.
This is no buffer-local variable: a cloned buffer would have the same number,
and a file could set the number.")

(defvar cj/gate--chat-count 0
  "How many chats there have been.")

(defun cj/gate--chat ()
  "Return the number of the current buffer as a chat, from 1.
Buffers that share their text are one chat."
  (let ((buffer (or (buffer-base-buffer) (current-buffer))))
    (or (gethash buffer cj/gate--chats)
        (with-current-buffer buffer
          (add-hook 'kill-buffer-hook #'cj/gate--chat-killed nil t)
          (puthash buffer (setq cj/gate--chat-count (1+ cj/gate--chat-count))
                   cj/gate--chats)))))

(defun cj/gate--chat-killed ()
  "Forget the results kept for the current buffer, which is being killed."
  (let ((chat (gethash (current-buffer) cj/gate--chats)))
    (when (and chat (featurep 'cj-gate-module))
      (remhash (current-buffer) cj/gate--chats)
      (cj/gate--mod-forget-chat chat))))

;;;; One call

;; A file must not choose this value by a file-local variable, hence `:risky'.

(defcustom cj/gate-approval-max-age 600
  "Seconds that a call waits for a person before the gate declines it.
Default 600."
  :type 'natnum
  :group 'cj-gate
  :risky t)

(defun cj/gate-git-facts (cwd callback &optional argv keys)
  "Collect what git knows of the checkout in CWD, without waiting.
CWD is a directory of this machine, a string; nil stands for the current
directory.  CALLBACK is called once, with an opaque object for the `:facts' of
`cj/gate-plan'; outside a checkout the object is empty.
ARGV and KEYS are the arguments of `cj/gate-plan' for the call of gh that needs
the facts.  A call that would publish the messages of commits, such as
\"pr create --fill\", needs them here, since its facts must hold the messages.
Return a handle for `cj/gate-cancel'.
Signal `cj/gate-bad-cwd' or `cj/gate-remote-cwd' before any program runs."
  (cj/gate-load-module)
  (let ((place (cj/gate--place cwd)))
    (when (plist-get place :remote-cwd)
      (cj/gate--signal 'remote-cwd "The directory %s is on another machine.
Give a local `cwd', or name the repository with `repo'" cwd))
    ;; C-g between starting git and noting the callback would lose the callback.
    (let ((inhibit-quit t))
      (cj/gate--await (cj/gate--mod-facts (plist-get place :cwd)
                                          (if argv (cj/gate--settings "gh")
                                            (cj/gate--common-settings))
                                          argv keys)
                      callback))))

(defun cj/gate-plan (program argv &rest keys)
  "Return a plan for one call of PROGRAM with ARGV, without waiting.
PROGRAM is a name in `cj/gate-programs', such as \"gh\".  ARGV is a list or
vector of strings, the arguments without PROGRAM.  KEYS is a plist:
 :cwd       directory to run in, a string; default: the current directory
 :facts     the object that `cj/gate-git-facts' gave its callback, or nil
 :hostname  host, a string, or nil
 :repo      repository, \"[HOST/]OWNER/REPO\", or nil
 :timeout   seconds, a number from 0.1 to 120; 0 counts as 1, and any other
            number outside as the nearer end; default: by `cj/gh-timeouts',
            else 20 or 60, by the command
 :cap       bytes kept of standard output, an integer from 1 to 65536, where a
            number outside counts as the nearer end; default: 65536
 :keep      which part of the output is kept, `head' or `head-tail' (both ends);
            default: by the command
 :view      how the result is rendered: (plain), the default, or
            (pr-view :include-body BOOLEAN)
 :pages     the most pages of a call with --paginate, at most 10, the default
 :download  the artifact to download, if ARGV asks for a download: a plist of
            :run and :name and, from the list of the run's artifacts, either
            :id, :size and :digest, or :kind and :message if it is not there
The plan is an opaque object and runs at most once; see `cj/gate-plan-info'.
If its result is cut, the rest is kept for the current buffer alone.
Signal a condition under `cj/gate-error' if no plan can be made."
  (cj/gate-load-module)
  (cj/gate--mod-plan program argv
                     (append (cj/gate--place (plist-get keys :cwd)) keys
                             (list :chat (cj/gate--chat)))
                     (cj/gate--settings program)))

(defun cj/gate-plan-info (plan)
  "Return the facts of PLAN that may be shown, a plist.
Symbols: :class (`read', `write', `destructive', `blocked' or `unknown'),
:policy (`auto', `confirm' or `block'), :source (how the target was found),
:act (the row of the policy that counts besides that of the class, or nil),
:refusal (the kind of error with which it will not run, or nil).
Strings: :program, :command (\"pr view\"), :reason (why it has its class),
:host, :owner, :repo and :account (nil where there is none; :owner alone
where the call is about an organization or a user as a whole), :cwd, :digest
\(for `cj/gate-approve'), :reproduce (a line for a shell, redacted),
:refusal-message (or nil).
Lists of strings: :argv, :shown (the arguments of :argv with invisible
characters made visible), :complaints (errors in the user's policy rows).
:sentence says what the call will do, :undo what cannot be undone; both are
sentences.  :no-lease says why no lease can cover the call, or is nil; :leased
is non-nil if a lease covers the call now.  :first-write is non-nil if the call
is the first write to its repository from this Emacs.
:texts are the texts that the call sends: plists of :label, :text, :replaces
\(non-nil for an edit), :field (the name of the current text that this one
replaces, or nil) and :above (what the text is about, a list like :quoted).
:quoted are texts that are there already, such as remarks that the call answers:
plists of :label and :text.
:rows are further facts for a person to see before a yes: plists of :label,
:text and :tone (how the fact bears on this call: good, plain, warning, bad).
:looks are the reads to make before a person is asked, such as that of the
current texts: a list of argvs.
:call is the number of the call in this Emacs, from 1."
  (cj/gate-load-module)
  (cj/gate--mod-plan-info plan))

(defun cj/gate--owner-and-repo (info)
  "Return owner and repository in INFO, a plist, as a string, or nil.
The string is OWNER/REPO, or OWNER if the call is about the owner as a whole."
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
Signal `cj/gate-denied' if DIGEST is not that of PLAN, if no person can have
pressed the key (batch, a keyboard macro, a timer), if PLAN is refused by its
class or policy, or if PLAN is older than `cj/gate-approval-max-age'.
Signal `cj/gate-used' if PLAN has run.
Only the accepting key of the approval buffer calls this."
  (cj/gate-load-module)
  (cj/gate--mod-approve plan digest
                        (default-value 'cj/gate-approval-max-age)))

(defun cj/gate-lease (plan digest minutes)
  "Approve PLAN, and for MINUTES each call that resembles it; return t.
DIGEST is as in `cj/gate-approve', MINUTES an integer from 1 to 60.  A call
resembles PLAN if it is judged `write', would wait for a key, and has the same
program, command, host, owner, repository, account and directory.
Signal the conditions of `cj/gate-approve'.  Also signal `cj/gate-denied' if
PLAN itself is no such call, or if the policy has the row (leases . block).
Only the key for leases in the approval buffer calls this."
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
 :context         the target, a plist :host :owner :repo :account :source
 :call            the number of the call in this Emacs, from 1
All text in the plist is redacted.
KEYS is a plist of :progress, a function or nil.  While the call is queued or
runs, this function is called up to four times a second, and never after
CALLBACK, with a plist:
 :call            as above
 :state           `queued' or `running'
 :elapsed-ms      milliseconds since the start of the program that runs now
 :bytes           bytes read so far, both streams
 :last-line       the last line of standard output that can be shown, a
                  string of some 200 bytes at most, redacted; may be empty
If the function fails it is not called again; the call goes on.
Signal `cj/gate-denied' if PLAN is neither automatic nor approved, or if the
gate is stopped, and `cj/gate-used' if PLAN has run."
  (cj/gate-load-module)
  ;; Load this before the program runs: if loading failed after the start, the
  ;; handle of the running program would be lost.
  (require 'cj-gate-progress)
  (let* ((inhibit-quit t)
         (ticket (cj/gate--await (cj/gate--mod-run plan nil) callback)))
    (cj/gate-progress--started ticket (plist-get keys :progress))
    ticket))

(defun cj/gate-cancel (handle)
  "End the work behind HANDLE with all its processes.
HANDLE is the value of `cj/gate-run' or `cj/gate-git-facts'.  The callback of a
run is still called, once, with :error-kind `cancelled'.
Return non-nil if the work was still under way."
  ;; `cj/gate-load-module' is not called: a loaded module must be able to end
  ;; its work even when it may not be used for new calls.
  (and (featurep 'cj-gate-module)
       (cj/gate--mod-cancel handle)))

(provide 'cj-gate-plan)

;;; cj-gate-plan.el ends here
