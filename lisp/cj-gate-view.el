;;; cj-gate-view.el --- What the gate's buffers have in common -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The parent mode of the gate's buffers of text, the keys that lead from each
;; buffer to the others, and functions that insert labels, headings and buttons.
;; Tables are in cj-gate-table.el, the menus of the key ? in cj-gate-menus.el.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-faces)

(autoload 'cj/gate-view-menu "cj-gate-menus" "Show the keys of this buffer." t)
(autoload 'cj/gate-approvals "cj-gate-approval" "Go to the call that waits." t)
(autoload 'cj/gate-queue "cj-gate-approval-queue" "List the calls that wait." t)
(autoload 'cj/gate-runs "cj-gate-runs" "Show what runs and what waits." t)
(autoload 'cj/gate-records "cj-gate-record" "List the calls that are kept." t)
(autoload 'cj/gate-leases "cj-gate-leases" "List the leases." t)
(autoload 'cj/gate-purge "cj-gate-purge" "See what is kept, and remove it." t)
(autoload 'cj/gh-audit-search "cj-gh-audit" "Search the audit log." t)
(autoload 'cj/gh-doctor "cj-gh-doctor" "Check what the GitHub tools need." t)
(autoload 'cj/gh-explain "cj-gh-explain" "Say what the gate would do." t)
(autoload 'cj/gh-menu "cj-gh-menu" "Show what can be done with the gate." t)

;;;; From one buffer to the others

(defvar cj/gate-view-jump-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "a") #'cj/gate-approvals)
    (define-key map (kbd "w") #'cj/gate-queue)
    (define-key map (kbd "r") #'cj/gate-runs)
    (define-key map (kbd "c") #'cj/gate-records)
    (define-key map (kbd "l") #'cj/gh-audit-search)
    (define-key map (kbd "e") #'cj/gate-leases)
    (define-key map (kbd "d") #'cj/gh-doctor)
    (define-key map (kbd "x") #'cj/gh-explain)
    (define-key map (kbd "p") #'cj/gate-purge)
    (define-key map (kbd "m") #'cj/gh-menu)
    map)
  "Keys after j, which lead from each of the gate's buffers to the others.")

;;;; Buffers of text

(defvar cj/gate-view-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    (define-key map (kbd "n") #'cj/gate-view-next)
    (define-key map (kbd "p") #'cj/gate-view-previous)
    (define-key map (kbd "j") cj/gate-view-jump-map)
    (define-key map (kbd "?") #'cj/gate-view-menu)
    map)
  "Keys of the gate's buffers of text.")

(define-derived-mode cj/gate-view-mode special-mode "cj-gate"
  "Mode that the gate's buffers of text derive from.
\\<cj/gate-view-mode-map>\
\\[forward-button] and \\[backward-button] go to the next and the previous button.
\\[cj/gate-view-next] and \\[cj/gate-view-previous] go to the next and the previous section.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local bidi-display-reordering nil
              imenu-create-index-function #'cj/gate-view-sections)
  ;; Long lines wrap at words, without arrows in the fringes.
  (visual-line-mode 1))

(defun cj/gate-view-show (buffer)
  "Select a window with BUFFER, for a command of a person; return BUFFER.
Its `default-directory' becomes that of the current buffer."
  (let ((directory default-directory)
        (buffer (get-buffer buffer)))
    (with-current-buffer buffer
      (setq default-directory directory))
    (pop-to-buffer buffer)
    buffer))

(defun cj/gate-view-later ()
  "Return a function to show a buffer later, when an answer has come.
The function gets the buffer.  It selects the buffer's window if the person has
pressed no key since now; otherwise it only displays the buffer, so that the
person can go on typing."
  (let ((events num-nonmacro-input-events)
        (window (selected-window)))
    (lambda (buffer)
      (if (and (eql events num-nonmacro-input-events)
               (eq window (selected-window))
               (not (active-minibuffer-window)))
          (pop-to-buffer buffer)
        (display-buffer buffer)))))

;;;; Sections

(defun cj/gate-view-section (name text)
  "Return TEXT as the beginning of the section NAME, a string."
  (propertize text 'cj/gate-section name))

(defun cj/gate-view-sections ()
  "Return the sections of the current buffer, as imenu wants them."
  (let ((position (point-min)) (rows nil))
    (while (< position (point-max))
      (let ((name (get-text-property position 'cj/gate-section)))
        (when name
          (push (cons name (copy-marker position)) rows))
        (setq position (next-single-property-change position 'cj/gate-section
                                                    nil (point-max)))))
    (nreverse rows)))

(defun cj/gate-view-next (&optional count)
  "Go to the next section; with COUNT, a number, to the COUNTth next one."
  (interactive "p" cj/gate-view-mode)
  (let* ((count (or count 1))
         (there (mapcar (lambda (row) (marker-position (cdr row)))
                        (cj/gate-view-sections)))
         (way (if (> count 0)
                  (cl-remove-if-not (lambda (position) (> position (point))) there)
                (reverse (cl-remove-if-not (lambda (position) (< position (point)))
                                           there)))))
    (goto-char (or (nth (1- (abs count)) way)
                   (user-error (if (> count 0) "This is the last section"
                                 "This is the first section"))))))

(defun cj/gate-view-previous (&optional count)
  "Go to the previous section; with COUNT, a number, COUNT sections back."
  (interactive "p" cj/gate-view-mode)
  (cj/gate-view-next (- (or count 1))))

;;;; Text

(defun cj/gate-view-heading (text)
  "Return TEXT, a string, as the line of a heading."
  (cj/gate-view-section (string-trim-right text "[:\n ]+")
                        (concat (propertize text 'face 'cj/gate-heading) "\n")))

(defun cj/gate-view-row (label value &optional width prefix)
  "Return a line with LABEL and VALUE, strings.
LABEL takes WIDTH columns, 12 by default, and at least two columns after it stay
empty.  A VALUE too long for the window is wrapped: the further lines begin
below VALUE, or with PREFIX, a string."
  (let ((width (or width 12)))
    (propertize (concat (propertize (string-pad (concat label " ") width) 'face 'cj/gate-label)
                        " " value "\n")
                'wrap-prefix (or prefix (make-string (1+ width) ?\s)))))

(defun cj/gate-view-button (label help function)
  "Insert a button LABEL, with HELP for the mouse, to call FUNCTION."
  (insert-text-button label 'help-echo help 'follow-link t
                      'action (lambda (_) (funcall function))))

(defun cj/gate-view-command (label command)
  "Insert a button LABEL to call COMMAND, a symbol."
  (cj/gate-view-button label (format "M-x %s" command)
                       (lambda () (call-interactively command))))

(defun cj/gate-view-count (number noun &optional plural)
  "Return NUMBER and NOUN as text: \"1 line\", \"2 lines\".
PLURAL is the plural of NOUN, by default NOUN with an s."
  (format "%d %s" number (if (eql number 1) noun (or plural (concat noun "s")))))

(provide 'cj-gate-view)

;;; cj-gate-view.el ends here
