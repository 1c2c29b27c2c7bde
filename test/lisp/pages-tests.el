;;; pages-tests.el --- Lists of several pages, read page by page -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; gh_api_get with `pages', and gh api --paginate through the tool gh, with the
;; real gh: the requests, the bounds, and what the first line says is left.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-tools)
(require 'cj-gh-tools)

(defun pages-tests--row (path page next last &rest answer)
  "Return the row for PAGE of PATH, whose header Link names NEXT and LAST.
PAGE, NEXT and LAST are numbers or nil; ANSWER are further members of the row."
  (let ((links (append
                (and next (list (format "<{api}/repositories/77/x?per_page=100&page=%d>; rel=\"next\""
                                        next)))
                (and last (list (format "<{api}/repositories/77/x?per_page=100&page=%d>; rel=\"last\""
                                        last))))))
    (append (list :path path)
            (and page (list :query (format "&page=%d" page)))
            (and links (list :headers (list :Link (string-join links ", "))))
            answer)))

(defconst pages-tests--world
  (let ((heavy (vconcat (make-list 3 (list :body (make-string 15000 ?x))))))
    (list
     :rest
     (vconcat
      (list
       (pages-tests--row "repos/o/r/labels" 3 nil nil :body [(:name "e")])
       (pages-tests--row "repos/o/r/labels" 2 3 3 :body [(:name "c") (:name "d")])
       (pages-tests--row "repos/o/r/labels" nil 2 3 :body [(:name "a") (:name "b")])
       (pages-tests--row "repos/o/r/actions/runs" 2 nil nil
                         :body '(:total_count 3 :workflow_runs [(:id 3)]))
       (pages-tests--row "repos/o/r/actions/runs" nil 2 2
                         :body '(:total_count 3 :workflow_runs [(:id 1) (:id 2)]))
       (pages-tests--row "repos/o/r/tags" 2 3 3 :status 500 :body '(:message "Oops"))
       (pages-tests--row "repos/o/r/tags" nil 2 3 :body [(:name "v1")])
       ;; The next page is always page 2: without a bound this would go on for ever.
       (pages-tests--row "repos/o/r/commits" nil 2 nil :body [(:sha "1")])
       (pages-tests--row "repos/o/r/forks" nil 2 3 :body heavy)
       '(:path "repos/o/r/stargazers" :body [(:login "a")]
               :headers (:Link "<https://evil.example/repos/o/r/stargazers?page=2>; rel=\"next\""))
       ;; Another path of the same host: only the page is taken from it.
       '(:path "repos/o/r/keys" :query "&page=2" :body [(:id 2)])
       '(:path "repos/o/r/keys" :body [(:id 1)]
               :headers (:Link "<https://api.github.com/user/emails?page=2&visibility=all>; rel=\"next\""))))))
  "A world with lists of several pages.")

(defun pages-tests--requests (lab)
  "Return the requests that LAB has seen, each as PATH?QUERY."
  (mapcar (lambda (request)
            (should (member (plist-get request :method) '("GET")))
            (should (equal (plist-get request :http_host) "api.github.com"))
            (concat (plist-get request :path) "?" (plist-get request :query)))
          (lab-requests lab)))

(defun pages-tests--each (call text requests)
  "Check CALL, (TOOL KEY VALUE...), with each gh: its TEXT and its REQUESTS.
TEXT is compared as a whole, or if it is a list, each of its strings must occur."
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info ((format "%s: %S" version call))
      (lab-with (lab (list (tools-tests--turn (list call))) pages-tests--world)
        (let* ((cj/gh-executable gh)
               (cj/gate-result-budget 8000)
               (answer (car (tools-tests--ask lab (list call)))))
          (should (equal (seq-take (cdr (lab-header answer)) 2) '("read" "ok")))
          (if (stringp text)
              (should (equal (tools-tests--text answer) text))
            (dolist (part text)
              (should (string-search part answer))))
          (should (equal (pages-tests--requests lab) requests)))))))

(ert-deftest pages-are-joined-up-to-the-number-asked-for ()
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/labels" :pages 2)
                     (tools-tests--lines "[page 1 to 2 of 3; 4 entries]"
                                         "[" "{\"name\":\"a\"}," "{\"name\":\"b\"},"
                                         "{\"name\":\"c\"}," "{\"name\":\"d\"}" "]")
                     '("/repos/o/r/labels?per_page=100" "/repos/o/r/labels?per_page=100&page=2"))
  (pages-tests--each '("gh_api_get" :endpoint "/repos/o/r/labels?q=1&per_page=2" :pages 10)
                     '("]\n[page 1 to 3 of 3; 5 entries]\n[\n" "\n{\"name\":\"e\"}\n]")
                     '("/repos/o/r/labels?q=1&per_page=2"
                       "/repos/o/r/labels?q=1&per_page=2&page=2"
                       "/repos/o/r/labels?q=1&per_page=2&page=3")))

(ert-deftest pages-of-counted-lists-say-the-total ()
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/actions/runs" :pages 3)
                     (tools-tests--lines "[page 1 to 2 of 2; 3 of 3 workflow_runs]"
                                         "[" "{\"id\":1}," "{\"id\":2}," "{\"id\":3}" "]")
                     '("/repos/o/r/actions/runs?per_page=100"
                       "/repos/o/r/actions/runs?per_page=100&page=2")))

(ert-deftest pages-one-page-is-the-plain-read-that-it-was ()
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/labels" :pages 1)
                     '("[{\"name\":\"a\"},{\"name\":\"b\"}]")
                     '("/repos/o/r/labels?")))

(ert-deftest pages-that-never-end-are-ten ()
  (pages-tests--each '("gh" :args ["api" "--paginate" "repos/o/r/commits"])
                     '("]\n[10 pages read, more follow; 10 entries]")
                     (cons "/repos/o/r/commits?per_page=100"
                           (make-list 9 "/repos/o/r/commits?per_page=100&page=2"))))

(ert-deftest pages-that-fail-leave-what-was-read-and-name-the-gap ()
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/tags" :pages 3)
                     '("]\n[page 1 of 3; 1 entry; page 2 could not be read (" "]\n[\n{\"name\":\"v1\"}\n]")
                     '("/repos/o/r/tags?per_page=100" "/repos/o/r/tags?per_page=100&page=2")))

(ert-deftest pages-end-where-the-text-is-64-kb-long ()
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/forks" :pages 3)
                     '("page 1 to 2 of 3; 4 entries; 64 KB hold 1 of the 3 entries of page 2]")
                     '("/repos/o/r/forks?per_page=100" "/repos/o/r/forks?per_page=100&page=2")))

(ert-deftest pages-elsewhere-are-not-followed ()
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/stargazers" :pages 3)
                     '("[1 page read, more follow; 1 entry; the answer names its next page elsewhere, which is not followed]")
                     '("/repos/o/r/stargazers?per_page=100"))
  (pages-tests--each '("gh_api_get" :endpoint "repos/o/r/keys" :pages 3)
                     '("[page 1 to 2 of 2; 2 entries]")
                     '("/repos/o/r/keys?per_page=100" "/repos/o/r/keys?per_page=100&page=2")))

(ert-deftest pages-of-a-raw-paginate-are-bounded-and-keep-their-filter ()
  (pages-tests--each '("gh" :args ["api" "repos/{owner}/{repo}/labels" "--paginate"
                                   "--jq" ".[].name"]
                       :repo "o/r")
                     (tools-tests--lines "[page 1 to 3 of 3]" "a" "b" "c" "d" "e")
                     '("/repos/o/r/labels?per_page=100" "/repos/o/r/labels?per_page=100&page=2"
                       "/repos/o/r/labels?per_page=100&page=3"))
  (let ((calls '(("gh" :args ["api" "graphql" "--paginate" "-f" "query={viewer{login}}"])
                 ("gh" :args ["api" "--paginate" "repos/o/r/labels" "--slurp"])
                 ("gh" :args ["api" "--paginate" "repos/o/r/labels" "-f" "a=b"]))))
    (lab-with (lab (list (tools-tests--turn calls)) pages-tests--world)
      (dolist (answer (tools-tests--ask lab calls))
        (should (equal (nth 2 (lab-header answer)) "blocked policy-blocked")))
      (should-not (lab-requests lab)))))

(ert-deftest pages-stay-on-the-host-that-was-named ()
  (dolist (call '(("gh" :args ["api" "--paginate" "repos/o/r/labels"
                               "--hostname" "ghe.example.com"])
                  ("gh_api_get" :endpoint "repos/o/r/labels" :pages 3
                   :hostname "ghe.example.com")))
    (lab-with (lab (list (tools-tests--turn (list call))) pages-tests--world)
      (should (string-search "]\n[page 1 to 3 of 3; 5 entries]"
                             (car (tools-tests--ask lab (list call)))))
      (should (equal (mapcar (lambda (request)
                               (list (plist-get request :http_host)
                                     (plist-get request :query)))
                             (lab-requests lab))
                     '(("ghe.example.com" "per_page=100")
                       ("ghe.example.com" "per_page=100&page=2")
                       ("ghe.example.com" "per_page=100&page=3")))))))

(ert-deftest pages-a-list-of-three-hundred-is-read-whole ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info (version)
      (let ((call '("gh_issue_list" :repo "big/r" :limit 1000)))
        (lab-with (lab (list (tools-tests--turn (list call)))
                       (list :repos
                             (list :big/r
                                   (list :issues
                                         (list :totalCount 400
                                               :nodes
                                               (vconcat
                                                (mapcar (lambda (n)
                                                          (list :number n :title
                                                                (format "Issue %d %s" n
                                                                        (make-string 60 ?t))))
                                                        (number-sequence 1 400))))))))
          (let* ((cj/gh-executable gh)
                 (cj/gate-result-budget 8000)
                 (answer (car (tools-tests--ask lab (list call)))))
            (should (string-search "\n300/400 open issues\n" answer))
            (should (member "cut" (lab-header answer)))
            (should (string-match-p "gh_more handle=" answer))))))))

(provide 'pages-tests)

;;; pages-tests.el ends here
