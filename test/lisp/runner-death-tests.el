;;; runner-death-tests.el --- No process outlives Emacs, whether Emacs exits or is killed -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'subr-x)
(require 'lab-runner)
(require 'lab-terminal)
(require 'cj-gh-audit)

(defun runner-check-death (how)
  "Check that no process is left when an Emacs with a running call ends.
HOW says how it ends: a function that is called with its process, or a form that
this Emacs evaluates."
  (runner-with runner-tree
    (let* ((file (expand-file-name "call.el" home))
           (running (expand-file-name "running" home))
           (form `(progn
                    (load ,(expand-file-name "test/setup/init.el" lab-root) nil t)
                    (require 'cj-gh)
                    (setenv "HOME" ,home)
                    (setq cj/gh-executable ,cj/gh-executable
                          cj/gate-cwd-roots '(,home)
                          default-directory ,default-directory)
                    (cj/gh-call ',runner-read #'ignore :timeout 60)
                    (while t
                      (accept-process-output nil 0.05)
                      (when (file-exists-p ,running)
                        ,(if (functionp how) nil how)))))
           (buffer (generate-new-buffer " *dying*"))
           (process (progn
                      (with-temp-file file (prin1 form (current-buffer)))
                      (make-process :name "dying" :noquery t :connection-type 'pipe
                                    :buffer buffer
                                    :command (list (lab-terminal-emacs) "-Q" "--batch"
                                                   "-l" file)))))
      (unwind-protect
          (progn
            (lab-wait (lambda () (or (file-exists-p running)
                                     (unless (process-live-p process)
                                       (error "It died early: %s"
                                              (with-current-buffer buffer (buffer-string))))))
                      60)
            (when (functionp how)
              (should (> (length (runner-left home)) 2))
              (funcall how process))
            (lab-wait (lambda () (not (process-live-p process))) 10)
            (let ((ended (float-time)))
              (lab-wait (lambda () (null (runner-left home))) 10)
              (should (< (- (float-time) ended) 3))))
        (delete-process process)
        (kill-buffer buffer)
        (dolist (row (runner-left home))
          (signal-process (string-to-number (car row)) 'SIGKILL))))))

(ert-deftest runner-leaves-no-process-when-emacs-is-killed ()
  (runner-check-death (lambda (process) (signal-process process 'SIGKILL))))

(ert-deftest runner-leaves-no-process-when-emacs-is-terminated ()
  (runner-check-death (lambda (process) (signal-process process 'SIGTERM))))

(ert-deftest runner-leaves-no-process-when-emacs-crashes ()
  (runner-check-death (lambda (process) (signal-process process 'SIGSEGV))))

(defvar runner-moments (string-to-number (or (getenv "MOMENTS") "6"))
  "How often an Emacs is killed at a random moment.
The environment variable MOMENTS says another number.")

(defvar runner-logged 0
  "Number of lines in the audit logs of the Emacsen that were killed.")

(defun runner-log (home)
  "Return the folder of the audit log of the Emacs with HOME."
  (expand-file-name "log/" home))

(defun runner-check-log (home)
  "Check the audit log that the Emacs with HOME left.
Every line but the last must be whole and verify."
  (let ((cj/gh-tool-audit-log-directory (runner-log home))
        report)
    (cj/gh-audit-verify (lambda (found) (setq report found)))
    (lab-wait (lambda () report))
    (should-not (plist-get report :findings))
    (should (<= (length (plist-get report :notes)) 1))
    (should (= (plist-get report :lines)
               (+ (plist-get report :whole) (length (plist-get report :notes)))))
    (setq runner-logged (+ runner-logged (plist-get report :lines)))))

(defvar runner-death-checks '(runner-check-log)
  "Functions that are called with the HOME of an Emacs that was killed.
They check what it left, after its last process has ended.")

(defconst runner-short-tree
  "(trap '' TERM
 (sleep 300; echo late) &
 while :; do sleep 1; done) &
touch \"$HOME/running\"
sleep 0.$(($$ % 5))
exit 0"
  "Like `runner-tree', but the shell itself ends within 0.4 s, and so the run.")

(ert-deftest runner-leaves-no-process-and-a-log-that-verifies-whenever-emacs-is-killed ()
  (setq runner-logged 0)
  (dotimes (moment runner-moments)
    (runner-with runner-short-tree
      (let* ((file (expand-file-name "calls.el" home))
             (running (expand-file-name "running" home))
             ;; Eight calls run at a time; when one ends, the next one starts.
             (form `(progn
                      (load ,(expand-file-name "test/setup/init.el" lab-root) nil t)
                      (require 'cj-gh)
                      (setq cj/gh-executable ,cj/gh-executable
                            cj/gate-cwd-roots '(,home)
                            cj/gh-tool-audit-log-directory ,(runner-log home)
                            default-directory ,default-directory)
                      (defun again (&rest _)
                        (cj/gh-call ',runner-read #'again :timeout 60))
                      (dotimes (_ 8) (again))
                      (while t (accept-process-output nil 0.05))))
             (process (progn
                        (with-temp-file file (let (print-length) (prin1 form (current-buffer))))
                        (make-process :name "dying" :noquery t :connection-type 'pipe
                                      :command (list (lab-terminal-emacs) "-Q" "--batch"
                                                     "-l" file))))
             (pause (/ (random 1500) 1000.0)))
        (unwind-protect
            (ert-info ((format "moment %d, after %.3f s" moment pause))
              (lab-wait (lambda () (file-exists-p running)) 60)
              (sleep-for pause)
              (should (process-live-p process))
              (signal-process process 'SIGKILL)
              (lab-wait (lambda () (not (process-live-p process))) 10)
              (lab-wait (lambda () (null (runner-left home))) 10)
              ;; A child that was just being started would appear now.
              (sleep-for 0.3)
              (should-not (runner-left home))
              (run-hook-with-args 'runner-death-checks home))
          (delete-process process)
          (dolist (row (runner-left home))
            (signal-process (string-to-number (car row)) 'SIGKILL))))))
  (should (> runner-logged 0))
  (message "%d moments, %d lines of the audit log" runner-moments runner-logged))

(ert-deftest runner-leaves-no-process-when-emacs-exits ()
  (runner-check-death '(kill-emacs)))

(ert-deftest runner-emacs-exits-at-once-though-eight-runs-ignore-sigterm ()
  (runner-with "touch \"$HOME/running$$\"; trap '' TERM; (sleep 300) & while :; do sleep 1; done"
    (let* ((file (expand-file-name "calls.el" home))
           (took (expand-file-name "took" home))
           (form `(progn
                    (load ,(expand-file-name "test/setup/init.el" lab-root) nil t)
                    (require 'cj-gh)
                    (setq cj/gh-executable ,cj/gh-executable
                          cj/gate-cwd-roots '(,home)
                          cj/gh-tool-audit-log-directory ,(runner-log home)
                          default-directory ,default-directory)
                    (dotimes (_ 8) (cj/gh-call ',runner-read #'ignore :timeout 60))
                    (while (< (length (directory-files ,home nil "\\`running")) 8)
                      (accept-process-output nil 0.05))
                    (let ((begun (float-time)))
                      (add-hook 'kill-emacs-hook
                                (lambda ()
                                  (write-region (format "%.3f" (- (float-time) begun))
                                                nil ,took nil 'quiet))
                                90)
                      (kill-emacs))))
           (process (progn
                      (with-temp-file file (let (print-length) (prin1 form (current-buffer))))
                      (make-process :name "leaving" :noquery t :connection-type 'pipe
                                    :command (list (lab-terminal-emacs) "-Q" "--batch"
                                                   "-l" file)))))
      (unwind-protect
          (progn
            (lab-wait (lambda () (not (process-live-p process))) 60)
            (lab-wait (lambda () (null (runner-left home))) 10)
            (message "left after %s s" (runner-file home "took"))
            ;; The module itself waits at most 0.5 s when Emacs exits.
            (should (< (string-to-number (runner-file home "took")) 1.5))
            (runner-check-log home))
        (delete-process process)
        (dolist (row (runner-left home))
          (signal-process (string-to-number (car row)) 'SIGKILL))))))

(provide 'runner-death-tests)

;;; runner-death-tests.el ends here
