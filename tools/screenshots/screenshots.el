;;; screenshots.el --- Pictures of the real buffers -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A conversation of the real gptel and the real gh with stand-ins for GitHub
;; and the model (test/lab/), in an Emacs that draws in a window.  Each command
;; that the manual shows is called, and Emacs itself writes a picture of its
;; frame to docs/images/.
;;
;; The home directory is the lab's, with links to the packages in use, so that
;; a picture shows no directory of this machine; such a directory in a picture
;; is an error.

;;; Code:

(require 'cl-lib)
(require 'lab-support)
(require 'lisp-mnt)

(defvar abbreviated-home-dir)
(defvar gptel-mode)
(defvar cj/gate-approval--queue)
(defvar cj/gate-cwd-roots)
(defvar cj/gate-module-directory)
(defvar cj/gate-version)
(declare-function lab-converse "lab-gptel")
(declare-function lab-ask "lab-gptel")
(declare-function gptel-mode "gptel")
(declare-function x-export-frames "xfns.c")
(declare-function scroll-bar-mode "scroll-bar")
(declare-function tool-bar-mode "tool-bar")
(declare-function cj/gate-approval-unread-lines "cj-gate-approval-window")
(declare-function cj/gate-approvals "cj-gate-approval")
(declare-function cj/gate-approval-decline "cj-gate-approval")
(declare-function cj/gate-stop "cj-gate-stop")
(declare-function cj/gh-audit-search "cj-gh-audit")
(declare-function cj/gh-call "cj-gh")
(declare-function cj/gh-doctor "cj-gh-doctor")
(declare-function cj/gh-explain "cj-gh-explain")
(declare-function cj/gh-tool-last-error "cj-gate-record")
(declare-function cj/gate-runs "cj-gate-runs")

(defconst screenshots-directory (getenv "PICTURES")
  "Where the pictures go.")

(defvar screenshots-columns 96
  "Width of a picture, in characters.")

;;;; Taking a picture

(defun screenshots-settle (&optional seconds)
  "Let timers and processes run for SECONDS (default 0.5), and redraw."
  (let ((deadline (time-add nil (or seconds 0.5))))
    (while (time-less-p nil deadline)
      (accept-process-output nil 0.05)
      (redisplay t))))

(defun screenshots-check ()
  "Signal an error if a window shows a directory of this machine."
  (walk-windows
   (lambda (window)
     (let ((text (with-current-buffer (window-buffer window)
                   (save-restriction (widen) (buffer-string)))))
       (dolist (path (mapcar #'directory-file-name (list lab-root lab-target)))
         (when (string-match-p (regexp-quote path) text)
           (error "%s shows %s:\n%s" (window-buffer window) path text)))))))

(defun screenshots-height (buffer)
  "Return the height of BUFFER in lines, with an empty line and the mode line."
  (with-current-buffer buffer
    (+ 2 (if header-line-format 1 0)
       (count-screen-lines (point-min) (point-max) nil (frame-first-window)))))

(defun screenshots-take (name lines)
  "Write a picture NAME of the frame, LINES high without the echo area."
  (message nil)
  (set-frame-size nil screenshots-columns (1+ lines))
  (screenshots-settle)
  (when (one-window-p)
    (goto-char (point-min))
    (set-window-start nil (point-min)))
  (message nil)
  (redisplay t)
  (screenshots-check)
  (let ((coding-system-for-write 'binary)
        (picture (x-export-frames nil 'png)))
    (when (> (string-bytes picture) 100000)
      (error "The picture %s has %d bytes" name (string-bytes picture)))
    (write-region picture nil (expand-file-name (concat name ".png") screenshots-directory)
                  nil 'quiet)))

(defun screenshots-of (name buffer &optional most)
  "Write a picture NAME of BUFFER alone, of at most MOST lines (default 40)."
  (delete-other-windows)
  (set-frame-size nil screenshots-columns (or most 40))
  (switch-to-buffer buffer)
  (set-window-start nil (point-min) t)
  (screenshots-settle)
  (screenshots-take name (min (or most 40) (screenshots-height (current-buffer)))))

;;;; Frame, home and chat

(defun screenshots-frame ()
  "Make the frame plain: one font, one theme, nothing around the text."
  (menu-bar-mode -1)
  (tool-bar-mode -1)
  (scroll-bar-mode -1)
  (blink-cursor-mode -1)
  (tooltip-mode -1)
  (setq ring-bell-function #'ignore
        inhibit-startup-screen t
        frame-title-format "Emacs"
        frame-resize-pixelwise nil
        mode-line-percent-position nil
        use-dialog-box nil)
  (load-theme 'modus-operandi t)
  (set-frame-font "DejaVu Sans Mono-10" nil t))

(defun screenshots-home (lab)
  "Let ~ be the home of LAB, with links to the packages in use."
  (let ((link (lambda (target name)
                (let ((file (expand-file-name name (lab-home lab))))
                  (make-directory (file-name-directory file) t)
                  (make-symbolic-link target file)
                  file))))
    (setf (lab-home lab) (expand-file-name "octo" (getenv "SCRATCH")))
    (make-directory (lab-home lab))
    (dolist (dir (file-expand-wildcards (expand-file-name ".deps/elpa/*" lab-root)))
      (push (funcall link dir (concat ".emacs.d/elpa/" (file-name-nondirectory dir)))
            load-path))
    (push (funcall link (expand-file-name "lisp" lab-root) "src/cj-gate/lisp") load-path)
    (make-directory (expand-file-name "bin" (lab-home lab)))
    (copy-file (lab-gh) (expand-file-name "bin/gh" (lab-home lab)))
    (push (expand-file-name "bin" (lab-home lab)) exec-path)
    (let ((modules (expand-file-name "module/" (lab-home lab))))
      (copy-directory cj/gate-module-directory modules nil nil t)
      (setq cj/gate-module-directory modules))
    (dolist (entry (lab-environment lab))
      (let ((parts (split-string entry "=")))
        (setenv (car parts) (and (cdr parts) (string-join (cdr parts) "=")))))
    (setq abbreviated-home-dir nil
          user-emacs-directory "~/.emacs.d/")
    (setq cj/gate-cwd-roots '("~/"))))

(defconst screenshots-script
  '((:tool_calls [(:name "gh_pr_view" :arguments (:number 1 :repo "acme/tables"))])
    (:text "It is open. Mona wrote it on 4 January, so that quoted fields can hold line breaks.")
    (:tool_calls [(:name "gh" :arguments (:args ["pr" "merge" "1" "--squash"] :repo "acme/tables"))])
    (:text "You declined, so I did not merge it.")
    (:tool_calls [(:name "gh" :arguments (:args ["repo" "delete" "acme/tables" "--yes"]))])
    (:text "I cannot: deleting a repository is refused."))
  "The script of the model: its texts and its calls of tools.")

(defun screenshots-chat (lab buffer prompt &optional during)
  "Send PROMPT to the model of LAB from BUFFER; DURING as in `lab-converse'."
  (with-current-buffer buffer
    ;; Without empty lines at the end, the prompt follows gptel's prefix.
    (goto-char (point-max))
    (delete-region (progn (skip-chars-backward "\n") (point)) (point-max))
    (goto-char (point-max)))
  (lab-converse lab :buffer buffer :prompt prompt :during during :deadline 60))

;;;; The pictures

(defun screenshots-conversation (lab)
  "Hold the conversation with LAB; take the pictures `chat' and `approval'."
  (let ((chat (get-buffer-create "*tables*")) (taken nil))
    (with-current-buffer chat
      (text-mode)
      (visual-line-mode)
      (gptel-mode)
      (insert "### "))
    (switch-to-buffer chat)
    (set-frame-size nil screenshots-columns 36)
    (screenshots-chat lab chat "Look at pull request 1 in acme/tables.")
    (with-current-buffer chat
      ;; gptel folds the results of tools.
      (setq buffer-invisibility-spec nil)
      (goto-char (point-max)))
    (screenshots-of "chat" chat)
    (set-frame-size nil screenshots-columns 48)
    (screenshots-chat
     lab chat "Merge it."
     (lambda (_)
       (when (and cj/gate-approval--queue (get-buffer-window "*cj-gate approval*") (not taken))
         (setq taken t)
         (screenshots-settle 2)
         (cj/gate-approvals)
         ;; The whole question is shown, even if little of the chat is left.
         (fit-window-to-buffer nil 42)
         (screenshots-settle)
         (with-current-buffer "*cj-gate approval*"
           (unless (zerop (cj/gate-approval-unread-lines))
             (error "%d lines of the approval do not fit"
                    (cj/gate-approval-unread-lines))))
         (screenshots-take "approval" 48)
         ;; The core accepts a yes only from a person's key.
         (cj/gate-approval-decline))))
    (unless taken (error "Nothing waited for a person"))
    (screenshots-chat lab chat "Now delete the repository.")))

(defun screenshots-calls ()
  "Make some more calls, so that the lists have rows."
  (let ((left 0))
    (dolist (argv '(("pr" "list") ("issue" "view" "2") ("api" "repos/acme/tables/labels")
                    ("alias" "list") ("api" "graphql" "-f" "query=mutation { a }" "-F" "x=@/etc/hosts")))
      (cl-incf left)
      (cj/gh-call argv (lambda (_) (cl-decf left)) :repo "acme/tables"))
    (lab-wait (lambda () (zerop left)) 60)))

(defun screenshots-all (lab)
  "Take every picture, with LAB."
  (screenshots-conversation lab)
  (let ((screenshots-columns 118))
    (screenshots-of "last-error" (cj/gh-tool-last-error)))
  (let ((buffer (cj/gh-explain "gh api repos/acme/tables/issues -f title=Hello")))
    (screenshots-settle 2)
    (screenshots-of "explain" buffer))
  (screenshots-calls)
  (screenshots-settle 2)
  (let ((buffer (cj/gh-audit-search "")))
    (screenshots-settle 2)
    (let ((screenshots-columns 132))
      (screenshots-of "audit" buffer)))
  (let ((default-directory (lab-checkout lab "tables" "https://github.com/acme/tables.git")))
    (let ((buffer (cj/gh-doctor)))
      (lab-wait (lambda ()
                  (with-current-buffer buffer
                    (not (string-match-p "^\\.\\.\\." (buffer-string)))))
                60)
      (let ((screenshots-columns 118))
        (screenshots-of "doctor" buffer))))
  (cj/gh-call '("pr" "list") #'ignore :repo "slow-20000/tables")
  (cj/gh-call '("run" "list" "--limit" "5") #'ignore :repo "slow-20000/tables")
  (screenshots-settle 3)
  (cj/gate-runs)
  (screenshots-settle 1)
  (screenshots-of "runs" (current-buffer))
  (cj/gate-stop))

(defun screenshots-version ()
  "Write the versions of the programs in the pictures to the file `version'."
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region
     (format "cj-gate %s\nEmacs %s\ngptel %s\n%s\n"
             cj/gate-version emacs-version
             (lm-version (locate-library "gptel.el"))
             (car (process-lines (lab-gh) "--version")))
     nil (expand-file-name "version" screenshots-directory) nil 'quiet)))

(defun screenshots-with-lab (script take)
  "Call TAKE with a lab whose model plays SCRIPT; then end Emacs.
Its exit code is 0, or 1 after an error."
  (condition-case err
      (progn
        (screenshots-frame)
        (make-directory screenshots-directory t)
        (let ((lab (lab-start script)))
          (unwind-protect
              (progn
                (screenshots-home lab)
                (require 'lab-gptel)
                (require 'cj-gh)
                (require 'cj-gate-approval)
                (let ((default-directory (file-name-as-directory (lab-home lab))))
                  (funcall take lab)))
            (lab-stop lab))))
    ((debug error)
     (let ((standard-output #'external-debugging-output))
       (princ (format "screenshots: %s\n" (error-message-string err))))
     (kill-emacs 1)))
  (kill-emacs 0))

(defun screenshots ()
  "Take the pictures of the manual; end Emacs with 0, or 1 after an error."
  (screenshots-with-lab screenshots-script
                        (lambda (lab)
                          (screenshots-all lab)
                          (screenshots-version))))

(provide 'screenshots)

;;; screenshots.el ends here
