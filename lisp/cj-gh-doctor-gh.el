;;; cj-gh-doctor-gh.el --- What the doctor asks gh, git and the hosts -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The checks of the installed gh and of the commands that it has, of the hosts
;; that calls may go to and the logins there, and of the target of a call from
;; the current directory.  Each check is a function in the table of
;; cj-gh-doctor.el, which says how the function is called and how it reports.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-install)
(require 'cj-gate-view)

(declare-function cj/gate--mod-drift "ext:cj-gate-module")
(declare-function cj/gate--mod-installed "ext:cj-gate-module")
(declare-function cj/gate--mod-hosts "ext:cj-gate-module")
(declare-function cj/gate--mod-unknown-hosts "ext:cj-gate-module")
(declare-function cj/gh-doctor--under-way "cj-gh-doctor")

;;;; gh

(defconst cj/gh-doctor--gh-floor "2.50.0"
  "The oldest gh that is supported.")

(defun cj/gh-doctor--gh (report)
  "Check that gh is found and REPORT."
  (let ((file (cj/gate--executable cj/gh-executable)))
    (if file
        (funcall report 'pass (abbreviate-file-name
                               (decode-coding-string file 'utf-8)))
      (funcall report 'fail
               (format "`cj/gh-executable' is %s, which was not found"
                       cj/gh-executable)
               (concat "Where it is installed already, set `cj/gh-executable'.  "
                       (cj/gate-install-gh cj/gh-doctor--gh-floor))))))

(defun cj/gh-doctor--gh-version (report)
  "Ask gh for its version, without waiting, and REPORT."
  (condition-case err
      (cj/gate-run
       (cj/gate-plan "gh" '("--version") :cwd (car cj/gate-cwd-roots))
       (lambda (outcome)
         (let ((line (car (split-string (plist-get outcome :text) "\n")))
               (kind (plist-get outcome :error-kind)))
           (cond
            (kind (funcall report 'fail
                           (format "%s: %s" kind
                                   (string-remove-prefix "Error: " line))
                           (concat "Where a newer one is installed already, set `cj/gh-executable'.  "
                                   (cj/gate-install-gh cj/gh-doctor--gh-floor))))
            ((string-match-p "\\`gh version " line)
             (funcall report 'pass
                      (string-join
                       (delq nil (list line (cj/gate--mod-installed
                                             nil (cj/gate--place (car cj/gate-cwd-roots))
                                             (cj/gate--settings "gh"))))
                       "; ")))
            (t (funcall report 'warn (format "it says: %s" line)
                        "Check that `cj/gh-executable' is GitHub's gh."))))))
    (cj/gate-error
     (funcall report 'fail "gh could not be asked"
              (cj/gate-error-message err)))))

;;;; Commands and flags of gh that the catalog lacks

(defconst cj/gh-doctor--names-shown 20
  "Most names of a list that a row shows; a count stands for the others.")

(defun cj/gh-doctor--names (names)
  "Return NAMES, a list of strings, as text: the first ones and \"and N more\"."
  (let ((more (- (length names) cj/gh-doctor--names-shown)))
    (concat (string-join (butlast names (max more 0)) ", ")
            (if (> more 0) (format " and %d more" more) ""))))

(defun cj/gh-doctor--gh-catalog (report)
  "Compare the installed gh with the catalog, without waiting, and REPORT."
  (condition-case err
      (progn
        (cj/gate-load-module)
        (cj/gate--await (cj/gate--mod-drift (cj/gate--settings "gh"))
                        (lambda (found)
                          (apply report (cj/gh-doctor--drift found)))))
    (cj/gate-error
     (funcall report 'skip (cj/gh-doctor--not-compared (cj/gate-error-message err))))))

(defun cj/gh-doctor--not-compared (message)
  "Return the words for a gh that was not compared, because of MESSAGE."
  (concat "not compared: " (car (split-string message "\n"))))

(defun cj/gh-doctor--drift (found)
  "Return the arguments of REPORT for FOUND, the result of the comparison.
FOUND is a plist of the differences, or (KIND . MESSAGE) if gh could not be
compared."
  (if (not (keywordp (car found)))
      (list (if (memq (car found) '(too-old no-executable cancelled)) 'skip 'warn)
            (cj/gh-doctor--not-compared (cdr found)))
    (let* ((leaves (plist-get found :unknown-leaves))
           (flags (plist-get found :unknown-flags))
           (changed (plist-get found :changed))
           (unread (plist-get found :unread))
           (findings
            (cl-loop for (names what words)
                     in `((,leaves "command" "not known") (,flags "flag" "not known")
                          (,changed "flag" "changed") (,unread "help page" "not read"))
                     when names
                     collect (format "%s %s: %s"
                                     (cj/gate-view-count (length names) what) words
                                     (cj/gh-doctor--names names)))))
      (if findings
          (list 'warn
                (format "gh %s: %s%s" (plist-get found :version)
                        (string-join findings "; ") (cj/gh-doctor--apart found))
                (string-join
                 (delq nil
                       (list (and (or leaves flags)
                                  "A call with an unknown command or flag is never run unasked.")
                             (and changed
                                  "A changed flag is read as the catalog has it, which may be wrong.")
                             (and unread
                                  "Nothing is known of what a help page that was not read describes.")
                             "A newer cj-gate may know this gh; or set `cj/gh-executable' to a catalogued one (2.92.0, 2.103.3)."))
                 "  "))
        (list 'pass
              (format "gh %s: all %s and %s known%s"
                      (plist-get found :version)
                      (cj/gate-view-count (plist-get found :leaves) "command")
                      (cj/gate-view-count (plist-get found :flags) "flag")
                      (cj/gh-doctor--apart found)))))))

(defun cj/gh-doctor--apart (found)
  "Return the words for the extensions and aliases in FOUND, a plist."
  (mapconcat
   (lambda (row)
     (let ((names (plist-get found (car row))))
       (if names
           (format "; %s: %s" (cdr row) (cj/gh-doctor--names names))
         "")))
   '((:extensions . "extensions, always asked about")
     (:aliases . "aliases, always asked about"))
   ""))

;;;; Where calls go

(defun cj/gh-doctor--known-login (host)
  "Return words for the login on HOST, a plist, without asking HOST.
Return nil if no login is known."
  (let ((others (remove (plist-get host :account) (plist-get host :accounts))))
    (cond
     ((plist-get host :token-variable)
      (format "token of %s" (plist-get host :token-variable)))
     ((plist-get host :account)
      (format "%s, token in %s%s" (plist-get host :account)
              (if (plist-get host :token-stored) "gh's file" "the keyring")
              (if others (concat "; also " (string-join others ", ")) "")))
     ((plist-get host :logged-in) "logged in"))))

(defun cj/gh-doctor--read (host argv report function)
  "Make the read ARGV on HOST, a string, through the gate, without waiting.
FUNCTION gets the outcome and returns the list of arguments for REPORT.  If the
read cannot be made, REPORT says so."
  (condition-case err
      (let ((plan (cj/gate-plan "gh" argv :hostname host
                                :cwd (car (default-value 'cj/gate-cwd-roots)))))
        (if (not (eq (plist-get (cj/gate-plan-info plan) :policy) 'auto))
            (funcall report 'skip "your policy does not let a read run by itself")
          (cj/gh-doctor--under-way
           (cj/gate-run plan (lambda (outcome)
                               (apply report (funcall function outcome)))))))
    (cj/gate-error
     (let ((lines (split-string (cj/gate-error-message err) "\n")))
       (funcall report 'skip (concat "not read: " (car lines))
                (string-join (cdr lines) " "))))))

(defun cj/gh-doctor--login (report host)
  "Ask HOST, a plist, for the name of the login, without waiting, and REPORT."
  (let ((name (plist-get host :host))
        (known (cj/gh-doctor--known-login host)))
    (if (not known)
        (funcall report 'fail "nobody is logged in"
                 (format "Run `gh auth login --hostname %s' in a terminal." name))
      (cj/gh-doctor--read
       name '("api" "user" "--jq" ".login") report
       (lambda (outcome)
         (let ((lines (split-string (plist-get outcome :text) "\n" t)))
           (pcase (plist-get outcome :error-kind)
             ('nil (list 'pass (format "%s (%s)" (car lines) known)))
             ('auth
              (list 'fail (format "%s (%s)" (string-remove-prefix "Error: " (car lines)) known)
                    (if (plist-get host :token-variable)
                        ;; gh refuses to log in while the variable is set.
                        (format "Renew the token in %1$s, or `(setenv \"%1$s\")' and run `env -u %1$s gh auth login --hostname %2$s' in a terminal."
                                (plist-get host :token-variable) name)
                      (format "Run `gh auth login --hostname %s' in a terminal." name))))
             ((or 'no-access 'not-found)
              (list 'warn (format "the token belongs to no person (%s)" known)
                    "If it is the token of an app, nothing needs to be done."))
             (kind
              (list 'warn (format "could not be asked (%s): %s" kind
                                  (string-remove-prefix "Error: " (car lines)))
                    (string-join (cl-remove-if (lambda (line) (string-prefix-p "Reproduce" line))
                                               (cdr lines))
                                 " "))))))))))

(defconst cj/gh-doctor--limits-filter
  ".resources | [.core, .search, .graphql] | map(\"\\(.remaining) \\(.limit) \\(.reset)\") | .[]"
  "Filter of jq that makes three lines of the answer about limits.
The lines are for REST, search and GraphQL; each has the requests left, the
limit, and the time at which the limit is reset.")

(defun cj/gh-doctor--limits (report host)
  "Ask HOST, a plist, how many requests are left, without waiting, and REPORT."
  (if (not (cj/gh-doctor--known-login host))
      (funcall report 'skip "nobody is logged in")
    (cj/gh-doctor--read
     (plist-get host :host) (list "api" "rate_limit" "--jq" cj/gh-doctor--limits-filter)
     report
     (lambda (outcome)
       (pcase (plist-get outcome :error-kind)
         ('nil (cj/gh-doctor--limits-of (plist-get outcome :text)))
         ('not-found '(pass "this host sets none"))
         (kind (list 'skip (format "could not be asked (%s)" kind))))))))

(defun cj/gh-doctor--limits-of (text)
  "Return the arguments of REPORT for the limits in TEXT.
TEXT is the output of `cj/gh-doctor--limits-filter'."
  (let ((rows (cl-mapcar (lambda (name line)
                           (cons name (mapcar #'string-to-number (split-string line))))
                         '("REST" "search" "GraphQL")
                         (split-string text "\n" t))))
    (if (not (cl-every (lambda (row) (= (length row) 4)) rows))
        (list 'warn "the answer could not be read")
      (let ((low (cl-remove-if-not (lambda (row) (< (* 10 (nth 1 row)) (nth 2 row))) rows)))
        (list (cond ((cl-some (lambda (row) (zerop (nth 1 row))) low) 'fail)
                    (low 'warn)
                    (t 'pass))
              (concat (mapconcat (lambda (row) (apply #'format "%s %d of %d" (butlast row)))
                                 rows ", ")
                      " left")
              (and low
                   (mapconcat (lambda (row)
                                (format "More for %s at %s." (car row)
                                        (format-time-string "%H:%M" (nth 3 row))))
                              low " ")))))))

(defun cj/gh-doctor--hosts (report)
  "Name the known hosts and the logins there, and REPORT."
  (condition-case err
      (let ((hosts (progn (cj/gate-load-module)
                          (cj/gate--mod-hosts (cj/gate--settings "gh")))))
        (funcall report
                 (if (and hosts (cl-every #'cj/gh-doctor--known-login hosts)) 'pass 'warn)
                 (if hosts
                     (mapconcat (lambda (host)
                                  (format "%s (%s)" (plist-get host :host)
                                          (or (cj/gh-doctor--known-login host)
                                              "not logged in")))
                                hosts ", ")
                   "none is known")
                 (cond
                  ((null hosts) "Add one to `cj/gh-known-hosts', or set it to nil.")
                  ((not (cl-every #'cj/gh-doctor--known-login hosts))
                   (format "Run `gh auth login --hostname %s' in a terminal, or leave the host \
out of `cj/gh-known-hosts'."
                           (plist-get (cl-find-if-not #'cj/gh-doctor--known-login hosts)
                                      :host))))))
    (error
     (funcall report 'fail "the hosts could not be read"
              (cj/gate-error-message err)))))

(defun cj/gh-doctor--directory (report)
  "Name the target of a call from the current directory, and REPORT."
  (condition-case err
      (let ((directory default-directory))
        (cj/gate-git-facts
         directory
         (lambda (facts)
           ;; By then another buffer may be current.
           (let ((default-directory directory))
             (condition-case err
                 (apply report (cj/gh-doctor--target facts))
               (error (apply report (cj/gh-doctor--no-target err))))))))
    (error (apply report (cj/gh-doctor--no-target err)))))

(defun cj/gh-doctor--worktrees (report)
  "Check git and the directory for worktrees and REPORT."
  (let* ((git (cj/gate--executable "git"))
         (directory (cj/gh-worktree-directory))
         (there directory))
    (while (not (file-exists-p (directory-file-name there)))
      (setq there (file-name-directory (directory-file-name there))))
    (cond
     ((not git)
      (funcall report 'fail "git was not found, which checks out, clones and pushes"
               "Install git 2.30 or later."))
     ((not (and (file-directory-p there) (file-writable-p there)))
      (funcall report 'fail
               (format "%s cannot be written"
                       (abbreviate-file-name (directory-file-name there)))
               "Set `cj/gh-worktree-directory' to a directory of yours."))
     (t
      (funcall report 'pass
               (format "%s; in %s"
                       (abbreviate-file-name (decode-coding-string git 'utf-8))
                       (abbreviate-file-name directory)))))))

(defun cj/gh-doctor--target (facts)
  "Return the arguments of REPORT for the target of a call.
FACTS are the git facts of the directory of the call."
  (let* ((target (cj/gh-resolve-context nil nil nil facts))
         (host (plist-get target :host))
         (others (cj/gate--mod-unknown-hosts facts (cj/gate--settings "gh"))))
    (cond
     ((plist-get target :owner)
      (list 'pass (format "%s/%s/%s (%s)" host (plist-get target :owner)
                          (plist-get target :repo) (plist-get target :source))))
     (others
      (list 'warn (format "its remote is on %s, which is no known host; calls go to %s"
                          (cj/gh-doctor--names others) host)
            (format "Log in with `gh auth login --hostname %s' in a terminal, or add the \
host to `cj/gh-known-hosts'."
                    (car others))))
     ((locate-dominating-file default-directory ".git")
      (list 'warn (format "a checkout without a remote; calls go to %s" host)
            (format "Add one with `git remote add origin https://%s/OWNER/REPO.git' in %s, or let the model name the repository."
                    host (abbreviate-file-name
                          (locate-dominating-file default-directory ".git")))))
     (t (list 'warn (format "no git checkout; calls go to %s" host)
              "A tool needs its argument `repo' here.  In a checkout the repository is known: go \
to one with `M-x cd'.")))))

(defun cj/gh-doctor--no-target (err)
  "Return the arguments of REPORT for ERR, an error of the current directory."
  (let ((lines (split-string (cj/gate-error-message err) "\n")))
    (list 'warn (car lines) (string-join (cdr lines) " "))))

(provide 'cj-gh-doctor-gh)

;;; cj-gh-doctor-gh.el ends here
