;;; runner.el --- The runner, compared with Emacs's own ways to run programs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Measures `cj/gate-run' beside `make-process' and `call-process', in turn in
;; one Emacs, with the same shell script in gh's place.  `cj/gate-run' runs a
;; plan, which is made before (the call is parsed, judged and pinned).  `gate'
;; is the cost of the run alone; `planned' includes the making of the plan.  The
;; other ways are
;;
;;   sentinel  make-process, its output in a buffer, a sentinel at the end
;;   kill      make-process with a filter that deletes the process after 64 KiB
;;   term      make-process with a filter that drops what comes after 64 KiB
;;             and sends SIGTERM 200 ms later
;;   call      call-process
;;
;; Prints the load, medians, the 10th and 90th percentile, and which goals are
;; met (`bench-judge').  Memory, processor time and processes are read from
;; /proc; no figure comes from the runner itself.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'bench-goals)
(require 'cj-gh)

(defconst bench-cap 65536
  "Bytes that the filters keep, as the runner does.")

;;;; Numbers

(defvar bench-rows nil
  "The measurements: a list of (FIGURE WAY . NUMBERS), the newest first.")

(defun bench-note (figure way number)
  "Note NUMBER for FIGURE, a string, of WAY, a symbol."
  (let ((row (cl-find-if (lambda (row) (and (equal (car row) figure) (eq (cadr row) way)))
                         bench-rows)))
    (unless row
      (setq row (list figure way))
      (push row bench-rows))
    (setcdr (cdr row) (cons number (cddr row)))))

(defun bench-of (figure way)
  "Return the numbers noted for FIGURE of WAY."
  (cddr (cl-find-if (lambda (row) (and (equal (car row) figure) (eq (cadr row) way)))
                    bench-rows)))

;;;; What the system says of this Emacs

(defun bench-proc (name)
  "Return the text of the file NAME of this process in /proc."
  (with-temp-buffer
    (insert-file-contents-literally (format "/proc/%d/%s" (emacs-pid) name))
    (buffer-string)))

(defun bench-cpu ()
  "Return the milliseconds of processor time that the main thread has had.
The short sleep makes the kernel add up the time used so far."
  (sleep-for 0.001)
  (/ (string-to-number (bench-proc (format "task/%d/schedstat" (emacs-pid)))) 1e6))

(defun bench-kib (key)
  "Return the KiB under KEY in /proc/PID/status, `VmHWM' for instance."
  (let ((text (bench-proc "status")))
    (string-match (concat "^" key ":[ \t]*\\([0-9]+\\) kB") text)
    (string-to-number (match-string 1 text))))

(defun bench-reset-peak ()
  "Reset the peak of memory to the memory in use now; non-nil on success."
  (ignore-errors
    (let ((coding-system-for-write 'binary))
      (write-region "5" nil (format "/proc/%d/clear_refs" (emacs-pid)) nil 'quiet))
    t))

;;;; The program

(defvar bench-home (file-name-as-directory (make-temp-file "cj-gate-bench" t))
  "The directory in which everything runs.")

(defconst bench-script "#!/bin/sh
case $1 in --version) echo 'gh version 2.92.0 (2026-04-28)'; exit 0;; esac
case $3 in
  1) exit 0;;
  2) yes 'a line of a log, of everyday length and without anything odd' | head -c 1073741824;;
  3) echo hi; exit 0;;
  4) echo ready; exec sleep 300;;
  5) echo $$ > pid.new; mv pid.new pid; exec sleep 300;;
esac
"
  "The script in gh's place; the number of the pull request picks its task.
1 does nothing, 2 prints 1 GiB, 3 prints a line, 4 sleeps, 5 writes its
process id and sleeps.")

(defvar bench-program (expand-file-name "gh" bench-home)
  "File of the script.")

(defun bench-argv (what)
  "Return the arguments of a call of the task WHAT, a number."
  (list "pr" "view" (number-to-string what) "-R" "octo/demo"))

(defun bench-plan (what &rest keys)
  "Return a plan of the task WHAT, made with the keyword arguments KEYS."
  (apply #'cj/gate-plan "gh" (bench-argv what) keys))

(defun bench-wait (test)
  "Wait until TEST, a function, is non-nil; return its value."
  (let ((until (time-add nil 60)) value)
    (while (not (setq value (funcall test)))
      (when (time-less-p until nil)
        (error "Waited in vain"))
      (accept-process-output nil 0.05))
    value))

;;;; The ways to run the script: each starts task WHAT and calls END at its end

;; Each returns a function that ends the started process.

(defun bench-gate (what end)
  "Run WHAT by the gate, and call END."
  (let ((handle (cj/gate-run (bench-plan what :timeout 60) (lambda (_) (funcall end)))))
    (lambda () (cj/gate-cancel handle))))

(defun bench-peer (what end &optional filter)
  "Run WHAT by `make-process', with FILTER if given, and call END."
  (let* ((default-directory bench-home)
         (buffer (unless filter (generate-new-buffer " *bench*" t)))
         (process
          (make-process :name "bench" :noquery t :connection-type 'pipe :coding 'binary
                        :buffer buffer :filter filter
                        :command (cons bench-program (bench-argv what))
                        :sentinel (lambda (process _)
                                    (unless (process-live-p process)
                                      (when buffer (kill-buffer buffer))
                                      (funcall end))))))
    (lambda () (delete-process process))))

(defun bench-kill (what end)
  "Run WHAT by `make-process', killed at the cap, and call END."
  (let ((pieces nil) (kept 0))
    (bench-peer what end
                (lambda (process text)
                  (when (< kept bench-cap)
                    (push (substring text 0 (min (length text) (- bench-cap kept))) pieces)
                    (cl-incf kept (length text))
                    (when (>= kept bench-cap) (delete-process process)))))))

(defun bench-term (what end)
  "Run WHAT by `make-process', ended by SIGTERM 0.2 s after the cap; call END."
  (let ((pieces nil) (kept 0))
    (bench-peer what end
                (lambda (process text)
                  (when (< kept bench-cap)
                    (push (substring text 0 (min (length text) (- bench-cap kept))) pieces)
                    (cl-incf kept (length text))
                    (when (>= kept bench-cap)
                      (run-at-time 0.2 nil (lambda ()
                                             (when (process-live-p process)
                                               (signal-process process 'SIGTERM))))))))))

(defun bench-call (what end)
  "Run WHAT by `call-process', and call END."
  (let ((default-directory bench-home)
        (coding-system-for-read 'binary))
    (with-temp-buffer
      (set-buffer-multibyte nil)
      (apply #'call-process bench-program nil t nil (bench-argv what)))
    (funcall end)
    #'ignore))

(defconst bench-ways
  '((gate . bench-gate) (planned . bench-gate) (sentinel . bench-peer) (kill . bench-kill) (term . bench-term)
    (call . bench-call))
  "The ways to run the script, and their functions.")

;;;; Figures

(defun bench-short ()
  "Measure a program that does nothing."
  (dotimes (_ 101)
    ;; Making the plan is a figure of its own: the other ways have no plan.
    (let* ((begun (float-time))
           (plan (bench-plan 1))
           (made (float-time))
           (done nil))
      (cj/gate-run plan (lambda (_) (setq done (float-time))))
      (bench-note "start call, ms" 'gate (* 1e3 (- (float-time) made)))
      (bench-note "making the plan, ms" 'gate (* 1e3 (- made begun)))
      (bench-wait (lambda () done))
      (bench-note "start call to callback, ms" 'gate (* 1e3 (- done made))))
    (dolist (way '(sentinel call))
      (let ((begun (float-time)) done)
        (funcall (alist-get way bench-ways) 1 (lambda () (setq done (float-time))))
        (bench-note "start call, ms" way (* 1e3 (- (float-time) begun)))
        (bench-wait (lambda () done))
        (bench-note "start call to callback, ms" way (* 1e3 (- done begun)))))))

(defun bench-flood (way)
  "Measure how 1 GiB of output delays a timer and what memory it takes, by WAY."
  (let* ((last nil) (gap 0) (done nil)
         (timer (run-at-time 0 0.002 (lambda ()
                                       (let ((now (float-time)))
                                         (when last (setq gap (max gap (- now last))))
                                         (setq last now))))))
    (unwind-protect
        (progn
          (garbage-collect)
          (bench-wait (lambda () last))
          (let* ((can (bench-reset-peak))
                 (before (bench-kib "VmHWM"))
                 (begun (float-time)))
            (setq last begun)
            (funcall (alist-get way bench-ways) 2 (lambda () (setq done (float-time))))
            (bench-wait (lambda () done))
            (let ((peak (bench-kib "VmHWM")))
              ;; A gap that lasts to the end counts too.
              (setq gap (max gap (- (float-time) last)))
              (bench-note "1 GiB: result, ms" way (* 1e3 (- done begun)))
              (bench-note "1 GiB: longest timer gap, ms" way (* 1e3 gap))
              (when can
                (bench-note "1 GiB: peak memory growth, KiB" way (- peak before))))))
      (cancel-timer timer))))

(defun bench-flood-cpu (way)
  "Measure the processor time of the main thread for 1 GiB of output, by WAY."
  ;; No timer runs here, since each of its runs would take processor time too.
  (garbage-collect)
  (let* ((done nil)
         (end (lambda () (setq done t)))
         (plan (and (eq way 'gate) (bench-plan 2 :timeout 60)))
         (cpu (bench-cpu)))
    (if plan
        (cj/gate-run plan (lambda (_) (funcall end)))
      (funcall (alist-get way bench-ways) 2 end))
    (bench-wait (lambda () done))
    (bench-note "1 GiB: main thread, CPU ms" way (- (bench-cpu) cpu))))

(defun bench-floods ()
  "Measure runs that print 1 GiB, by every way, in turn."
  ;; Each way runs once before, since its first run may load files.
  ;; `call' comes last, since it leaves a large heap behind.
  (dolist (way '(gate kill term))
    (let (done)
      (funcall (alist-get way bench-ways) 2 (lambda () (setq done t)))
      (bench-wait (lambda () done))))
  (dotimes (_ 21)
    (dolist (way '(gate kill term))
      (bench-flood way))
    (dolist (way '(gate planned kill term))
      (bench-flood-cpu way)))
  (bench-flood 'call)
  (bench-flood-cpu 'call))

(defun bench-crowd (way)
  "Measure 200 runs at once, by WAY."
  (let* ((count 0)
         ;; The plans are made before the clock starts: the other ways have none.
         (plans (and (eq way 'gate) (cl-loop repeat 200 collect (bench-plan 3))))
         (cpu (bench-cpu))
         (begun (float-time)))
    (if plans
        (dolist (plan plans)
          (cj/gate-run plan (lambda (_) (cl-incf count))))
      (dotimes (_ 200)
        (funcall (alist-get way bench-ways) 3 (lambda () (cl-incf count)))))
    (bench-note "200 at once: start calls, ms" way (* 1e3 (- (float-time) begun)))
    (bench-wait (lambda () (= count 200)))
    (bench-note "200 at once: all done, ms" way (* 1e3 (- (float-time) begun)))
    (bench-note "200 at once: main thread, CPU ms" way (- (bench-cpu) cpu))))

(defun bench-cancel (way)
  "Measure the end of a program that sleeps, by WAY."
  (let* ((done nil)
         (end (funcall (alist-get way bench-ways) 4 (lambda () (setq done (float-time)))))
         (until (time-add nil 0.03)))
    ;; By then the shell has become `sleep'.
    (while (time-less-p nil until) (accept-process-output nil 0.01))
    (let ((begun (float-time)))
      (funcall end)
      (bench-wait (lambda () done))
      (bench-note "cancel to callback, ms" way (* 1e3 (- done begun))))))

(defun bench-busy (way)
  "Measure when a program with a limit of 0.5 s dies, by WAY.
Lisp is busy for 3 s meanwhile."
  (let* ((file (expand-file-name "pid" bench-home))
         (begun (float-time))
         (pid nil) (dead nil) (ended nil)
         (end (if (eq way 'gate)
                  (progn (cj/gate-run (bench-plan 5 :timeout 0.5) (lambda (_) (setq ended t)))
                         #'ignore)
                (let ((end (bench-peer 5 (lambda () (setq ended t)) #'ignore)))
                  (run-at-time 0.5 nil end)
                  end))))
    (while (< (- (float-time) begun) 3)
      (cond (dead)
            (pid (unless (file-exists-p pid) (setq dead (- (float-time) begun))))
            ((file-exists-p file)
             (setq pid (with-temp-buffer
                         (insert-file-contents-literally file)
                         (concat "/proc/" (string-trim (buffer-string))))))))
    (unless dead
      (bench-wait (lambda () ended))
      (setq dead (- (float-time) begun)))
    (funcall end)
    (bench-wait (lambda () ended))
    (delete-file file)
    (bench-note "busy Lisp: end after the limit, ms" way (* 1e3 (- dead 0.5)))))

;;;; Results

(defun bench-number (number)
  "Return NUMBER as a short string."
  (cond ((null number) "-")
        ((< (abs number) 1) (format "%.3f" number))
        ((< (abs number) 100) (format "%.2f" number))
        (t (format "%.0f" number))))

(defun bench-grouped ()
  "Return the measurements, with the ways of each figure together."
  (let ((rows (reverse bench-rows)))
    (cl-loop for figure in (delete-dups (mapcar #'car rows))
             append (cl-remove-if-not (lambda (row) (equal (car row) figure)) rows))))

(defun bench-print ()
  "Print the measurements, with the ratio of each median to the gate's own."
  (princ (format "%-36s %-9s %5s %9s %9s %9s %8s\n" "" "" "runs" "median" "p10" "p90" "ratio"))
  (let (last)
    (dolist (row (bench-grouped))
      (let* ((figure (car row)) (way (cadr row)) (numbers (cddr row))
             (ours (bench-median (bench-of figure 'gate))))
        (princ (format "%-36s %-9s %5d %9s %9s %9s %8s\n"
                       (if (equal figure last) "" figure)
                       way (length numbers)
                       (bench-number (bench-median numbers))
                       (bench-number (bench-quantile numbers 0.1))
                       (bench-number (bench-quantile numbers 0.9))
                       (if (or (eq way 'gate) (<= ours 0)) ""
                         (format "x%.2f" (/ (bench-median numbers) ours)))))
        (setq last figure)))))

(defun bench-goals ()
  "Return the goals, a list of (MET . SENTENCE)."
  (let* ((start "start call, ms")
         (gate (bench-of start 'gate)) (peer (bench-of start 'sentinel))
         (cpu "1 GiB: main thread, CPU ms")
         (memory (bench-of "1 GiB: peak memory growth, KiB" 'gate))
         (median (lambda (figure way) (bench-median (bench-of figure way)))))
    (list
     (cons (<= (bench-median gate) 0.3) "`cj/gate-run' returns within 0.3 ms (median)")
     (cons (and (< (bench-median gate) (bench-median peer))
                (< (bench-quantile gate 0.1) (bench-quantile peer 0.1)))
           "`cj/gate-run' returns sooner than `make-process' (median and 10th percentile)")
     (cons (<= (funcall median cpu 'gate) (funcall median cpu 'kill))
           "1 GiB of output takes no more processor time of the main thread by `gate' than by `kill' (medians)")
     (cons (and memory (<= (bench-median memory) 1024))
           "1 GiB of output raises Emacs's peak memory by at most 1 MiB (median)")
     (cons (<= (funcall median "1 GiB: longest timer gap, ms" 'gate) 20)
           "during 1 GiB of output, two runs of a 2 ms timer are at most 20 ms apart (median)")
     (cons (cl-every (lambda (late) (<= 0 late 50))
                     (bench-of "busy Lisp: end after the limit, ms" 'gate))
           "a program with a limit of 0.5 s ends at most 50 ms after it, each time, while Lisp is busy"))))

(defun bench-run ()
  "Measure, print and judge."
  (with-temp-file bench-program (insert bench-script))
  (set-file-modes bench-program #o755)
  (setq cj/gh-executable bench-program
        cj/gate-cwd-roots (list bench-home)
        default-directory bench-home)
  (let ((load (bench-settle))
        (process-adaptive-read-buffering nil)
        (begun (float-time)))
    (princ (format "Emacs %s, load %.1f\n\n" emacs-version load))
    (cj/gate-load-module)
    (unwind-protect
        (progn
          (let (done)
            (bench-gate 1 (lambda () (setq done t)))
            (bench-wait (lambda () done)))
          (bench-short)
          (dotimes (_ 3)
            (dolist (way '(gate sentinel)) (bench-crowd way)))
          (bench-crowd 'call)
          (dotimes (_ 41)
            (dolist (way '(gate kill)) (bench-cancel way)))
          (dotimes (_ 3) (bench-busy 'gate))
          (bench-busy 'sentinel)
          (bench-floods))
      (delete-directory bench-home t))
    (bench-print)
    (princ (format "\n%.0f s, load now %.1f\n" (- (float-time) begun) (bench-load)))
    (bench-judge load (bench-goals))))

(bench-run)

;;; runner.el ends here
