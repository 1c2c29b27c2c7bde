;;; more-tests.el --- A result that was cut can be read on by its handle -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A result that exceeds its budget is cut and kept in memory.  The model reads
;; the rest by lines or by pattern, under a handle.

;;; Code:

(require 'ert)
(require 'lab-gptel)
(require 'cj-gh-tools)
(require 'cj-gate-purge)
(require 'cj-gate-record)

(declare-function cj/gate--mod-kept "ext:cj-gate-module")

(defconst more-tests--list '("pr" "list" "-R" "many/r" "--limit" "100")
  "The argv of a list of 100 lines, which exceeds the budget of a result.")

(defun more-tests--call (argv &rest keys)
  "Return the answer to a call of gh with ARGV and KEYS."
  (let (answer)
    (apply #'cj/gate-submit "gh" argv (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer) 60)
    answer))

(defun more-tests--more (handle &rest keys)
  "Return the answer to `cj/gate-more' for HANDLE with KEYS."
  (let (answer)
    (apply #'cj/gate-more "gh" handle (lambda (text) (setq answer text)) keys)
    (lab-wait (lambda () answer))
    answer))

(defun more-tests--handle (answer)
  "Check the last line of ANSWER, which says what was cut; return its handle."
  (should (string-match "\n\\[lines \\([0-9]+\\)-\\([0-9]+\\) of \\([0-9]+\\) cut; gh_more handle=\\(m[0-9]+\\) lines=\\1-[0-9]+ or pattern=REGEXP\\]\\'"
                        answer))
  (match-string 4 answer))

(defun more-tests--refused (answer kind)
  "Check that ANSWER is an error or a refusal of KIND; return its message."
  (should (string-match (format "\\`\\[gh [^ ]+ read \\(?:blocked\\|error\\) %s [0-9.]+KB\\]\nError: " kind)
                        answer))
  (substring answer (match-end 0)))

(defconst more-tests--none
  "No result is kept under this handle (any more).\nRun the call again."
  "The message about an unknown handle.")

(ert-deftest more-a-conversation-gets-the-rest-of-a-result-without-another-request ()
  (let ((chat (generate-new-buffer "*chat*")))
    (unwind-protect
        (let (first)
          (lab-with (lab (list (lab-ask "gh" :args (vconcat more-tests--list))
                               '(:text "Done.")))
            (let* ((talk (lab-converse lab :buffer chat :cwd default-directory)))
              (setq first (lab-talk-answer talk))
              (should (eq (lab-talk-state talk) 'DONE))
              (should (< (string-bytes first) 4000))
              (should (string-match-p "\\`\\[gh github\\.com/many/r read ok [0-9.]+KB cut\\]\n"
                                      first))
              ;; GitHub was asked for one list.
              (should (= 1 (cl-count-if (lambda (request) (plist-get request :graphql))
                                        (lab-talk-github talk))))))
          (let ((handle (more-tests--handle first)))
            (lab-with (lab (list (lab-ask "gh_more" :handle handle :lines "61-63")
                                 (lab-ask "gh_more" :handle handle :pattern "^99\\b")
                                 '(:text "Done.")))
              (let* ((talk (lab-converse lab :buffer chat :cwd default-directory))
                     (answers (mapcar #'cdr (last (lab-talk-answers talk) 2)))
                     (records (cj/gate-record-list 3)))
                (should (eq (lab-talk-state talk) 'DONE))
                (should (string-match-p "\\`\\[gh github\\.com/many/r read ok [0-9.]+KB cached [0-9]+s\\]\nlines 61-63 of 100\n"
                                        (nth 0 answers)))
                (should (= (length (split-string (nth 0 answers) "\n" t)) 5))
                (should (string-match-p "\n[0-9]+ lines match\n" (nth 1 answers)))
                ;; The two parts came from memory, without a request.
                (should-not (lab-talk-github talk))
                (should (equal (mapcar (lambda (record) (plist-get record :command)) records)
                               '("more" "more" "pr list")))
                (should (equal (plist-get (nth 1 records) :argv)
                               (list "more" handle "--lines=61-63")))
                (should (eq (plist-get (car records) :class) 'read))))))
      (kill-buffer chat))))

(ert-deftest more-all-parts-together-are-the-whole ()
  (lab-with (_)
    (let* ((answer (more-tests--call more-tests--list))
           (handle (more-tests--handle answer))
           (shown (cdr (butlast (split-string answer "\n"))))
           (rest (more-tests--more handle :lines (format "%d-100" (1+ (length shown)))))
           (outcome nil))
      (cj/gate-run (cj/gate-plan "gh" more-tests--list) (lambda (it) (setq outcome it)))
      (lab-wait (lambda () outcome))
      (should (equal (append shown (cddr (split-string (string-trim-right rest) "\n")))
                     (split-string (string-trim-right (plist-get outcome :stdout)) "\n"))))))

(ert-deftest more-a-removed-handle-is-refused-with-the-next-step ()
  (lab-with (_)
    (let ((handle (more-tests--handle (more-tests--call more-tests--list))))
      (should (cl-find "Results that were cut" (mapcan #'funcall cj/gate-purge-sources)
                       :key (lambda (item) (plist-get item :what)) :test #'equal))
      (funcall (plist-get (car (cj/gate-purge--results)) :remove))
      (should-not (cj/gate-purge--results))
      (dolist (wrong (list handle "m0" "x" ""))
        (should (equal (more-tests--refused (more-tests--more wrong :lines "1-2")
                                            "not-found")
                       more-tests--none))))))

(ert-deftest more-the-budget-option-sets-the-result-size-within-fixed-bounds ()
  (lab-with (_)
    (let ((sizes (mapcar (lambda (budget)
                           (let ((cj/gate-result-budget budget))
                             (string-bytes (more-tests--call more-tests--list))))
                         '(0 200 800 8000 100000))))
      (should (= (nth 0 sizes) (nth 1 sizes)))
      (should (< (nth 1 sizes) (nth 2 sizes) (nth 3 sizes)))
      (should (= (nth 3 sizes) (nth 4 sizes))))))

(defmacro more-tests--in (chats &rest body)
  "Bind CHATS, symbols, to new buffers around BODY, and kill them after it."
  (declare (indent 1))
  `(let ,(mapcar (lambda (chat)
                   `(,chat (generate-new-buffer ,(format "*%s*" chat))))
                 chats)
     (unwind-protect (progn ,@body)
       (mapc (lambda (chat) (when (buffer-live-p chat) (kill-buffer chat)))
             (list ,@chats)))))

(defun more-tests--got-p (answer)
  "Return non-nil if ANSWER is lines 1 and 2 of the kept list."
  (string-match-p "\\`\\[gh github\\.com/many/r read ok [0-9.]+KB cached [0-9]+s\\]\nlines 1-2 of 100\n"
                  answer))

(defun more-tests--record ()
  "Return the last record without number, time, argv and duration of its call."
  (let ((record (copy-sequence (car (cj/gate-record-list 1)))))
    (dolist (own '(:call :time :argv :argv-sha256 :duration-ms))
      (setq record (plist-put record own nil)))
    record))

(ert-deftest more-handles-are-twenty-random-digits ()
  (lab-with (_)
    (let* ((handles (mapcar (lambda (_) (more-tests--handle
                                         (more-tests--call more-tests--list)))
                            '(1 2 3))))
      (dolist (handle handles)
        (should (string-match-p "\\`m[0-9]\\{20\\}\\'" handle))
        (should (= (cj/gate-count-tokens handle) 8))
        (should (= 1 (cl-count (substring handle 0 7) handles
                               :test #'string-prefix-p)))))))

(ert-deftest more-a-handle-of-another-chat-looks-unknown ()
  (lab-with (_)
    (more-tests--in (ours theirs)
      (let ((handle (with-current-buffer ours
                      (more-tests--handle (more-tests--call more-tests--list)))))
        (with-current-buffer theirs
          ;; The other chat keeps a result too.
          (let* ((own (more-tests--handle (more-tests--call more-tests--list)))
                 (never (more-tests--more (concat "m" (make-string 20 ?1)) :lines "1-2"))
                 (of-never (more-tests--record))
                 (foreign (more-tests--more handle :lines "1-2")))
            (should (equal foreign never))
            (should (equal (more-tests--record) of-never))
            (should (equal (more-tests--refused foreign "not-found") more-tests--none))
            (should (more-tests--got-p (more-tests--more own :lines "1-2")))))
        ;; The program net does not know the handle of gh either.
        (with-current-buffer ours
          (let (answer)
            (cj/gate-more "net" handle (lambda (text) (setq answer text)))
            (lab-wait (lambda () answer))
            (should (string-match-p "\\`\\[net - read error not-found " answer)))
          (should (more-tests--got-p (more-tests--more handle :lines "1-2"))))))))

(ert-deftest more-a-handle-follows-the-text-of-its-chat-and-ends-with-it ()
  (lab-with (lab)
    (let ((file (expand-file-name "chat.txt" (lab-home lab))))
      (write-region "Hello\n" nil file nil 'quiet)
      (let* ((chat (find-file-noselect file))
             (handle (with-current-buffer chat
                       (more-tests--handle (more-tests--call more-tests--list))))
             (indirect (make-indirect-buffer chat "*chat indirect*" t))
             (cloned (with-current-buffer chat (generate-new-buffer "*chat clone*"))))
        (unwind-protect
            (progn
              (with-current-buffer indirect
                (should (more-tests--got-p (more-tests--more handle :lines "1-2")))
                ;; A result made in the indirect buffer belongs to the chat.
                (let ((other (more-tests--handle (more-tests--call more-tests--list))))
                  (kill-buffer indirect)
                  (with-current-buffer chat
                    (should (more-tests--got-p (more-tests--more other :lines "1-2"))))))
              (with-current-buffer chat
                (revert-buffer t t)
                (text-mode)
                (should (more-tests--got-p (more-tests--more handle :lines "1-2")))
                ;; A copy with the same local variables is another chat.
                (let ((variables (buffer-local-variables)))
                  (with-current-buffer cloned
                    (pcase-dolist (`(,name . ,value) (seq-filter #'consp variables))
                      (when (string-prefix-p "cj/" (symbol-name name))
                        (set (make-local-variable name) value)))
                    (should (equal (more-tests--refused
                                    (more-tests--more handle :lines "1-2") "not-found")
                                   more-tests--none)))))
              (let ((before (car (cj/gate--mod-kept))))
                (kill-buffer chat)
                (should (< (car (cj/gate--mod-kept)) before)))
              (with-current-buffer (setq chat (find-file-noselect file))
                (should (equal (more-tests--refused
                                (more-tests--more handle :lines "1-2") "not-found")
                               more-tests--none))))
          (mapc (lambda (buffer) (when (buffer-live-p buffer) (kill-buffer buffer)))
                (list chat indirect cloned)))))))

(ert-deftest more-a-kept-result-is-judged-by-the-current-policy ()
  (lab-with (_)
    (more-tests--in (chat)
      (with-current-buffer chat
        (let ((handle (more-tests--handle (more-tests--call more-tests--list)))
              (block "\\`The policy refuses such calls to github\\.com now")
              (ask "\\`The policy asks a person about such calls to github\\.com now.*\nRun the call again"))
          (pcase-dolist
              (`(,words . ,blocked)
               (list
                (cons block (lambda () (let ((cj/gh-policy '((read . block))))
                                         (more-tests--more handle :lines "1-2"))))
                (cons block (lambda () (let ((cj/gh-host-policy
                                              '(("github.com" (read . block)))))
                                         (more-tests--more handle :lines "1-2"))))
                (cons block (lambda ()
                              (setq-local cj/gh-policy '((read . block)))
                              (prog1 (more-tests--more handle :lines "1-2")
                                (kill-local-variable 'cj/gh-policy))))
                (cons ask (lambda () (let ((cj/gh-policy '((read . confirm))))
                                       (more-tests--more handle :lines "1-2"))))
                (cons "\\`github\\.com is not a known host; known: ghe\\.example\\.com"
                      (lambda () (let ((cj/gh-known-hosts '("ghe.example.com")))
                                   (more-tests--more handle :lines "1-2"))))))
            (let ((answer (funcall blocked))
                  (record (car (cj/gate-record-list 1))))
              (should (string-match-p words (more-tests--refused answer "policy-blocked")))
              (should (string-prefix-p "[gh github.com/many/r read blocked" answer))
              (should (equal (plist-get record :argv)
                             (list "more" handle "--lines=1-2")))
              (should (eq (plist-get record :error-kind) 'policy-blocked))
              (should-not (plist-get record :approved-by))))
          ;; The policy of another host changes nothing.
          (let ((cj/gh-host-policy '(("ghe.example.com" (read . block)))))
            (should (more-tests--got-p (more-tests--more handle :lines "1-2"))))
          (should (more-tests--got-p (more-tests--more handle :lines "1-2"))))))))

(ert-deftest more-every-handle-is-refused-while-the-gate-is-stopped ()
  (let ((own process-environment))
    (lab-with (_)
      (let ((there process-environment)
            ;; The child needs this Emacs's environment to find its libraries.
            (process-environment own))
        (lab-child
         `(progn
            (setq load-path ',load-path)
            (load ,(expand-file-name "test/lisp/more-tests.el" lab-root) nil t)
            (setq process-environment ',there
                  cj/gh-executable ,cj/gh-executable
                  cj/gate-cwd-roots ',cj/gate-cwd-roots
                  default-directory ,default-directory)
            (let ((handle (more-tests--handle (more-tests--call more-tests--list))))
              (cj/gate-stop)
              (dolist (any (list handle "m1"))
                (let ((answer (more-tests--more any :lines "1-2"))
                      (record (car (cj/gate-record-list 1))))
                  (should (string-match-p "\\`\\[gh - read blocked policy-blocked " answer))
                  (should (string-match-p "\\`A person stopped the gate"
                                          (more-tests--refused answer "policy-blocked")))
                  (should (equal (plist-get record :command) "more"))
                  (should (eq (plist-get record :error-kind) 'policy-blocked))))
              t)))))))

(ert-deftest more-a-call-that-gptel-asked-about-belongs-to-its-chat ()
  "A call accepted in gptel's own buffer of calls belongs to the chat too."
  (more-tests--in (chat)
    (let (handle)
      (lab-with (lab (list (lab-ask "gh" :args (vconcat more-tests--list))
                           '(:text "Done.")))
        (let* ((cj/gh-known-hosts '("github.com" "ghe.example.com"))
               (accepted nil)
               (talk (lab-converse
                      lab :buffer chat :confirm t :cwd default-directory
                      :during
                      (lambda (fsm)
                        (let ((overlay (cl-find-if
                                        (lambda (overlay) (overlay-get overlay 'gptel-tool))
                                        (overlays-in (point-min) (point-max)))))
                          (when (and overlay (not accepted))
                            (setq accepted t)
                            (if (< emacs-major-version 29)
                                ;; gptel's own buffer for it needs Emacs 29.
                                (with-temp-buffer
                                  (gptel--accept-tool-calls
                                   (overlay-get overlay 'gptel-tool) overlay))
                              (gptel--inspect-tool-calls (overlay-get overlay 'gptel-tool)
                                                         (gptel-fsm-info fsm) overlay)
                              (with-current-buffer "*gptel-tool-calls*"
                                (gptel--inspect-accept-tool-calls)))))))))
          (should accepted)
          (should (eq (lab-talk-state talk) 'DONE))
          (setq handle (more-tests--handle (lab-talk-answer talk)))))
      (lab-with (lab (list (lab-ask "gh_more" :handle handle :lines "1-2")
                           '(:text "Done.")))
        (should (more-tests--got-p
                 (cdar (last (lab-talk-answers (lab-converse lab :buffer chat :cwd default-directory)))))))
      ;; In another conversation the same handle is unknown.
      (lab-with (lab (list (lab-ask "gh_more" :handle handle :lines "1-2")
                           '(:text "Done.")))
        (should (equal (more-tests--refused (lab-talk-answer (lab-converse lab)) "not-found")
                       more-tests--none))))))

(provide 'more-tests)

;;; more-tests.el ends here
