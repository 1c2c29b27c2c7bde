;;; versions.el --- Try old releases of gh, one after another -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; run.sh starts this with versions of gh as arguments; run.sh says what it
;; checks.

;;; Code:

(require 'cl-lib)
(require 'lab-support)
(require 'lab-versions)

(defun versions--try (version how)
  "Try VERSION of gh with HOW as in `lab-versions-try'; return its value."
  (lab-versions-try (expand-file-name (format ".deps/gh/%s/gh" version) lab-root) how))

(defun versions-main ()
  "Try the releases that the command line names, and exit."
  (let ((versions command-line-args-left) (tried 0) (later 0) (marks 0) (asked 0) (reads 0))
    (setq command-line-args-left nil)
    (dolist (version versions)
      (dolist (how '(extensions aliases (extensions) (aliases)))
        (let ((got (versions--try version how)))
          (setq later (+ later (length (plist-get got :later)))
                tried (+ tried (* 2 (plist-get got :words)))
                marks (+ marks (length (plist-get got :marks))))
          (dolist (mark (delete-dups (plist-get got :marks)))
            (message "  ran without a question: %s" mark))
          (if (consp how)
              (message "gh %-8s %-10s with the names of all commands: %d ran without a question"
                       version (car how) (length (plist-get got :marks)))
            (setq asked (+ asked (length (plist-get got :asked)))
                  reads (+ reads (length (plist-get got :reads))))
            (dolist (argv (plist-get got :asked))
              (message "  a question about a read that this gh has: gh %s" (string-join argv " ")))
            (message "gh %-8s %-10s with the names of %3d later commands: %d ran without a question; of the %d reads that this gh has, %d ran by themselves"
                     version how (length (plist-get got :later)) (length (plist-get got :marks))
                     (length (plist-get got :reads))
                     (- (length (plist-get got :reads)) (length (plist-get got :asked))))))))
    (message "%d releases, %d calls, %d extensions or aliases named as later commands: %d ran without a question; there was a question about %d of %d reads that the releases have"
             (length versions) tried later marks asked reads)
    (kill-emacs (if (and (zerop marks) (zerop asked) (> later 0) (> reads 0)) 0 1))))

(provide 'versions)

;;; versions.el ends here
