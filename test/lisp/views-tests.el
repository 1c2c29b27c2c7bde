;;; views-tests.el --- Colours, keys, menus and tables of the gate's buffers -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; These tests look at real buffers, and the last one types on a real terminal.
;; views-doctor-tests.el looks at the doctor.

;;; Code:

(require 'cl-lib)
(require 'color)
(require 'ert)
(require 'imenu)
(require 'lab-approval)
(require 'cj-gh)
(require 'cj-gh-audit-line)
(require 'cj-gh-doctor)
(require 'cj-gh-explain)
(require 'cj-gh-failure)
(require 'cj-gh-pulls)
(require 'cj-gh-worktrees)
(require 'cj-net-doctor)
(require 'cj-gate-leases)
(require 'cj-gate-menus)
(require 'cj-gate-progress)
(require 'cj-gate-purge)
(require 'cj-gate-record)
(require 'cj-gate-runs)

(declare-function cj/gate--mod-audit-flush "ext:cj-gate-module")
(declare-function cj/gate-progress--link "cj-gate-progress")

(defmacro views-tests--with-log (&rest body)
  "Run BODY in a lab whose audit log is new; keep the windows as they were."
  (declare (indent 0))
  `(lab-with (lab)
     (let ((cj/gh-tool-audit-log-directory (file-name-as-directory (lab-file lab "log"))))
       (ignore lab)
       (save-window-excursion
         (unwind-protect (progn ,@body)
           (cj/gate--mod-audit-flush 5000))))))

(defun views-tests--call (argv &rest keys)
  "Return the answer to a call with ARGV and KEYS; wait for its line in the log."
  (let ((answer nil))
    (apply #'cj/gh-call argv (lambda (text) (setq answer text)) keys)
    (prog1 (lab-wait (lambda () answer) 60)
      (cj/gate--mod-audit-flush 5000))))

(defun views-tests--audit (&optional regexp)
  "Search the audit log for REGEXP; return the table once it is filled."
  (let ((buffer (cj/gh-audit-search (or regexp ""))))
    (with-current-buffer buffer
      (lab-wait (lambda () (and cj/gh-audit--answer (not cj/gh-audit--handle))) 60))
    buffer))

(defmacro views-tests--said (&rest body)
  "Run BODY; return the last message that it showed."
  (declare (indent 0))
  `(let ((said nil))
     (cl-letf (((symbol-function 'message)
                (lambda (format &rest args)
                  (when format (setq said (apply #'format-message format args))))))
       ,@body)
     said))

;;;; Faces

(defconst views-tests--faces
  (with-temp-buffer
    (insert-file-contents (expand-file-name "lisp/cj-gate-faces.el" lab-root))
    (cl-loop while (re-search-forward "^(defface \\([^ \n]+\\)" nil t)
             collect (intern (match-string 1)) into faces
             finally return (cons 'cj/gate-confirm-sentence faces)))
  "The faces that the views share, and the face of an approval's sentence.")

(defun views-tests--contrast (one other)
  "Return the contrast ratio of WCAG 2.1 between ONE and OTHER, as #rrggbb."
  (let* ((part (lambda (value)
                 (if (<= value 0.03928) (/ value 12.92)
                   (expt (/ (+ value 0.055) 1.055) 2.4))))
         (luminance (lambda (color)
                      (cl-loop for weight in '(0.2126 0.7152 0.0722)
                               for at in '(1 3 5)
                               sum (* weight
                                      (funcall part (/ (string-to-number
                                                        (substring color at (+ at 2)) 16)
                                                       255.0))))))
         (a (funcall luminance one)) (b (funcall luminance other)))
    (/ (+ 0.05 (max a b)) (+ 0.05 (min a b)))))

(defun views-tests--spec (face background colors)
  "Return the attributes of FACE on BACKGROUND, `dark' or `light'.
COLORS is the number of colours of the terminal."
  (cdr (cl-find-if
        (lambda (row)
          (or (eq (car row) t)
              (cl-every (pcase-lambda (`(,key ,value))
                          (pcase key
                            ('class (and (eq value 'color) (> colors 1)))
                            ('min-colors (>= colors value))
                            ('background (eq value background))))
                        (car row))))
        (get face 'face-defface-spec))))

(ert-deftest views-each-face-can-be-read-on-dark-light-and-plain-terminals ()
  (should (> (length views-tests--faces) 12))
  (dolist (face views-tests--faces)
    (pcase-dolist (`(,background . ,color) '((dark . "#000000") (light . "#ffffff")
                                             ;; Backgrounds of common themes.
                                             (dark . "#282c34") (light . "#fdf6e3")))
      (ert-info ((format "%s on %s" face color))
        (let* ((spec (views-tests--spec face background 256))
               (foreground (plist-get spec :foreground))
               (behind (plist-get spec :background)))
          (when foreground
            (should (>= (views-tests--contrast foreground color) 4.5)))
          ;; On a coloured line the text is white or black, as the default is.
          (when behind
            (should (>= (views-tests--contrast
                         (if (eq background 'dark) "#ffffff" "#000000") behind)
                        7)))))
      ;; With eight colours: yellow on white, or blue on black, is unreadable.
      (let ((color (plist-get (views-tests--spec face background 8) :foreground)))
        (should-not (and (eq background 'light) (member color '("yellow" "cyan" "white"))))
        (should-not (and (eq background 'dark) (member color '("blue" "black"))))))
    (should (assq t (get face 'face-defface-spec)))
    (should (string-match-p "\\`Face of " (face-documentation face)))))

(ert-deftest views-classes-and-outcomes-have-a-word-and-a-face ()
  (let ((words (mapcar #'cj/gate-faces-class
                       '(read "local" write unknown destructive "forbidden"))))
    (should (equal words '("read" "local" "write" "unknown" "destructive" "forbidden")))
    (should (equal (mapcar (lambda (word) (get-text-property 0 'face word)) words)
                   '(cj/gate-class-read cj/gate-class-local cj/gate-class-write
                     cj/gate-class-unknown cj/gate-class-destructive
                     cj/gate-class-forbidden))))
  (should (equal (cj/gate-faces-class nil) ""))
  (pcase-dolist (`(,kind ,exit ,word ,face)
                 '((nil 0 "ok" cj/gate-good) (nil "0" "ok" cj/gate-good)
                   (nil 1 "exit 1" cj/gate-warning) (not-found 1 "not-found" cj/gate-bad)
                   ("declined" nil "declined" cj/gate-warning)))
    (let ((text (cj/gate-faces-end kind exit)))
      (should (equal text word))
      (should (eq (get-text-property 0 'face text) face))))
  (should (equal (cj/gate-faces-end nil nil) ""))
  (with-temp-buffer
    (insert "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n")
    (cj/gate-faces-diff (point-min) (point-max))
    (goto-char (point-min))
    (should (equal (cl-loop until (eobp) collect (get-text-property (point) 'face)
                            do (forward-line))
                   '(cj/gate-heading cj/gate-heading cj/gate-hunk cj/gate-removed
                     cj/gate-added nil)))))

(ert-deftest views-stay-unloaded-when-the-tools-are-loaded ()
  (should (equal (lab-child '(require 'cj-gh)
                            '(seq-filter
                              #'featurep '(cj-gate-faces cj-gate-view cj-gate-table
                                           cj-gate-menus transient)))
                 nil)))

;;;; Keys and menus

(defconst views-tests--modes
  '(cj/gh-audit-mode cj/gh-audit-hosts-mode cj/gh-audit-line-mode cj/gh-audit-check-mode
    cj/gate-records-mode cj/gate-record-mode cj/gate-runs-mode cj/gate-run-mode
    cj/gate-leases-mode cj/gate-purge-mode cj/gh-doctor-mode cj/net-doctor-mode
    cj/gh-explain-mode cj/gh-failure-mode cj/gh-pulls-mode
    cj/gh-worktrees-mode)
  "The modes of the gate's buffers, without that of the approval.")

(defun views-tests--source-suffixes (prefix)
  "Return the keys and commands of the menu PREFIX in the source, an alist."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "lisp/cj-gate-menus.el" lab-root))
    (let ((rows nil)
          (part (lambda (end)
                  (cl-loop while (re-search-forward
                                  "(\"\\([^\"]+\\)\" \"[^\"]+\" \\([^ )]+\\))" end t)
                           collect (cons (match-string 1) (intern (match-string 2)))))))
      (search-forward "(defmacro cj/gate-menus-define")
      (setq rows (funcall part (save-excursion (search-forward "(defconst") (point))))
      (goto-char (point-min))
      (search-forward (format "(cj/gate-menus-define %s\n" prefix))
      (append (funcall part (save-excursion (re-search-forward "\n(\\|\\'") (point))) rows))))

(ert-deftest views-help-shows-the-keys-of-each-mode-and-the-menu-has-them ()
  (dolist (mode views-tests--modes)
    (ert-info ((symbol-name mode))
      (with-temp-buffer
        (funcall mode)
        (should (eq (key-binding "?") 'cj/gate-view-menu))
        (should (derived-mode-p 'special-mode))
        ;; C-h m shows a key for each command, never M-x.
        (let ((help (substitute-command-keys (documentation mode t))))
          (should (string-match-p "\\\\<" (documentation mode t)))
          (should-not (string-match-p "M-x cj/" help)))
        (let* ((menu (cdr (cl-find-if (lambda (row) (derived-mode-p (car row)))
                                      cj/gate-menus--of-modes)))
               (rows (views-tests--source-suffixes menu)))
          (should (commandp menu))
          (should (> (length rows) 12))
          ;; Each key runs the same command in the menu and in the buffer.
          (pcase-dolist (`(,key . ,command) rows)
            (ert-info (key)
              (should (commandp command))
              (should (eq (key-binding (kbd key)) command))))
          ;; The menu has each key of the mode's own map.
          (map-keymap
           (lambda (event command)
             (when (and (symbolp command) (commandp command)
                        (string-prefix-p "cj/" (symbol-name command))
                        ;; Leave out keys that the mode shadows.
                        (eq (key-binding (vector event)) command)
                        (not (memq event '(?? mouse-2))))
               (ert-info ((format "%s %s" (key-description (vector event)) command))
                 (should (rassq command rows)))))
           (symbol-value (intern (format "%s-map" mode)))))))))

(ert-deftest views-rows-and-buttons-answer-to-the-mouse ()
  (views-tests--with-log
    (views-tests--call '("repo" "delete" "o/r" "--yes"))
    (dolist (buffer (list (cj/gate-records) (views-tests--audit) (cj/gate-purge)))
      (with-current-buffer buffer
        (ert-info ((buffer-name))
          (goto-char (point-min))
          (should (get-text-property (point) 'mouse-face))
          (should (eq (lookup-key (current-local-map) [follow-link]) 'mouse-face))
          (should (eq (key-binding [mouse-2]) 'cj/gate-table-mouse)))))
    (switch-to-buffer (views-tests--audit))
    (goto-char (point-min))
    (cj/gate-table-mouse (list 'mouse-2 (posn-at-point (point))))
    (should (eq major-mode 'cj/gh-audit-line-mode))
    (let ((button (next-button (point-min) t)))
      (should (button-get button 'follow-link))
      (should (button-get button 'help-echo)))))

;;;; Tables

(ert-deftest views-a-page-of-one-day-and-one-host-shows-only-times-and-repositories ()
  (views-tests--with-log
    (views-tests--call '("repo" "delete" "acme/tables" "--yes"))
    (let ((row (concat "^ +\\(?:[0-9]+ +\\)?[0-2][0-9]:[0-5][0-9]:[0-5][0-9] +destructive"
                       " +irreversible-blocked +acme/tables +repo delete acme/tables --yes$")))
      (should (string-match-p row (lab-text (views-tests--audit))))
      (should-not (string-match-p "github\\.com" (lab-text (views-tests--audit))))
      (should (string-match-p row (lab-text (cj/gate-records))))
      (with-current-buffer (views-tests--audit)
        (goto-char (point-min))
        (should (eq (lab-face-at "destructive") 'cj/gate-class-destructive))
        (should (eq (lab-face-at "irreversible") 'cj/gate-bad))))
    ;; With calls to a second host each row names its host.
    (views-tests--call '("repo" "delete" "ghe.example.com/o/r" "--yes"))
    (let ((text (lab-text (views-tests--audit))))
      (should (string-match-p " ghe\\.example\\.com/o/r +repo delete" text))
      (should (string-match-p " github\\.com/acme/tables +repo delete" text)))))

(ert-deftest views-a-page-of-several-days-has-the-days ()
  (let ((noon '("2026-03-01T12:00:00+0000" "2026-03-01T13:00:00+0000"))
        (process-environment (cons "TZ=UTC0" process-environment)))
    (should (equal (substring-no-properties
                    (funcall (cj/gate-table-clock noon) (car noon)))
                   (format-time-string "%T" (parse-iso8601-time-string (car noon)))))
    (should (equal (cj/gate-table-day noon) "2026-03-01"))
    (let ((days (cons "2026-03-03T23:30:00+0000" noon)))
      (should (string-match-p "\\`0[0-9]-[0-9][0-9] [0-9:]\\{8\\}\\'"
                              (funcall (cj/gate-table-clock days) (car days))))
      (should-not (cj/gate-table-day days)))
    ;; A text that is no time is shown unchanged.
    (should (equal (substring-no-properties (funcall (cj/gate-table-clock '("x")) "x")) "x"))
    (should-not (cj/gate-table-day (list (format-time-string "%FT%T%z"))))))

(ert-deftest views-the-command-column-keeps-its-room-in-a-narrow-window ()
  (let ((columns '(("Time" 14 nil t) ("End" 20 12 t) ("Took" 7 0 t) ("Where" 40 16 t)
                   ("Command" nil nil t)))
        (entries (list (list 1 (vector "21:00:00" "irreversible-blocked" "123 ms"
                                       "ghe.example.com/a-team/a-repository" "pr merge 1")))))
    (pcase-dolist (`(,columns-there ,widths)
                   '((120 (8 20 6 35 0)) (100 (8 20 nil 35 0)) (90 (8 20 nil 28 0))
                     (70 (8 12 nil 16 0)) (40 (8 12 nil 16 0))))
      (cl-letf (((symbol-function 'cj/gate-table--width) (lambda () columns-there)))
        (ert-info ((number-to-string columns-there))
          (should (equal (cj/gate-table--widths columns entries) widths)))))
    (with-temp-buffer
      (cj/gate-table-mode)
      (cl-letf (((symbol-function 'cj/gate-table--width) (lambda () 70)))
        (cj/gate-table-fill columns entries))
      (should (equal (mapcar #'cadr (append tabulated-list-format nil)) '(8 12 16 0)))
      (should (string-match-p " pr merge 1$" (buffer-string)))
      (should-not (string-match-p "123 ms" (buffer-string)))
      (should-not (buffer-modified-p)))))

(ert-deftest views-an-empty-table-says-so-and-names-the-next-step ()
  (views-tests--with-log
    (cj/gate-load-module)
    (cl-letf (((symbol-function 'cj/gate-record-list) #'ignore))
      (pcase-dolist
          (`(,command ,regexp)
           `((,#'cj/gate-runs "\\`Nothing runs, nothing waits\\.\nThe records have")
             (,#'cj/gate-records "\\`No call has been made in this Emacs\\.\nThe audit log has")
             (,#'cj/gate-leases "\\`No lease holds\\.  One is given with C-c C-t")
             (views-tests--audit "\\`The audit log has no lines yet")
             (,(lambda () (views-tests--audit "frob")) "\\`No line of the audit log matches frob\n")))
        (funcall command)
        (with-current-buffer (window-buffer)
          (ert-info ((buffer-name))
            (should (string-match-p regexp (buffer-string)))
            (revert-buffer)
            (when (derived-mode-p 'cj/gh-audit-mode)
              (lab-wait (lambda () (not cj/gh-audit--handle))))
            (should (string-match-p regexp (buffer-string)))
            (should-not (buffer-modified-p))))))))

;;;; One line of the audit log

(ert-deftest views-a-line-of-the-log-is-decoded-and-leads-to-its-file ()
  (views-tests--with-log
    (views-tests--call '("repo" "delete" "o/r" "--yes"))
    (views-tests--call '("frob" "a b" "" "c,d" "x\u202ey\nz"))
    (switch-to-buffer (views-tests--audit))
    (goto-char (point-min))
    (search-forward "frob")
    (call-interactively (key-binding (kbd "RET")))
    (should (eq (current-buffer) (window-buffer)))
    (should (eq major-mode 'cj/gh-audit-line-mode))
    (should buffer-read-only)
    (let ((text (buffer-string)))
      (dolist (row '("^Time +20[0-9-]+T[0-9:]+[-+][0-9]+$" "^Class +unknown$"
                     "^Approved by +nobody$" "^End +[a-z-]+$" "^Policy +confirm$"
                     "^Argv sha256 +[0-9a-f]\\{64\\}$" "^Writer +[0-9a-f]+, its line 2$"
                     "^Chain +[0-9a-f]\\{32\\}$" "^Line +20[0-9-]+\\.log:2$"
                     "^Arguments, one a line\n  frob\n  a b\n  (empty)\n  c,d\n"))
        (ert-info (row) (should (string-match-p row text))))
      ;; A line break and a bidi control in an argument are escaped.
      (should-not (string-match-p "\u202e\\|^z" text)))
    (should (equal (mapcar #'car (cj/gate-view-sections))
                   '("Call" "Arguments, one a line" "In the log")))
    ;; The key f and the button open the log file at that line.
    (let ((raw (lambda ()
                 (should (string-match-p "\\.log\\'" (buffer-file-name)))
                 (should buffer-read-only)
                 (should (= 2 (line-number-at-pos)))
                 (should (looking-at ".* argv=frob,a%20b,,c%2Cd,"))
                 (kill-buffer))))
      (save-window-excursion
        (call-interactively (key-binding "f"))
        (funcall raw))
      (goto-char (point-min))
      (re-search-forward "\\.log:2$")
      (save-window-excursion
        (push-button (1- (point)))
        (funcall raw)))
    ;; n goes to the next row; r opens the record that this Emacs has of it.
    (call-interactively (key-binding "n"))
    (should (string-match-p "^Command +gh repo delete$" (buffer-string)))
    (should-error (call-interactively (key-binding "n")) :type 'user-error)
    (should (string-match-p "^Command +gh repo delete$" (buffer-string)))
    (call-interactively (key-binding "r"))
    (should (eq major-mode 'cj/gate-record-mode))
    (should (string-match-p "^Error kind: irreversible-blocked$" (buffer-string)))))

(ert-deftest views-a-foreign-line-and-a-lease-event-are-named-as-such ()
  (dolist (case `(((:file "2026-03-01.log" :line 3 :text "what <is> this") .
                   "^cj-gate did not write this line:\nwhat <is> this$")
                  ((:file "2026-03-01.log" :line 4 :time "2026-03-01T12:00:00+0000"
                    :event "lease-ended" :why "time" :lease "2" :uses "1" :program "gh"
                    :command "pr comment" :host "github.com" :repo "o/r")
                   . "^Event +lease-ended: a lease ended\nCommand +gh pr comment$")))
    (save-window-excursion
      (cj/gh-audit-line (car case) (current-buffer))
      (should (string-match-p (cdr case) (lab-text cj/gh-audit-line-buffer-name)))
      (with-current-buffer cj/gh-audit-line-buffer-name
        (should-error (cj/gh-audit-line-record) :type 'user-error)))))

(ert-deftest views-numbers-and-nouns-agree ()
  (should (equal (mapcar (lambda (n) (cj/gate-view-count n "line")) '(0 1 2))
                 '("0 lines" "1 line" "2 lines")))
  (should (equal (cj/gh-audit-summary '(:files 1 :writers 1 :whole 4 :lines 4))
                 "The audit log verifies: 4 lines of 1 writer in 1 file."))
  (should (equal (cj/gh-audit-summary '(:files 2 :writers 3 :whole 1 :lines 1))
                 "The audit log verifies: 1 line of 3 writers in 2 files."))
  (should (equal (cj/gate-purge-size 1) "1 B")))

;;;; Records

(ert-deftest views-a-record-has-sections-faces-and-keys ()
  (views-tests--with-log
    (views-tests--call '("pr" "view" "9500" "-R" "o/r"))
    (cj/gh-tool-last-error)
    (should (eq (window-buffer) (get-buffer cj/gate-record-buffer-name)))
    (with-current-buffer cj/gate-record-buffer-name
      (should (equal (mapcar #'car (funcall imenu-create-index-function))
                     '("Call" "Reproduce" "Result")))
      (should visual-line-mode)
      (goto-char (point-min))
      (should (eq (lab-face-at "^Host:") 'cj/gate-label))
      (should (eq (lab-face-at "^Classification: \\(.*\\)") 'cj/gate-class-read))
      (should (eq (lab-face-at "^Error kind: \\(.*\\)") 'cj/gate-bad))
      (should (string-match-p "gh pr view +read +not-found +github\\.com/o/r"
                              header-line-format))
      (let ((kill-ring nil) (interprogram-cut-function nil))
        (should (string-match-p "\\`Copied" (views-tests--said (call-interactively (key-binding "c")))))
        (should (string-match-p "gh pr view 9500" (car kill-ring)))))))

;;;; Explanations

(ert-deftest views-an-explanation-has-sections-and-can-be-changed ()
  (lab-with (_)
    (save-window-excursion
      (let ((wait (lambda (buffer)
                    (with-current-buffer buffer
                      (lab-wait (lambda () (not (string-prefix-p "Asking" (buffer-string)))))
                      buffer))))
        (with-current-buffer (funcall wait (cj/gh-explain "pr merge 1 -R o/r"))
          (should (equal (mapcar #'car (cj/gate-view-sections))
                         '("How gh reads it" "How the gate judges it" "The exact call" "Answer"
                           "What it concerns" "Arguments of gh, one a line")))
          (goto-char (point-min))
          (should (eq (lab-face-at "^Class +\\(.*\\)") 'cj/gate-class-write))
          (let ((kill-ring nil) (interprogram-cut-function nil) (inhibit-message t))
            (call-interactively (key-binding "c"))
            (should (equal (car kill-ring) "gh pr merge 1 -R github.com/o/r")))
          (cj/gh-explain-edit "repo delete o/r")
          (funcall wait (current-buffer))
          (goto-char (point-min))
          (should (eq (lab-face-at "^It would be refused") 'cj/gate-bad))
          (revert-buffer)
          (funcall wait (current-buffer))
          (should (string-match-p "^Command +repo delete$" (buffer-string))))))))

;;;; The mode line

(ert-deftest views-mode-line-texts-can-be-clicked ()
  (let ((text (cj/gate-progress--link "x" 'cj/gate-runs "show what runs")))
    (should (eq (lookup-key (get-text-property 0 'local-map text) [mode-line mouse-1])
                'cj/gate-runs))
    (should (eq (get-text-property 0 'mouse-face text) 'mode-line-highlight)))
  (should (eq (lookup-key cj/gate-leases--mode-line-map [mode-line mouse-1]) 'cj/gate-leases)))

;;;; By typed keys

(defconst views-tests--commands
  '(("cj/gate-runs" () "*cj-gate runs*")
    ("cj/gate-records" () "*cj-gate records*")
    ("cj/gh-tool-last-error" () "*cj-gate record*")
    ("cj/gh-audit-search" ("Enter") "*cj-gh audit*")
    ("cj/gh-audit-by-host" () "*cj-gh audit hosts*")
    ("cj/gh-audit-verify" () "*cj-gh audit check*")
    ("cj/gate-leases" () "*cj-gate leases*")
    ("cj/gate-purge" () "*cj-gate purge*")
    ("cj/gh-doctor" () "*cj-gh doctor*")
    ("cj/net-doctor" () "*cj-net doctor*")
    ("cj/gh-explain" ("pr view 1" "Enter") "*cj-gh explain*"))
  "Rows (COMMAND TYPED BUFFER): COMMAND selects BUFFER after TYPED was typed.")

(ert-deftest views-commands-of-a-person-select-their-window-and-ask-for-a-repository ()
  (lab-terminal-with
      (terminal lab nil :width 100 :height 30
                :init '((require 'cj-net)
                        (autoload 'cj/net-doctor "cj-net-doctor" nil t)
                        (global-set-key [f5] (lambda () (interactive)
                                               (cj/gh-call '("repo" "delete" "acme/tables" "--yes")
                                                           (lambda (_) (message "answered")))))
                        (global-set-key
                         [f1] (lambda () (interactive)
                                (message nil)
                                (switch-to-buffer "chat")
                                (delete-other-windows)))))
    (lab-terminal-keys terminal "F5")
    (lab-terminal-wait-told terminal :messages "^answered")
    (pcase-dolist (`(,command ,more ,buffer) views-tests--commands)
      (ert-info (command)
        (lab-terminal-keys terminal "F1")
        (lab-terminal-wait-told terminal :windows "\\`(chat)\\'")
        (approval-M-x terminal command)
        (dolist (text more)
          (if (equal text "Enter") (lab-terminal-keys terminal "Enter")
            (lab-terminal-wait-screen terminal "^gh command line:")
            (lab-terminal-type terminal text)))
        (lab-terminal-wait-told terminal :selected
                                (concat "\\`" (regexp-quote buffer) "\\'"))
        ;; The key ? opens the menu of the buffer.
        (lab-terminal-keys terminal "?")
        (lab-terminal-wait-screen terminal "Elsewhere")
        (lab-terminal-wait-screen terminal "j d Doctor")
        (lab-terminal-keys terminal "C-g")
        (lab-terminal-wait terminal
                           (lambda () (not (string-match-p
                                            "Elsewhere" (lab-terminal-screen terminal)))))))
    ;; A row of the audit log fits into 100 columns; RET opens it.
    (lab-terminal-keys terminal "F1")
    (approval-M-x terminal "cj/gh-audit-search")
    (lab-terminal-wait-screen terminal "^Search the audit log")
    (lab-terminal-type terminal "repo delete")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-screen
     terminal
     "^ [0-9:]\\{8\\} destructive +irreversible-blocked +acme/tables repo delete acme/tables --yes$")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :selected "\\*cj-gh audit line\\*")
    (lab-terminal-wait-screen terminal "^Arguments, one a line")
    ;; j c goes on to the buffer of records.
    (lab-terminal-keys terminal "j" "c")
    (lab-terminal-wait-told terminal :selected "\\*cj-gate records\\*")
    ;; Outside a checkout a command asks for the repository.
    (lab-terminal-keys terminal "F1")
    (approval-M-x terminal "cj/gh-pr-review-comments")
    (lab-terminal-wait-screen terminal "^OWNER/REPO:")
    (lab-terminal-type terminal "o/r")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-screen terminal "^Pull request of o/r: #")
    (lab-terminal-type terminal "1")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :selected "\\*cj-gh review comments\\*")
    (lab-terminal-keys terminal "F1")
    (approval-M-x terminal "cj/gh-pr-current")
    (lab-terminal-wait-screen terminal "^OWNER/REPO:")
    (lab-terminal-type terminal "o")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "not the name of a repository: \"o\"; write OWNER/REPO")
    (approval-M-x terminal "cj/gh-pr-current")
    (lab-terminal-wait-screen terminal "^OWNER/REPO:")
    (lab-terminal-type terminal "o/r")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-screen terminal "^Pull request of o/r: #")
    (lab-terminal-type terminal "1")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :messages "^#1 OPEN  Read quoted fields")))

(provide 'views-tests)

;;; views-tests.el ends here
