;;; download-tests.el --- Downloads, from the question to the files -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The tools `gh_run_download' and `gh_release_download' with the real gh.  In batch: the downloads that
;; are refused before a question.  By keys on a terminal: the files that a yes
;; writes.  test/rust/gate/archive.rs tests the hostile archives of
;; fixtures/archives.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-approval)
(require 'lab-gptel)
(require 'cj-gh-tools)

(defun download-tests--place (lab)
  "Return the directory for downloads of LAB."
  (lab-file lab "home/downloads/"))

(defun download-tests--files (lab)
  "Return the files below the directory for downloads of LAB, relative, sorted."
  (let ((place (download-tests--place lab)))
    (and (file-directory-p place)
         (sort (mapcar (lambda (file) (file-relative-name file place))
                       (directory-files-recursively place "" t))
               #'string<))))

(defun download-tests--fetched (lab)
  "Return how many requests for an archive LAB has seen."
  (cl-count-if (lambda (request)
                 (string-suffix-p "/zip" (or (plist-get request :path) "")))
               (lab-requests lab)))

(defun download-tests--ask (lab name &optional run)
  "Return the answer to a download of the artifact NAME of RUN in LAB.
RUN is the number of a run, 1007 by default."
  (let ((cj/gh-artifact-directory (download-tests--place lab))
        answer)
    (cj/gh-tool-run-download (lambda (text) (setq answer text))
                             (or run 1007) name "o/r")
    (lab-wait (lambda () answer))
    answer))

(ert-deftest download-of-a-missing-expired-or-huge-artifact-is-refused-without-a-question ()
  (lab-with (lab)
    (pcase-dolist (`(,name ,status ,words)
                   '(("gone" "error not-found" "has expired")
                     ("nosuch" "error not-found" "Run 1007 has no artifact of this name")
                     ("huge" "blocked policy-blocked" "5000.0 MB packed, and at most 100.0 MB")
                     ("-rf" "error not-found" "has no artifact")))
      (ert-info (name)
        (let ((answer (download-tests--ask lab name)))
          (should (equal (lab-header answer) (list "github.com/o/r" "write" status)))
          (should (string-search words answer)))))
    (let ((cj/gh-policy '((read . confirm))))
      (should (string-search "may not be read without a question"
                             (download-tests--ask lab "report"))))
    (let ((cj/gh-policy '((write . block))))
      (should (equal (lab-header (download-tests--ask lab "report"))
                     '("github.com/o/r" "write" "blocked policy-blocked"))))
    (let ((cj/gh-artifact-directory "/ssh:elsewhere:/downloads/") answer)
      (cj/gh-tool-run-download (lambda (text) (setq answer text)) 1007 "report" "o/r")
      (lab-wait (lambda () answer))
      (should (string-search "is on another machine" answer)))
    ;; In batch nobody can say yes.
    (let ((answer (download-tests--ask lab "report")))
      (should (equal (lab-header answer) '("github.com/o/r" "write" "declined"))))
    (should (= (download-tests--fetched lab) 0))
    (should-not (download-tests--files lab))))

(ert-deftest download-by-the-tool-gh-is-refused-and-names-gh-run-download ()
  (lab-with (lab)
    (let (answer)
      (cj/gh-call '("run" "download" "1007" "--name" "report")
                  (lambda (text) (setq answer text)) :repo "o/r")
      (lab-wait (lambda () answer))
      (should (equal (nth 2 (lab-header answer)) "blocked policy-blocked"))
      (should (string-search "gh_run_download" answer))
      (should (= (download-tests--fetched lab) 0)))))

;;;; With a person

(defun download-tests--turns (&rest names)
  "Return a script in which the model downloads the artifacts NAMES, one by one."
  (append (mapcar (lambda (name) (lab-ask "gh_run_download" :run_id 1007 :name name
                                          :repo "o/r"))
                  names)
          '((:text "all done"))))

(defmacro download-tests--with (spec &rest body)
  "Run BODY with a terminal: SPEC is (TERMINAL LAB GH TURNS [WORLD]).
The model of LAB plays TURNS, with GH; WORLD is as in `lab-start'."
  (declare (indent 1))
  (pcase-let ((`(,terminal ,lab ,gh ,turns ,world) spec))
    `(lab-terminal-with
         (,terminal ,lab ,turns
                    :stream t :width 120 :world ,world
                    :init `((setq cj/gh-executable ,,gh
                                  cj/gh-artifact-directory
                                  ,(download-tests--place ,lab)
                                  gptel-tools
                                  (mapcar #'gptel-get-tool
                                          '("gh_run_download"
                                            "gh_release_download")))))
       ,@body)))

(defun download-tests--answer (terminal name &rest keys)
  "Press KEYS in TERMINAL once the download of NAME can be accepted.
Return the text of the approval buffer."
  (lab-terminal-wait-told terminal :asked (format "\"%s\"" name))
  (let ((text (lab-terminal-told terminal :approval)))
    (approval-enter terminal)
    (apply #'lab-terminal-keys terminal keys)
    text))

(defun download-tests--check-files (lab)
  "Check that LAB's directory for downloads holds the artifact `report' alone.
Check that the purge lists and removes it."
  (should (equal (download-tests--files lab)
                 (mapcar (lambda (name) (concat "github.com" name))
                         '("" "/o" "/o/r" "/o/r/1007" "/o/r/1007/report"
                           "/o/r/1007/report/logs"
                           "/o/r/1007/report/logs/build ^[[31m.log"
                           "/o/r/1007/report/summary.txt"))))
  (with-temp-buffer
    (insert-file-contents
     (concat (download-tests--place lab) "github.com/o/r/1007/report/summary.txt"))
    (should (equal (buffer-string) "3 passed\n")))
  (let* ((cj/gh-artifact-directory (download-tests--place lab))
         (kept (cj/gh-download-kept)))
    (should (equal (mapcar (lambda (item) (plist-get item :bytes)) kept) '(19)))
    (funcall (plist-get (car kept) :remove))
    (should-not (cj/gh-download-kept))))

(ert-deftest download-approved-by-one-key-writes-exactly-what-was-shown ()
  ;; With the oldest gh; the next test uses the newest one.
  (download-tests--with (terminal lab (cdar (lab-ghs)) (download-tests--turns "report"))
    (lab-terminal-type terminal "fetch it")
    (lab-terminal-keys terminal "C-c" "Enter")
    (lab-terminal-wait-told terminal :asked "\"report\"")
    (should (= (download-tests--fetched lab) 0))
    (should-not (download-tests--files lab))
    (let ((text (download-tests--answer terminal "report" "C-c" "C-c")))
      (should (string-match-p "^  Class       write$" text))
      ;; A download writes nothing to the repository, so the question has no row
      ;; "First", which a first write to a repository has.
      (should-not (string-match-p "^  First " text))
      (should (string-match-p "\\`Download the artifact report of run 1007 [^\n]*in o/r" text))
      (should (string-match-p "^   1  run\n   2  download$" text))
      (should (string-match-p
               "^  Artifact    report (number 816), 99 B packed, of run 1007$" text))
      (should (string-search "/downloads/github.com/o/r/1007/report/"
                             (replace-regexp-in-string "\n *" "" text)))
      (should (string-search
               "gh api --method GET repos/o/r/actions/artifacts/816/zip" text)))
    (lab-terminal-wait-told terminal :chat "all done")
    (should (equal (download-tests--fetched lab) 1))
    (let ((answer (lab-terminal-told terminal :chat)))
      (should (string-search "write confirmed" answer))
      (should (string-search "2 files, 19 B, of artifact report of run 1007, in" answer))
      (should (string-search "- summary.txt 9 B" answer))
      (should-not (string-search "3 passed" answer)))
    (should (equal (lab-terminal-told terminal :asked-by-gptel) 0))
    (download-tests--check-files lab)))

(ert-deftest download-of-a-hostile-or-vanished-artifact-leaves-no-file ()
  (download-tests--with (terminal lab (lab-gh)
                         (download-tests--turns "hostile" "vanished" "forged" "report"))
    (lab-terminal-type terminal "fetch them")
    (lab-terminal-keys terminal "C-c" "Enter")
    (dolist (name '("hostile" "vanished" "forged"))
      (download-tests--answer terminal name "C-c" "C-c"))
    (lab-terminal-wait-told terminal :asked "\"report\"")
    (should (= (download-tests--fetched lab) 3))
    (should-not (download-tests--files lab))
    (should-not (file-exists-p (lab-file lab "home/out.txt")))
    (download-tests--answer terminal "report" "C-c" "C-c")
    (lab-terminal-wait-told terminal :chat "all done")
    (let ((chat (lab-terminal-told terminal :chat)))
      (should (string-search "`../out.txt' in it leaves its directory" chat))
      (should (string-search "has expired or was deleted" chat))
      (should (string-search "is not the one in GitHub's list" chat)))
    (download-tests--check-files lab)))

;;;; Releases

(defun download-tests--asset (id name size &rest more)
  "Return the asset ID of SIZE bytes with NAME, with the members MORE."
  (append (list :id id :name name :size size :state "uploaded") more))

(defconst download-tests--world
  (list
   :rest
   (vector
    (list :path "repos/{owner}/{repo}/releases/tags/v2%2Frc1"
          :body (list :tag_name "v2/rc1"
                      :assets
                      (vector
                       (download-tests--asset
                        901 "app.tar.gz" 10 :digest
                        "sha256:153d98ddcbdc28b3d1d24a90312a1789fbbdd72f887d884dbff7a5a674865a61")
                       (download-tests--asset 902 "notes.txt" 8 :digest :null)
                       (download-tests--asset 903 "app.tar.gz.sig" 4)
                       (download-tests--asset 904 "app.exe" 5 :state "starter"))))
    (list :path "repos/{owner}/{repo}/releases/latest"
          :body (list :tag_name "v1"
                      :assets (vector
                               (download-tests--asset 905 "forged.bin" 4 :digest
                                                      (concat "sha256:" (make-string 64 ?0)))
                               (download-tests--asset 906 "short.bin" 999)
                               (download-tests--asset 907 "gone.bin" 4)
                               (download-tests--asset 908 "huge.iso" 5000000000)
                               (download-tests--asset 909 "..\\out" 4))))
    (list :path "repos/{owner}/{repo}/releases/tags/{asked}" :status 404
          :body '(:message "Not Found"))
    ;; GitHub sends the reader to another host, which must not see the token.
    (list :path "repos/{owner}/{repo}/releases/assets/901" :accept "application/octet-stream"
          :status 302 :text "" :headers '(:Location "https://github.com/meta/objects/901?sig=x"))
    (list :path "meta/objects/901" :hex "1f8b08001b5b33316d00")
    ;; As text, with an escape sequence, which newer releases of gh do not print.
    (list :path "repos/{owner}/{repo}/releases/assets/902" :accept "application/octet-stream"
          :text "a\e[31mb\n" :type "text/plain")
    (list :path "repos/{owner}/{repo}/releases/assets/907" :status 404
          :body '(:message "Not Found"))
    (list :path "repos/{owner}/{repo}/releases/assets/{number}" :hex "00010203")))
  "A world with releases.")

(defun download-tests--releases (names &optional tag)
  "Return a script in which the model downloads files of the release TAG.
NAMES are names or patterns."
  (append (mapcar (lambda (name)
                    (apply #'lab-ask "gh_release_download" :name name :repo "o/r"
                           (and tag (list :tag tag))))
                  names)
          '((:text "all done"))))

(ert-deftest download-of-release-files-writes-exactly-what-was-shown-with-each-gh ()
  (pcase-dolist (`(,version . ,gh) (lab-ghs))
    (ert-info (version)
      (download-tests--with (terminal lab gh
                             (download-tests--releases '("*.t*[tz]") "v2/rc1")
                             download-tests--world)
        (lab-terminal-type terminal "fetch it")
        (lab-terminal-keys terminal "C-c" "Enter")
        (lab-terminal-wait-told terminal :asked "\"\\*.t\\*\\[tz]\"")
        (should-not (download-tests--files lab))
        ;; The second request asks about the release for the question.
        (should (equal (lab-seen (lab-requests lab))
                       '(("api.github.com" "/repos/o/r/releases/tags/v2%2Frc1" nil "github")
                         ("api.github.com" "/graphql" nil "github"))))
        (let ((text (lab-terminal-told terminal :approval)))
          (should (string-match-p "\\`Download \\*.t\\*\\[tz] of release v2/rc1 [^\n]*in o/r" text))
          (should (string-match-p "^  Class       write$" text))
          (should (string-match-p "^  Files       2 of the 4 of release v2/rc1, 18 B$" text))
          (should (string-match-p "^  File        app.tar.gz 10 B$" text))
          (should (string-match-p "^  File        notes.txt 8 B, without a digest$" text))
          (should (string-search "/downloads/github.com/o/r/releases/v2_rc1/"
                                 (replace-regexp-in-string "\n *" "" text)))
          (should (eq (and (string-search "--allow-escape-sequences" text) t)
                      (not (equal version "2.92.0")))))
        (approval-enter terminal)
        (lab-terminal-keys terminal "C-c" "C-c")
        (lab-terminal-wait-told terminal :chat "all done")
        (should (equal (cddr (lab-seen (lab-requests lab)))
                       '(("api.github.com" "/repos/o/r/releases/assets/901" nil "github")
                         ("github.com" "/meta/objects/901" nil nil)
                         ("api.github.com" "/repos/o/r/releases/assets/902" nil "github"))))
        (let ((answer (lab-terminal-told terminal :chat)))
          (should (string-search "write confirmed" answer))
          (should (string-search "2 files, 18 B, of release v2/rc1, in" answer))
          (should (string-search "- app.tar.gz 10 B" answer))
          (should (string-search "sha256 of 1 of 2 files" answer)))
        (let* ((cj/gh-artifact-directory (download-tests--place lab))
               (place (concat cj/gh-artifact-directory "github.com/o/r/releases/v2_rc1/"))
               (kept (cj/gh-download-kept)))
          (should (equal (mapcar (lambda (name)
                                   (with-temp-buffer
                                     (set-buffer-multibyte nil)
                                     (insert-file-contents-literally (concat place name))
                                     (list name (buffer-string)
                                           (file-modes (concat place name)))))
                                 (directory-files place nil "[^.]"))
                         '(("app.tar.gz" "\x1f\x8b\x08\0\x1b[31m\0" #o600)
                           ("notes.txt" "a\e[31mb\n" #o600))))
          (should (equal (mapcar (lambda (item)
                                   (list (plist-get item :what) (plist-get item :bytes)))
                                 kept)
                         '(("Downloaded release" 18))))
          (funcall (plist-get (car kept) :remove))
          (should-not (cj/gh-download-kept)))))))

(ert-deftest download-of-a-release-that-differs-from-its-list-leaves-no-file ()
  (download-tests--with (terminal lab (lab-gh)
                         (download-tests--releases '("forged.bin" "short.bin" "gone.bin"))
                         download-tests--world)
    (lab-terminal-type terminal "fetch them")
    (lab-terminal-keys terminal "C-c" "Enter")
    (dolist (name '("forged.bin" "short.bin" "gone.bin"))
      (download-tests--answer terminal name "C-c" "C-c"))
    (lab-terminal-wait-told terminal :chat "all done")
    (let ((chat (lab-terminal-told terminal :chat)))
      (should (string-search "its sha256 is not the one in GitHub's list" chat))
      (should (string-search "its size is not the one in GitHub's list" chat))
      (should (string-search "The file gone.bin of release v1 is not there any more" chat)))
    (should-not (download-tests--files lab))))

(ert-deftest download-of-release-files-that-cannot-be-had-is-refused-without-a-question ()
  (lab-with (lab nil download-tests--world)
    (pcase-dolist (`(,name ,tag ,status ,words)
                   '(("nosuch" nil "error not-found" "No file of the release has this name")
                     ("x" "v9" "error not-found" "no release of this tag")
                     ("huge.iso" nil "blocked policy-blocked" "at most 100.0 MB")
                     ("*out" nil "blocked policy-blocked" "holds a backslash")
                     ("x" "-v" "error bad-argument" "names no tag")
                     ("x" "../../../user" "error bad-argument" "names no tag")
                     ("x" "" "error not-found" "No file of the release")))
      (ert-info ((format "%s %s" name tag))
        (let ((cj/gh-artifact-directory (download-tests--place lab))
              answer)
          (cj/gh-tool-release-download (lambda (text) (setq answer text)) name tag "o/r")
          (lab-wait (lambda () answer))
          (should (equal (nth 2 (lab-header answer)) status))
          (should (string-search words answer)))))
    (let (answer)
      (cj/gh-call '("release" "download" "v1")
                  (lambda (text) (setq answer text)) :repo "o/r")
      (lab-wait (lambda () answer))
      (should (equal (nth 2 (lab-header answer)) "blocked policy-blocked"))
      (should (string-search "gh_release_download" answer)))
    (should-not (cl-remove-if-not
                 (lambda (request) (string-search "/assets/" (plist-get request :path)))
                 (lab-requests lab)))
    (should-not (download-tests--files lab))))

(provide 'download-tests)

;;; download-tests.el ends here
