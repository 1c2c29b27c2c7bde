;;; first-call-tests.el --- README.org leads to an approved write -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A new user has a home directory without cj-gate, an Emacs in which gptel has
;; a model, and a gh that is logged in.  This test does what README.org says, in
;; its words: it runs the lines for a terminal, puts the Lisp into the init
;; file, types the two questions, and presses the keys.  The model, GitHub and
;; cargo are stand-ins.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-gptel)
(require 'lab-home)
(require 'lab-terminal)
(require 'manual-readme)

(defun first-call-tests--questions ()
  "Return the questions that README.org says to ask, about acme/tables."
  (with-temp-buffer
    (insert (manual-readme--file "README.org"))
    (goto-char (point-min))
    (re-search-forward "^\\* First call$")
    (let ((questions nil))
      (while (re-search-forward "“\\([^”]+\\)”" nil t)
        (push (replace-regexp-in-string "OWNER/REPO" "acme/tables"
                                        (match-string 1) t t)
              questions))
      (nreverse questions))))

(defconst first-call-tests--script
  (list (lab-ask "gh_issue_list" :repo "acme/tables")
        '(:text "One issue is open.")
        (lab-ask "gh" :repo "acme/tables"
                 :args ["issue" "comment" "2" "--body" "Hello from cj-gate"])
        '(:text "I wrote the comment."))
  "The turns of the model that answer the two questions.")

(defun first-call-tests--settle (dir lab)
  "Install the package in the home in DIR as README.org says.
Before that, give the home what a reader of README.org has: gh on the PATH and a
gptel with the model of LAB."
  (make-symbolic-link (lab-gh) (expand-file-name "bin/gh" dir))
  (let ((process-environment (lab-home-environment dir))
        (default-directory (expand-file-name "home/" dir)))
    (should (eql 0 (call-process "sh" nil nil nil "-e" "-c"
                                 (car (lab-home-readme-blocks "sh"))))))
  (lab-home-init
   dir
   (concat (prin1-to-string
            `(with-eval-after-load 'gptel
               (require 'gptel-openai)
               (setq gptel-model 'lab
                     gptel-backend
                     (gptel-make-openai "lab"
                       :host ,(format "127.0.0.1:%d" (lab-port lab))
                       :protocol "http" :endpoint "/v1/chat/completions"
                       :key "none" :stream t :models '(lab)))))
           "\n"
           (car (lab-home-readme-blocks "emacs-lisp")))
   (lab-home-packages)
   ;; As package.el leaves gptel: its command is known, nothing is loaded.
   '(autoload 'gptel "gptel" nil t)))

(defun first-call-tests--start (dir lab)
  "Start Emacs on a terminal in the home of DIR; return the terminal.
Its gh is logged in to LAB's GitHub."
  (unless (executable-find "tmux")
    (ert-skip "There is no tmux to type through; `make deps' installs it"))
  (let ((terminal (make-lab-terminal :lab lab :socket (lab-file lab "tmux")))
        (process-environment
         (lab-home-environment
          dir "SHELL=/bin/sh" "LANG=C.UTF-8"
          (concat "GH_CONFIG_DIR=" (lab-file lab "gh-config"))
          (concat "GH_TOKEN=" (cdr (assoc "github" lab-tokens))))))
    (lab-terminal--tmux terminal "new-session" "-d" "-x" "100" "-y" "40"
                        "-c" (expand-file-name "home" dir)
                        (format "exec %s -nw --no-site-file"
                                (shell-quote-argument (lab-terminal-emacs))))
    terminal))

(defun first-call-tests--command (terminal command)
  "Type \\[execute-extended-command] COMMAND and RET in TERMINAL."
  (lab-terminal-keys terminal "M-x")
  (lab-terminal-wait-screen terminal "^M-x$")
  (lab-terminal-type terminal command)
  (lab-terminal-keys terminal "Enter"))

(defun first-call-tests--ask (terminal question answer)
  "Type QUESTION at the end of the chat in TERMINAL, send it, await ANSWER."
  (lab-terminal-keys terminal "M->")
  (lab-terminal-type terminal question)
  (lab-terminal-keys terminal "C-c" "Enter")
  (lab-terminal-wait-screen terminal answer 60))

(ert-deftest first-call-readme-names-each-key-and-command-of-the-test ()
  "README.org has two questions, and names each key and command of the test."
  (should (= (length (first-call-tests--questions)) 2))
  (let ((readme (manual-readme--file "README.org")))
    (dolist (typed '("=M-x gptel=" "=C-c RET= sends" "=M->="
                     "=[gate: 1 waiting]=" "=M-x cj/gate-approvals="
                     "=SPC= scrolls" "=C-c C-c= runs the call"))
      (ert-info (typed)
        (should (string-search typed readme))))))

(ert-deftest first-call-readme-leads-to-an-approved-write ()
  "Whoever follows README.org alone approves a comment, and it is made."
  (lab-home-with dir
    (lab-with (lab first-call-tests--script)
      (first-call-tests--settle dir lab)
      (pcase-let ((`(,read ,write) (first-call-tests--questions))
                  (terminal (first-call-tests--start dir lab)))
        (unwind-protect
            (progn
              (lab-terminal-wait-screen terminal "\\*scratch\\*" 60)
              (first-call-tests--command terminal "gptel")
              (lab-terminal-wait-screen terminal "^Create or choose gptel")
              (lab-terminal-keys terminal "Enter")
              (lab-terminal-wait-screen terminal "^lab Ready")
              (first-call-tests--ask terminal read "^One issue is open\\.")
              (should-not (lab-mutations lab))
              (lab-terminal-wait-screen terminal "^lab Ready")
              (first-call-tests--ask terminal write "\\[gate: 1 waiting\\]")
              (first-call-tests--command terminal "cj/gate-approvals")
              ;; The header line says how many lines are left.
              (lab-terminal-wait-screen
               terminal "more lines: SPC\\|C-c C-c run it")
              (let ((pages 0))
                (while (and (string-match-p "more lines: SPC"
                                            (lab-terminal-screen terminal))
                            (< (cl-incf pages) 10))
                  (lab-terminal-keys terminal "Space")
                  (sleep-for 0.3)))
              (lab-terminal-wait-screen terminal "C-c C-c run it")
              (should-not (lab-mutations lab))
              ;; The key counts 0.6 seconds after the window was entered.
              (sleep-for 1)
              (lab-terminal-keys terminal "C-c" "C-c")
              (lab-terminal-wait-screen terminal "^I wrote the comment\\." 60)
              (should (equal (mapcar
                              (lambda (request)
                                (plist-get (plist-get request :graphql)
                                           :fields))
                              (lab-mutations lab))
                             '(("addComment")))))
          (lab-terminal-stop terminal))))))

(provide 'first-call-tests)

;;; first-call-tests.el ends here
