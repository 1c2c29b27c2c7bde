;;; cj-gh-failure.el --- Why the lines of a job's failure were chosen -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; `M-x cj/gh-explain-failure' in a buffer with the log of a job shows the lines
;; that `cj/gh-extract-failure' takes from it, and why it takes them: the score
;; of each line, its features with their weights, and what its neighbours
;; carried to it.  Each line number is a button that leads to that line.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-view)

(declare-function cj/gate--mod-explain-failure "ext:cj-gate-module")

(defconst cj/gh-failure-buffer-name "*cj-gh failure*"
  "Name of the buffer with the reasons.")

(defconst cj/gh-failure-node "(cj-gate) Why a line was chosen"
  "The part of the manual that has the table of features.")

(defvar-local cj/gh-failure--log nil
  "The log whose failure is explained here, a list (BUFFER BUDGET START END).
START and END are markers of the region, or nil for the whole buffer.")

(defun cj/gh-failure-table ()
  "Return the features and numbers by which lines of job logs are chosen.
The value is a plist of :features and :numbers, each a list of (NAME WEIGHT
WHY): a string, a number and a string."
  (cj/gate-load-module)
  (cj/gate--mod-explain-failure nil 0 nil))

;;;; Lines of the log

(defun cj/gh-failure--numbers (explained)
  "Return all line numbers in EXPLAINED, rising."
  (let ((numbers nil))
    (dolist (step (plist-get explained :steps))
      (dolist (line (append (plist-get step :certain) (plist-get step :fill)))
        (push (plist-get line :line) numbers)
        (dolist (side '(:above :below))
          (when (plist-get line side)
            (push (car (plist-get line side)) numbers)))))
    (sort (delete-dups numbers) #'<)))

(defun cj/gh-failure--places (buffer start explained)
  "Return where the lines of EXPLAINED are in BUFFER, a hash table.
Its keys are the line numbers of EXPLAINED, in which the line at START has the
number 1; its values are conses of the number in BUFFER and a marker."
  (let ((places (make-hash-table)))
    (with-current-buffer buffer
      (save-excursion
        (save-restriction
          (widen)
          (goto-char start)
          (let ((first (line-number-at-pos))
                (last 1))
            (dolist (number (cj/gh-failure--numbers explained))
              (forward-line (- number last))
              (setq last number)
              (puthash number (cons (+ first number -1) (point-marker))
                       places))))))
    places))

(defun cj/gh-failure--go (marker)
  "Go to MARKER, the beginning of a line of the log."
  (unless (buffer-live-p (marker-buffer marker))
    (user-error "The buffer with the log is gone"))
  (pop-to-buffer (marker-buffer marker))
  (unless (<= (point-min) marker (point-max))
    (widen))
  (push-mark nil t)
  (goto-char marker))

(defun cj/gh-failure--button (number places)
  "Insert a button that leads to the line NUMBER by PLACES, a hash table."
  (let ((place (gethash number places)))
    (cj/gate-view-button
     (format "line %d" (car place)) "Go to this line of the log"
     (lambda () (cj/gh-failure--go (cdr place))))))

;;;; The buffer

(defun cj/gh-failure--insert-carried (carried side places)
  "Insert what a neighbour on SIDE, a string, carried to a line.
CARRIED is a list (NUMBER SCORE), or nil.  PLACES is as in
`cj/gh-failure--button'."
  (when carried
    (insert (format "    %+6.2f  carried from " (cadr carried)))
    (cj/gh-failure--button (car carried) places)
    (insert (format " %s\n" side))))

(defun cj/gh-failure--insert-line (line places)
  "Insert LINE, a plist, with its reasons.
PLACES is as in `cj/gh-failure--button'."
  (let ((start (point)))
    (insert "\n  ")
    (cj/gh-failure--button (plist-get line :line) places)
    (insert (format "  score %+.2f\n" (plist-get line :score)))
    (put-text-property (1+ start) (+ start 2) 'cj/gate-section
                       (string-trim
                        (buffer-substring-no-properties start (1- (point))))))
  (insert (propertize
           (concat "  " (propertize (plist-get line :text)
                                    'face 'cj/gate-command)
                   "\n")
           'wrap-prefix "    "))
  (pcase-dolist (`(,name ,weight ,why) (plist-get line :features))
    (insert (propertize (format "    %+6.2f  %s: %s\n" weight name why)
                        'wrap-prefix (make-string 12 ?\s))))
  (cj/gh-failure--insert-carried (plist-get line :above) "above" places)
  (cj/gh-failure--insert-carried (plist-get line :below) "below" places))

(defun cj/gh-failure--insert-step (step places)
  "Insert STEP, a plist, with its lines.
PLACES is as in `cj/gh-failure--button'."
  (insert "\n" (cj/gate-view-heading "Failed step:"))
  (dolist (row `(("Job" ,(plist-get step :job))
                 ("Step" ,(plist-get step :step))
                 ("Command" ,@(plist-get step :command))
                 ("Ended" ,(plist-get step :ended))))
    (when (cadr row)
      (insert (cj/gate-view-row
               (concat "  " (car row))
               (string-join (cdr row) (concat "\n" (make-string 13 ?\s)))))))
  (pcase-dolist (`(,key ,title ,none)
                 '((:certain "Certain:" "  No line of this step says why.\n")
                   (:fill "Added to fill:" "  No line was added.\n")))
    (insert "\n" (cj/gate-view-heading title))
    (let ((lines (plist-get step key)))
      (if (null lines) (insert none)
        (dolist (line lines)
          (cj/gh-failure--insert-line line places))))))

(defun cj/gh-failure--insert (explained name budget places)
  "Insert EXPLAINED, the failure in the log in the buffer called NAME.
BUDGET is the number of tokens that its lines may have.  PLACES is as in
`cj/gh-failure--button'."
  (insert (propertize
           (format "Why these lines of %s tell the failure, in %s"
                   name (format "at most %d tokens" budget))
           'face 'cj/gate-heading)
          "\n\n"
          "A score is the sum of a line's weights and of what its neighbours\n"
          "carry to it; 1 more is a factor of 2.7 in the odds that the line\n"
          "is part of the reason.  The table of weights is in the manual:\n")
  (cj/gate-view-button "Why a line was chosen" "Open the manual"
                       (lambda () (info cj/gh-failure-node)))
  (insert ".\n")
  (unless (plist-get explained :marked)
    (insert "\nNo step of this log is marked as failed"
            (if (cl-some (lambda (step) (plist-get step :certain))
                         (plist-get explained :steps))
                "; this is the likeliest.\n"
              ", and no line tells of a failure.\n")))
  (let ((left-out (plist-get explained :left-out)))
    (when (> left-out 0)
      (insert (format "\nLeft out for want of room: %s.\n"
                      (cj/gate-view-count left-out "failed step")))))
  (dolist (step (plist-get explained :steps))
    (cj/gh-failure--insert-step step places)))

(defvar cj/gh-failure-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    map)
  "Keys of the buffer with the reasons for the lines of a failure.")

(define-derived-mode cj/gh-failure-mode cj/gate-view-mode "cj-gh failure"
  "Mode of the buffer that says why the lines of a job's failure were chosen.
\\<cj/gh-failure-mode-map>\
\\[cj/gate-view-next] goes to the next line or heading.
\\[cj/gate-view-previous] goes to the previous one.
\\[forward-button] goes to the next button, which goes to a line of the log.
\\[revert-buffer] reads the log again.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function #'cj/gh-failure--revert))

(defun cj/gh-failure--revert (&rest _)
  "Explain the failure of the same log anew."
  (pcase-let ((`(,buffer . ,more) cj/gh-failure--log))
    (unless (buffer-live-p buffer)
      (user-error "The buffer with the log is gone"))
    (with-current-buffer buffer
      (apply #'cj/gh-failure--show more))))

(defun cj/gh-failure--show (budget start end)
  "Explain the failure in the current buffer within BUDGET tokens.
START and END are markers of the log's part, or nil for the whole buffer.
Return the buffer with the explanation, which is not displayed."
  (let* ((log (current-buffer))
         (from (or start (point-min)))
         (text (buffer-substring-no-properties from (or end (point-max))))
         (explained (if (string-match-p "[^ \t\r\n]" text)
                        ;; A string with a byte that is no text must be
                        ;; encoded, or the module refuses it.
                        (cj/gate--mod-explain-failure
                         (encode-coding-string text 'utf-8-unix t)
                         budget (cj/gate--environment))
                      (user-error "There is no log here: %s is empty"
                                  (if start "the region" "the buffer"))))
         (places (cj/gh-failure--places log from explained)))
    (unless (cl-some (lambda (step)
                       (or (plist-get step :certain) (plist-get step :fill)
                           (plist-get step :ended)))
                     (plist-get explained :steps))
      (user-error "There is no log here: no line of %s has words"
                  (if start "the region" "the buffer")))
    (with-current-buffer (get-buffer-create cj/gh-failure-buffer-name)
      (cj/gh-failure-mode)
      (setq cj/gh-failure--log (list log budget start end))
      (with-silent-modifications
        (erase-buffer)
        (cj/gh-failure--insert explained (buffer-name log) budget places)
        (goto-char (point-min)))
      (current-buffer))))

;;;###autoload
(defun cj/gh-explain-failure (&optional budget start end)
  "Show why lines of the job log in this buffer tell its failure.
The lines are those of `cj/gh-extract-failure', each with its score and what the
score is made of.  The log is the text from START to END, interactively the
region if it is active; otherwise it is the whole buffer.  BUDGET, a numeric
prefix argument, is the number of tokens that the lines may have, 600 by
default.  Nothing is sent anywhere.  Return the buffer with the explanation."
  (interactive (cons (and (integerp current-prefix-arg) current-prefix-arg)
                     (and (use-region-p)
                          (list (region-beginning) (region-end)))))
  (when (derived-mode-p 'cj/gh-failure-mode)
    (user-error "Call this command in the buffer with the log"))
  (unless (or (null budget) (and (integerp budget) (> budget 0)))
    (user-error "The budget is a number of tokens, 1 or more: %s" budget))
  (cj/gate-load-module 'offer)
  (let ((buffer (cj/gh-failure--show (or budget 600)
                                     (and start (copy-marker start))
                                     (and end (copy-marker end)))))
    (unless noninteractive
      (pop-to-buffer buffer))
    buffer))

(provide 'cj-gh-failure)

;;; cj-gh-failure.el ends here
