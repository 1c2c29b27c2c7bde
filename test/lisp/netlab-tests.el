;;; netlab-tests.el --- The network tools in the network lab -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The real gptel and the real programs, in the network namespaces of
;; test/netlab/.  A second Emacs runs on the host `cli' there, and every packet
;; that this host sends is counted.  Without root the tests are skipped, with a
;; message.

;;; Code:

(require 'ert)
(require 'lab-network)

;;;; Through gptel

(ert-deftest netlab-a-model-gets-what-each-of-the-five-tools-finds ()
  (lab-network-with
    (let ((results
           (lab-network-there
            '(require 'lab-gptel)
            '(cj/net-register)
            '(lab-with
                 (lab (list (lab-ask "dns_lookup" :name "lab.test" :type "mx")
                            (lab-ask "net_services" :host "web.lab.test" :ports "22,80,443,8081")
                            (lab-ask "net_discover")
                            (lab-ask "net_diagnose" :target "far.lab.test" :port 80)
                            (lab-ask "network_status")
                            '(:text "Done.")))
               (let ((talk (lab-converse lab :tools (cj/net-register) :deadline 90)))
                 (unless (eq (lab-talk-state talk) 'DONE)
                   (error "The request ended %s" (lab-talk-state talk)))
                 (mapcar #'cdr (lab-talk-answers talk)))))))
      (should (= (length results) 5))
      (cl-destructuring-bind (lookup services discover diagnose status) results
        (lab-network-check lookup "lab\\.test read ok"
                             "^lab\\.test has 2 MX records\\.$"
                             "^lab\\.test\\. 60 MX preference 10 mail\\.lab\\.test\\.$")
        (lab-network-check services "10\\.77\\.0\\.80 read ok"
                             "^web\\.lab\\.test (10\\.77\\.0\\.80): 2 of 4 TCP ports open, 1 closed"
                             "^80/tcp open http.*LabWeb/1\\.2"
                             "^443/tcp open https.* over TLS"
                             "^22/tcp closed (reset)$"
                             "^8081/tcp filtered (no-response)$")
        (lab-network-check discover "10\\.77\\.0\\.0/24 read ok"
                             "^10\\.77\\.0\\.0/24: 4 of 256 addresses answer\\.$"
                             "^10\\.77\\.0\\.80 web\\.lab\\.test\\. 02:77:00:00:00:80$")
        (lab-network-check diagnose "192\\.168\\.99\\.9 read ok"
                             "^far\\.lab\\.test (192\\.168\\.99\\.9) is reachable: TCP 80 is open ([0-9]+ ms), HTTP answers 200, first byte after [0-9]+ ms, ping [0-9.]+ ms, DNS [0-9]+ ms\\.$")
        (lab-network-check status "localhost read ok"
                             "^eth0 10\\.77\\.0\\.10/24; default route 10\\.77\\.0\\.1; DNS 10\\.77\\.0\\.53 fd77::53\\.$"
                             "^listeners:\\(?: none\\|\n  tcp\\)"
                             "^connections of NetworkManager: ")))))

;;;; What is broken

(ert-deftest netlab-a-diagnosis-names-the-broken-part-and-the-working-ones ()
  (lab-network-with
    (cl-destructuring-bind (name dead route filtered refused certificate)
        (lab-network-calls '("net_diagnose" "target=nowhere.lab.test")
                             '("net_diagnose" "target=dead.lab.test" "port=443")
                             '("net_diagnose" "target=noroute.lab.test" "port=80")
                             '("net_diagnose" "target=web.lab.test" "port=8081")
                             '("net_diagnose" "target=web.lab.test" "port=81")
                             '("net_diagnose" "target=web.lab.test" "port=8443"))
      (lab-network-check name "nowhere\\.lab\\.test read ok"
                           "^nowhere\\.lab\\.test does not resolve, so nothing was sent to it: the DNS server 10\\.77\\.0\\.53 knows no such name: it does not exist (NXDOMAIN)\\.$")
      (lab-network-check dead "10\\.77\\.0\\.99 read ok"
                           "^dead\\.lab\\.test (10\\.77\\.0\\.99) does not answer ARP on eth0"
                           "^Evidence: 10\\.77\\.0\\.99 does not answer ARP on eth0 now" "^Next: ")
      (lab-network-check route "10\\.99\\.0\\.1 read ok"
                           ;; The router limits its "unreachable" messages, so
                           ;; one of the three programs may not get any.
                           "^noroute\\.lab\\.test (10\\.99\\.0\\.1) cannot be reached: the router 10\\.77\\.0\\.1 says that its network is unreachable")
      (lab-network-check filtered "10\\.77\\.0\\.80 read ok"
                           "gives no answer on TCP 8081, though the host answers ping: a firewall drops it")
      (lab-network-check refused "10\\.77\\.0\\.80 read ok"
                           "^web\\.lab\\.test (10\\.77\\.0\\.80) is up, but TCP 81 is refused: nothing listens on it")
      (lab-network-check certificate "10\\.77\\.0\\.80 read ok"
                           "TCP 8443 is open, but TLS fails: its certificate is self-signed, so it is not trusted"))))

(ert-deftest netlab-without-a-dns-server-a-call-ends-and-says-so ()
  (lab-network-with
    (with-temp-file (expand-file-name "resolv.conf" lab-network-dir)
      (insert "nameserver 10.77.0.99\noptions timeout:1 attempts:1\n"))
    (cl-destructuring-bind (diagnose services lookup)
        (lab-network-calls '("net_diagnose" "target=web.lab.test")
                             '("net_services" "host=web.lab.test")
                             '("dns_lookup" "name=web.lab.test"))
      (lab-network-check diagnose "web\\.lab\\.test read ok"
                           "does not resolve, so nothing was sent to it: the DNS server 10\\.77\\.0\\.99 does not answer ARP")
      (lab-network-check services "- read error network" "web\\.lab\\.test has no address")
      (lab-network-check lookup "web\\.lab\\.test read error network"
                           "No DNS server answers"))))

;;;; Where packets go

(ert-deftest netlab-packets-go-only-to-addresses-that-were-judged ()
  (lab-network-with
    (cl-destructuring-bind (rebind pinned public)
        (lab-network-calls '("net_services" "host=rebind.lab.test" "ports=80")
                             '("net_diagnose" "target=web.lab.test" "port=80")
                             '("net_diagnose" "target=public.lab.test" "external=true"))
      (lab-network-check rebind "- read blocked policy-blocked"
                           "addresses of different kinds")
      (lab-network-check pinned "10\\.77\\.0\\.80 read ok" "HTTP answers 200")
      (lab-network-check public "- read blocked policy-blocked")
      (should (> (lab-network-sent "10.77.0.80") 6))
      (should (zerop (lab-network-sent "198.18.0.80")))
      ;; The IPv6 address was judged with the other one: it gets one connection
      ;; that is closed again, and neither pings nor requests.
      (should (< 0 (lab-network-sent "fd77::80") 7)))))

(ert-deftest netlab-a-call-that-needs-a-person-sends-nothing-in-batch ()
  (lab-network-with
    ;; The lab itself sent packets when it was started.
    (let* ((addresses '("192.168.99.9" "93.184.216.34" "169.254.169.254" "10.77.0.53"))
           (before (mapcar #'lab-network-sent addresses))
           (results
            (lab-network-calls '("net_discover" "subnet=192.168.99.0/28")
                                '("net_diagnose" "target=93.184.216.34" "external=true")
                                '("net_services" "host=169.254.169.254")
                                '("net_services" "host=93.184.216.34")
                                '("dns_lookup" "name=mzxw6ytboi4dcmjzgqztinzx.lab.test"))))
      (cl-destructuring-bind (network public metadata unsaid data) results
        (lab-network-check network "192\\.168\\.99\\.0/28 read declined" "no person can be asked")
        (lab-network-check public "93\\.184\\.216\\.34 read declined")
        (lab-network-check metadata "169\\.254\\.169\\.254 read declined")
        (lab-network-check unsaid "- read blocked policy-blocked" "`external'")
        (lab-network-check data "mzxw[0-9a-z]+\\.lab\\.test read declined"))
      (should (equal (mapcar #'lab-network-sent addresses) before)))))

;;;; What a request costs, and what a person is told

(ert-deftest netlab-the-schema-of-the-tools-is-small ()
  (let* ((form '(progn
                  (require 'cj-net)
                  (require 'gptel)
                  (let ((tools (cl-remove "net_more" (cj/net-register)
                                          :key #'gptel-tool-name :test #'equal)))
                    (cj/gate-count-tokens
                     (gptel--json-encode
                      (gptel--parse-tools (gptel-make-openai "x" :key "k") tools))))))
         (tokens (lab-child '(require 'cl-lib) '(require 'gptel-openai) form)))
    (should (<= 100 tokens 450))))

(ert-deftest netlab-the-preset-gives-a-buffer-the-tools-and-keeps-the-others ()
  (should
   (equal
    (lab-child '(require 'cj-net) '(require 'gptel)
               '(cj/net-register)
               '(gptel-make-tool :name "other" :function #'ignore :category "x"
                                 :description "x")
               '(with-temp-buffer
                  (setq-local gptel-tools (list (gptel-get-tool '("x" "other"))))
                  (gptel--apply-preset 'network
                                       (lambda (symbol value)
                                         (set (make-local-variable symbol) value)))
                  (mapcar #'gptel-tool-name gptel-tools)))
    '("other" "net_diagnose" "net_discover" "net_services" "network_status"
      "dns_lookup" "net_more"))))

(ert-deftest netlab-a-missing-program-is-named-with-the-line-that-installs-it ()
  (let ((checks
         (lab-child '(require 'cj-net-doctor)
                    '(progn
                       (setq-default exec-path '("/nonexistent"))
                       (setq cj/net--more-directories nil)
                       (cj/net-doctor--checks)))))
    (should (= (length checks) 14))
    (dolist (row '(("nmap" fail "\\`Install it .* nmap\\>")
                   ("nmcli" skip "\\`Install it .* network-?manager\\>")))
      (let ((check (cl-find (car row) checks :key #'cadr :test #'equal)))
        (should (eq (car check) (nth 1 row)))
        (should (string-match-p (nth 2 row) (nth 3 check)))))))

;;; netlab-tests.el ends here
