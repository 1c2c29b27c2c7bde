;;; try.el --- An Emacs at hand, on stand-ins -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; `make try' loads this into an Emacs in the terminal where a person sits.  The
;; gate, gptel and gh are the real ones; GitHub and the model are stand-ins
;; (test/lab/), which end with this Emacs.  Whatever is asked, the model lists
;; the issues of acme/tables and then comments on issue 2, which waits for a key.

;;; Code:

(require 'lab-support)
(require 'gptel)
(require 'gptel-openai)
(require 'cj-gh)

(defvar try-question "Which issues are open in acme/tables?  \
Comment ‘Hello from cj-gate’ on issue 2."
  "The question that stands in the chat when it opens.")

(defvar try-steps "\
GitHub and the model are stand-ins on this machine; Emacs, gptel, gh and the gate are real.
  C-c RET                sends the question; the model's first call reads, so it runs by itself
  M-x cj/gate-approvals  goes to its second call, which writes, so it waits for you
  SPC                    shows more, as long as the line above the call says that lines follow
  C-c C-c                runs the call once; C-c C-k declines it
  M-x cj/gate-records    lists both calls
  C-x C-c                ends this Emacs and the stand-ins"
  "What the person at this Emacs can do.")

(defun try-script ()
  "Return the turns that the model plays, a list."
  '((:tool_calls [(:name "gh_issue_list" :arguments (:repo "acme/tables"))])
    (:tool_calls [(:name "gh" :arguments
                         (:args ["issue" "comment" "2" "--body" "Hello from cj-gate"]
                          :repo "acme/tables"))])
    (:text "The gate's answer to the comment stands above.")))

(defun try-show-steps ()
  "Show `try-steps' in a window at the top of the frame."
  (let ((buffer (get-buffer-create "*try*")))
    (with-current-buffer buffer
      (insert try-steps)
      (goto-char (point-min))
      (special-mode))
    (display-buffer buffer '(display-buffer-in-side-window
                             (side . top) (window-height . fit-window-to-buffer)))))

(defun try ()
  "Open a chat with the model of a lab that ends with this Emacs."
  (let ((lab (lab-start (try-script))))
    (add-hook 'kill-emacs-hook (lambda () (lab-stop lab)))
    (setq process-environment (append (lab-environment lab) process-environment)
          cj/gh-executable (lab-gh)
          cj/gate-cwd-roots (list (lab-home lab))
          default-directory (file-name-as-directory (lab-home lab))
          inhibit-startup-screen t
          confirm-kill-processes nil
          make-backup-files nil
          auto-save-default nil
          gptel-default-mode 'text-mode
          gptel-stream nil
          gptel-model 'lab
          gptel-backend (gptel-make-openai "Stand-in"
                          :host (format "127.0.0.1:%d" (lab-port lab)) :protocol "http"
                          :endpoint "/v1/chat/completions" :key "none"
                          :stream nil :models '(lab)))
    (setq-default gptel-tools (append (cj/gh-register) gptel-tools))
    (switch-to-buffer (gptel "*chat*"))
    (delete-other-windows)
    (setq default-directory (file-name-as-directory (lab-home lab)))
    (goto-char (point-max))
    (insert try-question)
    (try-show-steps)))

(add-hook 'window-setup-hook #'try)

;;; try.el ends here
