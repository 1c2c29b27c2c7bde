;;; runs-tests.el --- Progress, the table of runs, and the emergency stop -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A shell script stands in for gh.  The gate, the runner and the terminal in
;; which keys are typed are real.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-terminal)
(require 'cj-gh)
(require 'cj-gate-record)
(require 'cj-gate-runs)
(require 'cj-gate-stop)

(declare-function cj/gate--mod-stopped "ext:cj-gate-module")

(defmacro runs-with (script &rest body)
  "Run BODY with `lab' bound to a lab and the shell script SCRIPT as gh."
  (declare (indent 1))
  `(lab-with (lab)
     (let ((cj/gh-executable (lab-script lab ,script))
           (inhibit-message t))
       (cj/gate-load-module)
       ,@body)))

(defconst runs-read '("pr" "view" "1" "-R" "octo/demo")
  "The argv of a read, which runs unasked.")

(defun runs-processes (lab)
  "Return the pids of the processes with LAB's home as their HOME."
  (cl-remove-if-not
   (lambda (pid)
     (with-temp-buffer
       (set-buffer-multibyte nil)
       (ignore-errors
         (insert-file-contents-literally (format "/proc/%s/environ" pid)))
       (goto-char (point-min))
       (search-forward (concat "HOME=" (lab-home lab)) nil t)))
   (mapcar #'string-to-number (directory-files "/proc" nil "\\`[0-9]+\\'"))))

(defun runs-wait-a-moment (seconds)
  "Let timers and processes run for SECONDS."
  (let ((until (time-add nil seconds)))
    (while (time-less-p nil until)
      (accept-process-output nil 0.02))))

;;;; Progress

(ert-deftest runs-progress-tells-bytes-time-and-last-line-until-the-end ()
  (runs-with "echo first; echo second; sleep 1.5; echo third; printf 'half a line that is long enough'; sleep 1.5"
    (let (told result late)
      (cj/gh-call runs-read (lambda (text) (setq result text))
                  :progress (lambda (progress)
                              (if result (setq late t))
                              (push (cons (float-time) progress) told)))
      (should-not told)
      (lab-wait (lambda () result) 60)
      (runs-wait-a-moment 0.6)
      (should-not late)
      (setq told (nreverse told))
      (should (<= 4 (length told) 60))
      (dolist (row told)
        (should (integerp (plist-get (cdr row) :call)))
        (should (memq (plist-get (cdr row) :state) '(queued running))))
      ;; At most four times a second.
      (cl-loop for (a b) on told while b
               do (should (> (- (car b) (car a)) 0.2)))
      (let ((lines (delete-dups (mapcar (lambda (row) (plist-get (cdr row) :last-line)) told)))
            (bytes (mapcar (lambda (row) (plist-get (cdr row) :bytes)) told))
            (last (cdar (last told))))
        (should (member "second" lines))
        (should (equal (car (last lines)) "half a line"))
        (should (apply #'<= bytes))
        (should (> (plist-get last :bytes) 40))
        (should (< 1500 (plist-get last :elapsed-ms) 20000))))))

(ert-deftest runs-progress-masks-a-secret-that-comes-in-pieces ()
  (let ((token (concat "ghp_" "x7Qm2LpV9sKd4RtY8wZb3NcF6hJg1TuE5aSo")))
    (runs-with (format "echo begun
for piece in %s; do printf '%%s' \"$piece\"; sleep 0.4; done; echo; sleep 0.5"
                       (mapconcat #'identity
                                  (cl-loop for i from 0 below 40 by 8
                                           collect (substring token i (min 40 (+ i 8))))
                                  " "))
      (let (lines result)
        (cj/gh-call runs-read (lambda (text) (setq result text))
                    :progress (lambda (progress)
                                (push (plist-get progress :last-line) lines)))
        (lab-wait (lambda () result) 60)
        (should (member "begun" lines))
        (should (member "[REDACTED:github-token]" lines))
        (dolist (line lines)
          (should-not (string-match-p "ghp_\\|x7Qm\\|9sKd\\|wZb3\\|hJg1\\|5aSo" line)))))))

(ert-deftest runs-progress-function-that-fails-leaves-its-call-running ()
  (runs-with "sleep 1; echo done"
    (let ((failed 0) (told 0) (results nil))
      (cj/gh-call runs-read (lambda (text) (push text results))
                  :progress (lambda (_) (cl-incf failed) (error "No")))
      (cj/gh-call runs-read (lambda (text) (push text results))
                  :progress (lambda (_) (cl-incf failed) (throw 'nowhere nil)))
      (cj/gate-run (cj/gate-plan "gh" runs-read)
                   (lambda (outcome) (push (plist-get outcome :text) results))
                   :progress (lambda (_) (cl-incf told)))
      (lab-wait (lambda () (= (length results) 3)) 60)
      (should (equal failed 2))
      (should (> told 1))
      (dolist (text results)
        (should (string-match-p "^done$" text))))))

(ert-deftest runs-timers-stop-when-nobody-listens-and-nothing-runs ()
  (runs-with "sleep 1.5"
    (let (result)
      (cj/gh-call runs-read (lambda (text) (setq result text)))
      (should-not cj/gate-progress--listeners)
      (should-not cj/gate-progress--timer)
      (lab-wait (lambda () (string-match-p "\\` \\[gate: 1 running [0-9]+s\\]\\'"
                                           (cj/gate-progress--mode-line)))
                60)
      (should-not cj/gate-progress--timer)
      (lab-wait (lambda () result) 60)
      (runs-wait-a-moment 1.5)
      (should-not cj/gate-progress--look-timer)
      (should (equal (cj/gate-progress--mode-line) "")))))

;;;; The table

(defun runs-rows ()
  "Return the rows of the table of runs, lists of state and command, in order."
  (with-current-buffer cj/gate-runs-buffer-name
    (mapcar (lambda (row) (list (aref (cadr row) 1) (aref (cadr row) 2)))
            tabulated-list-entries)))

(ert-deftest runs-table-shows-running-and-queued-calls-and-a-key-cancels-one ()
  (runs-with "echo \"going $3\"; sleep 300"
    (let ((answers (make-vector 10 nil)) number)
      (save-window-excursion
        (unwind-protect
            (progn
              (dotimes (i 10)
                (cj/gh-call (list "pr" "view" (number-to-string (1+ i)) "-R" "octo/demo")
                            (lambda (text) (push text (aref answers i)))))
              (cj/gate-runs)
              (should (eq major-mode 'cj/gate-runs-mode))
              (lab-wait (lambda ()
                          (cj/gate-runs--refresh)
                          (equal (sort (mapcar #'car (runs-rows)) #'string<)
                                 '("queued" "queued" "running" "running" "running" "running"
                                   "running" "running" "running" "running")))
                        60)
              (should (equal (delete-dups (mapcar #'cadr (runs-rows))) '("gh pr view")))
              ;; The key cancels the call at point and no other.
              (lab-wait (lambda ()
                          (cj/gate-runs--refresh)
                          (goto-char (point-min))
                          (and (re-search-forward
                                "github.com/octo/demo .*going \\([0-9]+\\)$" nil t)
                               (setq number (match-string 1))))
                        60)
              (cj/gate-runs-details)
              (with-current-buffer cj/gate-runs-details-buffer-name
                (should (string-match-p (format "^Argv: (\"pr\" \"view\" \"%s\"" number)
                                        (buffer-string)))
                (should (string-match-p (format "^Last line: going %s$" number)
                                        (buffer-string))))
              (call-interactively (key-binding (kbd "k")))
              (setq number (1- (string-to-number number)))
              (lab-wait (lambda () (aref answers number)) 60)
              (should (string-match-p " error cancelled " (car (aref answers number))))
              (should (equal (cl-count nil answers) 9)))
          (dolist (job (copy-sequence cj/gate--jobs))
            (cj/gate--cancel-job job "The test is over."))
          (lab-wait (lambda () (not (cl-find nil answers))) 60)))
      (runs-wait-a-moment 0.3)
      (should (equal (mapcar #'length answers) (make-list 10 1)))
      (with-current-buffer cj/gate-runs-buffer-name (cj/gate-runs--refresh))
      (should (equal (runs-rows) nil))
      (should (equal (runs-processes lab) nil))
      (kill-buffer cj/gate-runs-buffer-name))))

;;;; The stop

;; The name sorts last in this file, so this test runs last: no Lisp can undo
;; its stop for a test after it.

(ert-deftest runs-zz-stop-answers-every-call-once-and-holds-against-lisp ()
  (runs-with "(trap '' TERM; sleep 300) & sleep 300"
    (let* ((kinds nil) (revoked 0) (calls 12)
           (cj/gate--stop-functions (list (lambda () (error "Fails"))
                                          (lambda () (cl-incf revoked)))))
      (let ((plan (cj/gate-plan "gh" runs-read)))
        (dotimes (_ calls)
          (cj/gh-call runs-read
                      (lambda (text) (push (nth 2 (lab-header text)) kinds))))
        (lab-wait (lambda () (>= (length (runs-processes lab)) 16)) 60)
        (let ((before (length (cj/gate-record-list))))
          ;; A call for which git is being asked when the stop comes.
          (cj/gh-call runs-read (lambda (text) (push (nth 2 (lab-header text)) kinds)))
          ;; The stop works even after Lisp of another version was loaded.
          (let ((cj/gate-version "0.0.0"))
            (should-error (cj/gate-load-module) :type 'cj/gate-module)
            (should (equal (cj/gate-stop) (1+ calls))))
          (lab-wait (lambda () (= (length kinds) (1+ calls))) 60)
          (runs-wait-a-moment 0.5)
          (should (equal (delete-dups (copy-sequence kinds)) '("error cancelled")))
          (should (equal (length kinds) (1+ calls)))
          (should (equal (length (cj/gate-record-list)) (+ before 1 calls))))
        (should (equal (runs-processes lab) nil))
        (should (equal revoked 1))
        (should (string-match-p "STOPPED" (cj/gate-progress--mode-line)))
        ;; A call after the stop is refused, and recorded.
        (let (text)
          (cj/gh-call runs-read (lambda (answer) (setq text answer)))
          (should (equal (nth 2 (lab-header text)) "blocked policy-blocked"))
          (should (string-match-p "M-x cj/gate-resume" text))
          (should (eq (plist-get (car (cj/gate-record-list 1)) :error-kind) 'policy-blocked)))
        (should-error (cj/gate-run plan #'ignore) :type 'cj/gate-denied)
        (should-error (cj/gate-git-facts default-directory #'ignore)
                      :type 'cj/gate-policy-blocked)
        ;; Lisp without a person's key cannot end the stop.
        (dolist (try (list #'cj/gate-resume
                           (lambda () (call-interactively #'cj/gate-resume))
                           (lambda () (let ((this-command 'cj/gate-resume)
                                            (noninteractive nil))
                                        (cj/gate-resume)))
                           (lambda () (execute-kbd-macro (kbd "M-x cj/gate-resume RET")))))
          (should-error (funcall try) :type 'cj/gate-denied))
        (should (cj/gate--mod-stopped))))))

(ert-deftest runs-stop-and-resume-work-by-typed-keys ()
  (lab-terminal-with
      (terminal lab nil :width 140
                :init `((setq cj/gh-executable
                              ,(lab-script lab "case $3 in 99) echo fine; exit;; esac; sleep 300"))
                        (defvar runs-count 0)
                        (defun runs-go (argv)
                          (let ((n (setq runs-count (1+ runs-count))))
                            (cj/gh-call argv (lambda (text)
                                               (message "answer %d: %s" n
                                                        (replace-regexp-in-string
                                                         "\n" " " text))))))
                        (defun runs-merge ()
                          (interactive)
                          (runs-go '("pr" "merge" "1" "-R" "octo/demo")))
                        (defun runs-all ()
                          (interactive)
                          (dotimes (_ 10)
                            (runs-go '("pr" "view" "1" "-R" "octo/demo"))))
                        (defun runs-one ()
                          (interactive)
                          (runs-go '("pr" "view" "99" "-R" "octo/demo")))
                        (defun runs-lisp ()
                          (interactive)
                          (run-at-time 0.3 nil
                                       (lambda ()
                                         (let ((this-command 'cj/gate-resume))
                                           (condition-case err
                                               (progn (cj/gate-resume) (message "Lisp resumed"))
                                             (error (message "Lisp: %s" (car err))))))))
                        (global-set-key (kbd "<f4>") #'runs-merge)
                        (global-set-key (kbd "<f5>") #'runs-all)
                        (global-set-key (kbd "<f6>") #'runs-one)
                        (global-set-key (kbd "<f7>") #'runs-lisp)))
    (lab-terminal-keys terminal "F4")
    (lab-terminal-wait-screen terminal "\\[gate: 1 waiting\\]" 60)
    (lab-terminal-keys terminal "F5")
    (lab-terminal-wait-screen terminal "\\[gate: 8 running, 2 queued [0-9]+s\\]" 60)
    (lab-terminal-keys terminal "M-x")
    (lab-terminal-type terminal "cj/gate-stop")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-screen terminal "\\[gate: STOPPED\\]" 60)
    (dotimes (i 11)
      (lab-terminal-wait-told terminal :messages
                              (format "^answer %d: \\[gh .* \\(?:error cancelled\\|declined\\) "
                                      (1+ i))
                              60))
    (let ((said (lab-terminal-told terminal :messages)))
      (dotimes (i 11)
        (should (equal (cl-count-if (lambda (line)
                                      (string-prefix-p (format "answer %d:" (1+ i)) line))
                                    (split-string said "\n"))
                       1)))
      (should (string-match-p "^answer 1: .*Declined: A person stopped the gate" said)))
    (lab-terminal-wait terminal
                       (lambda ()
                         (not (cl-find "sleep" (runs-processes lab)
                                       :key (lambda (pid)
                                              (alist-get 'comm (process-attributes pid)))
                                       :test #'equal))))
    (should-not (string-match-p "waiting\\]\\|running" (lab-terminal-screen terminal)))
    (lab-terminal-keys terminal "F6")
    (lab-terminal-wait-told terminal :messages
                            "^answer 12: \\[gh .* blocked policy-blocked .*cj/gate-resume")
    (lab-terminal-keys terminal "F7")
    (lab-terminal-wait-told terminal :messages "^Lisp: cj/gate-denied")
    (should (string-match-p "\\[gate: STOPPED\\]" (lab-terminal-screen terminal)))
    (lab-terminal-keys terminal "M-x")
    (lab-terminal-type terminal "cj/gate-resume")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "^The gate is open again")
    (lab-terminal-keys terminal "F6")
    (lab-terminal-wait-told terminal :messages "^answer 13: \\[gh .* ok .*fine")
    (should-not (string-match-p "STOPPED" (lab-terminal-screen terminal)))
    (should-not (string-match-p "Lisp resumed" (lab-terminal-told terminal :messages)))))

(provide 'runs-tests)

;;; runs-tests.el ends here
