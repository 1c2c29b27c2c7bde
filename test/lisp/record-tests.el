;;; record-tests.el --- The record of calls, and the doctor -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-doctor)
(require 'cj-gate-job)
(require 'cj-gate-record)

(defvar gptel-tools)
(declare-function cj/gate--mod-forget-records "ext:cj-gate-module")
(declare-function gptel-make-tool "ext:gptel-request")

(defun record-tests--call (argv &rest keys)
  "Return the answer to a call with ARGV and KEYS."
  (let ((answer nil))
    (apply #'cj/gh-call argv (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer))))

(defun record-tests--shown ()
  "Return the text of the record's buffer."
  (lab-text cj/gate-record-buffer-name))

(defun record-tests--rows (text)
  "Return the rows of TEXT above its first empty line, an alist of strings."
  (let ((rows nil))
    (dolist (line (split-string (car (split-string text "\n\n")) "\n"))
      (should (string-match "\\`\\([^:]+\\): \\(.*\\)\\'" line))
      (push (cons (match-string 1 line) (match-string 2 line)) rows))
    (nreverse rows)))

(defconst record-tests--usual-rows
  '("Host" "Repo" "Source" "CWD" "Argv" "Classification" "Policy" "Exit code"
    "Duration" "Bytes captured" "Truncated" "Error kind")
  "Rows of the record of each call, in their order.
Other rows may stand between them.")

;;;; The record

(ert-deftest record-a-good-call-is-shown-row-by-row ()
  (lab-with (lab)
    (record-tests--call '("pr" "view" "1" "--json" "number") :repo "ghe.example.com/o/r")
    (cj/gh-tool-last-error t)
    (let* ((text (record-tests--shown))
           (rows (record-tests--rows text))
           (of (lambda (name) (cdr (assoc name rows)))))
      (should (equal (cl-remove-if-not (lambda (name) (member name record-tests--usual-rows))
                                       (mapcar #'car rows))
                     record-tests--usual-rows))
      (pcase-dolist (`(,name . ,value)
                     '(("Host" . "ghe.example.com") ("Repo" . "o/r")
                       ("Source" . "explicit-repo") ("Classification" . "read")
                       ("Policy" . "auto") ("Approved by" . "rule") ("Exit code" . "0")
                       ("Truncated" . "no") ("Error kind" . "none")
                       ("Argv" . "(\"pr\" \"view\" \"1\" \"--json\" \"number\" \"--repo\" \"ghe.example.com/o/r\")")))
        (ert-info (name) (should (equal (funcall of name) value))))
      (should (equal (expand-file-name (funcall of "CWD")) (lab-home lab)))
      (should (string-match-p "\\`[0-9]+ ms\\'" (funcall of "Duration")))
      (should (equal (funcall of "Bytes captured")
                     (number-to-string (length "{\"number\":1}\n"))))
      (should (string-match-p
               (concat "\n\nReproduce:\n  cd [^ \n]+ && "
                       "GH_PROMPT_DISABLED=1 GH_PAGER=cat NO_COLOR=1 GIT_DIR=/dev/null "
                       "\\(?:GH_HOST=ghe\\.example\\.com \\)?"
                       "[^ \n]*/gh pr view 1 --json number --repo ghe\\.example\\.com/o/r\n")
               text)))))

(ert-deftest record-the-line-to-reproduce-gives-the-same-output ()
  (lab-with (_)
    (record-tests--call '("api" "repos/{owner}/{repo}/pulls/3" "--jq" ".title + \" it's\"")
                        :repo "o/r")
    (let* ((record (car (cj/gate-record-list 1)))
           (program (file-name-directory (lab-gh)))
           (process-environment
            (cons (format "PATH=%s:%s" program (getenv "PATH")) process-environment)))
      (should-not (plist-get record :error-kind))
      (should (string-match-p "it's" (plist-get record :text)))
      (should (equal (string-trim (shell-command-to-string (plist-get record :reproduce)))
                     (string-trim (plist-get record :text)))))))

(ert-deftest record-the-last-failure-is-found-behind-later-successes ()
  (lab-with (_)
    (record-tests--call '("pr" "view" "9500" "-R" "o/r"))
    (record-tests--call '("pr" "view" "1" "-R" "o/r" "--json" "number"))
    (cj/gh-tool-last-error)
    (let ((rows (record-tests--rows (record-tests--shown))))
      (should (equal (cdr (assoc "Error kind" rows)) "not-found"))
      (should (string-match-p "9500" (cdr (assoc "Argv" rows)))))
    (cj/gh-tool-last-error '(4))
    (should (equal (cdr (assoc "Error kind" (record-tests--rows (record-tests--shown))))
                   "none"))
    (with-current-buffer cj/gate-record-buffer-name
      (should (eq (key-binding "p") 'cj/gate-record-earlier))
      (should (eq (key-binding "n") 'cj/gate-record-later))
      (should-error (call-interactively (key-binding "n")) :type 'user-error)
      (call-interactively (key-binding "p"))
      (should (string-match-p "^Error kind: not-found$" (record-tests--shown)))
      (should (string-match-p "^Call [0-9]+ of [0-9]+ kept" (record-tests--shown)))
      (call-interactively (key-binding "n"))
      (should (string-match-p "^Error kind: none$" (record-tests--shown)))
      (should buffer-read-only))))

(ert-deftest record-a-refused-call-is-kept ()
  (lab-with (lab)
    (pcase-dolist
        (`(,argv ,keys ,kind ,class ,policy)
         '((("pr" "merge" "1" "-R" "o/r") nil declined write confirm)
           (("repo" "delete" "o/r" "--yes") nil irreversible-blocked destructive block)
           (("auth" "token") nil policy-blocked blocked block)
           (("pr" "view" "1\0") nil bad-argument unknown block)
           (("pr" "view" "1") (:cwd "/") bad-cwd read block)
           (nil nil bad-argument unknown block)
           ("no list" nil bad-argument unknown block)))
      (ert-info ((format "%S %S" argv keys))
        (let ((before (length (cj/gate-record-list)))
              (answer (apply #'record-tests--call argv keys))
              (record (car (cj/gate-record-list 1))))
          (should (= (1+ before) (length (cj/gate-record-list))))
          (should (eq (plist-get record :error-kind) kind))
          (should (eq (plist-get record :class) class))
          (should (eq (plist-get record :policy) policy))
          (should-not (plist-get record :approved-by))
          (should-not (plist-get record :exit-code))
          (should (equal answer (concat (plist-get record :header) "\n"
                                        (plist-get record :text))))
          (cj/gh-tool-last-error)
          (should (string-match-p (format "^Error kind: %s$" kind)
                                  (record-tests--shown))))))
    (should-not (lab-requests lab))))

;;;; The list

(ert-deftest record-the-list-shows-sorts-and-opens-records ()
  (lab-with (_)
    ;; Forget the calls of other tests: some went to a second host, and with two
    ;; hosts the list would name the host of each call.
    (cj/gate-load-module)
    (cj/gate--mod-forget-records)
    (record-tests--call '("pr" "view" "1" "-R" "o/r" "--json" "number"))
    (record-tests--call '("repo" "delete" "o/r" "--yes"))
    (cj/gh-tool-last-error)
    (with-current-buffer cj/gate-record-buffer-name
      (should (eq (key-binding "l") 'cj/gate-records))
      (call-interactively (key-binding "l")))
    (with-current-buffer "*cj-gate records*"
      (should (string-match-p
               (concat "\\`.*destructive +irreversible-blocked +o/r +repo delete o/r --yes\n"
                       ".*read +ok +rule +\\(?:[0-9]+ ms +\\)?o/r +pr view 1 -R github\\.com/o/r --json number\n")
               (buffer-string)))
      (goto-char (point-min))
      (tabulated-list-sort 0)
      (should-not (string-match-p "\\`.*repo delete" (buffer-string)))
      (goto-char (point-max))
      (re-search-backward "o/r +pr view 1 ")
      (cj/gate-records-visit))
    (should (string-match-p "^Command: gh pr view$" (record-tests--shown)))
    (should (string-match-p "{\"number\":1}" (record-tests--shown)))))

(ert-deftest record-the-option-sets-how-many-records-are-kept ()
  (lab-with (_)
    (let ((cj/gate-records-kept 3))
      (dotimes (_ 5)
        (record-tests--call '("auth" "token")))
      (should (= 3 (length (cj/gate-record-list)))))
    (record-tests--call '("auth" "token"))
    (should (= 4 (length (cj/gate-record-list))))))

(defun record-tests--abandoned (lab argv at-work)
  "Return the record of a call with ARGV whose buffer is killed.
The buffer is killed once the function AT-WORK returns non-nil.  Check that the
call left one record, one answer and no child, and changed nothing in LAB."
  (let ((before (length (cj/gate-record-list)))
        (answers nil))
    (with-current-buffer (generate-new-buffer "*caller*")
      (cj/gh-call argv (lambda (answer) (push answer answers)))
      (lab-wait at-work)
      (kill-buffer))
    (lab-wait (lambda () (> (length (cj/gate-record-list)) before)) 5)
    (lab-wait (lambda () (not (lab-children "gh"))) 5)
    (accept-process-output nil 0.1)
    (should (= (length (cj/gate-record-list)) (1+ before)))
    (should (= (length answers) 1))
    (should (equal (nth 2 (lab-header (car answers))) "error cancelled"))
    (should-not cj/gate--jobs)
    (should-not (lab-mutations lab))
    (let ((record (car (cj/gate-record-list 1))))
      (should (eq (plist-get record :error-kind) 'cancelled))
      record)))

(defun record-tests--slow (lab name)
  "Write a program NAME to LAB that runs for 60 seconds; return its file.
At its start it makes the file NAME.started."
  (let* ((dir (lab-file lab "slow"))
         (file (expand-file-name name dir)))
    (make-directory dir t)
    (write-region (format "#!/bin/sh\n: >%s.started\nsleep 60\n" (shell-quote-argument file))
                  nil file nil 'quiet)
    (set-file-modes file #o700)
    file))

(ert-deftest record-a-call-abandoned-while-it-runs-is-kept-as-cancelled ()
  (lab-with (lab)
    (let ((record (record-tests--abandoned
                   lab '("pr" "view" "1" "-R" "slow-20000/r")
                   (lambda () (lab-requests lab)))))
      (should (eq (plist-get record :approved-by) 'rule))
      (should (equal (plist-get record :owner) "slow-20000")))))

(ert-deftest record-a-call-abandoned-while-git-is-asked-is-kept-as-cancelled ()
  (lab-with (lab)
    (let* ((git (record-tests--slow lab "git"))
           (exec-path (cons (file-name-directory git) exec-path))
           (record (record-tests--abandoned
                    lab '("pr" "view" "1")
                    (lambda () (file-exists-p (concat git ".started"))))))
      (should (equal (plist-get record :argv) '("pr" "view" "1")))
      (should-not (plist-get record :approved-by)))))

(ert-deftest record-a-write-abandoned-before-anyone-is-asked-is-kept-as-cancelled ()
  (lab-with (lab)
    (let* ((cj/gh-executable (record-tests--slow lab "gh"))
           (record (record-tests--abandoned
                    lab '("pr" "merge" "1" "-R" "o/r")
                    (lambda () (file-exists-p (concat cj/gh-executable ".started"))))))
      (should (eq (plist-get record :class) 'write))
      (should-not (plist-get record :approved-by)))))

(ert-deftest record-secrets-in-arguments-and-output-are-masked ()
  (lab-with (lab)
    (let* ((secret (concat "ghp_" "Wq3Er5Ty7Ui9Op1As2Df4Gh6Jk8Lz0XcVbNm"))
           (held (cdr (assoc "github" lab-tokens)))
           (cj/gh-executable
            (lab-script lab (format "printf 'out %s %%s\\n' \"$GH_TOKEN\"; echo 'err %s' \"$GH_TOKEN\" >&2; exit ${FAIL:-0}"
                                    secret secret)))
           (pieces (list (substring secret 4 16) (substring secret 20 32) (substring held 4 20)))
           (clean (lambda (text)
                    (dolist (piece pieces) (should-not (string-search piece text))))))
      ;; The stand-in runs, and writes the secrets.
      (should (string-match-p "^out \\[REDACTED:.*\\[REDACTED:"
                              (record-tests--call '("pr" "list" "-R" "o/r"))))
      (dolist (call `((("pr" "list" "-R" "o/r"))
                      (("api" "user"))
                      (("pr" "comment" "1" "-R" "o/r" "--body" ,(concat "my token is " secret)))
                      (("pr" "list" "-R" "o/r" "--search" ,held))
                      (("pr" "view" "1" "-R" ,(concat secret "/r")))
                      (("api" "user" "-H" ,(concat "Authorization: token " secret)))
                      (("secret" "set" "X" "--body" ,secret "-R" "o/r"))
                      ((,secret))
                      (("pr" ,secret "x"))
                      (("pr" "list" ,(concat "--" secret)))
                      (("pr" "list") :repo ,(concat secret "/x/y/z"))
                      (("pr" "list") :hostname ,secret)
                      (("pr" "list") :cwd ,(concat "/" secret))
                      (("pr" "list" "-R" "o/r" ,(concat secret "\0")))))
        (ert-info ((format "%S" call))
          (funcall clean (apply #'record-tests--call call))
          (let ((record (car (cj/gate-record-list 1))))
            (funcall clean (prin1-to-string record)))
          (cj/gh-tool-last-error t)
          (funcall clean (record-tests--shown))))
      (funcall clean (with-current-buffer (messages-buffer) (buffer-string)))
      (should-not (lab-requests lab)))))

;;;; The doctor

(defun record-tests--doctor ()
  "Run the doctor; return its report once every check has answered.
The checks that test/lisp/doctor-tests.el tests are left out."
  (let ((cj/gh-doctor--checks
         (cl-remove-if (lambda (check)
                         (member (car check)
                                 '("gh catalog" "Hosts" "Login" "Limits" "Directory"
                                   "Environment" "Audit log")))
                       cj/gh-doctor--checks)))
    (with-current-buffer (cj/gh-doctor)
      (lab-wait (lambda ()
                  (not (string-match-p "^\\.\\.\\. " (buffer-string)))))
      (buffer-substring-no-properties (point-min) (point-max)))))

(defun record-tests--grade (report name)
  "Return the row of the check NAME in REPORT, a list of grade and text."
  (should (string-match (format "^\\(PASS\\|WARN\\|FAIL\\)  ?%s  +\\(.*\\(?:\n      .*\\)*\\)"
                                (regexp-quote name))
                        report))
  (list (intern (match-string 1 report)) (match-string 2 report)))

(defun record-tests--check (name grade words)
  "Run the doctor; check that the row NAME has GRADE and matches WORDS."
  (let ((found (record-tests--grade (record-tests--doctor) name)))
    (ert-info ((format "%s: %S" name found))
      (should (eq (car found) grade))
      (should (string-match-p words (cadr found))))))

(ert-deftest doctor-a-good-set-up-passes-every-check ()
  (lab-with (lab)
    (pcase-dolist (`(,version . ,gh) (lab-ghs))
      (let* ((cj/gh-executable gh)
             (report (record-tests--doctor)))
        (dolist (name '("Emacs" "Module" "gh" "gh version" "Policy" "Gate" "gptel"
                        "Eval-like tools"))
          (should (eq (car (record-tests--grade report name)) 'PASS)))
        (unless (equal version "GH")
          (should (string-match-p (regexp-quote version)
                                  (cadr (record-tests--grade report "gh version")))))
        (should (string-prefix-p "0 troubles, 0 warnings, 9 well.\n\n" report))
        (should (= 10 (length (split-string report "\n" t))))))
    (should-not (lab-requests lab))))

(ert-deftest doctor-a-missing-gh-fails-with-advice ()
  (lab-with (_)
    (let ((cj/gh-executable "no-such-gh"))
      (record-tests--check "gh" 'FAIL "no-such-gh, which was not found\n +Where it is installed already, set `cj/gh-executable'")
      (record-tests--check "gh version" 'FAIL "not found\\|could not be asked"))))

(ert-deftest doctor-a-gh-that-is-too-old-fails-with-advice ()
  (let ((old (expand-file-name ".deps/gh/2.23.0/gh" lab-root)))
    (skip-unless (file-executable-p old))
    (lab-with (_)
      (let ((cj/gh-executable old))
        (record-tests--check "gh" 'PASS "2\\.23\\.0/gh")
        (record-tests--check "gh version" 'FAIL "too-old: .*2\\.23\\.0\\(?:.\\|\n\\)*2\\.50\\.0")))))

(ert-deftest doctor-a-program-that-is-no-gh-fails ()
  (lab-with (_)
    (let ((cj/gh-executable "/bin/echo"))
      (record-tests--check "gh version" 'FAIL "no-executable: .*not GitHub's gh"))))

(ert-deftest doctor-an-emacs-too-old-or-without-modules-fails ()
  (lab-with (_)
    (let ((emacs-version "27.2"))
      (record-tests--check "Emacs" 'FAIL "Emacs 27\\.2\n +Use Emacs 28\\.1"))
    (let ((module-file-suffix nil))
      (record-tests--check "Emacs" 'FAIL "without modules\n +Use an Emacs"))))

(ert-deftest doctor-a-policy-that-asks-too-little-is-a-warning ()
  (lab-with (_)
    (let ((cj/gh-policy '((read . auto) (write . auto) (reed . block))))
      (record-tests--check "Policy" 'WARN "(write \\. auto) is not allowed.*reed"))
    (let ((cj/gh-policy 'auto))
      (record-tests--check "Policy" 'FAIL "could not be checked"))))

(ert-deftest doctor-a-tool-that-evaluates-lisp-is-a-warning ()
  (lab-with (_)
    (require 'gptel)
    (let ((gptel-tools (list (gptel-make-tool :name "Eval_Elisp" :function #'ignore
                                              :description "x" :args nil))))
      (record-tests--check "Eval-like tools" 'WARN "eval_elisp\n +.*around the gate"))))

(ert-deftest doctor-opens-at-once-while-a-slow-gh-is-asked ()
  (lab-with (lab)
    (let* ((slow (lab-script lab "exit 1"))
           (cj/gh-executable (expand-file-name "slow" (lab-dir lab)))
           (start (float-time)))
      (write-region (format "#!/bin/sh\nsleep 1.5\nexec %s \"$@\"\n" slow)
                    nil cj/gh-executable nil 'quiet)
      (set-file-modes cj/gh-executable #o700)
      (with-current-buffer (cj/gh-doctor)
        (should (< (- (float-time) start) 1))
        (should (string-match-p "^\\.\\.\\.   gh version" (buffer-string))))
      (record-tests--check "gh version" 'PASS "2\\.92\\.0"))))

(ert-deftest doctor-a-missing-module-fails-and-the-other-checks-still-run ()
  (let ((report (plist-get (lab-child
                            '(setq cj/gate-module-directory "/nonexistent/")
                            '(require 'cj-gh)
                            '(list :report (with-current-buffer (cj/gh-doctor)
                                             (buffer-string))))
                           :report)))
    (should (eq (car (record-tests--grade report "Emacs")) 'PASS))
    (let ((found (record-tests--grade report "Module")))
      (should (eq (car found) 'FAIL))
      (should (string-match-p "missing in /nonexistent/.*\n.*cj/gate-compile-module"
                              (cadr found))))
    ;; A check that needs the module is skipped, and says why.
    (should (string-match-p "^SKIP  gh version  +not checked: there is no module$" report))
    (should-not (string-match-p "^\\.\\.\\. " report))))

;;;; The buttons of a record

(defun record-tests--button (label)
  "Return the button LABEL of the record buffer, or nil."
  (with-current-buffer cj/gate-record-buffer-name
    (save-excursion
      (goto-char (point-min))
      (cl-loop for button = (next-button (point) t) then (next-button (button-end button))
               while button
               when (equal (button-label button) label) return button))))

(ert-deftest record-only-an-unmasked-read-can-be-retried ()
  (lab-with (lab)
    (record-tests--call '("api" "repos/{owner}/{repo}/pulls/9500") :repo "ghe.example.com/o/r")
    (cj/gh-tool-last-error)
    (let* ((requests (length (lab-requests lab)))
           (records (length (cj/gate-record-list nil t)))
           (before (car (cj/gate-record-list 1))))
      (with-current-buffer cj/gate-record-buffer-name
        (push-button (button-start (record-tests--button "Copy the line to reproduce")))
        (should (equal (current-kill 0) (plist-get before :reproduce)))
        (push-button (button-start (record-tests--button "Retry this read"))))
      (lab-wait (lambda () (> (length (cj/gate-record-list nil t)) records)))
      (let ((after (car (cj/gate-record-list 1))))
        (should (> (plist-get after :call) (plist-get before :call)))
        (dolist (key '(:argv :argv-sha256 :host :owner :repo :class :error-kind :cwd))
          (should (equal (plist-get after key) (plist-get before key))))
        (should (equal (plist-get after :approved-by) 'rule)))
      (should (= (length (lab-requests lab)) (1+ requests)))
      (lab-wait (lambda () (record-tests--button "Retry this read"))))
    ;; A write, and a read with a masked argument, cannot be retried.
    (record-tests--call '("pr" "merge" "1" "-R" "o/r"))
    (cj/gh-tool-last-error t)
    (should (record-tests--button "Copy the line to reproduce"))
    (should-not (record-tests--button "Retry this read"))
    (should-error (cj/gate-record-retry (car (cj/gate-record-list 1))) :type 'user-error)
    (record-tests--call (list "api" (concat "search/code?q=ghp_"
                                            "Zq7Rw3Xv9Lk2Np5Tc8Yd1Fh4Jm6Sb0GaUeIo")))
    (let ((record (car (cj/gate-record-list 1))))
      (should-not (cj/gate-record-repeatable-p record)))
    (should-not (lab-mutations lab))))

(provide 'record-tests)

;;; record-tests.el ends here
