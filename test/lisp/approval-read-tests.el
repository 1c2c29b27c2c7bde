;;; approval-read-tests.el --- A yes counts once every line was on the screen -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Texts that are longer than their window, on terminals of many sizes.  Each
;; test first presses the key while a part of the text was never displayed, and
;; checks that nothing ran.  Then it scrolls on, and the same key runs the call.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gate-approval-window)

(defconst approval-read-moment 1.0
  "Seconds to wait until a yes may count; `cj/gate-approval-delay' is shorter.")

(defun approval-read-text (lines)
  "Return a text of that number of LINES."
  (mapconcat (lambda (number) (format "This is line %d." number))
             (number-sequence 1 lines) "\n"))

(defun approval-read-header (terminal)
  "Return the header line of the approval on the screen of TERMINAL, or nil.
The line is found even where a narrow window cuts it."
  (cl-find-if (lambda (line)
                (string-match-p "[0-9]+ more lines?: SPC\\|C-c C-c run it" line))
              (split-string (lab-terminal-screen terminal) "\n")))

(defun approval-read-left (terminal)
  "Return how many lines are left, as the header line in TERMINAL says.
Check that the Emacs in TERMINAL itself counts the same number."
  (lab-terminal-fresh terminal)
  (let ((header (approval-read-header terminal)))
    (should header)
    (let ((left (if (string-match "\\([0-9]+\\) more lines?: SPC" header)
                    (string-to-number (match-string 1 header))
                  0)))
      (should (equal left (lab-terminal-told terminal :unread)))
      left)))

(defun approval-read-refused (terminal lab)
  "Press the key of a yes in TERMINAL; check that LAB sees no mutation.
Check that a message says how many lines are left; return their number."
  (let ((left (approval-read-left terminal)))
    (lab-terminal-keys terminal "C-c" "C-c")
    ;; Long enough for a gh that ran to reach the stand-in.
    (sleep-for 0.6)
    (should-not (lab-mutations lab))
    (should (> left 0))
    (lab-terminal-wait-told
     terminal :messages
     (format "Not yet: %s not been on the screen; SPC shows more"
             (if (= left 1) "1 line has" (format "%d lines have" left))))
    (should-not (lab-terminal-told terminal :armed))
    left))

(defun approval-read-go (terminal)
  "Go to the window of the approval in TERMINAL, and let the moment pass."
  (approval-wait terminal)
  (lab-terminal-keys terminal "C-x" "o")
  (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*")
  (sleep-for approval-read-moment))

(defun approval-read-accept (terminal lab body)
  "Press the key of a yes in TERMINAL; check that LAB gets one comment, BODY."
  (lab-terminal-wait-told terminal :armed "\"")
  (should (= (approval-read-left terminal) 0))
  (should-not (lab-mutations lab))
  (lab-terminal-keys terminal "C-c" "C-c")
  (lab-terminal-wait-told terminal :chat "all done")
  (should (equal (mapcar (lambda (mutation)
                           (plist-get (approval-input mutation) :body))
                         (lab-mutations lab))
                 (list body))))

(defmacro approval-read-with (spec &rest body)
  "Run BODY while a comment waits: SPEC is (TERMINAL LAB TEXT OPTION...).
OPTIONs are those of `lab-terminal-start'."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,text . ,options) spec))
    `(approval-with-call (,terminal ,lab (approval-comment 2 ,text) ,@options)
       ,@body)))

;;;; Reading

(ert-deftest approval-of-a-text-longer-than-its-window-counts-after-scrolling ()
  (let ((text (approval-read-text 30)))
    (approval-read-with (terminal lab text :width 80 :height 24)
      ;; The sentence that says what is written, and where, is on the screen.
      (should (string-match-p "^Comment on issue #2 “Rows with line breaks are cut in two” in octo/demo, as\\(?: \\|\n  … \\)octo"
                              (lab-terminal-screen terminal)))
      (approval-read-go terminal)
      (let ((first (approval-read-refused terminal lab)))
        ;; One page further fewer lines are left, and the key is still no yes.
        (lab-terminal-keys terminal "Space")
        (lab-terminal-wait terminal
                           (lambda () (< (lab-terminal-told terminal :unread) first)))
        (sleep-for approval-read-moment)
        (should (< (approval-read-refused terminal lab) first)))
      (approval-read terminal)
      (approval-read-accept terminal lab text))))

(ert-deftest approval-counts-only-after-every-part-of-a-text-was-shown ()
  (let ((text (approval-read-text 60)))
    (approval-read-with (terminal lab text :width 80 :height 24)
      (approval-read-go terminal)
      (let ((left (approval-read-refused terminal lab)))
        (lab-terminal-keys terminal "M->")
        (lab-terminal-wait-screen terminal "^  Keys ")
        (sleep-for approval-read-moment)
        (should (= (approval-read-refused terminal lab) left))
        ;; One page up from the end changes nothing: the middle is still unread.
        (lab-terminal-keys terminal "M-v")
        (sleep-for approval-read-moment)
        (should (= (approval-read-refused terminal lab) left))
        (lab-terminal-keys terminal "M-<"))
      (approval-read terminal)
      ;; After all was read, going back to the beginning keeps the yes.
      (lab-terminal-keys terminal "M-<")
      (lab-terminal-fresh terminal)
      (approval-read-accept terminal lab text))))

(ert-deftest approval-ignores-a-yes-typed-together-with-the-last-page ()
  "SPC and the yes come in one go, so the last page was never displayed."
  (let ((text (approval-read-text 30)))
    (approval-read-with (terminal lab text :width 80 :height 24)
      (approval-read-go terminal)
      (lab-terminal-keys terminal "Space")
      (lab-terminal-wait terminal (lambda () (< (lab-terminal-told terminal :unread) 40)))
      (while (> (lab-terminal-told terminal :unread) 12)
        (lab-terminal-keys terminal "Space")
        (lab-terminal-fresh terminal))
      (should (> (lab-terminal-told terminal :unread) 0))
      (sleep-for approval-read-moment)
      (lab-terminal-keys terminal "Space" "C-c" "C-c")
      (lab-terminal-wait-told terminal :messages "Not yet")
      (sleep-for 0.5)
      (should-not (lab-mutations lab))
      (approval-read terminal)
      (approval-read-accept terminal lab text))))

;;;; Sizes

(ert-deftest approval-of-500-lines-on-60x20-is-read-page-by-page ()
  (let ((text (approval-read-text 500)))
    (approval-read-with (terminal lab text :width 60 :height 20)
      (approval-read-go terminal)
      (should (> (approval-read-refused terminal lab) 500))
      (approval-read terminal)
      (approval-read-accept terminal lab text))))

(ert-deftest approval-in-a-window-of-30-or-20-columns-says-how-many-lines-are-left ()
  (dolist (row '((30 right) (20 left)))
    (let ((text (approval-read-text 30)))
      (ert-info ((format "%S" row))
        (approval-read-with (terminal lab text :width 100 :height 30
                                      :init
                                      `((setq display-buffer-alist
                                              '(("\\*cj-gate approval\\*"
                                                 (display-buffer-in-side-window)
                                                 (side . ,(cadr row))
                                                 (window-width . ,(car row)))))))
          (approval-read-go terminal)
          (let ((screen (lab-terminal-screen terminal)))
            (should (string-match-p (if (eq (cadr row) 'left)
                                        "^ [0-9]+ more lines: SPC"
                                      "| ?[0-9]+ more lines: SPC")
                                    screen)))
          (approval-read-refused terminal lab)
          (approval-read terminal)
          (approval-read-accept terminal lab text))))))

(ert-deftest approval-in-a-resized-terminal-counts-once-every-line-was-shown ()
  (let ((text (approval-read-text 30)))
    (approval-read-with (terminal lab text :width 80 :height 24)
      (approval-read-go terminal)
      (let ((left (approval-read-refused terminal lab)))
        ;; A smaller terminal: lines that were displayed still count as read.
        (lab-terminal-resize terminal 50 16)
        (sleep-for approval-read-moment)
        (should (= (approval-read-refused terminal lab) left))
        ;; A terminal as large as the text displays the rest without a key.
        (lab-terminal-resize terminal 100 170)
        (lab-terminal-wait-screen terminal "This is line 30\\.")
        (lab-terminal-wait-screen terminal "^  Keys "))
      (approval-read-accept terminal lab text))))

;;;; The mouse

(defun approval-read-wheel (terminal column line)
  "Turn the wheel of the mouse down over COLUMN and LINE of TERMINAL."
  (lab-terminal-type terminal (format "\e[<65;%d;%dM" column line)))

(ert-deftest approval-of-a-text-scrolled-by-the-wheel-counts-after-its-window-is-entered ()
  (let ((text (approval-read-text 30)))
    (approval-read-with (terminal lab text :width 80 :height 24
                                  :init '((xterm-mouse-mode 1) (mouse-wheel-mode 1)
                                          (setq mouse-wheel-progressive-speed nil)))
      (let ((turns 0))
        (while (and (> (lab-terminal-told terminal :unread) 0) (< turns 120))
          (approval-read-wheel terminal 10 18)
          (setq turns (1+ turns))
          (sleep-for 0.1))
        (should (= (approval-read-left terminal) 0)))
      ;; The wheel scrolled the other window; the chat is still selected.
      (should (equal (lab-terminal-told terminal :selected) "chat"))
      (sleep-for approval-read-moment)
      (lab-terminal-keys terminal "C-x" "o" "C-c" "C-c")
      (lab-terminal-wait-told terminal :messages "Not yet: read it first")
      (should-not (lab-mutations lab))
      (approval-read-accept terminal lab text))))

(ert-deftest approval-counts-hidden-lines-as-unread ()
  (require 'cj-gate-approval)
  (with-temp-buffer
    (save-window-excursion
      (switch-to-buffer (current-buffer))
      (dotimes (line 5) (insert (format "%d\n  in\n" line)))
      (goto-char (point-min))
      (dolist (hide (list (lambda () (setq selective-display 1))
                          (lambda () (setq truncate-lines t))
                          (lambda () (narrow-to-region (point-min) 6))))
        (funcall hide)
        (cj/gate-approval-window--note-displayed (selected-window))
        (should (= 10 (cj/gate-approval-unread-lines)))
        (setq selective-display nil truncate-lines nil)
        (widen))
      ;; Unread lines that are hidden later stay unread.
      (setq cj/gate-approval-window--read-to 6)
      (narrow-to-region (point-min) 6)
      (should (> (cj/gate-approval-unread-lines) 0)))))

(provide 'approval-read-tests)

;;; approval-read-tests.el ends here
