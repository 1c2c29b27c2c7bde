;;; search-tests.el --- The searches, end to end -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A table with a row for each rule of a search: a call that a model makes, and
;; the one request that GitHub sees or the error that the model gets.  Each call
;; is made with each gh, in one of three directories: without a repository, in a
;; checkout of acme/site on github.com, and in one on an enterprise host.

;;; Code:

(require 'ert)
(require 'lab-tools)
(require 'cj-gh-tools)

;;;; One request for each search

(defconst search-tests--requests
  '(;; The endpoints, and what each search adds to the query.
    ("search_prs: the query, then is:pr" nil
     ("gh_search_prs" :query "rows cut") "issues" "rows cut is:pr")
    ("search_issues: the query, then is:issue" nil
     ("gh_search_issues" :query "rows cut") "issues" "rows cut is:issue")
    ("search_code" nil ("gh_search" :kind "code" :query "fn read") "code" "fn read")
    ("search_commits" nil ("gh_search" :kind "commits" :query "quote") "commits" "quote")
    ("search_repos" nil
     ("gh_search" :kind "repos" :query "csv language:rust") "repositories" "csv language:rust")
    ("a query is sent as it is written" nil
     ("gh_search_issues" :query "  \"two words\" -x label:\"a b\" @y #7 100%\n&q=1 ")
     "issues" "\"two words\" -x label:\"a b\" @y #7 100% &q=1 is:issue")
    ;; The repository.
    ("repo defaults to that of the checkout" checkout
     ("gh_search_prs" :query "rows") "issues" "rows repo:acme/site is:pr" :at "github.com/acme/site")
    ("repo defaults to that of the checkout: issues" checkout
     ("gh_search_issues" :query "rows") "issues" "rows repo:acme/site is:issue"
     :at "github.com/acme/site")
    ("repo defaults to that of the checkout: code" checkout
     ("gh_search" :kind "code" :query "rows") "code" "rows repo:acme/site"
     :at "github.com/acme/site")
    ("repo defaults to that of the checkout: commits" checkout
     ("gh_search" :kind "commits" :query "rows") "commits" "rows repo:acme/site"
     :at "github.com/acme/site")
    ("without a repository here, the whole host is searched" nil
     ("gh_search" :kind "code" :query "rows") "code" "rows")
    ("the repository of a checkout on an enterprise host" enterprise
     ("gh_search_issues" :query "rows") "issues" "rows repo:team/tool is:issue"
     :at "ghe.example.com/team/tool")
    ("an argument `repo' beats the checkout" checkout
     ("gh_search_issues" :query "rows" :repo "o/r") "issues" "rows repo:o/r is:issue"
     :at "github.com/o/r")
    ("`repo' names its host too" checkout
     ("gh_search" :kind "code" :query "rows" :repo "ghe.example.com/o/r") "code" "rows repo:o/r"
     :at "ghe.example.com/o/r")
    ("`hostname' alone: the whole host, where the checkout has another" checkout
     ("gh_search_prs" :query "rows" :hostname "ghe.example.com") "issues" "rows is:pr"
     :at "ghe.example.com")
    ("`hostname' and `repo'" nil
     ("gh_search_prs" :query "rows" :hostname "ghe.example.com" :repo "o/r")
     "issues" "rows repo:o/r is:pr" :at "ghe.example.com/o/r")
    ("repo: in the query takes the default's place" checkout
     ("gh_search_prs" :query "rows repo:o/r") "issues" "rows repo:o/r is:pr")
    ("org: in the query takes the default's place" checkout
     ("gh_search_issues" :query "org:acme rows") "issues" "org:acme rows is:issue")
    ("user: in the query takes the default's place" checkout
     ("gh_search" :kind "code" :query "rows user:mona") "code" "rows user:mona")
    ("owner: in the query takes the default's place" checkout
     ("gh_search" :kind "commits" :query "owner:mona rows") "commits" "owner:mona rows")
    ("a negated repo: in the query takes the default's place" checkout
     ("gh_search_prs" :query "rows -repo:acme/site") "issues" "rows -repo:acme/site is:pr")
    ("repo: in a quoted phrase does not" checkout
     ("gh_search_prs" :query "\"see repo:o/r here\"")
     "issues" "\"see repo:o/r here\" repo:acme/site is:pr" :at "github.com/acme/site")
    ("`repo' and the same repo: in the query" checkout
     ("gh_search_prs" :query "repo:o/r rows" :repo "o/r") "issues" "repo:o/r rows repo:o/r is:pr"
     :at "github.com/o/r")
    ("search_repos never forwards `repo'" nil
     ("gh_search" :kind "repos" :query "csv" :repo "o/r") "repositories" "csv")
    ("search_repos does not take that of the checkout" checkout
     ("gh_search" :kind "repos" :query "csv") "repositories" "csv")
    ("search_repos goes to the host of the checkout" enterprise
     ("gh_search" :kind "repos" :query "csv") "repositories" "csv" :at "ghe.example.com")
    ;; The query can be absent.
    ("query is optional: issues" checkout
     ("gh_search_issues") "issues" "repo:acme/site is:issue" :at "github.com/acme/site")
    ("query is optional: pull requests" nil ("gh_search_prs" :query " ") "issues" "is:pr")
    ("query is optional: commits" checkout
     ("gh_search" :kind "commits") "commits" "repo:acme/site" :at "github.com/acme/site")
    ("query is optional: repositories with a date" nil
     ("gh_search" :kind "repos" :since "2020-01-02") "repositories" "created:>=2020-01-02")
    ;; Dates.
    ("since: days" nil ("gh_search_prs" :since "3d") "issues" "created:>=<3.0> is:pr")
    ("since: hours" nil ("gh_search_prs" :since "12h") "issues" "created:>=<0.5> is:pr")
    ("since: weeks" nil ("gh_search_prs" :since "2w") "issues" "created:>=<14.0> is:pr")
    ("since and until" nil
     ("gh_search_issues" :query "x" :since "2w" :until "3d")
     "issues" "x created:<14.0>..<3.0> is:issue")
    ("until: a date" nil
     ("gh_search_issues" :query "x" :until "2020-01-02") "issues" "x created:<=2020-01-02 is:issue")
    ("dates are kept" nil
     ("gh_search_issues" :query "x" :since "2020-01-02" :until "2020-01-02")
     "issues" "x created:2020-01-02..2020-01-02 is:issue")
    ("a time with its zone is sent as UTC" nil
     ("gh_search_issues" :query "x" :since "2020-01-02T01:00:00+02:00" :until "2020-01-02T09:00Z")
     "issues" "x created:2020-01-01T23:00:00Z..2020-01-02T09:00:00Z is:issue")
    ("date_field: updated" nil
     ("gh_search_prs" :since "2020-01-02" :date_field "updated")
     "issues" "updated:>=2020-01-02 is:pr")
    ("date_field: created is the default" nil
     ("gh_search_prs" :since "2020-01-02" :date_field "created")
     "issues" "created:>=2020-01-02 is:pr")
    ("date_field of repositories: updated is pushed" nil
     ("gh_search" :kind "repos" :query "csv" :since "2020-01-02" :date_field "updated")
     "repositories" "csv pushed:>=2020-01-02")
    ("date_field of repositories: created" nil
     ("gh_search" :kind "repos" :query "csv" :until "2020-01-02")
     "repositories" "csv created:<=2020-01-02")
    ("commits have one date" nil
     ("gh_search" :kind "commits" :query "x" :since "2020-01-02" :date_field "updated")
     "commits" "x committer-date:>=2020-01-02")
    ("commits have one date: created" nil
     ("gh_search" :kind "commits" :query "y" :since "2020-01-02" :date_field "created")
     "commits" "y committer-date:>=2020-01-02")
    ("date_field without a date is ignored, for code too" nil
     ("gh_search" :kind "code" :query "x" :date_field "updated") "code" "x")
    ;; Author and label.
    ("author" nil ("gh_search_prs" :author "mona") "issues" "author:mona is:pr")
    ("author: @me, of commits" nil
     ("gh_search" :kind "commits" :author "@me") "commits" "author:@me")
    ("label: quoted" nil
     ("gh_search_issues" :query "x" :label "good first issue")
     "issues" "x label:\"good first issue\" is:issue")
    ("label: several" nil
     ("gh_search_issues" :query "x" :label "bug, ui")
     "issues" "x label:\"bug\" label:\"ui\" is:issue")
    ("label: a qualifier in it is a part of its name" checkout
     ("gh_search_issues" :query "x" :label "repo:evil/r")
     "issues" "x repo:acme/site label:\"repo:evil/r\" is:issue" :at "github.com/acme/site")
    ("label: a quote in it is escaped" nil
     ("gh_search_issues" :query "x" :label "5\"disk")
     "issues" "x label:\"5\\\"disk\" is:issue")
    ("an OR of the query does not pass over the repository" checkout
     ("gh_search_issues" :query "a OR b") "issues" "(a OR b) repo:acme/site is:issue"
     :at "github.com/acme/site")
    ;; The limit.
    ("limit: 10 by default" nil ("gh_search_prs" :query "limit") "issues" "limit is:pr" :limit 10)
    ("limit: at most 50" nil
     ("gh_search_prs" :query "limit" :limit 51) "issues" "limit is:pr" :limit 50)
    ("limit: at most 50, whatever is asked for" nil
     ("gh_search" :kind "repos" :query "limit" :limit 100000)
     "repositories" "limit" :limit 50)
    ("limit: rounded down" nil
     ("gh_search" :kind "code" :query "limit" :limit 10.7) "code" "limit" :limit 10)
    ("limit: as a string" nil
     ("gh_search_issues" :query "limit" :limit "7") "issues" "limit is:issue" :limit 7)
    ("limit: one" nil
     ("gh_search" :kind "commits" :query "limit" :limit 1) "commits" "limit" :limit 1))
  "Rows (RULE WHERE CALL ENDPOINT TEXT . KEYS).
A CALL in the directory WHERE makes one request, to search/ENDPOINT, with TEXT
as q.  A time that is before now by less than 20 days is <DAYS> in TEXT.  KEYS
are :limit, the entries of a page (10), and :at, the target in the first line of
the result (github.com).")

(defun search-tests--directory (lab where)
  "Return the directory WHERE of the table, made in LAB."
  (pcase-exhaustive where
    ('nil (file-name-as-directory (lab-home lab)))
    ('checkout (lab-checkout lab "site" "https://github.com/acme/site.git"))
    ('enterprise (lab-checkout lab "tool" "git@ghe.example.com:team/tool.git"))))

(defun search-tests--reckoned (text)
  "Return TEXT with each time of the last 20 days as <DAYS>."
  (replace-regexp-in-string
   "[0-9]\\{4\\}-[0-9][0-9]-[0-9][0-9]T[0-9:]\\{8\\}Z"
   (lambda (stamp)
     (let ((days (save-match-data
                   (/ (float-time (time-subtract nil (date-to-time stamp))) 86400.0))))
       (if (< days 20) (format "<%.1f>" days) stamp)))
   text t t))

(defun search-tests--asked (request)
  "Return what REQUEST asks for, a list (HOST PATH Q PER-PAGE)."
  (let ((query (mapcar (lambda (pair)
                         (let ((at (string-search "=" pair)))
                           (cons (substring pair 0 at)
                                 (decode-coding-string
                                  (url-unhex-string
                                   (string-replace "+" " " (substring pair (1+ at))))
                                  'utf-8))))
                       (split-string (plist-get request :query) "&"))))
    (should (equal (plist-get request :method) "GET"))
    (should (equal (sort (mapcar #'car query) #'string<) '("per_page" "q")))
    (list (plist-get request :http_host) (plist-get request :path)
          (search-tests--reckoned (cdr (assoc "q" query)))
          (cdr (assoc "per_page" query)))))

(defun search-tests--expected (row)
  "Return the request that ROW of the table makes, as `search-tests--asked'."
  (pcase-let* ((`(,_ ,_ ,_ ,endpoint ,text . ,keys) row)
               (enterprise (string-prefix-p "ghe." (or (plist-get keys :at) ""))))
    (list (if enterprise "ghe.example.com" "api.github.com")
          (concat (if enterprise "/api/v3" "") "/search/" endpoint)
          text
          (number-to-string (or (plist-get keys :limit) 10)))))

(defun search-tests--by-text (requests)
  "Return REQUESTS, lists of strings, sorted."
  (sort (copy-sequence requests)
        (lambda (a b) (string< (prin1-to-string a) (prin1-to-string b)))))

(defmacro search-tests--in-each (rows &rest body)
  "Run BODY for each gh and directory, after the calls of ROWS there.
In BODY, `rows' are those of the directory, `answers' their answers, and `lab'
is the lab."
  (declare (indent 1))
  `(pcase-dolist (`(,version . ,gh) (lab-ghs))
     (dolist (where '(nil checkout enterprise))
       (when-let* ((rows (cl-remove-if-not (lambda (row) (eq (nth 1 row) where)) ,rows))
                   (calls (mapcar (lambda (row) (nth 2 row)) rows)))
         (ert-info ((format "gh %s, %s" version where))
           (lab-with (lab (list (tools-tests--turn calls)))
             (let* ((cj/gh-executable gh)
                    (answers (tools-tests--ask
                              lab calls :cwd (search-tests--directory lab where))))
               ,@body)))))))

(ert-deftest search-each-call-makes-the-one-request-of-its-row ()
  (search-tests--in-each search-tests--requests
    (cl-loop for row in rows for answer in answers
             do (ert-info ((format "%s: %s" (car row) answer))
                  (should (equal (lab-header answer)
                                 (list (or (plist-get (nthcdr 5 row) :at) "github.com")
                                       "read" "ok")))))
    (should (equal (search-tests--by-text (mapcar #'search-tests--asked (lab-requests lab)))
                   (search-tests--by-text (mapcar #'search-tests--expected rows))))))

(ert-deftest search-months-and-years-are-those-of-the-calendar ()
  (tools-tests--with (answers '(("gh_search_prs" :query "mo" :since "2mo")
                                ("gh_search_prs" :query "y" :since "1Y"))
                              nil lab)
    (should (cl-every (lambda (answer) (equal (nth 2 (lab-header answer)) "ok")) answers))
    (dolist (request (lab-requests lab))
      (let* ((text (nth 2 (search-tests--asked request)))
             (stamp (and (string-match "created:>=\\([-0-9T:]+Z\\) " text)
                         (match-string 1 text)))
             (days (/ (float-time (time-subtract nil (date-to-time stamp))) 86400.0)))
        (should (if (string-prefix-p "mo" text) (< 58.9 days 62.1) (< 364.9 days 366.1)))))))

;;;; Errors before any request

(defconst search-tests--errors
  `(("search_code needs a query" nil ("gh_search" :kind "code")
     "A search for code needs `query'")
    ("search_code needs more than blanks" checkout ("gh_search" :kind "code" :query " \n ")
     "A search for code needs `query'")
    ("search_repos without query, since and until" checkout ("gh_search" :kind "repos")
     "needs `query', `since' or `until'")
    ("search_commits with nothing at all" nil ("gh_search" :kind "commits")
     "nothing to search for")
    ("kind is required" nil ("gh_search" :query "x") "`kind' must be given")
    ("kind is one of three" nil ("gh_search" :kind "users" :query "x")
     "`kind' must be one of code, commits, repos")
    ("since is refused for code" nil ("gh_search" :kind "code" :query "x" :since "3d")
     "code search knows no dates")
    ("until is refused for code" nil ("gh_search" :kind "code" :query "x" :until "2020-01-01")
     "code search knows no dates")
    ("since is after until" nil ("gh_search_prs" :since "1d" :until "2d")
     "`since' (.*) is after `until'")
    ("since is after until: dates" nil
     ("gh_search_issues" :since "2020-01-02" :until "2020-01-01") "is after `until'")
    ("since without a unit" nil ("gh_search_prs" :since "3") "`since' is no date")
    ("since in words" nil ("gh_search_prs" :since "yesterday") "`since' is no date")
    ("until is checked as well" nil ("gh_search_prs" :until "2020-02-30") "`until' is no date")
    ("m alone could be minutes or months" nil ("gh_search_prs" :since "3m")
     "minutes or months")
    ("a time needs its zone" nil ("gh_search_prs" :since "2020-01-02T09:00:00")
     "`since' has no zone")
    ("a bound before Git" nil ("gh_search_prs" :since "900y") "before the year 1970")
    ("date_field is one of two" nil ("gh_search_prs" :since "3d" :date_field "closed")
     "`date_field' must be one of created, updated")
    ("limit: zero" nil ("gh_search_prs" :limit 0) "`limit' must be greater than zero")
    ("limit: zero in a string" nil ("gh_search_issues" :limit "0") "greater than zero")
    ("limit: rounded down to zero" nil ("gh_search" :kind "code" :query "x" :limit 0.9)
     "greater than zero")
    ("limit: below zero" nil ("gh_search" :kind "repos" :query "x" :limit -5)
     "greater than zero")
    ("limit: no number" nil ("gh_search_prs" :limit "many") "`limit' must be a number")
    ("limit: no number but a list" nil ("gh_search_prs" :limit [10]) "`limit' must be a number")
    ("author of code" nil ("gh_search" :kind "code" :query "x" :author "mona")
     "code search knows no authors")
    ("author of repositories" nil ("gh_search" :kind "repos" :query "x" :author "mona")
     "has an owner and no author")
    ("repo and query that look in different places" checkout
     ("gh_search_prs" :query "repo:evil/r" :repo "o/r") "Both `repo' and `query'")
    ("repo that names no repository" nil ("gh_search_prs" :query "x" :repo "acme")
     "does not name a repository")
    ("a host that is not known" nil ("gh_search_prs" :query "x" :hostname "evil.example")
     "not a known host")
    ("a repository of a host that is not known" nil
     ("gh_search" :kind "repos" :query "x" :repo "evil.example/o/r") "not a known host")
    ("repo and hostname that contradict each other" nil
     ("gh_search_prs" :query "x" :repo "github.com/o/r" :hostname "ghe.example.com")
     "names the host twice")
    ;; Values that would become more than one word of the search.
    ,@(mapcar (lambda (value)
                (list (format "hostile author %S" value) 'checkout
                      (list "gh_search_prs" :query "x" :author value) "`author' is no login"))
              '("mona repo:evil/r" "mona\nrepo:evil/r" "mona\" repo:evil/r" "\"" "-x" "a:b"))
    ,@(mapcar (lambda (value)
                (list (format "hostile label %S" value) 'checkout
                      (list "gh_search_issues" :query "x" :label value) "`label' holds"))
              '("bug\" repo:evil/r" "bug\nrepo:evil/r" "a\\\" OR \"b" "a\"b:c" "a\u0007b"))
    ,@(mapcar (lambda (value)
                (list (format "hostile date %S" value) 'checkout
                      (list "gh_search_prs" :query "x" :since value) "`since' is no date"))
              '("3d repo:evil/r" "3d\nrepo:evil/r" "2020-01-01..* repo:evil/r" "\"3d\"" "*"))
    ("an open quote would swallow the repository" checkout
     ("gh_search_prs" :query "say \"hello") "quote in `query' is open")
    ("brackets would let an OR pass over the repository" checkout
     ("gh_search_prs" :query "a) OR (b") "brackets in `query' are not in pairs"))
  "Rows (RULE WHERE CALL REGEXP): the CALL gets an error that matches REGEXP.")

(ert-deftest search-each-wrong-call-gets-the-error-of-its-row-and-asks-nothing ()
  (search-tests--in-each search-tests--errors
    (cl-loop for row in rows for answer in answers
             do (ert-info ((format "%s: %s" (car row) answer))
                  (should (string-match-p "\\`\\(?:error bad-argument\\|blocked policy-blocked\\)\\'"
                                          (nth 2 (lab-header answer))))
                  (should (string-match-p (nth 3 row) (tools-tests--text answer)))
                  ;; What is wrong, and what to do.
                  (should (= 2 (length (cdr (split-string (string-trim answer) "\n")))))))
    (should-not (lab-requests lab))))

;;;; What the model reads

(defun search-tests--text (answer)
  "Return the text of ANSWER below its header, with each age as AGE."
  (replace-regexp-in-string "\\(updated\\|pushed\\) [0-9]+[a-z]+" "\\1 AGE"
                            (tools-tests--text answer)))

(defun search-tests--rows (path body &rest keys)
  "Return a world whose answer to the search at PATH is BODY, with KEYS."
  (list :rest (vector (append (list :path (concat "search/" path) :body body) keys))))

(ert-deftest search-each-kind-shows-its-rows-and-the-total ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info ((format "gh %s" version))
      (let ((calls '(("gh_search_prs" :query "x")
                     ("gh_search_prs" :repo "o/r")
                     ("gh_search_issues" :query "x" :since "2020-01-01" :date_field "updated")
                     ("gh_search_prs" :repo "many/r" :limit 5)
                     ("gh_search" :kind "code" :query "read")
                     ("gh_search" :kind "code" :query "read" :repo "o/r")
                     ("gh_search" :kind "commits" :query "quote")
                     ("gh_search" :kind "commits" :repo "o/r")
                     ("gh_search" :kind "repos" :query "csv"))))
        (lab-with (lab (list (tools-tests--turn calls)))
          (let* ((cj/gh-executable gh)
                 (answers (tools-tests--ask lab calls)))
            (should (equal (mapcar #'search-tests--text answers)
                           (list
                            (tools-tests--lines
                             "1/1 open pull requests"
                             "o/r#1 Read quoted fields with line breaks · mona · AGE · [bug]")
                            (tools-tests--lines
                             "1/1 open pull requests"
                             "#1 Read quoted fields with line breaks · mona · AGE · [bug]")
                            (tools-tests--lines
                             "1/1 open issues"
                             "o/r#2 Rows with line breaks are cut in two · mona · updated AGE · [bug]")
                            (tools-tests--lines
                             "5/8771 pull requests, these open"
                             "#1 Result 1 · mona · AGE · [bug]"
                             "#2 Result 2 · mona · AGE · [bug]"
                             "#3 Result 3 · mona · AGE · [bug]"
                             "#4 Result 4 · mona · AGE · [bug]"
                             "#5 Result 5 · mona · AGE · [bug]")
                            (tools-tests--lines
                             "1/1 files" "- src/reader.rs@main · o/r · fn read()")
                            (tools-tests--lines
                             "1/1 files" "- src/reader.rs@main · fn read()")
                            (tools-tests--lines
                             "1/1 commits"
                             "- 1f2e3d4 Keep reading until the quote closes · mona · AGE · o/r")
                            (tools-tests--lines
                             "1/1 commits"
                             "- 1f2e3d4 Keep reading until the quote closes · mona · AGE")
                            (tools-tests--lines
                             "1/1 repositories"
                             "- o/r Reads and writes tables of text · Rust · 42 stars · 3 forks · 2 open issues · pushed AGE"))))
            ;; A full page needs no further request for its total.
            (should (= (length calls) (length (lab-requests lab))))))))))

(ert-deftest search-code-asks-for-the-places-in-a-file-and-shows-the-line-of-the-first ()
  (tools-tests--with
      (answers '(("gh_search" :kind "code" :query "needle"))
               (search-tests--rows
                "code"
                `(:total_count 12 :incomplete_results :false
                  :items [(:path "a/b.rs" :sha "ffff"
                           :html_url "https://github.com/o/r/blob/0123456789abcdef/a/b.rs"
                           :repository (:full_name "o/r")
                           :text_matches [(:property "path" :fragment "a/b.rs" :matches [(:text "b")])
                                          (:property "content"
                                           :fragment "fn one() {\n\tfind(needle);\n}\nneedle"
                                           :matches [(:text "needle" :indices [17 23])])])
                          (:path "needle.txt" :html_url "https://github.com/o/r/blob/0123456789abcdef/needle.txt"
                           :repository (:full_name "o/r")
                           :text_matches [(:property "path" :fragment "needle.txt"
                                           :matches [(:text "needle")])])])
                ;; Without this media type GitHub names no places.
                :accept "application/vnd.github.text-match+json"))
    (should (equal (tools-tests--text (car answers))
                   (tools-tests--lines "2/12 files, all of o/r"
                                       "- a/b.rs@0123456 · find(needle);"
                                       "- needle.txt@0123456")))))

(ert-deftest search-a-count-that-github-cut-short-is-a-lower-bound ()
  (tools-tests--with
      (answers '(("gh_search_issues" :query "x"))
               (search-tests--rows
                "issues" '(:total_count 900 :incomplete_results t
                           :items [(:number 7 :title "T" :state "open" :user (:login "mona")
                                    :labels [] :created_at "2020-01-01T00:00:00Z"
                                    :repository_url "https://api.github.com/repos/o/r")])))
    (should (string-match-p "\\`1/≥900 issues, these open\n" (tools-tests--text (car answers))))))

(ert-deftest search-that-finds-nothing-says-what-was-searched-for ()
  (lab-with (lab (list (lab-ask "gh_search_prs" :query "x" :since "2020-01-01"))
                 (search-tests--rows "issues" '(:total_count 0 :incomplete_results :false :items [])))
    (should (equal (tools-tests--text
                    (lab-talk-answer
                     (lab-converse lab :cwd (search-tests--directory lab 'checkout))))
                   (tools-tests--lines
                    "0/0 pull requests"
                    "searched: x created:>=2020-01-01 repo:acme/site is:pr")))))

(ert-deftest search-fifty-long-entries-are-shown-whole-in-their-number ()
  ;; As GitHub gives them, these answers have between 300 KB and 1 MB.
  (let* ((long (make-string 256 ?字))
         (noise (make-string 6000 ?x))
         (many (lambda (of) `(:total_count 5000 :incomplete_results :false
                              :items (:repeat 50 :from 1 :of ,of)))))
    (tools-tests--with
        (answers '(("gh_search_prs" :query "x" :limit 50)
                   ("gh_search" :kind "code" :query "x" :limit 50)
                   ("gh_search" :kind "commits" :query "x" :limit 50)
                   ("gh_search" :kind "repos" :query "x" :limit 50))
                 (list :rest
                       (vector
                        (list :path "search/issues"
                              :body (funcall many `(:number "{#n}" :title ,long :body ,noise
                                                    :state "open" :user (:login "mona")
                                                    :labels ,(make-vector 9 (list :name long))
                                                    :created_at "2020-01-01T00:00:00Z"
                                                    :repository_url "{api}/repos/o/r")))
                        (list :path "search/code"
                              :body (funcall many `(:path ,(concat "src/" long) :html_url ,noise
                                                    :repository (:full_name "o/r" :description ,noise)
                                                    :text_matches
                                                    [(:property "content" :fragment ,(concat long noise)
                                                      :matches [(:text "字")])])))
                        (list :path "search/commits"
                              :body (funcall many `(:sha "0123456789abcdef"
                                                    :commit (:message ,(concat long "\n" noise)
                                                             :committer (:date "2020-01-01T00:00:00Z"))
                                                    :author (:login "mona")
                                                    :repository (:full_name "o/r"))))
                        (list :path "search/repositories"
                              :body (funcall many `(:full_name "o/r" :description ,(concat long noise)
                                                    :language "Rust" :stargazers_count 1 :forks_count 1
                                                    :open_issues_count 1 :visibility "public"
                                                    :pushed_at "2020-01-01T00:00:00Z"))))))
      (cl-loop for answer in answers for n from 0
               do (ert-info ((format "%d: %s" n (substring answer 0 (min 900 (length answer)))))
                    (should (equal (nth 2 (lab-header answer)) "ok"))
                    (should (string-match-p "^50/5000 " answer)))))))

(ert-deftest search-what-github-refuses-is-an-error-with-its-words ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info ((format "gh %s" version))
      (let ((calls '(("gh_search_prs" :query "author:nobody-at-all" :repo "o/r")
                     ("gh_search_prs" :query "x" :repo "err422/r")
                     ("gh_search" :kind "code" :query "x" :repo "err403-secondary/r")
                     ("gh_search" :kind "commits" :query "x" :repo "err403-limit/r")
                     ("gh_search_issues" :query "x" :repo "err500/r")
                     ("gh_search_issues" :query "x" :repo "garbage/r")
                     ("gh_search_issues" :query "x" :repo "cut/r"))))
        (lab-with (lab (list (tools-tests--turn calls))
                       (search-tests--rows
                        "issues"
                        '(:message "Validation Failed"
                          :errors [(:message "The listed users cannot be searched either because the users do not exist or you do not have permission to view the users."
                                    :resource "Search" :field "q" :code "invalid")])
                        :query "author:nobody-at-all" :status 422))
          (let* ((cj/gh-executable gh)
                 (answers (tools-tests--ask lab calls)))
            (cl-loop
             for answer in answers
             for (status said) in
             '(("error gh-exit" "Validation Failed.*listed users cannot be searched.*\nThe host")
               ("error gh-exit" "Validation Failed")
               ("error rate-limit" "secondary rate limit")
               ("error rate-limit" "rate limit exceeded")
               ("error network" "Something went wrong")
               ("error network" "other than the API") ("error network" "broke off"))
             do (ert-info (answer)
                  (should (equal (nth 2 (lab-header answer)) status))
                  (should (string-match-p said answer))))))))))

;;;; The call that a person sees

(ert-deftest search-a-plan-has-the-whole-request-and-a-person-s-change-of-it-stands ()
  (lab-with (_)
    (let* ((call '("api" "--method" "GET" "search/issues"))
           (plan (lambda (argv &rest keys)
                   (cj/gate-plan-info
                    (apply #'cj/gate-plan "gh" argv
                           :view '(search-prs :search "x" :repo "ghe.example.com/o/r")
                           :repo "ghe.example.com/o/r" keys))))
           (made (funcall plan call))
           (edited (seq-take-while
                    (lambda (word) (not (equal word "--hostname")))
                    (mapcar (lambda (word) (string-replace "q=x " "q=y " word))
                            (plist-get made :argv)))))
      (should (equal (mapcar (lambda (key) (plist-get made key))
                             '(:class :policy :host :owner :repo :source))
                     '(read auto "ghe.example.com" "o" "r" explicit-repo)))
      (should (member "q=x repo:o/r is:pr" (plist-get made :argv)))
      (let ((changed (funcall plan edited :edited t)))
        (should (equal (plist-get changed :argv)
                       (append edited '("--hostname" "ghe.example.com"))))
        (should (equal (plist-get changed :host) "ghe.example.com"))))))

(ert-deftest search-in-a-directory-on-another-machine-is-over-the-whole-host ()
  (lab-with (_)
    (let ((info (cj/gate-plan-info
                 (cj/gate-plan "gh" '("api" "--method" "GET" "search/issues")
                               :cwd "/ssh:elsewhere:/srv/site/"
                               :view '(search-issues :search "x")))))
      (should (equal (list (plist-get info :host) (plist-get info :owner))
                     '("github.com" nil)))
      (should (member "q=x is:issue" (plist-get info :argv))))))

(ert-deftest search-by-gh-s-own-command-stays-as-it-is ()
  (tools-tests--with
      (answers '(("gh" :args ["search" "repos" "csv" "--limit" "3"])) nil lab)
    (should (equal (lab-header (car answers)) '("github.com" "read" "ok")))
    (let ((asked (car (lab-requests lab))))
      (should (equal (plist-get asked :path) "/search/repositories"))
      (should (string-match-p "q=csv" (plist-get asked :query)))
      (should (string-match-p "per_page=3" (plist-get asked :query))))))

;;;; Lists by author and label

(ert-deftest search-lists-take-an-author-and-labels-and-count-them ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info ((format "gh %s" version))
      (let ((calls '(("gh_pr_list" :repo "many/r" :author "mona" :label "bug,good first issue" :limit 5)
                     ("gh_issue_list" :repo "many/r" :author "@me" :label "bug" :limit 7)
                     ("gh_issue_list" :repo "many/r" :author "mona" :state "all" :limit 3))))
        (lab-with (lab (list (tools-tests--turn calls)))
          (let* ((cj/gh-executable gh)
                 (answers (tools-tests--ask lab calls))
                 (requests (lab-requests lab)))
            (should (equal (mapcar (lambda (answer) (nth 1 (split-string answer "\n"))) answers)
                           '("5/8771 open pull requests" "7/8771 open issues"
                             "3/8771 issues, these open")))
            ;; The totals count what was listed.
            (should (equal (search-tests--by-text
                            (cl-loop for request in requests
                                     unless (plist-get request :graphql)
                                     unless (string-suffix-p "/meta" (plist-get request :path))
                                     collect (nth 2 (search-tests--asked request))))
                           (search-tests--by-text
                            '("author:mona label:\"bug\" label:\"good first issue\" repo:many/r state:open type:pr"
                              "author:@me label:\"bug\" repo:many/r state:open type:issue"
                              "author:mona repo:many/r type:issue"))))
            ;; gh itself lists by them.
            (let ((sent (prin1-to-string (cl-loop for request in requests
                                                  collect (plist-get request :graphql)))))
              (dolist (word '("author:mona" "label:bug" "good first issue"))
                (should (string-match-p (regexp-quote word) sent))))))))))

(provide 'search-tests)

;;; search-tests.el ends here
