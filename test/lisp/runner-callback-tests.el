;;; runner-callback-tests.el --- Each call answers once, whatever ends it -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'subr-x)
(require 'lab-runner)

(ert-deftest runner-cancelled-call-answers-once-and-leaves-no-process ()
  (runner-with runner-tree
    (let* (outcomes
           (handle (cj/gate-run (cj/gate-plan "gh" runner-read :timeout 60)
                                (lambda (outcome) (push outcome outcomes)))))
      (lab-wait (lambda () (runner-file home "running")))
      (should (cj/gate-cancel handle))
      (lab-wait (lambda () outcomes))
      (should (equal (runner-left home) nil))
      (should-not (cj/gate-cancel handle))
      (accept-process-output nil 0.3)
      (should (equal (mapcar (lambda (outcome) (plist-get outcome :error-kind)) outcomes)
                     '(cancelled))))))

(ert-deftest runner-call-of-a-killed-buffer-ends-and-its-caller-is-told ()
  (runner-with runner-tree
    (let ((buffer (generate-new-buffer "chat"))
          answers)
      (with-current-buffer buffer
        (setq default-directory (file-name-as-directory home))
        (cj/gh-call runner-read (lambda (text) (push text answers)) :timeout 60))
      (lab-wait (lambda () (runner-file home "running")))
      (kill-buffer buffer)
      (lab-wait (lambda () answers))
      (should (equal (runner-left home) nil))
      (accept-process-output nil 0.3)
      (should (= (length answers) 1))
      (should (string-match-p "\\`\\[gh [^]]* error cancelled " (car answers))))))

(ert-deftest runner-call-of-an-abandoned-request-ends-without-an-answer ()
  (runner-with runner-tree
    (let (answers)
      (let ((cj/gate-current-request 'this))
        (dotimes (_ 12)
          (cj/gh-call runner-read (lambda (text) (push text answers)) :timeout 60)))
      (lab-wait (lambda () (runner-file home "running")))
      (should (= 12 (cj/gate-abandon (lambda (job) (eq (cj/gate--job-request job) 'this)))))
      (lab-wait (lambda () (null (runner-left home))))
      (accept-process-output nil 0.3)
      (should-not (runner-left home))
      (should-not answers))))

(ert-deftest runner-cancelled-calls-answer-once-each-though-most-are-queued ()
  (runner-with runner-tree
    (let* (outcomes
           (handles (cl-loop repeat 20 collect
                             (cj/gate-run (cj/gate-plan "gh" runner-read :timeout 60)
                                          (lambda (outcome) (push outcome outcomes))))))
      (lab-wait (lambda () (runner-file home "running")))
      (should (equal (cl-count-if-not #'cj/gate-cancel handles) 0))
      (lab-wait (lambda () (= (length outcomes) 20)))
      (should (equal (runner-left home) nil))
      (should (equal (delete-dups (mapcar (lambda (outcome) (plist-get outcome :error-kind))
                                          outcomes))
                     '(cancelled))))))

(ert-deftest runner-answers-forty-calls-at-once-each-with-its-own-result ()
  (runner-with "sleep 0.1; echo \"answer $3\""
    (let* ((answers (make-vector 40 nil))
           (begun (float-time))
           (count 0))
      (dotimes (i 40)
        (cj/gh-call (list "pr" "view" (number-to-string (1+ i)) "-R" "octo/demo")
                    (lambda (text) (cl-incf count) (push text (aref answers i)))))
      (should (< (- (float-time) begun) (* 40 runner-at-once)))
      (lab-wait (lambda () (>= count 40)) 60)
      (accept-process-output nil 0.3)
      (dotimes (i 40)
        (should (equal (length (aref answers i)) 1))
        (should (string-match-p (format "\nanswer %d\n*\\'" (1+ i))
                                (car (aref answers i)))))
      (should (equal (runner-left home) nil)))))

(ert-deftest runner-answers-two-hundred-runs-at-once-each-with-its-own-result ()
  (runner-with "echo \"answer $3\""
    (runner-outcome runner-read)
    (let* ((answers (make-vector 200 nil))
           (plans (cl-loop for i from 1 to 200 collect
                           (cj/gate-plan "gh" (list "pr" "view" (number-to-string i)
                                                    "-R" "octo/demo"))))
           (begun (float-time))
           (count 0))
      (cl-loop for plan in plans for i from 0 do
               (let ((i i))
                 (cj/gate-run plan (lambda (it) (cl-incf count) (push it (aref answers i))))))
      (should (< (- (float-time) begun) 2))
      (lab-wait (lambda () (>= count 200)) 60)
      (accept-process-output nil 0.3)
      (dotimes (i 200)
        (should (equal (mapcar (lambda (it) (plist-get it :stdout)) (aref answers i))
                       (list (format "answer %d\n" (1+ i))))))
      (should-not (runner-left home)))))

(defun runner-count (what)
  "Return how many entries /proc/PID/WHAT has for this Emacs.
WHAT is \"fd\" for open descriptors or \"task\" for threads."
  (length (directory-files (format "/proc/%d/%s" (emacs-pid) what) nil "\\`[0-9]+\\'")))

(ert-deftest runner-thousand-runs-leave-descriptors-and-threads-as-they-were ()
  (runner-with "case $3 in *7) exec cat /dev/zero;; *3) exec sleep 300;; *9) exit 9;; esac"
    (let* ((count 0)
           (hundred
            (lambda ()
              (setq count 0)
              (dotimes (i 100)
                (let ((handle (cj/gate-run
                               (cj/gate-plan "gh" (list "pr" "view" (number-to-string i)
                                                        "-R" "octo/demo"))
                               (lambda (_) (cl-incf count)))))
                  (when (= (% i 10) 3) (cj/gate-cancel handle))))
              (lab-wait (lambda () (= count 100)) 60)))
           descriptors)
      (funcall hundred)
      (setq descriptors (runner-count "fd"))
      (dotimes (_ 10)
        (funcall hundred))
      (should (= descriptors (runner-count "fd")))
      (should-not (runner-left home))
      ;; Idle worker threads end after two seconds; Emacs's own threads stay.
      (lab-wait (lambda () (= (runner-count "task") (length (all-threads)))) 20))))

(ert-deftest runner-other-callbacks-run-after-one-that-signals ()
  (runner-with "echo \"answer $3\""
    (let ((inhibit-message t) answers)
      (dotimes (i 12)
        (let ((end (lambda (_)
                     (push i answers)
                     (pcase (% i 4)
                       (1 (error "A callback that fails"))
                       (2 (signal 'quit nil))
                       (3 (throw 'nowhere nil))))))
          (if (< i 6)
              (cj/gh-call runner-read end)
            (cj/gate-run (cj/gate-plan "gh" runner-read) end))))
      ;; Keep Emacs busy for 0.5 s, so that it gets several outcomes at once.
      (let ((until (time-add nil 0.5)))
        (while (time-less-p nil until)))
      (lab-wait (lambda () (= (length answers) 12)))
      (should (equal (sort answers #'<) (number-sequence 0 11))))))

(ert-deftest runner-callback-can-start-the-next-call ()
  (runner-with "echo \"answer $3\""
    (let (answers)
      (cl-labels ((next (n)
                    (cj/gh-call (list "pr" "view" (number-to-string n) "-R" "octo/demo")
                                (lambda (text)
                                  (push (car (last (split-string text "\n" t))) answers)
                                  (when (< n 6) (next (1+ n)))))))
        (next 1)
        (lab-wait (lambda () (= (length answers) 6))))
      (should (equal (reverse answers)
                     (cl-loop for n from 1 to 6 collect (format "answer %d" n)))))))

(provide 'runner-callback-tests)

;;; runner-callback-tests.el ends here
