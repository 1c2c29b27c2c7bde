;;; netlab-networks-tests.el --- Diagnoses in broken networks -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Some of the networks that `make netlab' makes: for each the cause stands on
;; the first line of what net_diagnose says, and nothing in it is false.

;;; Code:

(require 'ert)
(require 'lab-network)

(defun netlab-networks-judge (&rest options)
  "Run diagnoses.py with OPTIONS in this Emacs; signal unless all are right."
  (condition-case err
      (lab-network-run "can")
    (error (ert-skip (concat "The network lab is skipped: "
                             (error-message-string err)))))
  (let ((process-environment
         (cons (concat "EMACS=" (expand-file-name invocation-name
                                                  invocation-directory))
               process-environment)))
    (with-temp-buffer
      (let ((code (apply #'call-process "python3" nil t nil
                         (expand-file-name "test/netlab/diagnoses.py" lab-root)
                         "--quick" "--say" options)))
        (ert-info ((buffer-string))
          (should (equal code 0)))))))

(ert-deftest netlab-networks-causes-are-told-to-root ()
  (netlab-networks-judge))

(ert-deftest netlab-networks-causes-are-told-to-an-ordinary-user ()
  (netlab-networks-judge "--user"))

(provide 'netlab-networks-tests)

;;; netlab-networks-tests.el ends here
