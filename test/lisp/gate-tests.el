;;; gate-tests.el --- What the gate refuses, and how it says so -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Bad input, conditions, approval without a person, policy.  Stand-ins for gh,
;; git and ssh leave a mark when they run.

;;; Code:

(require 'ert)
(require 'tramp)                 ; loaded early: tramp runs git when it is loaded
(require 'lab-support)
(require 'cj-gh)

(defun gate-tests--marking (lab)
  "Write stand-ins for gh, git, ssh, scp and sh to LAB; return their directory.
Each adds a line to the file \"marks\" of LAB when it runs."
  (let ((dir (lab-file lab "marking")))
    (make-directory dir)
    (dolist (name '("gh" "git" "ssh" "scp" "sh"))
      (let ((file (expand-file-name name dir)))
        (write-region (format "#!/bin/sh\necho \"$0 $*\" >>%s\n"
                              (shell-quote-argument (lab-file lab "marks")))
                      nil file nil 'quiet)
        (set-file-modes file #o700)))
    dir))

(defun gate-tests--marks (lab)
  "Return the marks that the stand-ins of `gate-tests--marking' left in LAB.
Return nil if there are none."
  (let ((file (lab-file lab "marks")))
    (and (file-exists-p file)
         (with-temp-buffer (insert-file-contents file) (buffer-string)))))

(defun gate-tests--call (argv &rest keys)
  "Return the one answer to a call with ARGV and KEYS.
The call is made in the current buffer.  The wait runs in another buffer, as
when a person goes to another buffer meanwhile."
  (let ((answers nil))
    (apply #'cj/gh-call argv (lambda (answer) (push answer answers)) keys)
    (with-temp-buffer
      (lab-wait (lambda () answers))
      (accept-process-output nil 0.02))
    (should (= (length answers) 1))
    (car answers)))

(defun gate-tests--kind (answer)
  "Return the kind of error that the header of ANSWER names, or nil."
  (let ((status (nth 2 (lab-header answer))))
    (and (string-match "\\`\\(?:error\\|blocked\\) \\(.*\\)" status)
         (intern (match-string 1 status)))))

(defun gate-tests--condition (function &rest args)
  "Return the condition that FUNCTION signals when called with ARGS.
Check that the condition is a `cj/gate-error' and has a kind."
  (let ((err (should-error (apply function args) :type 'cj/gate-error)))
    (should (stringp (cadr err)))
    (should (string-match-p "\\`.+\n.+" (cadr err)))
    (should (memq (plist-get (cddr err) :kind) cj/gate-error-kinds))
    err))

;;;; Bad input

(defconst gate-tests--bad-input
  '(;; argv, keys (HOME stands for the home of the lab), kind, words
    ("pr view 1" nil bad-argument "neither a list nor a vector")
    (42 nil bad-argument "neither a list nor a vector")
    (pr nil bad-argument "neither a list nor a vector")
    (("pr" . "view") nil bad-argument "neither a list nor a vector")
    (nil nil bad-argument "argument list is empty")
    ([] nil bad-argument "argument list is empty")
    (("gh") nil bad-argument "argument list is empty")
    (("pr" "view" 1) nil bad-argument "Argument 3 is no string")
    (["pr" nil] nil bad-argument "Argument 2 is no string")
    (("pr" ("view")) nil bad-argument "Argument 2 is no string")
    (("pr" "view\0--web") nil bad-argument "Argument 2 holds a NUL")
    (("pr" "view" "\377\376") nil bad-argument "Argument 3 is no string of valid Unicode")
    (("pr" "view" "\x3fff80") nil bad-argument "Argument 3 is no string of valid Unicode")
    (("pr" "view" "1") (:repo "o/r\0") bad-argument "`repo' must be")
    (("pr" "view" "1") (:repo 7) bad-argument "`repo' must be")
    (("pr" "view" "1") (:repo "o/r" :hostname (a)) bad-argument "`hostname' must be")
    (("pr" "view" "1") (:repo "o/r" :timeout "long") bad-argument "`timeout' must be")
    (("pr" "view" "1") (:repo "o/r" :timeout -1) bad-argument "`timeout' must be")
    (("pr" "view" "1") (:cwd 3) bad-argument "cwd. is no string")
    (("pr" "view" "1") (:cwd "a\0b") bad-argument "cwd. holds a NUL")
    (("pr" "view" "1") (:cwd "HOME/gone") bad-cwd "does not exist")
    (("pr" "view" "1") (:cwd "HOME/file") bad-cwd "is a file")
    (("pr" "view" "1") (:cwd "/") bad-cwd "outside the allowed roots")
    (("pr" "view" "1") (:cwd "HOME/../home/..") bad-cwd "outside the allowed roots")
    (("pr" "view" "1") (:cwd "HOME/link") bad-cwd "outside the allowed roots")
    (("pr" "view" "1") (:cwd "HOME/link" :repo "o/r") bad-cwd "outside the allowed roots")
    (("pr" "view" "1") (:cwd "/ssh:x:/y/") remote-cwd "on another machine\\|remote")
    (("pr" "merge" "1") (:cwd "/ssh:x:/y/") remote-cwd "on another machine\\|remote"))
  "Rows of argv, keys, kind of error and a regexp for the message.")

(defun gate-tests--keys (lab keys)
  "Return KEYS with HOME replaced by the home of LAB."
  (mapcar (lambda (value)
            (if (stringp value)
                (replace-regexp-in-string "\\`HOME" (lab-home lab) value t t)
              value))
          keys))

(ert-deftest gate-each-bad-input-gets-its-own-error-before-anything-runs ()
  (lab-with (lab)
    (let* ((dir (gate-tests--marking lab))
           (exec-path (list dir))
           (cj/gh-executable (expand-file-name "gh" dir)))
      (write-region "" nil (expand-file-name "file" (lab-home lab)) nil 'quiet)
      (make-symbolic-link (lab-dir lab) (expand-file-name "link" (lab-home lab)))
      (pcase-dolist (`(,argv ,keys ,kind ,words) gate-tests--bad-input)
        (ert-info ((format "%S %S" argv keys))
          (let* ((keys (gate-tests--keys lab keys))
                 (answer (apply #'gate-tests--call argv keys)))
            (should (eq (gate-tests--kind answer) kind))
            (should (string-match-p words answer))
            (should (string-match-p "^Error: .+\n.+" answer))
            (let ((err (apply #'gate-tests--condition
                              #'cj/gate-plan "gh" argv keys)))
              (should (eq (car err) (intern (format "cj/gate-%s" kind))))
              (should (eq (plist-get (cddr err) :kind) kind))))
          (should-not (gate-tests--marks lab))))
      (accept-process-output nil 0.1)
      (should-not (gate-tests--marks lab))
      (should-not (lab-requests lab))
      (should-not (lab-children "gh")))))

(ert-deftest gate-a-call-from-a-remote-directory-that-names-a-repository-runs-locally ()
  (lab-with (lab)
    (let* ((dir (gate-tests--marking lab))
           (exec-path (list dir))
           (default-directory "/ssh:x:/y/"))
      (dolist (keys '((:repo "o/r") (:repo "o/r" :cwd "/ssh:x:/y/")
                      (:repo "ghe.example.com/o/r")))
        (let ((answer (apply #'gate-tests--call '("pr" "view" "1" "--json" "number") keys)))
          (should (string-match-p "\"number\":1" answer))
          (should (equal (nth 2 (lab-header answer)) "ok"))))
      (should-not (gate-tests--marks lab))
      (should (= 3 (length (lab-requests lab)))))))

(ert-deftest gate-a-missing-gh-is-named-in-the-refusal ()
  (lab-with (lab)
    (write-region "" nil (lab-file lab "plain") nil 'quiet)
    (dolist (program (list "no-such-program-gh" "/nonexistent/gh" (lab-dir lab)
                           (lab-file lab "plain")))
      (dolist (argv '(("pr" "view" "1" "-R" "o/r") ("pr" "merge" "1" "-R" "o/r")))
        (let* ((cj/gh-executable program)
               (answer (gate-tests--call argv)))
          (should (eq (gate-tests--kind answer) 'no-executable))
          (should (string-match-p (regexp-quote program) answer))
          (should (string-match-p "apt install gh" answer))
          (should (eq (car (gate-tests--condition #'cj/gate-plan "gh" argv))
                      'cj/gate-no-executable)))))
    (should-not (lab-requests lab))))

(ert-deftest gate-a-gh-that-is-too-old-is-refused-before-anyone-is-asked ()
  (let ((old (expand-file-name ".deps/gh/2.23.0/gh" lab-root)))
    (skip-unless (file-executable-p old))
    (lab-with (lab)
      (let ((cj/gh-executable old))
        (dolist (argv '(("pr" "view" "1" "-R" "o/r") ("pr" "merge" "1" "-R" "o/r")))
          (let ((answer (gate-tests--call argv)))
            (should (eq (gate-tests--kind answer) 'too-old))
            (should (string-match-p "2\\.23\\.0" answer))
            (should (string-match-p "2\\.50" answer))))
        (should-not (lab-requests lab))))))

(ert-deftest gate-an-unknown-program-is-refused ()
  (lab-with (lab)
    (dolist (program '("sh" "" nil 7 "gh\0" "/bin/gh"))
      (should (eq (car (gate-tests--condition #'cj/gate-plan program '("x")))
                  'cj/gate-bad-argument))
      (let ((answer nil))
        (cj/gate-submit program '("-c" "true") (lambda (text) (setq answer text)))
        (lab-wait (lambda () answer))
        (should (string-match-p "There is no program" answer))))
    (should-not (lab-requests lab))))

;;;; Conditions

(defun gate-tests--plan (lab &rest argv)
  "Return a plan for ARGV in the home of LAB."
  (cj/gate-plan "gh" argv :cwd (lab-home lab)))

(ert-deftest gate-running-an-unapproved-write-is-denied ()
  (lab-with (lab)
    (dolist (argv '(("pr" "merge" "1" "-R" "o/r") ("frobnicate")
                    ("repo" "delete" "o/r" "--yes") ("auth" "token")))
      (let* ((plan (apply #'gate-tests--plan lab argv))
             (called nil)
             (err (gate-tests--condition #'cj/gate-run plan
                                         (lambda (_) (setq called t)))))
        (should (eq (car err) 'cj/gate-denied))
        (accept-process-output nil 0.05)
        (should-not called)))
    (should-not (lab-requests lab))))

(ert-deftest gate-a-plan-runs-once ()
  (lab-with (lab)
    (let* ((plan (gate-tests--plan lab "pr" "view" "1" "-R" "o/r" "--json" "number"))
           (outcomes nil)
           (got (lambda (outcome) (push outcome outcomes))))
      (cj/gate-run plan got)
      (should (eq (car (gate-tests--condition #'cj/gate-run plan got)) 'cj/gate-used))
      (lab-wait (lambda () outcomes))
      (should (eq (car (gate-tests--condition #'cj/gate-run plan got)) 'cj/gate-used))
      (should (eq (car (gate-tests--condition #'cj/gate-approve plan "x"))
                  'cj/gate-denied))
      (accept-process-output nil 0.05)
      (should (= (length outcomes) 1))
      (let ((outcome (car outcomes)))
        (should (eql (plist-get outcome :exit-code) 0))
        (should-not (plist-get outcome :error-kind))
        (should (equal (plist-get outcome :argv)
                       '("pr" "view" "1" "-R" "github.com/o/r" "--json" "number")))
        (should (equal (plist-get (plist-get outcome :context) :host) "github.com"))
        (should (= (plist-get outcome :bytes-captured)
                   (string-bytes (plist-get outcome :stdout)))))
      (should (= 1 (length (lab-requests lab)))))))

(ert-deftest gate-approval-without-a-person-is-denied ()
  (lab-with (lab)
    (let* ((plan (gate-tests--plan lab "pr" "merge" "1" "-R" "o/r"))
           (digest (plist-get (cj/gate-plan-info plan) :digest))
           (denied (lambda (what)
                     (ert-info (what)
                       (should (eq (car (gate-tests--condition
                                         #'cj/gate-approve plan digest))
                                   'cj/gate-denied))
                       (should (eq (car (gate-tests--condition
                                         #'cj/gate-run plan #'ignore))
                                   'cj/gate-denied))))))
      (should (string-match-p "\\`[0-9a-f]\\{64\\}\\'" digest))
      (funcall denied "plainly")
      (let ((this-command 'cj/gate-approval-accept))
        (funcall denied "the command bound"))
      (let ((this-command 'cj/gate-approval-accept) (noninteractive nil))
        (funcall denied "batch hidden"))
      (let ((this-command 'cj/gate-approval-accept)
            (real-this-command 'cj/gate-approval-accept)
            (last-command-event ?\C-c) (noninteractive nil)
            (executing-kbd-macro nil) (unread-command-events '(?\C-c ?\C-c)))
        (funcall denied "as if keys had been pressed"))
      (let* ((noninteractive nil) (tried nil)
             (map (make-sparse-keymap))
             (command (lambda ()
                        (interactive)
                        (setq this-command 'cj/gate-approval-accept)
                        (funcall denied "in a keyboard macro")
                        (setq tried t))))
        (define-key map (kbd "C-c C-c") command)
        (let ((overriding-terminal-local-map map))
          (execute-kbd-macro (kbd "C-c C-c")))
        (should tried))
      (dolist (name '("CJ_GATE_APPROVE" "GH_PROMPT_DISABLED" "CI" "NONINTERACTIVE"))
        (let ((process-environment (cons (concat name "=1") process-environment)))
          (funcall denied name))))
    (should-not (lab-requests lab))))

(ert-deftest gate-a-panic-in-the-core-becomes-a-condition-and-emacs-goes-on ()
  (cj/gate-load-module)
  (let ((err (should-error (funcall 'cj/gate--mod-panic "Boom") :type 'cj/gate-error)))
    (should (eq (car err) 'cj/gate-panic))
    (should (string-match-p "Boom" (cadr err)))
    (should (eq (plist-get (cddr err) :kind) 'module)))
  (should (eq (plist-get (cj/gh-classify '("pr" "view" "1")) :class) 'read)))

(ert-deftest gate-an-object-of-another-type-signals-an-error ()
  (lab-with (lab)
    (let* ((plan (gate-tests--plan lab "pr" "view" "1" "-R" "o/r"))
           (facts nil))
      (cj/gate-git-facts (lab-home lab) (lambda (value) (setq facts value)))
      (lab-wait (lambda () facts))
      (dolist (wrong (list facts nil 3 "plan" (lambda ()) [plan] (current-buffer)))
        (should-error (cj/gate-plan-info wrong))
        (should-error (cj/gate-run wrong #'ignore))
        (should-error (cj/gate-approve wrong "x")))
      (dolist (wrong (list plan 3 "facts" [facts]))
        (should-error (gate-tests--plan-with-facts lab wrong)))
      (dolist (wrong '(nil -1 "1" 99999999999999))
        (should-not (ignore-errors (cj/gate-cancel wrong))))
      ;; Objects of the right type still work.
      (should (eq (plist-get (cj/gate-plan-info plan) :class) 'read))
      (should (gate-tests--plan-with-facts lab facts)))))

(defun gate-tests--plan-with-facts (lab facts)
  "Return a plan in the home of LAB that is made with FACTS."
  (cj/gate-plan "gh" '("pr" "view" "1" "-R" "o/r") :cwd (lab-home lab) :facts facts))

;;;; Policy

(defun gate-tests--answer-of (policy argv)
  "Return the decision of POLICY on ARGV: `auto', `confirm' or `block'."
  (let ((cj/gh-policy policy))
    (plist-get (cj/gate-plan-info (cj/gate-plan "gh" argv)) :policy)))

(ert-deftest gate-a-wrong-policy-row-blocks-its-class ()
  (lab-with (_)
    (let ((read '("pr" "view" "1" "-R" "o/r")) (write '("pr" "merge" "1" "-R" "o/r"))
          (destructive '("repo" "delete" "o/r" "--yes")) (blocked '("auth" "token"))
          (unknown '("frobnicate")))
      (pcase-dolist
          (`(,policy ,argv ,answer)
           `((((read . auto)) ,read auto) (((read . confirm)) ,read confirm)
             (((read . block)) ,read block) (((read . atuo)) ,read block)
             (((read . "yes")) ,read block) (((read)) ,read block)
             (((read auto)) ,read block)
             (((write . auto)) ,write block) (((write . confirm)) ,write confirm)
             (((write . t)) ,write block)
             (((destructive . confirm)) ,destructive block)
             (((destructive . auto)) ,destructive block)
             (((blocked . auto)) ,blocked block) (((unknown . auto)) ,unknown block)
             (nil ,read auto) (nil ,write confirm) (nil ,unknown confirm)
             (nil ,destructive block) (nil ,blocked block)))
        (ert-info ((format "%S %S" policy argv))
          (should (eq (gate-tests--answer-of policy argv) answer))))
      ;; A policy that is no list is an error for every call.
      (should-error (gate-tests--answer-of 'auto read) :type 'cj/gate-error)
      (should-error (gate-tests--answer-of "auto" read) :type 'cj/gate-error))))

(ert-deftest gate-a-buffer-local-policy-only-tightens ()
  (lab-with (lab)
    (let ((read '("pr" "view" "1" "-R" "o/r" "--json" "number")))
      (with-temp-buffer
        (setq default-directory (lab-home lab))
        (setq-local cj/gh-policy '((read . block)))
        (let ((answer (gate-tests--call read)))
          (should (eq (gate-tests--kind answer) 'policy-blocked)))
        (setq-local cj/gh-policy '((read . confirm)))
        (should (equal (nth 2 (lab-header (gate-tests--call read))) "declined")))
      (should-not (lab-requests lab))
      (let ((cj/gh-policy '((read . block) (write . block))))
        (with-temp-buffer
          (setq default-directory (lab-home lab))
          (setq-local cj/gh-policy '((read . auto) (write . confirm)))
          (dolist (argv (list read '("pr" "merge" "1" "-R" "o/r")))
            (should (eq (gate-tests--kind (gate-tests--call argv)) 'policy-blocked)))))
      (should-not (lab-requests lab))
      (should (equal (nth 2 (lab-header (gate-tests--call read))) "ok")))))

(ert-deftest gate-a-host-policy-can-block-writes-while-another-host-asks ()
  (lab-with (lab)
    (let ((cj/gh-host-policy '(("ghe.example.com" (write . block) (unknown . block))))
          (merge '("pr" "merge" "1" "--squash" "-R"))
          (work "ghe.example.com/o/r") (home "github.com/o/r"))
      (let ((answer (gate-tests--call (append merge (list work)))))
        (should (string-prefix-p (concat "[gh " work " write blocked policy-blocked ")
                                 answer))
        (should (string-match-p "refused by policy" answer)))
      (should (eq (plist-get (cj/gate-plan-info
                              (cj/gate-plan "gh" (append merge (list home))))
                             :policy)
                  'confirm))
      (should (string-prefix-p (concat "[gh " home " write declined ")
                               (gate-tests--call (append merge (list home)))))
      (should (string-prefix-p (concat "[gh " work " read ok ")
                               (gate-tests--call (list "pr" "view" "1" "-R" work))))
      ;; A buffer-local policy cannot allow what the host's policy blocks.
      (with-temp-buffer
        (setq default-directory (lab-home lab))
        (setq-local cj/gh-host-policy '(("ghe.example.com" (write . confirm)))
                    cj/gh-policy '((write . confirm)))
        (should (eq (gate-tests--kind (gate-tests--call (append merge (list work))))
                    'policy-blocked))))
    (should-not (lab-mutations lab))))

(ert-deftest gate-a-host-with-several-accounts-gets-the-token-of-the-chosen-account ()
  (lab-with (lab)
    (let ((view '("pr" "view" "1" "-R" "o/r" "--json" "number,title"))
          (process-environment (cons "GH_TOKEN" process-environment)))
      ;; The stand-in logs labels of tokens: mona has `github', kim has `ghe'.
      (with-temp-file (lab-file lab "gh-config/hosts.yml")
        (insert (format "github.com:
    git_protocol: https
    users:
        mona:
            oauth_token: %s
        kim:
            oauth_token: %s
        hubot:
    oauth_token: %s
    user: mona
" (cdr (assoc "github" lab-tokens)) (cdr (assoc "ghe" lab-tokens))
  (cdr (assoc "github" lab-tokens)))))
      (pcase-dolist (`(,account ,label ,shown)
                     '((nil "github" "mona") ("mona" "github" "mona")
                       ("kim" "ghe" "kim")))
        (let ((cj/gh-accounts (and account (list (cons "github.com" account))))
              (before (length (lab-requests lab))))
          (should (equal (nth 2 (lab-header (gate-tests--call view))) "ok"))
          (should (equal (delete-dups
                          (mapcar #'cl-fourth
                                  (lab-seen (nthcdr before (lab-requests lab)))))
                         (list label)))
          (should (equal (plist-get (cj/gate-plan-info (cj/gate-plan "gh" view))
                                    :account)
                         shown))))
      (let ((before (length (lab-requests lab))))
        (dolist (account '("hubot" "stranger"))
          (let* ((cj/gh-accounts (list (cons "github.com" account)))
                 (answer (gate-tests--call view)))
            (should (eq (gate-tests--kind answer) 'auth))
            (should (string-match-p account answer))))
        (should (= before (length (lab-requests lab))))))))

(ert-deftest gate-limits-ignore-buffer-local-options ()
  ;; The local variables of a file or of a directory must widen no limit.
  (lab-with (lab)
    (with-temp-buffer
      (setq default-directory "/")
      (setq-local cj/gate-cwd-roots '("/")
                  cj/gh-executable "/bin/false"
                  cj/gh-known-hosts '("github.com.evil.example")
                  process-environment '("GH_TOKEN=other" "PATH=/nowhere"))
      (should (eq (gate-tests--kind (gate-tests--call '("pr" "view" "1" "-R" "o/r")))
                  'bad-cwd))
      (setq default-directory (file-name-as-directory (lab-home lab)))
      (should (eq (gate-tests--kind
                   (gate-tests--call '("pr" "view" "1") :repo "github.com.evil.example/o/r"))
                  'policy-blocked))
      (should (equal (nth 2 (lab-header (gate-tests--call '("pr" "view" "1" "-R" "o/r"))))
                     "ok"))
      (should (equal (delete-dups (mapcar #'cl-fourth (lab-seen (lab-requests lab)))) '("github"))))
    (dolist (option '(cj/gate-cwd-roots cj/gh-executable cj/gh-known-hosts cj/gh-policy
                                        cj/gh-host-policy cj/gh-accounts
                                        cj/gh-default-host cj/gate-approval-max-age cj/gate-result-budget
                                        cj/gate-module-directory))
      (should-not (get option 'safe-local-variable))
      (should (risky-local-variable-p option)))))

;;;; Programs

(ert-deftest gate-a-program-is-found-without-file-name-handlers ()
  (let* ((sh (let ((default-directory "/")) (executable-find "sh")))
         (asked nil)
         (file-name-handler-alist
          (list (cons "" (lambda (&rest args) (push args asked) "/elsewhere/sh")))))
    (should (equal (cj/gate--executable "sh") sh))
    (should (equal (cj/gate--executable sh) sh))
    (should-not (cj/gate--executable "no-program-of-this-name"))
    (should-not asked)))

(provide 'gate-tests)

;;; gate-tests.el ends here
