;;; lab-network.el --- The network lab, for tests in Emacs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The network namespaces of test/netlab/.  A second Emacs runs on the host
;; `cli' there, with the real gptel and the real programs; every packet that
;; this host sends is counted.  Without root the tests are skipped, with a
;; message.

;;; Code:

(require 'ert)
(require 'lab-support)

(declare-function cj/net-call "cj-net")

(defun lab-network-run (&rest words)
  "Run netlab.sh with WORDS; return what it prints, or signal."
  (with-temp-buffer
    (let ((code (apply #'call-process "sh" nil t nil
                       (expand-file-name "test/netlab/netlab.sh" lab-root) words)))
      (unless (eql code 0)
        (error "%s" (string-trim (buffer-string))))
      (string-trim (buffer-string)))))

(defvar lab-network-dir nil
  "Directory of the network lab of the current test.")

(defmacro lab-network-with (&rest body)
  "Run BODY with a network lab; skip the test where none can be made."
  (declare (indent 0) (debug t))
  `(progn
     (condition-case err
         (lab-network-run "can")
       (error (ert-skip (concat "The network lab is skipped: "
                                (error-message-string err)))))
     (let ((lab-network-dir (make-temp-name
                               (expand-file-name "cj-netlab-" temporary-file-directory))))
       (unwind-protect
           (progn
             (lab-network-run "up" lab-network-dir)
             ,@body)
         (when (file-exists-p lab-network-dir)
           (lab-network-run "down" lab-network-dir))))))

(defun lab-network-sent (address)
  "Return how many packets the host `cli' has sent to ADDRESS."
  (string-to-number (lab-network-run "packets" lab-network-dir "cli" address)))

(defun lab-network-there (&rest forms)
  "Evaluate FORMS in an Emacs on the host `cli'; return the value of the last."
  (let ((lab-child-prefix
         (list "sh" (expand-file-name "test/netlab/netlab.sh" lab-root)
               "exec" lab-network-dir "cli")))
    (apply #'lab-child '(require 'cl-lib) '(require 'lab-network) '(require 'cj-net)
           `(setq cj/net-trusted-networks '("10.77.0.0/24")
                  lab-network-dir ,lab-network-dir)
           forms)))

(defun lab-network-call (call)
  "Send CALL, a list of a tool and its words; return the result.
It is sent from this Emacs, which must run on a host of the lab."
  (let (answer)
    (cj/net-call (car call) (cdr call) (lambda (text) (setq answer text)))
    (lab-wait (lambda () answer) 40)))

(defun lab-network-calls (&rest calls)
  "Send CALLS one after another from the host `cli'; return the results.
A call is a list of a tool and its words."
  (lab-network-there `(mapcar #'lab-network-call ',calls)))

(defun lab-network-check (result header &rest regexps)
  "Check that RESULT begins with HEADER, a regexp, and matches each of REGEXPS.
HEADER stands for the part of the header line between \"[net \" and the size."
  (let ((case-fold-search nil))
    (should (string-match-p (concat "\\`\\[net " header " [0-9.]+KB\\]\n") result))
    (dolist (regexp regexps)
      (unless (string-match-p regexp result)
        (ert-fail (list 'not-found regexp 'in result))))))

(provide 'lab-network)

;;; lab-network.el ends here
