;;; cj-net.el --- The network through the gate -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Tools for gptel that look at the network: why a host cannot be reached, which
;; hosts the user's own network has, which services listen on a host, this
;; machine's own state, DNS records.  Addresses of the user's own networks need
;; no question, except before the first discovery of a network.  A public address
;; needs a person's yes, or is refused.
;;
;;   (require 'cj-net)
;;   (with-eval-after-load 'gptel (cj/net-register))
;;
;; `M-x cj/net-doctor' says which programs are missing.
;; Loading this file registers no tool and starts no program.

;;; Code:

(require 'cl-lib)
(require 'cj-gate)

(declare-function cj/gate--mod-net-validate "ext:cj-gate-module")
(declare-function cj/gate--mod-net-facts "ext:cj-gate-module")
(declare-function cj/gate--mod-net-programs "ext:cj-gate-module")
(declare-function cj/net-tools-register "cj-net-tools")

;;;; Options

(defgroup cj-gate-net nil
  "The network through the gate."
  :group 'cj-gate
  :prefix "cj/net-")

(defcustom cj/net-executables nil
  "File names of programs that are not on variable `exec-path', an alist.
Each row is (NAME . FILE), as in (\"nmap\" . \"/opt/nmap/bin/nmap\").  By
default there are no rows.  A program without a row is looked for on variable
`exec-path', then in /usr/sbin and /sbin."
  :type '(alist :key-type (string :tag "Program") :value-type file)
  :group 'cj-gate-net
  :risky t)

(defcustom cj/net-trusted-networks nil
  "Networks that may be discovered without a question, a list of strings.
Each is ADDRESS/LENGTH, as in \"192.168.1.0/24\", and includes the networks
inside it.  Before the first discovery of any other network in a session, a
person is asked: the network may belong to an employer or a hotel.  Note that
private addresses are the same everywhere; 192.168.1.0/24 at home is also
192.168.1.0/24 elsewhere.  By default the list is empty."
  :type '(repeat (string :tag "Network"))
  :group 'cj-gate-net
  :risky t)

(defcustom cj/net-policy '((read . auto))
  "What happens with network calls, an alist with one row, for `read'.
`auto', the default, runs calls to the user's own networks and asks about
other calls; `confirm' asks about every call, `block' refuses every call.
A buffer-local value can make the policy stricter, never looser."
  :type '(alist :key-type (const read)
                :value-type (choice (const auto) (const confirm) (const block)))
  :group 'cj-gate-net
  :risky t)

(defconst cj/net--more-directories '("/usr/sbin" "/sbin")
  "Directories of programs that a user's variable `exec-path' often lacks.")

(defun cj/net--executable (name)
  "Return the absolute file name of the program NAME as bytes, or nil."
  (let ((named (cdr (assoc name (default-value 'cj/net-executables)))))
    (if named
        (and (stringp named) (file-name-absolute-p named)
             (cj/gate--executable (expand-file-name named)))
      (or (cj/gate--executable name)
          (cl-some (lambda (directory)
                     (cj/gate--executable (expand-file-name name directory)))
                   cj/net--more-directories)))))

(defun cj/net--settings ()
  "Return the values of the options for the core, a plist."
  (list :programs (cl-loop for (name) in (cj/gate--mod-net-programs)
                           for file = (cj/net--executable name)
                           when file collect (cons name file))
        :trusted (cl-remove-if-not #'stringp
                                   (default-value 'cj/net-trusted-networks))
        :policies (append
                   (list (list :general (default-value 'cj/net-policy)))
                   (and (local-variable-p 'cj/net-policy)
                        (list (list :general cj/net-policy))))))

(defun cj/net--facts (argv callback)
  "Collect the facts of this machine that a call with ARGV needs; never wait.
CALLBACK is called once with an opaque object for `cj/gate-plan'.
Return a handle for `cj/gate-cancel'."
  (let ((inhibit-quit t))
    (cj/gate--await (cj/gate--mod-net-facts argv (cj/gate--settings "net"))
                    callback)))

;;;; Functions for other Lisp

(defun cj/net-call (tool arguments callback &rest keys)
  "Send a call of a network TOOL through the gate, without gptel.
TOOL is its name, a string.  ARGUMENTS is a list of strings, \"KEY=VALUE\"
each: net_diagnose takes target, port and external; net_discover subnet;
net_services host, ports, fast and external; network_status none; dns_lookup
name, type and server.  CALLBACK is called exactly once with the result, a
string: the header line and the text below it.  KEYS is a plist of
:progress, as in `cj/gate-run'.
Never signal, never wait; return the job."
  (apply #'cj/gate-submit "net" (cons tool arguments) callback keys))

(defun cj/net-validate (fn input &optional resolved)
  "Return how INPUT is judged by the validator FN, a plist.
FN is the symbol of a validator; INPUT is:
`target'      a host by name or address: a string, or a plist with :host,
              a string, and :external, t if the caller said that it lies
              outside the user's own networks
`subnet'      a network to discover, \"192.168.1.0/24\"
`ports'       TCP ports, \"22,80,8000-8010\", or one number
`dns-type'    a record type, \"MX\"
`dns-server'  a DNS server by its address
`dns-name'    a name to look up
RESOLVED is a list of strings, every address that a look-up of the target's
name gave; this function looks nothing up itself.
The plist has :verdict (`allow', `confirm' or `reject'), :reason (a sentence)
and :pinned, the string to pass on in place of INPUT: for a target the one
address of RESOLVED; nil for names and for rejected input.
Signal `cj/gate-bad-argument' for any other FN."
  (cj/gate-load-module)
  (cj/gate--mod-net-validate fn input resolved))

;;;; gptel

;;;###autoload
(defun cj/net-register ()
  "Register the network tools with gptel; return them, a list.
A second call replaces the tools.  This loads gptel."
  (interactive)
  (require 'cj-net-tools)
  (cj/net-tools-register))

(autoload 'cj/net-doctor "cj-net-doctor" "Check what the network tools need." t)

(provide 'cj-net)

;;; cj-net.el ends here
