;;; versions-tests.el --- Commands that an old gh lacks are asked about -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A real gh 2.61.0 with extensions and aliases in place of commands that later
;; releases added.  `make versions' calls all commands, with more releases.

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'lab-versions)
(require 'cj-gh)
(require 'cj-gh-explain)
(require 'cj-gh-doctor)

(defconst versions-tests--old (expand-file-name ".deps/gh/2.61.0/gh" lab-root)
  "A release that lacks much of the catalog.")

(defun versions-tests--tried-p (words)
  "Return non-nil if WORDS names a command that the test is to call."
  (member (car words) '("skill" "skills" "agent-task" "licenses" "telemetry" "preview"
                        "accessibility" "discussion" "repo" "status" "help" "copilot")))

(defun versions-tests--answer (argv &rest keys)
  "Return the answer to a call of ARGV with KEYS."
  (let (answer)
    (apply #'cj/gate-submit "gh" argv (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer))))

(ert-deftest versions-words-that-an-old-gh-lacks-are-asked-about ()
  (skip-unless (file-executable-p versions-tests--old))
  (dolist (how '(extensions aliases (extensions) (aliases)))
    (ert-info ((format "%S" how))
      (let ((tried (lab-versions-try versions-tests--old how #'versions-tests--tried-p)))
        (should-not (plist-get tried :marks))
        (should (> (length (plist-get tried :later)) 6))
        ;; For `gh repo read-file --help' an old gh shows the page of `gh repo'.
        (should (member '("repo" "read-file") (plist-get tried :later)))
        (should (member '("repo" "view") (plist-get tried :own)))
        (should (> (length (plist-get tried :reads)) 8))
        (unless (consp how)
          (should (member '("repo" "view") (plist-get tried :ran)))
          (should-not (plist-get tried :asked)))))))

(ert-deftest versions-an-extension-or-alias-that-runs-leaves-a-mark ()
  (skip-unless (file-executable-p versions-tests--old))
  (pcase-dolist (`(,how . ,marks) '((extensions "extension skill")
                                    (aliases "alias skill" "alias repo read-file")))
    (lab-with (lab)
      (lab-versions-occupy lab how '(("skill") ("repo" "read-file")))
      (call-process versions-tests--old nil nil nil "skill")
      (call-process versions-tests--old nil nil nil "repo" "read-file")
      (should (equal (lab-versions--marks lab) marks)))))

(ert-deftest versions-a-plan-made-before-the-version-was-known-is-refused-when-run ()
  (skip-unless (file-executable-p versions-tests--old))
  (lab-with (lab)
    ;; A copy under a new name, whose version the gate does not know yet.
    (let ((cj/gh-executable (lab-file lab "bin/gh")) outcome)
      (make-directory (file-name-directory cj/gh-executable))
      (copy-file versions-tests--old cj/gh-executable)
      (lab-versions-occupy lab 'aliases '(("agent-task") ("preview")))
      (let ((plan (cj/gate-plan "gh" '("agent-task" "list") :hostname "github.com")))
        (should (eq (plist-get (cj/gate-plan-info plan) :class) 'read))
        (cj/gate-run plan (lambda (value) (setq outcome value)))
        (lab-wait (lambda () outcome))
        (should (eq (plist-get outcome :error-kind) 'policy-blocked))
        (should (string-match-p "since gh [0-9.]+; the installed one is 2\\.61\\.0"
                                (plist-get outcome :text))))
      ;; After that run the version is known, and a new plan asks a person.
      (let ((info (cj/gate-plan-info (cj/gate-plan "gh" '("agent-task" "list")
                                                   :hostname "github.com"))))
        (should (eq (plist-get info :class) 'unknown))
        (should (eq (plist-get info :policy) 'confirm))
        (should (string-match-p "2\\.61\\.0" (plist-get info :reason))))
      (should-not (lab-versions--marks lab)))))

(ert-deftest versions-a-read-that-only-the-newest-gh-has-runs-unasked-there ()
  (lab-with (_)
    (dolist (row '(("2.103.3" "read" "ok\\|error") ("2.92.0" "unknown" "declined")))
      (let ((cj/gh-executable (cdr (assoc (car row) (lab-ghs)))))
        (skip-unless cj/gh-executable)
        (let ((header (lab-header (versions-tests--answer '("discussion" "list")
                                                          :repo "github.com/octo/hello"))))
          (should (equal (nth 1 header) (nth 1 row)))
          (should (string-match-p (nth 2 row) (nth 2 header))))))))

(ert-deftest versions-a-call-returns-at-once-while-a-slow-gh-tells-its-version ()
  (lab-with (lab)
    (let ((cj/gh-executable (make-temp-file (lab-file lab "slow-gh")))
          (start (float-time))
          answer)
      (write-region "#!/bin/sh\nsleep 2; echo 'gh version 2.92.0 (2026-04-28)'\n" nil
                    cj/gh-executable nil 'quiet)
      (set-file-modes cj/gh-executable #o700)
      (cj/gate-submit "gh" '("api" "user") (lambda (text) (setq answer text))
                      :hostname "github.com")
      (should (< (- (float-time) start) 0.5))
      (lab-wait (lambda () answer))
      (should (> (- (float-time) start) 1.5)))))

(ert-deftest versions-a-program-that-is-no-gh-is-refused ()
  (lab-with (lab)
    (dolist (says '("echo hub version 2.14.2" "echo GreenHopper 2.92.0" "true" "exit 1"))
      (let ((cj/gh-executable (make-temp-file (lab-file lab "other-gh"))))
        (write-region (concat "#!/bin/sh\n[ \"$1\" = --version ] || touch " (lab-file lab "ran")
                              "\n" says "\n")
                      nil cj/gh-executable nil 'quiet)
        (set-file-modes cj/gh-executable #o700)
        (dolist (argv '(("pr" "view" "1") ("issue" "close" "1") ("nosuch")))
          (let ((answer (versions-tests--answer argv :repo "github.com/octo/hello")))
            (should (equal (nth 2 (lab-header answer)) "error no-executable"))
            (should (string-match-p "point `cj/gh-executable' at it" answer))))))
    (should-not (file-exists-p (lab-file lab "ran")))))

(ert-deftest versions-explain-and-doctor-say-the-version-that-counts ()
  (skip-unless (file-executable-p versions-tests--old))
  (lab-with (_)
    (let ((cj/gh-executable versions-tests--old))
      (with-current-buffer (cj/gh-explain "gh skill list")
        (lab-wait (lambda () (not (string-prefix-p "Asking" (buffer-string)))))
        (should (string-match-p "^Class +unknown$" (buffer-string)))
        (should (string-match-p "^Reason .*since gh 2\\.90\\.0; the installed one is 2\\.61\\.0"
                                (buffer-string)))
        (should (string-match-p "^Version +gh 2\\.61\\.0 is supported" (buffer-string)))
        (should (string-match-p "A person would be asked" (buffer-string))))
      (let (said)
        (cj/gh-doctor--gh-version (lambda (&rest report) (setq said report)))
        (lab-wait (lambda () said))
        (should (eq (car said) 'pass))
        (should (string-match-p "2\\.61\\.0 is supported; a call with a command or flag"
                                (cadr said)))))))

;;; versions-tests.el ends here
