;;; menu-tests.el --- Each key of the menu, pressed on a terminal -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; In one Emacs on a terminal of 80 columns the test opens the menu, presses
;; each key, and waits for the buffer or message that its label promises.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'cj-gh)

(defconst menu-tests--keys
  '(("p" "Profile" ("github-read" "Enter") :messages "This buffer has [0-9]+ GitHub tools")
    ("t" "Tighten the policy" ("github.com" "Enter" "write" "Enter")
     :messages "On github\\.com, write is block in this buffer")
    ("c" "Customize the policy" () :selected "\\*Customize Option: Cj Gh Policy\\*")
    ("a" "Approvals" () :messages "No call waits")
    ("w" "What waits" () :messages "No call waits\\(?: \\[2 times\\]\\|\\(?:.\\|\n\\)*No call waits\\)")
    ("l" "Leases" () :selected "\\*cj-gate leases\\*")
    ("r" "What runs" () :selected "\\*cj-gate runs\\*")
    ("s" "Stop the gate" () :messages "The gate is stopped: 0 ended, 0 declined")
    ("S" "Resume" () :messages "The gate is open again")
    ("v" "Review comments" ("o/r" "Enter" "9500" "Enter") :messages "Could not resolve")
    ("P" "Pull request" ("o/r" "Enter" "1" "Enter") :messages "^#1 OPEN")
    ("W" "Watch runs" ("9500" "Enter") :selected "\\*cj-gh watch\\*")
    ("T" "Worktrees" () :selected "\\*cj-gh worktrees\\*")
    ("e" "Last error" () :selected "\\*cj-gate record\\*")
    ("L" "Records" () :selected "\\*cj-gate records\\*")
    ("A" "Audit log" ("Enter") :selected "\\*cj-gh audit\\*")
    ("H" "Audit by host" () :selected "\\*cj-gh audit hosts\\*")
    ("C" "Check the log" () :selected "\\*cj-gh audit check\\*")
    ("k" "What is kept" () :selected "\\*cj-gate purge\\*")
    ("x" "Explain a command" ("pr view 1" "Enter") :selected "\\*cj-gh explain\\*")
    ("f" "Why this job failed" () :messages "There is no log here")
    ("d" "Doctor" () :selected "\\*cj-gh doctor\\*"))
  "Rows (KEY LABEL TYPED WHERE REGEXP).
TYPED is a list of texts to type after KEY; \"Enter\" is a key.  Afterwards the
state WHERE, a key of `lab-terminal-told', must match REGEXP.")

(defun menu-tests--in-the-source ()
  "Return the keys and labels that the source of the menu has, sorted."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "lisp/cj-gh-menu.el" lab-root))
    (let (rows)
      (while (re-search-forward "^ *(\"\\(.\\)\" \"\\([^\"]+\\)\" cj/" nil t)
        (push (list (match-string 1) (match-string 2)) rows))
      (sort rows (lambda (a b) (string< (car a) (car b)))))))

(defun menu-tests--press (terminal row)
  "Open the menu in TERMINAL, press the key of ROW, and wait for its effect."
  (pcase-let ((`(,key ,label ,more ,where ,regexp) row))
    (lab-terminal-keys terminal "F1")
    (lab-terminal-wait-told terminal :windows "\\`(chat)\\'")
    (approval-M-x terminal "cj/gh-menu")
    (lab-terminal-wait-screen terminal (format "^ *\\(?:.* \\)?%s %s\\b" key label))
    (lab-terminal-keys terminal key)
    (dolist (text more)
      (if (equal text "Enter")
          (lab-terminal-keys terminal "Enter")
        (lab-terminal-wait-screen terminal ": *$\\|/r: #$")
        (lab-terminal-type terminal text)))
    (lab-terminal-wait-told terminal where regexp)))

(defun menu-tests--doctor (terminal)
  "Check the layout of the doctor's rows on the screen of TERMINAL."
  (lab-terminal-keys terminal "C-x" "1")
  (lab-terminal-wait-told terminal :windows "\\`(\\*cj-gh doctor\\*)\\'")
  ;; Wait for logins and limits; the comparison with the catalog takes longer.
  (dolist (check '("Login" "Limits"))
    (dolist (host '("github.com" "ghe.example.com"))
      (lab-terminal-wait-screen terminal (format "^PASS +%s %s" check host))))
  (let ((column (+ 7 (string-width "Limits ghe.example.com")))
        (rows 0) (below 0))
    (dolist (line (butlast (split-string (string-trim-right (lab-terminal-screen terminal))
                                         "\n")
                           1))
      (ert-info (line)
        (cond
         ((string-match-p "\\`\\(?:PASS\\|WARN\\|FAIL\\|SKIP\\|\\.\\.\\.\\) " line)
          (cl-incf rows)
          (should (string-match-p (format "\\`.\\{%d\\} [^ ]" (1- column)) line)))
         ;; A line that continues a row, or advice.
         ((string-match-p "\\` +[^ ]" line)
          (cl-incf below)
          (should (string-match-p (format "\\` \\{%d\\}[^ ]" column) line))))
        ;; Only a word longer than a line is cut at the border, such as the path
        ;; of a deep checkout.
        (should (or (< (string-width line) 80)
                    (string-match-p "\\` +[^ ]+\\\\\\'" line)))))
    (should (> rows 12))
    (should (> below 3))))

(ert-deftest menu-each-key-runs-its-command-on-a-terminal ()
  (should (equal (menu-tests--in-the-source)
                 (sort (mapcar (lambda (row) (list (car row) (cadr row))) menu-tests--keys)
                       (lambda (a b) (string< (car a) (car b))))))
  (lab-terminal-with (terminal lab nil
                               :width 80 :height 70
                               :init '((global-set-key
                                        [f1] (lambda () (interactive)
                                               (message nil)
                                               (switch-to-buffer "chat")
                                               (delete-other-windows)))))
    (dolist (row menu-tests--keys)
      (ert-info ((format "%S" row))
        (menu-tests--press terminal row)))
    (menu-tests--doctor terminal)))

(provide 'menu-tests)

;;; menu-tests.el ends here
