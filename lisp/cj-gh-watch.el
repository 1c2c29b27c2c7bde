;;; cj-gh-watch.el --- Wait for workflow runs to end -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A watch waits until all workflow runs of a commit, or one run, have ended.
;; It is one job of the gate, whose caller gets one answer; each of its polls is
;; a plan of its own, judged and recorded like any other read.  Between two
;; polls there is only a timer: no program runs, and no other call waits.  The
;; core says when to poll and when the watch is over.
;;
;; `M-x cj/gh-watch' watches for a person.  Its buffer also shows a model's
;; watch, from `M-x cj/gate-runs'.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gate-job)
(require 'cj-gate-view)

(declare-function cj/gate--mod-watch "ext:cj-gate-module")
(declare-function cj/gate--mod-watch-next "ext:cj-gate-module")
(declare-function cj/gate--mod-watch-answer "ext:cj-gate-module")
(declare-function cj/gate--mod-watch-shown "ext:cj-gate-module")
(declare-function cj/gate--mod-watch-end "ext:cj-gate-module")
(declare-function cj/gate--mod-run "ext:cj-gate-module")
(declare-function cj/gate--mod-close "ext:cj-gate-module")
(declare-function cj/gh-tools--row "cj-gh-tools" (name))
(declare-function cj/gh-tools--named-argv "cj-gh-tools" (row args))

;; A file must not choose this value by a file-local variable, hence `:risky'.

(defcustom cj/gh-watch-max 1800
  "Seconds that a watch over workflow runs lasts at most.
Default 1800.  Then it ends with what is known.  After the machine slept, it
goes on for up to three minutes more, so that it can ask again."
  :type 'natnum
  :group 'cj-gate-gh
  :risky t)

(defvar cj/gh-watch--speed 1
  "How many times as fast as time the clock of a new watch goes, for tests.")

(defconst cj/gh-watch-buffer-name "*cj-gh watch*"
  "Name of the buffer that shows a watch.")

(defconst cj/gh-watch-job-buffer-name "*cj-gh watch job*"
  "Name of the buffer that shows why a job failed.")

;;;; The watch as a job of the gate

(cl-defstruct (cj/gh-watch--entry (:constructor cj/gh-watch--make) (:copier nil))
  "A watch that is under way, or was."
  core               ; the watch in the core, an opaque object
  job facts
  timer              ; of the next poll, or nil
  answered           ; time of the last answer, seconds since the epoch, or nil
  answer             ; the text that its caller got, or nil
  over)              ; non-nil once no poll follows

(defun cj/gh-watch--argv (thing)
  "Return the argv of a watch over THING, a string, or nil for this branch.
The core reads THING: the id or the address of a run, #NUMBER of a pull request,
a branch or a commit."
  (append (list "run" "view") (and thing (list thing))))

(defun cj/gh-watch--keys (&optional reply)
  "Return the keys of `cj/gate-submit' for a new watch.
REPLY, a function, gets the watch, a `cj/gh-watch--entry'."
  (let ((watch (cj/gh-watch--make
                :core (cj/gate--mod-watch cj/gh-watch-max cj/gh-watch--speed))))
    (when reply (funcall reply watch))
    (list :view (list 'run-watch :watch (cj/gh-watch--entry-core watch))
          :keep 'head
          :first (lambda (job facts) (cj/gh-watch--begin watch job facts)))))

(defun cj/gh-watch--begin (watch job facts)
  "Begin WATCH as JOB with FACTS."
  (setf (cj/gh-watch--entry-job watch) job
        (cj/gh-watch--entry-facts watch) facts
        ;; A person is never asked about a watch, so no question waits for it.
        (cj/gate--job-asked job) t
        (cj/gate--job-waits job) (list "watches" ""
                                       (lambda () (cj/gh-watch-show watch))
                                       (lambda () (cj/gh-watch--stop watch))))
  (cj/gate--ask-after job)
  (cj/gh-watch--go watch (cj/gate--mod-watch-next
                          (cj/gh-watch--entry-core watch) nil)))

(defun cj/gh-watch--stage (watch function &rest args)
  "Call FUNCTION with WATCH and ARGS as a stage of its job."
  (apply #'cj/gate--stage (cj/gh-watch--entry-job watch)
         (lambda (_job &rest rest) (apply function watch rest))
         args))

(defun cj/gh-watch--go (watch step)
  "Take STEP, a plist of the core, in WATCH."
  (let ((shown (cj/gate--mod-watch-shown (cj/gh-watch--entry-core watch)))
        (waits (cj/gate--job-waits (cj/gh-watch--entry-job watch))))
    (when shown
      (setf (nth 1 waits) (car (split-string (plist-get shown :summary) "\n")))))
  (pcase (plist-get step :do)
    ('poll (cj/gh-watch--poll watch))
    ('wait
     (setf (cj/gh-watch--entry-timer watch)
           (run-at-time (plist-get step :seconds) nil #'cj/gh-watch--due watch)))
    (_ (cj/gh-watch--end watch step))))

(defun cj/gh-watch--due (watch)
  "Take the next step of WATCH; for a timer."
  (setf (cj/gh-watch--entry-timer watch) nil)
  (cj/gh-watch--stage
   watch (lambda (watch)
           (cj/gh-watch--go watch (cj/gate--mod-watch-next
                                   (cj/gh-watch--entry-core watch) nil)))))

(defun cj/gh-watch--plan (watch)
  "Plan a read of WATCH and make it the plan of its job; return it.
Return nil, and refuse the job, if the plan may not run unasked."
  (let* ((job (cj/gh-watch--entry-job watch))
         (plan (apply #'cj/gate-plan
                      (cj/gate--job-program job) (cj/gate--job-argv job)
                      :facts (cj/gh-watch--entry-facts watch)
                      :chat (cj/gate--job-chat job)
                      (cj/gate--job-keys job)))
         (info (cj/gate-plan-info plan))
         (refuse (lambda (kind message)
                   (setf (cj/gate--job-plan job) plan)
                   (cj/gate--refuse job kind message)
                   nil)))
    (setf (cj/gate--job-info job)
          (append (list :command "run watch" :argv (cj/gate--job-argv job)
                        :shown nil)
                  info))
    (cond
     ((plist-get info :refusal)
      (funcall refuse (plist-get info :refusal)
               (plist-get info :refusal-message)))
     ((cj/gate--job-unfit job)
      (funcall refuse (car (cj/gate--job-unfit job))
               (cdr (cj/gate--job-unfit job))))
     ((not (and (eq (plist-get info :class) 'read)
                (eq (plist-get info :policy) 'auto)))
      (funcall refuse 'policy-blocked
               "A watch asks GitHub many times, and here each read waits for a person's yes.
Look at the run once instead"))
     (t plan))))

(defun cj/gh-watch--poll (watch)
  "Make the poll of WATCH that is due."
  (let ((plan (cj/gh-watch--plan watch))
        (job (cj/gh-watch--entry-job watch)))
    (when plan
      (setf (cj/gate--job-ticket job)
            (cj/gate--await
             (cj/gate--mod-run plan nil)
             (lambda (outcome)
               (setf (cj/gate--job-ticket job) nil)
               (cj/gh-watch--stage watch #'cj/gh-watch--polled outcome)))))))

(defun cj/gh-watch--polled (watch outcome)
  "Go on with WATCH after its poll ended with OUTCOME."
  (unless (cj/gh-watch--entry-over watch)
    (let ((kind (plist-get outcome :error-kind)))
      (unless kind
        (setf (cj/gh-watch--entry-answered watch) (float-time)))
      (let ((step (cj/gate--mod-watch-answer
                   (cj/gh-watch--entry-core watch) (plist-get outcome :stdout)
                   (plist-get outcome :truncated) kind)))
        (if (eq (plist-get step :verdict) 'broken)
            ;; The poll itself says best what is wrong.
            (cj/gh-watch--answer watch outcome)
          (cj/gh-watch--go watch step))))))

(defun cj/gh-watch--answer (watch outcome)
  "Answer the caller of WATCH with OUTCOME."
  (setf (cj/gh-watch--entry-over watch) t
        (cj/gate--job-waits (cj/gh-watch--entry-job watch)) nil)
  (cj/gate--finish (cj/gh-watch--entry-job watch) outcome))

(defun cj/gh-watch--end (watch step)
  "End WATCH with the verdict in STEP, a plist of the core."
  (let ((job (cj/gh-watch--entry-job watch)))
    (setf (cj/gh-watch--entry-over watch) t
          (cj/gate--job-waits job) nil)
    (if (and (eq (plist-get step :verdict) 'failure)
             (plist-get step :failed))
        (let ((why (cj/gh-watch--why watch step)))
          (setf (cj/gate--job-argv job) (car why)
                (cj/gate--job-keys job) (append (cdr why) (cj/gate--job-keys job)))
          (cj/gate--plan-and-decide job (cj/gh-watch--entry-facts watch)))
      (let ((plan (cj/gh-watch--plan watch)))
        (when plan
          (setf (cj/gate--job-plan job) plan)
          (cj/gh-watch--answer
           watch (cj/gate--mod-watch-end (cj/gh-watch--entry-core watch) plan)))))))

(defun cj/gh-watch--why (watch step)
  "Return the call to learn why WATCH ended with a failure, as (ARGV . KEYS).
STEP is the last step of the core: it has the failed runs and the commit.  The
call is that of the tool `gh_run_logs_failed'; its result has the summary of
WATCH above it."
  (require 'cj-gh-tools)
  (let ((shown (cj/gate--mod-watch-shown (cj/gh-watch--entry-core watch))))
    (cons (cj/gh-tools--named-argv
           (cj/gh-tools--row "gh_run_logs_failed")
           ;; A commit can have several runs that failed.
           (list :run_id (if (and (cdr (plist-get step :failed)) (plist-get step :sha))
                             (plist-get step :sha)
                           (number-to-string (car (plist-get step :failed))))))
          (list :view (list 'run-logs-failed
                            :watch (cj/gh-watch--entry-core watch))
                :repo (plist-get shown :target)
                :keep 'head
                :timeout 60))))

;;;; For the tool

(defun cj/gh-watch-argv (_row args)
  "Return the argv of the tool `gh_run_watch' for ARGS, a plist.
Signal `cj/gate-bad-argument' if ARGS name both a run and a branch."
  (let ((run (plist-get args :run_id))
        (branch (plist-get args :branch)))
    (when (and run branch)
      (cj/gate--signal 'bad-argument "The arguments `run_id' and `branch' name two things.
Give one of them"))
    (let ((thing (or run branch)))
      ;; The name of this branch alone would be read as an id or a commit.
      (when (and branch (string-match-p "\\`[0-9a-fA-F]+\\'" branch))
        (setq thing (concat "refs/heads/" branch)))
      (when (and thing (string-prefix-p "-" thing))
        (cj/gate--signal 'bad-argument "The argument `%s' begins with a dash.
Give the id or address of a run, #NUMBER, a branch or a commit"
                         (if run "run_id" "branch")))
      (cj/gh-watch--argv thing))))

(defun cj/gh-watch-keys (_args)
  "Return the further keys of `cj/gate-submit' for the tool `gh_run_watch'."
  (cj/gh-watch--keys))

;;;; What a person does with a watch

(defun cj/gh-watch--live-p (watch)
  "Return non-nil if the caller of WATCH still waits for its answer."
  (let ((job (cj/gh-watch--entry-job watch)))
    (and job (cj/gate--job-reply job))))

(defun cj/gh-watch--step-now (watch how)
  "Take the next step of WATCH at once, after HOW, as the core has it."
  (cj/gh-watch--stage
   watch
   (lambda (watch)
     (when (timerp (cj/gh-watch--entry-timer watch))
       (cancel-timer (cj/gh-watch--entry-timer watch)))
     (setf (cj/gh-watch--entry-timer watch) nil)
     (cj/gh-watch--go watch (cj/gate--mod-watch-next
                             (cj/gh-watch--entry-core watch) how)))))

(defun cj/gh-watch--stop (watch)
  "End WATCH; its caller gets what is known."
  (let ((ticket (cj/gate--job-ticket (cj/gh-watch--entry-job watch))))
    (when ticket
      (cj/gate-cancel ticket)))
  (cj/gh-watch--step-now watch 'stop))

(defvar-local cj/gh-watch--shown nil
  "The watch that is shown in this buffer.")

(defun cj/gh-watch--here ()
  "Return the watch of this buffer; signal a `user-error' if it is over."
  (let ((watch cj/gh-watch--shown))
    (unless (and watch (cj/gh-watch--live-p watch)
                 (not (cj/gh-watch--entry-over watch)))
      (user-error "This watch is over"))
    watch))

(defun cj/gh-watch-stop ()
  "End the watch that is shown here; its caller gets what is known."
  (interactive nil cj/gh-watch-mode)
  (cj/gh-watch--stop (cj/gh-watch--here))
  (cj/gh-watch--refresh))

(defun cj/gh-watch-poll ()
  "Poll now for the watch that is shown here, at most every five seconds."
  (interactive nil cj/gh-watch-mode)
  (let ((watch (cj/gh-watch--here)))
    (if (cj/gate--job-ticket (cj/gh-watch--entry-job watch))
        (message "A poll is under way")
      (cj/gh-watch--step-now watch 'hurry))
    (cj/gh-watch--refresh)))

(defun cj/gh-watch--address (shown row)
  "Return the web address of ROW, of a run or job, in the plist SHOWN."
  (concat "https://" (plist-get shown :target) "/actions/runs/"
          (number-to-string (plist-get row :run))
          (and (plist-get row :job)
               (format "/job/%d" (plist-get row :job)))))

(defun cj/gh-watch-visit ()
  "Show why the job at point failed; visit any other run or job on the web."
  (interactive nil cj/gh-watch-mode)
  (let ((row (or (get-text-property (line-beginning-position) 'cj/gh-watch-row)
                 (user-error "There is no run or job here")))
        (shown (cj/gate--mod-watch-shown
                (cj/gh-watch--entry-core cj/gh-watch--shown))))
    (if (and (plist-get row :job) (eq (plist-get row :tone) 'bad))
        (cj/gh-watch--explain shown row)
      (browse-url (cj/gh-watch--address shown row)))))

(defun cj/gh-watch--explain (shown row)
  "Show why the job of ROW failed, by the log; SHOWN is a plist of the core."
  (require 'cj-gh-tools)
  (let ((show (cj/gate-view-later))
        (tool (cj/gh-tools--row "gh_run_logs_failed")))
    (message "Reading the log of %s..." (plist-get row :name))
    (cj/gate-submit
     "gh" (cj/gh-tools--named-argv
           tool (list :run_id (number-to-string (plist-get row :run))))
     (lambda (text)
       (with-current-buffer (get-buffer-create cj/gh-watch-job-buffer-name)
         (unless (derived-mode-p 'cj/gate-view-mode)
           (cj/gate-view-mode))
         (with-silent-modifications
           (erase-buffer)
           (insert text "\n")
           (goto-char (point-min)))
         (funcall show (current-buffer))))
     :repo (plist-get shown :target) :timeout 60 :keep 'head
     :view (list 'run-logs-failed :job (plist-get row :job)))))

;;;; The buffer

(defvar cj/gh-watch-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-view-mode-map)
    (define-key map (kbd "RET") #'cj/gh-watch-visit)
    (define-key map (kbd "k") #'cj/gh-watch-stop)
    (define-key map (kbd "C-c C-k") #'cj/gh-watch-stop)
    (define-key map (kbd "g") #'cj/gh-watch-poll)
    map)
  "Keys of the buffer that shows a watch.")

(defvar-local cj/gh-watch--refresh-timer nil
  "Timer of the buffer's next update, or nil.")

(define-derived-mode cj/gh-watch-mode cj/gate-view-mode "cj-gh watch"
  "Mode of the buffer that shows a watch over workflow runs.
\\<cj/gh-watch-mode-map>\
\\[cj/gh-watch-visit] shows why the job at point failed, or visits it on the web.
\\[cj/gh-watch-poll] asks GitHub now.
\\[cj/gh-watch-stop] ends the watch.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/gh-watch--refresh)))
  (add-hook 'window-buffer-change-functions #'cj/gh-watch--arm nil t))

(defun cj/gh-watch--duration (seconds)
  "Return SECONDS, a number, as text: \"40s\", \"12m 40s\", \"1h 05m\"."
  (let ((seconds (max 0 (truncate seconds))))
    (cond ((< seconds 60) (format "%ds" seconds))
          ((< seconds 3600) (format "%dm %02ds" (/ seconds 60) (% seconds 60)))
          (t (format "%dh %02dm" (/ seconds 3600) (/ (% seconds 3600) 60))))))

(defun cj/gh-watch--insert-row (row since)
  "Insert ROW, of a run or job; SINCE is the seconds since the last answer."
  (let* ((seconds (plist-get row :seconds))
         (seconds (and seconds (if (plist-get row :counts) (+ seconds since) seconds)))
         (job (plist-get row :is-job)))
    (insert
     (propertize
      (concat
       (if job "    " "")
       (propertize (plist-get row :word)
                   'face (pcase (plist-get row :tone)
                           ('good 'cj/gate-good)
                           ('bad 'cj/gate-bad)
                           ('warning 'cj/gate-warning)
                           ('open 'cj/gate-heading)
                           (_ 'cj/gate-quiet)))
       (make-string (max 1 (- (if job 14 18) (string-width (plist-get row :word)))) ?\s)
       (if job (plist-get row :name)
         (cj/gate-view-section (plist-get row :name)
                               (propertize (plist-get row :name)
                                           'face 'cj/gate-command)))
       (propertize (concat (and seconds (concat "  " (cj/gh-watch--duration seconds)))
                           (and (not (string-empty-p (plist-get row :more)))
                                (concat "  " (plist-get row :more))))
                   'face 'cj/gate-quiet)
       "\n")
      'cj/gh-watch-row row))))

(defun cj/gh-watch--state-line (watch shown)
  "Return a line on what WATCH does now; SHOWN is a plist of the core, or nil."
  (cond
   ((not (cj/gh-watch--live-p watch))
    (if (cj/gh-watch--entry-answer watch) "The watch is over."
      "The watch is over: its caller got its answer, or was cancelled."))
   ((cj/gh-watch--entry-over watch) "Reading why it failed...")
   ((cj/gate--job-ticket (cj/gh-watch--entry-job watch)) "Asking GitHub...")
   (t (format "Next poll in %s; %s so far."
              (cj/gh-watch--duration (or (plist-get shown :due) 0))
              (cj/gate-view-count (or (plist-get shown :asked) 0) "request")))))

(defun cj/gh-watch--insert (watch)
  "Insert all that is known of WATCH."
  (let* ((shown (cj/gate--mod-watch-shown (cj/gh-watch--entry-core watch)))
         (answered (cj/gh-watch--entry-answered watch))
         (since (if (and answered (cj/gh-watch--live-p watch))
                    (- (float-time) answered)
                  0)))
    (insert (propertize (if shown
                            (format "%s of %s" (plist-get shown :thing)
                                    (plist-get shown :target))
                          "A watch that begins")
                        'face 'cj/gate-heading)
            "\n")
    (when shown
      (insert (plist-get shown :summary) "\n"))
    (insert (propertize (cj/gh-watch--state-line watch shown) 'face 'cj/gate-quiet)
            "\n")
    (let ((rows (plist-get shown :rows)))
      (dolist (row rows)
        (unless (plist-get row :is-job) (insert "\n"))
        (cj/gh-watch--insert-row row since)))
    (when (cj/gh-watch--entry-answer watch)
      (insert "\n" (cj/gate-view-heading "Result")
              (cj/gh-watch--entry-answer watch) "\n"))))

(defun cj/gh-watch--refresh ()
  "Update the watch in the current buffer; point stays on its line."
  (when cj/gh-watch--shown
    (let ((line (line-number-at-pos))
          (column (current-column)))
      (with-silent-modifications
        (erase-buffer)
        (cj/gh-watch--insert cj/gh-watch--shown))
      (goto-char (point-min))
      (forward-line (1- line))
      (move-to-column column))))

(defun cj/gh-watch--arm (&rest _)
  "Start the timer of the buffer's next update, unless there is one."
  (let ((buffer (get-buffer cj/gh-watch-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (unless cj/gh-watch--refresh-timer
          (setq cj/gh-watch--refresh-timer
                (run-at-time 1 nil #'cj/gh-watch--tick buffer)))))))

(defun cj/gh-watch--tick (buffer)
  "Update the watch in BUFFER if it can be seen, and again a second later.
Once the watch is over, this update is the last."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq cj/gh-watch--refresh-timer nil)
      (let ((window (get-buffer-window buffer 'visible)))
        (when (and window cj/gh-watch--shown)
          (when (cj/gh-watch--live-p cj/gh-watch--shown)
            (cj/gh-watch--arm))
          (with-selected-window window
            (cj/gh-watch--refresh)))))))

(defun cj/gh-watch--fill (watch)
  "Show WATCH in its buffer, without displaying that; return the buffer."
  (with-current-buffer (get-buffer-create cj/gh-watch-buffer-name)
    (unless (derived-mode-p 'cj/gh-watch-mode)
      (cj/gh-watch-mode))
    (setq cj/gh-watch--shown watch)
    (cj/gh-watch--refresh)
    (goto-char (point-min))
    (cj/gh-watch--arm)
    (current-buffer)))

(defun cj/gh-watch-show (watch)
  "Show WATCH, a `cj/gh-watch--entry', and select its window."
  (cj/gate-view-show (cj/gh-watch--fill watch)))

(defun cj/gh-watch--ended (watch text)
  "Note that WATCH ended with TEXT, for the person who began it."
  (setf (cj/gh-watch--entry-answer watch) text)
  (let ((buffer (get-buffer cj/gh-watch-buffer-name)))
    (when buffer
      (with-current-buffer buffer
        (when (eq cj/gh-watch--shown watch)
          (cj/gh-watch--refresh)))))
  (message "cj-gh watch: %s" (or (nth 1 (split-string text "\n")) text)))

;;;###autoload
(defun cj/gh-watch (&optional thing)
  "Watch GitHub Actions work to its end, and show it in a buffer.
THING is a string: the id or the address of a run, or what has the runs of a
commit: #NUMBER of a pull request, a branch or a commit.  Nil or empty, it is
the branch of the checkout in `default-directory'.
A key of its buffer ends the watch, and so do `cj/gh-watch-max' seconds.
Return the buffer."
  (interactive
   (list (read-string "Run, #PR, branch or commit (default: this branch): ")))
  (cj/gate-load-module 'offer)
  (let ((thing (and thing (not (string-blank-p thing)) (string-trim thing)))
        watch)
    (let ((keys (cj/gh-watch--keys (lambda (made) (setq watch made)))))
      (setf (cj/gh-watch--entry-job watch)
            (apply #'cj/gate-submit "gh" (cj/gh-watch--argv thing)
                   (lambda (text) (cj/gh-watch--ended watch text))
                   :timeout 30 keys)))
    (let ((buffer (cj/gh-watch--fill watch)))
      (if noninteractive buffer
        (cj/gate-view-show buffer)))))

(provide 'cj-gh-watch)

;;; cj-gh-watch.el ends here
