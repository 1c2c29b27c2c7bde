;;; context-tests.el --- The line about a pull request, and the menu -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-gptel)
(require 'cj-gh-context)
(require 'cj-gh-menu)

(defconst context-tests--line
  "GitHub: ghe.example.com/o/r PR #1 https://ghe.example.com/o/r/pull/1"
  "The line that a chat gets about the pull request of these tests.")

(defun context-tests--count (buffer)
  "Return how often the line stands in BUFFER."
  (with-current-buffer buffer
    (how-many (concat "^" (regexp-quote context-tests--line) "$") (point-min) (point-max))))

(defmacro context-tests--in-chat (file &rest body)
  "Visit FILE as a chat and run BODY there, in `text-mode'."
  (declare (indent 1))
  `(let ((enable-local-variables :safe)
         (buffer (find-file-noselect ,file)))
     (unwind-protect
         (with-current-buffer buffer
           (text-mode)
           (hack-local-variables)
           (let ((gptel-use-header-line nil)) (gptel-mode 1))
           ,@body)
       (with-current-buffer buffer (set-buffer-modified-p nil))
       (kill-buffer buffer))))

(defconst context-tests--script
  (list (lab-ask "gh_pr_view" :number 1 :repo "ghe.example.com/o/r")
        '(:text "It is open.")
        (lab-ask "gh_pr_view" :number 1 :repo "ghe.example.com/o/r")
        '(:text "It is still open.")
        '(:text "As I said."))
  "A script in which the model reads the same pull request twice.")

(ert-deftest context-line-stands-once-stays-in-a-saved-chat-and-is-kept-from-the-model ()
  (dolist (stream '(t nil))
    (ert-info ((format "stream %s" stream))
      (lab-with (lab context-tests--script)
        (let ((file (expand-file-name "chat.txt" (lab-home lab)))
              (talk nil))
          (write-region "" nil file nil 'quiet)
          (context-tests--in-chat file
            (setq talk (lab-converse lab :buffer buffer :stream stream))
            (should (eq (lab-talk-state talk) 'DONE))
            (should (= (context-tests--count buffer) 1))
            ;; The line stands behind the answer and is no part of it for gptel.
            (should (string-match-p
                     (concat "It is open\\.\n\n" (regexp-quote context-tests--line))
                     (lab-talk-text talk)))
            (let* ((bounds (gptel--get-buffer-bounds))
                   (text (lambda (bound)
                           (buffer-substring-no-properties (car bound) (cadr bound)))))
              (should (string-match-p "It is open\\.\\'"
                                      (string-trim (funcall text (car (last (alist-get 'response bounds)))))))
              (dolist (bound (append (alist-get 'response bounds) (alist-get 'tool bounds)))
                (should-not (string-match-p "GitHub: " (funcall text bound))))
              (should (cl-some (lambda (bound)
                                 (equal (string-trim (funcall text bound)) context-tests--line))
                               (alist-get 'ignore bounds))))
            ;; A second read of the same pull request adds no second line.
            (setq talk (lab-converse lab :buffer buffer :stream stream :prompt "\n\nAgain?"))
            (should (eq (lab-talk-state talk) 'DONE))
            (should (= (context-tests--count buffer) 1))
            (gptel--save-state)
            (let ((before-save-hook nil)) (save-buffer)))
          (context-tests--in-chat file
            (should (= (context-tests--count buffer) 1))
            ;; Remove the local variables: the prompt is typed at the end of the
            ;; buffer, and a person types it above them.
            (goto-char (point-min))
            (re-search-forward "^.*Local Variables:$")
            (delete-region (match-beginning 0) (point-max))
            (setq talk (lab-converse lab :buffer buffer :stream stream :prompt "\n\nAnd now?"))
            (should (eq (lab-talk-state talk) 'DONE))
            (should (= (context-tests--count buffer) 1)))
          (should (= (length (lab-talk-turns talk)) 5))
          (dolist (turn (lab-talk-turns talk))
            (dolist (message (plist-get (plist-get turn :body) :messages))
              (should-not (string-match-p "GitHub: "
                                          (or (plist-get message :content) "")))))
          ;; The last request holds every message with its role.
          (let ((said (mapcar (lambda (message)
                                (cons (plist-get message :role)
                                      (string-trim (or (plist-get message :content) ""))))
                              (plist-get (plist-get (car (last (lab-talk-turns talk))) :body)
                                         :messages))))
            (should (member '("assistant" . "It is open.") said))
            (should (member '("assistant" . "It is still open.") said))
            (should (member '("user" . "And now?") said))))))))

(ert-deftest context-line-is-left-out-when-turned-off-or-outside-a-chat ()
  (lab-with (lab context-tests--script)
    (let ((cj/gh-insert-context nil)
          (file (expand-file-name "chat.txt" (lab-home lab))))
      (write-region "" nil file nil 'quiet)
      (context-tests--in-chat file
        (should (eq (lab-talk-state (lab-converse lab :buffer buffer)) 'DONE))
        (should (string-match-p "It is open\\." (lab-text buffer)))
        (should (= (context-tests--count buffer) 0)))))
  (lab-with (lab context-tests--script)
    (let ((talk (lab-converse lab)))
      (should (eq (lab-talk-state talk) 'DONE))
      (should-not (string-match-p "GitHub: " (lab-talk-text talk))))))

(ert-deftest context-line-comes-only-from-a-result-that-shows-a-pull-request ()
  (should (equal (cj/gh-context-line "[gh ghe.example.com/o/r read ok 0.1KB]\n#1 OPEN  x\n")
                 context-tests--line))
  (dolist (text '("[gh github.com/o/r read error not-found 0.1KB]\n#1 OPEN  x"
                  "[gh github.com read ok 0.1KB]\n#1 OPEN  x"
                  "[gh github.com/o/r read ok 0.1KB]\ntitle\n#1 OPEN  x"
                  "\n[gh github.com/o/r read ok 0.1KB]\n#1 OPEN"
                  ""))
    (should-not (cj/gh-context-line text))))

;;;; The menu

(ert-deftest menu-shows-the-effective-policy-and-tightens-it-in-one-buffer ()
  (lab-with (_)
    (let ((cj/gh-known-hosts '("github.com" "ghe.example.com"))
          (cj/gh-host-policy '(("ghe.example.com" (write . block)))))
      (with-temp-buffer
        (setq default-directory (car cj/gate-cwd-roots))
        (should (equal (cj/gh-menu--policies)
                       "github.com: read auto, write confirm, unknown confirm, approve block\nghe.example.com: read auto, write block, unknown confirm, approve block"))
        (should (eq 'confirm (cj/gh-tighten-policy "github.com" 'read)))
        (should (eq 'block (cj/gh-tighten-policy "github.com" 'write)))
        (should (eq 'block (cj/gh-tighten-policy "github.com" 'write)))
        (should (string-match-p "\\`github.com: read confirm, write block, unknown confirm, approve block\nghe.example.com: read auto"
                                (cj/gh-menu--policies)))
        (should-error (cj/gh-tighten-policy "github.com" 'destructive) :type 'user-error))
      (with-temp-buffer
        (setq default-directory (car cj/gate-cwd-roots))
        (should (string-match-p "\\`github.com: read auto, write confirm" (cj/gh-menu--policies)))))))

(ert-deftest menu-opens-and-every-entry-is-a-command ()
  (dolist (command '(cj/gh-use-profile cj/gh-tighten-policy cj/gh-menu--customize
                     cj/gate-approvals cj/gh-menu--leases cj/gate-runs cj/gate-stop
                     cj/gate-resume cj/gh-doctor cj/gh-tool-last-error cj/gate-records
                     cj/gh-audit-search cj/gh-explain cj/gh-menu))
    (should (commandp command)))
  (lab-with (_)
    (unwind-protect
        (progn
          (transient-setup 'cj/gh-menu)
          (should (eq (oref transient--prefix command) 'cj/gh-menu))
          (let ((shown (mapcar (lambda (suffix) (oref suffix command))
                               (cl-remove-if (lambda (suffix) (oref suffix inactive))
                                             transient--suffixes))))
            (should (memq 'cj/gate-stop shown))
            (should-not (memq 'cj/gate-resume shown))))
      (transient-quit-all))))

;;; context-tests.el ends here
