;;; stand-in-tests.el --- What the stand-in for GitHub remembers -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The bare repositories of lab-support.el, seen by the real gh of both versions.
;; test/rust/lab/ tests what the stand-in remembers of writes.

;;; Code:

(require 'ert)
(require 'lab-support)

(defun stand-in-tests--gh (lab gh &rest args)
  "Run the program GH with ARGS against LAB; return what it prints.
Signal an error if it fails."
  (with-temp-buffer
    (let ((process-environment (append (lab-environment lab) '("GH_PROMPT_DISABLED=1")))
          (default-directory (file-name-as-directory (lab-home lab))))
      (unless (zerop (apply #'call-process gh nil t nil args))
        (error "Command %S failed: %s" args (buffer-string)))
      (string-trim (buffer-string)))))

(ert-deftest stand-in-a-pull-request-of-a-fork-has-the-commit-that-was-pushed-last ()
  (pcase-dolist (`(,_ . ,gh) (lab-ghs))
    (let* ((world '(:gitRoot t :repos (:mona/table (:isFork t :parent "o/table"))))
           (lab (lab-start nil world)))
      (unwind-protect
          (let ((view '("pr" "view" "6" "-R" "o/table" "--json" "headRefOid,changedFiles" "--jq"
                        "[.headRefOid, .changedFiles] | @tsv"))
                (head nil))
            (lab-commit lab "o/table" "main" '(("README" . "Tables\n")) "Begin")
            (lab-fork lab "o/table" "mona/table")
            (setq head (lab-commit lab "mona/table" "rows" '(("src/a.rs" . "a\n")) "Add a"))
            (should (equal (stand-in-tests--gh lab gh "pr" "create" "-R" "o/table" "--head" "mona:rows"
                                               "--base" "main" "--title" "Rows" "--body" "")
                           "https://github.com/o/table/pull/6"))
            (should (equal (apply #'stand-in-tests--gh lab gh view) (concat head "\t1")))
            (setq head (lab-commit lab "mona/table" "rows" '(("src/b.rs" . "b\n")) "Add b"))
            (should (equal (apply #'stand-in-tests--gh lab gh view) (concat head "\t2"))))
        (lab-stop lab)))))

(provide 'stand-in-tests)

;;; stand-in-tests.el ends here
