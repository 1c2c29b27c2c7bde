;;; cj-gh-menu.el --- One menu for all commands of the gate -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The menu is made with transient, as gptel's own menus are.  It shows the
;; policy of the current buffer, as the core applies it, and can make that
;; policy stricter for the buffer.  Only customizing an option makes a policy
;; looser.

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
    (unknown "release" "verify")
    (approve "pr" "review" "1" "--approve"))
  "A call for each row of the policy that can be chosen, rows of (NAME . ARGV).")

(defun cj/gh-policy-of-host (host)
  "Return the policy on HOST for this buffer, an alist of symbols.
Each row is (NAME . POLICY), as in `cj/gh-policy', for the classes `read',
`write' and `unknown', and for `approve'.  The core is asked with a plan for
each, which does not run.
Signal a condition under `cj/gate-error' if HOST is not known."
  (mapcar (pcase-lambda (`(,class . ,argv))
            (cons class
                  (plist-get (cj/gate-plan-info
                              (cj/gate-plan "gh" argv :hostname host
                                            :repo (and (memq class '(unknown approve))
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
  "Return the heading of the menu: the tools and policies of this buffer."
  (format "GitHub tools of this buffer: %s\n%s\n"
          (condition-case nil
              (or (cj/gh-profile) "none")
            (cj/gate-error "not known"))
          (cj/gh-menu--policies)))

(defun cj/gh-tighten-policy (host class)
  "Make the policy for CLASS on HOST one step stricter in this buffer.
HOST is a string, CLASS `read', `write', `unknown' or `approve'.  The policy
`auto' becomes `confirm', and `confirm' becomes `block'.  Return the new policy,
a symbol.
No command makes a policy looser in a buffer; to do that, customize
`cj/gh-policy'."
  (interactive
   (progn
     (cj/gate-load-module 'offer)
     (list (completing-read "Host: " (cj/gh-menu--hosts) nil t)
           (intern (completing-read "Calls of class: " '("read" "write" "unknown" "approve")
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
  "Customize `cj/gh-policy', the only way to make the policy looser."
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
  "Show the tools and policies of this buffer, and the commands of the gate."
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
    ("W" "Watch runs" cj/gh-watch)
    ("T" "Worktrees" cj/gh-worktrees)
    ("d" "Doctor" cj/gh-doctor)
    ("e" "Last error" cj/gh-tool-last-error)
    ("L" "Records" cj/gate-records)
    ("A" "Audit log" cj/gh-audit-search)
    ("H" "Audit by host" cj/gh-audit-by-host)
    ("C" "Check the log" cj/gh-audit-verify)
    ("k" "What is kept" cj/gate-purge)
    ("x" "Explain a command" cj/gh-explain)
    ("f" "Why this job failed" cj/gh-explain-failure)]])

(provide 'cj-gh-menu)

;;; cj-gh-menu.el ends here
