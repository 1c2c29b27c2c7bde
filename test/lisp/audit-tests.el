;;; audit-tests.el --- The audit log, its table, its check, and the purge -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-audit)
(require 'cj-gh-doctor)
(require 'cj-gate-purge)
(require 'cj-gate-record)

(declare-function cj/gate--mod-audit-flush "ext:cj-gate-module")
(declare-function cj/gate--mod-audit-state "ext:cj-gate-module")

(defmacro audit-tests--with-log (variable &rest body)
  "Run BODY with VARIABLE bound to a folder for the audit log, not made yet."
  (declare (indent 1))
  `(let* ((,variable (file-name-as-directory
                      (expand-file-name
                       "log" (make-temp-file (expand-file-name "a" lab-target) t))))
          (cj/gh-tool-audit-log-directory ,variable))
     (unwind-protect (progn ,@body)
       (when (featurep 'cj-gate-module)
         (cj/gate--mod-audit-flush 5000))
       (lab-remove (file-name-directory (directory-file-name ,variable))))))

(defun audit-tests--call (argv &rest keys)
  "Return the answer to a call with ARGV and KEYS."
  (let ((answer nil))
    (apply #'cj/gh-call argv (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer) 60)))

(defun audit-tests--lines (log)
  "Return the lines of the one log file in the folder LOG; nil if it has none."
  (when (featurep 'cj-gate-module)
    (should (cj/gate--mod-audit-flush 10000)))
  (let ((files (and (file-directory-p log) (directory-files log t "\\.log\\'"))))
    (when files
      (should (= 1 (length files)))
      (with-temp-buffer
        (set-buffer-multibyte nil)
        (insert-file-contents-literally (car files))
        (split-string (buffer-string) "\n" t)))))

(defun audit-tests--file (log)
  "Return the one log file in the folder LOG."
  (car (directory-files log t "\\.log\\'")))

(defun audit-tests--verify (log)
  "Return the report of the check of the folder LOG, a plist."
  (let ((cj/gh-tool-audit-log-directory log)
        (report nil))
    (cj/gh-audit-verify (lambda (found) (setq report found)))
    (lab-wait (lambda () report) 60)))

(defun audit-tests--value (line key)
  "Return the value of KEY in LINE, still percent-encoded."
  (and (string-match (format " %s=\\([^ ]*\\)" (regexp-quote key)) line)
       (match-string 1 line)))

;;;; What is written

(ert-deftest audit-each-call-leaves-one-line-in-the-log-format ()
  (lab-with (_)
    (audit-tests--with-log log
      (audit-tests--call '("pr" "view" "1" "--json" "number") :repo "ghe.example.com/o/r")
      (audit-tests--call '("pr" "merge" "1" "-R" "o/r"))
      (audit-tests--call '("repo" "delete" "o/r" "--yes"))
      (audit-tests--call '("pr" "view" "9500" "-R" "o/r"))
      (audit-tests--call nil)
      (let ((lines (audit-tests--lines log)))
        (should (= 5 (length lines)))
        (dolist (line lines)
          (ert-info (line)
            (should (string-match-p
                     (concat "\\`20[0-9-]\\{8\\}T[0-9:]\\{8\\}[-+][0-9]\\{4\\} host=[^ ]+ repo=[^ ]+"
                             " class=[a-z]+ policy=[a-z]+ exit=[-0-9]+ duration=[0-9]+ms bytes=[0-9]+"
                             "\\(?: [-a-z0-9]+=[^ ]*\\)* w=[0-9a-f]+ n=[0-9]+ h=[0-9a-f]+\\'")
                     line))))
        (pcase-dolist
            (`(,nth . ,values)
             '((0 ("host" . "ghe.example.com") ("repo" . "o/r") ("class" . "read")
                  ("policy" . "auto") ("exit" . "0") ("bytes" . "13") ("error" . "-")
                  ("approved-by" . "rule") ("command" . "pr%20view") ("dropped" . "0")
                  ("argv" . "pr,view,1,--json,number,--repo,ghe.example.com/o/r") ("n" . "1"))
               (1 ("class" . "write") ("policy" . "confirm") ("exit" . "-")
                  ("error" . "declined") ("approved-by" . "-"))
               (2 ("class" . "destructive") ("policy" . "block")
                  ("error" . "irreversible-blocked") ("approved-by" . "-"))
               (3 ("exit" . "1") ("error" . "not-found") ("approved-by" . "rule"))
               (4 ("host" . "-") ("error" . "bad-argument") ("argv" . "-") ("n" . "5"))))
          (pcase-dolist (`(,key . ,value) values)
            (ert-info ((format "%d %s" nth key))
              (should (equal (audit-tests--value (nth nth lines) key) value)))))
        (should (= (file-modes log) #o700))
        (should (= (file-modes (audit-tests--file log)) #o600))
        (should (string-match-p "/[0-9]\\{4\\}-[0-9]\\{2\\}-[0-9]\\{2\\}\\.log\\'"
                                (audit-tests--file log))))
      (let ((report (audit-tests--verify log)))
        (should-not (plist-get report :findings))
        (should (= 5 (plist-get report :whole)))))))

(ert-deftest audit-the-log-lies-under-the-user-s-emacs-directory-and-can-be-turned-off ()
  (lab-with (lab)
    (let* ((user-emacs-directory (file-name-as-directory (lab-file lab "emacs.d")))
           (log (expand-file-name "data/gh-tool-log/" user-emacs-directory)))
      (let ((cj/gh-tool-audit-log-enabled nil))
        (audit-tests--call '("auth" "token"))
        (cj/gate--mod-audit-flush 5000)
        (should-not (file-exists-p log)))
      (audit-tests--call '("auth" "token"))
      (should (= 1 (length (audit-tests--lines log))))
      ;; Buffer-local values, and so those of a file, change nothing.
      (with-temp-buffer
        (setq default-directory (file-name-as-directory (lab-home lab)))
        (setq-local cj/gh-tool-audit-log-enabled nil
                    cj/gh-tool-audit-log-directory "/nonexistent/")
        (audit-tests--call '("auth" "token")))
      (should (= 2 (length (audit-tests--lines log)))))))

(ert-deftest audit-secrets-are-masked-in-the-log ()
  (lab-with (lab)
    (audit-tests--with-log log
      (let* ((secret (concat "ghp_" "Wq3Er5Ty7Ui9Op1As2Df4Gh6Jk8Lz0XcVbNm"))
             (held (cdr (assoc "github" lab-tokens)))
             (cj/gh-executable
              (lab-script lab (format "echo 'out %s'; echo 'err %s' >&2" secret secret)))
             (calls `((("pr" "list" "-R" "o/r"))
                      (("pr" "comment" "1" "-R" "o/r" "--body" ,(concat "my token is " secret)))
                      (("pr" "list" "-R" "o/r" "--search" ,held))
                      (("pr" "view" "1" "-R" ,(concat secret "/r")))
                      (("api" "user" "-H" ,(concat "Authorization: token " secret)))
                      ((,secret))
                      (("pr" ,secret "x"))
                      (("pr" "list") :repo ,(concat secret "/x"))
                      (("pr" "list") :hostname ,secret)
                      (("pr" "list" "-R" "o/r" ,(concat secret "\0"))))))
        (dolist (call calls)
          (apply #'audit-tests--call call))
        (let ((text (string-join (audit-tests--lines log) "\n")))
          (should (= (length calls) (length (split-string text "\n"))))
          (dolist (piece (list (substring secret 4 16) (substring secret 20 32)
                               (substring held 4 20)))
            (should-not (string-search piece text))))))))

(ert-deftest audit-a-line-that-cannot-be-written-is-warned-about-and-shown-by-the-doctor ()
  (lab-with (_)
    (audit-tests--with-log log
      (make-directory log t)
      (set-file-modes log #o777)
      (let ((warnings nil)
            (cj/gh-doctor--checks (list (assoc "Audit log" cj/gh-doctor--checks)))
            (said (lambda ()
                    (with-current-buffer (cj/gh-doctor) (buffer-string)))))
        (cl-letf (((symbol-function 'display-warning)
                   (lambda (_type message &rest _) (push message warnings))))
          ;; The read is answered though its line cannot be written.
          (should (equal (nth 2 (lab-header (audit-tests--call
                                             '("pr" "view" "1" "-R" "o/r" "--json" "number"))))
                         "ok"))
          (audit-tests--call '("pr" "view" "1" "-R" "o/r" "--json" "number"))
          (should (= 1 (length warnings)))
          (should (string-match-p "others may write" (car warnings)))
          (should (string-match-p "^FAIL +Audit log +others may write into .*; 2 lines wait"
                                  (funcall said)))
          (set-file-modes log #o700)
          (audit-tests--call '("auth" "token"))
          (should (= 3 (length (audit-tests--lines log))))
          (should (string-match-p "^PASS +Audit log " (funcall said)))
          (should (= 1 (length warnings))))))))

(ert-deftest audit-a-log-folder-that-is-a-symbolic-link-is-refused-and-the-doctor-says-so ()
  (lab-with (_)
    (audit-tests--with-log log
      (let* ((behind (expand-file-name "../behind" log))
             (link (directory-file-name log))
             (warnings nil)
             (cj/gh-doctor--checks (list (assoc "Audit log" cj/gh-doctor--checks)))
             (said (lambda ()
                     (with-current-buffer (cj/gh-doctor) (buffer-string)))))
        (make-directory behind)
        (make-symbolic-link behind link)
        (cl-letf (((symbol-function 'display-warning)
                   (lambda (_type message &rest _) (push message warnings))))
          (should (string-match-p "^FAIL +Audit log +.* is a symbolic link, .*`cj/gh-tool-audit-log-directory'"
                                  (funcall said)))
          ;; After a read the trouble with its line is known.
          (audit-tests--call '("pr" "view" "1" "-R" "o/r" "--json" "number"))
          (should (string-match-p "is a symbolic link" (car warnings)))
          (should-not (directory-files behind nil "log"))
          ;; With a real folder in place of the link the lines are written.
          (delete-file link)
          (make-directory link)
          (audit-tests--call '("auth" "token"))
          (should (= 2 (length (audit-tests--lines log))))
          (should (string-match-p "^PASS +Audit log " (funcall said))))))))

(ert-deftest audit-an-emacs-directory-that-is-a-symbolic-link-can-hold-the-log ()
  (lab-with (lab)
    (let* ((home (lab-home lab))
           (real (expand-file-name "dotfiles/emacs/" home))
           (user-emacs-directory (expand-file-name ".emacs.d/" home))
           (cj/gh-tool-audit-log-directory nil))
      (make-directory real t)
      (make-symbolic-link "dotfiles/emacs" (directory-file-name user-emacs-directory))
      (audit-tests--call '("auth" "token"))
      (should (= 1 (length (audit-tests--lines
                            (expand-file-name "data/gh-tool-log/" real)))))
      (should-not (plist-get (cj/gate--mod-audit-state) :trouble)))))

;;;; Several Emacsen

(defun audit-tests--emacs (log count shell)
  "Start an Emacs that logs COUNT refused calls in the folder LOG.
SHELL is a shell command that runs the Emacs as \"$@\", perhaps under a limit.
Return the process."
  (let* ((form (make-temp-file "cj-gate-form" nil nil
                               (format ";; -*- lexical-binding: t -*-\n%S\n"
                                       `(progn
                                          (require 'cj-gh)
                                          (setq cj/gh-tool-audit-log-directory ,log)
                                          (let ((answers 0))
                                            (dotimes (nth ,count)
                                              (cj/gate-reject
                                               "gh" (list "pr" "view" (number-to-string nth))
                                               '(cj/gate-bad-argument "A test." :kind bad-argument)
                                               (lambda (text)
                                                 (when (string-match-p "\\`\\[gh .* error bad-argument" text)
                                                   (setq answers (1+ answers))))))
                                            (cj/gate--mod-audit-flush 10000)
                                            (princ (format "answers %d; %S" answers
                                                           (cj/gate--mod-audit-state))))))))
         (buffer (generate-new-buffer " *audit*"))
         (process (make-process
                   :name "audit" :buffer buffer :noquery t :connection-type 'pipe
                   :command (list "sh" "-c" shell "sh"
                                  (expand-file-name invocation-name invocation-directory)
                                  "-Q" "--batch"
                                  "-l" (expand-file-name "test/setup/init.el" lab-root)
                                  "-l" form))))
    (process-put process 'form form)
    process))

(defun audit-tests--said (process)
  "Wait for PROCESS to end; return its output.  Its exit code must be 0."
  (lab-wait (lambda () (not (process-live-p process))) 120)
  (accept-process-output process 0.05)
  (delete-file (process-get process 'form))
  (let ((said (with-current-buffer (process-buffer process) (buffer-string))))
    (kill-buffer (process-buffer process))
    (ert-info (said)
      (should (eq (process-status process) 'exit))
      (should (= 0 (process-exit-status process))))
    said))

(defvar audit-tests--count (string-to-number (or (getenv "AUDIT_LINES") "2000"))
  "Lines that each of two Emacsen writes.
The environment variable AUDIT_LINES says another number.")

(ert-deftest audit-two-emacsen-at-once-write-every-line-whole ()
  (audit-tests--with-log log
    (let* ((count audit-tests--count)
           (two (list (audit-tests--emacs log count "exec \"$@\"")
                      (audit-tests--emacs log count "exec \"$@\""))))
      (dolist (process two)
        (should (string-match-p (format "\\`answers %d; (:written %d " count count)
                                (audit-tests--said process))))
      (let ((report (audit-tests--verify log)))
        (should-not (plist-get report :findings))
        (should-not (plist-get report :notes))
        (should (equal (mapcar (lambda (key) (plist-get report key)) '(:lines :whole :writers))
                       (list (* 2 count) (* 2 count) 2)))))))

(ert-deftest audit-an-emacs-killed-while-writing-leaves-a-log-that-verifies ()
  (audit-tests--with-log log
    (dotimes (nth 8)
      (let ((process (audit-tests--emacs log 1000000 "exec \"$@\""))
            (before (if (file-exists-p log) (length (audit-tests--lines log)) 0)))
        (lab-wait (lambda () (and (file-exists-p log)
                                  (> (length (audit-tests--lines log)) (+ before 10))))
                  60)
        (sleep-for (* 0.001 (random 40)))
        (signal-process process 'KILL)
        (lab-wait (lambda () (not (process-live-p process))))
        (kill-buffer (process-buffer process))
        (delete-file (process-get process 'form))
        (let ((report (audit-tests--verify log)))
          (should-not (plist-get report :findings))
          (should (= (1+ nth) (plist-get report :writers)))
          (should (= (plist-get report :lines)
                     (+ (plist-get report :whole) (length (plist-get report :notes))))))))))

(defun audit-tests--check-full (log said calls)
  "Check the output SAID of an Emacs that made CALLS calls on a full disk.
Check the folder LOG too, unless it is nil."
  (should (string-match "answers \\([0-9]+\\); (:written \\([0-9]+\\) :waiting \\([0-9]+\\) :lost 0"
                        said))
  (let ((number (lambda (nth) (string-to-number (match-string nth said)))))
    (should (= calls (funcall number 1)))
    (should (= calls (+ (funcall number 2) (funcall number 3))))
    (should (> (funcall number 2) 5))
    (should (> (funcall number 3) 5))
    (should (string-match-p "audit log cannot be written" said))
    (when log
      (let ((report (audit-tests--verify log)))
        (should-not (plist-get report :findings))
        (should (= (funcall number 2) (plist-get report :whole)))))))

(ert-deftest audit-every-call-is-answered-under-a-file-size-limit ()
  (audit-tests--with-log log
    (audit-tests--check-full
     log (audit-tests--said (audit-tests--emacs log 200 "ulimit -f 16; exec \"$@\"")) 200)))

(ert-deftest audit-every-call-is-answered-on-a-full-disk ()
  (skip-unless (and (zerop (user-uid))
                    (zerop (call-process "unshare" nil nil nil "-m" "true"))))
  (let* ((base (make-temp-file (expand-file-name "a" lab-target) t))
         (log (expand-file-name "disk/log/" base)))
    (unwind-protect
        (progn
          (make-directory (expand-file-name "disk" base))
          (audit-tests--check-full
           nil
           (audit-tests--said
            (audit-tests--emacs
             log 200
             (format "exec unshare -m sh -c 'mount -t tmpfs -o size=16k none %s/disk && exec \"$@\"' sh \"$@\"" base)))
           200))
      (lab-remove base))))

;;;; The table

(defun audit-tests--table (buffer)
  "Wait until the table in BUFFER is filled; return its text."
  (with-current-buffer buffer
    (lab-wait (lambda () (and cj/gh-audit--answer (not cj/gh-audit--handle))) 60)
    (buffer-substring-no-properties (point-min) (point-max))))

(ert-deftest audit-a-search-shows-sorts-and-opens-lines ()
  (lab-with (_)
    (audit-tests--with-log log
      (audit-tests--call '("pr" "view" "1" "--json" "number") :repo "ghe.example.com/o/r")
      (audit-tests--call '("pr" "merge" "171" "-R" "o/r"))
      (audit-tests--call '("pr" "view" "2" "--json" "number") :repo "o/r")
      (should (= 3 (length (audit-tests--lines log))))
      (let ((buffer (cj/gh-audit-search "PR MERGE|nothing")))
        (should (string-match-p "\\`No line of the audit log matches PR MERGE"
                                (audit-tests--table buffer))))
      (let ((buffer (cj/gh-audit-search "pr merge 17[0-9]|nothing")))
        (should (string-match-p "write +declined +o/r +pr merge 171 -R github\\.com/o/r"
                                (audit-tests--table buffer)))
        (with-current-buffer buffer
          (goto-char (point-min))
          (save-window-excursion
            (cj/gh-audit-visit-file)
            (should (equal (buffer-file-name) (file-truename (audit-tests--file log))))
            (should (string-match-p "argv=pr,merge,171"
                                    (buffer-substring (line-beginning-position) (line-end-position))))
            (should buffer-read-only)
            (kill-buffer))))
      (with-current-buffer (cj/gh-audit-search "")
        (audit-tests--table (current-buffer))
        (should (= 3 (count-lines (point-min) (point-max))))
        (goto-char (point-min))
        (re-search-forward "github\\.com")
        (tabulated-list-sort)
        (should (string-match-p "\\`.*ghe\\.example\\.com" (buffer-string))))
      (let ((buffer (cj/gh-audit-by-host)))
        (should (string-match-p
                 "^ *ghe\\.example\\.com +1 +1 +0 +0 +0 +0 +0 .*\n *github\\.com +2 +1 +0 +0 +0 +1 +0 "
                 (audit-tests--table buffer)))
        (with-current-buffer buffer
          (goto-char (point-min))
          (save-window-excursion
            (cj/gh-audit-visit)
            (should (= 1 (progn (audit-tests--table (get-buffer "*cj-gh audit*"))
                                (with-current-buffer "*cj-gh audit*"
                                  (length tabulated-list-entries))))))))
      (should-error (cj/gh-audit-search "(a)\\1") :type 'cj/gate-bad-argument))))

(defconst audit-tests--many
  (string-to-number (or (getenv "AUDIT_LINES") "20000"))
  "Number of lines of a long log.
The tests' module is not optimized, so the default is 20,000 lines only.  The
environment variable AUDIT_LINES says another number.")

(ert-deftest audit-a-long-log-is-shown-page-by-page ()
  (audit-tests--with-log log
    (cj/gate-load-module)
    (make-directory log t)
    (let ((coding-system-for-write 'no-conversion))
      (with-temp-buffer
        (dotimes (nth audit-tests--many)
          (insert (format "2026-03-01T12:00:00+0000 host=github.com repo=o/r class=read policy=auto exit=0 duration=%dms bytes=4321 error=- approved-by=rule account=octocat program=gh command=pr%%20view argv=pr,view,%d,-R,o/r argv-sha256=%064x dropped=0 call=%d pid=1 w=0123456789abcdef n=%d h=%032x\n"
                          (% nth 977) nth nth nth (1+ nth) nth)))
        (write-region nil nil (expand-file-name "2026-03-01.log" log) nil 'quiet)))
    (let* ((gap 0.0) (last (float-time))
           (timer (run-at-time 0 0.002 (lambda ()
                                         (setq gap (max gap (- (float-time) last))
                                               last (float-time)))))
           (buffer nil))
      (unwind-protect
          (progn
            (setq buffer (cj/gh-audit-search "pr view [0-9]*7 "))
            (audit-tests--table buffer)
            (accept-process-output nil 0.01)
            ;; A page of 100 rows blocks Emacs for about 0.1 s; a search on the
            ;; main thread would block it for seconds.
            (should (< gap 1.0)))
        (cancel-timer timer))
      (with-current-buffer buffer
        (should (= (/ audit-tests--many 10) (plist-get cj/gh-audit--answer :matched)))
        (should (= 100 (length tabulated-list-entries)))
        (should (string-match-p (format "pr view %d -R" (- audit-tests--many 3))
                                (buffer-string)))
        (call-interactively #'cj/gh-audit-older)
        (lab-wait (lambda () (not cj/gh-audit--handle)) 60)
        (should (string-match-p (format "pr view %d -R" (- audit-tests--many 1003))
                                (buffer-string)))
        (should-not (string-match-p (format "pr view %d -R" (- audit-tests--many 3))
                                    (buffer-string)))
        (call-interactively #'cj/gh-audit-newer)
        (lab-wait (lambda () (not cj/gh-audit--handle)) 60)
        (should-error (call-interactively #'cj/gh-audit-newer) :type 'user-error)))))

;;;; The check

(ert-deftest audit-the-check-names-the-first-line-that-was-tampered-with ()
  (audit-tests--with-log log
    (audit-tests--said (audit-tests--emacs log 10 "exec \"$@\""))
    (let* ((file (audit-tests--file log))
           (name (file-name-nondirectory file))
           (whole (with-temp-buffer
                    (set-buffer-multibyte nil)
                    (insert-file-contents-literally file)
                    (split-string (buffer-string) "\n" t)))
           (shown (lambda ()
                    (cj/gh-audit-verify)
                    (with-current-buffer cj/gh-audit-verify-buffer-name
                      (lab-wait (lambda () (not (string-match-p "\\`Reading" (buffer-string)))))
                      (buffer-substring-no-properties (point-min) (point-max)))))
           (write (lambda (lines)
                    (let ((coding-system-for-write 'no-conversion))
                      (write-region (concat (string-join lines "\n") "\n") nil file nil 'quiet)))))
      (should (string-match-p "\\`The audit log verifies: 10 lines of 1 writer in 1 file\\."
                              (funcall shown)))
      (funcall write (append (butlast whole 6)
                             (list (string-replace "argv=pr,view,4" "argv=pr,view,5" (nth 4 whole)))
                             (nthcdr 5 whole)))
      (should (string-match-p (format "\\`The audit log does not verify: %s:5\\.  This line was changed" name)
                              (funcall shown)))
      (funcall write (append (butlast whole 6) (nthcdr 5 whole)))
      (should (string-match-p (format "\\`The audit log does not verify: %s:5\\.  The line before this one was removed" name)
                              (funcall shown)))
      (funcall write (append (butlast whole 6) (list (nth 1 whole)) (nthcdr 4 whole)))
      (should (string-match-p (format "\\`The audit log does not verify: %s:5\\.  This line was inserted" name)
                              (funcall shown)))
      (with-current-buffer cj/gh-audit-verify-buffer-name
        (goto-char (point-min))
        (forward-button 1)
        (save-window-excursion
          (push-button)
          (should (equal (file-name-nondirectory (buffer-file-name)) name))
          (should (= 5 (line-number-at-pos)))
          (kill-buffer))))))

(ert-deftest audit-a-table-that-could-not-be-filled-says-so ()
  (audit-tests--with-log log
    (cj/gate-load-module)
    (let ((table (cj/gh-audit-search "")))
      (with-current-buffer table
        (lab-wait (lambda () (not (equal mode-line-process " reading"))) 60)
        (should (equal mode-line-process " none"))
        (let ((inhibit-message t))
          (dolist (case '(((:broken "It failed.") . " not read")
                          ((:matched 3 :cancelled t) . " broken off, not whole")))
            (cj/gh-audit--show (car case))
            (should (equal mode-line-process (cdr case)))))
        ;; After a regexp that is refused, the table is not being read.
        (should-error (cj/gh-audit-search "(") :type 'cj/gate-bad-argument)
        (should (equal mode-line-process " not read")))
      (kill-buffer table))
    (should (string-match-p "\\`The audit log was not checked: It failed"
                            (cj/gh-audit-summary '(:broken "It failed."))))
    (with-temp-buffer
      (cj/gh-audit--fill '(:broken "It failed."))
      (should-not (string-match-p "nil" (buffer-string))))))

;;;; The purge

(ert-deftest audit-the-purge-says-what-it-could-not-remove ()
  (let ((cj/gate-purge-sources
         (list (lambda ()
                 (list (list :what "A" :place "there" :size "1" :bytes 1
                             :remove (lambda () (error "It stays")))))))
        (said nil))
    (with-current-buffer (cj/gate-purge)
      (cj/gate-purge-mark-all)
      (cl-letf (((symbol-function 'yes-or-no-p) (lambda (_) t))
                ((symbol-function 'message) (lambda (&rest args)
                                              (setq said (apply #'format args)))))
        (cj/gate-purge-execute))
      (kill-buffer))
    (should (equal said "Not removed, 1 of 1: It stays"))))

(ert-deftest audit-the-purge-lists-what-is-kept-and-removes-the-marked-rows ()
  (audit-tests--with-log log
    (cj/gate-load-module)
    (cj/gate-reject "gh" '("x") '(cj/gate-bad-argument "A test." :kind bad-argument) #'ignore)
    (audit-tests--lines log)
    (dolist (name '("2026-02-01.log" "2026-02-02.log" "notes.txt"))
      (write-region "x\n" nil (expand-file-name name log) nil 'quiet))
    (make-symbolic-link "/etc/passwd" (expand-file-name "2026-02-03.log" log))
    (let ((today (file-name-nondirectory
                  (car (last (directory-files log t "\\`[0-9].*\\.log\\'")))))
          (question nil))
      (with-current-buffer (cj/gate-purge)
        (should (string-match-p (concat "Audit log +2 B .*2026-02-01\\.log\n.*2026-02-02\\.log\n"
                                        ".*being written .*" (regexp-quote today) "\n"
                                        ".*Records of calls +[0-9]+ calls +memory")
                                (buffer-string)))
        (should-not (string-match-p "notes\\.txt\\|02-03" (buffer-string)))
        (should-error (cj/gate-purge-execute) :type 'user-error)
        (re-search-forward (regexp-quote today))
        (beginning-of-line)
        (should-error (cj/gate-purge-mark) :type 'user-error)
        (goto-char (point-min))
        (cj/gate-purge-mark)
        (cl-letf (((symbol-function 'yes-or-no-p) (lambda (text) (setq question text) nil)))
          (cj/gate-purge-execute))
        (should (string-match-p "\\`Remove 1 of these (2 B)" question))
        (should (file-exists-p (expand-file-name "2026-02-01.log" log)))
        (cj/gate-purge-mark-all)
        (goto-char (point-min))
        (re-search-forward "2026-02-02")
        (beginning-of-line)
        (cj/gate-purge-unmark)
        (cl-letf (((symbol-function 'yes-or-no-p) (lambda (_) t)))
          (cj/gate-purge-execute))
        (should-not (file-exists-p (expand-file-name "2026-02-01.log" log)))
        (dolist (name (list "2026-02-02.log" "notes.txt" today))
          (should (file-exists-p (expand-file-name name log))))
        (should (file-symlink-p (expand-file-name "2026-02-03.log" log)))
        (should-not (cj/gate-record-list))
        (should-not (string-match-p "Records of calls\\|02-01" (buffer-string)))))))

(provide 'audit-tests)

;;; audit-tests.el ends here
