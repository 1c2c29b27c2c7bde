;;; branch-tests.el --- A branch's name in the path of a request -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Git allows branch names with characters that mean something in a URL, such as
;; fix/#12, and a model may ask for a name that git forbids, such as
;; x/../../user.  Each name must become exactly one segment of a path.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'lab-support)
(require 'cj-gh-tools)

(defconst branch-tests--names
  '(("fix/#12" "fix%2F%2312")
    ("50%" "50%25")
    ("50%2F" "50%252F")
    ("why?x=1&y" "why%3Fx%3D1%26y")
    ("a b" "a%20b")
    ("zweig-ü-日本" "zweig-%C3%BC-%E6%97%A5%E6%9C%AC")
    ("{owner}" "%7Bowner%7D")
    (":repo" "%3Arepo")
    ("x/../../../../user" "x%2F..%2F..%2F..%2F..%2Fuser"))
  "Rows of the name of a branch and its segment in the path of the request.")

(ert-deftest branch-names-are-percent-encoded-into-one-path-segment ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (lab-with (lab)
      (let ((cj/gh-executable gh))
        (pcase-dolist (`(,branch ,_) branch-tests--names)
          (let ((answer nil))
            (cj/gh-tool-repo-view (lambda (text) (setq answer text)) branch nil "o/r")
            (lab-wait (lambda () answer))
            (ert-info ((format "gh %s, %s: %s" version branch answer))
              (should (string-match-p (format "^branch %s: 0011223$" (regexp-quote branch))
                                      answer)))))
        (should (equal (cl-remove "/graphql" (mapcar (lambda (request) (plist-get request :path))
                                                     (lab-requests lab))
                                  :test #'equal)
                       (mapcar (lambda (row) (concat "/repos/o/r/branches/" (cadr row)))
                               branch-tests--names)))))))

(provide 'branch-tests)

;;; branch-tests.el ends here
