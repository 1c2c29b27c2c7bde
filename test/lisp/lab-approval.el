;;; lab-approval.el --- What the tests of approvals share -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Calls for the model, keys and waits for the terminal, and what GitHub's
;; stand-in saw.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-terminal)

(defun approval-turn (&rest argvs)
  "Return a turn of the model that calls the tool `gh' with each of ARGVS."
  (list :tool_calls
        (vconcat (mapcar (lambda (argv) (list :name "gh"
                                              :arguments (list :args (vconcat argv))))
                         argvs))))

(defun approval-merge (number &rest more)
  "Return the argv that merges pull request NUMBER, with MORE arguments."
  (append (list "pr" "merge" (number-to-string number) "--squash" "-R" "octo/demo")
          more))

(defmacro approval-with-prompts (&rest body)
  "Run BODY in batch with approvals shown; afterwards end calls and approvals."
  (declare (indent 0))
  `(let ((noninteractive nil)
         (inhibit-message t))
     (unwind-protect (progn ,@body)
       (cj/gate-abandon #'identity)
       (when (get-buffer cj/gate-approval-buffer-name)
         (kill-buffer cj/gate-approval-buffer-name)))))

(defun approval-send (terminal text)
  "Type TEXT into the chat of TERMINAL and send it."
  (lab-terminal-type terminal text)
  (lab-terminal-keys terminal "C-c" "Enter"))

(defun approval-wait (terminal)
  "Wait until TERMINAL shows an approval.
A yes counts only after `approval-enter'."
  (lab-terminal-wait-screen terminal "C-c C-k decline\\|[0-9] more lines?: SPC")
  (lab-terminal-wait-told terminal :asked "\""))

(defmacro approval-with-call (spec &rest body)
  "Run BODY while a call waits: SPEC is (TERMINAL LAB ARGV OPTION...).
OPTIONs are those of `lab-terminal-start'.  Once the call is answered, the
model says \"all done\"."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,argv . ,options) spec))
    `(lab-terminal-with (,terminal ,lab
                                   (list (approval-turn ,argv) '(:text "all done"))
                                   :stream t ,@options)
       (approval-send ,terminal "go")
       (approval-wait ,terminal)
       ,@body)))

(defmacro approval-with-comments (spec &rest body)
  "Run BODY while two comments of one turn wait: \"first\" and \"second\".
They go to the issues 1 and 2.  SPEC is (TERMINAL LAB OPTION...), OPTIONs are
those of `lab-terminal-start'.  Once both are answered, the model says
\"all over\"."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab . ,options) spec))
    `(lab-terminal-with (,terminal ,lab
                                   (list (approval-turn (approval-comment 1 "first")
                                                        (approval-comment 2 "second"))
                                         '(:text "all over"))
                                   :stream t :height 60 ,@options)
       (approval-send ,terminal "go")
       (lab-terminal-wait-screen ,terminal "gate: 2 waiting")
       ,@body)))

(defun approval-enter (terminal)
  "Do in TERMINAL what a person does before a yes.
That is: go to the window of the approval, scroll through all of it, and wait
until a yes counts."
  (approval-wait terminal)
  (lab-terminal-fresh terminal)
  (unless (equal (lab-terminal-told terminal :selected) "*cj-gate approval*")
    (lab-terminal-keys terminal "C-x" "o")
    (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*"))
  (approval-read terminal)
  (lab-terminal-wait-told terminal :armed "\""))

(defun approval-read (terminal)
  "Scroll through the approval in the selected window of TERMINAL."
  (let (unread)
    (while (> (setq unread (lab-terminal-told terminal :unread)) 0)
      (lab-terminal-keys terminal "Space")
      (lab-terminal-wait terminal
                         (lambda () (< (lab-terminal-told terminal :unread) unread))))))

(defun approval-tools (turns)
  "Return the names of the tools that the model calls in TURNS."
  (delete-dups
   (cl-loop for turn in turns
            append (mapcar (lambda (call) (plist-get call :name))
                           (plist-get turn :tool_calls)))))

(defmacro approval-with-turns (spec &rest body)
  "Run BODY while a call waits.
SPEC is (TERMINAL LAB GH TURNS [WORLD [CONFIRM]]).  The model of LAB plays
TURNS, with GH and the tools that it calls; WORLD is as in `lab-start', CONFIRM
the value of `gptel-confirm-tool-calls'."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,gh ,turns ,world ,confirm) spec)
              (played (make-symbol "turns")))
    `(let ((,played ,turns))
       (lab-terminal-with
           (,terminal ,lab ,played
                      :stream t :width 120 :height 60 :world ,world :confirm ,confirm
                      :init `((setq cj/gh-executable ,,gh
                                    gptel-tools (mapcar #'gptel-get-tool
                                                        ',(approval-tools ,played)))))
         (approval-send ,terminal "go")
         (approval-enter ,terminal)
         ,@body))))

(defun approval-change-text (terminal label more asked)
  "Add MORE to the text LABEL of the call that waits in TERMINAL, by keys.
LABEL is the text that is changed by default.  Wait until the changed call is
asked about, whose arguments match the regexp ASKED, and read it."
  (lab-terminal-keys terminal "C-c" "C-e")
  (lab-terminal-wait-screen terminal (format "^Change (%s by default):" label))
  (lab-terminal-keys terminal "Enter")
  (lab-terminal-wait-told terminal :selected
                          (format "change %s of call" (downcase label)))
  (lab-terminal-keys terminal "M->")
  (lab-terminal-type terminal more)
  (lab-terminal-keys terminal "C-c" "C-c")
  (lab-terminal-wait-told terminal :asked asked)
  (lab-terminal-wait-told terminal :selected "cj-gate approval")
  (approval-enter terminal))

(defun approval-variables (mutation &rest names)
  "Return the variables NAMES of MUTATION, a request that the stand-in has seen."
  (mapcar (lambda (name)
            (plist-get (plist-get (plist-get mutation :graphql) :variables) name))
          names))

(defun approval-wait-number (terminal number)
  "Wait until TERMINAL asks about a merge other than that of NUMBER.
Return the number of the pull request on the screen, a string like NUMBER."
  (lab-terminal-wait terminal
                     (lambda ()
                       (let ((now (ignore-errors (approval-number terminal))))
                         (and now (not (equal now number))
                              (string-search (format "\"%s\"" now)
                                             (format "%s" (lab-terminal-told terminal :asked)))
                              now)))))

(defun approval-wait-away (terminal)
  "Wait until nothing waits in TERMINAL and only the chat is shown."
  (lab-terminal-wait terminal
                     (lambda ()
                       (and (equal (lab-terminal-told terminal :windows) '("chat"))
                            (equal (lab-terminal-told terminal :selected) "chat")
                            (not (string-match-p "\\[g\\(?:ate:? \\)?[0-9]"
                                                 (lab-terminal-screen terminal)))))))

(defun approval-input (mutation)
  "Return the variable `input' of MUTATION, as gh sent it."
  (plist-get (plist-get (plist-get mutation :graphql) :variables) :input))

(defun approval-merged (lab)
  "Return the ids of the pull requests that LAB was asked to merge, in order."
  (mapcar (lambda (mutation) (plist-get (approval-input mutation) :pullRequestId))
          (lab-mutations lab)))

(defun approval-number (terminal)
  "Return the number of the pull request that the screen of TERMINAL asks about."
  (let ((screen (lab-terminal-screen terminal)))
    (should (string-match "^Squash and merge pull request #\\([0-9]+\\) " screen))
    (match-string 1 screen)))

(defun approval-rows (screen label)
  "Return the lines of SCREEN that look like the row LABEL of an approval."
  (cl-remove-if-not (lambda (line) (string-prefix-p (concat "  " label " ") line))
                    (split-string screen "\n")))

(defun approval-comment (number body)
  "Return the argv that comments BODY on issue NUMBER."
  (list "issue" "comment" (number-to-string number) "--body" body "-R" "octo/demo"))

(defun approval-M-x (terminal command)
  "Run COMMAND by its name in TERMINAL."
  (lab-terminal-keys terminal "M-x")
  (lab-terminal-type terminal command)
  (lab-terminal-keys terminal "Enter"))

(provide 'lab-approval)

;;; lab-approval.el ends here
