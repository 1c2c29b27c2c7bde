;;; netlab-midway-tests.el --- Network calls that are ended early -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A diagnosis runs a look-up and then its programs side by side.  A killed
;; buffer or an abort of the request ends all of them; other calls go on, also
;; after C-g.

;;; Code:

(require 'ert)
(require 'lab-network)

(defvar cj/gate-cwd-roots)
(defvar cj/gh-executable)

(declare-function cj/net-call "cj-net")
(declare-function cj/net-register "cj-net")
(declare-function gptel-abort "ext:gptel-request")
(declare-function lab-ask "lab-gptel")
(declare-function lab-converse "lab-gptel")
(declare-function lab-talk-state "lab-gptel")

(defun netlab-midway-programs (&rest names)
  "Return the pids of programs of network calls in this network namespace.
NAMES are the names of the programs that count, by default all of them."
  (let ((own (file-symlink-p "/proc/self/ns/net")))
    (cl-remove-if-not
     (lambda (pid)
       (let ((attributes (process-attributes pid)))
         (and (member (alist-get 'comm attributes)
                      (or names '("getent" "ping" "nmap" "traceroute" "curl" "dig")))
              (not (equal (alist-get 'state attributes) "Z"))
              (equal (file-symlink-p (format "/proc/%d/ns/net" pid)) own))))
     (list-system-processes))))

(defun netlab-midway-gone ()
  "Wait until no program of a call is left; return the seconds that took."
  (let ((begun (float-time)))
    (lab-wait (lambda () (not (netlab-midway-programs))))
    (- (float-time) begun)))

(defun netlab-midway-call (buffer &rest call)
  "Send CALL from BUFFER; return a vector of one element.
That element is nil until the call is answered, and then the answer."
  (let ((answer (vector nil)))
    (with-current-buffer buffer
      (cj/net-call (car call) (cdr call) (lambda (text) (aset answer 0 text))))
    answer))

(defun netlab-midway-end (answer)
  "Wait for ANSWER, a value of `netlab-midway-call'; return the answer."
  (lab-wait (lambda () (aref answer 0)) 40))

(defun netlab-midway-kill-one-of-two ()
  "Kill the buffer of one of two calls, and press \\`C-g' during the other.
Return both answers, the seconds until the programs of the first were gone, and
the seconds until all programs were gone."
  (let* ((one (generate-new-buffer "one")) (two (generate-new-buffer "two"))
         (killed (netlab-midway-call one "net_diagnose" "target=gone.lab.test" "port=443"))
         (other (netlab-midway-call two "net_diagnose" "target=web.lab.test" "port=8008"))
         (left (lambda ()
                 (cl-count-if (lambda (pid)
                                (string-match-p "10\\.77\\.0\\.99\\|fd77::99"
                                                (or (alist-get 'args (process-attributes pid)) "")))
                              (netlab-midway-programs))))
         begun)
    (lab-wait (lambda () (>= (funcall left) 2)))
    (kill-buffer one)
    (setq begun (float-time))
    (lab-wait (lambda () (zerop (funcall left))))
    (let ((took (- (float-time) begun)))
      (condition-case nil
          (progn (setq quit-flag t)
                 (accept-process-output nil 0.05))
        (quit nil))
      (list (netlab-midway-end killed) (netlab-midway-end other) took
            (netlab-midway-gone)))))

(defun netlab-midway-abort ()
  "Abort the request of a call.
Return its last state and the seconds until its programs were gone."
  (lab-with (lab (list (lab-ask "net_diagnose" :target "gone.lab.test" :port 443)
                       '(:text "Never said.")))
    (let* ((aborted nil)
           (talk (lab-converse lab :tools (cj/net-register)
                               :during (lambda (_)
                                         (when (and (not aborted)
                                                    (>= (length (netlab-midway-programs)) 2))
                                           (setq aborted t)
                                           (gptel-abort (current-buffer)))))))
      (list (lab-talk-state talk) (netlab-midway-gone)))))

(defun netlab-midway-ninth ()
  "Let eight calls hang, and make a ninth that needs a person; then end the eight.
Return the answer to the ninth, how many of the eight were unanswered then, the
answers of the eight, and the seconds until their programs were gone."
  (let* ((buffer (generate-new-buffer "eight"))
         (eight (cl-loop repeat 8 collect
                         (netlab-midway-call buffer "net_diagnose" "target=gone.lab.test")))
         ninth open)
    (lab-wait (lambda () (>= (length (netlab-midway-programs)) 12)))
    (setq ninth (netlab-midway-end
                 (netlab-midway-call (current-buffer) "net_diagnose"
                                     "target=outside.lab.test" "external=true"))
          open (cl-count nil eight :key (lambda (answer) (aref answer 0))))
    (kill-buffer buffer)
    (list ninth open (mapcar #'netlab-midway-end eight) (netlab-midway-gone))))

(defun netlab-midway-look-up ()
  "Kill the buffer of a call whose look-up hangs.
Return its answer and the seconds until its programs were gone."
  (write-region "nameserver 10.77.0.99\n" nil
                (expand-file-name "resolv.conf" lab-network-dir) nil 'quiet)
  (let* ((buffer (generate-new-buffer "look-up"))
         (answer (netlab-midway-call buffer "net_diagnose" "target=web.lab.test")))
    (lab-wait (lambda () (netlab-midway-programs "getent")))
    (kill-buffer buffer)
    (let ((took (netlab-midway-gone)))
      (list (netlab-midway-end answer) took))))

(ert-deftest netlab-a-call-ended-midway-ends-its-programs-and-other-calls-go-on ()
  (lab-network-with
    (cl-destructuring-bind (two aborted ninth look-up)
        (lab-network-there
         '(require 'lab-gptel)
         `(load ,(expand-file-name "test/lisp/netlab-midway-tests.el" lab-root) nil t)
         '(mapcar #'funcall '(netlab-midway-kill-one-of-two netlab-midway-abort
                              netlab-midway-ninth netlab-midway-look-up)))
      (let ((cancelled "\\`\\[net [^ ]+ read error cancelled "))
        (ert-info ((format "%S" two))
          (should (string-match-p cancelled (nth 0 two)))
          (lab-network-check (nth 1 two) "10\\.77\\.0\\.80 read ok"
                             "TCP 8008 is open, but the server gives no answer to the HTTP request")
          (should (< (nth 2 two) 2)) (should (< (nth 3 two) 2)))
        (ert-info ((format "%S" aborted))
          (should (equal (car aborted) 'ABRT))
          (should (< (cadr aborted) 2)))
        (ert-info ((format "%S" ninth))
          (lab-network-check (nth 0 ninth) "93\\.184\\.216\\.34 read declined")
          (should (= (nth 1 ninth) 8))
          (dolist (answer (nth 2 ninth))
            (should (string-match-p cancelled answer)))
          (should (< (nth 3 ninth) 2)))
        (ert-info ((format "%S" look-up))
          (should (string-match-p "\\`\\[net - \\(?:read\\|unknown\\) error cancelled " (nth 0 look-up)))
          (should (< (nth 1 look-up) 2)))
        (should (zerop (lab-network-sent "93.184.216.34")))))))

(provide 'netlab-midway-tests)

;;; netlab-midway-tests.el ends here
