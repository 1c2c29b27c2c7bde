;;; runner-tests.el --- The whole runner, with stand-ins for gh that misbehave -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The Rust tests cover the parts of the runner; these cover the whole, from
;; Lisp on.  lab-runner.el has the stand-ins for gh.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'subr-x)
(require 'lab-runner)
(require 'cj-gh-tools)

(declare-function cj/gate--mod-preflight "ext:cj-gate-module")
(declare-function cj/gate--mod-run "ext:cj-gate-module")
(declare-function cj/gate--mod-runs "ext:cj-gate-module")

;;;; Programs that do not end

(defun runner-check-timeout (end)
  "Check that END is the end of a call that was ended after 2 seconds."
  (should (eq (runner-kind end) 'timeout))
  (should (string-match-p "\\`\\[gh [^ ]+ read error timeout " (runner-end-text end)))
  (should (< 1.9 (runner-end-took end) 20)))

(ert-deftest runner-tree-that-ignores-term-is-gone-at-the-deadline ()
  (runner-with runner-tree
    (let ((end (runner-call home runner-read :timeout 2)))
      (runner-check-timeout end)
      (should (string-match-p "^begun$" (runner-end-text end)))
      (should-not (string-match-p "late" (runner-end-text end))))))

(ert-deftest runner-program-that-hangs-is-gone-at-the-deadline ()
  (runner-with "exec sleep 300"
    (runner-check-timeout (runner-call home runner-read :timeout 2))))

(ert-deftest runner-program-that-closes-its-output-is-gone-at-the-deadline ()
  (runner-with "exec >&- 2>&-; sleep 300; exit 0"
    (runner-check-timeout (runner-call home runner-read :timeout 2))))

(ert-deftest runner-program-that-exits-is-answered-before-its-grandchild-ends ()
  (runner-with "(sleep 300; echo late) & echo now; exit 0"
    (let ((end (runner-call home runner-read :timeout 20)))
      (should (eq (runner-kind end) nil))
      (should (string-match-p "\\` *\\[gh .* ok .*\\]\nnow\n*\\'" (runner-end-text end)))
      (should (< (runner-end-took end) 10)))))

(ert-deftest runner-deadline-is-met-while-lisp-is-busy ()
  (runner-with "echo $$ > \"$HOME/pid.new\"; mv \"$HOME/pid.new\" \"$HOME/pid\"; exec sleep 300"
    (let* ((plan (cj/gate-plan "gh" runner-read :timeout 0.5))
           outcome pid dead
           (begun (float-time)))
      (cj/gate-run plan (lambda (it) (setq outcome it)))
      ;; This loop keeps Lisp busy: no timer, filter or sentinel can run.
      (while (and (not dead) (< (- (float-time) begun) 10))
        (cond (pid (unless (file-exists-p pid) (setq dead (- (float-time) begun))))
              ((runner-file home "pid")
               (setq pid (concat "/proc/" (string-trim (runner-file home "pid")))))))
      (should pid)
      (should-not outcome)
      (should (< 0.5 dead 3))
      (lab-wait (lambda () outcome))
      (should (eq (plist-get outcome :error-kind) 'timeout)))))

(defun runner-timeout-of (text)
  "Return the seconds in the timeout message TEXT, or nil."
  (and (string-match "ran longer than \\([0-9.]+\\) seconds" text)
       (string-to-number (match-string 1 text))))

(ert-deftest runner-timeout-is-the-caller-s-else-the-user-s-else-the-tool-s ()
  (runner-with "exec sleep 300"
    (let ((tool (lambda (&rest args)
                  (let (text)
                    (apply #'cj/gh-tool-gh (lambda (it) (setq text it)) args)
                    (lab-wait (lambda () text))
                    (runner-timeout-of text))))
          (args (vconcat runner-read)))
      ;; Rows of a wrong form are ignored.
      (let ((cj/gh-timeouts '(("pr" . 60) ("pr view" . 0.6) (pr . 1) ("api" . "x") 7)))
        (should (= 0.6 (runner-timeout-of (runner-end-text (runner-call home runner-read)))))
        (should (= 0.3 (runner-timeout-of
                        (runner-end-text (runner-call home runner-read :timeout 0.3)))))
        (should (= 0.6 (funcall tool args))))
      (let ((cj/gh-timeouts '(("pr view" . 60) ("gh" . 0.4))))
        (should (= 0.4 (funcall tool args)))
        (should (= 1 (funcall tool args nil nil nil 1))))
      (let ((cj/gh-timeouts nil)
            (cj/gh-tools-table (mapcar (lambda (row) (append row '(:timeout 0.7)))
                                       cj/gh-tools-table)))
        (should (= 0.7 (funcall tool args)))))))

(ert-deftest runner-deadline-counts-from-the-start-of-the-program ()
  (runner-with "case $3 in 9) echo quick;; *) sleep 1.6;; esac"
    ;; A first call asks for the version, so that none of the ten has to.
    (runner-call home '("pr" "view" "9" "-R" "octo/demo"))
    (let* ((outcomes (make-vector 10 nil))
           (plan (lambda (n timeout)
                   (cj/gate-plan "gh" (list "pr" "view" (number-to-string n) "-R" "octo/demo")
                                 :timeout timeout)))
           (begun (float-time)))
      (dotimes (n 8)
        (cj/gate-run (funcall plan (1+ n) 20) (lambda (it) (aset outcomes (1+ n) it))))
      (cj/gate-run (funcall plan 9 1) (lambda (it) (aset outcomes 9 it)))
      (lab-wait (lambda () (aref outcomes 9)))
      (should (> (- (float-time) begun) 1.5))
      (should (equal (plist-get (aref outcomes 9) :stdout) "quick\n"))
      (should-not (plist-get (aref outcomes 9) :error-kind))
      (lab-wait (lambda () (cl-every #'identity (cl-subseq outcomes 1 9)))))))

(ert-deftest runner-reads-before-a-question-run-beside-eight-calls-that-hang ()
  (runner-with "sleep 300"
    (let ((facts nil) (checked 'not-yet) (looked nil) (outcomes nil))
      (dotimes (_ 8)
        (cj/gate-run (cj/gate-plan "gh" runner-read :timeout 60)
                     (lambda (outcome) (push outcome outcomes))))
      (lab-wait (lambda () (>= (cl-count "sleep" (runner-left home)
                                         :test (lambda (word row)
                                                 (string-search word (cdr row))))
                               8)))
      (cj/gate-git-facts home (lambda (it) (setq facts it)))
      (cj/gate--await (cj/gate--mod-preflight
                       (cj/gate-plan "gh" '("pr" "merge" "1" "-R" "octo/demo")))
                      (lambda (it) (setq checked it)))
      ;; The read of the current text, for the question about an edit.
      (cj/gate--await (cj/gate--mod-run (cj/gate-plan "gh" runner-read :timeout 1) t)
                      (lambda (it) (setq looked it)))
      (lab-wait (lambda () (and facts looked (not (eq checked 'not-yet)))) 15)
      (should (eq (plist-get looked :error-kind) 'timeout))
      (should-not checked)
      (should-not outcomes)
      (dolist (run (cj/gate--mod-runs))
        (cj/gate-cancel (plist-get run :ticket)))
      (lab-wait (lambda () (= (length outcomes) 8))))))

;;;; Programs that write too much

(defun runner-more (end &rest keys)
  "Return a part of the result of END, which was cut.
KEYS, as in `cj/gate-more', say which part."
  (let ((text (runner-end-text end)) answer)
    (should (string-match "gh_more handle=\\(m[0-9]+\\) " text))
    (apply #'cj/gate-more "gh" (match-string 1 text) (lambda (it) (setq answer it)) keys)
    (lab-wait (lambda () answer))
    answer))

(ert-deftest runner-program-that-writes-without-end-is-capped ()
  (runner-with "exec yes 0123456789"
    (let ((end (runner-call home runner-read :timeout 20)))
      (runner-check-capped end)
      ;; The model gets as much as the budget allows, and a handle for the rest.
      (should (< 1000 (string-bytes (runner-end-text end)) 6000))
      (should (string-match-p ":0123456789$" (runner-more end :pattern "0123456789"))))))

(ert-deftest runner-gibibyte-is-capped-and-its-program-is-ended ()
  (runner-with "head -c 1073741824 /dev/zero | tr '\\0' x; touch \"$HOME/read\""
    (runner-check-capped (runner-call home runner-read :timeout 20))
    (should-not (runner-file home "read"))))

(ert-deftest runner-gibibyte-of-a-diff-keeps-both-ends-and-stops-at-the-read-limit ()
  (runner-with "echo front; exec head -c 1073741824 /dev/zero"
    (let* ((end (runner-call home '("pr" "diff" "1" "-R" "octo/demo") :timeout 60))
           (record (runner-end-record end)))
      (should (plist-get record :truncated))
      (should (equal (plist-get record :bytes-captured) 65536))
      (should (< (ash 63 20) (plist-get record :bytes-dropped) (ash 66 20)))
      (should (string-match-p "^front$" (runner-end-text end)))
      (should (string-match-p "^[0-9]+:\\[[0-9]+ bytes left out here\\]$"
                              (runner-more end :pattern "bytes left out here"))))))

(ert-deftest runner-raw-bytes-in-one-endless-line-become-valid-text ()
  (runner-with "printf '\\377\\376\\000abc\\033[31mred\\000'; exec cat /dev/urandom | tr -d '\\n'"
    (let* ((end (runner-call home runner-read :timeout 20))
           (text (runner-end-text end)))
      (should (eq (runner-kind end) 'truncated))
      (should (multibyte-string-p text))
      (should (equal (decode-coding-string (encode-coding-string text 'utf-8) 'utf-8) text))
      (should-not (cl-find-if (lambda (char) (or (> char #x10ffff) (< char 9)
                                                 (memq char '(?\e 127))))
                              text))
      (should (string-match-p "<0xFF><0xFE>^@abc^\\[\\[31mred^@" text))
      (should (< (string-bytes text) (* 10 65536))))))

(ert-deftest runner-megabyte-keeps-its-head-and-a-mark-or-both-ends-and-the-gap ()
  ;; 150,000 different lines of 7 bytes, so that a cut shows where it was made.
  (runner-with "exec seq 100000 249999"
    (let* ((whole (mapconcat #'number-to-string (number-sequence 100000 249999) "\n"))
           (whole (concat whole "\n"))
           (head (runner-outcome runner-read :keep 'head))
           (both (runner-outcome runner-read :keep 'head-tail)))
      (should (eq (plist-get head :error-kind) 'truncated))
      (should (equal (plist-get head :stdout)
                     (concat (substring whole 0 65536) "\n[cut at 65536 bytes]")))
      (should (string-prefix-p (substring whole 0 1000) (plist-get head :text)))
      (should-not (plist-get both :error-kind))
      (should (equal (plist-get both :bytes-captured) 65536))
      (should (equal (plist-get both :bytes-dropped) (- 1050000 65536)))
      (should (equal (plist-get both :stdout)
                     (concat (substring whole 0 32768)
                             "\n[984464 bytes left out here]\n"
                             (substring whole (- 32768)))))
      (should (string-prefix-p (substring whole 0 1000) (plist-get both :text))))))

(ert-deftest runner-nuls-come-out-visible-and-counted ()
  (runner-with "printf 'a\\000b\\000'; head -c 1000 /dev/zero"
    (let ((outcome (runner-outcome runner-read)))
      (should-not (plist-get outcome :error-kind))
      (should (equal (plist-get outcome :bytes-captured) 1004))
      (should (equal (plist-get outcome :stdout)
                     (concat "a^@b^@" (apply #'concat (make-list 1000 "^@"))))))))

;;;; Programs that cannot be started

(defun runner-refused (argv)
  "Call gh with ARGV, which must fail to run; return a cons of kind and text."
  (let (text)
    (cj/gh-call argv (lambda (it) (setq text it)))
    (lab-wait (lambda () text))
    (should (string-match "\\`\\[gh [^]]* error \\([-a-z]+\\) [^]]*\\]\nError: [^\n]+\n[A-Z][^\n]+\\." text))
    (cons (intern (match-string 1 text)) text)))

(ert-deftest runner-arguments-too-long-for-the-system-fail-their-own-call-alone ()
  (runner-with "echo fine"
    (let ((long (make-string 131071 ?x)))
      ;; One argument, and all of them together.
      (should (eq (car (runner-refused (list "pr" "list" "-R" "octo/demo" "-S" (concat long "x"))))
                  'bad-argument))
      (should (eq (car (runner-refused
                        (append '("pr" "list" "-R" "octo/demo")
                                (cl-loop repeat 40 append (list "-S" (substring long 2))))))
                  'bad-argument))
      ;; One environment entry, and all of them together.
      (let ((process-environment (cons (concat "LC_A=" long) process-environment)))
        (should (eq (car (runner-refused runner-read)) 'bad-argument)))
      (let ((process-environment
             (append (cl-loop for n below 40 collect
                              (format "LC_A%d=%s" n (substring long 100)))
                     process-environment)))
        (let ((got (runner-refused runner-read)))
          (should (eq (car got) 'spawn-failed))
          (should (string-match-p "Argument list too long" (cdr got)))))
      (should (equal (plist-get (runner-outcome runner-read) :stdout) "fine\n")))))

(ert-deftest runner-program-that-cannot-be-executed-is-named ()
  (runner-with "echo fine"
    ;; The program changes or vanishes after Emacs has found it.
    (let ((plan (lambda () (cj/gate-plan "gh" runner-read)))
          (end (lambda (plan)
                 (let (outcome)
                   (cj/gate-run plan (lambda (it) (setq outcome it)))
                   (lab-wait (lambda () outcome))
                   (cons (plist-get outcome :error-kind) (plist-get outcome :text))))))
      (let ((made (funcall plan)))
        (with-temp-file cj/gh-executable (insert "#!/no/such/interpreter\n"))
        (should (eq (car (funcall end made)) 'spawn-failed)))
      (let ((made (funcall plan)))
        (set-file-modes cj/gh-executable #o644)
        (let ((got (funcall end made)))
          (should (eq (car got) 'spawn-failed))
          (should (string-match-p "cannot be executed" (cdr got)))))
      (set-file-modes cj/gh-executable #o755)
      (let ((made (funcall plan)))
        (delete-file cj/gh-executable)
        (let ((got (funcall end made)))
          (should (memq (car got) '(spawn-failed no-executable)))
          (should (string-match-p "there is no program" (cdr got))))))))

;;;; Programs that misbehave on --version

(ert-deftest runner-program-that-hangs-on-its-version-is-gone-at-the-deadline ()
  (runner-with (mute runner-tree)
    (let ((end (runner-call home runner-read :timeout 2)))
      (should (eq (runner-kind end) 'timeout))
      (should (string-match-p "gh --version" (runner-end-text end)))
      (should (< (runner-end-took end) 20)))))

(ert-deftest runner-program-that-writes-without-end-on-version-is-refused ()
  (dolist (body '("exec yes" "exec cat /dev/urandom"))
    (runner-with (mute body)
      (let ((end (runner-call home runner-read :timeout 20)))
        (should (eq (runner-kind end) 'no-executable))
        (should (< (runner-end-took end) 15))))))

(provide 'runner-tests)

;;; runner-tests.el ends here
