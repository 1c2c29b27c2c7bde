;;; cj-net-doctor.el --- Check what the network tools need -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The report has a row for each program: whether it is there, what it is for,
;; and how to install it.  Each program that is there is run once for its
;; version, and ping once more, to see whether it may send: its one packet goes
;; to this machine itself.  The programs run side by side, each with arguments
;; that are written here, and fill in their rows when they answer; Emacs does
;; not wait.  A program that does not end is killed, and so is each one when the
;; buffer is killed.  Of what they print a row shows one short line of ASCII.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gate-doctor)
(require 'cj-gate-install)
(require 'cj-net)

(declare-function cj/gate--mod-net-programs "ext:cj-gate-module")

(defconst cj/net-doctor-buffer-name "*cj-net doctor*"
  "Name of the doctor's buffer.")

(defconst cj/net-doctor--optional
  '("nft" "nmcli" "resolvectl" "ifconfig" "netstat")
  "Programs that many machines do not need; without them a check is skipped.")

(defconst cj/net-doctor--versions
  '(("getent" "--version")
    ;; BusyBox's ip has no JSON.
    ("ip" "-V" "iproute2")
    ("ss" "-V")
    ("dig" "-v")
    ;; The pings of BusyBox and inetutils have no option -M, and refuse -W 0.5.
    ("ping" "-V" "iputils")
    ("traceroute" "--version" "\\`Modern traceroute for Linux,")
    ;; Older ones leave the certificates out of their JSON.
    ("curl" "--version" "\\`curl \\([0-9]+\\(?:\\.[0-9]+\\)+\\)" "7.88")
    ("nmap" "--version")
    ("nft" "--version")
    ("nmcli" "--version")
    ("resolvectl" "--version")
    ("ifconfig" "--version")
    ("netstat" "--version"))
  "How programs are asked for their version: rows of (NAME ARGUMENT KIND LEAST).
KIND is a regexp for the line with the version, if the tools read one kind of
the program only.  LEAST is the oldest version that they read in full; group 1
of KIND is the version.  KIND and LEAST are strings, or missing.")

(defvar cj/net-doctor--limit 5
  "Seconds that a program may take, a number; then it is killed.")

(defconst cj/net-doctor--most 20000
  "Bytes that a program may print; then it is killed.")

;;;; Running a program

(defun cj/net-doctor--ask (command report)
  "Run COMMAND, a list of strings, and never wait; return the process, or nil.
The first string is the absolute name of a file.  REPORT is a function that is
called once, now or later, with two arguments: the exit code, or a string that
says why there is none; and the bytes that the program has printed, a string."
  (let ((process-environment
         '("LC_ALL=C" "PATH=/usr/bin:/bin:/usr/sbin:/sbin"))
        (default-directory "/")
        (inhibit-quit t)
        (limit cj/net-doctor--limit)
        (text "")
        (why nil))
    (condition-case err
        (let ((process
               (make-process
                :name "cj-net-doctor" :command command :noquery t
                :connection-type 'pipe :coding 'no-conversion
                :filter (lambda (process piece)
                          (setq text (concat text piece))
                          (when (> (length text) cj/net-doctor--most)
                            (setq why "prints without end")
                            (cj/net-doctor--kill process)))
                :sentinel
                (lambda (process _)
                  (unless (process-live-p process)
                    (let ((timer (process-get process 'cj/net-doctor-timer)))
                      (when timer (cancel-timer timer)))
                    (set-process-sentinel process #'ignore)
                    (funcall report
                             (cond (why)
                                   ((eq (process-status process) 'exit)
                                    (process-exit-status process))
                                   (t (format "was ended by signal %d"
                                              (process-exit-status process))))
                             text))))))
          (process-put
           process 'cj/net-doctor-timer
           (run-at-time limit nil
                        (lambda ()
                          (setq why (format "did not end within %s s" limit))
                          (cj/net-doctor--kill process))))
          ;; A program that reads its input finds the end of it.
          (ignore-errors (process-send-eof process))
          process)
      (file-error
       (funcall report (format "could not be started: %s" (car (last err)))
                text)
       nil))))

(defun cj/net-doctor--kill (process)
  "Kill PROCESS and what it has started, and read no more of its output."
  (set-process-filter process t)
  (delete-process process))

(defun cj/net-doctor--end (process)
  "Kill PROCESS, so that it reports nothing."
  (set-process-sentinel process #'ignore)
  (let ((timer (process-get process 'cj/net-doctor-timer)))
    (when timer (cancel-timer timer)))
  (cj/net-doctor--kill process))

;;;; What a program says

(defun cj/net-doctor--shown (line)
  "Return LINE, bytes of a program, as at most 60 characters of ASCII.
Other characters become \"^[\" or \"\\303\".  A backquote becomes a quote: it
would begin a button."
  (let ((text (mapconcat
               (lambda (byte)
                 (cond ((eq byte ?`) "'")
                       ((<= 32 byte 126) (string byte))
                       ((< byte 32) (string ?^ (+ byte 64)))
                       (t (format "\\%o" (logand byte 255)))))
               (string-trim line) "")))
    (if (> (length text) 60) (concat (substring text 0 57) "...") text)))

(defun cj/net-doctor--line (text regexps)
  "Return a line of TEXT, bytes of a program: one that matches one of REGEXPS.
The first regexp that any line matches counts.  Without a match return nil."
  (let ((lines (split-string text "\n" t "[ \t\r]+")))
    (cl-some (lambda (regexp)
               (cl-find-if (lambda (line) (string-match-p regexp line)) lines))
             (delq nil regexps))))

(defun cj/net-doctor--busybox (file text)
  "Return the name and version of BusyBox if FILE is a part of it, or nil.
TEXT is what FILE has printed.  Some parts of BusyBox do not say what they are."
  (let ((case-fold-search nil))
    (cond ((string-match "BusyBox v[0-9]+\\(?:\\.[0-9]+\\)*" text)
           (match-string 0 text))
          ((equal (file-name-nondirectory (file-truename file)) "busybox")
           "BusyBox"))))

(defun cj/net-doctor--version (row file end text)
  "Judge the version of the program of ROW; return (STATE FOUND ADVICE).
ROW is of the form that `cj/net-doctor--program' has.  FILE is the name of the
program, bytes.  END and TEXT are as in `cj/net-doctor--ask'."
  (cl-destructuring-bind (argument &optional kind least)
      (cdr (assoc (car row) cj/net-doctor--versions))
    (let* ((case-fold-search nil)
           (name (cj/net-doctor--name file))
           (line (or (cj/net-doctor--busybox file text)
                     (cj/net-doctor--line text (list kind "[0-9]"))))
           (shown (cj/net-doctor--shown
                   (or line (cj/net-doctor--line text '("")) "")))
           (found (concat name (if (string-empty-p shown) "" ": ") shown)))
      (cond
       ((or (stringp end) (memq end '(126 127)))
        (list (if (member (car row) cj/net-doctor--optional) 'warn 'fail)
              (if (stringp end) (format "%s %s" name end)
                (format "%s could not be started: %s" name
                        (cj/net-doctor--shown
                         (or (cj/net-doctor--line text '("[a-z]")) ""))))
              (format "Run \"%s %s\" in a terminal, to see why.  %s"
                      name argument (cj/net-doctor--other row))))
       ((or (null line) (and kind (not (string-match kind line))))
        (list 'warn
              (concat found (if kind "; the tools cannot read what it prints"
                              "; this is no version"))
              (cj/net-doctor--other row)))
       ((and least (version< (match-string 1 line) least))
        (list 'warn (format "%s; it is older than %s" found least)
              (concat "The tools get no details of certificates from it.  "
                      (cj/net-doctor--other row))))
       (t (list 'pass found))))))

(defun cj/net-doctor--allow (file withheld)
  "Return sentences on how to give ping the right to send.
FILE is the name of ping, bytes.  WITHHELD is non-nil if the kernel does not
even start it, since it asks for a capability that this machine withholds."
  (let* ((sudo (if (zerop (user-uid)) "" "sudo "))
         (real (file-truename file))
         (name (shell-quote-argument (decode-coding-string real 'utf-8)))
         (line (format "`%ssysctl -w net.ipv4.ping_group_range=\"0 2147483647\"'"
                       sudo)))
    (cond
     (withheld
      (format "Its file asks for the capability NET_RAW, which this machine, \
perhaps a container, withholds.  Start the container with it; or take it from \
the file with `%ssetcap -r %s', and allow every user to ping with %s."
              sudo name line))
     (t
      (concat "Allow every user to ping, until the next boot, in a terminal: "
              line " (a file in /etc/sysctl.d keeps this)"
              ;; All parts of BusyBox are one file.
              (if (equal (file-name-nondirectory real) "busybox") ""
                (format ", or only this ping to send: `%ssetcap cap_net_raw+ep %s'"
                        sudo name))
              ".  A container needs the capability NET_RAW.")))))

(defun cj/net-doctor--right (file end text)
  "Judge whether ping may send; return (STATE FOUND ADVICE).
FILE is the name of ping, bytes.  END and TEXT are as in `cj/net-doctor--ask',
for one echo request to this machine."
  (let* ((case-fold-search t)
         (received ", 1 \\(?:packets \\)?received,")
         (refused "not permitted\\|lacking privilege\\|permission denied")
         (said (cj/net-doctor--line
                (concat text (if (stringp end) (concat "\nit " end) ""))
                (list refused "[a-z]")))
         (shown (cj/net-doctor--shown (or said "it says nothing"))))
    (cond
     ((and (eql end 0) (string-match-p received text))
      (list 'pass "127.0.0.1 answers"))
     ((and said (string-match-p refused said))
      (list 'fail (format "ping may not send: %s" shown)
            (cj/net-doctor--allow file (or (stringp end) (eql end 126)))))
     (t (list 'warn (format "127.0.0.1 gives no answer: %s" shown)
              "See whether a firewall drops ICMP, and the interface lo is up.")))))

;;;; The checks

(defun cj/net-doctor--name (file)
  "Return FILE, a file name in bytes, as text for a person."
  (abbreviate-file-name (decode-coding-string file 'utf-8)))

(defun cj/net-doctor--foreign-p (row)
  "Return non-nil if the program of ROW is not there and no package has it."
  (and (string-empty-p (nth 2 row))
       (not (cj/net--executable (car row)))))

(defun cj/net-doctor--program (row)
  "Return each check of the program of ROW, as `cj/net-doctor--checks' does.
ROW is (NAME WHAT DEBIAN FEDORA ARCH), strings: the program, what it is for, and
the package that has it on each distribution."
  (let* ((name (car row))
         (file (cj/net--executable name))
         (question (cdr (assoc name cj/net-doctor--versions))))
    (cond
     ((null file)
      (list (list (if (member name cj/net-doctor--optional) 'skip 'fail)
                  name (format "not found; it is for: %s" (nth 1 row))
                  (cj/net-doctor--other row))))
     ((null question)
      (list (list 'pass name (cj/net-doctor--name file))))
     (t
      (cons (list nil name (cj/net-doctor--name file) nil
                  (list file (car question))
                  (apply-partially #'cj/net-doctor--version row file))
            (and (equal name "ping")
                 (list (list nil "right to ping" "127.0.0.1" nil
                             (list file "-n" "-c" "1" "-W" "1" "127.0.0.1")
                             (apply-partially #'cj/net-doctor--right
                                              file)))))))))

(defun cj/net-doctor--other (row)
  "Return sentences on how to get the program of ROW, a list."
  (concat (apply #'cj/net-doctor--install (nthcdr 2 row))
          "  Where it is installed already, name it in `cj/net-executables'."))

(defun cj/net-doctor--install (debian fedora arch)
  "Return a sentence on how to install a package on this machine.
DEBIAN, FEDORA and ARCH are the names of the package there, strings."
  (let ((line (cj/gate-install-line (list :debian debian :fedora fedora :arch arch))))
    (if line
        (format "Install it in a terminal with `%s'." line)
      (format "Install it (Debian: apt install %s; Fedora: dnf install %s; Arch: pacman -S %s)."
              debian fedora arch))))

(defun cj/net-doctor--networks ()
  "Return the check of `cj/net-trusted-networks'."
  (let ((wrong (cl-remove-if
                (lambda (text)
                  (and (stringp text)
                       (string-match-p "\\`[0-9a-fA-F.:]+/[0-9]+\\'" text)))
                (default-value 'cj/net-trusted-networks))))
    (if wrong
        (list 'warn "trusted networks" (format "not of the form ADDRESS/LENGTH: %S" wrong)
              "Mend `cj/net-trusted-networks'; what is not understood is asked about.")
      (list 'pass "trusted networks"
            (if (default-value 'cj/net-trusted-networks)
                (string-join (default-value 'cj/net-trusted-networks) ", ")
              "none: the first discovery of each network asks")))))

(defun cj/net-doctor--checks ()
  "Return every check, a list of (STATE NAME FOUND ADVICE COMMAND JUDGE).
STATE is `pass', `warn', `fail' or `skip'; FOUND and ADVICE are strings, ADVICE
may be missing.  A check with a STATE of nil is open: COMMAND, a list of
strings, is still to be run, and its end to be passed to the function JUDGE,
which returns a STATE, a FOUND and an ADVICE."
  (condition-case err
      (progn
        (cj/gate-load-module)
        (append (mapcan #'cj/net-doctor--program
                        (cl-remove-if #'cj/net-doctor--foreign-p
                                      (cj/gate--mod-net-programs)))
                (list (cj/net-doctor--networks))))
    (cj/gate-error
     (let ((lines (split-string (cj/gate-error-message err) "\n")))
       (list (list 'fail "Module" (car lines)
                   (string-join (cdr lines) " ")))))))

;;;; The buffer

(defvar cj/net-doctor-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map cj/gate-doctor-mode-map)
    map)
  "Keys of the doctor's buffer.")

(define-derived-mode cj/net-doctor-mode cj/gate-doctor-mode "cj-net doctor"
  "Mode of the buffer of the network tools' doctor.
\\<cj/net-doctor-mode-map>\
\\[revert-buffer] makes the report anew.
\\[cj/gate-doctor-step] takes the step at point, or the first step of the row.
\\[forward-button] goes to the next step.
\\[cj/gate-doctor-next-trouble] goes to the next row that fails or warns.
\\[cj/gate-view-menu] shows a menu of the keys."
  (setq-local revert-buffer-function (lambda (&rest _) (cj/net-doctor)))
  ;; A new report begins with a change of the mode, too.
  (add-hook 'change-major-mode-hook #'cj/net-doctor--end-all nil t)
  (add-hook 'kill-buffer-hook #'cj/net-doctor--end-all nil t))

(defvar-local cj/net-doctor--processes nil
  "The processes that this report has started.")

(defun cj/net-doctor--end-all ()
  "End the programs that the report in the current buffer has under way."
  (mapc #'cj/net-doctor--end cj/net-doctor--processes)
  (setq cj/net-doctor--processes nil))

(defun cj/net-doctor--reporter (buffer row name)
  "Return the function with which the check NAME reports in BUFFER.
The lines of the check have ROW as the text property `cj/net-doctor-row'.  A
later run of the doctor has other rows, so a late answer to this one changes
nothing."
  (lambda (grade found &optional advice)
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (let ((start (text-property-any (point-min) (point-max)
                                        'cj/net-doctor-row row)))
          (when start
            (with-silent-modifications
              (save-excursion
                (goto-char start)
                (delete-region start (next-single-property-change
                                      start 'cj/net-doctor-row nil (point-max)))
                (insert (propertize
                         (cj/gate-doctor-line name grade found advice)
                         'cj/net-doctor-row row))
                (cj/gate-doctor-buttons start (point))))
            (cj/gate-doctor-sum-up)))))))

(defun cj/net-doctor--asking (name found)
  "Return the line for the check NAME, which has no answer yet.
FOUND, a string, is what is known already."
  (cj/gate-view-section
   name (cj/gate-doctor--row (propertize "..." 'face 'cj/gate-quiet) name
                             (concat found ": asking"))))

;;;###autoload
(defun cj/net-doctor ()
  "Check everything that the network tools need, and show a report.
Each program that is there is run for its version, and ping sends one packet to
this machine itself; Emacs does not wait for them.  The first line of the report
says how many checks fail, and which.  Return the buffer with the report."
  (interactive)
  (let ((checks (cj/net-doctor--checks))
        (buffer (get-buffer-create cj/net-doctor-buffer-name))
        (open nil))
    (with-current-buffer buffer
      (cj/net-doctor-mode)
      (cj/gate-doctor-set-width (mapcar #'cadr checks))
      (with-silent-modifications
        (erase-buffer)
        (dolist (check checks)
          (cl-destructuring-bind
              (state name found &optional advice command judge) check
            (let ((row (list name)))
              (insert (propertize
                       (if state (cj/gate-doctor-line name state found advice)
                         (cj/net-doctor--asking name found))
                       'cj/net-doctor-row row))
              (unless state
                (push (list command judge
                            (cj/net-doctor--reporter buffer row name))
                      open)))))
        (cj/gate-doctor-buttons (point-min) (point-max)))
      (cj/gate-doctor-sum-up)
      (goto-char (point-min)))
    (if noninteractive (display-buffer buffer) (cj/gate-view-show buffer))
    ;; After all rows were inserted, since a check may report at once.
    (pcase-dolist (`(,command ,judge ,report) (nreverse open))
      (let ((process (cj/net-doctor--ask
                      command (lambda (end text)
                                (apply report (funcall judge end text))))))
        (when process
          (with-current-buffer buffer
            (push process cj/net-doctor--processes)))))
    buffer))

(provide 'cj-net-doctor)

;;; cj-net-doctor.el ends here
