;;; matrix-tests.el --- A write gets one prompt and a read none, whoever calls -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Three values of `gptel-confirm-tool-calls', five callers of our tools, a
;; write and a read: thirty cells.  In each one prompts are counted on the
;; screen of a real Emacs.  Some tests use small terminals and window rules that
;; would select the window of the approval or make a frame.  The cells of one
;; test share a terminal and a chat, so each also shows that the cells before it
;; left nothing.
;;
;; If gptel is set to confirm everything, gptel itself asks once about a read
;; that goes through its prompt: the gate leaves that prompt to gptel.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defconst matrix-argvs
  `((write ,@(approval-merge 1))
    (read "pr" "view" "1" "-R" "octo/demo"))
  "The two calls that the cells make: (CLASS . ARGV).")

(defconst matrix-callers
  '((plain "F2" typed gptel)
    (stream "F3" typed gptel)
    (request "F4" pressed gptel)
    (function "F5" pressed nil)
    (accept "F6" pressed nil))
  "The callers: (NAME KEY HOW PROMPT).
HOW is `typed' if KEY only sets the caller up, and a prompt is then typed into
the chat; it is `pressed' if KEY itself makes the call.  PROMPT is `gptel' if
the calls pass gptel's own prompt; nil if the caller calls the tool's function
or accepts every call.")

(defconst matrix-keys
  `((defun lab-tail (text)
      (with-current-buffer "chat"
        (goto-char (point-max))
        (insert "\n" text "\n")))
    (defvar lab-class 'write)
    (global-set-key [f1] (lambda () (interactive)
                           (setq lab-class (if (eq lab-class 'write) 'read 'write))
                           (message "lab: %s" lab-class)))
    (global-set-key [f2] (lambda () (interactive) (setq gptel-stream nil)))
    (global-set-key [f3] (lambda () (interactive) (setq gptel-stream t)))
    ;; A request with gptel's own prompt, made by other code than gptel-send.
    (global-set-key
     [f4] (lambda () (interactive)
            (gptel-request "go" :stream nil :buffer (get-buffer "chat"))))
    ;; A caller that calls the tool's function by itself.
    (global-set-key
     [f5] (lambda () (interactive)
            (funcall (gptel-tool-function (gptel-get-tool "gh"))
                     (lambda (answer)
                       (lab-tail (format "%s\nfunction %s over" answer lab-class)))
                     (vconcat (alist-get lab-class ',matrix-argvs)))))
    ;; A caller that accepts whatever gptel asks it about.
    (global-set-key
     [f6] (lambda () (interactive)
            (gptel-request "go" :stream nil :buffer (get-buffer "chat")
                           :callback
                           (lambda (response _info)
                             (cond ((stringp response) (lab-tail response))
                                   ((eq (car-safe response) 'tool-call)
                                    (gptel--accept-tool-calls (cdr response) nil))))))))
  "Forms that bind F1, which switches the class, and F2 to F6, the callers.")

(defun matrix-over (caller class)
  "Return the text that ends the cell of CALLER and CLASS in the chat."
  (format "%s %s over" caller class))

(defun matrix-script ()
  "Return the script of the model: a call and a last text for each cell.
The caller `function' needs no model, so its cells have none."
  (cl-loop for (caller) in matrix-callers
           unless (eq caller 'function)
           append (cl-loop for (class . argv) in matrix-argvs
                           collect (approval-turn argv)
                           collect (list :text (matrix-over caller class)))))

(defun matrix-count (regexp text)
  "Return how often REGEXP matches in TEXT."
  (with-temp-buffer
    (insert text)
    (how-many regexp (point-min) (point-max))))

(defun matrix-call (terminal row class)
  "Let the caller of ROW make its call of CLASS in TERMINAL."
  (pcase-let ((`(,caller ,key ,how) row))
    (lab-terminal-keys terminal "M->" key)
    (when (eq how 'typed)
      (approval-send terminal (format "%s %s" caller class)))))

(defun matrix-answered (terminal lab caller words)
  "Check that the answer to CALLER in TERMINAL on LAB has WORDS in its header.
Check too that only the caller `stream' made the model stream."
  (let ((turn (car (last (lab-json-lines (lab-file lab "model.jsonl")))))
        (header (concat "\\[gh github\\.com/octo/demo " words " ")))
    (if (eq caller 'function)
        (should (string-match-p header (lab-terminal-told terminal :chat)))
      (should (string-match-p
               header (plist-get (car (last (plist-get (plist-get turn :body) :messages)))
                                 :content)))
      (should (eq (and (plist-get (plist-get turn :body) :stream) t)
                  (eq caller 'stream))))))

(defun matrix-write (terminal lab row)
  "Check the write by the caller of ROW in TERMINAL on LAB: one prompt, one key."
  (let ((before (length (lab-mutations lab)))
        (asked (lab-terminal-told terminal :asked-by-gptel)))
    (matrix-call terminal row 'write)
    (approval-wait terminal)
    (let ((screen (lab-terminal-screen terminal)))
      (should (= 1 (matrix-count "^.*\\(?:C-c C-k decline\\|[0-9] more lines?: SPC\\).*$" screen)))
      (should (= 0 (matrix-count "Run tool\\|wants to run" screen)))
      (should (string-match-p "\\[gate:? 1\\(?: waiting\\)?\\]" screen)))
    (should (equal (lab-terminal-told terminal :selected) "chat"))
    (should (equal (length (lab-terminal-told terminal :windows)) 2))
    (should (= before (length (lab-mutations lab))))
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat (matrix-over (car row) 'write))
    (approval-wait-away terminal)
    (should (= (1+ before) (length (lab-mutations lab))))
    (should (equal (lab-terminal-told terminal :asked-by-gptel) asked))
    (should (equal (lab-terminal-told terminal :frames) 1))
    (matrix-answered terminal lab (car row) "write confirmed")))

(defun matrix-read (terminal lab row confirm)
  "Check the read by the caller of ROW in TERMINAL on LAB: no prompt of the gate.
CONFIRM is the value of `gptel-confirm-tool-calls' there."
  (let ((before (length (lab-mutations lab)))
        (asked (lab-terminal-told terminal :asked-by-gptel))
        (by-gptel (and (eq confirm t) (eq (nth 3 row) 'gptel)))
        (arrived (matrix-count "waits: M-x" (lab-terminal-told terminal :messages))))
    (matrix-call terminal row 'read)
    (when by-gptel
      (lab-terminal-wait-screen terminal "Run tool.*C-c C-c")
      (lab-terminal-keys terminal "C-c" "C-c"))
    ;; No other key is pressed, so a read that waited for a key would time out.
    (lab-terminal-wait-told terminal :chat (matrix-over (car row) 'read))
    (approval-wait-away terminal)
    (should (= (if by-gptel 1 0)
               (- (lab-terminal-told terminal :asked-by-gptel) asked)))
    (should (= arrived
               (matrix-count "waits: M-x" (lab-terminal-told terminal :messages))))
    (should (= before (length (lab-mutations lab))))
    (matrix-answered terminal lab (car row) "read ok")))

(defun matrix-check (confirm &optional width height rule)
  "Check all callers with CONFIRM, a value of `gptel-confirm-tool-calls'.
The terminal has WIDTH columns, 100, and HEIGHT lines, 60.  RULE is a rule of
`display-buffer-alist' for the approval buffer, or nil."
  (lab-terminal-with (terminal lab (matrix-script)
                               :confirm confirm :stream t
                               :width width :height (or height 60)
                               :init (append matrix-keys
                                             `((setq display-buffer-alist
                                                     ',(and rule `(("\\*cj-gate approval\\*"
                                                                    ,@rule)))))))
    (dolist (row matrix-callers)
      (ert-info ((format "gptel-confirm-tool-calls %s, %s, write" confirm (car row)))
        (matrix-write terminal lab row))
      (lab-terminal-keys terminal "F1")
      (ert-info ((format "gptel-confirm-tool-calls %s, %s, read" confirm (car row)))
        (matrix-read terminal lab row confirm))
      (lab-terminal-keys terminal "F1"))))

(ert-deftest matrix-a-write-gets-one-prompt-when-gptel-confirms-nothing ()
  (matrix-check nil))

;; Small terminals and window rules.

(ert-deftest matrix-a-write-gets-one-prompt-when-gptel-confirms-by-tool-at-60x20 ()
  (matrix-check 'auto 60 20 '(nil (body-function . select-window))))

(ert-deftest matrix-a-write-gets-one-prompt-when-gptel-confirms-everything-at-80x24 ()
  (matrix-check t 80 24 '((display-buffer-pop-up-frame)
                          (post-command-select-window . t))))

(ert-deftest matrix-a-write-gets-one-prompt-in-a-side-window-of-20-columns ()
  (matrix-check nil 100 60 '((display-buffer-in-side-window)
                             (side . left) (window-width . 20)
                             (body-function . select-window))))

(provide 'matrix-tests)

;;; matrix-tests.el ends here
