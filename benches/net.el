;;; net.el --- How long a diagnosis takes, on networks that work and that do not -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Calls net_diagnose as gptel does, in the namespaces of test/netlab/, with
;; the real programs: for hosts that work, and for hosts and networks with a
;; fault.  An answer that does not name the fault misses a goal.  A timer that
;; runs every 2 ms measures how long Emacs was busy.
;;
;; Prints the load, medians and spread, and which goals are met
;; (`bench-judge').  Needs root: without root the bench only says so.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'bench-goals)
(require 'lab-network)
(require 'cj-net)

(declare-function gptel-get-tool "ext:gptel-request")
(declare-function gptel-tool-function "ext:gptel-request" t t)

(defconst bench-file (or load-file-name buffer-file-name)
  "This file.")

;;;; The hosts that are diagnosed

(defconst bench-live 6
  "Most seconds for the diagnosis of a host that works.")

(defconst bench-broken 30
  "Most seconds for the diagnosis of any other host.")

(defconst bench-rows
  '(("live: HTTP" live "web.lab.test" 80 "HTTP answers 200\\.")
    ("live: HTTPS" live "web.lab.test" 443 "HTTPS answers 200\\.")
    ("live: behind a router" live "far.lab.test" 80 "HTTP answers 200\\.")
    ("live: by its address" live "10.77.0.80" nil "TCP 80 is open, TCP 443 is open")
    ("no such name" broken "nowhere.lab.test" nil "NXDOMAIN")
    ("no machine has the address" broken "dead.lab.test" 443
     "no machine on the link has this address")
    ("no machine has its IPv4 or IPv6" broken "gone.lab.test" 443
     "while fd77::99 does not answer ping")
    ("no route behind the router" broken "noroute.lab.test" 80
     "no route to its network\\|network unreachable")
    ("filtered port" broken "web.lab.test" 8081 "TCP 8081 gives no answer")
    ("port refused by a firewall" broken "web.lab.test" 8082
     "TCP 8082 is refused by a firewall")
    ("closed port" broken "web.lab.test" 81 "TCP 81 is refused by the host")
    ("TLS with a wrong name" broken "web.lab.test" 8443
     "HTTPS fails: the certificate .*\n\\(?:.*\n\\)*web: .*names \"DNS:other\\.lab\\.test\"")
    ("HTTP that never answers" broken "web.lab.test" 8008
     "TCP 8008 is open, HTTP fails: no answer in time")
    ("a service that is not HTTP" broken "web.lab.test" 2222 "TCP 2222 is open")
    ("slow DNS (4 s), no machine" broken "nobody-nobody.slow.turn.lab.test" 443
     "resolves to 10\\.77\\.0\\.99, does not answer ping")
    ("router that swallows packets" broken "far.lab.test" 80
     "does not answer ping, TCP 80 gives no answer"
     (bench-on "rtr" "nft" "table inet lab { chain forward { type filter hook forward priority 0; policy drop; }; }")
     (bench-on "rtr" "nft" "delete table inet lab"))
    ("DNS that nobody answers" broken "web.lab.test" 80 "no DNS server answers"
     (bench-resolvers "10.77.0.99" "10.77.0.98"))
    ("DNS that refuses" broken "web.lab.test" 80 "does not resolve"
     (bench-resolvers "10.77.0.80"))
    ("no DNS server set" broken "web.lab.test" 80 "does not resolve"
     (bench-resolvers))
    ("no default route" broken "192.168.99.9" 80 "cannot be sent\\|no route"
     (progn (bench-resolvers "10.77.0.53")
            (bench-on "cli" "ip" "route" "del" "default"))
     (bench-on "cli" "ip" "route" "add" "default" "via" "10.77.0.1"))
    ("interface down, by name" broken "web.lab.test" 80 "does not resolve"
     (bench-on "cli" "ip" "link" "set" "eth0" "down"))
    ("interface down, by address" broken "10.77.0.80" 80 "cannot be sent\\|no route"))
  "The diagnoses, in order: (WHAT KIND TARGET PORT ANSWER BEFORE AFTER).
WHAT is a name; KIND is `live' or `broken'; ANSWER is a regexp that the
answer must match.  BEFORE is a form that breaks the network, and AFTER one
that mends it; without AFTER the fault stays for the rows below.")

(defun bench-on (host &rest command)
  "Run COMMAND on HOST of the lab.  The words of nft are one argument."
  (apply #'lab-network-run "exec" lab-network-dir host command))

(defun bench-resolvers (&rest addresses)
  "Let ADDRESSES be the DNS servers of the host, with default options."
  ;; The file keeps its inode: it is mounted over the system's resolv.conf.
  (write-region (mapconcat (lambda (address) (format "nameserver %s\n" address))
                           addresses "")
                nil (expand-file-name "resolv.conf" lab-network-dir) nil 'quiet))

;;;; Measuring

(defun bench-once (row)
  "Diagnose the target of ROW.
Return a list: the seconds that the diagnosis took, the longest time between
two runs of the timer in seconds, and the answer."
  (cl-destructuring-bind (_what _kind target port &rest _) row
    (let* ((begun (float-time)) (last begun) (gap 0) (answer nil))
      (let ((timer (run-at-time 0 0.002
                                (lambda ()
                                  (let ((now (float-time)))
                                    (setq gap (max gap (- now last))
                                          last now))))))
        (unwind-protect
            (progn
              (funcall (gptel-tool-function (gptel-get-tool "net_diagnose"))
                       (lambda (text) (setq answer (cons (float-time) text)))
                       target port nil)
              (while (not answer)
                (when (> (- (float-time) begun) 60)
                  (setq answer (cons (float-time) "no answer within 60 s")))
                (accept-process-output nil 0.05))
              ;; A gap that lasts to the end counts too.
              (setq gap (max gap (- (float-time) last))))
          (cancel-timer timer)))
      (list (- (car answer) begun) gap (cdr answer)))))

(defun bench-measure ()
  "Measure and print every row; return a list of (ROW RIGHT GAP . SECONDS).
GAP is the longest time between two runs of the timer, in seconds."
  (princ (format "%-34s %5s %9s %9s %9s %9s\n" "net_diagnose, seconds"
                 "runs" "median" "p10" "p90" "gap, ms"))
  (mapcar
   (lambda (row)
     (cl-destructuring-bind (what kind _target _port regexp &optional before after) row
       (eval before t)
       (let* ((runs (cl-loop repeat (if (eq kind 'live) 5 1) collect (bench-once row)))
              (seconds (mapcar #'car runs))
              (gap (apply #'max (mapcar #'cadr runs)))
              (wrong (cl-remove-if (lambda (run) (string-match-p regexp (nth 2 run))) runs)))
         (eval after t)
         (princ (format "%-34s %5d %9.2f %9.2f %9.2f %9.1f\n" what (length runs)
                        (bench-median seconds)
                        (bench-quantile seconds 0.1) (bench-quantile seconds 0.9)
                        (* 1e3 gap)))
         (dolist (run wrong)
           (princ (format "   it should say %S, and says:\n%s\n" regexp (nth 2 run))))
         (append (list row (not wrong) gap) seconds))))
   bench-rows))

(defun bench-goals (measured)
  "Return the goals, a list of (MET . SENTENCE), judged by MEASURED."
  (let ((longest (lambda (kind)
                   (cl-loop for ((_ of) _ _ . seconds) in measured
                            when (eq of kind) maximize (apply #'max seconds)))))
    (list
     (cons (cl-every #'cadr measured)
           "each answer names the fault, or says that the host works")
     (cons (<= (funcall longest 'live) bench-live)
           (format "each diagnosis of a host that works takes at most %d s" bench-live))
     (cons (< (funcall longest 'broken) bench-broken)
           (format "each other diagnosis takes less than %d s" bench-broken))
     (cons (<= (apply #'max (mapcar #'caddr measured)) 0.05)
           "during a diagnosis, two runs of a 2 ms timer are at most 50 ms apart"))))

(defun bench-inside ()
  "Measure, print and judge, on the host `cli' of the lab."
  (let ((load (bench-settle))
        (begun (float-time)))
    (princ (format "Emacs %s, load %.1f\n\n" emacs-version load))
    (bench-resolvers "10.77.0.53" "fd77::53")
    (cj/net-register)
    (cj/gate-load-module)
    (garbage-collect)
    (let ((measured (bench-measure)))
      (princ (format "\n%.0f s, load now %.1f\n" (- (float-time) begun) (bench-load)))
      (bench-judge load (bench-goals measured)))))

;;;; The lab around it

(defun bench-run ()
  "Make a lab, measure in a second Emacs inside it, and exit as that Emacs."
  (let ((cannot (condition-case err (progn (lab-network-run "can") nil)
                  (error (error-message-string err))))
        (lab-network-dir (make-temp-name
                          (expand-file-name "cj-bench-" temporary-file-directory)))
        (code nil))
    (if cannot
        (progn
          (princ (format "not judged, and nothing measured: %s\n\n" cannot))
          (kill-emacs 0))
      (unwind-protect
          (progn
            (lab-network-run "up" lab-network-dir)
            (with-temp-file (expand-file-name "ca.crt" lab-network-dir)
              (dolist (name '("web" "other"))
                (insert-file-contents
                 (expand-file-name (format "tls/%s.crt" name) lab-network-dir))))
            (with-temp-buffer
              (let ((process-environment
                     (cons (concat "BENCH_NETLAB=" lab-network-dir) process-environment)))
                (setq code (call-process
                            "sh" nil t nil
                            (expand-file-name "test/netlab/netlab.sh" lab-root)
                            "exec" lab-network-dir "cli"
                            (expand-file-name invocation-name invocation-directory)
                            "-Q" "--batch"
                            "-l" (expand-file-name "test/setup/init.el" lab-root)
                            "--eval" (format "(setq cj/gate-module-directory %S)"
                                             (bound-and-true-p cj/gate-module-directory))
                            "-l" bench-file)))
              (princ (buffer-string))))
        (when (file-exists-p lab-network-dir)
          (lab-network-run "down" lab-network-dir)))
      (kill-emacs (if (eql code 0) 0 1)))))

(if (setq lab-network-dir (getenv "BENCH_NETLAB"))
    (bench-inside)
  (bench-run))

;;; net.el ends here
