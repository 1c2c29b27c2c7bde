;;; cj-net-tools.el --- The network tools that gptel offers -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each tool is a row of a table with its arguments, which the core gets as
;; KEY=VALUE words.  This file decides nothing: the core reads the words again,
;; judges each, and decides which programs run, with which arguments, and
;; whether a person must be asked.

;;; Code:

(require 'cl-lib)
(require 'cj-net)
(require 'cj-gate-gptel)
(require 'cj-gate-tools)

(declare-function gptel-get-tool "ext:gptel-request")
(declare-function gptel-make-preset "ext:gptel")

(defconst cj/net-tools--external
  '(:name "external" :type boolean :optional t
    :description "Host is public; asks the person")
  "The argument that says that a host is outside the user's own networks.")

(defconst cj/net-tools-table
  `((:name "net_diagnose" :function cj/net-tool-diagnose
     :description "Find out why a host can't be reached: DNS, ping, route, port, HTTP/TLS"
     :args ((:name "target" :type string :description "Name or address")
            (:name "port" :type integer :optional t)
            ,cj/net-tools--external)
     :asks cj/net-tools--asks-p)
    (:name "net_discover" :function cj/net-tool-discover
     :description "List hosts on a private network"
     :args ((:name "subnet" :type string :optional t
             :description "At most /22; default: the current LAN")))
    (:name "net_services" :function cj/net-tool-services
     :description "List a host's open TCP ports and what listens there"
     :args ((:name "host" :type string)
            (:name "ports" :type string :optional t
             :description "As 22,80,8000-8010; default: the 100 most usual")
            (:name "fast" :type boolean :optional t
             :description "The 20 most usual")
            ,cj/net-tools--external)
     :asks cj/net-tools--asks-p)
    (:name "network_status" :function cj/net-tool-status
     :description "Show this machine's interfaces, routes, listeners, DNS"
     :args ())
    (:name "dns_lookup" :function cj/net-tool-dns-lookup
     :description "Look up DNS records"
     :args ((:name "name" :type string)
            (:name "type" :type string :optional t
             :description "A, AAAA, MX, NS, TXT, SRV, CAA, CNAME, PTR or SOA")
            (:name "server" :type string :optional t
             :description "Private, 1.1.1.1, 8.8.8.8 or 9.9.9.9")))
    (:name "net_more" :function cj/net-tool-more
     :description "More of a result that was cut"
     :args ((:name "handle" :type string :description "As given")
            (:name "lines" :type string :optional t :description "As 120-180")
            (:name "pattern" :type string :optional t :description "Regexp"))
     :slice t))
  "The tools, a list of plists.
Each has these keys:
 :name :description :args
            as gptel has them; the descriptions are short, since all of them
            are sent with every request
 :function  the named function that gptel calls
 :slice     non-nil for the tool that gives a part of an earlier result
 :asks      function of the raw arguments that returns non-nil if the gate will
            ask a person about the call")

(defun cj/net-tools--asks-p (args)
  "Return non-nil if the gate will ask a person about a call with raw ARGS."
  (let ((external (plist-get args :external)))
    (and external (not (memq external '(:json-false :false))))))

(defun cj/net-tools--words (args)
  "Return ARGS, a plist of normalized arguments, as KEY=VALUE words."
  (cl-loop for (key value) on args by #'cddr
           when value
           collect (format "%s=%s" (substring (symbol-name key) 1)
                           (if (eq value t) "true" value))))

(defun cj/net-tools--call (name callback values)
  "Send a call of the tool NAME with VALUES through the gate.
CALLBACK gets the result, a string, exactly once.  Never signal."
  (let ((row (cl-find name cj/net-tools-table :test #'equal
                      :key (lambda (row) (plist-get row :name)))))
    (condition-case err
        (let ((args (progn (cj/gate-load-module)
                           (cj/gate-gptel-normalize (plist-get row :args)
                                                    values))))
          (if (plist-get row :slice)
              (apply #'cj/gate-more "net" (plist-get args :handle) callback args)
            (cj/net-call name (cj/net-tools--words args) callback)))
      ((error quit)
       (cj/gate-reject "net" (list name) err callback)))
    nil))

(cj/gate-tools-define cj/net-tools-table cj/net-tools--call
  (cj/net-tool-diagnose "net_diagnose")
  (cj/net-tool-discover "net_discover")
  (cj/net-tool-services "net_services")
  (cj/net-tool-status "network_status")
  (cj/net-tool-dns-lookup "dns_lookup")
  (cj/net-tool-more "net_more"))

;;;; Registration

(defun cj/net-tools--with-ours (tools)
  "Return TOOLS, a list of tools of gptel, with the network tools added."
  (append (cj/gate-tools-without tools cj/net-tools-table)
          (mapcar (lambda (row)
                    (gptel-get-tool (list "network" (plist-get row :name))))
                  cj/net-tools-table)))

(defun cj/net-tools-register ()
  "Register every tool of `cj/net-tools-table' with gptel; return the tools.
They are registered without gptel's own confirmation, since the gate asks.
Also make the preset `network', which gives the tools to a buffer."
  (prog1 (cj/gate-tools-register cj/net-tools-table "network")
    (gptel-make-preset 'network
      :description "The network tools"
      :tools '(:function cj/net-tools--with-ours))))

(provide 'cj-net-tools)

;;; cj-net-tools.el ends here
