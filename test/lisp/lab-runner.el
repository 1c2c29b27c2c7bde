;;; lab-runner.el --- Stand-ins for gh that misbehave -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A shell script stands in for gh.  Emacs calls it through the gate, and a
;; timer of 10 ms measures how long Emacs was blocked.
;;
;; Each test has a HOME of its own, by which its processes are found.  Times
;; have bounds of an order of magnitude, since other work may share the machine.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gate-job)           ; loaded now, so that no call is timed with it
(require 'cj-gate-record)

(defconst runner-at-once 0.3
  "Seconds in which `cj/gh-call' must return; it takes a few milliseconds.")

(defconst runner-gap 1.0
  "Seconds that a timer of 10 ms may be late.")

(defconst runner-version "case \"$1\" in --version) echo 'gh version 2.92.0 (2026-04-28)'; exit 0;; esac\n"
  "The first line of a script that answers `gh --version' as gh does.")

(defun runner-script (home body &optional mute)
  "Write a stand-in for gh that runs the shell script BODY to HOME.
Return its file.  It answers `gh --version' as gh does; with MUTE non-nil it
runs BODY for --version too."
  (let ((file (expand-file-name "gh" home)))
    (with-temp-file file
      (insert "#!/bin/sh\n" (if mute "" runner-version) body "\n"))
    (set-file-modes file #o755)
    file))

(defun runner-home ()
  "Make an empty HOME for one test; return its directory."
  (let ((base (expand-file-name "lab" lab-target)))
    (make-directory base t)
    (file-truename (make-temp-file (expand-file-name "r" base) t))))

(defmacro runner-with (body &rest forms)
  "Run FORMS with the shell script BODY in place of gh.
The variable `home' is bound to its HOME.  BODY is a string; (mute STRING) is a
script that runs for --version too."
  (declare (indent 1))
  `(let* ((home (runner-home))
          (process-environment (cons (concat "HOME=" home) process-environment))
          (cj/gh-executable ,(if (eq (car-safe body) 'mute)
                                 `(runner-script home ,(cadr body) t)
                               `(runner-script home ,body)))
          (cj/gh-known-hosts '("github.com" "ghe.example.com"))
          (cj/gate-cwd-roots (list home))
          (default-directory (file-name-as-directory home)))
     (unwind-protect (progn (cj/gate-load-module) ,@forms)
       (lab-remove home))))

(defun runner-left (home)
  "Return the processes that have HOME in their environment or arguments."
  (cl-loop for pid in (directory-files "/proc" nil "\\`[0-9]+\\'")
           for row = (mapcar (lambda (name)
                               (with-temp-buffer
                                 (set-buffer-multibyte nil)
                                 (ignore-errors
                                   (insert-file-contents-literally
                                    (format "/proc/%s/%s" pid name)))
                                 (subst-char-in-string 0 ?\s (buffer-string))))
                             '("cmdline" "environ"))
           when (cl-some (lambda (text) (string-match-p (regexp-quote home) text)) row)
           unless (equal pid (number-to-string (emacs-pid)))
           collect (cons pid (car row))))

(defun runner-file (home name)
  "Return the text of the file NAME in HOME, or nil."
  (let ((file (expand-file-name name home)))
    (when (file-exists-p file)
      (with-temp-buffer
        (insert-file-contents-literally file)
        (buffer-string)))))

(cl-defstruct runner-end
  "The result of a call."
  text      ; the text that the callback got
  record    ; the gate's record of the call
  times     ; how often the callback was called
  start     ; seconds until `cj/gh-call' returned
  took      ; seconds until the callback was called
  gap       ; longest time in seconds between two runs of a timer of 10 ms
  left)     ; processes with the test's HOME when the callback was called

(defun runner-call (home argv &rest keys)
  "Call gh with ARGV and KEYS, and wait for its end; return a `runner-end'.
Check that the callback was called once, that no process was left then, and that
Emacs was never blocked.  HOME is the HOME of the test."
  (let* ((end (make-runner-end :times 0 :gap 0))
         (last (float-time))
         (timer (run-at-time 0 0.01
                             (lambda ()
                               (let ((now (float-time)))
                                 (setf (runner-end-gap end)
                                       (max (runner-end-gap end) (- now last)))
                                 (setq last now)))))
         (begun (float-time)))
    (unwind-protect
        (progn
          (apply #'cj/gh-call argv
                 (lambda (text)
                   (cl-incf (runner-end-times end))
                   (setf (runner-end-text end) text
                         (runner-end-took end) (- (float-time) begun)
                         (runner-end-left end) (runner-left home)))
                 keys)
          (setf (runner-end-start end) (- (float-time) begun))
          (lab-wait (lambda () (runner-end-text end)) 60)
          ;; A second answer would come now.
          (let ((until (time-add nil 0.2)))
            (while (time-less-p nil until)
              (accept-process-output nil 0.01))))
      (cancel-timer timer))
    (setf (runner-end-record end) (car (cj/gate-record-list 1)))
    (should (equal (runner-end-times end) 1))
    (should (equal (runner-end-left end) nil))
    (should (< (runner-end-start end) runner-at-once))
    (should (< (runner-end-gap end) runner-gap))
    end))

(defconst runner-read '("pr" "view" "1" "-R" "octo/demo")
  "The argv of a read, which runs unasked.")

(defun runner-kind (end)
  "Return the error kind that the record of END has."
  (plist-get (runner-end-record end) :error-kind))

(defconst runner-tree
  "echo begun
(trap '' TERM
 (sleep 300; echo late) &
 while :; do sleep 1; done) &
touch \"$HOME/running\"
wait"
  "A shell script with a child that ignores SIGTERM, which has a child too.
All three keep the pipe of the output open.")

(defun runner-check-capped (end)
  "Check that END is the end of a call whose output was cut at 64 KiB."
  (let ((record (runner-end-record end)))
    (should (eq (runner-kind end) 'truncated))
    (should (plist-get record :truncated))
    (should (equal (plist-get record :bytes-captured) 65536))
    (should (string-match-p "\\`\\[gh [^]]+ cut\\]\n" (runner-end-text end)))
    (should (< (runner-end-took end) 10))))

(defun runner-outcome (argv &rest keys)
  "Plan and run gh with ARGV and KEYS; return its outcome, a plist."
  (let (outcome)
    (cj/gate-run (apply #'cj/gate-plan "gh" argv keys) (lambda (it) (setq outcome it)))
    (lab-wait (lambda () outcome) 60)
    outcome))

(provide 'lab-runner)

;;; lab-runner.el ends here
