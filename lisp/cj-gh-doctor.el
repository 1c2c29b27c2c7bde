;;; cj-gh-doctor.el --- Check what the GitHub tools need -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; One check a line: PASS, WARN, FAIL or SKIP, what was found, and below it
;; what to do.  The checks that ask gh or git run in the background and fill in
;; their line when the answer comes; nothing waits for them.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gh-doctor-emacs)
(require 'cj-gh-doctor-gh)

(declare-function cj/gate--mod-hosts "ext:cj-gate-module")

(defconst cj/gh-doctor-buffer-name "*cj-gh doctor*"
  "Name of the doctor's buffer.")

(defconst cj/gh-doctor--checks
  '(("Emacs" cj/gh-doctor--emacs)
    ("Module" cj/gh-doctor--module)
    ("gh" cj/gh-doctor--gh)
    ("gh version" cj/gh-doctor--gh-version module)
    ("gh catalog" cj/gh-doctor--gh-catalog module)
    ("Hosts" cj/gh-doctor--hosts module)
    ("Login" cj/gh-doctor--login module hosts)
    ("Limits" cj/gh-doctor--limits module hosts)
    ("Directory" cj/gh-doctor--directory module)
    ("Environment" cj/gh-doctor--environment)
    ("Policy" cj/gh-doctor--policy module)
    ("Gate" cj/gh-doctor--gate module)
    ("Audit log" cj/gh-doctor--audit-log module)
    ("gptel" cj/gh-doctor--gptel)
    ("Eval-like tools" cj/gh-doctor--eval-tools))
  "The checks, in order: (NAME FUNCTION . NEEDS).
FUNCTION is called with a function REPORT, in the buffer that the doctor was
called from.  It calls REPORT once, now or later, with `pass', `warn', `fail'
or `skip', what was found, and what to do or nil; a command in that, as in
`gh auth login', becomes a button.
NEEDS has `module' for a check that is left out where there is no module, and
`hosts' for one that is made for each known host; FUNCTION then gets the
host's plist as a second argument.")

;;;; The buffer

(defvar-local cj/gh-doctor--width 16
  "Columns that the names of this report take.")

(defun cj/gh-doctor--row (grade name text)
  "Return one line of a row: GRADE and NAME, strings, and TEXT behind them.
Where the window is too narrow it goes on below TEXT, at the border of a word."
  (propertize (format "%-5s %s %s\n" grade
                      (string-pad name cj/gh-doctor--width) text)
              'wrap-prefix (make-string (+ 7 cj/gh-doctor--width) ?\s)))

(defun cj/gh-doctor--line (name grade found advice)
  "Return the lines for the check NAME: its GRADE, what was FOUND, and ADVICE."
  (concat (cj/gh-doctor--row (upcase (symbol-name grade)) name found)
          (if (and advice (not (string-empty-p advice)))
              (cj/gh-doctor--row "" "" advice)
            "")))

(defun cj/gh-doctor--step (text)
  "Return what a button on TEXT, quoted in an advice, does; nil: no button.
The value is (HELP . FUNCTION)."
  (let ((symbol (intern-soft text)))
    (cond
     ((string-match "\\`M-x \\([^ ]+\\)\\'" text)
      (let ((command (intern-soft (match-string 1 text))))
        (and (commandp command)
             (cons "Call the command" (lambda () (call-interactively command))))))
     ((string-match "\\`(setenv \"\\([A-Z_]+\\)\")\\'" text)
      (let ((name (match-string 1 text)))
        (cons "Take the variable out of this Emacs, and look again"
              (lambda () (setenv name) (cj/gh-doctor-again)))))
     ((string-match-p "\\`\\(?:gh\\|git\\|chmod\\) " text)
      (cons "Copy the line, for a terminal"
            (lambda () (kill-new text) (message "Copied: %s" text))))
     ((and symbol (custom-variable-p symbol))
      (cons "Set the option" (lambda () (customize-variable symbol)))))))

(defun cj/gh-doctor--buttons (start end)
  "Make a button of each step that is quoted between START and END."
  (save-excursion
    (goto-char start)
    (while (re-search-forward "`\\([^`'\n]+\\)'" end t)
      (let ((step (save-match-data
                    (cj/gh-doctor--step (match-string-no-properties 1)))))
        (when step
          (make-text-button (match-beginning 1) (match-end 1)
                            'help-echo (car step) 'follow-link t
                            'cj/gh-doctor-step (cdr step)
                            'action (lambda (button)
                                      (funcall (button-get button 'cj/gh-doctor-step)))))))))

(defun cj/gh-doctor--reporter (buffer row name)
  "Return the function with which the check NAME reports in BUFFER.
ROW marks its lines there, as the text property `cj/gh-doctor-row'; a later
run of the doctor has rows of its own, so a late answer changes nothing."
  (lambda (grade found &optional advice)
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (let* ((inhibit-read-only t)
               (start (text-property-any (point-min) (point-max)
                                         'cj/gh-doctor-row row)))
          (when start
            (save-excursion
              (goto-char start)
              (delete-region start (next-single-property-change
                                    start 'cj/gh-doctor-row nil (point-max)))
              (insert (propertize
                       (cj/gh-doctor--line name grade found advice)
                       'cj/gh-doctor-row row))
              (cj/gh-doctor--buttons start (point)))))))))

(defun cj/gh-doctor--no-module ()
  "Return why there is no module, a sentence, or nil."
  (condition-case err
      (progn (cj/gate-load-module) nil)
    (cj/gate-error (car (split-string (cj/gate-error-message err) "\n")))))

(defun cj/gh-doctor--rows ()
  "Return the rows of a report: (NAME . FUNCTION), FUNCTION of REPORT alone."
  (let ((missing (cj/gh-doctor--no-module)))
    (mapcan
     (pcase-lambda (`(,name ,function . ,needs))
       (cond
        ((and missing (memq 'module needs))
         (list (cons name (lambda (report)
                            (funcall report 'skip "not checked: there is no module")))))
        ((memq 'hosts needs)
         (mapcar (lambda (host)
                   (cons (format "%s %s" name (plist-get host :host))
                         (lambda (report) (funcall function report host))))
                 (ignore-errors (cj/gate--mod-hosts (cj/gate--settings "gh")))))
        (t (list (cons name function)))))
     cj/gh-doctor--checks)))

(defvar cj/gh-doctor-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    map)
  "Keys of the doctor's buffer.")

(define-derived-mode cj/gh-doctor-mode special-mode "cj-gh doctor"
  "Mode of the doctor's buffer.
\\<cj/gh-doctor-mode-map>\\[revert-buffer] looks again, \\[forward-button] goes to the next step."
  (setq truncate-lines nil
        word-wrap t)
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gh-doctor-again))))

(defvar-local cj/gh-doctor--handles nil
  "What the checks of this report have under way.")

(defun cj/gh-doctor--under-way (handle)
  "Note HANDLE, of work that a check of this report has under way."
  (push handle (buffer-local-value 'cj/gh-doctor--handles
                                   (get-buffer-create cj/gh-doctor-buffer-name))))

(defvar-local cj/gh-doctor--origin nil
  "The buffer that the doctor was called from.")

(defun cj/gh-doctor-again ()
  "Look again at everything, for the buffer that the doctor was called from."
  (interactive nil cj/gh-doctor-mode)
  (let ((origin (buffer-local-value 'cj/gh-doctor--origin
                                    (get-buffer-create cj/gh-doctor-buffer-name))))
    (with-current-buffer (if (buffer-live-p origin) origin (current-buffer))
      (cj/gh-doctor))))

;;;###autoload
(defun cj/gh-doctor (&optional offer)
  "Check what the GitHub tools need; return the buffer with the findings.
Nothing is changed, and Emacs does not wait for the programs that are asked.
In the buffer, g looks again and TAB goes to the next step that can be taken.
With OFFER, as in a call by key, building a missing module is offered first."
  (interactive "p")
  (when offer
    (condition-case nil
        (cj/gate-load-module 'offer)
      (cj/gate-error nil)))
  (let ((buffer (get-buffer-create cj/gh-doctor-buffer-name))
        (origin (current-buffer))
        (rows (cj/gh-doctor--rows))
        (waiting nil))
    (with-current-buffer buffer
      (mapc #'cj/gate-cancel cj/gh-doctor--handles)
      (cj/gh-doctor-mode)
      (setq cj/gh-doctor--origin origin
            cj/gh-doctor--handles nil
            cj/gh-doctor--width
            (min 32 (apply #'max 16 (mapcar (lambda (row) (string-width (car row)))
                                            rows)))))
    (pcase-dolist (`(,name . ,function) rows)
      (let ((row (list name)))
        (with-current-buffer buffer
          (let ((inhibit-read-only t))
            (goto-char (point-max))
            (when (null waiting) (erase-buffer))
            (insert (propertize (cj/gh-doctor--row "..." name "asking")
                                'cj/gh-doctor-row row))))
        (push (cons function (cj/gh-doctor--reporter buffer row name))
              waiting)))
    ;; All rows first: an answer may come at once.
    (pcase-dolist (`(,function . ,report) (nreverse waiting))
      (condition-case err
          (funcall function report)
        (error (funcall report 'fail "could not be checked"
                        (cj/gate-error-message err)))))
    (with-current-buffer buffer (goto-char (point-min)))
    (unless noninteractive (display-buffer buffer))
    buffer))

(provide 'cj-gh-doctor)

;;; cj-gh-doctor.el ends here
