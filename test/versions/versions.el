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
  (let ((versions command-line-args-left) (tried 0) (words 0) (marks 0) (asked 0) (ran 0))
    (setq command-line-args-left nil)
    (dolist (version versions)
      (dolist (how '(extensions aliases (extensions) (aliases)))
        (let ((got (versions--try version how)))
          (setq words (+ words (length (plist-get got :later)))
                tried (+ tried (* 2 (plist-get got :words)))
                marks (+ marks (length (plist-get got :marks))))
          (dolist (mark (delete-dups (plist-get got :marks)))
            (message "  ran unasked: %s" mark))
          (if (consp how)
              (message "gh %-8s %-10s own every word: %d ran unasked"
                       version (car how) (length (plist-get got :marks)))
            (setq asked (+ asked (length (plist-get got :asked)))
                  ran (+ ran (length (plist-get got :reads))))
            (dolist (argv (plist-get got :asked))
              (message "  asked about, though it has it: gh %s" (string-join argv " ")))
            (message "gh %-8s %-10s own %3d later words: %d ran unasked; of its %d reads %d ran by themselves"
                     version how (length (plist-get got :later)) (length (plist-get got :marks))
                     (length (plist-get got :reads))
                     (- (length (plist-get got :reads)) (length (plist-get got :asked))))))))
    (message "%d releases, %d calls, %d times a word that came later: %d extensions or aliases ran unasked; %d of %d reads that the releases have were asked about"
             (length versions) tried words marks asked ran)
    (kill-emacs (if (and (zerop marks) (zerop asked) (> words 0) (> ran 0)) 0 1))))

(provide 'versions)

;;; versions.el ends here
