;;; net-tests.el --- The network tools' validators, facts and lab -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)
(require 'cj-net)

;;;; Validators

(defun net-tests--strictness (verdict)
  "Return how strict VERDICT is, 0 to 2."
  (pcase-exhaustive (format "%s" verdict) ("allow" 0) ("confirm" 1) ("reject" 2)))

(defun net-tests--judged (row)
  "Return the answer of `cj/net-validate' to ROW, a plist."
  (cj/net-validate (intern (string-remove-prefix "validate-" (plist-get row :fn)))
                   (plist-get row :input)
                   (append (plist-get row :resolves_to) nil)))

(ert-deftest net-every-labelled-input-is-judged-strictly-enough ()
  (dolist (name '("net-validate.jsonl" "net-validate-own.jsonl"))
    (let ((rows (lab-json-lines
                 (expand-file-name (concat "fixtures/" name) lab-root)))
          mild strict)
      (dolist (row rows)
        (let* ((answer (net-tests--judged row))
               (got (net-tests--strictness (plist-get answer :verdict)))
               (right (mapcar #'net-tests--strictness
                              (cons (plist-get row :expect)
                                    (append (plist-get row :also_ok) nil))))
               (pinned (plist-get row :pinned)))
          (cond ((< got (apply #'min right)) (push (cons answer row) mild))
                ((> got (apply #'max right)) (push (cons answer row) strict)))
          (when (and (stringp pinned) (< got 2))
            (should (equal (plist-get answer :pinned) pinned)))))
      (should (>= (length rows) 99))
      (should-not mild)
      (should (<= (* 50 (length strict)) (length rows))))))

(ert-deftest net-a-verdict-comes-with-a-reason-and-the-pinned-address ()
  (should (equal (cj/net-validate 'target '(:host "nas.lan") '("192.168.1.20"))
                 '(:verdict allow
                   :reason "192.168.1.20 is a private address (192.168.0.0/16)."
                   :pinned "192.168.1.20")))
  (let ((answer (cj/net-validate 'target '(:host "8.8.8.8"))))
    (should (eq (plist-get answer :verdict) 'reject))
    (should-not (plist-get answer :pinned))
    (should (string-match-p "public" (plist-get answer :reason)))))

(ert-deftest net-external-counts-only-when-it-is-t ()
  (dolist (row '((t . confirm) (nil . reject) (:json-false . reject)
                 (:false . reject) ("true" . reject) (1 . reject)))
    (should (eq (plist-get (cj/net-validate 'target
                                            (list :host "8.8.8.8" :external (car row)))
                           :verdict)
                (cdr row)))))

(ert-deftest net-a-value-of-a-wrong-type-is-rejected-without-an-error ()
  (dolist (input (list nil t 'x 1.5 '(1) '(:host) '(:host nil) '(:host 5) [1]
                       (unibyte-string 200 201) "a\0b" '(:host "a" . "b")))
    (dolist (fn '(target subnet ports dns-type dns-server dns-name))
      (should (eq (plist-get (cj/net-validate fn input) :verdict) 'reject)))))

(ert-deftest net-an-unknown-validator-signals ()
  (should-error (cj/net-validate 'frobnicate "x") :type 'cj/gate-bad-argument))

(ert-deftest net-loading-leaves-gptel-unloaded ()
  (should-not (featurep 'gptel)))

;;;; Looked-up facts

(ert-deftest net-facts-of-one-name-are-refused-for-another ()
  (cj/gate-load-module)
  ;; localhost needs no DNS server.
  (let (facts)
    (cj/net--facts '("net_diagnose" "target=localhost") (lambda (found) (setq facts found)))
    (lab-wait (lambda () facts))
    (dolist (row '((t planned "net_diagnose" "target=localhost")
                   (t planned "net_services" "host=localhost")
                   (nil planned "net_diagnose" "target=10.77.0.80")
                   (t cj/gate-bad-argument "net_diagnose" "target=other.test")
                   (t cj/gate-bad-argument "net_services" "host=other.test")
                   (t cj/gate-bad-argument "net_diagnose" "target=10.77.0.80")
                   (nil cj/gate-bad-argument "net_diagnose" "target=localhost")))
      (ert-info ((format "%S" row))
        (should (eq (nth 1 row)
                    (condition-case err
                        (progn (cj/gate-plan "net" (nthcdr 2 row) :facts (and (car row) facts))
                               'planned)
                      (cj/gate-error (car err)))))))))

;;;; The lab

(defun net-tests--netlab (&rest words)
  "Run netlab.sh with WORDS; return exit code and output as a cons."
  (with-temp-buffer
    (cons (apply #'call-process "sh" nil t nil
                 (expand-file-name "test/netlab/netlab.sh" lab-root) words)
          (buffer-string))))

(ert-deftest net-the-lab-counts-packets-by-address-and-leaves-nothing-behind ()
  (let ((can (net-tests--netlab "can"))
        (dir (make-temp-name (expand-file-name "cj-netlab-" temporary-file-directory)))
        id)
    (unless (eql (car can) 0)
      (ert-skip (concat "The network lab is skipped: " (string-trim (cdr can)))))
    (unwind-protect
        (progn
          (should (equal (net-tests--netlab "up" dir) '(0 . "")))
          (setq id (with-temp-buffer
                     (insert-file-contents (expand-file-name "id" dir))
                     (string-trim (buffer-string))))
          (let ((sent (lambda (address)
                        (string-to-number
                         (cdr (net-tests--netlab "packets" dir "cli" address))))))
            (dolist (row '(("192.168.99.9" . 3) ("10.77.0.80" . 2) ("fd77::80" . 1)))
              (let ((before (funcall sent (car row))))
                (should (eql 0 (car (net-tests--netlab
                                     "exec" dir "cli" "ping" "-n" "-q" "-c"
                                     (number-to-string (cdr row))
                                     "-i" "0.2" "-W" "2" (car row)))))
                ;; IPv6 neighbour discovery sends packets that count too.
                (should (>= (- (funcall sent (car row)) before) (cdr row)))))
            (should (zerop (funcall sent "198.18.0.80"))))
          (should (string-match-p
                   "10\\.77\\.0\\.80"
                   (cdr (net-tests--netlab "exec" dir "cli" "dig" "+short" "web.lab.test")))))
      (when (file-exists-p dir) (net-tests--netlab "down" dir)))
    (should-not (file-exists-p dir))
    (should-not (string-match-p id (with-temp-buffer
                                     (call-process "ip" nil t nil "netns")
                                     (buffer-string))))))

;;;; This machine

(ert-deftest net-status-of-this-machine-is-told-without-ip-and-ss ()
  (let ((text
         (lab-child
          '(require 'lab-support) '(require 'cj-net)
          '(progn
             (setq-default cj/net-executables
                           (mapcar (lambda (name) (cons name "/nonexistent"))
                                   '("ip" "ss" "ifconfig" "netstat")))
             (let (answer)
               (cj/net-call "network_status" nil
                            (lambda (text) (setq answer text)))
               (lab-wait (lambda () answer) 20)))))
        (case-fold-search nil))
    (dolist (regexp '("\\`\\[net localhost read ok "
                      "^interfaces (ip is not installed; from /proc/net):\n.*lo "
                      "^routes (ip is not installed; from /proc/net/route):"
                      "^IPv6 routes[ :]"
                      "^listeners (ss is not installed; from /proc/net):"
                      "^connections of NetworkManager:"
                      "^/etc/resolv\\.conf:"))
      (should (string-match-p regexp text)))))

;;; net-tests.el ends here
