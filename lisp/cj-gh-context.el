;;; cj-gh-context.el --- The pull request that a chat is about -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; When the model has looked at a pull request for an answer, a line after that
;; answer names the pull request, once in a chat:
;;
;;   GitHub: github.com/o/r PR #7 https://github.com/o/r/pull/7
;;
;; The line is for a person who opens the chat again; it stays in a saved chat.
;; It has the text property by which gptel leaves text out of the conversation,
;; so it is sent to no model, neither as an answer nor as a question.

;;; Code:

(require 'cl-lib)
(require 'cj-gh)

(defvar gptel-post-response-functions)

(defvar-local cj/gh-context--pending nil
  "Lines to insert at the end of the model's answer, the newest first.")

(defun cj/gh-context-line (result)
  "Return the line for the pull request in RESULT, or nil.
RESULT is the answer of a tool: the header line, then a line that begins with
\"#N\", the number of the pull request."
  (and (string-match "\\`\\[gh \\([^] /]+\\)/\\([^] /]+/[^] /]+\\) read ok [^]\n]*]\n#\\([0-9]+\\) "
                     result)
       (let ((host (match-string 1 result))
             (repo (match-string 2 result))
             (number (match-string 3 result)))
         (format "GitHub: %1$s/%2$s PR #%3$s https://%1$s/%2$s/pull/%3$s"
                 host repo number))))

(defun cj/gh-context-note (result)
  "Note the pull request in RESULT, for the chat in the current buffer.
Do nothing in a buffer that is no chat."
  (let ((line (and (default-value 'cj/gh-insert-context)
                   (bound-and-true-p gptel-mode)
                   (cj/gh-context-line result))))
    (when line
      (cl-pushnew line cj/gh-context--pending :test #'equal)
      (add-hook 'gptel-post-response-functions #'cj/gh-context--insert 90 t))))

(defun cj/gh-context--said-p (line)
  "Return non-nil if the current buffer has LINE already."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (re-search-forward (concat "^" (regexp-quote line) "$") nil t))))

(defun cj/gh-context--end-of-answer (start end)
  "Return the end of the answer between START and END.
gptel inserts the prefix of the next prompt before END; the prefix is no part of
the answer."
  (let ((position end))
    (while (and (> position start)
                (not (get-text-property (1- position) 'gptel)))
      (setq position (previous-single-property-change position 'gptel nil start)))
    (if (> position start) position end)))

(defun cj/gh-context--insert (start end)
  "Insert the noted lines after the answer between START and END.
This is for `gptel-post-response-functions' of a chat, from which it removes
itself."
  (remove-hook 'gptel-post-response-functions #'cj/gh-context--insert t)
  (let ((lines (nreverse cj/gh-context--pending)))
    (setq cj/gh-context--pending nil)
    (with-demoted-errors "cj-gate: the line about the pull request: %S"
      (setq lines (cl-remove-if #'cj/gh-context--said-p lines))
      (when (and lines (integer-or-marker-p start) (integer-or-marker-p end)
                 (< start end))
        (save-excursion
          (save-restriction
            (widen)
            (goto-char (cj/gh-context--end-of-answer start end))
            (insert (propertize (concat "\n\n" (mapconcat #'identity lines "\n"))
                                'gptel 'ignore 'rear-nonsticky t))))))))

(provide 'cj-gh-context)

;;; cj-gh-context.el ends here
