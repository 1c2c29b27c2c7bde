;;; more-tests.el --- Results that were cut, and more of them -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A result keeps within its budget, and what was cut is had from memory.

;;; Code:

(require 'ert)
(require 'lab-gptel)
(require 'cj-gh-tools)
(require 'cj-gate-purge)
(require 'cj-gate-record)

(defconst more-tests--list '("pr" "list" "-R" "many/r" "--limit" "100")
  "A list that is far longer than the budget.")

(defun more-tests--call (argv &rest keys)
  "Return the answer of gh with ARGV and KEYS."
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
  "Return the handle that the last line of ANSWER names, checking the line."
  (should (string-match "\n\\[lines \\([0-9]+\\)-\\([0-9]+\\) of \\([0-9]+\\) cut; gh_more handle=\\(m[0-9]+\\) lines=\\1-[0-9]+ or pattern=REGEXP\\]\\'"
                        answer))
  (match-string 4 answer))

(defun more-tests--after (handle)
  "Return the handle that comes after HANDLE."
  (format "m%d" (1+ (string-to-number (substring handle 1)))))

(ert-deftest more-a-conversation-gets-the-rest-of-a-result-without-another-request ()
  (lab-with (_)
    (let ((last (more-tests--handle (more-tests--call more-tests--list))))
      (lab-with (lab (list (lab-ask "gh" :args (vconcat more-tests--list))
                           (lab-ask "gh_more" :handle (more-tests--after last)
                                    :lines "61-63")
                           (lab-ask "gh_more" :handle (more-tests--after last)
                                    :pattern "^99\\b")
                           '(:text "Done.")))
        (let* ((talk (lab-converse lab))
               (answers (mapcar #'cdr (lab-talk-answers talk)))
               (records (cj/gate-record-list 3)))
          (should (eq (lab-talk-state talk) 'DONE))
          (should (= (length answers) 3))
          (should (< (string-bytes (nth 0 answers)) 4000))
          (should (equal (more-tests--handle (nth 0 answers)) (more-tests--after last)))
          (should (string-match-p "\\`\\[gh github\\.com/many/r read ok [0-9.]+KB cut\\]\n"
                                  (nth 0 answers)))
          (should (string-match-p "\\`\\[gh github\\.com/many/r read ok [0-9.]+KB cached [0-9]+s\\]\nlines 61-63 of 100\n"
                                  (nth 1 answers)))
          (should (= (length (split-string (nth 1 answers) "\n" t)) 5))
          (should (string-match-p "\n[0-9]+ lines match\n" (nth 2 answers)))
          ;; One list was asked for; the parts of it cost nothing.
          (should (= 1 (cl-count-if (lambda (request) (plist-get request :graphql))
                                    (lab-talk-github talk))))
          (should (equal (mapcar (lambda (record) (plist-get record :command)) records)
                         '("more" "more" "pr list")))
          (should (equal (plist-get (nth 1 records) :argv)
                         (list "more" (more-tests--after last) "--lines=61-63")))
          (should (eq (plist-get (car records) :class) 'read)))))))

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

(ert-deftest more-a-handle-that-is-gone-says-what-to-do ()
  (lab-with (_)
    (let ((handle (more-tests--handle (more-tests--call more-tests--list))))
      (should (cl-find "Results that were cut" (mapcan #'funcall cj/gate-purge-sources)
                       :key (lambda (item) (plist-get item :what)) :test #'equal))
      (funcall (plist-get (car (cj/gate-purge--results)) :remove))
      (should-not (cj/gate-purge--results))
      (dolist (wrong (list handle "m0" "x" ""))
        (should (string-match-p
                 "\\`\\[gh - read error not-found [0-9.]+KB\\]\nError: No result is kept under this handle (any more)\\.\nRun the call again\\.\\'"
                 (more-tests--more wrong :lines "1-2")))))))

(ert-deftest more-the-option-bounds-the-result-within-what-is-allowed ()
  (lab-with (_)
    (let ((sizes (mapcar (lambda (budget)
                           (let ((cj/gate-result-budget budget))
                             (string-bytes (more-tests--call more-tests--list))))
                         '(0 200 800 8000 100000))))
      (should (= (nth 0 sizes) (nth 1 sizes)))
      (should (< (nth 1 sizes) (nth 2 sizes) (nth 3 sizes)))
      (should (= (nth 3 sizes) (nth 4 sizes))))))

(provide 'more-tests)

;;; more-tests.el ends here
