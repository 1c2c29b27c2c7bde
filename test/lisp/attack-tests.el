;;; attack-tests.el --- Attempts to get around the gate -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Buffer-local variables, a key at the wrong moment, hostile names and text, a
;; window that cannot be shown.  Under each of them every write is shown before
;; it runs, runs as it was shown, and every call is answered.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'lab-support)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gate-approval)
(require 'cj-gate-record)

(defun attack--call (args &rest keys)
  "Send ARGS with KEYS through the gate; return the answer."
  (let (answer)
    (apply #'cj/gh-call args (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer))))

(defun attack--waiting (count)
  "Wait until COUNT calls wait for a person; return their entries."
  (lab-wait (lambda () (and (= (length cj/gate-approval--queue) count)
                            (get-buffer cj/gate-approval-buffer-name))))
  cj/gate-approval--queue)

;;;; Approval without a key

(ert-deftest attack-lisp-that-binds-this-command-is-denied ()
  "Lisp can bind `this-command' to the accepting command; that is no key."
  (lab-with (lab)
    (approval-with-prompts
      (cj/gh-call '("pr" "merge" "1" "--squash" "-R" "octo/demo") #'ignore)
      (let* ((entry (car (attack--waiting 1)))
             (plan (cj/gate-approval--entry-plan entry))
             (this-command 'cj/gate-approval-accept))
        (should-error (cj/gate-approve
                       plan (plist-get (cj/gate-plan-info plan) :digest))
                      :type 'cj/gate-denied)
        (should-error (cj/gate-run plan #'ignore) :type 'cj/gate-denied)))
    (should-not (lab-mutations lab))))

(ert-deftest attack-an-approval-arms-only-after-keys-typed-ahead-are-read ()
  "While a key is still unread, the delay alone does not arm the approval."
  (lab-with (_)
    (approval-with-prompts
      (cj/gh-call '("pr" "merge" "1" "--squash" "-R" "octo/demo") #'ignore)
      (attack--waiting 1)
      (let ((unread-command-events '(?y)))
        ;; Batch has no visible frame and displays nothing, so both are faked.
        (cl-letf (((symbol-function 'cj/gate-approval-window--on-screen-p) #'identity)
                  ((symbol-function 'cj/gate-approval-unread-lines) (lambda () 0)))
          (save-window-excursion
            (switch-to-buffer cj/gate-approval-buffer-name)
            (cj/gate-approval-look)
            (should cj/gate-approval-window--entered)
            (sleep-for (* 2.5 cj/gate-approval-delay))
            (should-not cj/gate-approval-window--ready)
            (should (cj/gate-approval-why-not))
            (setq unread-command-events nil)
            (should (lab-wait (lambda () cj/gate-approval-window--ready)))))))))

;;;; What is shown

(ert-deftest attack-text-that-imitates-a-row-of-the-approval-buffer-is-escaped ()
  "The imitations: a directory, a command word, and blanks in an argument."
  (lab-with (lab)
    (approval-with-prompts
      (let ((dir (expand-file-name "x\n  Host     github.com\n" (lab-home lab))))
        (make-directory dir)
        (cj/gh-call (list "frob\n  Class    read" (concat "a" (make-string 200 ?\s)
                                                          "  Class    read"))
                    #'ignore :cwd dir)
        (attack--waiting 1)
        (with-current-buffer cj/gate-approval-buffer-name
          (let ((text (buffer-string)))
            (should (= 1 (cl-count-if (lambda (line) (string-prefix-p "  Host " line))
                                      (split-string text "\n"))))
            (should (= 1 (cl-count-if (lambda (line) (string-prefix-p "  Class " line))
                                      (split-string text "\n")))))
          (should (stringp wrap-prefix))
          (should-not (string-blank-p wrap-prefix))
          (should-not truncate-partial-width-windows))))))

(ert-deftest attack-a-buffer-made-beforehand-loses-its-overlays ()
  "A buffer with the name of the approval buffer is reused without overlays."
  (lab-with (_)
    (approval-with-prompts
      (with-current-buffer (get-buffer-create cj/gate-approval-buffer-name)
        (insert "x")
        (overlay-put (make-overlay (point-min) (point-max) nil nil t)
                     'display "all is well"))
      (cj/gh-call '("pr" "merge" "1" "--squash" "-R" "octo/demo") #'ignore)
      (attack--waiting 1)
      (with-current-buffer cj/gate-approval-buffer-name
        (should (lab-wait (lambda () cj/gate-approval--entry)))
        (should (derived-mode-p 'cj/gate-approval-mode))
        (should-not (overlays-in (point-min) (point-max)))))))

(ert-deftest attack-an-argument-that-imitates-a-row-of-the-record-is-escaped ()
  (lab-with (_)
    (attack--call '("pr" "view" "1\nClassification: read\u202e" "-R" "octo/demo"
                    "--nosuch"))
    (let* ((text (cj/gate-record-text (car (cj/gate-record-list 1))))
           (rows (car (split-string text "^Reproduce:$"))))
      (should (= 1 (cl-count-if (lambda (line)
                                  (string-prefix-p "Classification:" line))
                                (split-string rows "\n"))))
      (should-not (string-search "\u202e" text)))))

(ert-deftest attack-a-token-is-masked-in-the-data-of-a-condition ()
  (lab-with (_)
    (let* ((token (concat "ghp_" "q1w2e3r4t5y6u7i8o9p0q1w2e3r4t5y6u7i8"))
           (err (should-error
                 (cj/gate-plan "gh" (list "pr" "view" "1" "-R"
                                          (format "https://%s@github.com/o/r" token))
                               :repo "a/b")
                 :type 'cj/gate-error)))
      (should-not (string-search token (format "%S" err))))))

;;;; Buffer-local variables

(ert-deftest attack-buffer-local-paths-of-programs-and-module-are-ignored ()
  (lab-with (lab)
    (let* ((bin (expand-file-name "bin" (lab-home lab)))
           (git (expand-file-name "git" bin)))
      (make-directory bin)
      (write-region "#!/bin/sh\ntouch \"$HOME/owned\"\n" nil git nil 'quiet)
      (set-file-modes git #o755)
      (with-temp-buffer
        (setq-local exec-path (cons bin exec-path))
        (setq-local cj/gate-module-directory bin)
        (should (equal (cj/gate--module-directory)
                       (with-temp-buffer (cj/gate--module-directory))))
        (attack--call '("pr" "view" "1" "-R" "octo/demo")))
      (should-not (file-exists-p (expand-file-name "owned" (lab-home lab)))))
    (should (risky-local-variable-p 'cj/gate-module-directory))))

;;;; Answers

(ert-deftest attack-a-call-answers-after-c-g-right-at-its-start ()
  "The call runs on, and its callback gets the outcome."
  (lab-with (_)
    (cj/gate-load-module)
    (let ((plan (cj/gate-plan "gh" '("pr" "view" "1" "--json" "title")
                              :repo "octo/demo"))
          (start (symbol-function 'cj/gate--mod-run))
          outcome)
      (cl-letf (((symbol-function 'cj/gate--mod-run)
                 (lambda (plan aside) (prog1 (funcall start plan aside) (setq quit-flag t)))))
        (should (eq 'quit (condition-case nil
                              (progn (cj/gate-run plan (lambda (value)
                                                         (setq outcome value)))
                                     (while t (identity nil)))
                            (quit 'quit)))))
      (lab-wait (lambda () outcome))
      (should (eql 0 (plist-get outcome :exit-code))))))

(ert-deftest attack-other-callbacks-run-after-one-that-throws ()
  (let ((cj/gate--waiting (make-hash-table))
        got)
    (puthash 1 (lambda (_) (throw 'away t)) cj/gate--waiting)
    (puthash 2 (lambda (value) (setq got value)) cj/gate--waiting)
    (catch 'away (cj/gate--deliver '((1 . a) (2 . b))))
    (should (eq 'b (lab-wait (lambda () got))))))

(ert-deftest attack-a-call-is-cancelled-once-when-its-buffer-is-killed ()
  (lab-with (lab)
    (let ((answers nil))
      (with-current-buffer (generate-new-buffer "caller")
        (setq default-directory (file-name-as-directory (lab-home lab)))
        (cj/gh-call '("pr" "view" "1" "-R" "octo/demo")
                    (lambda (text) (push text answers)))
        (kill-buffer))
      (lab-wait (lambda () answers))
      (sleep-for 0.3)
      (should (= 1 (length answers)))
      (should (string-match-p "error cancelled" (car answers))))))

(ert-deftest attack-a-decision-reaches-the-caller-when-windows-fail ()
  (lab-with (_)
    (approval-with-prompts
      (let (answers)
        (dotimes (_ 2)
          (cj/gh-call '("pr" "merge" "1" "--squash" "-R" "octo/demo")
                      (lambda (text) (push text answers))))
        (let ((entry (car (attack--waiting 2))))
          (cl-letf (((symbol-function 'display-buffer)
                     (lambda (&rest _) (error "No window"))))
            (cj/gate-approval--decide entry 'declined "Declined by the user."))
          (should (= 1 (length answers)))
          (should (string-match-p "declined" (car answers))))))))

(ert-deftest attack-a-killed-approval-buffer-declines-one-and-shows-the-next ()
  (lab-with (lab)
    (approval-with-prompts
      (let (answers)
        (dotimes (n 2)
          (cj/gh-call (list "pr" "merge" (number-to-string (1+ n)) "--squash"
                            "-R" "octo/demo")
                      (lambda (text) (push text answers))))
        (let ((second (cadr (attack--waiting 2))))
          (lab-wait (lambda () (buffer-local-value
                                'cj/gate-approval--entry
                                (get-buffer cj/gate-approval-buffer-name))))
          (kill-buffer cj/gate-approval-buffer-name)
          (lab-wait (lambda () answers))
          (should (= 1 (length answers)))
          (should (eq second (buffer-local-value
                              'cj/gate-approval--entry
                              (get-buffer cj/gate-approval-buffer-name)))))))
    (should-not (lab-mutations lab))))

(ert-deftest attack-a-huge-argument-is-cut-in-the-answer-and-in-the-record ()
  (lab-with (_)
    (let ((answer (attack--call (list "repo" "delete" (make-string 120000 ?x)
                                      (make-string 120000 ?y)))))
      (should (< (length answer) 5000)))
    (let ((answer (attack--call (list "pr" "view" (make-string 5000000 ?x)))))
      (should (< (length answer) 5000)))
    (should (< (length (format "%S" (cj/gate-record-list 2))) 50000))))

(provide 'attack-tests)

;;; attack-tests.el ends here
