;;; leak-tests.el --- A planted secret is found nowhere -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A planted word stands in each place where a secret can stand in a call or in
;; its output.  After a conversation of the real gptel no answer, record,
;; message, buffer or file holds that word.
;;
;; Two places are not searched, since the gate cannot mask a secret there: the
;; calls as the model made them, which gptel sends back to the model and shows
;; as the head of a block; and the logs of the stand-ins.

;;; Code:

(require 'ert)
(require 'lab-gptel)
(require 'cj-gate-audit)
(require 'cj-gate-record)

(defconst leak-tests--word "REDACTED_TEST_SECRET"
  "The planted word.")

(defconst leak-tests--slots
  '(["pr" "list" "--token" "%s"]
    ["pr" "list" "--token=%s"]
    ["pr" "list" "--figma-api-key=%s"]
    ["pr" "list" "--password" "%s"]
    ["api" "user" "-H" "Authorization: token %s"]
    ["api" "user" "-HAuthorization: Bearer %s"]
    ["api" "user" "-H=authorization:bearer %s"]
    ["api" "user" "--header" "Cookie: user_session=%s"]
    ["api" "user" "--header=X-Api-Key: %s"]
    ["api" "user" "-iH" "PRIVATE-TOKEN: %s"]
    ["api" "repos/o/r/issues" "-f" "title=x" "-f" "body=%s"]
    ["api" "repos/o/r/issues" "-fbody=%s"]
    ["api" "repos/o/r/issues" "-F" "comments[][body]=%s"]
    ["api" "repos/o/r/issues" "--raw-field=title=%s"]
    ["api" "repos/o/r/hooks" "-f" "config[secret]=%s"]
    ["api" "repos/o/r/actions/secrets/K" "-X" "PUT" "-f" "encrypted_value=%s"]
    ["api" "https://api.github.com/user?access_token=%s"]
    ["issue" "create" "--title" "%s" "--body" "%s"]
    ["issue" "create" "-t%s" "-b=%s"]
    ["issue" "comment" "1" "--body=%s"]
    ["issue" "close" "1" "-c" "%s"]
    ["pr" "create" "-dt" "%s" "-b%s"]
    ["pr" "review" "1" "-rb%s"]
    ["pr" "merge" "1" "--subject" "%s" "-sb" "%s"]
    ["pr" "comment" "1" "-b" "%s"]
    ["release" "create" "v1" "-n" "%s" "-t" "%s"]
    ["gist" "create" "a" "-d" "%s"]
    ["repo" "edit" "o/r" "-d" "%s"]
    ["label" "create" "x" "-d%s"]
    ["secret" "set" "KEY" "-b" "%s"]
    ["secret" "set" "KEY" "--body=%s"]
    ["variable" "set" "KEY" "-b%s"]
    ["workflow" "run" "x.yml" "-f" "token=%s"]
    ["repo" "clone" "https://bot:%s@github.com/o/r.git"])
  "Argument lists; %s is the planted word.")

(defun leak-tests--planted (argv)
  "Return the vector ARGV with the planted word for each %s."
  (vconcat (mapcar (lambda (word) (string-replace "%s" leak-tests--word word)) argv)))

(defun leak-tests--found (text)
  "Return the planted word in TEXT with the text around it, or nil."
  (let ((case-fold-search t))
    (when (and text (string-match (regexp-quote leak-tests--word) text))
      (substring text (max 0 (- (match-beginning 0) 80))
                 (min (length text) (+ (match-end 0) 20))))))

(defun leak-tests--chat (text)
  "Return TEXT of a chat without the heads of gptel's blocks.
These heads repeat the call as the model made it."
  (replace-regexp-in-string
   "^\\(?:\\(?:#\\+begin_tool\\|``` tool\\) (\\|(:name \"gh\" :args \\).*$" "" (or text "")))

(defun leak-tests--logged ()
  "Return how many lines the audit log has."
  (let ((log (cj/gate-audit-directory)))
    (if (not (file-directory-p log)) 0
      (with-temp-buffer
        (dolist (file (directory-files log t "\\.log\\'"))
          (insert-file-contents-literally file)
          (goto-char (point-max)))
        (count-lines (point-min) (point-max))))))

(defun leak-tests--clean (lab talk)
  "Check that nothing that TALK left in Emacs and in LAB's home has the word.
Wait first until the audit log in that home has a line for each answer."
  (let ((calls (length (lab-talk-answers talk))))
    (lab-wait (lambda () (>= (leak-tests--logged) calls))))
  (pcase-dolist (`(,_ . ,answer) (lab-talk-answers talk))
    (should-not (leak-tests--found answer)))
  (should-not (leak-tests--found (lab-talk-messages talk)))
  (should-not (leak-tests--found (leak-tests--chat (lab-talk-text talk))))
  (dolist (record (cj/gate-record-list))
    (should-not (leak-tests--found (prin1-to-string record)))
    (should-not (leak-tests--found (cj/gate-record-text record))))
  (cj/gh-tool-last-error t)
  (dolist (buffer (buffer-list))
    ;; A name that begins with a blank: internal buffers of gptel and Emacs.
    (unless (or (string-prefix-p " " (buffer-name buffer))
                (buffer-local-value 'buffer-file-name buffer))
      (with-current-buffer buffer
        (ert-info ((buffer-name buffer))
          (should-not (leak-tests--found
                       (leak-tests--chat
                        (buffer-substring-no-properties (point-min) (point-max)))))))))
  (dolist (file (directory-files-recursively (lab-home lab) ""))
    (ert-info (file)
      (with-temp-buffer
        (insert-file-contents-literally file)
        (should-not (leak-tests--found (buffer-string)))))))

(ert-deftest leak-a-secret-in-an-argument-is-masked-everywhere-after-a-conversation ()
  (lab-with (lab (append (mapcar (lambda (argv)
                                   (lab-ask "gh" :args (leak-tests--planted argv)
                                            :repo "o/r"))
                                 leak-tests--slots)
                         '((:text "Done."))))
    (let* ((user-emacs-directory (expand-file-name "emacs.d/" (lab-home lab)))
           (cj/gh-tool-audit-log-enabled t)
           (talk (lab-converse lab :deadline 120)))
      (should (eq (lab-talk-state talk) 'DONE))
      (should (= (length (lab-talk-answers talk)) (length leak-tests--slots)))
      (should (>= (length (cj/gate-record-list)) (length leak-tests--slots)))
      (leak-tests--clean lab talk))))

(defconst leak-tests--outputs
  '("Authorization: token %s"
    "> Authorization: Basic %s"
    "remote: https://bot:%s@git.example.test/o/r.git"
    "https://x.example.test/a?access_token=%s&page=2"
    "GH_TOKEN=%s"
    "export GITHUB_TOKEN=\"%s\""
    "DB_PASSWORD=%s")
  "Lines of output; %s is the planted word.
The line password: \"WORD\" is not among them: the planted word is made of words
in capitals, and so looks like the name of a variable there.")

(ert-deftest leak-a-secret-in-output-is-masked-everywhere-after-a-conversation ()
  (lab-with (lab (list (lab-ask "gh" :args ["pr" "list" "-R" "o/r"])
                       (lab-ask "gh" :args ["pr" "view" "1" "-R" "o/r"])
                       '(:text "Done.")))
    (let* ((user-emacs-directory (expand-file-name "emacs.d/" (lab-home lab)))
           (cj/gh-tool-audit-log-enabled t)
           (lines (mapconcat (lambda (line)
                               (string-replace "%s" leak-tests--word line))
                             leak-tests--outputs "\n"))
           (spoken (make-temp-file (expand-file-name "spoken" (lab-dir lab)) nil nil lines))
           (cj/gh-executable
            (lab-script lab (format "cat %s; cat %s >&2; [ \"$2\" = list ]" spoken spoken)))
           (talk (lab-converse lab)))
      (should (eq (lab-talk-state talk) 'DONE))
      (should (= (length (lab-talk-answers talk)) 2))
      (should (string-match-p "\\[REDACTED:" (cdar (lab-talk-answers talk))))
      (leak-tests--clean lab talk))))

(ert-deftest leak-a-value-of-the-environment-is-masked-in-every-encoding ()
  (let* ((word leak-tests--word)
         (forms (list word
                      (base64-encode-string word)
                      (base64-encode-string (concat "x:" word) t)
                      (mapconcat (lambda (byte) (format "%02x" byte)) word "")
                      (mapconcat (lambda (byte) (format "%%%02X" byte)) word "")
                      (apply #'string (nreverse (append word nil)))
                      (substring word 0 12)
                      (substring word 8))))
    (lab-with (lab (list (lab-ask "gh" :args ["pr" "list" "-R" "o/r"]) '(:text "Done.")))
      (let* ((user-emacs-directory (expand-file-name "emacs.d/" (lab-home lab)))
             (process-environment (cons (concat "DEPLOY_TOKEN=" word) process-environment))
             (spoken (make-temp-file (expand-file-name "spoken" (lab-dir lab)) nil nil
                                     (string-join forms "\n")))
             (cj/gh-executable (lab-script lab (format "cat %s" spoken)))
             (talk (lab-converse lab))
             (answer (lab-talk-answer talk)))
        (should (eq (lab-talk-state talk) 'DONE))
        (should (equal (nth 2 (lab-header answer)) "ok"))
        (should (string-match-p "\\[REDACTED:" answer))
        (dolist (form forms)
          (ert-info (form)
            (should-not (string-search form answer))
            (should-not (string-search form (lab-talk-text talk)))))
        (leak-tests--clean lab talk)))))

(provide 'leak-tests)

;;; leak-tests.el ends here
