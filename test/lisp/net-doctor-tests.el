;;; net-doctor-tests.el --- The network tools' doctor -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The doctor runs the real programs of this machine, and scripts that print
;; what programs of other machines print.

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-net)
(require 'cj-net-doctor)

(declare-function cj/gate--mod-net-programs "ext:cj-gate-module")

(defun net-doctor-tests--report ()
  "Wait until each check has reported; return the rows without the first line."
  (with-current-buffer cj/net-doctor-buffer-name
    (lab-wait (lambda () (not (string-match-p "^\\.\\.\\. " (buffer-string)))))
    (let ((text (buffer-substring-no-properties (point-min) (point-max))))
      (substring text (+ 2 (string-search "\n\n" text))))))

(defmacro net-doctor-tests--with (scripts &rest body)
  "Run BODY on a machine that has SCRIPTS, an alist, and no other program.
A row of SCRIPTS is the name of a program, and the text of a shell script.  In
BODY, `dir' is the directory of the scripts; they have it in $dir."
  (declare (indent 1) (debug t))
  `(let* ((scripts ,scripts)
          (dir (make-temp-file "net-doctor" t))
          (exec-path '("/nonexistent"))
          (cj/net--more-directories nil)
          (cj/net-executables
           (mapcar (lambda (script)
                     (let ((file (expand-file-name (car script) dir)))
                       (with-temp-file file
                         (insert "#!/bin/sh\ndir=" dir "\n" (cdr script) "\n"))
                       (set-file-modes file #o755)
                       (cons (car script) file)))
                   scripts)))
     (unwind-protect
         (progn ,@body)
       (when (get-buffer cj/net-doctor-buffer-name)
         (kill-buffer cj/net-doctor-buffer-name))
       (delete-directory dir t))))

(defun net-doctor-tests--matches (text &rest regexps)
  "Check that TEXT matches each of REGEXPS."
  (let ((case-fold-search nil))
    (dolist (regexp regexps)
      (unless (string-match-p regexp text)
        (ert-fail (list 'not-found regexp 'in text))))))

(defun net-doctor-tests--pid (dir name)
  "Wait for the process id in the file NAME in DIR; return it."
  (let ((file (expand-file-name name dir)))
    (lab-wait (lambda ()
                (and (file-exists-p file)
                     (with-temp-buffer
                       (insert-file-contents file)
                       (and (string-suffix-p "\n" (buffer-string))
                            (string-to-number (buffer-string)))))))))

(defun net-doctor-tests--gone (pid)
  "Wait until the process PID has ended."
  (lab-wait (lambda ()
              (member (alist-get 'state (process-attributes pid)) '(nil "Z")))))

(defconst net-doctor-tests--hangs
  "sleep 600 & echo $! >$dir/child; echo $$ >$dir/self; echo hangs 1; wait"
  "A script that never ends, and writes its process id and that of its child.")

;;;; This machine

(ert-deftest net-doctor-the-real-programs-say-their-versions ()
  (cj/net-doctor)
  (let ((first (net-doctor-tests--report))
        (report (progn (cj/net-doctor) (net-doctor-tests--report))))
    (should (equal first report))
    (pcase-dolist
        (`(,program . ,row)
         '(("ping" . "^PASS  ping +/.*/ping: ping.* iputils")
           ("ping" . "^PASS  right to ping +127\\.0\\.0\\.1 answers$")
           ("traceroute" . "^PASS  traceroute +/.*: Modern traceroute for Linux, version [0-9.]+$")
           ("curl" . "^\\(?:PASS\\|WARN\\)  curl +/.*/curl: curl [0-9.]+ ")
           ("ip" . "^PASS  ip +/.*/ip: ip utility, iproute2")
           ("dig" . "^PASS  dig +/.*/dig: DiG [0-9.]+")
           ("getent" . "^PASS  getent +/.*/getent: getent .*[0-9.]+$")))
      (when (cj/net--executable program)
        (net-doctor-tests--matches report row)))))

(ert-deftest net-doctor-runs-each-program-once-with-fixed-arguments ()
  (cj/gate-load-module)
  (let ((names (mapcar #'car (cj/gate--mod-net-programs))))
    (net-doctor-tests--with
        (mapcar (lambda (name)
                  (cons name "echo \"$(basename $0)\" \"$@\" >>$dir/log"))
                names)
      (cj/net-doctor)
      (net-doctor-tests--report)
      (should
       (equal (with-temp-buffer
                (insert-file-contents (expand-file-name "log" dir))
                (sort (split-string (buffer-string) "\n" t) #'string<))
              '("curl --version" "dig -v" "getent --version"
                "ifconfig --version" "ip -V" "netstat --version" "nft --version"
                "nmap --version" "nmcli --version" "ping -V"
                "ping -n -c 1 -W 1 127.0.0.1" "resolvectl --version" "ss -V"
                "traceroute --version"))))))

(ert-deftest net-doctor-a-program-gets-little-environment-and-no-input ()
  (let ((process-environment (cons "GH_TOKEN=secret" process-environment)))
    (net-doctor-tests--with
        '(("nmap" . "cat; echo \"1 $LC_ALL [$HOME$GH_TOKEN$LD_PRELOAD] $(pwd)\""))
      (cj/net-doctor)
      (net-doctor-tests--matches (net-doctor-tests--report)
                                 "^PASS  nmap +/.*/nmap: 1 C \\[\\] /$"))))

;;;; Other machines

(defconst net-doctor-tests--busybox
  "echo \"$0: unrecognized option\" >&2
echo 'BusyBox v1.36.1 (2024-06-10 07:11:47 UTC) multi-call binary.' >&2
exit 1"
  "What a part of BusyBox says of an option that it does not know.")

(defconst net-doctor-tests--others
  `(("traceroute" ,net-doctor-tests--busybox
     "^WARN  traceroute +/.*: BusyBox v1\\.36\\.1; the tools cannot read"
     "^ +Install it .*traceroute")
    ("traceroute" "echo 'traceroute (GNU inetutils) 2.4'"
     "^WARN  traceroute +/.*: traceroute (GNU inetutils) 2\\.4; the tools cannot"
     "^ +Install it .*traceroute")
    ("traceroute" "echo 'Modern traceroute for Linux, version 2.1.6'
echo 'Copyright (c) 2016  Dmitry Butskoy,   License: GPL v2 or any later'"
     "^PASS  traceroute +/.*: Modern traceroute for Linux, version 2\\.1\\.6$")
    ("netstat" ,net-doctor-tests--busybox
     "^PASS  netstat +/.*: BusyBox v1\\.36\\.1$")
    ("ip" ,net-doctor-tests--busybox "^WARN  ip +/.*: BusyBox v1\\.36\\.1; the")
    ("ping" ,net-doctor-tests--busybox "^WARN  ping +/.*: BusyBox v1\\.36\\.1; the")
    ("ping" "echo 'ping (GNU inetutils) 2.4'"
     "^WARN  ping +/.*: ping (GNU inetutils) 2\\.4; the" "^ +Install it .*iputils")
    ("ping" "echo 'ping utility, iputils-s20190709'" "^PASS  ping +/.*-s20190709$")
    ("curl" "echo 'curl 7.74.0 (x86_64-pc-linux-gnu) libcurl/7.74.0'"
     "^WARN  curl +/.*: curl 7\\.74\\.0 .*; it is older than 7\\.88$"
     "certificates.*  Install it .*curl")
    ("curl" "echo 'Warning: .curlrc:1: 2 is unknown' >&2; echo 'curl 8.5.0 (x)'"
     "^PASS  curl +/.*: curl 8\\.5\\.0 (x)$")
    ("curl" "echo 'curl 7.88.0 (x)'" "^PASS  curl ")
    ("curl" "echo 'wget 1.21'" "^WARN  curl +/.*: wget 1\\.21; the tools cannot")
    ("dig" "true" "^WARN  dig +/.*/dig; this is no version$")
    ("dig" "kill -SEGV $$" "^FAIL  dig +/.*/dig was ended by signal 11$")
    ("nft" "exit 126" "^WARN  nft +/.*/nft could not be started")
    ("ss" "echo 'ss: applet not found' >&2; exit 127"
     "^FAIL  ss +/.*/ss could not be started: ss: applet not found$"
     "^ +Run \"/.*/ss -V\" in a terminal, to see why\\.  Install it")
    ("nmap" "exec yes 1" "^FAIL  nmap +/.*/nmap prints without end$"))
  "Rows (PROGRAM SCRIPT . REGEXPS), with regexps that the report matches.")

(ert-deftest net-doctor-names-the-kind-and-the-age-of-a-program ()
  (pcase-dolist (`(,program ,script . ,regexps) net-doctor-tests--others)
    (ert-info ((format "%s: %s" program script))
      (net-doctor-tests--with (list (cons program script))
        (cj/net-doctor)
        (apply #'net-doctor-tests--matches (net-doctor-tests--report)
               regexps)))))

(ert-deftest net-doctor-a-program-that-cannot-be-executed-fails ()
  (net-doctor-tests--with '(("ss" . ""))
    (with-temp-file (expand-file-name "ss" dir) (insert "#!/nonexistent/sh\n"))
    (cj/net-doctor)
    (net-doctor-tests--matches
     (net-doctor-tests--report)
     "^FAIL  ss +/.*/ss could not be started: .*No such file")))

(ert-deftest net-doctor-missing-programs-fail-or-are-skipped ()
  (net-doctor-tests--with nil
    (cj/net-doctor)
    (net-doctor-tests--matches
     (net-doctor-tests--report)
     "^FAIL  traceroute +not found" "^SKIP  nft +not found" "^SKIP  nmcli +not")))

;;;; The right to ping

(defconst net-doctor-tests--rights
  '(("echo 'ping: socket: Operation not permitted' >&2; exit 2"
     "^FAIL  right to ping +ping may not send: ping: socket: Operation not permitted$"
     "sysctl -w net\\.ipv4\\.ping_group_range=\"0 2147483647\"'.*setcap cap_net_raw\\+ep /.*/ping'")
    ("echo 'ping: Lacking privilege for icmp socket.' >&2; exit 1"
     "^FAIL  right to ping +ping may not send: ping: Lacking privilege for icmp")
    ("echo 'PING 127.0.0.1 (127.0.0.1): 56 data bytes'
echo 'ping: permission denied (are you root?)' >&2; exit 1"
     "^FAIL  right to ping +ping may not send: ping: permission denied")
    ("echo 'ping: connect: Network is unreachable' >&2; exit 2"
     "^WARN  right to ping +127\\.0\\.0\\.1 gives no answer: ping: connect: Network")
    ("exit 1" "^WARN  right to ping +127\\.0\\.0\\.1 gives no answer: it says nothing$")
    ("echo '1 packets transmitted, 0 received, 100% packet loss, time 0ms'; exit 1"
     "^WARN  right to ping +127\\.0\\.0\\.1 gives no answer: 1 packets transmitted")
    ("echo '1 packets transmitted, 1 packets received, 0% packet loss'"
     "^PASS  right to ping +127\\.0\\.0\\.1 answers$"))
  "Rows (SCRIPT . REGEXPS): a ping, and regexps that the report matches.")

(ert-deftest net-doctor-says-whether-ping-may-send-and-what-to-do ()
  (pcase-dolist (`(,script . ,regexps) net-doctor-tests--rights)
    (ert-info (script)
      (net-doctor-tests--with (list (cons "ping" script))
        (cj/net-doctor)
        (apply #'net-doctor-tests--matches (net-doctor-tests--report)
               regexps)))))

(ert-deftest net-doctor-the-real-ping-without-a-right-is-named ()
  (skip-unless (and (zerop (user-uid)) (executable-find "setpriv")
                    (executable-find "unshare") (executable-find "ping")
                    (zerop (call-process "unshare" nil nil nil "-n" "true"))))
  ;; A new network namespace gives no group the right, and nobody has no
  ;; capability; so ping cannot be executed, or gets no socket.
  (net-doctor-tests--with
      `(("ping" . ,(concat "exec unshare -n setpriv --reuid=65534 --regid=65534"
                           " --clear-groups --bounding-set=-all -- "
                           (executable-find "ping") " \"$@\"")))
    (cj/net-doctor)
    (net-doctor-tests--matches
     (net-doctor-tests--report)
     "^FAIL  right to ping +ping may not send: .*\\(?:not p\\|privilege\\)"
     "net\\.ipv4\\.ping_group_range")))

;;;; Programs that do not behave

(ert-deftest net-doctor-shows-at-once-and-kills-a-program-that-hangs ()
  (let ((cj/net-doctor--limit 0.5))
    (net-doctor-tests--with `(("nmap" . ,net-doctor-tests--hangs)
                              ("dig" . "echo DiG 9.18"))
      (let ((began (float-time)))
        (cj/net-doctor)
        (net-doctor-tests--matches
         (lab-text cj/net-doctor-buffer-name)
         "\\`.*2 are still being asked" "^\\.\\.\\.   nmap +/.*/nmap: asking$")
        (let ((pids (mapcar (lambda (name) (net-doctor-tests--pid dir name))
                            '("self" "child"))))
          (net-doctor-tests--matches
           (net-doctor-tests--report)
           "^FAIL  nmap +/.*/nmap did not end within 0\\.5 s$"
           "^PASS  dig +/.*: DiG 9\\.18$")
          (should (< (- (float-time) began) 10))
          (mapc #'net-doctor-tests--gone pids))))))

(ert-deftest net-doctor-the-end-of-a-report-ends-its-programs ()
  (dolist (end (list (lambda () (kill-buffer cj/net-doctor-buffer-name))
                     #'cj/net-doctor
                     (lambda ()
                       (with-current-buffer cj/net-doctor-buffer-name
                         (text-mode)))))
    (let ((timers (length timer-list)))
      (net-doctor-tests--with `(("nmap" . ,net-doctor-tests--hangs))
        (cj/net-doctor)
        (let ((self (net-doctor-tests--pid dir "self"))
              (child (net-doctor-tests--pid dir "child")))
          (funcall end)
          (net-doctor-tests--gone self)
          (net-doctor-tests--gone child)))
      (should (= (length timer-list) timers)))))

(ert-deftest net-doctor-what-a-program-prints-is-harmless ()
  (pcase-dolist
      (`(,script . ,shown)
       '(("printf '1 \\033[31m\\tred\\000\\177\\303\\244\\r\\nFAIL  next\\n'"
          . "1 ^[[31m^Ired^@\\177\\303\\244")
         ("echo \"1 \\`M-x cj/gate-stop'\"" . "1 'M-x cj/gate-stop'")
         ("printf '1%099d' 0"
          . "100000000000000000000000000000000000000000000000000000000...")))
    (ert-info (script)
      (net-doctor-tests--with (list (cons "nmap" script))
        (cj/net-doctor)
        (let ((report (net-doctor-tests--report)))
          (should (string-match "^PASS  nmap +/.*?/nmap: \\(.*\\)$" report))
          (should (<= (length (match-string 1 report)) 60))
          (should (equal (match-string 1 report) shown))
          (should-not (string-match-p "^FAIL  next" report)))
        (with-current-buffer cj/net-doctor-buffer-name
          (goto-char (point-min))
          (search-forward "/nmap: ")
          (should-not (cl-some #'button-at
                               (number-sequence (point) (line-end-position)))))))))

(provide 'net-doctor-tests)

;;; net-doctor-tests.el ends here
