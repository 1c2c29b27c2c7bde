;;; diagnose.el --- Ask net_diagnose, and print its answer -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; emacs -Q --batch -l test/setup/init.el -l test/netlab/diagnose.el WORD...
;;
;; The words are those of a call of net_diagnose, as "target=a.test".  Prints a
;; line of JSON: the milliseconds from the call to its answer, the longest gap
;; of a timer of 5 ms meanwhile, the tokens of the answer, and the answer.

;;; Code:

(require 'cj-net)
(require 'json)

(declare-function cj/net-call "cj-net")
(declare-function cj/gate-count-tokens "ext:cj-gate-module")

(let* ((answer nil) (gap 0.0) (last nil) (begun nil)
       (timer (run-at-time 0 0.005
                           (lambda ()
                             (let ((now (float-time)))
                               (when last (setq gap (max gap (- now last))))
                               (setq last now))))))
  (cj/gate-load-module)
  (setq begun (float-time))
  (cj/net-call "net_diagnose" command-line-args-left (lambda (text) (setq answer text)))
  (while (not answer)
    (accept-process-output nil 0.005))
  (setq command-line-args-left nil)
  (cancel-timer timer)
  (princ (json-encode `((ms . ,(round (* 1000 (- (float-time) begun))))
                        (gap . ,(round (* 1000 gap)))
                        (tokens . ,(cj/gate-count-tokens answer))
                        (text . ,answer))))
  (terpri))

;;; diagnose.el ends here
