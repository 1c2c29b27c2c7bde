;;; approval-tests.el --- A person's yes, by typed keys -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each test types into a real Emacs, in which the real gptel and the real gh
;; talk to the stand-ins, and counts the mutations that GitHub's stand-in saw.
;; The last tests check that no other way leads to an approval.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

;;;; Declined, timed out, aborted

(ert-deftest approval-declined-by-key-or-by-killing-the-buffer-runs-nothing ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "first over")
                                         (approval-turn (approval-merge 2))
                                         '(:text "second over"))
                               :stream t)
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
    (lab-terminal-wait-told terminal :chat "first over")
    (approval-wait-away terminal)
    (should (string-match-p "^\\[gh github\\.com/octo/demo write declined "
                            (lab-terminal-told terminal :chat)))
    (should (string-match-p "Declined by the user" (lab-terminal-told terminal :chat)))
    (approval-send terminal "once more")
    (approval-wait terminal)
    (lab-terminal-keys terminal "C-x" "o" "C-x" "k" "Enter")
    (lab-terminal-wait-told terminal :chat "second over")
    (approval-wait-away terminal)
    (should (equal (lab-mutations lab) nil))))

(ert-deftest approval-that-waits-too-long-is-declined ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all done"))
                               :stream t
                               :init '((setq cj/gate-approval-max-age 2)))
    (approval-send terminal "merge it")
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    (lab-terminal-wait-told terminal :chat "all done")
    (approval-wait-away terminal)
    (should (string-match-p "declined .*\n.*nobody answered within 2 seconds"
                            (lab-terminal-told terminal :chat)))
    (should (string-match-p "was declined by itself" (lab-terminal-told terminal :messages)))
    (should (equal (lab-mutations lab) nil))))

(ert-deftest approval-goes-away-when-the-request-is-aborted ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "after the abort"))
                               :stream t)
    (approval-send terminal "merge it")
    (approval-wait terminal)
    (lab-terminal-keys terminal "M-x")
    (lab-terminal-type terminal "gptel-abort")
    (lab-terminal-keys terminal "Enter")
    (approval-wait-away terminal)
    (should (equal (lab-mutations lab) nil))
    (should-not (string-match-p "after the abort" (lab-terminal-told terminal :chat)))
    ;; The chat can be used again.
    (lab-terminal-keys terminal "M->")
    (approval-send terminal "go on")
    (lab-terminal-wait-told terminal :chat "after the abort")
    (should (equal (lab-mutations lab) nil))))

;;;; Yes by a key alone

(ert-deftest approval-needs-a-person-s-key-and-refuses-a-macro-and-an-expression ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1))
                                         '(:text "all done"))
                               :stream t
                               :init '((fset 'lab-storm (kbd "C-x o C-c C-c"))
                                       (global-set-key [f6] 'lab-storm)
                                       (fset 'lab-key (kbd "C-c C-c"))
                                       (global-set-key [f7] 'lab-key)))
    (approval-send terminal "merge it")
    ;; The person reads the approval and goes back to the chat.
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-x" "o")
    (lab-terminal-wait-told terminal :selected "chat")
    ;; Everything typed from now on goes to the chat.
    (lab-terminal-type terminal "yes y! ")
    (lab-terminal-keys terminal "y" "Enter" "C-c" "C-c" "y" "C-c" "C-c" "Enter" "y" "e" "s")
    (lab-terminal-type terminal " of course, approve it ")
    (lab-terminal-keys terminal "Enter" "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "yes y! y\ny\nyes of course, approve it\n")
    (should (equal (lab-terminal-told terminal :selected) "chat"))
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    ;; A keyboard macro with the right keys in the right window is refused.
    (lab-terminal-keys terminal "F6")
    (lab-terminal-wait-told terminal :messages "Not yet: read it first")
    (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*")
    (approval-enter terminal)
    (lab-terminal-keys terminal "F7")
    (lab-terminal-wait-told terminal :messages "Not approved: No person can be asked here")
    (should (equal (lab-terminal-told terminal :selected) "*cj-gate approval*"))
    ;; An expression with the arguments of the real command is refused.
    (lab-terminal-keys terminal "M-:")
    (lab-terminal-type
     terminal
     (prin1-to-string
      '(let ((entry (car cj/gate-approval--queue)))
         (condition-case err
             (cj/gate-approve (cj/gate-approval--entry-plan entry)
                              (plist-get (cj/gate-approval--entry-info entry) :digest))
           (cj/gate-denied (message "denied: %s" (cadr err)))))))
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "denied: Only the key in the approval buffer")
    ;; The command itself is refused when an expression calls it.
    (lab-terminal-keys terminal "M-:")
    (lab-terminal-type terminal "(call-interactively 'cj/gate-approval-accept)")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "Not approved: press C-c C-c here")
    ;; The module refuses the expression too, with the check in Lisp replaced.
    (approval-enter terminal)
    (lab-terminal-keys terminal "M-:")
    (lab-terminal-type
     terminal
     (prin1-to-string
      '(cl-letf (((symbol-function 'cj/gate-approval-why-no-key) #'ignore))
         (call-interactively 'cj/gate-approval-accept))))
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "Not approved: Only the key")
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    (should (equal (lab-mutations lab) nil))
    ;; After all this the key of the person still counts.
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (length (lab-mutations lab)) 1))))

(ert-deftest approval-of-three-calls-takes-three-keys-each-after-a-pause ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1)
                                                        (approval-merge 2)
                                                        (approval-merge 3))
                                         '(:text "all done"))
                               :confirm t :stream t :height 70)
    (approval-send terminal "merge them")
    (lab-terminal-wait-screen terminal "gate: 3 waiting")
    (lab-terminal-wait-screen terminal "C-c C-k decline   1 of 3")
    (approval-enter terminal)
    (let ((first (approval-number terminal)))
      ;; The second press comes at once, and hits a call that nobody has read.
      (lab-terminal-keys terminal "C-c" "C-c" "C-c" "C-c")
      (lab-terminal-wait-told terminal :messages "Not yet: read it first")
      (lab-terminal-wait-screen terminal "gate: 2 waiting")
      (lab-terminal-wait terminal (lambda () (lab-mutations lab)))
      (should (equal (length (lab-terminal-told terminal :windows)) 2))
      (sleep-for 1)
      (should (equal (approval-merged lab) (list (format "PR_octo/demo#%s" first))))
      ;; No to the second, yes to the third.
      (let ((second (approval-number terminal)))
        (lab-terminal-keys terminal "C-c" "C-k")
        (lab-terminal-wait-screen terminal "gate: 1 waiting")
        (let ((third (approval-wait-number terminal second)))
          (approval-enter terminal)
          (should (equal (sort (list first second third) #'string<) '("1" "2" "3")))
          (lab-terminal-keys terminal "C-c" "C-c")
          (lab-terminal-wait-told terminal :chat "all done")
          (approval-wait-away terminal)
          (should (equal (approval-merged lab)
                         (list (format "PR_octo/demo#%s" first)
                               (format "PR_octo/demo#%s" third)))))))))

(ert-deftest approval-of-the-next-call-is-shown-when-the-approval-buffer-is-killed ()
  (lab-terminal-with (terminal lab (list (approval-turn (approval-merge 1)
                                                        (approval-merge 2))
                                         '(:text "all done"))
                               :stream t)
    (approval-send terminal "merge them")
    (lab-terminal-wait-screen terminal "gate: 2 waiting")
    (approval-wait terminal)
    (let ((first (approval-number terminal)))
      (lab-terminal-keys terminal "C-x" "o" "C-x" "k" "Enter")
      (lab-terminal-wait-screen terminal "gate: 1 waiting")
      (let ((second (approval-wait-number terminal first)))
        (lab-terminal-fresh terminal)
        (should (equal (lab-terminal-told terminal :selected) "chat"))
        (lab-terminal-keys terminal "M-x")
        (lab-terminal-type terminal "cj/gate-approvals")
        (lab-terminal-keys terminal "Enter")
        (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*")
        (approval-enter terminal)
        (lab-terminal-keys terminal "C-c" "C-c")
        (lab-terminal-wait-told terminal :chat "all done")
        (should (equal (approval-merged lab)
                       (list (format "PR_octo/demo#%s" second))))))))

;;;; No other way to a yes

(ert-deftest approval-in-batch-is-denied-even-with-variables-that-fake-a-key ()
  (lab-with (lab)
    (let* ((plan (cj/gate-plan "gh" (approval-merge 1)))
           (digest (plist-get (cj/gate-plan-info plan) :digest))
           (this-command 'cj/gate-approval-accept)
           (real-this-command this-command)
           (last-command-event ?\C-c)
           (executing-kbd-macro nil)
           (noninteractive nil))
      (should-error (cj/gate-approve plan digest) :type 'cj/gate-denied)
      (should-error (cj/gate-run plan #'ignore) :type 'cj/gate-denied))
    (should (equal (lab-mutations lab) nil))))

(defun approval-places (regexp)
  "Return each line of our sources that REGEXP matches, as \"FILE: LINE\".
Comments, strings in Lisp and Rust unit tests are left out."
  (let (places)
    (dolist (dir '("lisp" "src"))
      (dolist (file (directory-files-recursively (expand-file-name dir lab-root)
                                                 "\\.\\(?:el\\|rs\\)\\'"))
        (with-temp-buffer
          (insert-file-contents file)
          ;; Unit tests stand below the code.
          (when (re-search-forward "^#\\[cfg(test)\\]" nil t)
            (delete-region (match-beginning 0) (point-max)))
          (when (string-suffix-p ".el" file)
            (set-syntax-table emacs-lisp-mode-syntax-table))
          (goto-char (point-min))
          (while (re-search-forward regexp nil t)
            (let ((inside (nth 8 (save-excursion (syntax-ppss (match-beginning 0)))))
                  (line (string-trim (buffer-substring (line-beginning-position)
                                                       (line-end-position)))))
              ;; A comment or a docstring may name the function.
              (unless (if (string-suffix-p ".el" file)
                          inside
                        (string-prefix-p "//" line))
                (push (format "%s: %s" (file-relative-name file lab-root) line)
                      places)))))))
    (nreverse places)))

(ert-deftest approval-has-one-door-and-one-caller ()
  ;; In Lisp only the command on C-c C-c calls `cj/gate-approve', which alone
  ;; calls the module.
  (should (equal (approval-places "(cj/gate-approve\\_>\\|#?'cj/gate-approve\\_>")
                 '("lisp/cj-gate-approval.el: (cj/gate-approve")))
  (should (equal (approval-places "cj/gate--mod-approve\\_>")
                 '("lisp/cj-gate-plan.el: (declare-function cj/gate--mod-approve \"ext:cj-gate-module\")"
                   "lisp/cj-gate-plan.el: (cj/gate--mod-approve plan digest")))
  ;; The command is on its key alone.
  (should (equal (approval-places "cj/gate-approval-accept\\_>")
                 '("lisp/cj-gate-approval.el: (define-key map (kbd \"C-c C-c\") #'cj/gate-approval-accept)"
                   "lisp/cj-gate-approval.el: (defun cj/gate-approval-accept ()"
                   "lisp/cj-gate-approval.el: (cj/gate-approval-why-no-key 'cj/gate-approval-accept))))"
                   "src/emacs/doors/person.rs: \"cj/gate-approval-accept\",")))
  ;; In Rust only the module's door and the making of a lease call
  ;; `Plan::approve', and one line records the approval.
  (should (equal (approval-places "\\.approve(\\|Plan::approve(")
                 '("src/emacs/doors/person.rs: values::plan(plan)?.approve(&digest, Duration::from_secs(max_age))?;"
                   "src/gate/plan/plan.rs: self.approve(digest, max_age)?;")))
  (should (equal (approval-places "approved = Some(")
                 '("src/gate/plan/plan.rs: self.approved = Some((ApprovedBy::Person, stop::stops()));")))
  ;; `cj/gate-lease' has one caller too.
  (should (equal (approval-places "(cj/gate-lease\\_>\\|#?'cj/gate-lease\\_>")
                 '("lisp/cj-gate-approval-lease.el: (cj/gate-lease")))
  (should (equal (approval-places "cj/gate--mod-lease\\_>")
                 '("lisp/cj-gate-plan.el: (declare-function cj/gate--mod-lease \"ext:cj-gate-module\")"
                   "lisp/cj-gate-plan.el: (cj/gate--mod-lease plan digest")))
  (should (equal (approval-places "cj/gate-approval-lease\\_>")
                 '("lisp/cj-gate-approval-lease.el: (cj/gate-approval-why-no-key 'cj/gate-approval-lease))))"
                   "lisp/cj-gate-approval-lease.el: (defun cj/gate-approval-lease (minutes &optional number)"
                   "lisp/cj-gate-approval.el: (autoload 'cj/gate-approval-lease \"cj-gate-approval-lease\" \"Give a lease.\""
                   "lisp/cj-gate-approval.el: (define-key map (kbd \"C-c C-t\") #'cj/gate-approval-lease)"
                   "src/emacs/doors/person.rs: \"cj/gate-approval-lease\",")))
  (should (equal (approval-places "leases::give(")
                 '("src/gate/plan/plan.rs: Ok(leases::give(scope, Duration::from_secs(minutes * 60)))"))))

(provide 'approval-tests)

;;; approval-tests.el ends here
