;;; approval-focus-tests.el --- The focus stays in the chat under every window rule -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A person types into the chat while an approval appears, under window rules
;; and hooks that select windows and make frames.  Everything typed, even the
;; keys of a yes, goes to the chat.  When the person enters the approval, the
;; pause begins after which a yes counts.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defconst approval-focus-rules
  '((select-by-body
     (("\\*cj-gate approval\\*" nil (body-function . select-window))))
    (select-frame-by-body
     (("\\*cj-gate approval\\*" (display-buffer-pop-up-window)
       (body-function . (lambda (window)
                          (select-frame-set-input-focus (window-frame window))
                          (select-window window))))))
    ;; Emacs 28 ignores `post-command-select-window' and shows the buffer.
    (select-after-command
     ((".*" nil (post-command-select-window . t))))
    (pop-up-frame
     (("\\*cj-gate approval\\*" (display-buffer-pop-up-frame))))
    (pop-up-frame-selected
     (("\\*cj-gate approval\\*" (display-buffer-pop-up-frame)
       (post-command-select-window . t)
       (body-function . (lambda (window)
                          (select-frame-set-input-focus (window-frame window)))))))
    (pop-up-frames nil (setq pop-up-frames t))
    (full-frame
     (("\\*cj-gate approval\\*" (display-buffer-full-frame))))
    (full-frame-here
     (("\\*cj-gate approval\\*" (display-buffer-full-frame)
       (inhibit-same-window . nil))))
    (same-window
     (("\\*cj-gate approval\\*" (display-buffer-same-window))))
    (same-window-here
     (("\\*cj-gate approval\\*" (display-buffer-same-window)
       (inhibit-same-window . nil))))
    (side-of-20-columns
     (("\\*cj-gate approval\\*" (display-buffer-in-side-window)
       (side . left) (window-width . 20) (body-function . select-window))))
    (dedicated
     (("\\*cj-gate approval\\*" (display-buffer-below-selected) (dedicated . t)
       (body-function . select-window))))
    (dedicated-chat nil (set-window-dedicated-p (get-buffer-window "chat") t))
    (obeyed-by-switch
     ((".*" nil (body-function . select-window)))
     (setq switch-to-buffer-obey-display-actions t))
    (selected-by-hook nil
     (add-hook 'window-configuration-change-hook #'lab-select))
    (selected-by-state-hook nil
     (add-hook 'window-state-change-hook #'lab-select))
    (selected-by-buffer-hook nil
     (add-hook 'window-buffer-change-functions #'lab-select)))
  "Window rules: (NAME VALUE FORM...).
VALUE is a value of `display-buffer-alist'; the FORMs are evaluated after it is
set.")

(defconst approval-focus-init
  `((defun lab-select (&rest _)
      (let ((window (get-buffer-window "*cj-gate approval*" t)))
        (when window (select-window window))))
    (defvar lab-rules ',approval-focus-rules)
    (defun lab-rule ()
      (interactive)
      (pcase-let ((`(,name ,value . ,forms) (pop lab-rules)))
        (remove-hook 'window-configuration-change-hook #'lab-select)
        (remove-hook 'window-state-change-hook #'lab-select)
        (remove-hook 'window-buffer-change-functions #'lab-select)
        (set-window-dedicated-p (selected-window) nil)
        (switch-to-buffer "chat")
        (delete-other-windows)
        (goto-char (point-max))
        (setq display-buffer-alist value
              pop-up-frames nil
              switch-to-buffer-obey-display-actions nil)
        (mapc (lambda (form) (eval form t)) forms)
        (message "rule: %s" name)))
    (global-set-key [f6] #'lab-rule))
  "Forms that bind F6 to a command; the command applies the next rule.")

(defun approval-focus-check (terminal lab name number)
  "Check in TERMINAL on LAB that the rule NAME leaves the focus in the chat.
NUMBER, from 1, counts the rules; under this one the model asks to merge pull
request 100 + NUMBER."
  (lab-terminal-keys terminal "F6")
  (lab-terminal-wait-told terminal :messages (format "rule: %s$" name))
  (lab-terminal-wait-told terminal :selected "\\`chat\\'")
  (approval-send terminal (format "merge %d" number))
  ;; Type until the approval is there, and five words more.
  (let ((typed (format "so %d:" number)) (word 0) (words 0))
    (lab-terminal-type terminal typed)
    (while (and (< word 5) (< words 100))
      (unless (string-match-p (format "\"%d\"" (+ 100 number))
                              (format "%s" (lab-terminal-told terminal :asked)))
        (setq word 0))
      (setq word (1+ word)
            words (1+ words)
            typed (concat typed "ab"))
      (lab-terminal-type terminal "a")
      (lab-terminal-keys terminal "C-c" "C-c")
      (lab-terminal-type terminal "b")
      (sleep-for 0.1))
    (lab-terminal-wait-told terminal :chat (concat typed "$"))
    (lab-terminal-fresh terminal)
    (should (= word 5))
    (should (equal (lab-terminal-told terminal :selected) "chat"))
    (should (equal (lab-terminal-told terminal :frames) 1))
    (should (member "chat" (lab-terminal-told terminal :windows)))
    (should-not (string-match-p "Not yet\\|Approved"
                                (approval-focus-said terminal name)))
    (should (= (length (lab-mutations lab)) (1- number)))))

(defun approval-focus-said (terminal name)
  "Return the messages in TERMINAL since the rule NAME was applied."
  (let ((said (lab-terminal-told terminal :messages)))
    (substring said (string-match (format "rule: %s$" name) said))))

(defun approval-focus-enter (terminal lab name number)
  "Enter the approval in TERMINAL under the rule NAME and press the yes twice.
The first yes comes too early, the second in time.  NUMBER is that of the rule,
from 1, and so the number of mutations that LAB sees in the end."
  (lab-terminal-keys terminal "C-x" "o" "C-c" "C-c")
  (lab-terminal-wait terminal
                     (lambda () (string-match-p "Not yet: "
                                                (approval-focus-said terminal name))))
  (approval-enter terminal)
  (should (= (length (lab-mutations lab)) (1- number)))
  (lab-terminal-keys terminal "C-c" "C-c")
  (lab-terminal-wait-told terminal :chat (format "over %d" number))
  (should (= (length (lab-mutations lab)) number)))

(ert-deftest approval-leaves-the-focus-in-the-chat-under-every-window-rule ()
  (lab-terminal-with (terminal lab
                               (cl-loop for number from 1 to (length approval-focus-rules)
                                        collect (append (approval-turn (approval-merge (+ 100 number)))
                                                        '(:delay_ms 300))
                                        collect (list :text (format "over %d" number)))
                               :stream t :width 100 :height 66
                               :init approval-focus-init)
    (cl-loop for (name) in approval-focus-rules
             for number from 1
             do (ert-info ((format "%s" name))
                  (approval-focus-check terminal lab name number)
                  (approval-focus-enter terminal lab name number)))))

(provide 'approval-focus-tests)

;;; approval-focus-tests.el ends here
