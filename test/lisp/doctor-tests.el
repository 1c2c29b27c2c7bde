;;; doctor-tests.el --- The doctor's checks of gh, logins, limits and directory -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-doctor)

(defun doctor-tests--rows (&rest names)
  "Run the checks NAMES, or all of them; return the finished report."
  (let ((cj/gh-doctor--checks
         (if names
             (mapcar (lambda (name) (assoc name cj/gh-doctor--checks)) names)
           cj/gh-doctor--checks)))
    (with-current-buffer (cj/gh-doctor)
      (doctor-tests--report))))

(defun doctor-tests--report ()
  "Wait until each check in the current buffer has reported; return the rows.
The first line, which sums them up, is left out: another test covers it."
  ;; The comparison with the catalog starts gh some 240 times, so a busy machine
  ;; gets 150 seconds.
  (lab-wait (lambda () (not (string-match-p "^\\.\\.\\. " (buffer-string)))) 150)
  (doctor-tests--rows-of (buffer-substring-no-properties (point-min) (point-max))))

(defun doctor-tests--rows-of (text)
  "Return the report TEXT without its first line, which sums it up."
  (substring text (+ 2 (string-search "\n\n" text))))

(defun doctor-tests--press (label)
  "Press the button LABEL in the doctor's buffer; signal if there is none."
  (with-current-buffer cj/gh-doctor-buffer-name
    (goto-char (point-min))
    (let ((button (cl-loop for button = (next-button (point) t) then
                           (next-button (button-end button))
                           while button
                           when (equal (button-label button) label) return button)))
      (unless button (error "There is no button %s in: %s" label (buffer-string)))
      (push-button (button-start button)))))

(defun doctor-tests--gh-login (host token)
  "Run the real `gh auth login --hostname HOST' with TOKEN."
  (with-temp-buffer
    (insert token "\n")
    (let ((process-environment (append '("GH_TOKEN" "GH_ENTERPRISE_TOKEN") process-environment)))
      (unless (eql 0 (call-process-region (point-min) (point-max) (lab-gh) t t nil
                                          "auth" "login" "--hostname" host
                                          "--with-token" "--insecure-storage"))
        (error "The login failed: %s" (buffer-string))))))

(defun doctor-tests--file (file text &optional mode)
  "Write TEXT to FILE, with MODE if it is non-nil; return FILE."
  (make-directory (file-name-directory file) t)
  (let ((coding-system-for-write 'utf-8))
    (write-region text nil file nil 'quiet))
  (when mode (set-file-modes file mode))
  file)

(defun doctor-tests--wrap (lab text)
  "Write a stand-in for gh, the shell script TEXT, to LAB; return its file.
In TEXT, real is a shell function that runs the real gh."
  (doctor-tests--file
   (lab-file lab "wrapped-gh")
   (format "#!/bin/sh\nPATH=/usr/bin:/bin\nreal() { %s \"$@\"; }\n%s\n"
           (shell-quote-argument (lab-gh)) text)
   #o700))

(defun doctor-tests--grade (report)
  "Return the grades in REPORT in order, a list of strings."
  (let (grades)
    (dolist (line (split-string report "\n" t) (nreverse grades))
      (when (string-match "\\`\\([A-Z]+\\) " line)
        (push (match-string 1 line) grades)))))

(defconst doctor-tests--extended "
case $* in
--version) real --version ;;
help) real help | sed 's/^ADDITIONAL COMMANDS$/&\\n  levitate:      Lift a repository/' ;;
'help pr view') real help pr view | sed 's/^FLAGS$/&\\n      --zoom string       How near/' ;;
'help levitate') printf 'USAGE\\n  gh levitate [flags]\\n' ;;
help*) real \"$@\" ;;
*) echo \"$*\" >>\"$0.ran\" ;;
esac"
  "A shell script: a gh with one more command and one more flag.")

(ert-deftest doctor-knows-every-command-and-flag-of-a-catalogued-gh ()
  (lab-with (lab)
    (pcase-dolist (`(,version . ,gh) (lab-ghs))
      (skip-unless (not (equal version "GH")))
      (let* ((cj/gh-executable gh)
             (report (doctor-tests--rows "gh catalog"))
             start)
        (should (string-match
                 (format "\\`PASS  gh catalog +gh %s: all \\([0-9]+\\) commands and \\([0-9]+\\) flags known"
                         (regexp-quote version))
                 report))
        (should (> (string-to-number (match-string 1 report)) 180))
        (should (> (string-to-number (match-string 2 report)) 1000))
        ;; The second comparison asks gh for its first help page only.
        (setq start (float-time))
        (should (equal report (doctor-tests--rows "gh catalog")))
        (should (< (- (float-time) start) 5))))
    (should-not (lab-requests lab))))

(ert-deftest doctor-names-unknown-commands-and-flags-apart-from-extensions-and-aliases ()
  (lab-with (lab)
    (let* ((ran (lab-file lab "ran"))
           (cj/gh-executable (doctor-tests--wrap lab doctor-tests--extended)))
      (doctor-tests--file (expand-file-name ".local/share/gh/extensions/gh-dash/gh-dash"
                                            (lab-home lab))
                          (format "#!/bin/sh\ntouch %s\n" ran) #o700)
      (doctor-tests--file (lab-file lab "gh-config/config.yml")
                          (format "version: \"1\"\naliases:\n    sh: '!touch %s'\n    pr mine: pr list\n"
                                  ran))
      (let ((report (doctor-tests--rows "gh catalog")))
        (dolist (words '("\\`WARN  gh catalog"
                         "1 command not known: levitate; 1 flag not known: pr view --zoom;"
                         "; extensions, always asked about: dash; aliases, always asked about: pr mine, sh\n"
                         "\n +A call with an unknown command or flag is never run unasked\\."))
          (should (string-match-p words report)))
        ;; The report advises a gh that the catalog knows.
        (should (string-match-p "set `cj/gh-executable' to a catalogued one" report)))
      (should-not (file-exists-p ran))
      (should-not (file-exists-p (concat cj/gh-executable ".ran"))))
    ;; The class of each listed command is unknown, so each is asked about.
    (dolist (argv '(("levitate" "o/r") ("pr" "view" "1" "--zoom" "2") ("dash") ("sh")))
      (should (eq (plist-get (cj/gh-classify argv) :class) 'unknown)))
    (should-not (lab-requests lab))))

(ert-deftest doctor-looks-at-git-and-at-the-directory-for-worktrees ()
  (lab-with (lab)
    (let ((cj/gh-worktree-directory (lab-file lab "home/not/yet/")))
      (should (string-match-p "\\`PASS  Worktrees +.*/git; in .*home/not/yet/"
                              (doctor-tests--rows "Worktrees")))
      (should-not (file-exists-p (lab-file lab "home/not")))
      (let ((exec-path nil))
        (should (string-match-p "\\`FAIL  Worktrees +git was not found.*\n.*git 2\\.30"
                                (doctor-tests--rows "Worktrees")))))
    (doctor-tests--file (lab-file lab "home/file") "" #o600)
    (let ((cj/gh-worktree-directory (lab-file lab "home/file/wt/")))
      (should (string-match-p "\\`FAIL  Worktrees +.*home/file cannot be written\n.*cj/gh-worktree-directory"
                              (doctor-tests--rows "Worktrees"))))))

(ert-deftest doctor-long-lists-are-cut ()
  (let* ((names (mapcar (lambda (n) (format "c%02d" n)) (number-sequence 1 33)))
         (report (cj/gh-doctor--drift (list :version "3.0.0" :leaves 1 :flags 1
                                            :unknown-leaves names
                                            :changed '("pr view --web")
                                            :unread '("pr list")))))
    (should (eq (car report) 'warn))
    (should (equal (nth 1 report)
                   (concat "gh 3.0.0: 33 commands not known: "
                           (string-join (butlast names 13) ", ")
                           " and 13 more; 1 flag changed: pr view --web"
                           "; 1 help page not read: pr list")))))

(ert-deftest doctor-skips-the-comparison-of-a-gh-that-is-too-old-or-missing ()
  (lab-with (_)
    (let ((cj/gh-executable "no-such-gh"))
      (should (string-match-p "\\`FAIL  gh  .*\nSKIP  gh catalog +not compared: gh was not found"
                              (replace-regexp-in-string
                               "\n      .*" "" (doctor-tests--rows "gh" "gh catalog")))))
    (let ((cj/gh-executable "/bin/echo"))
      (should (string-match-p "\\`SKIP  gh catalog +not compared: .* is not GitHub's gh"
                              (doctor-tests--rows "gh catalog"))))
    (let ((cj/gh-executable (expand-file-name ".deps/gh/2.23.0/gh" lab-root)))
      (skip-unless (file-executable-p cj/gh-executable))
      (let ((report (doctor-tests--rows "gh version" "gh catalog")))
        (should (equal (doctor-tests--grade report) '("FAIL" "SKIP")))
        (should (string-match-p "not compared: gh 2\\.23\\.0 is too old" report))))))

(ert-deftest doctor-runs-one-comparison-at-a-time-in-the-background ()
  (lab-with (lab)
    (let* ((log (lab-file lab "asked"))
           (cj/gh-executable
            (doctor-tests--wrap lab (format "case $* in --version) real --version; exit;; esac
echo \"$$ $*\" >>%s; sleep 100" log)))
           ;; Only the check that starts gh many times.
           (cj/gh-doctor--checks (list (assoc "gh catalog" cj/gh-doctor--checks)))
           (start (float-time)))
      (cj/gh-doctor)
      (should (< (- (float-time) start) 1))
      (lab-wait (lambda () (file-exists-p log)))
      (let* ((pid (lambda () (with-temp-buffer (insert-file-contents log)
                                               (goto-char (point-max))
                                               (forward-line -1)
                                               (number-at-point))))
             (first (funcall pid)))
        (setq start (float-time))
        (cj/gh-doctor)
        (should (< (- (float-time) start) 1))
        (lab-wait (lambda () (not (eql (funcall pid) first))))
        (should-not (process-attributes first))
        ;; The answer to the first comparison does not reach the new report.
        (with-current-buffer cj/gh-doctor-buffer-name
          (should (string-match-p "^\\.\\.\\.   gh catalog" (buffer-string)))
          (kill-buffer))
        (cj/gate--stop-all)
        (should-not (process-attributes (funcall pid)))))))

(ert-deftest doctor-the-directory-s-repository-and-unknown-remotes-are-named ()
  (lab-with (lab)
    (let ((rows (lambda (dir)
                  (let ((default-directory dir)) (doctor-tests--rows "Directory")))))
      (should (string-match-p "\\`PASS  Directory +ghe.example.com/team/thing (origin)$"
                              (funcall rows (lab-checkout lab "known" "git@ghe.example.com:team/thing.git"))))
      (should (string-match-p "\\`WARN  Directory +its remote is on evil.example, which is no known host; calls go to github.com\n +Log in with `gh auth login --hostname evil.example'"
                              (funcall rows (lab-checkout lab "evil" "https://evil.example/o/r.git"))))
      (let ((bare (file-name-as-directory (expand-file-name "bare" (lab-home lab)))))
        (call-process "git" nil nil nil "init" "-q" bare)
        (should (string-match-p "\\`WARN  Directory +a checkout without a remote; calls go to github.com\n +Add one with `git remote add"
                                (funcall rows bare))))
      (should (string-match-p "\\`WARN  Directory +The working directory /usr/ is outside"
                              (funcall rows "/usr/")))
      (should (string-match-p "\\`WARN  Directory +The directory /ssh:h:/x/ is on another machine"
                              (funcall rows "/ssh:h:/x/"))))))

(ert-deftest doctor-hosts-name-the-account-and-where-its-token-is-kept ()
  (lab-with (lab)
    (should (string-match-p "\\`PASS  Hosts +github.com (token of GH_TOKEN), ghe.example.com (token of GH_ENTERPRISE_TOKEN)"
                            (doctor-tests--rows "Hosts")))
    (let ((process-environment (append '("GH_TOKEN" "GH_ENTERPRISE_TOKEN")
                                       process-environment)))
      (doctor-tests--file
       (lab-file lab "gh-config/hosts.yml")
       "github.com:\n    user: alice\n    oauth_token: gho_0123456789abcdef\nghe.example.com:\n    users:\n        bob:\n    user: bob\n")
      (let ((report (doctor-tests--rows "Hosts")))
        (should (string-match-p "\\`PASS  Hosts +github.com (alice, token in gh's file), ghe.example.com (bob, token in the keyring)$"
                                report))
        (should-not (string-match-p "gho_" report)))
      (let ((cj/gh-known-hosts '("github.com" "third.example")))
        (should (string-match-p "\\`WARN  Hosts +.*third.example (not logged in)\n +Run `gh auth login"
                                (doctor-tests--rows "Hosts"))))
      (doctor-tests--file (lab-file lab "gh-config/hosts.yml") "a: [")
      (should (string-match-p "\\`FAIL  Hosts +.*\n +gh's own file of logins cannot be read"
                              (doctor-tests--rows "Hosts"))))))

(ert-deftest doctor-variables-that-change-gh-are-a-warning-without-their-values ()
  (lab-with (_)
    (let ((process-environment (append '("GH_TOKEN=tok-secret-1" "GH_ENTERPRISE_TOKEN" "GH_REPO=a/b"
                                         "GH_HOST=" "GH_DEBUG=api")
                                       process-environment)))
      (let ((report (doctor-tests--rows "Environment")))
        (should (string-match-p "\\`WARN  Environment +used: GH_TOKEN; ignored: GH_REPO, GH_DEBUG\n +GH_TOKEN stands in place"
                                report))
        (should-not (string-match-p "tok-secret\\|a/b" report))))
    (let ((process-environment '("HOME=/nonexistent")))
      (should (string-match-p "\\`PASS  Environment " (doctor-tests--rows "Environment"))))))

;;;; Each trouble, made for real, and the step that ends it

(ert-deftest doctor-finds-a-missing-or-old-gh-and-passes-once-a-good-one-is-named ()
  (lab-with (_)
    (dolist (bad (list "no-such-gh" (expand-file-name ".deps/gh/2.23.0/gh" lab-root)))
      (let ((cj/gh-executable bad))
        (let ((report (doctor-tests--rows "gh" "gh version")))
          (should (member "FAIL" (doctor-tests--grade report)))
          (should (string-match-p "set `cj/gh-executable'" report))
          (with-current-buffer cj/gh-doctor-buffer-name
            (goto-char (point-min))
            (should (equal (button-label (next-button (point) t)) "cj/gh-executable"))))
        (setq cj/gh-executable (lab-gh))
        (should (equal (doctor-tests--grade (doctor-tests--rows "gh" "gh version"))
                       '("PASS" "PASS")))))))

(ert-deftest doctor-finds-a-missing-login-and-an-expired-token-and-passes-after-a-login ()
  (pcase-dolist (`(,_ . ,gh) (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable gh)
            (cj/gh-known-hosts '("github.com" "ghe.example.com"))
            (process-environment (append '("GH_TOKEN" "GH_ENTERPRISE_TOKEN")
                                         process-environment)))
        (doctor-tests--file
         (lab-file lab "gh-config/hosts.yml")
         (format "github.com:\n    users:\n        octo:\n            oauth_token: %1$s\n    user: octo\n    oauth_token: %1$s\n"
                 (cdr (assoc "expired" lab-tokens))))
        (let ((report (doctor-tests--rows "Login" "Limits")))
          (should (equal (doctor-tests--grade report) '("FAIL" "FAIL" "SKIP" "SKIP")))
          (should (string-match-p "^FAIL  Login github.com +github.com refused the login: the token is expired" report))
          (should (string-match-p "^FAIL  Login ghe.example.com +nobody is logged in" report))
          (should-not (string-match-p "lab-token" report)))
        ;; The advice is a line to copy; the test runs exactly that line.
        (dolist (step '(("github.com" . "github") ("ghe.example.com" . "ghe")))
          (let ((line (format "gh auth login --hostname %s" (car step))))
            (doctor-tests--press line)
            (should (equal (current-kill 0) line))
            (doctor-tests--gh-login (car step) (cdr (assoc (cdr step) lab-tokens)))))
        (let ((report (doctor-tests--rows "Login" "Limits")))
          (should (equal (doctor-tests--grade report) '("PASS" "PASS" "PASS" "PASS")))
          (should (string-match-p "^PASS  Login github.com +octo (octo, token in gh's file)$" report))
          (should (string-match-p "^PASS  Limits ghe.example.com +REST 4999 of 5000, search 30 of 30, GraphQL 4999 of 5000 left$"
                                  report)))
        (should-not (lab-mutations lab))))))

(ert-deftest doctor-an-expired-token-of-the-environment-is-found ()
  (lab-with (_)
    (let ((process-environment (cons (concat "GH_TOKEN=" (cdr (assoc "expired" lab-tokens)))
                                     process-environment))
          (cj/gh-known-hosts '("github.com")))
      (let ((report (doctor-tests--rows "Login")))
        (should (equal (doctor-tests--grade report) '("FAIL")))
        (should (string-match-p "(token of GH_TOKEN)\n +Renew the token in GH_TOKEN, or `(setenv \"GH_TOKEN\")'" report))
        (should-not (string-match-p "lab-token" report))))))

(ert-deftest doctor-says-when-few-requests-are-left-and-when-there-are-more ()
  (should (equal (cj/gh-doctor--limits-of "4000 5000 1\n30 30 1\n5000 5000 1\n")
                 '(pass "REST 4000 of 5000, search 30 of 30, GraphQL 5000 of 5000 left" nil)))
  (should (string-match-p "\\`More for search at [0-9][0-9]:[0-9][0-9]\\.\\'"
                          (nth 2 (cj/gh-doctor--limits-of "4000 5000 1\n2 30 1\n5000 5000 1"))))
  (should (eq 'fail (car (cj/gh-doctor--limits-of "0 5000 1\n30 30 1\n5000 5000 1"))))
  (should (eq 'warn (car (cj/gh-doctor--limits-of "what")))))

(ert-deftest doctor-finds-a-directory-without-git-and-passes-in-a-checkout ()
  (lab-with (lab)
    ;; Labs lie in the build directory, inside this checkout, so this test needs
    ;; a directory elsewhere.
    (let* ((outside (file-truename (make-temp-file "cj-gate-no-git" t)))
           (default-directory (file-name-as-directory outside))
           (cj/gate-cwd-roots (cons outside cj/gate-cwd-roots)))
      (unwind-protect
          (progn
            (let ((report (doctor-tests--rows "Directory")))
              (should (equal (doctor-tests--grade report) '("WARN")))
              (should (string-match-p "no git checkout; calls go to github.com\n.*`M-x cd'" report)))
            (cd (lab-checkout lab "work" "https://github.com/o/r.git"))
            (should (string-match-p "\\`PASS  Directory +github.com/o/r (origin)$"
                                    (doctor-tests--rows "Directory"))))
        (delete-directory outside t)))))

(ert-deftest doctor-finds-a-remote-on-an-unknown-host-and-passes-once-the-host-is-known ()
  (lab-with (lab)
    (let ((default-directory (lab-checkout lab "evil" "https://other.example/o/r.git"))
          (cj/gh-known-hosts nil))
      (should (string-match-p "\\`WARN  Directory .*other.example.*\n.*add the host to `cj/gh-known-hosts'"
                              (doctor-tests--rows "Directory")))
      (setq cj/gh-known-hosts '("github.com" "other.example"))
      (should (string-match-p "\\`PASS  Directory +other.example/o/r (origin)$"
                              (doctor-tests--rows "Directory"))))))

(ert-deftest doctor-finds-a-pager-variable-and-its-button-unsets-it ()
  (lab-with (_)
    (let ((process-environment (append '("GH_PAGER=less" "GH_TOKEN" "GH_ENTERPRISE_TOKEN")
                                       process-environment))
          (cj/gh-doctor--checks (list (assoc "Environment" cj/gh-doctor--checks))))
      (should (string-match-p "\\`WARN  Environment +ignored: GH_PAGER\n +GH_PAGER is not passed on"
                              (doctor-tests--rows "Environment")))
      (doctor-tests--press "(setenv \"GH_PAGER\")")
      (should-not (getenv "GH_PAGER"))
      (with-current-buffer cj/gh-doctor-buffer-name
        (should (string-match-p "\\`PASS  Environment " (doctor-tests--report)))))))

(ert-deftest doctor-finds-a-missing-module-and-passes-once-its-directory-is-set ()
  (let ((result
         (lab-child
          '(require 'cj-gh-doctor)
          `(let ((there cj/gate-module-directory)
                 (report (lambda ()
                           (with-current-buffer (cj/gh-doctor)
                             (while (string-match-p "^\\.\\.\\. " (buffer-string))
                               (accept-process-output nil 0.05))
                             (buffer-substring-no-properties (point-min) (point-max))))))
             (setq cj/gate-module-directory "/nonexistent/" cj/gh-executable "no-such-gh"
                   cj/gate-cwd-roots (list ,(expand-file-name "lab" lab-target)))
             (let ((before (funcall report)))
               (setq cj/gate-module-directory there)
               (list :before before :after (funcall report)))))))
    (should (string-match-p "^FAIL  Module +The native module of cj-gate is missing.*\n +Build it with `M-x cj/gate-compile-module'.*set `cj/gate-module-directory'"
                            (plist-get result :before)))
    ;; The checks that need no module still run.
    (should (string-match-p "^PASS  Emacs " (plist-get result :before)))
    (should (string-match-p "^FAIL  gh  " (plist-get result :before)))
    (should (string-match-p "^SKIP  Login +not checked: there is no module$" (plist-get result :before)))
    (should (string-match-p "^PASS  gptel +gptel 0\\." (plist-get result :before)))
    (should (string-match-p "^PASS  Module +version " (plist-get result :after)))))

(ert-deftest doctor-finds-a-stopped-gate-and-sends-no-request ()
  (lab-with (lab)
    (should (string-match-p "\\`PASS  Gate +open; what it starts ends with Emacs$"
                            (doctor-tests--rows "Gate")))
    ;; Only a person's key ends a stop, so another Emacs is stopped.
    (let* ((environment process-environment)
           (process-environment (default-toplevel-value 'process-environment))
           (report
           (plist-get
            (lab-child
             '(require 'cj-gh-doctor)
             `(progn
                (setq process-environment ',environment
                      cj/gh-executable ,(lab-gh) cj/gate-cwd-roots '(,(lab-home lab))
                      default-directory ,(file-name-as-directory (lab-home lab))
                      cj/gh-doctor--checks (list (assoc "Gate" cj/gh-doctor--checks)
                                                 (assoc "Login" cj/gh-doctor--checks)))
                (cj/gate-stop)
                (list :report (with-current-buffer (cj/gh-doctor)
                                (accept-process-output nil 0.3)
                                (buffer-string)))))
            :report))
           (report (doctor-tests--rows-of report)))
      (should (string-match-p "\\`FAIL  Gate +stopped by a person: every call is refused\n +`M-x cj/gate-resume'" report))
      (should (string-match-p "^SKIP  Login github.com +not read: " report)))
    (should-not (lab-requests lab))))

(ert-deftest doctor-says-what-gptel-confirm-tool-calls-does ()
  (require 'gptel)
  (pcase-dolist (`(,value . ,words)
                 '((nil . "is nil: it asks about no tool; a write waits for the gate all the same")
                   (auto . "is auto: it asks about no read; a write waits for the gate")
                   (t . "is t: it asks about each read; a write waits for the gate alone")))
    (let ((old (default-value 'gptel-confirm-tool-calls)))
      (unwind-protect
          (progn
            (setq-default gptel-confirm-tool-calls value)
            (should (string-match-p
                     (concat "\\`PASS  gptel +gptel 0\\.9\\.9\\.[0-9]+; `gptel-confirm-tool-calls' "
                             (regexp-quote words) "$")
                     (doctor-tests--rows "gptel"))))
        (setq-default gptel-confirm-tool-calls old)))))

;;; doctor-tests.el ends here
