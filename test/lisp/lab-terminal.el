;;; lab-terminal.el --- A real Emacs on a terminal, with typed keys -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Only typed keys can test an approval.  This starts the Emacs that runs the
;; tests once more, as `emacs -nw' in a tmux, shows a gptel chat with the lab's
;; model, types into it and reads its screen.
;;
;; Five times a second the Emacs in tmux also writes its state to a file, since
;; not everything fits on a screen.  The file goes one way: only a key makes
;; that Emacs do something.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)

(cl-defstruct lab-terminal "An Emacs on a terminal." lab socket)

(defun lab-terminal-emacs ()
  "Return the command that starts the running Emacs once more.
For an Emacs that `make deps' unpacked this is a script, which tells Emacs where
its parts are."
  (let* ((binary (file-truename (expand-file-name invocation-name
                                                  invocation-directory)))
         (list (expand-file-name ".deps/emacs/list" lab-root)))
    (or (and (file-exists-p list)
             (with-temp-buffer
               (insert-file-contents list)
               (cl-find-if
                (lambda (script)
                  (and (string-prefix-p (file-truename (expand-file-name
                                                        ".deps/emacs/" lab-root))
                                        (file-truename script))
                       (string-prefix-p (file-name-directory (file-truename script))
                                        binary)))
                (split-string (buffer-string) "\n" t))))
        binary)))

(defun lab-terminal--tmux (terminal &rest args)
  "Call tmux with ARGS for TERMINAL; return what it prints."
  (with-temp-buffer
    (let* ((coding-system-for-read 'utf-8)
           (coding-system-for-write 'utf-8)
           (status (apply #'call-process "tmux" nil t nil "-u" "-f" "/dev/null"
                          "-S" (lab-terminal-socket terminal) args)))
      (unless (eql status 0)
        (error "The command tmux %s failed: %s" (car args) (buffer-string)))
      (buffer-string))))

(defun lab-terminal--init (lab options)
  "Return the forms that the Emacs of a terminal on LAB loads, with OPTIONS."
  `((load ,(expand-file-name "test/setup/init.el" lab-root) nil t)
    (setq inhibit-startup-screen t
          initial-scratch-message nil
          ring-bell-function #'ignore
          make-backup-files nil
          auto-save-default nil
          create-lockfiles nil
          confirm-kill-processes nil
          eval-expression-debug-on-error nil
          cj/gh-executable ,(lab-gh)
          cj/gate-cwd-roots '(,(lab-home lab)))
    (require 'gptel)
    (require 'gptel-openai)
    (require 'cj-gh)
    (cj/gh-register)
    (setq gptel-default-mode 'text-mode
          gptel-display-buffer-action '(display-buffer-same-window)
          gptel-stream ,(plist-get options :stream)
          gptel-use-curl t
          gptel-use-tools t
          gptel-confirm-tool-calls ',(plist-get options :confirm)
          gptel-expert-commands nil
          gptel-model 'lab
          gptel-backend
          (gptel-make-openai "lab"
            :host ,(format "127.0.0.1:%d" (lab-port lab))
            :protocol "http" :endpoint "/v1/chat/completions" :key "none"
            :stream ,(plist-get options :stream) :models '(lab))
          gptel-tools (mapcar #'gptel-get-tool '("gh" "gh_pr_view")))
    ;; The state that this Emacs writes; a test learns nothing else from it.
    (defun lab-of-approval (what)
      (and (get-buffer "*cj-gate approval*")
           (with-current-buffer "*cj-gate approval*"
             (and (bound-and-true-p cj/gate-approval--entry) (funcall what)))))
    (defun lab-asked-about ()
      (prin1-to-string
       (plist-get (cj/gate-approval--entry-info cj/gate-approval--entry) :argv)))
    (defun lab-tell ()
      (let ((inhibit-message t)
            (print-length nil) (print-level nil)
            (coding-system-for-write 'utf-8-emacs))
        (write-region
         (prin1-to-string
          (list :at (float-time)
                :chat (if (get-buffer "chat")
                          (with-current-buffer "chat"
                            (buffer-substring-no-properties (point-min) (point-max))))
                :approval (if (get-buffer "*cj-gate approval*")
                              (with-current-buffer "*cj-gate approval*"
                                (buffer-substring-no-properties (point-min) (point-max))))
                :messages (with-current-buffer (messages-buffer)
                            (buffer-substring-no-properties (point-min) (point-max)))
                :selected (buffer-name (window-buffer (selected-window)))
                :windows (mapcar (lambda (window) (buffer-name (window-buffer window)))
                                 (window-list nil 'nomini))
                :frames (length (frame-list))
                :armed (lab-of-approval
                        (lambda ()
                          (and cj/gate-approval-window--ready (lab-asked-about))))
                :asked (lab-of-approval #'lab-asked-about)
                :unread (lab-of-approval #'cj/gate-approval-unread-lines)
                :asked-by-gptel lab-asked-by-gptel))
         nil ,(lab-file lab "told.new") nil 'quiet)
        (rename-file ,(lab-file lab "told.new") ,(lab-file lab "told") t)))
    (defvar lab-asked-by-gptel 0)
    (advice-add 'gptel--display-tool-calls :before
                (lambda (&rest _) (setq lab-asked-by-gptel (1+ lab-asked-by-gptel))))
    (run-at-time 0 0.2 #'lab-tell)
    ;; Leave once the process of the test is gone.
    (run-at-time 2 2 (lambda ()
                       (unless (file-directory-p ,(format "/proc/%d" (emacs-pid)))
                         (kill-emacs))))
    (setq default-directory ,(file-name-as-directory (lab-home lab)))
    ,@(plist-get options :init)
    (let ((chat (gptel "chat")))
      (switch-to-buffer chat)
      (delete-other-windows)
      (setq default-directory ,(file-name-as-directory (lab-home lab))))
    (message "ready for keys")))

(defun lab-terminal-start (lab &rest options)
  "Start an Emacs on a terminal, with a chat on LAB's model; return it.
OPTIONS is a plist: :confirm, the value of `gptel-confirm-tool-calls'; :stream,
whether the model streams; :init, forms that are loaded before the chat is
opened; :width and :height of the terminal, 100 and 40 by default.
The test that calls this is skipped where there is no tmux."
  (unless (executable-find "tmux")
    (ert-skip "There is no tmux to type through; `make deps' installs it"))
  (let ((terminal (make-lab-terminal :lab lab :socket (lab-file lab "tmux")))
        (init (lab-file lab "terminal.el"))
        (process-environment
         (append (list "SHELL=/bin/sh")
                 (cl-remove "TERM=dumb" (lab-environment lab) :test #'equal))))
    (with-temp-file init
      (let ((print-length nil) (print-level nil) (print-quoted t)
            (coding-system-for-write 'utf-8-emacs))
        (insert ";;; -*- lexical-binding: t; -*-\n")
        (dolist (form (lab-terminal--init lab options))
          (prin1 form (current-buffer))
          (insert "\n"))))
    (lab-terminal--tmux
     terminal "new-session" "-d"
     "-x" (number-to-string (or (plist-get options :width) 100))
     "-y" (number-to-string (or (plist-get options :height) 40))
     (concat "exec "
             (mapconcat #'shell-quote-argument
                        (list (lab-terminal-emacs) "-nw" "-Q" "-l" init) " ")))
    (condition-case err
        (lab-terminal-wait terminal (lambda ()
                                      (equal (lab-terminal-told terminal :selected)
                                             "chat"))
                           60)
      (error (lab-terminal-stop terminal)
             (signal (car err) (cdr err))))
    terminal))

(defun lab-terminal-stop (terminal)
  "End TERMINAL and its Emacs; return when both processes are gone."
  (let ((pids (ignore-errors
                (mapcar #'string-to-number
                        (split-string (lab-terminal--tmux
                                       terminal "list-panes" "-a" "-F" "#{pane_pid} #{pid}"))))))
    (ignore-errors (lab-terminal--tmux terminal "kill-server"))
    (let ((deadline (time-add nil 5))
          (left (lambda () (cl-some (lambda (pid) (file-exists-p (format "/proc/%d" pid)))
                                    pids))))
      (while (and (funcall left) (time-less-p nil deadline))
        (sleep-for 0.02))
      (when (funcall left)
        (dolist (pid pids) (signal-process pid 'SIGKILL))
        (sleep-for 0.2)))))

(defun lab-terminal-keys (terminal &rest keys)
  "Press KEYS in TERMINAL, each as tmux names it: \"C-x\", \"o\", \"Enter\"."
  (apply #'lab-terminal--tmux terminal "send-keys" keys))

(defun lab-terminal-type (terminal text)
  "Type TEXT in TERMINAL, as it is."
  (lab-terminal--tmux terminal "send-keys" "-l" "--" text))

(defun lab-terminal-resize (terminal width height)
  "Make TERMINAL WIDTH columns wide and HEIGHT lines high."
  (lab-terminal--tmux terminal "resize-window"
                      "-x" (number-to-string width) "-y" (number-to-string height)))

(defun lab-terminal-screen (terminal)
  "Return what the screen of TERMINAL shows, a string of lines."
  (lab-terminal--tmux terminal "capture-pane" "-p"))

(defun lab-terminal-told (terminal key)
  "Return the value of KEY in the state that the Emacs in TERMINAL last wrote.
KEY is
:at        the time of writing, in seconds
:chat, :approval or :messages   the text of that buffer
:selected  the name of the buffer in the selected window
:windows   the names of the buffers in all windows
:frames    the number of frames
:asked     the printed argv of the call that the approval buffer shows
:armed     the same argv, if a yes would count now; else nil
:unread    how many lines of the approval were never displayed
:asked-by-gptel   how often gptel itself asked for a yes"
  (let ((file (lab-file (lab-terminal-lab terminal) "told")))
    (when (file-exists-p file)
      (with-temp-buffer
        (let ((coding-system-for-read 'utf-8-emacs))
          (insert-file-contents file))
        (plist-get (read (current-buffer)) key)))))

(defun lab-terminal-wait (terminal test &optional seconds)
  "Wait until the function TEST returns non-nil; return its value.
After SECONDS, 30 by default, signal an error that has the screen of TERMINAL."
  (condition-case nil
      (lab-wait test (or seconds 30))
    (error (error "In vain: %S\n%s\n%s" test (ignore-errors (lab-terminal-screen terminal))
                  (lab-terminal-told terminal :messages)))))

(defun lab-terminal-fresh (terminal)
  "Wait until the Emacs in TERMINAL has written its state once more."
  (let ((now (float-time)))
    (lab-terminal-wait terminal
                       (lambda () (> (lab-terminal-told terminal :at) now)))))

(defun lab-terminal-wait-screen (terminal regexp &optional seconds)
  "Wait until the screen of TERMINAL matches REGEXP, at most SECONDS (30)."
  (lab-terminal-wait terminal
                     (lambda () (string-match-p regexp (lab-terminal-screen terminal)))
                     seconds))

(defun lab-terminal-wait-told (terminal key regexp &optional seconds)
  "Wait until KEY in the state of TERMINAL matches REGEXP.
KEY is as in `lab-terminal-told'.  Wait at most SECONDS (30)."
  (lab-terminal-wait
   terminal
   (lambda ()
     (string-match-p regexp (format "%s" (lab-terminal-told terminal key))))
   seconds))

(defmacro lab-terminal-with (spec &rest body)
  "Run BODY with a lab and an Emacs on a terminal.
SPEC is (TERMINAL LAB SCRIPT OPTION...); see `lab-terminal-start'.
The option :world is the WORLD of `lab-start'."
  (declare (indent 1))
  `(lab-with (,(nth 1 spec) ,(nth 2 spec) ,(plist-get (nthcdr 3 spec) :world))
     (let ((,(nth 0 spec) (lab-terminal-start ,(nth 1 spec) ,@(nthcdr 3 spec))))
       (unwind-protect (progn ,@body)
         (lab-terminal-stop ,(nth 0 spec))))))

(provide 'lab-terminal)

;;; lab-terminal.el ends here
