;;; cj-gate-doctor.el --- The buffer of a doctor's report -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The first line says how many checks fail, and which.  Then each check has a
;; row: PASS, WARN, FAIL or SKIP, what was found, and on the next line what to
;; do.  A step that is quoted there (an option, a command, or a line for a
;; terminal) is a button that takes the step.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-view)

;;;; Rows

(defvar-local cj/gate-doctor--width 16
  "Columns that the names of checks take in this report.")

(defun cj/gate-doctor--row (grade name text)
  "Return one line of a row: GRADE and NAME, strings, and TEXT after them.
In a narrow window TEXT is wrapped below its own beginning."
  (propertize (concat (string-pad grade 5) " "
                      (string-pad name cj/gate-doctor--width) " " text "\n")
              'wrap-prefix (make-string (+ 7 cj/gate-doctor--width) ?\s)))

(defun cj/gate-doctor-line (name grade found advice)
  "Return the lines for the check NAME.
GRADE is `pass', `warn', `fail' or `skip'.  FOUND, a string, says what the check
found; ADVICE, a string or nil, says what to do."
  (concat (cj/gate-view-section
           name (cj/gate-doctor--row (cj/gate-faces-grade grade) name found))
          (if (and advice (not (string-empty-p advice)))
              (cj/gate-doctor--row "" "" advice)
            "")))

(defun cj/gate-doctor-asking (name)
  "Return the line for the check NAME, which has no answer yet."
  (cj/gate-view-section
   name (cj/gate-doctor--row (propertize "..." 'face 'cj/gate-quiet) name "asking")))

(defun cj/gate-doctor-set-width (names)
  "Make the column of names in the current buffer wide enough for NAMES."
  (setq cj/gate-doctor--width
        (min 32 (apply #'max 16 (mapcar #'string-width names)))))

;;;; The first line

(defvar cj/gate-doctor--link-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'cj/gate-doctor-go)
    (define-key map [mouse-2] #'cj/gate-doctor-go)
    (define-key map [follow-link] 'mouse-face)
    map)
  "Keys on the name of a check in the first line.
These names are no buttons, so that TAB goes to the first step at once.")

(defun cj/gate-doctor-go (event)
  "Go to the check whose name is at EVENT, a key or a click."
  (interactive (list last-input-event) cj/gate-doctor-mode)
  (when (mouse-event-p event)
    (mouse-set-point event))
  (let ((row (assoc (get-text-property (point) 'cj/gate-doctor-name)
                    (cj/gate-view-sections))))
    (when row (goto-char (cdr row)))))

(defun cj/gate-doctor--sum (grades)
  "Return the line that sums up GRADES, an alist of names and grades.
A grade of nil stands for a check that has no answer yet."
  (let* ((of (lambda (grade)
               (mapcar #'car (cl-remove grade grades :test-not #'eq :key #'cdr))))
         (fail (funcall of 'fail)) (warn (funcall of 'warn))
         (skip (length (funcall of 'skip))) (open (length (funcall of nil)))
         (link (lambda (name)
                 (propertize name 'cj/gate-doctor-name name 'mouse-face 'highlight
                             'face 'link 'help-echo "Go to this check"
                             'keymap cj/gate-doctor--link-map))))
    (concat
     (string-join
      (delq nil
            (list (propertize (cj/gate-view-count (length fail) "trouble")
                              'face (if fail 'cj/gate-bad 'cj/gate-quiet))
                  (propertize (cj/gate-view-count (length warn) "warning")
                              'face (if warn 'cj/gate-warning 'cj/gate-quiet))
                  (propertize (format "%d well" (length (funcall of 'pass)))
                              'face 'cj/gate-good)
                  (and (> skip 0) (format "%d not checked" skip))))
      ", ")
     (if (or fail warn)
         (concat ": " (mapconcat link (append fail warn) ", "))
       "")
     "."
     (if (> open 0)
         (propertize (concat "  " (cj/gate-view-count open "is" "are") " still being asked.")
                     'face 'cj/gate-quiet)
       "")
     "\n")))

(defun cj/gate-doctor--grades ()
  "Return the names and grades of the rows in the current buffer, an alist."
  (save-excursion
    (goto-char (point-min))
    (let ((rows nil))
      (while (not (eobp))
        (let ((name (get-text-property (point) 'cj/gate-section)))
          (when name
            (push (cons name (pcase (char-after)
                               (?P 'pass) (?W 'warn) (?F 'fail) (?S 'skip)))
                  rows)))
        (forward-line))
      (nreverse rows))))

(defun cj/gate-doctor-sum-up ()
  "Update the first line of the current buffer."
  (let ((grades (cj/gate-doctor--grades)))
    (with-silent-modifications
      (save-excursion
        (goto-char (point-min))
        (when (get-text-property (point) 'cj/gate-doctor-sum)
          (delete-region (point) (next-single-property-change
                                  (point) 'cj/gate-doctor-sum nil (point-max))))
        (insert (propertize (concat (cj/gate-doctor--sum grades) "\n")
                            'cj/gate-doctor-sum t))))))

;;;; Steps

(defvar-local cj/gate-doctor--origin nil
  "The buffer that the doctor was called from.
The step `M-x cd' has its effect there.")

(defvar-local cj/gate-doctor--directory nil
  "The directory that the report is about.")

(defun cj/gate-doctor--call (command)
  "Call COMMAND, a symbol.
Call the command `cd' in the buffer that the doctor was called from, since it
changes the directory of a buffer, and then make the report anew."
  (let ((doctor (current-buffer)))
    (if (not (and (eq command 'cd) (buffer-live-p cj/gate-doctor--origin)))
        (call-interactively command)
      (with-current-buffer cj/gate-doctor--origin
        (call-interactively command))
      (with-current-buffer doctor
        (revert-buffer)))))

(defun cj/gate-doctor--terminal-p (text)
  "Return non-nil if TEXT is a line for a terminal."
  (string-match-p
   "\\`\\(?:sudo \\|env \\(?:-u [A-Z_]+ \\)*\\)?\\(?:gh\\|git\\|chmod\\|make\\|apt\\|dnf\\|pacman\\|zypper\\|apk\\|brew\\|wget\\|systemctl\\) "
   text))

(defun cj/gate-doctor-step-of (text)
  "Return the action of a button on TEXT, quoted in an advice, or nil.
The value is (HELP . FUNCTION): a tooltip and a function without arguments.
If the value is nil, TEXT becomes no button."
  (let ((symbol (intern-soft text)))
    (cond
     ((string-match "\\`M-x \\([^ ]+\\)\\'" text)
      (let ((command (intern-soft (match-string 1 text))))
        (and (commandp command)
             (cons "Call the command" (lambda () (cj/gate-doctor--call command))))))
     ((string-match "\\`(setenv \"\\([A-Z_]+\\)\")\\'" text)
      (let ((name (match-string 1 text)))
        (cons "Take the variable out of this Emacs, and look again"
              (lambda () (setenv name) (revert-buffer)))))
     ((string-match-p "\\`https://" text)
      (cons "Open the page" (lambda () (browse-url text))))
     ((cj/gate-doctor--terminal-p text)
      (cons "Copy the line, for a terminal"
            (lambda () (kill-new text) (message "Copied: %s" text))))
     ((and symbol (custom-variable-p symbol))
      (cons "Set the option" (lambda () (customize-variable symbol)))))))

(defun cj/gate-doctor-buttons (start end)
  "Make a button of each step that is quoted between START and END.
A step ends at a quote that ends a word.  So quotes inside a line for a
terminal, as in --jq '.a', do not end the step."
  (save-excursion
    (goto-char start)
    (while (re-search-forward "`\\([^`\n]+?\\)'\\(?:[].,;:) \n]\\|\\'\\)" end t)
      (let* ((start (match-beginning 1))
             (stop (match-end 1))
             (step (save-match-data
                     (cj/gate-doctor-step-of
                      (buffer-substring-no-properties start stop)))))
        (goto-char stop)
        (when step
          (make-text-button start stop
                            'help-echo (car step) 'follow-link t
                            'cj/gate-doctor-step (cdr step)
                            'action (lambda (button)
                                      (funcall (button-get button 'cj/gate-doctor-step)))))))))

(defun cj/gate-doctor-step ()
  "Take the step at point, or the first one of the row at point."
  (interactive nil cj/gate-doctor-mode)
  (unless (button-at (point))
    (let* ((here (point))
           (row (cl-find-if (lambda (row) (<= (cdr row) here))
                            (reverse (cj/gate-view-sections))))
           (button (and row (next-button (cdr row) t)))
           (next (and row (cl-find-if (lambda (other) (> (cdr other) (cdr row)))
                                      (cj/gate-view-sections)))))
      (unless (and button (or (null next) (< (button-start button) (cdr next))))
        (user-error "There is nothing to do here"))
      (goto-char (button-start button))))
  (push-button))

(defun cj/gate-doctor-next-trouble ()
  "Go to the next row that fails or warns; after the last, to the first."
  (interactive nil cj/gate-doctor-mode)
  (let* ((bad (cl-remove-if-not
               (lambda (row) (memq (char-after (cdr row)) '(?F ?W)))
               (cj/gate-view-sections)))
         (next (or (cl-find-if (lambda (row) (> (cdr row) (point))) bad)
                   (car bad))))
    (unless next
      (user-error "There is no trouble here"))
    (goto-char (cdr next))))

;;;; The mode

(defvar cj/gate-doctor-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "RET") #'cj/gate-doctor-step)
    (define-key map (kbd "t") #'cj/gate-doctor-next-trouble)
    map)
  "Keys of a doctor's buffer.")

(define-derived-mode cj/gate-doctor-mode cj/gate-view-mode "cj-gate doctor"
  "Parent mode of the doctors' buffers.
\\<cj/gate-doctor-mode-map>\
\\[revert-buffer] makes the report anew.
\\[cj/gate-doctor-step] takes the step at point, or the first step of the row.
\\[forward-button] goes to the next step.
\\[cj/gate-doctor-next-trouble] goes to the next row that fails or warns.
\\[cj/gate-view-menu] shows a menu of the keys.")

(provide 'cj-gate-doctor)

;;; cj-gate-doctor.el ends here
