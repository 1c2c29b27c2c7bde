;;; download-tests.el --- Artifacts, from the question to the files -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The tool `gh_run_download' with the real gh.  In batch: the downloads that
;; are refused before a question.  By keys on a terminal: the files that a yes
;; writes.  test/rust/gate/archive.rs tests the hostile archives of
;; fixtures/archives.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'lab-gptel)
(require 'cj-gh-tools)

(defun download-tests--place (lab)
  "Return the directory for downloads of LAB."
  (lab-file lab "home/downloads/"))

(defun download-tests--files (lab)
  "Return the files below the directory for downloads of LAB, relative, sorted."
  (let ((place (download-tests--place lab)))
    (and (file-directory-p place)
         (sort (mapcar (lambda (file) (file-relative-name file place))
                       (directory-files-recursively place "" t))
               #'string<))))

(defun download-tests--fetched (lab)
  "Return how many requests for an archive LAB has seen."
  (cl-count-if (lambda (request)
                 (string-suffix-p "/zip" (or (plist-get request :path) "")))
               (lab-requests lab)))

(defun download-tests--ask (lab name &optional run)
  "Return the answer to a download of the artifact NAME of RUN in LAB.
RUN is the number of a run, 1007 by default."
  (let ((cj/gh-artifact-directory (download-tests--place lab))
        answer)
    (cj/gh-tool-run-download (lambda (text) (setq answer text))
                             (or run 1007) name "o/r")
    (lab-wait (lambda () answer))
    answer))

(ert-deftest download-of-a-missing-expired-or-huge-artifact-is-refused-without-a-question ()
  (lab-with (lab)
    (pcase-dolist (`(,name ,status ,words)
                   '(("gone" "error not-found" "has expired")
                     ("nosuch" "error not-found" "Run 1007 has no artifact of this name")
                     ("huge" "blocked policy-blocked" "5000.0 MB packed, and at most 100.0 MB")
                     ("-rf" "error not-found" "has no artifact")))
      (ert-info (name)
        (let ((answer (download-tests--ask lab name)))
          (should (equal (lab-header answer) (list "github.com/o/r" "write" status)))
          (should (string-search words answer)))))
    (let ((cj/gh-policy '((read . confirm))))
      (should (string-search "may not be read without a question"
                             (download-tests--ask lab "report"))))
    (let ((cj/gh-policy '((write . block))))
      (should (equal (lab-header (download-tests--ask lab "report"))
                     '("github.com/o/r" "write" "blocked policy-blocked"))))
    (let ((cj/gh-artifact-directory "/ssh:elsewhere:/downloads/") answer)
      (cj/gh-tool-run-download (lambda (text) (setq answer text)) 1007 "report" "o/r")
      (lab-wait (lambda () answer))
      (should (string-search "is on another machine" answer)))
    ;; In batch nobody can say yes.
    (let ((answer (download-tests--ask lab "report")))
      (should (equal (lab-header answer) '("github.com/o/r" "write" "declined"))))
    (should (= (download-tests--fetched lab) 0))
    (should-not (download-tests--files lab))))

(ert-deftest download-by-the-tool-gh-is-refused-and-names-gh-run-download ()
  (lab-with (lab)
    (let (answer)
      (cj/gh-call '("run" "download" "1007" "--name" "report")
                  (lambda (text) (setq answer text)) :repo "o/r")
      (lab-wait (lambda () answer))
      (should (equal (nth 2 (lab-header answer)) "blocked policy-blocked"))
      (should (string-search "gh_run_download" answer))
      (should (= (download-tests--fetched lab) 0)))))

;;;; With a person

(defun download-tests--turns (&rest names)
  "Return a script in which the model downloads the artifacts NAMES, one by one."
  (append (mapcar (lambda (name) (lab-ask "gh_run_download" :run_id 1007 :name name
                                          :repo "o/r"))
                  names)
          '((:text "all done"))))

(defmacro download-tests--with (spec &rest body)
  "Run BODY with a terminal: SPEC is (TERMINAL LAB GH NAME...).
The model of LAB downloads the artifacts NAME with GH."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,gh . ,names) spec))
    `(lab-terminal-with
         (,terminal ,lab (download-tests--turns ,@names)
                    :stream t :width 120
                    :init `((setq cj/gh-executable ,,gh
                                  cj/gh-artifact-directory
                                  ,(download-tests--place ,lab)
                                  gptel-tools
                                  (list (gptel-get-tool "gh_run_download")))))
       ,@body)))

(defun download-tests--answer (terminal name &rest keys)
  "Press KEYS in TERMINAL once the download of NAME can be accepted.
Return the text of the approval buffer."
  (lab-terminal-wait-told terminal :asked (format "\"%s\"" name))
  (let ((text (lab-terminal-told terminal :approval)))
    (approval-enter terminal)
    (apply #'lab-terminal-keys terminal keys)
    text))

(defun download-tests--check-files (lab)
  "Check that LAB's directory for downloads holds the artifact `report' alone.
Check that the purge lists and removes it."
  (should (equal (download-tests--files lab)
                 (mapcar (lambda (name) (concat "github.com" name))
                         '("" "/o" "/o/r" "/o/r/1007" "/o/r/1007/report"
                           "/o/r/1007/report/logs"
                           "/o/r/1007/report/logs/build ^[[31m.log"
                           "/o/r/1007/report/summary.txt"))))
  (with-temp-buffer
    (insert-file-contents
     (concat (download-tests--place lab) "github.com/o/r/1007/report/summary.txt"))
    (should (equal (buffer-string) "3 passed\n")))
  (let* ((cj/gh-artifact-directory (download-tests--place lab))
         (kept (cj/gh-download-kept)))
    (should (equal (mapcar (lambda (item) (plist-get item :bytes)) kept) '(19)))
    (funcall (plist-get (car kept) :remove))
    (should-not (cj/gh-download-kept))))

(ert-deftest download-approved-by-one-key-writes-exactly-what-was-shown ()
  ;; With the oldest gh; the next test uses the newest one.
  (download-tests--with (terminal lab (cdar (lab-ghs)) "report")
    (lab-terminal-type terminal "fetch it")
    (lab-terminal-keys terminal "C-c" "Enter")
    (lab-terminal-wait-told terminal :asked "\"report\"")
    (should (= (download-tests--fetched lab) 0))
    (should-not (download-tests--files lab))
    (let ((text (download-tests--answer terminal "report" "C-c" "C-c")))
      (should (string-match-p "^  Class       write$" text))
      ;; A download writes nothing to the repository, so the question has no row
      ;; "First", which a first write to a repository has.
      (should-not (string-match-p "^  First " text))
      (should (string-match-p "\\`Download the artifact report of run 1007 [^\n]*in o/r" text))
      (should (string-match-p "^   1  run\n   2  download$" text))
      (should (string-match-p
               "^  Artifact    report (number 816), 99 B packed, of run 1007$" text))
      (should (string-search "/downloads/github.com/o/r/1007/report/"
                             (replace-regexp-in-string "\n *" "" text)))
      (should (string-search
               "gh api --method GET repos/o/r/actions/artifacts/816/zip" text)))
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (download-tests--fetched lab) 1))
    (let ((answer (lab-terminal-told terminal :chat)))
      (should (string-search "write confirmed" answer))
      (should (string-search "2 files, 19 B, of artifact report of run 1007, in" answer))
      (should (string-search "- summary.txt 9 B" answer))
      (should-not (string-search "3 passed" answer)))
    (should (equal (lab-terminal-told terminal :asked-by-gptel) 0))
    (download-tests--check-files lab)))

(ert-deftest download-of-a-hostile-or-vanished-artifact-leaves-no-file ()
  (download-tests--with (terminal lab (lab-gh) "hostile" "vanished" "forged" "report")
    (lab-terminal-type terminal "fetch them")
    (lab-terminal-keys terminal "C-c" "Enter")
    (dolist (name '("hostile" "vanished" "forged"))
      (download-tests--answer terminal name "C-c" "C-c"))
    (lab-terminal-wait-told terminal :asked "\"report\"")
    (should (= (download-tests--fetched lab) 3))
    (should-not (download-tests--files lab))
    (should-not (file-exists-p (lab-file lab "home/out.txt")))
    (download-tests--answer terminal "report" "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (let ((chat (lab-terminal-told terminal :chat)))
      (should (string-search "`../out.txt' in it leaves its directory" chat))
      (should (string-search "has expired or was deleted" chat))
      (should (string-search "is not the one in GitHub's list" chat)))
    (download-tests--check-files lab)))

(provide 'download-tests)

;;; download-tests.el ends here
