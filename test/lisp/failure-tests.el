;;; failure-tests.el --- What `cj/gh-explain-failure' shows of a job log -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-failure)

(defconst failure-tests--lines
  (list "##[group]Run make -j2" "\e[36;1mmake -j2\e[0m"
        "shell: /usr/bin/bash -e {0}" "##[endgroup]"
        "cc -c parse.c"
        "\e[31mparse.c:12:3: error: unknown type name 'size'\u202e\e[0m"
        "   12 |   size n;"
        "make: *** [Makefile:3: parse.o] Error 1"
        "##[error]Process completed with exit code 2.")
  "The lines of a job log, without time stamps.")

(defun failure-tests--log (&rest more)
  "Return the log of a job; MORE are lines above those of the failed step."
  (mapconcat (lambda (line) (concat "2026-11-10T11:37:50.2503752Z " line "\n"))
             (append more failure-tests--lines) ""))

(defmacro failure-tests--with (text &rest body)
  "Run BODY in a buffer with TEXT; kill that buffer and the explanation."
  (declare (indent 1))
  `(with-temp-buffer
     (insert ,text)
     (unwind-protect (save-window-excursion ,@body)
       (when (get-buffer cj/gh-failure-buffer-name)
         (kill-buffer cj/gh-failure-buffer-name)))))

(defun failure-tests--plain (buffer)
  "Return the text of BUFFER without properties."
  (with-current-buffer buffer
    (buffer-substring-no-properties (point-min) (point-max))))

(defun failure-tests--push (buffer text)
  "Push the first button of BUFFER whose line has TEXT or is above such a line."
  (with-current-buffer buffer
    (goto-char (point-min))
    (search-forward text)
    (forward-line -1)
    (push-button (button-start (next-button (line-beginning-position) t)))))

(ert-deftest failure-shows-head-lines-scores-and-features-in-words ()
  (failure-tests--with (failure-tests--log)
    (let* ((buffer (cj/gh-explain-failure))
           (text (failure-tests--plain buffer)))
      (dolist (piece '("1 more is a factor of 2\\.7"
                       "^Failed step:\n  Command +make -j2\n  Ended +Process completed with exit code 2\\.$"
                       "^Certain:\n\n  line 6  score \\+[0-9]+\\.[0-9][0-9]\n  parse\\.c:12:3: error: unknown type name 'size'<U\\+202E>$"
                       "^Added to fill:$"
                       "^     [-+][0-9.]+  Place: a file and a line$"
                       "^     [-+][0-9.]+  carried from line [0-9]+ \\(?:above\\|below\\)$"))
        (should (string-match-p piece text)))
      (should-not (string-match-p "[\e\u202e]" text))
      (with-current-buffer buffer
        (should (eq major-mode 'cj/gh-failure-mode))
        (should buffer-read-only)))))

(ert-deftest failure-shows-the-lines-that-are-extracted-in-their-order ()
  (dolist (name '("cargo-build-type-error" "pytest-one-of-many" "two-independent-failures"))
    (ert-info (name)
      (let ((log (with-temp-buffer
                   (let ((coding-system-for-read 'utf-8))
                     (insert-file-contents
                      (expand-file-name (format "fixtures/ci-logs/samples/%s.raw.log" name)
                                        lab-root)))
                   (buffer-string))))
        (dolist (budget '(nil 150))
          (failure-tests--with log
            (let* ((extracted (mapcar #'string-trim
                                      (split-string (cj/gh-extract-failure log budget) "\n")))
                   (buffer (cj/gh-explain-failure budget))
                   (shown (with-current-buffer buffer
                            (goto-char (point-min))
                            (cl-loop while (re-search-forward "^  line [0-9]+  score .*\n" nil t)
                                     collect (string-trim
                                              (buffer-substring-no-properties
                                               (point) (line-end-position)))))))
              (should (> (length shown) 2))
              (dolist (line shown)
                (should (setq extracted (member line extracted)))))))))))

(ert-deftest failure-buttons-go-to-the-line-in-the-log ()
  (failure-tests--with (failure-tests--log)
    (let ((log (current-buffer))
          (buffer (cj/gh-explain-failure)))
      (failure-tests--push buffer "  parse.c:12:3")
      (should (eq (current-buffer) log))
      (should (looking-at-p ".*parse\\.c:12:3"))
      ;; The line is found after the log was changed, and outside the narrowing.
      (goto-char (point-min))
      (insert "new\n")
      (narrow-to-region (point-min) (point))
      (failure-tests--push buffer "  parse.c:12:3")
      (should (looking-at-p ".*parse\\.c:12:3"))
      (kill-buffer log)
      (should-error (failure-tests--push buffer "  parse.c:12:3") :type 'user-error)
      (with-current-buffer buffer
        (should-error (revert-buffer) :type 'user-error)))))

(ert-deftest failure-of-a-region-has-the-line-numbers-of-the-buffer ()
  (let ((log (failure-tests--log)))
    (failure-tests--with (concat "one\ntwo error: no such file\n" log "after: error: bad\n")
      (let* ((start (progn (goto-char (point-min)) (forward-line 2) (point)))
             (buffer (cj/gh-explain-failure nil start (+ start (length log))))
             (text (failure-tests--plain buffer)))
        (should (string-match-p "^  line 8  score .*\n  parse\\.c:12:3" text))
        (should-not (string-match-p "no such file\\|after: error" text))
        (failure-tests--push buffer "  parse.c:12:3")
        (should (eql (line-number-at-pos) 8))
        (with-current-buffer buffer
          (revert-buffer)
          (should (equal (failure-tests--plain buffer) text)))))
    ;; Interactively the active region counts.
    (failure-tests--with (concat "error: not this\n" log)
      (goto-char (point-min))
      (forward-line 1)
      (let ((transient-mark-mode t))
        (push-mark (point-max) t t)
        (should (use-region-p))
        (let ((text (failure-tests--plain (call-interactively #'cj/gh-explain-failure))))
          (should (string-match-p "^  line 7  score" text))
          (should-not (string-search "not this" text)))))))

(ert-deftest failure-budget-is-the-numeric-prefix-argument ()
  (failure-tests--with (failure-tests--log)
    (let ((current-prefix-arg 60))
      (should (string-match-p "in at most 60 tokens"
                              (failure-tests--plain
                               (call-interactively #'cj/gh-explain-failure)))))
    (let ((current-prefix-arg -1))
      (should-error (call-interactively #'cj/gh-explain-failure) :type 'user-error))))

(ert-deftest failure-is-read-anew-on-revert ()
  (failure-tests--with (failure-tests--log)
    (let ((buffer (cj/gh-explain-failure)))
      (goto-char (point-min))
      (insert "2026-11-10T11:37:50.2503752Z first\n")
      (with-current-buffer buffer
        (revert-buffer)
        (should (string-match-p "^  line 7  score .*\n  parse\\.c:12:3"
                                (failure-tests--plain buffer)))
        (should-error (cj/gh-explain-failure) :type 'user-error)))))

(ert-deftest failure-without-a-mark-is-told-as-such-with-the-last-lines ()
  (failure-tests--with "one\ntwo\nall done\n"
    (let ((shown (failure-tests--plain (cj/gh-explain-failure))))
      (should (string-match-p
               "marked as failed, and no line tells of a failure\\.$" shown))
      (should (string-match-p "^  No line of this step says why\\.$" shown))
      (should (string-match-p "^  line 3  score .*\n  all done$" shown)))))

(ert-deftest failure-without-a-log-is-a-user-error ()
  (pcase-dolist (`(,text ,says) '(("" "the buffer is empty")
                                  (" \n\n" "the buffer is empty")
                                  ("###\n" "no line of the buffer has words")))
    (failure-tests--with text
      (should (string-search says
                             (cadr (should-error (cj/gh-explain-failure)
                                                 :type 'user-error))))
      (should-not (get-buffer cj/gh-failure-buffer-name))))
  (failure-tests--with (failure-tests--log)
    (should-error (cj/gh-explain-failure nil 1 1) :type 'user-error)))

(ert-deftest failure-shows-no-secret-and-keeps-the-numbers-below-one-of-several-lines ()
  (let ((token (concat "ghp_" (make-string 30 ?a) "Zq81Xw"))
        (key (concat "-----BEGIN PRIVATE KEY-----\n"
                     (mapconcat #'identity
                                (make-list 6 "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj")
                                "\n")
                     "\n-----END PRIVATE KEY-----\n")))
    (failure-tests--with (concat key
                                 (failure-tests--log)
                                 (format "error: cannot log in with %s\n" token)
                                 "##[error]Process completed with exit code 1.\n")
      (let* ((buffer (cj/gh-explain-failure))
             (text (failure-tests--plain buffer)))
        (should-not (string-search token text))
        (should-not (string-search "MIIE" text))
        (should (string-match-p "cannot log in with \\[REDACTED:" text))
        (failure-tests--push buffer "  error: cannot log in")
        (should (looking-at-p "error: cannot log in"))))))

(ert-deftest failure-of-a-log-with-bytes-that-are-no-text-is-shown ()
  (failure-tests--with (concat "\x3fff7f\n" (failure-tests--log "ä €"))
    (insert "Ünïcode error: cannot open \x3fffff.txt\n")
    (should (string-match-p "parse\\.c:12:3" (failure-tests--plain (cj/gh-explain-failure))))))

(ert-deftest failure-table-has-every-feature-and-number ()
  (let ((table (cj/gh-failure-table)))
    (should (> (length (plist-get table :features)) 80))
    (should (> (length (plist-get table :numbers)) 15))
    (pcase-dolist (`(,name ,weight ,why) (append (plist-get table :features)
                                                 (plist-get table :numbers)))
      (should (string-match-p "\\`[A-Za-z0-9]+\\'" name))
      (should (floatp weight))
      (should (string-match-p "[a-z]" why)))))

(ert-deftest failure-button-of-the-manual-opens-the-table ()
  (failure-tests--with (failure-tests--log)
    (with-current-buffer (cj/gh-explain-failure)
      (goto-char (point-min))
      (search-forward "Why a line was chosen")
      (push-button (1- (point)))
      (unwind-protect
          (progn
            (should (derived-mode-p 'Info-mode))
            (should (string-match-p "Place.* [-+][0-9]\\.[0-9]+ .*file and a line"
                                    (buffer-string))))
        (kill-buffer)))))

(provide 'failure-tests)

;;; failure-tests.el ends here
