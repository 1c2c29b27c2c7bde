;;; approval-focus-tests.el --- No rule of windows hands the focus over -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A person types into the chat while an approval appears, under rules and
;; hooks that select windows and make frames.  What they type goes to the chat,
;; the keys of a yes among it; and once they go to the approval, the moment
;; after which a yes counts begins.

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
    ;; Emacs 28 does not know the first of these, and shows the buffer anyhow.
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
  "Rules: (NAME VALUE FORM...), VALUE for `display-buffer-alist'.")

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
  "Forms for the key F6, which goes on to the next rule.")

(defun approval-focus-cell (terminal lab name number)
  "Check the rule NAME in TERMINAL on LAB with its merge, that of that NUMBER."
  (lab-terminal-keys terminal "F6")
  (lab-terminal-wait-told terminal :messages (format "rule: %s$" name))
  (lab-terminal-wait-told terminal :selected "\\`chat\\'")
  (approval-send terminal (format "merge %d" number))
  ;; Typed on until it is there, and beyond.
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
  "Return what was said in TERMINAL since the rule NAME began to hold."
  (let ((said (lab-terminal-told terminal :messages)))
    (substring said (string-match (format "rule: %s$" name) said))))

(defun approval-focus-enter (terminal lab name number)
  "Enter the approval under the rule NAME in TERMINAL; say yes too early, then yes.
It is the merge of that NUMBER on LAB."
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
                  (approval-focus-cell terminal lab name number)
                  (approval-focus-enter terminal lab name number)))))

(provide 'approval-focus-tests)

;;; approval-focus-tests.el ends here
