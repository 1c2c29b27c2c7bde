;;; approvals.el --- Pictures of approvals in each state -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; `make approvals' asks about each call of `approvals-calls', with the real gh
;; and the stand-in GitHub (test/lab/), in an Emacs that draws in a window.
;; Each call leaves three files in target/approvals/: a picture in a light
;; theme, one in a dark theme, and the text of the buffer.  The table also says
;; what a person must find in the text; a text without that is an error.  Each
;; call is declined in the end, so the stand-in sees no write.
;;
;; Two sheets (light and dark) with some of the approvals go to docs/images/.

;;; Code:

(defvar byte-compile-current-file)
(eval-and-compile
  (push (file-name-directory (or load-file-name byte-compile-current-file
                                 buffer-file-name))
        load-path))
(require 'screenshots)

(declare-function set-fringe-mode "fringe")
(declare-function x-export-frames "xfns.c")
(declare-function cj/gh-call "cj-gh")
(declare-function cj/gate-approvals "cj-gate-approval")
(declare-function cj/gate-approval-decline "cj-gate-approval")
(declare-function cj/gate-approval-unread-lines "cj-gate-approval-window")
(defvar cj/gate-approval--queue)

(defconst approvals-directory (getenv "APPROVALS")
  "Where the pictures and texts of all approvals go.")

(defconst approvals-themes '((light . modus-operandi) (dark . modus-vivendi))
  "The themes of the pictures, by the ending of a picture's file name.")

(defconst approvals-comment
  "Thank you, this reads our files.

Two things before the merge:

- a test with CRLF
- `read_row' still says \"line\" where it means \"row\"
"
  "A text of several lines.")

(defconst approvals-long
  (mapconcat (lambda (n) (format "%d. file-%02d.csv: %d rows, none lost" n n (* 37 n)))
             (number-sequence 1 40) "\n")
  "A text that is longer than a screen.")

(defconst approvals-issue
  "Save this as a.csv and read it:

    1,\"two
    lines\",3

Expected: one row of three fields.
Seen: two rows, the second without a first field.

This was found with 1.4 on Linux and Windows.
"
  "The new body of issue 11 of acme/sheets.")

(defconst approvals-calls
  `(("pr-merge-open" "acme/sheets" ("pr" "merge" "1" "--squash")
     "^Squash and merge pull request #1 “Read quoted" "2 passed\\|3 passed" "no conflicts" "private")
    ("pr-merge-draft" "acme/sheets" ("pr" "merge" "2" "--squash")
     "a draft" "1 still running")
    ("pr-merge-merged" "acme/sheets" ("pr" "merge" "3" "--squash") "already merged")
    ("pr-merge-closed" "acme/sheets" ("pr" "merge" "4" "--rebase") "by lena, closed")
    ("pr-merge-conflicted" "acme/sheets" ("pr" "merge" "5" "--squash")
     "conflicts with main" "changes are requested" "9 commits behind main")
    ("pr-merge-failing" "acme/sheets" ("pr" "merge" "6" "--squash" "--delete-branch")
     "2 failed: test (ubuntu, 1.88), test (windows)")
    ("pr-merge-behind" "acme/sheets" ("pr" "merge" "7" "--merge")
     "14 commits behind main" "lena:sort, a fork")
    ("pr-merge-public" "octo/demo" ("pr" "merge" "1" "--squash") "public: everybody")
    ("pr-merge-unreadable" "err404/sheets" ("pr" "merge" "1" "--squash")
     "could not be read")
    ("pr-merge-silent" "hang/sheets" ("pr" "merge" "1" "--squash") "could not be read")
    ("pr-close-open" "acme/sheets" ("pr" "close" "1") "^Close pull request #1")
    ("pr-close-draft" "acme/sheets" ("pr" "close" "2" "--comment" ,approvals-comment)
     "a draft" "a test with CRLF")
    ("pr-close-merged" "acme/sheets" ("pr" "close" "3") "already merged")
    ("pr-close-conflicted" "acme/sheets" ("pr" "close" "5") "conflicts with main")
    ("pr-close-failing" "acme/sheets" ("pr" "close" "6") "2 failed")
    ("pr-close-unreadable" "err403/sheets" ("pr" "close" "1") "could not be read")
    ("pr-ready-open" "acme/sheets" ("pr" "ready" "1") "not a draft: nothing will change" "^Mark pull request #1")
    ("pr-ready-draft" "acme/sheets" ("pr" "ready" "2") "a draft" "1 still running")
    ("pr-ready-merged" "acme/sheets" ("pr" "ready" "3") "already merged")
    ("pr-ready-conflicted" "acme/sheets" ("pr" "ready" "5" "--undo") "^Turn pull request #5")
    ("pr-ready-failing" "acme/sheets" ("pr" "ready" "6") "2 failed")
    ("pr-ready-unreadable" "err500/sheets" ("pr" "ready" "1") "could not be read")
    ("pr-review-open" "acme/sheets" ("pr" "review" "1" "--approve") "^Approve pull request #1")
    ("pr-review-draft" "acme/sheets"
     ("pr" "review" "2" "--comment" "--body" ,approvals-comment) "a draft")
    ("pr-review-merged" "acme/sheets" ("pr" "review" "3" "--approve") "by mona, merged$")
    ("pr-review-conflicted" "acme/sheets"
     ("pr" "review" "5" "--request-changes" "--body" ,approvals-comment)
     "^Request changes on pull request #5")
    ("pr-review-failing" "acme/sheets" ("pr" "review" "6" "--approve") "2 failed")
    ("pr-review-unreadable" "err403-sso/sheets" ("pr" "review" "1" "--approve")
     "could not be read")
    ("pr-comment-open" "acme/sheets" ("pr" "comment" "1" "--body" ,approvals-comment)
     "^Comment on pull request #1" "lena, 2026-02-03, in comment 1")
    ("pr-comment-merged" "acme/sheets" ("pr" "comment" "3" "--body" ,approvals-comment)
     "by mona, merged$")
    ("pr-comment-conflicted" "acme/sheets" ("pr" "comment" "5" "--body" ,approvals-comment)
     "octo, 2026-02-03, in comment 1")
    ("pr-comment-long" "acme/sheets" ("pr" "comment" "1" "--body" ,approvals-long)
     "40. file-40.csv")
    ("pr-comment-unreadable" "err404/sheets"
     ("pr" "comment" "1" "--body" ,approvals-comment) "could not be read")
    ("issue-close-open" "acme/sheets" ("issue" "close" "11") "^Close issue #11" "mona, 2026-02-03")
    ("issue-close-closed" "acme/sheets" ("issue" "close" "12" "--reason" "not planned")
     "already closed: nothing will change")
    ("issue-close-public" "octo/demo" ("issue" "close" "2") "public: everybody")
    ("issue-close-unreadable" "garbage/sheets" ("issue" "close" "11") "could not be read")
    ("issue-edit-open" "acme/sheets" ("issue" "edit" "11" "--body" ,approvals-issue)
     "- Seen: two rows\\.$" "\\+ Seen: two rows, the")
    ("issue-edit-closed" "acme/sheets"
     ("issue" "edit" "12" "--title" "Tabs as separators, and semicolons") "by lena, closed")
    ("issue-edit-unreadable" "err404/sheets" ("issue" "edit" "11" "--body" ,approvals-issue)
     "could not be read")
    ("release-create-new" "acme/sheets"
     ("release" "create" "v1.5" "--title" "1.5" "--notes" "- quoted fields\n- sorting\n")
     "none of this tag so far" "v1.5-rc1")
    ("release-create-exists" "octo/demo"
     ("release" "create" "v1.1" "--title" "1.1" "--notes" "- quoted fields\n")
     "exists" "public: everybody")
    ("release-create-draft" "acme/sheets"
     ("release" "create" "v1.5" "--draft" "--generate-notes") "^Draft release v1.5")
    ("release-create-unreadable" "err404/sheets"
     ("release" "create" "v1.5" "--notes" "- sorting\n") "could not be read")
    ("run-rerun-failing" "acme/sheets" ("run" "rerun" "2001" "--failed")
     "on utf8-only (pull_request), fail")
    ("run-rerun-passed" "acme/sheets" ("run" "rerun" "2003") "on main (schedule), succeeded")
    ("run-cancel-running" "acme/sheets" ("run" "cancel" "2002") "on sort (pull_request), in progress")
    ("run-cancel-unreadable" "err404/sheets" ("run" "cancel" "2002") "could not be read")
    ("workflow-run-active" "acme/sheets"
     ("workflow" "run" "ci.yml" "--ref" "main" "-f" "level=full") "active")
    ("workflow-run-disabled" "acme/sheets" ("workflow" "run" "nightly.yml") "disabled")
    ("workflow-run-unreadable" "err404/sheets" ("workflow" "run" "ci.yml")
     "could not be read")
    ("api-patch-open" "acme/sheets"
     ("api" "-X" "PATCH" "repos/acme/sheets/issues/11" "-f" "title=Rows are cut in two")
     "- Rows with line breaks" "\\+ Rows are cut in two")
    ("api-patch-repository" "acme/sheets"
     ("api" "-X" "PATCH" "repos/acme/sheets" "-f" "description=Tables of text")
     "^Change description of the repository acme/sheets, as octo$")
    ("api-patch-unreadable" "err404/sheets"
     ("api" "-X" "PATCH" "repos/err404/sheets/issues/11" "-f" "title=Rows are cut in two")
     "could not be read"))
  "The calls: (NAME REPO ARGV REGEXP...).
NAME begins the names of the files; the text must match each REGEXP.")

(defconst approvals-on-the-sheet
  '(("pr-merge-open" "pr-merge-failing")
    ("pr-merge-conflicted" "pr-merge-unreadable")
    ("issue-edit-open" "release-create-new"))
  "The rows of the sheets: the approvals that stand side by side.")

(defconst approvals-most-lines 60
  "Most lines of an approval that is shown whole.
The beginning of a longer one is shown in a frame of 24 lines.")

(defvar approvals-faults nil
  "The faults of the texts, a list of strings.")

(defvar approvals-texts nil
  "The approvals that were shown: a list of (NAME TEXT . HEADER-LINE).")

;;;; Taking pictures

(defun approvals-theme (theme)
  "Turn on THEME and turn off all other themes."
  (mapc #'disable-theme custom-enabled-themes)
  (load-theme theme t))

(defun approvals-write (file)
  "Write a picture of the frame in each theme; FILE is a name without theme."
  (pcase-dolist (`(,name . ,theme) approvals-themes)
    (approvals-theme theme)
    (redisplay t)
    (message nil)
    (redisplay t)
    (screenshots-check)
    (let ((coding-system-for-write 'binary))
      (write-region (x-export-frames nil 'png) nil (format "%s-%s.png" file name)
                    nil 'quiet))))

(defun approvals-check (name expected)
  "Note each regexp of EXPECTED that the buffer of NAME does not match."
  (let ((text (buffer-string)) (case-fold-search nil))
    (dolist (regexp expected)
      (unless (string-match-p regexp text)
        (push (format "%s.txt does not match %S" name regexp) approvals-faults)))))

(defun approvals-take (name expected)
  "Take pictures and the text of the approval that waits, as NAME.
EXPECTED are regular expressions that the text must match."
  (cj/gate-approvals)
  (delete-other-windows)
  (set-frame-size nil 80 24)
  (screenshots-settle 0.2)
  (let ((lines (1+ (screenshots-height (current-buffer)))))
    (if (> lines approvals-most-lines)
        ;; The text is longer than the frame, as it would be on a terminal.
        (screenshots-settle)
      (set-frame-size nil 80 lines)
      (lab-wait (lambda ()
                  (redisplay t)
                  (accept-process-output nil 0.05)
                  (zerop (cj/gate-approval-unread-lines)))
                10)))
  (let ((text (buffer-substring (point-min) (point-max)))
        (file (expand-file-name name approvals-directory))
        (coding-system-for-write 'utf-8-unix))
    (write-region (concat (string-trim (format-mode-line header-line-format)) "\n\n" text)
                  nil (concat file ".txt") nil 'quiet)
    (approvals-check name expected)
    (push (cons name (cons text (format-mode-line header-line-format))) approvals-texts)
    (approvals-write file)))

(defun approvals-ask (name repo argv expected)
  "Submit the call ARGV in REPO, take its pictures as NAME, and decline it.
EXPECTED are regular expressions that the text must match."
  (let (answered)
    (cj/gh-call argv (lambda (_) (setq answered t)) :repo repo)
    (lab-wait (lambda () (or cj/gate-approval--queue answered)) 30)
    (when answered
      (error "Nobody was asked about %s" name))
    (approvals-take name expected)
    (cj/gate-approval-decline)
    (lab-wait (lambda () answered) 10)))

;;;; The sheets

(defun approvals-beginning (name)
  "Return the text of the approval NAME above its arguments, a string."
  (let ((text (cadr (assoc name approvals-texts))))
    (substring text 0 (string-match "\n\n  Arguments of" text))))

(defun approvals-put (name)
  "Show the beginning of the approval NAME in the selected window."
  (let ((text (approvals-beginning name))
        (header (cddr (assoc name approvals-texts))))
    (switch-to-buffer (get-buffer-create (concat "*" name "*")))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (setq-local word-wrap t
                cursor-type nil
                header-line-format header
                mode-line-format nil)))

(defun approvals-lines (name)
  "Return how many lines the approval NAME takes on a sheet."
  ;; A header line, an empty line, and one more for a folded sentence.
  (+ 3 (with-temp-buffer
         (insert (approvals-beginning name))
         (count-lines (point-min) (point-max)))))

(defun approvals-sheet ()
  "Write the sheets of `approvals-on-the-sheet'."
  (delete-other-windows)
  (set-frame-font "DejaVu Sans Mono-8" nil t)
  (set-fringe-mode 4)
  (let ((heights (mapcar (lambda (row) (apply #'max (mapcar #'approvals-lines row)))
                         approvals-on-the-sheet))
        (window-min-height 2)
        (window-combination-resize nil))
    (set-frame-size nil 164 (+ 1 (apply #'+ heights)))
    (screenshots-settle)
    (cl-loop for row in approvals-on-the-sheet
             for (height . more) on heights
             do (let ((below (and more (split-window nil height 'below)))
                      (right (split-window nil nil 'right)))
                  (approvals-put (car row))
                  (with-selected-window right
                    (approvals-put (cadr row)))
                  (when below
                    (select-window below)))))
  (approvals-write (expand-file-name "approvals" screenshots-directory)))

;;;; Entry

(defun approvals-all (lab)
  "Take all pictures with LAB, and check that the stand-in saw no write."
  (let ((only (getenv "ONLY")))
    (pcase-dolist (`(,name ,repo ,argv . ,expected) approvals-calls)
      (when (or (member only '(nil "")) (string-match-p only name))
        (approvals-ask name repo argv expected)))
    (when (member only '(nil ""))
      (approvals-sheet)))
  (when approvals-faults
    (error "%s" (string-join (nreverse approvals-faults) "\n")))
  (when (lab-mutations lab)
    (error "The stand-in saw a write: %S" (lab-mutations lab))))

(defun approvals ()
  "Take the pictures of approvals; end Emacs with 0, or 1 after an error."
  (make-directory approvals-directory t)
  (screenshots-with-lab nil #'approvals-all))

(provide 'approvals)

;;; approvals.el ends here
