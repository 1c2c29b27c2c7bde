;;; runner-child-tests.el --- The environment, files and signals of a child -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'subr-x)
(require 'lab-runner)

(defconst runner-junk
  '("GH_DEBUG=api" "DEBUG=1" "GH_REPO=evil.example/o/r" "GH_HOST=evil.example" "GH_PATH=/x"
    "GH_FORCE_TTY=1" "CLICOLOR_FORCE=1" "EDITOR=vi" "VISUAL=vi" "GH_EDITOR=vi" "BROWSER=w3m"
    "GH_BROWSER=w3m" "PAGER=less" "GH_PAGER=less" "GIT_DIR=/x" "GIT_SSH_COMMAND=x" "LD_PRELOAD="
    "AWS_SECRET_ACCESS_KEY=s" "OPENAI_API_KEY=k" "INSIDE_EMACS=yes" "TERM=xterm" "SHLVL=3" "_=x"
    "GH_TOKEN=token-one" "GITHUB_TOKEN=token-two" "GH_ENTERPRISE_TOKEN=token-three"
    "GITHUB_ENTERPRISE_TOKEN=token-four" "LC_TIME=C.UTF-8" "TZ=UTC")
  "Variables that Emacs's environment has in the tests.
A child gets only those that `runner-passed' names and the token of its host.")

(defconst runner-passed
  '("HOME" "USER" "LOGNAME" "PATH" "LANG" "TZ" "TMPDIR" "XDG_CONFIG_HOME" "XDG_DATA_HOME"
    "XDG_STATE_HOME" "XDG_CACHE_HOME" "XDG_RUNTIME_DIR" "DBUS_SESSION_BUS_ADDRESS"
    "GH_CONFIG_DIR" "HTTP_PROXY" "HTTPS_PROXY" "NO_PROXY" "ALL_PROXY" "http_proxy"
    "https_proxy" "no_proxy" "all_proxy" "SSL_CERT_FILE" "SSL_CERT_DIR")
  "Variables that a child gets if Emacs has them; LC_* are passed on too.")

(defconst runner-fixed
  '("GH_PROMPT_DISABLED=1" "GH_PAGER=cat" "PAGER=cat" "NO_COLOR=1" "GH_NO_UPDATE_NOTIFIER=1"
    "GH_NO_EXTENSION_UPDATE_NOTIFIER=1" "GH_SPINNER_DISABLED=1" "GH_TELEMETRY=false"
    "DO_NOT_TRACK=1" "GH_BROWSER=/bin/false" "BROWSER=/bin/false" "GH_EDITOR=/bin/false"
    "EDITOR=/bin/false" "VISUAL=/bin/false" "GIT_DIR=/dev/null"
    "GIT_OPTIONAL_LOCKS=0" "GIT_TERMINAL_PROMPT=0" "GIT_PAGER=cat" "GIT_EDITOR=/bin/false"
    "GIT_SEQUENCE_EDITOR=/bin/false" "GIT_ASKPASS=/bin/false" "SSH_ASKPASS=/bin/false"
    "GIT_ALLOW_PROTOCOL=none" "GIT_NO_LAZY_FETCH=1" "GIT_SSH_COMMAND=/bin/false"
    "GIT_PROXY_COMMAND=/bin/false" "GIT_GRAFT_FILE=/nonexistent" "GIT_CONFIG_COUNT=9"
    "GIT_CONFIG_KEY_0=safe.bareRepository" "GIT_CONFIG_VALUE_0=explicit"
    "GIT_CONFIG_KEY_1=core.fsmonitor" "GIT_CONFIG_VALUE_1=false"
    "GIT_CONFIG_KEY_2=core.hooksPath" "GIT_CONFIG_VALUE_2=/dev/null"
    "GIT_CONFIG_KEY_3=core.alternateRefsCommand" "GIT_CONFIG_VALUE_3=/bin/false"
    "GIT_CONFIG_KEY_4=credential.helper" "GIT_CONFIG_VALUE_4="
    "GIT_CONFIG_KEY_5=protocol.allow" "GIT_CONFIG_VALUE_5=never"
    "GIT_CONFIG_KEY_6=log.showSignature" "GIT_CONFIG_VALUE_6=false"
    "GIT_CONFIG_KEY_7=submodule.recurse" "GIT_CONFIG_VALUE_7=false"
    "GIT_CONFIG_KEY_8=core.commitGraph" "GIT_CONFIG_VALUE_8=false")
  "Variables that every child has, with fixed values.")

(defun runner-environment (home repo)
  "Return the environment of a child that reads REPO, a list of strings.
HOME is the HOME of the test."
  (runner-call home (list "pr" "view" "1" "-R" repo))
  (split-string (runner-file home "environ") "\0" t))

(defun runner-expected (&rest own)
  "Return the environment that a child should have; OWN are entries of its host."
  (append own
          runner-fixed
          (unless (getenv "DBUS_SESSION_BUS_ADDRESS")
            '("DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent"))
          (cl-loop with seen = nil
                   for entry in process-environment
                   for name = (car (split-string entry "="))
                   when (and (or (member name runner-passed) (string-prefix-p "LC_" name))
                             (string-search "=" entry)
                             (not (member name seen)))
                   collect entry
                   do (push name seen))))

(ert-deftest runner-child-has-the-listed-environment-and-the-token-of-its-host-alone ()
  (runner-with "cat /proc/$$/environ > \"$HOME/environ\""
    (let ((process-environment (append runner-junk
                                       (cl-remove-if (lambda (entry)
                                                       (string-prefix-p "XDG_RUNTIME_DIR" entry))
                                                     process-environment))))
      (should (equal (sort (runner-environment home "octo/demo") #'string<)
                     (sort (runner-expected "GH_TOKEN=token-one" "GH_HOST=github.com") #'string<)))
      (should (equal (sort (runner-environment home "ghe.example.com/octo/demo") #'string<)
                     (sort (runner-expected "GH_ENTERPRISE_TOKEN=token-three"
                                      "GH_HOST=ghe.example.com") #'string<))))))

(ert-deftest runner-child-has-an-empty-input-two-pipes-and-a-session-of-its-own ()
  (runner-with "cat /proc/$$/stat > \"$HOME/stat\"; while read -r line; do echo \"$line\"; done < /proc/$$/status > \"$HOME/signals\"
pwd > \"$HOME/cwd\"; cat > \"$HOME/input\"; exec ls -l /proc/self/fd"
    ;; A pipe of this Emacs, which a carelessly started child would inherit.
    (let* ((process (make-pipe-process :name "held" :noquery t))
           (end (runner-call home runner-read))
           (files (cl-loop for line in (split-string (runner-end-text end) "\n")
                           when (string-match " \\([0-9]+\\) -> \\(.*\\)\\'" line)
                           collect (cons (match-string 1 line) (match-string 2 line)))))
      (delete-process process)
      (should (equal (mapcar #'car files) '("0" "1" "2" "3")))
      (should (equal (cdr (assoc "0" files)) "/dev/null"))
      (should (string-prefix-p "pipe:" (cdr (assoc "1" files))))
      (should (string-prefix-p "pipe:" (cdr (assoc "2" files))))
      ;; Descriptor 3 is the directory that ls itself reads.
      (should (string-match-p "\\`/proc/[0-9]+/fd\\'" (cdr (assoc "3" files))))
      (should (equal (runner-file home "input") ""))
      (should (equal (runner-file home "cwd") (concat home "\n")))
      ;; proc(5): pid (name) state ppid pgrp session tty_nr ...
      (let ((stat (split-string (runner-file home "stat"))))
        (should (equal (nth 4 stat) (nth 0 stat)))
        (should (equal (nth 5 stat) (nth 0 stat)))
        (should (equal (nth 6 stat) "0")))
      ;; Signals 1 to 31; glibc uses two above them.  The script reads the
      ;; status with the shell's own `read', since a shell that waits for a
      ;; child blocks signals.
      (dolist (set '("SigBlk" "SigIgn"))
        (should (string-match (format "^%s:[ \t]*\\([0-9a-f]+\\)$" set)
                              (runner-file home "signals")))
        (should (zerop (logand (string-to-number (match-string 1 (runner-file home "signals"))
                                                 16)
                               #x7fffffff)))))))

(provide 'runner-child-tests)

;;; runner-child-tests.el ends here
