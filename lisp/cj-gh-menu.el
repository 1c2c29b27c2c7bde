;;; cj-gh-menu.el --- What a person does with the gate, in one menu -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A menu of transient's, the library that gptel's own menus are made with.
;; It shows the policy that holds here, asked of the core, and can tighten it
;; for the current buffer; what loosens a policy is customizing it.

;;; Code:

(require 'cl-lib)
(require 'transient)
(require 'cj-gh)
(require 'cj-gh-profiles)

(declare-function cj/gate--mod-hosts "ext:cj-gate-module")
(declare-function cj/gate--mod-stopped "ext:cj-gate-module")

(defconst cj/gh-menu--examples
  '((read "api" "user")
    (write "api" "user" "--method" "PATCH")
    (unknown "release" "verify"))
  "A call of each class whose policy can be chosen: (CLASS . ARGV).")

(defun cj/gh-policy-of-host (host)
  "Return the policy on HOST for this buffer, an alist of symbols.
Each row is (CLASS . POLICY), as in `cj/gh-policy', for the classes that leave
a choice.  The core is asked, with a call of each class that does not run.
Signal a condition under `cj/gate-error' for a host that is not known."
  (mapcar (pcase-lambda (`(,class . ,argv))
            (cons class
                  (plist-get (cj/gate-plan-info
                              (cj/gate-plan "gh" argv :hostname host
                                            :repo (and (eq class 'unknown)
                                                       (concat host "/o/r"))
                                            :cwd (car (default-value 'cj/gate-cwd-roots))))
                             :policy)))
          cj/gh-menu--examples))

(defun cj/gh-menu--hosts ()
  "Return the known hosts, a list of strings."
  (mapcar (lambda (host) (plist-get host :host))
          (cj/gate--mod-hosts (cj/gate--settings "gh"))))

(defun cj/gh-menu--policies ()
  "Return the policies that hold in the current buffer, as lines of text."
  (condition-case err
      (progn
        (cj/gate-load-module)
        (mapconcat
         (lambda (host)
           (format "%s: %s" host
                   (mapconcat (pcase-lambda (`(,class . ,policy))
                                (format "%s %s" class policy))
                              (cj/gh-policy-of-host host) ", ")))
         (cj/gh-menu--hosts) "\n"))
    (cj/gate-error
     (car (split-string (cj/gate-error-message err) "\n")))))

(defun cj/gh-menu--heading ()
  "Return what stands above the menu: tools and policies of this buffer."
  (format "GitHub tools of this buffer: %s\n%s\n"
          (condition-case nil
              (or (cj/gh-profile) "none")
            (cj/gate-error "not known"))
          (cj/gh-menu--policies)))

(defun cj/gh-tighten-policy (host class)
  "Make the policy for CLASS on HOST one step stricter in this buffer.
HOST is a string, CLASS `read', `write' or `unknown'.  What was `auto' then
asks, what asked is refused.  Return the policy that holds then, a symbol.
Nothing loosens a policy in a buffer: for that customize `cj/gh-policy'."
  (interactive
   (progn
     (cj/gate-load-module 'offer)
     (list (completing-read "Host: " (cj/gh-menu--hosts) nil t)
           (intern (completing-read "Calls of class: " '("read" "write" "unknown")
                                    nil t)))))
  (unless (assq class cj/gh-menu--examples)
    (user-error "The class %s is always refused" class))
  (let* ((now (alist-get class (cj/gh-policy-of-host host)))
         (next (if (eq now 'auto) 'confirm 'block))
         (own (and (local-variable-p 'cj/gh-host-policy) cj/gh-host-policy))
         (rows (cons (cons class next)
                     (assq-delete-all class (copy-sequence (cdr (assoc host own)))))))
    (setq-local cj/gh-host-policy
                (cons (cons host rows)
                      (cl-remove host own :key #'car-safe :test #'equal)))
    (let ((holds (alist-get class (cj/gh-policy-of-host host))))
      (message "On %s, %s is %s in this buffer; M-x customize-variable cj/gh-host-policy for all"
               host class holds)
      holds)))

(defun cj/gh-menu--customize ()
  "Customize the policy, which is how it is loosened."
  (interactive)
  (message "A policy is loosened here only, never from a menu or a file")
  (customize-variable 'cj/gh-policy))

(defun cj/gh-menu--stopped-p ()
  "Return non-nil if the gate is stopped."
  (and (featurep 'cj-gate-module) (cj/gate--mod-stopped)))

(defun cj/gh-menu--open-p ()
  "Return non-nil if the gate is not stopped."
  (not (cj/gh-menu--stopped-p)))

(autoload 'cj/gate-approvals "cj-gate-approval" "Go to the call that waits." t)

(defun cj/gh-menu--leases-p ()
  "Return non-nil if leases can be listed."
  (commandp 'cj/gate-leases))

(defun cj/gh-menu--leases ()
  "List the leases that a person gave."
  (interactive)
  (call-interactively 'cj/gate-leases))

;;;###autoload (autoload 'cj/gh-menu "cj-gh-menu" nil t)
(transient-define-prefix cj/gh-menu ()
  "Show what holds here, and what can be done with the gate."
  [:description cj/gh-menu--heading
   ["This buffer"
    ("p" "Profile" cj/gh-use-profile)
    ("t" "Tighten the policy" cj/gh-tighten-policy)
    ("c" "Customize the policy" cj/gh-menu--customize)]
   ["Calls"
    ("a" "Approvals" cj/gate-approvals)
    ("w" "What waits" cj/gate-queue)
    ("l" "Leases" cj/gh-menu--leases :if cj/gh-menu--leases-p)
    ("r" "What runs" cj/gate-runs)
    ("s" "Stop the gate" cj/gate-stop :if cj/gh-menu--open-p)
    ("S" "Resume" cj/gate-resume :if cj/gh-menu--stopped-p)]
   ["Looking"
    ("v" "Review comments" cj/gh-pr-review-comments)
    ("P" "Pull request" cj/gh-pr-current)
    ("d" "Doctor" cj/gh-doctor)
    ("e" "Last error" cj/gh-tool-last-error)
    ("L" "Records" cj/gate-records)
    ("A" "Audit log" cj/gh-audit-search)
    ("H" "Audit by host" cj/gh-audit-by-host)
    ("C" "Check the log" cj/gh-audit-verify)
    ("k" "What is kept" cj/gate-purge)
    ("x" "Explain a command" cj/gh-explain)]])

(provide 'cj-gh-menu)

;;; cj-gh-menu.el ends here
