;;; approval-mishap-tests.el --- Failures around a question, and what they leave intact -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A read cannot start, a policy changes during a read, a look-up never answers,
;; a buffer is killed during a question.  In each case the call is still asked
;; about or refused, and every text that a person typed is kept.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gate-approval)
(require 'cj-gate-approval-edit)

(cj/gate-load-module)

(defun mishap--asked ()
  "Wait until a call waits for a person; return its entry."
  (lab-wait (lambda () (car cj/gate-approval--queue))))

(defun mishap--asked-text ()
  "Wait until a call is shown to a person; return what they read."
  (mishap--asked)
  (lab-wait (lambda ()
              (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
                (and buffer
                     (with-current-buffer buffer
                       (and cj/gate-approval--entry
                            (buffer-substring-no-properties (point-min) (point-max)))))))))

;;;; Before the question

(ert-deftest approval-is-asked-for-when-the-read-before-the-question-cannot-start ()
  (dolist (mishap (list (lambda (&rest _) (error "No thread"))
                        (lambda (&rest _) (cj/gate--signal 'spawn-failed "No process"))))
    (lab-with (lab)
      (let ((run (symbol-function 'cj/gate--mod-run))
            (answer nil))
        (approval-with-prompts
          (cl-letf (((symbol-function 'cj/gate--mod-run)
                     (lambda (plan aside)
                       (funcall (if aside mishap run) plan aside))))
            (cj/gh-call (approval-merge 1) (lambda (text) (setq answer text)))
            (lab-wait (lambda () (or answer cj/gate-approval--queue)))
            (should-not answer)
            (let ((text (mishap--asked-text)))
              (should (string-prefix-p "Squash and merge pull request #1 " text))
              (should (string-match-p
                       "^  Unread .*(the read could not be started)"
                       (replace-regexp-in-string "\n \\{14\\}" " " text)))))
          (should-not (lab-mutations lab)))))))

(ert-deftest approval-is-asked-for-when-the-read-before-the-question-cannot-be-planned ()
  (lab-with (_)
    (let ((plan (symbol-function 'cj/gate--mod-plan))
          (answer nil))
      (approval-with-prompts
        (cl-letf (((symbol-function 'cj/gate--mod-plan)
                   (lambda (program argv &rest more)
                     (if (equal (elt argv 0) "api")
                         (error "No plan")
                       (apply plan program argv more)))))
          (cj/gh-call (approval-merge 1) (lambda (text) (setq answer text)))
          (lab-wait (lambda () (or answer cj/gate-approval--queue)))
          (should-not answer)
          (should (string-match-p "^  Unread " (mishap--asked-text))))))))

(ert-deftest approval-gives-way-to-a-policy-that-blocks-the-call-during-the-read ()
  ;; The policy changes while the pull request is read.
  (lab-with (lab)
    (let ((answer nil)
          (cj/gh-policy cj/gh-policy))
      (approval-with-prompts
        (cj/gh-call '("pr" "merge" "1" "--squash" "-R" "slow-1500/demo")
                    (lambda (text) (setq answer text)))
        (lab-wait (lambda () (cl-some #'cj/gate--job-looks cj/gate--jobs)))
        (setq cj/gh-policy '((read . auto) (write . block) (unknown . block)
                             (destructive . block) (blocked . block)))
        (lab-wait (lambda () (or answer cj/gate-approval--queue)))
        (should-not cj/gate-approval--queue)
        (should (string-match-p "\\`\\[gh [^]]* write blocked policy-blocked " answer))
        (should-not (lab-mutations lab))))))

;;;; While it waits

(ert-deftest approval-that-waits-when-emacs-exits-is-logged-as-cancelled ()
  (approval-with-comments (terminal lab)
    (approval-M-x terminal "kill-emacs")
    (lab-wait (lambda ()
                (= 2 (with-temp-buffer
                       (dolist (file (directory-files-recursively
                                      (lab-home lab) "\\`[^.].*\\.log\\'"))
                         (insert-file-contents file))
                       (how-many " error=cancelled .* command=issue[^ ]*comment "
                                 (point-min) (point-max))))))
    (should-not (lab-mutations lab))))

;;;; Other calls of the same turn

(ert-deftest approval-counts-the-questions-of-its-turn-and-leaves-out-the-reads ()
  (lab-with (_)
    (approval-with-prompts
      (let* ((cj/gate-current-request (list 'turn))
             (asked nil)
             (go-on nil)
             (later (lambda (argv)
                      (cj/gate-submit "gh" argv #'ignore
                                      :first (lambda (job facts)
                                               (push (cons job facts) go-on)))))
             (question (lambda ()
                         (setq asked nil)
                         (with-current-buffer cj/gate-approval-buffer-name
                           (cl-letf (((symbol-function 'read-string) (lambda (&rest _) ""))
                                     ((symbol-function 'y-or-n-p)
                                      (lambda (prompt) (setq asked prompt) nil))
                                     ((symbol-function 'cj/gate-approval--decline-list) #'ignore))
                             (call-interactively #'cj/gate-approval-decline-saying)))
                         asked))
             (which (lambda ()
                      (with-current-buffer cj/gate-approval-buffer-name
                        (cj/gate-approval--place)))))
        (cj/gh-call (approval-comment 1 "words") #'ignore)
        (funcall later '("pr" "view" "1" "-R" "octo/demo"))
        (funcall later (approval-comment 2 "words"))
        (mishap--asked-text)
        (lab-wait (lambda () (= (length go-on) 2)))
        (should (equal (funcall which) "   1 of 1+"))
        (should (equal (funcall question)
                       "Decline the other 2 calls that came with it too, if they are asked about? "))
        ;; The comment goes on to a question; the view is a read and runs.
        (dolist (job (reverse go-on))
          (when (equal (elt (cj/gate--job-argv (car job)) 0) "issue")
            (cj/gate--stage (car job) #'cj/gate--plan-and-decide (cdr job))))
        (should (equal (funcall which) "   1 of 2+"))
        (should (equal (funcall question)
                       "Decline the other call that came with it too, and 1 more if it is asked about? "))
        (dolist (job go-on)
          (when (equal (elt (cj/gate--job-argv (car job)) 0) "pr")
            (cj/gate--stage (car job) #'cj/gate--plan-and-decide (cdr job))))
        (should (equal (funcall which) "   1 of 2"))
        (should (equal (funcall question)
                       "Decline the other call that came with it too? "))))))

;;;; While a person edits the call

(defun mishap--comment ()
  "Let a model comment on an issue; return the entry that waits for a person."
  (cj/gh-call (approval-comment 1 "their words") #'ignore)
  (mishap--asked))

(defun mishap--open-body (entry)
  "Open the body of ENTRY as its key does; return the buffer."
  (with-current-buffer (lab-wait (lambda () (get-buffer cj/gate-approval-buffer-name)))
    (lab-wait (lambda () (eq cj/gate-approval--entry entry)))
    (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) "Body")))
      (cj/gate-approval-edit)))
  (window-buffer))

(defmacro mishap--looking-up (look &rest body)
  "Run BODY with LOOK in place of the function that collects a call's facts.
LOOK is called with the argv and a callback, and returns a handle."
  (declare (indent 1))
  `(let ((option (symbol-function 'cj/gate--program-option)))
     (cl-letf (((symbol-function 'cj/gate--program-option)
                (lambda (program name)
                  (if (eq name :facts) ,look (funcall option program name)))))
       ,@body)))

(defun mishap--finish (buffer)
  "Do in BUFFER what the key does that submits an edit."
  (with-current-buffer buffer
    (condition-case err
        (cj/gate-edit-finish)
      (user-error (message "%s" (error-message-string err))))))

(defun mishap--told (regexp)
  "Wait until a message matches REGEXP."
  (lab-wait (lambda ()
              (with-current-buffer (messages-buffer)
                (string-match-p regexp (buffer-string))))))

(defun mishap--of (entry)
  "Return the argv of the call of ENTRY, a list."
  (append (plist-get (cj/gate-approval--entry-info entry) :argv) nil))

(ert-deftest approval-edit-keeps-its-text-and-works-again-after-a-failed-look-up ()
  (let ((cj/gate-edit-look-limit 0.3))
    (pcase-dolist (`(,look . ,told)
                   (list (cons (lambda (&rest _) (error "No resolver"))
                               "Not taken: No resolver")
                         (cons (lambda (&rest _) (cj/gate--signal 'bad-argument "No such name"))
                               "Not taken: No such name")
                         (cons (lambda (_ callback) (funcall callback nil) 1)
                               "Not taken: nothing could be found out")
                         (cons (lambda (&rest _) most-positive-fixnum)
                               "could not be looked up within 0\\.3 seconds")))
      (ert-info ((format "%s" told))
        (lab-with (lab)
          (approval-with-prompts
            (with-current-buffer (messages-buffer)
              (let ((inhibit-read-only t)) (erase-buffer)))
            (let* ((entry (mishap--comment))
                   (facts (cj/gate--job-facts (cj/gate-approval--entry-job entry)))
                   (buffer (mishap--open-body entry)))
              (with-current-buffer buffer (insert "my words, "))
              (mishap--looking-up look
                (mishap--finish buffer)
                (mishap--told told))
              ;; The call still waits, the text is there, the key works again.
              (should (equal cj/gate-approval--queue (list entry)))
              (should (buffer-modified-p buffer))
              (mishap--looking-up (lambda (_ callback) (funcall callback facts) 1)
                (mishap--finish buffer))
              (should-not (buffer-live-p buffer))
              (lab-wait (lambda () (and cj/gate-approval--queue
                                        (not (memq entry cj/gate-approval--queue)))))
              (should (member "my words, their words" (mishap--of (mishap--asked)))))
            (should-not (lab-mutations lab))))))))

(ert-deftest approval-edit-saves-its-text-when-the-call-ends-during-a-look-up ()
  (dolist (end (list (lambda (_ buffer) (kill-buffer buffer))
                     (lambda (entry _)
                       (cj/gate-approval--decide entry 'declined "No."))
                     (lambda (&rest _) (cj/gate-abandon #'identity))))
    (lab-with (_)
      (approval-with-prompts
        (let* ((entry (mishap--comment))
               (facts (cj/gate--job-facts (cj/gate-approval--entry-job entry)))
               (buffer (mishap--open-body entry))
               (kill-ring nil)
               (answer nil))
          (with-current-buffer buffer (insert "my words, "))
          (mishap--looking-up (lambda (_ callback) (setq answer callback) 1)
            (mishap--finish buffer))
          (funcall end entry buffer)
          (should-not (buffer-live-p buffer))
          (should (equal kill-ring '("my words, their words")))
          (let ((waiting (copy-sequence cj/gate-approval--queue)))
            (funcall answer facts)
            (should (equal cj/gate-approval--queue waiting))))))))

(ert-deftest approval-edit-that-was-left-ignores-a-late-look-up ()
  (lab-with (_)
    (approval-with-prompts
      (let* ((entry (mishap--comment))
             (facts (cj/gate--job-facts (cj/gate-approval--entry-job entry)))
             (buffer (mishap--open-body entry))
             (answer nil))
        (with-current-buffer buffer (insert "my words, "))
        (mishap--looking-up (lambda (_ callback) (setq answer callback) 1)
          (mishap--finish buffer))
        (with-current-buffer buffer (cj/gate-edit-leave))
        (funcall answer facts)
        (should (equal cj/gate-approval--queue (list entry)))))))

(ert-deftest approval-edit-saves-what-was-typed-during-a-look-up ()
  (lab-with (_)
    (approval-with-prompts
      (let* ((entry (mishap--comment))
             (facts (cj/gate--job-facts (cj/gate-approval--entry-job entry)))
             (buffer (mishap--open-body entry))
             (kill-ring nil)
             (answer nil))
        (with-current-buffer buffer (insert "my words, "))
        (mishap--looking-up (lambda (_ callback) (setq answer callback) 1)
          (mishap--finish buffer))
        (with-current-buffer buffer (insert "and more, "))
        (funcall answer facts)
        (lab-wait (lambda () (and cj/gate-approval--queue
                                  (not (memq entry cj/gate-approval--queue)))))
        (should (member "my words, their words" (mishap--of (mishap--asked))))
        (should (equal kill-ring '("my words, and more, their words")))))))

(ert-deftest approval-edit-has-one-buffer-for-each-text ()
  (lab-with (_)
    (approval-with-prompts
      (let* ((entry (mishap--comment))
             (buffer (mishap--open-body entry)))
        (with-current-buffer buffer (insert "my words, "))
        (should (eq (mishap--open-body entry) buffer))
        (should (equal (with-current-buffer buffer (buffer-string)) "my words, their words"))))))

(ert-deftest approval-edit-has-one-buffer-for-each-multi-line-argument ()
  (let ((entry (cj/gate-approval--entry-make
                :job (cj/gate--job-make :argv '("-f" "a=1\n2" "-f" "b=3\n4")))))
    (unwind-protect
        (progn
          (cj/gate-edit--open-arguments entry)
          (pop-to-buffer cj/gate-edit-buffer-name)
          (goto-char (point-min))
          (forward-line 1)
          (cj/gate-edit-text-at-point)
          (let ((first (current-buffer)) second)
            (insert "x")
            (pop-to-buffer cj/gate-edit-buffer-name)
            (cj/gate-edit-text-at-point)
            (should (eq (current-buffer) first))
            (pop-to-buffer cj/gate-edit-buffer-name)
            (forward-line 2)
            (cj/gate-edit-text-at-point)
            (setq second (current-buffer))
            (should-not (eq second first))
            ;; After the line of the first text is deleted, that text can go
            ;; nowhere; it must not replace the second one.
            (with-current-buffer cj/gate-edit-buffer-name
              (goto-char (point-min))
              (forward-line 1)
              (delete-region (point) (line-beginning-position 3)))
            (with-current-buffer first
              (should-error (funcall cj/gate-edit--take "xa=1\n2") :type 'user-error))
            (should (buffer-live-p first))
            (with-current-buffer cj/gate-edit-buffer-name
              (should (equal (cj/gate-edit--arguments) '("-f" "b=3\n4"))))))
      (cj/gate-edit-forget entry))))

(ert-deftest approval-of-a-changed-call-goes-by-the-policy-of-its-chat ()
  (lab-with (_)
    (approval-with-prompts
      (let ((chat (generate-new-buffer "mishap chat"))
            (waits nil))
        (unwind-protect
            (progn
              (with-current-buffer chat
                (setq-local cj/gh-policy '((read . auto) (write . confirm)
                                           (unknown . block) (destructive . block)
                                           (blocked . block)))
                (setq waits (mishap--comment)))
              (with-temp-buffer
                (should-error (cj/gate--change-call (cj/gate-approval--entry-job waits)
                                                    '("frobnicate" "it"))
                              :type 'cj/gate-policy-blocked))
              (should (equal cj/gate-approval--queue (list waits))))
          (kill-buffer chat))))))

(ert-deftest approval-is-answered-even-when-a-hook-of-its-edit-buffer-fails ()
  (lab-with (_)
    (approval-with-prompts
      (let* ((entry (mishap--comment))
             (buffer (mishap--open-body entry))
             (decision nil))
        (with-current-buffer buffer
          (add-hook 'kill-buffer-hook (lambda () (error "A hook of mine")) nil t))
        (setf (cj/gate-approval--entry-decide entry)
              (lambda (what &rest _) (setq decision what)))
        (cj/gate-approval--decide entry 'declined "No.")
        (should (eq decision 'declined))
        (should-not cj/gate-approval--queue)
        (with-current-buffer buffer
          (setq kill-buffer-hook nil))
        (kill-buffer buffer)))))

(provide 'approval-mishap-tests)

;;; approval-mishap-tests.el ends here
