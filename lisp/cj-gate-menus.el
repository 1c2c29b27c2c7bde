;;; cj-gate-menus.el --- The menus of the key ? -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each mode has a transient menu with the keys of its buffer and the keys that
;; lead to the gate's other buffers.  A key does the same in the menu as in the
;; buffer.

;;; Code:

(require 'cl-lib)
(require 'transient)
(require 'cj-gate-view)

(declare-function tabulated-list-sort "tabulated-list")

(defmacro cj/gate-menus-define (name docstring &rest groups)
  "Define NAME, a symbol, as the menu of a mode, with DOCSTRING.
GROUPS are transient groups, vectors.  Beside them stands a group with the keys
of `cj/gate-view-jump-map', which lead to the gate's other buffers."
  (declare (indent 1) (doc-string 2))
  `(transient-define-prefix ,name ()
     ,docstring
     [,@groups
      ["Elsewhere"
       ("j a" "Approval" cj/gate-approvals)
       ("j w" "What waits" cj/gate-queue)
       ("j r" "What runs" cj/gate-runs)
       ("j c" "Records of calls" cj/gate-records)
       ("j l" "Audit log" cj/gh-audit-search)
       ("j e" "Leases" cj/gate-leases)
       ("j d" "Doctor" cj/gh-doctor)
       ("j x" "Explain a command" cj/gh-explain)
       ("j p" "What is kept" cj/gate-purge)
       ("j m" "The whole gate" cj/gh-menu)]]))

(defconst cj/gate-menus--of-modes
  '((cj/gate-approval-mode . cj/gate-menus--approval)
    (cj/gate-queue-mode . cj/gate-menus--queue)
    (cj/gh-audit-mode . cj/gate-menus--audit)
    (cj/gh-audit-hosts-mode . cj/gate-menus--audit-hosts)
    (cj/gh-audit-line-mode . cj/gate-menus--audit-line)
    (cj/gh-audit-check-mode . cj/gate-menus--audit-check)
    (cj/gate-records-mode . cj/gate-menus--records)
    (cj/gate-record-mode . cj/gate-menus--record)
    (cj/gate-runs-mode . cj/gate-menus--runs)
    (cj/gate-run-mode . cj/gate-menus--run)
    (cj/gate-leases-mode . cj/gate-menus--leases)
    (cj/gate-purge-mode . cj/gate-menus--purge)
    (cj/gh-doctor-mode . cj/gate-menus--doctor)
    (cj/net-doctor-mode . cj/gate-menus--doctor)
    (cj/gh-explain-mode . cj/gate-menus--explain)
    (cj/gh-failure-mode . cj/gate-menus--failure)
    (cj/gh-watch-mode . cj/gate-menus--watch)
    (cj/gh-pulls-mode . cj/gate-menus--pulls)
    (cj/gh-worktrees-mode . cj/gate-menus--worktrees)
    (cj/gate-table-mode . cj/gate-menus--table)
    (cj/gate-view-mode . cj/gate-menus--text))
  "Alist of modes and their menus.
The first row whose mode the buffer's mode is, or derives from, counts.")

;;;###autoload
(defun cj/gate-view-menu ()
  "Show a menu with the keys of this buffer and those that lead to the others."
  (interactive nil cj/gate-table-mode cj/gate-view-mode cj/gate-approval-mode)
  (call-interactively
   (or (cdr (cl-find-if (lambda (row) (derived-mode-p (car row)))
                        cj/gate-menus--of-modes))
       'cj/gh-menu)))

;;;; Tables

(cj/gate-menus-define cj/gate-menus--table
  "Keys of a table."
  ["Table"
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--audit
  "Keys of the table of lines of the audit log."
  ["This line"
   ("RET" "Show it decoded" cj/gh-audit-visit)
   ("f" "Go to it in its file" cj/gh-audit-visit-file)]
  ["Audit log"
   ("]" "Older lines" cj/gh-audit-older)
   ("[" "Newer lines" cj/gh-audit-newer)
   ("s" "Search" cj/gh-audit-search)
   ("b" "By host" cj/gh-audit-by-host)
   ("v" "Check the chains" cj/gh-audit-verify)
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Read it again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--audit-hosts
  "Keys of the table of what went to which host."
  ["This host"
   ("RET" "Its lines" cj/gh-audit-visit)]
  ["Audit log"
   ("s" "Search" cj/gh-audit-search)
   ("v" "Check the chains" cj/gh-audit-verify)
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Read it again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--records
  "Keys of the list of records."
  ["This call"
   ("RET" "Its record" cj/gate-records-visit)]
  ["Records"
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--runs
  "Keys of the table of what runs and what waits."
  ["This call"
   ("RET" "More about it" cj/gate-runs-details)
   ("k" "End or decline it" cj/gate-runs-cancel)]
  ["Calls"
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--leases
  "Keys of the list of leases."
  ["This lease"
   ("k" "End it" cj/gate-leases-revoke)]
  ["Leases"
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--worktrees
  "Keys of the list of worktrees."
  ["This worktree"
   ("RET" "Visit it" cj/gh-worktrees-visit)
   ("k" "Remove it" cj/gh-worktrees-remove)
   ("w" "Copy its directory's name" cj/gh-worktrees-copy)]
  ["Worktrees"
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--purge
  "Keys of the list of what is kept."
  ["This row"
   ("RET" "Look at it" cj/gate-purge-visit)
   ("m" "Mark it" cj/gate-purge-mark)
   ("u" "Take the mark away" cj/gate-purge-unmark)]
  ["All"
   ("M" "Mark all" cj/gate-purge-mark-all)
   ("x" "Remove what is marked" cj/gate-purge-execute)
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--queue
  "Keys of the list of calls that wait."
  ["This call"
   ("RET" "Show it" cj/gate-queue-show)
   ("k" "Decline it" cj/gate-queue-decline)]
  ["Calls"
   ("S" "Sort by this column" tabulated-list-sort)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

;;;; The approval buffer

(defun cj/gate-menus--yes ()
  "Return a text that names the keys of the approval buffer that are a yes.
The menu does not have these keys: a yes must be pressed in the buffer itself,
where the call was read."
  (substitute-command-keys "\\<cj/gate-approval-mode-map>\
A yes is a key of the buffer itself, not of this menu:
\\[cj/gate-approval-accept] runs the call, once; \\[cj/gate-approval-lease] runs it and its like for some minutes.
"))

(cj/gate-menus-define cj/gate-menus--approval
  "Keys of the approval buffer."
  [:description cj/gate-menus--yes
   ("C-c C-k" "Decline it" cj/gate-approval-decline)
   ("C-c C-r" "Decline it and say why" cj/gate-approval-decline-saying)
   ("C-c C-e" "Change it" cj/gate-approval-edit)
   ("C-c C-l" "List all that wait" cj/gate-queue)
   ("SPC" "Read on" cj/gate-approval-read-on)
   ("TAB" "Next part" cj/gate-view-next)
   ("<backtab>" "Part before" cj/gate-view-previous)
   ("q" "Away; the call goes on waiting" cj/gate-approval-leave)])

;;;; Text

(cj/gate-menus-define cj/gate-menus--text
  "Keys of a buffer of text."
  ["Text"
   ("TAB" "Next button" forward-button)
   ("<backtab>" "Button before" backward-button)
   ("n" "Next section" cj/gate-view-next)
   ("p" "Section before" cj/gate-view-previous)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--audit-line
  "Keys of the buffer with one line of the audit log."
  ["This line"
   ("f" "Go to it in its file" cj/gh-audit-line-visit-file)
   ("r" "Its record, with the answer" cj/gh-audit-line-record)
   ("TAB" "Next button" forward-button)
   ("<backtab>" "Button before" backward-button)]
  ["Lines"
   ("n" "Next row" cj/gh-audit-line-next)
   ("p" "Row before" cj/gh-audit-line-previous)
   ("g" "Show it again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--audit-check
  "Keys of the buffer with what the check of the audit log found."
  ["Findings"
   ("TAB" "Next line" forward-button)
   ("<backtab>" "Line before" backward-button)
   ("n" "Next section" cj/gate-view-next)
   ("p" "Section before" cj/gate-view-previous)
   ("g" "Check again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--record
  "Keys of the buffer with the record of a call."
  ["This call"
   ("c" "Copy the line to repeat it" cj/gate-record-copy)
   ("f" "Its line in the audit log" cj/gate-record-log)
   ("r" "Make it again, if it is a read" cj/gate-record-retry-here)
   ("TAB" "Next button" forward-button)
   ("<backtab>" "Button before" backward-button)]
  ["Records"
   ("n" "The call after it" cj/gate-record-later)
   ("p" "The call before it" cj/gate-record-earlier)
   ("l" "All of them" cj/gate-records)
   ("g" "Read it again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--run
  "Keys of the buffer with one call that runs or waits."
  ["This call"
   ("k" "End or decline it" cj/gate-run-cancel)
   ("TAB" "Next button" forward-button)
   ("<backtab>" "Button before" backward-button)
   ("n" "Next section" cj/gate-view-next)
   ("p" "Section before" cj/gate-view-previous)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--doctor
  "Keys of a doctor's buffer."
  ["Findings"
   ("RET" "Take the step of this row" cj/gate-doctor-step)
   ("TAB" "Next step" forward-button)
   ("<backtab>" "Step before" backward-button)
   ("n" "Next row" cj/gate-view-next)
   ("p" "Row before" cj/gate-view-previous)
   ("t" "Next trouble" cj/gate-doctor-next-trouble)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--explain
  "Keys of the buffer with an explanation."
  ["Explanation"
   ("x" "Explain another command" cj/gh-explain)
   ("e" "Change this one" cj/gh-explain-edit)
   ("c" "Copy the exact call" cj/gh-explain-copy)
   ("n" "Next section" cj/gate-view-next)
   ("p" "Section before" cj/gate-view-previous)
   ("TAB" "Next button" forward-button)
   ("<backtab>" "Button before" backward-button)
   ("g" "Look again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--watch
  "Keys of the buffer that shows a watch over workflow runs."
  ["This run or job"
   ("RET" "Why it failed, or its page" cj/gh-watch-visit)]
  ["The watch"
   ("g" "Ask GitHub now" cj/gh-watch-poll)
   ("k" "End it" cj/gh-watch-stop)
   ("n" "Next run" cj/gate-view-next)
   ("p" "Previous run" cj/gate-view-previous)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--failure
  "Keys of the buffer with the reasons for the lines of a failure."
  ["Failure"
   ("n" "Next line" cj/gate-view-next)
   ("p" "Line before" cj/gate-view-previous)
   ("TAB" "Next button" forward-button)
   ("<backtab>" "Button before" backward-button)
   ("g" "Read the log again" revert-buffer)
   ("q" "Away" quit-window)])

(cj/gate-menus-define cj/gate-menus--pulls
  "Keys of the buffer with the review comments."
  ["Comments"
   ("n" "Next place" forward-button)
   ("p" "Place before" backward-button)
   ("TAB" "Next place" forward-button)
   ("<backtab>" "Place before" backward-button)
   ("g" "Read them again" revert-buffer)
   ("q" "Away" quit-window)])

(provide 'cj-gate-menus)

;;; cj-gate-menus.el ends here
