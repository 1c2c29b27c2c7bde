;;; netlab-hostile-tests.el --- Hostile arguments and answers, through the whole tool -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each line of fixtures/net/hostile.jsonl is a call with hostile arguments, or
;; one whose answer is hostile.  A model makes all of them through the real
;; gptel, in the network lab, where every packet is counted.  A program that an
;; argument injects would make a file.
;;
;; The status of a row is `refused' (no packet is sent), `looked-up' (refused
;; because of the address of its name: packets go to DNS only) or `answered',
;; with regexps that the answer must match.

;;; Code:

(require 'ert)
(require 'lab-network)

(defvar cj/gate-cwd-roots)
(defvar cj/gh-executable)

(declare-function lab-converse "lab-gptel")
(declare-function lab-harmless "lab-gptel")
(declare-function lab-talk-answers "lab-gptel")
(declare-function cj/net-register "cj-net")

(defconst netlab-hostile-mark "/tmp/cj-hostile"
  "The file that an injected command of the fixture would make.")

(defun netlab-hostile-rows (&optional status)
  "Return the rows of the fixture, or those with STATUS."
  (cl-remove-if-not
   (lambda (row) (or (not status) (equal (plist-get row :status) status)))
   (lab-json-lines (expand-file-name "fixtures/net/hostile.jsonl" lab-root))))

(defun netlab-hostile-packets ()
  "Return the packets sent so far, an alist of address and number.
Multicast, which the kernel sends by itself, and loopback, by which gptel talks
to its model, are left out."
  (with-temp-buffer
    (dolist (set '("sent4" "sent6"))
      (call-process "nft" nil t nil "list" "set" "inet" "count" set))
    (goto-char (point-min))
    (let (sent)
      (while (re-search-forward "\\([0-9a-f.:]+\\) counter packets \\([0-9]+\\)" nil t)
        (let ((address (match-string 1)) (count (string-to-number (match-string 2))))
          (unless (string-match-p "\\`\\(?:ff\\|127\\.\\)" address)
            (push (cons address count) sent))))
      sent)))

(defun netlab-hostile-since (before)
  "Return the addresses that packets were sent to since BEFORE, sorted."
  (sort (cl-loop for (address . count) in (netlab-hostile-packets)
                 unless (eql count (cdr (assoc address before)))
                 collect address)
        #'string<))

(defun netlab-hostile-send (status)
  "Let a model make all calls with STATUS.
Return the answers, and the addresses that packets were sent to."
  (let* ((rows (netlab-hostile-rows status))
         (before (netlab-hostile-packets))
         (turn (list :tool_calls
                     (vconcat (mapcar (lambda (row)
                                        (list :name (plist-get row :tool)
                                              :arguments (plist-get row :arguments)))
                                      rows)))))
    (lab-with (lab (list turn '(:text "Done.")))
      (let* ((talk (lab-converse lab :tools (cj/net-register) :deadline 90))
             (answers (lab-talk-answers talk)))
        ;; Answers come in the order in which calls ended: sort them by id.
        (list (cl-loop for nth below (length rows)
                       collect (cdr (assoc (format "call_0_%d" nth) answers)))
              (netlab-hostile-since before))))))

(ert-deftest netlab-hostile-arguments-and-answers-stay-plain-text ()
  (when (file-exists-p netlab-hostile-mark)
    (delete-file netlab-hostile-mark))
  (lab-network-with
    (let* ((kinds '("refused" "looked-up" "answered"))
           (results (lab-network-there
                     '(require 'lab-gptel)
                     `(load ,(expand-file-name "test/lisp/netlab-hostile-tests.el" lab-root) nil t)
                     `(mapcar #'netlab-hostile-send ',kinds))))
      (require 'lab-gptel)
      (should-not (file-exists-p netlab-hostile-mark))
      (should (>= (length (netlab-hostile-rows)) 160))
      (cl-loop
       for kind in kinds
       for (answers sent) in results
       do (let ((rows (netlab-hostile-rows kind)) (case-fold-search nil))
            (should (= (length rows) (length answers)))
            (cl-mapc
             (lambda (row answer)
               (ert-info ((format "%S: %s" row answer))
                 (should (string-match
                          (if (equal kind "answered")
                              "\\`\\[net [^] ]+ read ok [0-9.]+KB\\]\n"
                            "\\`\\[net - read \\(?:blocked policy-blocked\\|error bad-argument\\) [0-9.]+KB\\]\n")
                          answer))
                 (let ((text (substring answer (match-end 0))))
                   (lab-harmless text)
                   (should-not (string-match-p "^[ \t]*\\[net " text))
                   (dolist (regexp (plist-get row :has))
                     (should (string-match-p regexp text))))))
             rows answers)
            ;; Redirects and links in answers lead to public addresses, which
            ;; must get no packet.
            (should (cl-subsetp sent
                                (pcase kind
                                  ("refused" '())
                                  ("looked-up" '("10.77.0.53"))
                                  (_ (cl-loop for n to 31 collect (format "10.77.0.%d" n)
                                              into all
                                              finally return
                                              (append '("10.77.0.53" "fd77::53" "10.77.0.80") all))))
                                :test #'equal)))))))

(provide 'netlab-hostile-tests)

;;; netlab-hostile-tests.el ends here
