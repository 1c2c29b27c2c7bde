;;; approve-tests.el --- Approving a pull request has a row of its own -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The roads to an approval are the rows of fixtures/gh-approve.jsonl, each with
;; what the core says of it.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'lab-gptel)
(require 'cj-gh)
(require 'cj-gh-explain)
(require 'cj-gh-menu)
(require 'cj-gh-doctor-emacs)
(require 'cj-net)

(declare-function cj/gate--mod-policy-complaints "ext:cj-gate-module")

(defconst approve-tests--mutation
  "mutation{addPullRequestReview(input:{pullRequestId:\"PR_o/r#1\",event:APPROVE}){clientMutationId}}"
  "A GraphQL document that approves a pull request.")

(defconst approve-tests--roads
  `(("pr" "review" "1" "-R" "o/r" "--approve")
    ("pr" "review" "1" "-R" "o/r" "-ab" "fine")
    ("api" "repos/o/r/pulls/1/reviews" "-f" "event=APPROVE")
    ("api" "repos/o/r/pulls/1/reviews/80/events" "-f" "event=APPROVE")
    ("api" "graphql" "-f" ,(concat "query=" approve-tests--mutation)))
  "A call for each road that gh takes to an approval.")

(defun approve-tests--rows ()
  "Return the rows of fixtures/gh-approve.jsonl, plists."
  (lab-json-lines (expand-file-name "fixtures/gh-approve.jsonl" lab-root)))

(defun approve-tests--call (argv)
  "Return the answer to a call of gh with ARGV."
  (let (answer)
    (cj/gh-call argv (lambda (text) (setq answer text)))
    (lab-wait (lambda () answer))
    answer))

(defun approve-tests--policy (argv &optional policy hosts)
  "Return the policy for a call with ARGV under the options POLICY and HOSTS."
  (let ((cj/gh-policy policy)
        (cj/gh-host-policy hosts))
    (plist-get (cj/gate-plan-info (cj/gate-plan "gh" argv)) :policy)))

(ert-deftest approve-by-default-no-road-sends-anything ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable gh) (refused 0) (by-the-row 0))
        (dolist (row (approve-tests--rows))
          (unless (equal (plist-get row :says) "no")
            (let ((answer (approve-tests--call (plist-get row :argv))))
              (ert-info ((format "%s: %S\n%s" version (plist-get row :argv) answer))
                (should (string-match-p "\\`\\[gh [^]]+ \\(?:blocked\\|error\\) [-a-z]+ " answer))
                (cl-incf refused)
                (when (string-match-p "\\`.* blocked policy-blocked .*\nError: .*the row `approve' of `cj/gh-policy' lets no agent do that\\.\nA person can run it in a terminal, or allow it with (approve \\. confirm) there; the verdicts --comment and --request-changes work\\." answer)
                  (cl-incf by-the-row))))))
        (should-not (lab-requests lab))
        ;; The others are refused for their class, or for a wrong argument.
        (should (> refused 140))
        (should (> by-the-row 100))))))

(ert-deftest approve-by-default-reviews-without-an-approval-are-asked-about ()
  (lab-with (_)
    (dolist (argv '(("pr" "review" "1" "-R" "o/r" "--comment" "-b" "x")
                    ("pr" "review" "1" "-R" "o/r" "-r" "-b" "x")
                    ("pr" "review" "1" "-R" "o/r" "-a=false" "-c" "-b" "x")
                    ("api" "repos/o/r/pulls/1/reviews" "-f" "event=COMMENT" "-f" "body=x")))
      (ert-info ((format "%S" argv))
        (let ((info (cj/gate-plan-info (cj/gate-plan "gh" argv))))
          (should (eq (plist-get info :policy) 'confirm))
          (should-not (plist-get info :act))
          (should-not (plist-get info :refusal)))))))

(ert-deftest approve-with-the-row-takes-one-key-and-sends-one-change ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (let (script)
      (dolist (argv approve-tests--roads)
        (setq script (append script (list (approval-turn argv)
                                          (list :text (format "end of %d" (/ (length script) 2)))))))
      (lab-terminal-with (terminal lab script
                                   :stream t :height 60
                                   :init `((setq cj/gh-executable ,gh)
                                           (push '(approve . confirm) cj/gh-policy)))
        (cl-loop
         for argv in approve-tests--roads for n from 0
         do (ert-info ((format "%s: %S" version argv))
              (approval-send terminal "go")
              (approval-enter terminal)
              (let ((shown (lab-terminal-told terminal :approval)))
                (should (string-match-p "^Approve \\(?:a \\)?pull request" shown))
                (should (string-match-p "Verdict +It approves a pull request\\." shown)))
              (should (= (length (lab-mutations lab)) n))
              (lab-terminal-keys terminal "C-c" "C-c")
              (lab-terminal-wait-told terminal :chat (format "end of %d" n))
              (should (= (length (lab-mutations lab)) (1+ n)))))
        (should (= (lab-terminal-told terminal :asked-by-gptel) 0))))))

(ert-deftest approve-a-person-s-change-of-a-call-cannot-approve-under-the-default ()
  (lab-terminal-with (terminal lab (list (approval-turn '("pr" "review" "1" "--comment"
                                                          "-b" "x" "-R" "o/r"))
                                         '(:text "all over"))
                               :stream t :height 60)
    (approval-send terminal "review")
    (approval-enter terminal)
    (lab-terminal-keys terminal "C-c" "C-e")
    (lab-terminal-wait-screen terminal "^Change (")
    (lab-terminal-type terminal "Arguments")
    (lab-terminal-keys terminal "Enter")
    (lab-terminal-wait-told terminal :selected "change call")
    (lab-terminal-keys terminal "C-n" "C-n" "C-n" "C-k")
    (lab-terminal-type terminal "--approve")
    (lab-terminal-keys terminal "C-c" "C-c")
    (lab-terminal-wait-told terminal :messages "Not taken: .*approve")
    (lab-terminal-wait-screen terminal "gate: 1 waiting")
    (should-not (lab-mutations lab))))

(ert-deftest approve-the-row-is-tightened-and-never-loosened-by-host-and-buffer ()
  (lab-with (lab)
    (let ((here '("pr" "review" "1" "-R" "o/r" "-a"))
          (work '("pr" "review" "1" "-R" "ghe.example.com/o/r" "-a"))
          (yes '((approve . confirm))))
      (pcase-dolist
          (`(,policy ,hosts ,on-github ,at-work)
           `((,(default-value 'cj/gh-policy) nil block block)
             (nil nil block block)
             (,yes nil confirm confirm)
             (((approve . auto)) nil block block)
             (((approve . t)) nil block block)
             (((approve)) nil block block)
             (((approve . confirm) (write . block)) nil block block)
             (((approve . confirm) (approve . block)) nil confirm confirm)
             (nil (("github.com" . ,yes)) confirm block)
             (,yes (("ghe.example.com" (approve . block))) confirm block)
             (((approve . block)) (("GHE.example.com" . ,yes)) block confirm)))
        (ert-info ((format "%S %S" policy hosts))
          (should (eq (approve-tests--policy here policy hosts) on-github))
          (should (eq (approve-tests--policy work policy hosts) at-work))))
      (with-temp-buffer
        (setq default-directory (lab-home lab))
        ;; A buffer cannot allow an approval.
        (setq-local cj/gh-policy yes
                    cj/gh-host-policy `(("github.com" . ,yes)))
        (should (eq (plist-get (cj/gate-plan-info (cj/gate-plan "gh" here)) :policy) 'block))
        (let ((answer (approve-tests--call here)))
          (should (equal (nth 2 (lab-header answer)) "blocked policy-blocked"))))
      (let ((user (default-value 'cj/gh-policy)))
        (unwind-protect
            (progn
              (set-default 'cj/gh-policy (append yes user))
              (pcase-dolist (`(,rows . ,answer) '((((write . confirm)) . confirm)
                                                  (((approve . block)) . block)
                                                  (((approve . confirm)) . confirm)
                                                  (((approve . yes)) . block)))
                (with-temp-buffer
                  (setq default-directory (lab-home lab))
                  (setq-local cj/gh-policy rows)
                  (ert-info ((format "%S" rows))
                    (should (eq (plist-get (cj/gate-plan-info (cj/gate-plan "gh" here)) :policy)
                                answer))))))
          (set-default 'cj/gh-policy user))))
    (should-not (lab-requests lab))))

(ert-deftest approve-no-lease-covers-an-approval ()
  (lab-with (_)
    (let ((cj/gh-policy '((approve . confirm))))
      (dolist (argv approve-tests--roads)
        (ert-info ((format "%S" argv))
          (let ((info (cj/gate-plan-info (cj/gate-plan "gh" argv))))
            (should (eq (plist-get info :policy) 'confirm))
            (should (stringp (plist-get info :no-lease)))
            (should-not (plist-get info :leased))))))))

(ert-deftest approve-a-wrong-row-is-complained-of-where-no-such-row-is ()
  (cj/gate-load-module)
  (should-not (cj/gate--mod-policy-complaints "gh" '((approve . confirm))))
  (should (equal (cj/gate--mod-policy-complaints "gh" '((approve . auto)))
                 '("policy (approve . auto) is not allowed and counts as block; approve takes confirm or block")))
  (should (equal (length (cj/gate--mod-policy-complaints "net" '((approve . confirm)))) 1))
  (let ((cj/gh-host-policy '(("github.com" (approve . yes))))
        report)
    (cj/gh-doctor--policy (lambda (&rest row) (setq report row)))
    (should (eq (car report) 'warn))
    (should (string-match-p "approve takes confirm or block" (cadr report)))))

(ert-deftest approve-explain-and-menu-show-the-row-of-the-policy ()
  (lab-with (lab)
    (cl-flet ((text (line)
                (with-current-buffer (cj/gh-explain line)
                  (lab-wait (lambda () (not (string-prefix-p "Asking" (buffer-string)))))
                  (buffer-string))))
      (let ((shown (text "gh pr review 1 -R o/r --approve")))
        (dolist (piece '("Class +write" "Row +`approve' of `cj/gh-policy' counts as well"
                         "Policy +block" "refused (policy-blocked)" "it approves a pull request"))
          (should (string-match-p piece shown))))
      (should-not (string-match-p "Row " (text "gh pr review 1 -R o/r -c -b x"))))
    (should (equal (cj/gh-policy-of-host "github.com")
                   '((read . auto) (write . confirm) (unknown . confirm) (approve . block))))
    (let ((cj/gh-policy '((approve . confirm))))
      (with-temp-buffer
        (setq default-directory (lab-home lab))
        (should (eq (alist-get 'approve (cj/gh-policy-of-host "github.com")) 'confirm))
        (should (eq (cj/gh-tighten-policy "github.com" 'approve) 'block))
        (should (eq (alist-get 'write (cj/gh-policy-of-host "github.com")) 'confirm))))
    (should-not (lab-requests lab))))

(provide 'approve-tests)

;;; approve-tests.el ends here
