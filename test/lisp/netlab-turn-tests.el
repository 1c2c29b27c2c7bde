;;; netlab-turn-tests.el --- Names whose address changes, and a person's yes -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Every packet of the host `cli' is counted (test/lisp/lab-network.el).  The
;; DNS server answers the first question for a name with one address and later
;; ones with another (test/netlab/turn.py).  The second address was not judged,
;; and not shown to the person who pressed the key: it must get no packet.  A
;; name such as outside-inside.f.turn.lab.test says both places in order.

;;; Code:

(require 'ert)
(require 'lab-network)
(require 'cj-gate)

(declare-function approval-M-x "lab-approval")
(declare-function approval-send "lab-approval")
(declare-function approval-wait "lab-approval")
(declare-function approval-enter "lab-approval")
(declare-function approval-wait-away "lab-approval")
(declare-function cj/net--facts "cj-net")
(declare-function cj/net-call "cj-net")
(declare-function lab-ask "lab-gptel")
(declare-function lab-terminal-keys "lab-terminal")
(declare-function lab-terminal-screen "lab-terminal")
(declare-function lab-terminal-start "lab-terminal")
(declare-function lab-terminal-stop "lab-terminal")
(declare-function lab-terminal-told "lab-terminal")
(declare-function lab-terminal-type "lab-terminal")
(declare-function lab-terminal-wait-screen "lab-terminal")
(declare-function lab-terminal-wait-told "lab-terminal")

(defconst netlab-turn-inside "10.77.0.80"
  "The address of web.lab.test.")

(defconst netlab-turn-outside "93.184.216.34"
  "The address of outside.lab.test, a public one.")

(defconst netlab-turn-beside "93.184.216.35"
  "The address of beside.lab.test, another public one.")

(defun netlab-turn-now (name)
  "Ask DNS once more for NAME; return its address."
  (with-temp-buffer
    (call-process "dig" nil t nil "-r" "+short" "-q" name "-t" "A")
    (string-trim (buffer-string))))

(defun netlab-turn-asked (name)
  "Return the addresses with which DNS answered for NAME so far, in order."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "turns" lab-network-dir))
    (cl-loop for line in (split-string (buffer-string) "\n" t)
             for (asked address) = (split-string line)
             when (equal asked name) collect address)))

(defun netlab-turn-sent ()
  "Return how many packets were sent to each of three addresses, a list.
They are `netlab-turn-inside', `netlab-turn-outside' and `netlab-turn-beside'."
  (mapcar #'lab-network-sent
          (list netlab-turn-inside netlab-turn-outside netlab-turn-beside)))

(defun netlab-turn-since (before)
  "Return the increase of `netlab-turn-sent' since its value BEFORE."
  (cl-mapcar #'- (netlab-turn-sent) before))

;;;; Without a person

(defun netlab-turn-all (calls)
  "Send all CALLS at the same time; return the packets and the results.
A call is (WAY TOOL WORD... NAME); %s in a word stands for NAME.  With the WAY
`planned' the address of NAME changes between plan and run; with `sent' the call
is made by `cj/net-call'.  The packets are as `netlab-turn-since' returns them.
A result is a list of the host of the plan, the answer or the condition of the
run, the address that DNS now gives for NAME, and the addresses that it gave
before."
  (cj/gate-load-module)
  (let* ((before (netlab-turn-sent))
         (all (mapcar
               (lambda (call)
                 (let ((one (list :way (car call) :name (car (last call)) :facts nil
                                  :host nil :answer nil)))
                   (plist-put one :argv (mapcar (lambda (word)
                                                  (format word (plist-get one :name)))
                                                (butlast (cdr call))))))
               calls))
         (wait (lambda (key &optional way)
                 (lab-wait (lambda ()
                             (cl-every (lambda (one)
                                         (or (and way (not (eq way (plist-get one :way))))
                                             (plist-get one key)))
                                       all))
                           60))))
    (dolist (one all)
      (if (eq (plist-get one :way) 'planned)
          (cj/net--facts (plist-get one :argv)
                         (lambda (found) (plist-put one :facts found)))
        (cj/net-call (car (plist-get one :argv)) (cdr (plist-get one :argv))
                     (lambda (text) (plist-put one :answer text)))))
    (funcall wait :facts 'planned)
    (dolist (one all)
      (when (plist-get one :facts)
        (let ((plan (cj/gate-plan "net" (plist-get one :argv)
                                  :facts (plist-get one :facts))))
          (plist-put one :host (plist-get (cj/gate-plan-info plan) :host))
          (netlab-turn-now (plist-get one :name))
          (condition-case err
              (cj/gate-run plan (lambda (outcome)
                                  (plist-put one :answer (plist-get outcome :text))))
            (cj/gate-denied (plist-put one :answer (car err)))))))
    (funcall wait :answer)
    (list (netlab-turn-since before)
          (mapcar (lambda (one)
                    (let ((asked (netlab-turn-asked (plist-get one :name))))
                      (list (plist-get one :host) (plist-get one :answer)
                            (netlab-turn-now (plist-get one :name)) asked)))
                  all))))

(defun netlab-turn-check (calls results first then answer)
  "Check the RESULTS of CALLS, whose names changed their address.
FIRST and THEN are the two addresses in order; ANSWER is a regexp for each
answer or condition."
  (should (= (length calls) (length results)))
  (cl-mapc
   (lambda (call result)
     (cl-destructuring-bind (host got now asked) result
       (ert-info ((format "%S: %S" call result))
         (should (string-match-p answer (format "%s" got)))
         ;; The call looked its name up once; the address did change.  A
         ;; diagnosis also asks each DNS server, whose answers lead nowhere.
         (let ((once (if (eq (car call) 'planned) (list first then) (list first))))
           (if (equal (cadr call) "net_diagnose")
               (progn (should (equal (butlast asked (- (length asked) (length once))) once))
                      (should (equal (delete-dups (cdr asked)) (and (cdr asked) (list then)))))
             (should (equal asked once))))
         (should (equal now then))
         (should (equal host (and (eq (car call) 'planned) first))))))
   calls results))

(ert-deftest netlab-a-name-whose-address-changes-leads-only-to-the-judged-address ()
  (lab-network-with
    (let* ((inside '((planned "net_diagnose" "target=%s" "port=80" "inside-outside.a.turn.lab.test")
                     (planned "net_diagnose" "target=%s" "port=80" "external=true"
                              "inside-beside.b.turn.lab.test")
                     (planned "net_services" "host=%s" "ports=80" "inside-outside.c.turn.lab.test")
                     (sent "net_diagnose" "target=%s" "port=80" "inside-outside.d.turn.lab.test")
                     (sent "net_services" "host=%s" "ports=80" "inside-outside.e.turn.lab.test")))
           ;; These first lead to a public address, and nobody has said yes.
           (outside '((planned "net_diagnose" "target=%s" "external=true"
                               "outside-inside.f.turn.lab.test")
                      (planned "net_services" "host=%s" "ports=80" "external=true"
                               "outside-inside.g.turn.lab.test")
                      (sent "net_diagnose" "target=%s" "external=true"
                            "outside-inside.h.turn.lab.test")
                      (sent "net_services" "host=%s" "ports=80" "outside-inside.i.turn.lab.test")))
           (results (lab-network-there
                     `(load ,(expand-file-name "test/lisp/netlab-turn-tests.el" lab-root) nil t)
                     `(mapcar #'netlab-turn-all '(,inside ,outside)))))
      (cl-destructuring-bind (((in out aside) inside-results) ((in2 out2 aside2) outside-results))
          results
        (should (> in 20))
        (should (equal (list out aside) '(0 0)))
        (should (equal (list in2 out2 aside2) '(0 0 0)))
        (cl-loop for (call . result) in (cl-mapcar #'cons inside inside-results)
                 for beside = (string-prefix-p "inside-beside" (car (last call)))
                 do (netlab-turn-check
                     (list call) (list result) netlab-turn-inside
                     (if beside netlab-turn-beside netlab-turn-outside)
                     "TCP 80 is open\\|80/tcp open"))
        (netlab-turn-check outside outside-results netlab-turn-outside netlab-turn-inside
                           "\\`cj/gate-denied\\|\\`\\[net [^ ]+ read \\(?:declined\\|blocked\\)")))))

;;;; By keys

(defun netlab-turn-keys ()
  "Approve, decline and change calls by keys, on the host `cli'.
Return an alist of a step and what was seen then, for the test below."
  (let* ((seen nil) (before (netlab-turn-sent))
         (see (lambda (word value) (push (cons word value) seen)))
         (name "outside-inside.keys.turn.lab.test")
         (lab (lab-start
               (list (lab-ask "net_diagnose" :target name :port 80 :external t)
                     '(:text "first over")
                     (lab-ask "net_services" :host "outside.lab.test" :ports "21-23" :external t)
                     '(:text "second over")
                     (lab-ask "net_services" :host "outside.lab.test" :ports "21-23" :external t)
                     '(:text "third over"))))
         (terminal (lab-terminal-start
                    lab :height 76
                    :init '((require 'cj-net)
                            (setq gptel-tools (cj/net-register))))))
    (unwind-protect
        (progn
          (approval-send terminal "diagnose it")
          (approval-wait terminal)
          (funcall see 'shown (lab-terminal-screen terminal))
          (funcall see 'shown-sent (netlab-turn-since before))
          (funcall see 'turned (netlab-turn-now name))
          (approval-enter terminal)
          (lab-terminal-keys terminal "C-c" "C-c")
          (lab-terminal-wait-told terminal :chat "first over")
          (approval-wait-away terminal)
          (funcall see 'approved (lab-terminal-told terminal :chat))
          (funcall see 'approved-sent (netlab-turn-since before))
          (funcall see 'asked (netlab-turn-asked name))
          ;; The person says no.
          (setq before (netlab-turn-sent))
          (approval-send terminal "scan it")
          (approval-wait terminal)
          (funcall see 'scan-shown (lab-terminal-screen terminal))
          (lab-terminal-keys terminal "C-x" "o" "C-c" "C-k")
          (lab-terminal-wait-told terminal :chat "second over")
          (approval-wait-away terminal)
          (funcall see 'declined (lab-terminal-told terminal :chat))
          (funcall see 'declined-sent (netlab-turn-since before))
          ;; The person changes the host of a call, and then says yes.
          (approval-send terminal "once more")
          (approval-wait terminal)
          (lab-terminal-keys terminal "C-x" "o" "C-c" "C-e")
          (lab-terminal-wait-told terminal :selected "change call")
          (lab-terminal-keys terminal "M-%")
          (lab-terminal-type terminal "outside")
          (lab-terminal-keys terminal "Enter")
          (lab-terminal-type terminal "beside")
          (lab-terminal-keys terminal "Enter" "!" "C-c" "C-c")
          (lab-terminal-wait-screen terminal (regexp-quote netlab-turn-beside))
          (lab-terminal-wait-told terminal :asked "beside")
          (funcall see 'changed-shown (lab-terminal-screen terminal))
          (funcall see 'changed-shown-sent (netlab-turn-since before))
          (approval-M-x terminal "cj/gate-approvals")
          (lab-terminal-wait-told terminal :selected "\\*cj-gate approval\\*")
          (approval-enter terminal)
          (lab-terminal-keys terminal "C-c" "C-c")
          (lab-terminal-wait-told terminal :chat "third over")
          (funcall see 'changed (lab-terminal-told terminal :chat))
          (funcall see 'changed-sent (netlab-turn-since before)))
      (lab-terminal-stop terminal)
      (lab-stop lab))
    seen))

(ert-deftest netlab-after-a-yes-packets-go-only-to-the-address-that-was-shown ()
  (unless (executable-find "tmux")
    (ert-skip "There is no tmux to type through; `make deps' installs it"))
  (lab-network-with
    (let* ((seen (lab-network-there
                  '(require 'lab-approval) '(require 'lab-gptel)
                  `(load ,(expand-file-name "test/lisp/netlab-turn-tests.el" lab-root) nil t)
                  '(netlab-turn-keys)))
           (at (lambda (word) (cdr (or (assq word seen) (error "Nothing seen: %s" word))))))
      ;; The question shows the address and the packets that will be sent.
      (dolist (regexp '("^  Host +93\\.184\\.216\\.34$"
                        "93\\.184\\.216\\.34 is a public address: somebody"
                        "five echo requests" "opens connections to one or two TCP ports"
                        "target=outside-inside\\.keys\\.turn\\.lab\\.test"
                        "ping .*93\\.184\\.216\\.34"
                        "TCP connections to 93\\.184\\.216\\.34, port"))
        (should (string-match-p regexp (funcall at 'shown))))
      (should (equal (funcall at 'shown-sent) '(0 0 0)))
      ;; The address changes while a person reads; packets go to the old one.
      (should (equal (funcall at 'turned) netlab-turn-inside))
      (should (string-match-p "^\\[net 93\\.184\\.216\\.34 read confirmed [^\n]+\n[^\n]+TCP 80 is open ([0-9]+ ms), HTTP answers 200"
                              (funcall at 'approved)))
      (cl-destructuring-bind (inside outside beside) (funcall at 'approved-sent)
        (should (> outside 6))
        (should (equal (list inside beside) '(0 0))))
      ;; The look-up, this test, and each DNS server about both families: the
      ;; answers to the call lead nowhere.
      (should (equal (delete-dups (funcall at 'asked))
                     (list netlab-turn-outside netlab-turn-inside)))
      ;; The declined call.
      (should (string-match-p "tries to connect to each of the ports" (funcall at 'scan-shown)))
      (should (string-match-p "^\\[net 93\\.184\\.216\\.34 read declined " (funcall at 'declined)))
      (should (equal (funcall at 'declined-sent) '(0 0 0)))
      ;; The changed call.
      (should (string-match-p "^  Host +93\\.184\\.216\\.35$" (funcall at 'changed-shown)))
      (should-not (string-match-p "93\\.184\\.216\\.34" (funcall at 'changed-shown)))
      (should (equal (funcall at 'changed-shown-sent) '(0 0 0)))
      (should (string-match-p "^\\[net 93\\.184\\.216\\.35 read confirmed "
                              (funcall at 'changed)))
      (should (string-match-p "A person changed the call" (funcall at 'changed)))
      (cl-destructuring-bind (inside outside beside) (funcall at 'changed-sent)
        (should (> beside 2))
        (should (equal (list inside outside) '(0 0)))))))

(provide 'netlab-turn-tests)

;;; netlab-turn-tests.el ends here
