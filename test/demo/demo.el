;;; demo.el --- A conversation through every layer, on stand-ins -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The real gptel and the real gh, with stand-ins for GitHub and the model
;; (test/lab/).  The model plays fixtures/model/demo.json: it reads a pull
;; request, tries to merge it, and tries to delete its repository.
;;
;; The demo prints the answers that the model got and the records of the gate.
;; It exits with 1 if an answer, a record or a request is not the expected one.

;;; Code:

(require 'cl-lib)
(require 'lab-support)
(require 'lab-gptel)
(require 'cj-gh)
(require 'cj-gate-approval)
(require 'cj-gate-record)

(defvar demo-prompts nil
  "Texts of the approval buffer, a list of strings, newest first.")

(defun demo-note-prompt (plan &rest _)
  "Add the text that the approval buffer shows for PLAN to `demo-prompts'."
  (push (substring-no-properties (cj/gate-confirm-text (cj/gate-plan-info plan)))
        demo-prompts))

(defun demo-script ()
  "Return the turns that the model plays, a list."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "fixtures/model/demo.json" lab-root))
    (append (json-parse-buffer :object-type 'plist) nil)))

(defun demo-converse (lab)
  "Hold the conversation with the model of LAB; return a `lab-talk'."
  (advice-add 'cj/gate-confirm :before #'demo-note-prompt)
  (lab-converse lab :prompt "Look at pull request 1, merge it, then delete the repository."))

;;;; Printing

(defun demo-say (format &rest args)
  "Print a line made from FORMAT and ARGS."
  (princ (concat (apply #'format format args) "\n")))

(defun demo-quote (text)
  "Print TEXT with four blanks before each line."
  (dolist (line (split-string (string-trim text "\n+" "[ \n]+") "\n"))
    (demo-say "%s" (if (string-empty-p line) "" (concat "    " line)))))

(defun demo-record-line (record)
  "Return a line that sums RECORD up."
  (format "call %d  %-9s %-11s %-11s -> %-20s approved by %s"
          (plist-get record :call) (plist-get record :host)
          (plist-get record :command) (plist-get record :class)
          (or (plist-get record :error-kind) "ok")
          (or (plist-get record :approved-by) "nobody")))

(defun demo-print (talk records gh)
  "Print TALK and the RECORDS of its calls, a list with the oldest first.
GH is the version of gh, a string."
  (pcase-let ((`(,view ,merge ,delete) (mapcar #'cdr (lab-talk-answers talk))))
    (demo-say "A model calls tools through gptel, in Emacs %s, with gh %s." emacs-version gh)
    (demo-say "GitHub and the model are stand-ins on this machine; the rest is real.\n")
    (demo-say "1. The model calls gh_pr_view.  A read runs by itself; the model gets:")
    (demo-quote view)
    (demo-say "\n2. It calls gh with `pr merge'.  A write waits for a key in this buffer:")
    (demo-quote (car demo-prompts))
    (demo-say "   Nobody sits at this Emacs (it runs in batch), and nothing can answer for a person:")
    (demo-quote merge)
    (demo-say "   => declined: no person")
    (demo-say "\n3. It calls gh with `repo delete'.  What cannot be undone is refused, and nobody is asked:")
    (demo-quote (car (split-string delete "\n")))
    (demo-say "\n4. Each call left a record, the two that did not run as well:")
    (dolist (record records)
      (demo-quote (demo-record-line record)))
    (demo-say "\n5. The last error in full, as `M-x cj/gh-tool-last-error' shows it:")
    (demo-quote (cj/gate-record-text (car (last records))))))

;;;; Checking

(defun demo-wrong (talk records mutations)
  "Return what is unexpected in TALK, RECORDS and MUTATIONS, a list of strings."
  (let ((answers (mapcar #'cdr (lab-talk-answers talk)))
        (target "github.com/acme/tables"))
    (cl-loop
     for (fine what) in
     `((,(eq (lab-talk-state talk) 'DONE) "the conversation did not end as it should")
       (,(= (length demo-prompts) 1) "there was not exactly one prompt")
       (,(zerop (lab-talk-prompts talk)) "gptel asked too")
       (,(null mutations) "something was changed on GitHub")
       (,(= (length (lab-talk-github talk)) 1) "GitHub did not get exactly one request")
       (,(equal (mapcar (lambda (record)
                          (mapcar (apply-partially #'plist-get record)
                                  '(:command :class :error-kind :approved-by)))
                        records)
                '(("pr view" read nil rule)
                  ("pr merge" write declined nil)
                  ("repo delete" destructive irreversible-blocked nil)))
        "the record is not that of a read, a declined write and a refused delete")
       ,@(cl-loop for answer in answers
                  for start in '("read ok " "write declined "
                                 "destructive blocked irreversible-blocked ")
                  collect (list (string-prefix-p (format "[gh %s %s" target start) answer)
                                (format "this is not a result of `%s'" start)))
       (,(string-match-p "\\bno person can be asked\\b" (or (nth 1 answers) ""))
        "the merge was not declined for want of a person"))
     unless fine collect what)))

(defun demo ()
  "Run the demo; end Emacs, with 1 if anything was unexpected."
  (let ((coding-system-for-write 'utf-8)
        wrong)
    (condition-case err
        (lab-with (lab (demo-script))
          (let* ((talk (demo-converse lab))
                 (records (reverse (cj/gate-record-list)))
                 (mutations (lab-mutations lab))
                 (gh (nth 2 (split-string
                             (shell-command-to-string
                              (concat (shell-quote-argument (lab-gh)) " --version"))))))
            (setq wrong (demo-wrong talk records mutations))
            (demo-print talk records gh)))
      (error (push (error-message-string err) wrong)))
    (dolist (what wrong)
      (message "demo: %s" what))
    (kill-emacs (if wrong 1 0))))

(demo)

;;; demo.el ends here
