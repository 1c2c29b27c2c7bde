;;; cj-gh-context.el --- The pull request that a chat is about -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; After an answer for which a pull request was looked at, a line in the chat
;; says which one, once for each:
;;
;;   GitHub: github.com/o/r PR #7 https://github.com/o/r/pull/7
;;
;; It is for the person who opens the chat again, and stays in a saved one.
;; The line is marked as gptel marks what is no part of the conversation, so it
;; is sent to no model, neither as an answer nor as a question.

;;; Code:

(require 'cl-lib)
(require 'cj-gh)

(defvar gptel-post-response-functions)

(defvar-local cj/gh-context--pending nil
  "Lines that wait for the end of the answer, the newest first.")

(defun cj/gh-context-line (result)
  "Return the line for the pull request in RESULT, or nil.
RESULT is what a tool answered: the header, then \"#N\" at the beginning."
  (and (string-match "\\`\\[gh \\([^] /]+\\)/\\([^] /]+/[^] /]+\\) read ok [^]\n]*]\n#\\([0-9]+\\) "
                     result)
       (let ((host (match-string 1 result))
             (repo (match-string 2 result))
             (number (match-string 3 result)))
         (format "GitHub: %1$s/%2$s PR #%3$s https://%1$s/%2$s/pull/%3$s"
                 host repo number))))

(defun cj/gh-context-note (result)
  "Note the pull request in RESULT, for the chat in the current buffer.
In a buffer that is no chat nothing is noted."
  (let ((line (and (default-value 'cj/gh-insert-context)
                   (bound-and-true-p gptel-mode)
                   (cj/gh-context-line result))))
    (when line
      (cl-pushnew line cj/gh-context--pending :test #'equal)
      (add-hook 'gptel-post-response-functions #'cj/gh-context--insert 90 t))))

(defun cj/gh-context--said-p (line)
  "Return non-nil if LINE stands in the current buffer."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (re-search-forward (concat "^" (regexp-quote line) "$") nil t))))

(defun cj/gh-context--end-of-answer (start end)
  "Return where the answer between START and END ends.
What gptel puts behind it, the prefix of the next prompt, is no part of it."
  (let ((position end))
    (while (and (> position start)
                (not (get-text-property (1- position) 'gptel)))
      (setq position (previous-single-property-change position 'gptel nil start)))
    (if (> position start) position end)))

(defun cj/gh-context--insert (start end)
  "Insert what was noted after the answer between START and END.
For `gptel-post-response-functions' of a chat; it takes itself away."
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
