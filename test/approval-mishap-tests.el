;;; approval-mishap-tests.el --- What goes wrong around a question -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A read that cannot start, a policy that changes while something is read, a
;; look-up that never answers, a buffer that is killed under a question: the
;; call is still asked about or refused, and no text of a person's is lost.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gate-confirm)
(require 'cj-gate-edit)

(defmacro mishap--with-prompts (&rest body)
  "Run BODY where prompts are shown although nobody sits here; remove them."
  (declare (indent 0))
  `(let ((noninteractive nil)
         (inhibit-message t))
     (unwind-protect (progn ,@body)
       (cj/gate-abandon #'identity)
       (when (get-buffer cj/gate-approval-buffer-name)
         (kill-buffer cj/gate-approval-buffer-name)))))

(cj/gate-load-module)

(defun mishap--asked ()
  "Wait until a call waits for a person; return its entry."
  (lab-wait (lambda () (car cj/gate-confirm--queue))))

(defun mishap--asked-text ()
  "Wait until a call is shown to a person; return what they read."
  (mishap--asked)
  (lab-wait (lambda ()
              (let ((buffer (get-buffer cj/gate-approval-buffer-name)))
                (and buffer
                     (with-current-buffer buffer
                       (and cj/gate-confirm--entry
                            (buffer-substring-no-properties (point-min) (point-max)))))))))

;;;; Before the question

(ert-deftest approval-asks-where-the-read-before-it-cannot-start ()
  (dolist (mishap (list (lambda (&rest _) (error "No thread"))
                        (lambda (&rest _) (cj/gate--signal 'spawn-failed "No process"))))
    (lab-with (lab)
      (let ((run (symbol-function 'cj/gate--mod-run))
            (answer nil))
        (mishap--with-prompts
          (cl-letf (((symbol-function 'cj/gate--mod-run)
                     (lambda (plan aside)
                       (funcall (if aside mishap run) plan aside))))
            (cj/gh-call (approval-merge 1) (lambda (text) (setq answer text)))
            (lab-wait (lambda () (or answer cj/gate-confirm--queue)))
            (should-not answer)
            (let ((text (mishap--asked-text)))
              (should (string-prefix-p "Squash and merge #1 " text))
              (should (string-match-p
                       "^  Unread .*(the read could not be started)"
                       (replace-regexp-in-string "\n            " " " text)))))
          (should-not (lab-mutations lab)))))))

(ert-deftest approval-asks-where-the-read-before-it-cannot-be-planned ()
  (lab-with (_)
    (let ((plan (symbol-function 'cj/gate--mod-plan))
          (answer nil))
      (mishap--with-prompts
        (cl-letf (((symbol-function 'cj/gate--mod-plan)
                   (lambda (program argv &rest more)
                     (if (equal (elt argv 0) "api")
                         (error "No plan")
                       (apply plan program argv more)))))
          (cj/gh-call (approval-merge 1) (lambda (text) (setq answer text)))
          (lab-wait (lambda () (or answer cj/gate-confirm--queue)))
          (should-not answer)
          (should (string-match-p "^  Unread " (mishap--asked-text))))))))

(ert-deftest approval-is-not-asked-for-what-is-refused-once-its-head-is-known ()
  ;; The policy changes while the pull request is read.
  (lab-with (lab)
    (let ((answer nil)
          (cj/gh-policy cj/gh-policy))
      (mishap--with-prompts
        (cj/gh-call '("pr" "merge" "1" "--squash" "-R" "slow-1500/demo")
                    (lambda (text) (setq answer text)))
        (lab-wait (lambda () (cl-some #'cj/gate--job-looks cj/gate--jobs)))
        (setq cj/gh-policy '((read . auto) (write . block) (unknown . block)
                             (destructive . block) (blocked . block)))
        (lab-wait (lambda () (or answer cj/gate-confirm--queue)))
        (should-not cj/gate-confirm--queue)
        (should (string-match-p "\\`\\[gh [^]]* write blocked policy-blocked " answer))
        (should-not (lab-mutations lab))))))

(provide 'approval-mishap-tests)

;;; approval-mishap-tests.el ends here
