;;; doors-tests.el --- Classification, context and redaction, as Lisp calls them -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The labelled rows of fixtures/ go through the module's functions.  The target
;; of a call is found in real git checkouts.

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-gh)

(defun doors-tests--rows (name)
  "Return the rows of fixtures/NAME as plists."
  (lab-json-lines (expand-file-name (concat "fixtures/" name) lab-root)))

;;;; Classification

(defun doors-tests--strictness (class)
  "Return how strict the policy for CLASS is, 0 to 2."
  (pcase-exhaustive (format "%s" class)
    ("read" 0) ((or "write" "unknown") 1) ((or "destructive" "blocked") 2)))

(defun doors-tests--class (argv)
  "Return the class of ARGV, or `blocked' if ARGV is a bad argument."
  (condition-case nil
      (plist-get (cj/gh-classify argv) :class)
    (cj/gate-bad-argument 'blocked)))

(ert-deftest doors-every-labelled-call-is-judged-strictly-enough ()
  (let ((rows (doors-tests--rows "gh-classify.jsonl"))
        auto mild strict)
    (dolist (row rows)
      (let* ((class (doors-tests--class (plist-get row :argv)))
             (got (doors-tests--strictness class))
             (right (mapcar #'doors-tests--strictness
                            (cons (plist-get row :expect) (plist-get row :also_ok)))))
        (cond ((< got (apply #'min right))
               (push (cons class row) mild)
               (when (eq class 'read) (push row auto)))
              ((> got (apply #'max right)) (push (cons class row) strict)))))
    (should (> (length rows) 400))
    (should-not auto)
    (should-not mild)
    (should (<= (* 50 (length strict)) (length rows)))))

(ert-deftest doors-a-classification-says-command-reason-and-argv ()
  (dolist (argv '(("pr" "view" "1") ["pr" "view" "1"] ("gh" "pr" "view" "1")))
    (let ((judged (cj/gh-classify argv)))
      (should (eq (plist-get judged :class) 'read))
      (should (equal (plist-get judged :command) "pr view"))
      (should (string-match-p "\\`.+\\.\\'" (plist-get judged :reason)))
      (should (equal (plist-get judged :argv) '("pr" "view" "1")))))
  (dolist (argv '("pr view" 3 nil [] ("pr" 1) ("pr" . "view") ("pr" "a\0b") ("gh")))
    (let ((err (should-error (cj/gh-classify argv) :type 'cj/gate-bad-argument)))
      (should (eq (plist-get (cddr err) :kind) 'bad-argument)))))

;;;; Redaction

(defun doors-tests--redacted (row)
  "Return the redacted text of ROW, or its argv joined by line breaks."
  (let ((input (plist-get row :input)) (known (plist-get row :known)))
    (if (equal (plist-get row :kind) "argv")
        (string-join (cj/gate-redact-argv input known) "\n")
      (cj/gate-redact-text input known))))

(ert-deftest doors-an-argument-of-any-length-comes-through-whole ()
  ;; Lengths around 256 bytes, the buffer for a short string in the module.
  (dolist (length '(0 1 254 255 256 257 5000))
    (dolist (text (list (make-string length ?a)
                        (concat (make-string length ?a) "\u00e4")
                        (make-string length #x1f600)))
      (let ((argv (list "pr" "view" "1" "--jq" text)))
        (should (equal (plist-get (cj/gh-classify argv) :argv) argv))
        (should (equal (plist-get (cj/gh-classify (vconcat argv)) :argv) argv)))))
  ;; A raw byte is no Unicode, in a short argument and in a long one.
  (dolist (length '(3 5000))
    (should-error (cj/gh-classify (list "pr" (concat (make-string length ?a) "\xff")))
                  :type 'cj/gate-bad-argument)))

(ert-deftest doors-every-labelled-secret-is-masked-and-harmless-text-is-kept ()
  (let ((rows (doors-tests--rows "redact.jsonl")) failures)
    (dolist (row rows)
      (let ((out (doors-tests--redacted row)))
        (dolist (piece (plist-get row :must_not_contain))
          (when (string-search piece out)
            (push (list (plist-get row :id) 'leaks piece) failures)))
        (dolist (piece (plist-get row :must_contain))
          (unless (string-search piece out)
            (push (list (plist-get row :id) 'loses piece) failures)))
        (when (equal (plist-get row :class) "neg")
          (unless (equal out (if (consp (plist-get row :input))
                                 (string-join (plist-get row :input) "\n")
                               (plist-get row :input)))
            (push (list (plist-get row :id) 'changed) failures)))))
    (should (> (length rows) 100))
    (should-not failures)))

(defun doors-tests--cut (string offsets)
  "Return STRING in pieces, cut at the byte OFFSETS that fall between characters."
  (let ((bytes (encode-coding-string string 'utf-8)) (start 0) pieces)
    (dolist (offset (append offsets (list (string-bytes string))))
      (when (and (<= start offset)
                 (or (= offset (length bytes))
                     (/= (logand (aref bytes offset) #xc0) #x80)))
        (push (decode-coding-string (substring bytes start offset) 'utf-8) pieces)
        (setq start offset)))
    (nreverse pieces)))

(ert-deftest doors-redaction-in-chunks-equals-redaction-of-the-whole-text ()
  (let ((rows (cl-remove "text" (doors-tests--rows "redact.jsonl")
                         :key (lambda (row) (plist-get row :kind)) :test-not #'equal)))
    (should (> (length rows) 50))
    (dolist (row rows)
      (let* ((input (plist-get row :input)) (known (plist-get row :known))
             (whole (cj/gate-redact-text input known)))
        (dolist (offsets (list (plist-get row :chunks)
                               (number-sequence 7 (min 2000 (string-bytes input)) 7)))
          (ert-info ((format "%s at %S" (plist-get row :id) offsets))
            (should (equal (string-join
                            (cj/gate-redact-chunks (doors-tests--cut input offsets) known)
                            "")
                           whole))))))))

(ert-deftest doors-a-token-of-the-environment-is-masked-in-every-encoding ()
  (let* ((value "k4n9x2m7q1w8e5r3t6y0")
         (process-environment (cons (concat "GH_TOKEN=" value) process-environment)))
    (dolist (form (list value (base64-encode-string value) (reverse value)
                        (mapconcat (lambda (c) (format "%02x" c)) value "")))
      (let ((out (cj/gate-redact-text (format "before %s after" form))))
        (should-not (string-search form out))
        (should (string-match-p "\\`before .* after\\'" out))))
    (should-not (string-search value (car (cj/gate-redact-argv (list "x" value)))))
    (should-not (string-search value (cadr (cj/gate-redact-argv (vector "x" value)))))))

;;;; Failures in logs

(ert-deftest doors-the-failure-of-a-log-is-extracted-redacted-and-escaped ()
  (let* ((value "k4n9x2m7q1w8e5r3t6y0")
         (process-environment (cons (concat "GH_TOKEN=" value) process-environment))
         (time "2026-11-10T11:37:50.2503752Z ")
         (log (mapconcat
               (lambda (line) (concat time line "\n"))
               (list "##[group]Run make -j2" "\e[36;1mmake -j2\e[0m"
                     "shell: /usr/bin/bash -e {0}" "##[endgroup]"
                     (format "\e[31mcurl: (22) %s\u202e refused\e[0m" value)
                     "##[error]Process completed with exit code 2.")
               ""))
         (told (cj/gh-extract-failure log)))
    (should (string-match-p "command: make -j2" told))
    (should (string-match-p "exit code 2" told))
    (should (string-match-p "curl: (22) .*<U\\+202E> refused" told))
    (should-not (string-search value told))
    (should-not (string-search "\e" told))
    (should (<= (length (cj/gh-extract-failure log 10)) (length told))))
  (dolist (wrong '(3 nil sym ("x")))
    (should-error (cj/gh-extract-failure wrong)))
  (should-error (cj/gh-extract-failure "x" "600")))

(ert-deftest doors-redaction-of-a-wrong-type-signals-an-error ()
  (dolist (wrong '(3 nil sym ("x") "\377"))
    (should-error (cj/gate-redact-text wrong)))
  (dolist (wrong '(3 "x" ("x" 3) ("x" . "y")))
    (should-error (cj/gate-redact-argv wrong)))
  (dolist (wrong '(3 ("x" 3)))
    (should-error (cj/gate-redact-chunks wrong)))
  (should-not (cj/gate-redact-argv nil))
  (should (equal (cj/gate-redact-text "") "")))

;;;; Context

(defun doors-tests--git (dir &rest args)
  "Run git with ARGS in DIR."
  (unless (zerop (apply #'call-process "git" nil nil nil "-C" dir args))
    (error "Git %S failed" args)))

(defun doors-tests--target (context)
  "Return a list for CONTEXT: \"HOST/OWNER/REPO\", or \"HOST\", and its source."
  (list (concat (plist-get context :host)
                (and (plist-get context :owner)
                     (format "/%s/%s" (plist-get context :owner) (plist-get context :repo))))
        (plist-get context :source)))

(defun doors-tests--resolve (dir &optional hostname repo)
  "Return the target for DIR, HOSTNAME and REPO, or the condition signalled.
The target is as `doors-tests--target' returns it."
  (condition-case err
      (doors-tests--target (cj/gh-resolve-context dir hostname repo))
    (cj/gate-error (car err))))

(ert-deftest doors-the-target-is-found-in-the-order-of-precedence ()
  (lab-with (lab)
    (let ((dir (lab-checkout lab "work" "https://github.com/me/fork.git"))
          (home (lab-home lab)))
      (should (equal (doors-tests--resolve home) '("github.com" default)))
      (should (equal (doors-tests--resolve dir) '("github.com/me/fork" origin)))
      ;; The remote that the branch tracks goes before origin.
      (doors-tests--git dir "remote" "add" "up" "git@github.com:team/tool.git")
      (doors-tests--git dir "config" "branch.main.remote" "up")
      (doors-tests--git dir "config" "branch.main.merge" "refs/heads/main")
      (should (equal (doors-tests--resolve dir) '("github.com/team/tool" upstream)))
      ;; What `gh repo set-default' wrote goes before that: `base' or a name.
      (doors-tests--git dir "config" "remote.origin.gh-resolved" "base")
      (should (equal (doors-tests--resolve dir) '("github.com/me/fork" set-default)))
      (doors-tests--git dir "config" "remote.origin.gh-resolved" "other/base")
      (should (equal (doors-tests--resolve dir) '("github.com/other/base" set-default)))
      ;; The arguments of the call go before everything else.
      (should (equal (doors-tests--resolve dir "ghe.example.com")
                     '("ghe.example.com" explicit-host)))
      (should (equal (doors-tests--resolve dir "github.com")
                     '("github.com/other/base" explicit-host)))
      (should (equal (doors-tests--resolve dir nil "a/b") '("github.com/a/b" explicit-repo)))
      (should (equal (doors-tests--resolve dir "ghe.example.com" "a/b")
                     '("ghe.example.com/a/b" explicit-repo)))
      (should (equal (doors-tests--resolve dir nil "ghe.example.com/a/b")
                     '("ghe.example.com/a/b" explicit-repo)))
      (should (equal (doors-tests--resolve dir "" "") (doors-tests--resolve dir)))
      (let ((cj/gh-default-host "ghe.example.com"))
        (should (equal (doors-tests--resolve home) '("ghe.example.com" default)))
        (should (equal (doors-tests--resolve home nil "a/b")
                       '("ghe.example.com/a/b" explicit-repo))))
      (dolist (bad '("a" "a/" "/b" "a/b/c/d" "../x" "a b/c" "a/b\n" "-R/x" "a/b?x" "a/.."))
        (ert-info (bad)
          (should (memq (doors-tests--resolve dir nil bad)
                        '(cj/gate-bad-argument cj/gate-policy-blocked)))))
      (dolist (foreign '("evil.example" "github.com.evil.example" "githubb.com"))
        (should (eq (doors-tests--resolve dir foreign) 'cj/gate-policy-blocked))
        (should (eq (doors-tests--resolve dir nil (concat foreign "/o/r"))
                    'cj/gate-policy-blocked))))))

(defconst doors-tests--urls
  '(("https://github.com/o/r" "github.com/o/r")
    ("https://github.com/o/r.git" "github.com/o/r")
    ("https://github.com/o/r/" "github.com/o/r")
    ("https://github.com/o/r.git/" "github.com/o/r")
    ("https://GitHub.com/O/R" "github.com/O/R")
    ("https://me@github.com/o/r" "github.com/o/r")
    ("https://me:word@github.com/o/r" "github.com/o/r")
    ("https://www.github.com/o/r" "github.com/o/r")
    ("http://github.com/o/r" "github.com/o/r")
    ("git://github.com/o/r.git" "github.com/o/r")
    ("git@github.com:o/r.git" "github.com/o/r")
    ("git@github.com:o/r" "github.com/o/r")
    ("github.com:o/r.git" "github.com/o/r")
    ("ssh://git@github.com/o/r.git" "github.com/o/r")
    ("ssh://git@github.com:22/o/r.git" "github.com/o/r")
    ("ssh://git@ssh.github.com:443/o/r.git" "github.com/o/r")
    ("git+ssh://git@github.com/o/r.git" "github.com/o/r")
    ("https://ghe.example.com/o/r" "ghe.example.com/o/r")
    ("git@ghe.example.com:o/r.git" "ghe.example.com/o/r")
    ("https://github.com/o/a.b" "github.com/o/a.b")
    ("https://github.com.evil.example/o/r" nil)
    ("https://evil.example/github.com/o/r" nil)
    ("https://github.com@evil.example/o/r" nil)
    ("git@github.com.evil.example:o/r" nil)
    ("https://evilgithub.com/o/r" nil)
    ("https://github.com/o" nil)
    ("https://github.com/" nil)
    ("/srv/git/o/r.git" nil)
    ("../o/r" nil)
    ("file:///github.com/o/r" nil)
    ("ext::sh -c true github.com/o/r" nil))
  "Rows of a URL of origin and its target; nil for no repository of a known host.")

(ert-deftest doors-every-form-of-a-url-names-its-own-host ()
  (lab-with (lab)
    (let ((dir (lab-checkout lab "work" "x")))
      (pcase-dolist (`(,url ,target) doors-tests--urls)
        (ert-info (url)
          (doors-tests--git dir "config" "remote.origin.url" url)
          (should (equal (doors-tests--resolve dir)
                         (if target (list target 'origin) '("github.com" default)))))))))

(ert-deftest doors-insteadof-rewrites-a-remote-as-git-does ()
  (lab-with (lab)
    (let ((dir (lab-checkout lab "work" "gh:o/r")))
      (should (equal (doors-tests--resolve dir) '("github.com" default)))
      (doors-tests--git dir "config" "url.https://ghe.example.com/.insteadOf" "gh:")
      (should (equal (doors-tests--resolve dir) '("ghe.example.com/o/r" origin)))
      ;; Git rewrites this github.com URL to an unknown host: it is no target.
      (doors-tests--git dir "config" "remote.origin.url" "https://github.com/o/r")
      (doors-tests--git dir "config" "url.https://evil.example/.insteadOf"
                        "https://github.com/")
      (should (equal (doors-tests--resolve dir) '("github.com" default))))))

(ert-deftest doors-a-call-from-a-checkout-of-an-unknown-host-is-refused ()
  (lab-with (lab)
    (let* ((dir (lab-checkout lab "work" "https://github.com.evil.example/o/r"))
           (answer nil))
      (cj/gh-call '("pr" "view" "1") (lambda (text) (setq answer text)) :cwd dir)
      (lab-wait (lambda () answer))
      (should (string-prefix-p "error" (nth 2 (lab-header answer))))
      (should-not (lab-requests lab)))))

(ert-deftest doors-facts-once-collected-are-used-without-git ()
  (lab-with (lab)
    (let ((dir (lab-checkout lab "work" "https://ghe.example.com/o/r"))
          (facts nil))
      (cj/gate-git-facts dir (lambda (value) (setq facts value)))
      (lab-wait (lambda () facts))
      (delete-directory dir t)
      (let ((exec-path nil))
        (should (equal (doors-tests--target (cj/gh-resolve-context dir nil nil facts))
                       '("ghe.example.com/o/r" origin))))
      (should (eq (car (should-error (cj/gate-git-facts dir #'ignore)
                                     :type 'cj/gate-error))
                  'cj/gate-bad-cwd))
      (should (eq (car (should-error (cj/gate-git-facts "/ssh:x:/y/" #'ignore)
                                     :type 'cj/gate-error))
                  'cj/gate-remote-cwd)))))

;;;; Waiting for git

(ert-deftest doors-a-call-is-refused-when-git-is-too-slow-to-name-the-remote ()
  ;; Without the refusal the call would go to the default host, github.com.
  (lab-with (lab)
    (let* ((dir (lab-checkout lab "work" "https://ghe.example.com/o/r"))
           (slow (lab-file lab "slow"))
           (exec-path (list slow))
           (answer nil))
      (make-directory slow)
      (write-region "#!/bin/sh\nsleep 60\n" nil (expand-file-name "git" slow) nil 'quiet)
      (set-file-modes (expand-file-name "git" slow) #o700)
      (cj/gh-call '("api" "user") (lambda (text) (setq answer text)) :cwd dir)
      (lab-wait (lambda () answer))
      (should (equal (nth 2 (lab-header answer)) "error truncated"))
      (should (string-match-p "too slow.*\n.*HOST/OWNER/REPO" answer))
      (should-not (lab-requests lab)))))

(ert-deftest doors-a-git-that-hangs-is-given-up-after-two-seconds ()
  (lab-with (lab)
    (let* ((dir (lab-checkout lab "work" "https://ghe.example.com/o/r"))
           (slow (lab-file lab "slow"))
           (exec-path (list slow))
           (start (float-time)))
      (make-directory slow)
      (write-region "#!/bin/sh\nsleep 60\n" nil (expand-file-name "git" slow) nil 'quiet)
      (set-file-modes (expand-file-name "git" slow) #o700)
      (should (equal (doors-tests--resolve dir) '("github.com" default)))
      (should (< 1.5 (- (float-time) start) 4))
      (lab-wait (lambda () (not (lab-children "git"))) 5)
      ;; C-g ends the wait too.
      (setq start (float-time))
      (should (eq 'quit (condition-case nil
                            (progn
                              (run-at-time 0.2 nil (lambda () (signal 'quit nil)))
                              (doors-tests--resolve dir))
                          (quit 'quit))))
      (should (< (- (float-time) start) 1.5))
      (lab-wait (lambda () (not (lab-children "git"))) 5))))

;;;; Tokens

(ert-deftest doors-token-estimates-are-within-five-percent-of-the-fixtures ()
  (dolist (kind '("english" "code" "diffs" "logs" "json"))
    (let ((rows (doors-tests--rows (format "tokens/%s.jsonl" kind)))
          (estimate 0)
          (real 0))
      (should (> (length rows) 15))
      (dolist (row rows)
        (cl-incf estimate (cj/gate-count-tokens (plist-get row :text)))
        (cl-incf real (plist-get row :tokens)))
      (should (< (abs (- estimate real)) (* 0.05 real)))))
  (should (eql (cj/gate-count-tokens "") 0))
  (should-error (cj/gate-count-tokens 'symbol) :type 'wrong-type-argument)
  (should-error (cj/gate-count-tokens nil) :type 'wrong-type-argument))

;;;; The sample job logs

(defun doors-tests--plain (text)
  "Return TEXT without colours and with one blank for each run of blanks.
What was told of a job log and its labels are compared in this form."
  (replace-regexp-in-string
   "[ \t\n]+" " "
   (replace-regexp-in-string "##\\[error]\\|\e\\[[0-9;]*m\\|\\^\\[\\[[0-9;]*m" "" text)))

(defun doors-tests--to-tell (case)
  "Return the texts that must be told of the job log CASE, a list of lists.
CASE is a file of fixtures/ci-logs.  Of each list, one text is enough."
  (let (lists)
    (with-temp-buffer
      (let ((coding-system-for-read 'utf-8))
        (insert-file-contents case))
      (narrow-to-region (point-min) (progn (search-forward "\n%% ") (point)))
      (goto-char (point-min))
      (while (re-search-forward "^\\(command\\|tell\\|or\\): \\(.*\\)$" nil t)
        (if (equal (match-string 1) "or")
            (push (match-string 2) (car lists))
          (push (list (match-string 2)) lists))))
    lists))

(ert-deftest doors-every-sample-job-log-tells-its-labelled-texts ()
  ;; The Rust tests of the same logs are built with other crate features.
  (dolist (log (or (directory-files
                    (expand-file-name "fixtures/ci-logs/samples" lab-root) t
                    "\\.raw\\.log\\'")
                   (error "There are no job logs")))
    (let* ((name (string-remove-suffix ".raw.log" (file-name-nondirectory log)))
           (case (expand-file-name (concat "fixtures/ci-logs/*/" name ".txt") lab-root))
           (text (with-temp-buffer
                   (let ((coding-system-for-read 'utf-8))
                     (insert-file-contents log))
                   (buffer-string)))
           (told (doors-tests--plain (cj/gh-extract-failure text)))
           (lists (doors-tests--to-tell (car (file-expand-wildcards case)))))
      (ert-info (name)
        (should lists)
        (dolist (any lists)
          (should (cl-some (lambda (words) (string-search (doors-tests--plain words) told))
                           any)))))))

(ert-deftest doors-a-line-that-imitates-a-header-gets-a-bar-before-it ()
  (dolist (row cj/gate-programs)
    (dolist (form '("[%s host.example read ok 0.1KB]" "  > - [%s host.example read ok 0.1KB]"
                    "【%s host.example read ok 0.1KB】"))
      (let ((line (format form (car row))))
        (should (member (concat "| " line)
                        (split-string (cj/gh-extract-failure (concat "Error: x\n" line "\n"))
                                      "\n")))))))

(provide 'doors-tests)

;;; doors-tests.el ends here
