;;; lab-support.el --- The stand-ins, for tests in Emacs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Starts the lab, the Rust program in test/lab/.  It is a GitHub on a unix
;; socket, for the real gh, and a model that plays a script, for the real gptel.
;; Each test gets a new lab with a HOME, a working directory and logs.  The lab
;; ends when this Emacs ends.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'subr-x)

(declare-function cj/gate--mod-audit-flush "ext:cj-gate-module")

(defconst lab-root
  (expand-file-name "../../" (file-name-directory (or load-file-name buffer-file-name)))
  "Root of the checkout.")

(defconst lab-target
  (expand-file-name (or (getenv "CARGO_TARGET_DIR") "target") lab-root)
  "The build directory of cargo.")

(defconst lab-program (expand-file-name "debug/examples/lab" lab-target)
  "The program that plays GitHub and the model.")

(defconst lab-tokens '(("github" . "lab-token-for-github-0123456789")
                       ("ghe" . "lab-token-for-ghe-9876543210abc")
                       ("expired" . "lab-token-that-is-old-5551237788"))
  "Rows of a label and a token; the stand-in logs the label of a token.
It refuses the token with the label \"expired\".")

(defun lab-ghs ()
  "Return the gh programs to test with, an alist of version and file."
  (let ((forced (getenv "GH")))
    (if (and forced (not (string-empty-p forced)))
        (list (cons "GH" forced))
      (cl-loop for version in '("2.92.0" "2.103.3")
               for file = (expand-file-name (format ".deps/gh/%s/gh" version) lab-root)
               when (file-executable-p file) collect (cons version file)))))

(defun lab-gh ()
  "Return the newest gh to test with."
  (or (cdar (last (lab-ghs)))
      (error "There is no gh under .deps; run `make deps'")))

(defun lab-wait (test &optional seconds)
  "Wait until the function TEST returns non-nil; return its value.
Signal an error after SECONDS, 20 by default."
  (let ((deadline (time-add nil (or seconds 20)))
        value)
    (while (and (not (setq value (funcall test)))
                (time-less-p nil deadline))
      (accept-process-output nil 0.02))
    (or value (error "Waited %s seconds in vain" (or seconds 20)))))

(defun lab-text (buffer)
  "Return the text of BUFFER, a buffer or its name."
  (with-current-buffer buffer
    (buffer-substring-no-properties (point-min) (point-max))))

(defun lab-face-at (regexp)
  "Search for REGEXP from point; return the face of the match.
If REGEXP has a group, return the face of its first group."
  (re-search-forward regexp)
  (get-text-property (or (match-beginning 1) (match-beginning 0)) 'face))

(defun lab-json-object (text)
  "Return the JSON object that TEXT holds as a plist, its arrays as lists."
  (condition-case nil
      (json-parse-string text :object-type 'plist :array-type 'list
                         :null-object nil :false-object nil)
    ;; Emacs 28 built on jansson refuses a NUL in a string.
    (json-parse-error
     (let ((json-object-type 'plist) (json-array-type 'list)
           (json-null nil) (json-false nil))
       (json-read-from-string text)))))

(defun lab-json-lines (file)
  "Return the JSON objects in FILE, one a line, as plists."
  (when (file-exists-p file)
    (with-temp-buffer
      (let ((coding-system-for-read 'utf-8))
        (insert-file-contents file))
      (cl-loop until (eobp)
               unless (eolp)
               collect (lab-json-object (buffer-substring (line-beginning-position)
                                                          (line-end-position)))
               do (forward-line 1)))))

(cl-defstruct lab "A running lab." dir home process port)

(defun lab-file (lab name)
  "Return the file NAME in the directory of LAB."
  (expand-file-name name (lab-dir lab)))

(defun lab-requests (lab)
  "Return the requests that GitHub's stand-in of LAB has seen, oldest first."
  (lab-json-lines (lab-file lab "github.jsonl")))

(defun lab-mutations (lab)
  "Return the mutating requests that the stand-in of LAB has seen."
  (cl-remove-if-not
   (lambda (request)
     (if (plist-get request :graphql)
         (not (equal (plist-get (plist-get request :graphql) :kind) "query"))
       (not (member (plist-get request :method) '("GET" "HEAD")))))
   (lab-requests lab)))

(defun lab-seen (requests)
  "Return a row for each of REQUESTS: host, path, operation, label of the token."
  (mapcar (lambda (request)
            (list (plist-get request :http_host)
                  (plist-get request :path)
                  (plist-get (plist-get request :graphql) :operation)
                  (plist-get request :token)))
          requests))

(defun lab-children (name)
  "Return the pids of the processes NAME that this Emacs has started."
  (cl-remove-if-not
   (lambda (pid)
     (let ((attributes (process-attributes pid)))
       (and (equal (alist-get 'comm attributes) name)
            (eql (alist-get 'ppid attributes) (emacs-pid))
            (not (equal (alist-get 'state attributes) "Z")))))
   (list-system-processes)))

(defun lab-header (result)
  "Return the header line of RESULT, a list (TARGET CLASS STATUS [\"cut\"]).
Signal an error if RESULT has no header line, or one with a wrong size."
  (unless (string-match
           (concat "\\`\\[gh \\([^] ]+\\) \\(read\\|write\\|destructive\\|blocked\\|unknown\\)"
                   " \\(ok\\|confirmed\\|leased\\|declined\\|\\(?:blocked\\|error\\) [-a-z]+\\)"
                   " \\([0-9]+\\.[0-9]KB\\)\\( cut\\)?\\]\n")
           result)
    (error "No header line: %s" result))
  (let* ((part (lambda (n) (match-string n result)))
         (bytes (string-bytes (substring result (match-end 0))))
         (tenths (/ (+ bytes 50) 100))
         (size (format "%d.%dKB" (/ tenths 10) (% tenths 10))))
    (unless (equal (funcall part 4) size)
      (error "The size is %s, the header says %s" size (funcall part 4)))
    (append (mapcar part '(1 2 3)) (and (funcall part 5) '("cut")))))

(defconst lab-gptel (concat "GPTEL=" (getenv "GPTEL"))
  "Environment entry that names the gptel of an Emacs that a test starts.
test/setup/init.el reads it.")

(defun lab-environment (lab)
  "Return the `process-environment' of programs that talk to LAB."
  (append (list (concat "HOME=" (lab-home lab))
                (concat "GH_CONFIG_DIR=" (lab-file lab "gh-config"))
                (concat "GH_TOKEN=" (cdr (assoc "github" lab-tokens)))
                (concat "GH_ENTERPRISE_TOKEN=" (cdr (assoc "ghe" lab-tokens)))
                (concat "XDG_CACHE_HOME=" (lab-file lab "cache"))
                (concat "XDG_STATE_HOME=" (lab-file lab "state"))
                "XDG_CONFIG_HOME" "XDG_DATA_HOME"
                (concat "PATH=" (getenv "PATH"))
                "LANG=C.UTF-8" "TERM=dumb" lab-gptel
                "GIT_CONFIG_NOSYSTEM=1")))

(defun lab-write-json (file value)
  "Write VALUE, plists and vectors, to FILE as JSON; return FILE."
  (let ((coding-system-for-write 'no-conversion))
    (write-region (json-serialize value) nil file nil 'quiet))
  file)

(defun lab-start (&optional script world)
  "Start a lab; its model plays SCRIPT, a list of turns as plists.
Turns are (:text STRING) or (:tool_calls [(:name NAME :arguments PLIST)]).
WORLD overrides the data of the GitHub stand-in, which is in fixtures/github.
It is a plist for world.json, whose :rest is a vector of rows for rest.json that
are tried first; or the name of a directory with both files.  The :gitRoot of a
plist may be t, for the bare repositories of `lab-commit' and `lab-fork'."
  (unless (file-executable-p lab-program)
    (error "There is no lab; run `make test-module'"))
  (let* ((base (expand-file-name "lab" lab-target))
         (dir (progn (make-directory base t)
                     (file-truename (make-temp-file (expand-file-name "l" base) t))))
         (home (expand-file-name "home" dir))
         (fixtures (if (stringp world) world (expand-file-name "fixtures" dir)))
         (file (lab-write-json (expand-file-name "script.json" dir)
                               (vconcat (or script '((:text "done")))))))
    (make-directory home)
    (when (and (consp world) (eq (plist-get world :gitRoot) t))
      (setq world (plist-put (copy-sequence world) :gitRoot (expand-file-name "git" dir))))
    (when (consp world)
      (make-directory fixtures)
      (lab-write-json (expand-file-name "world.json" fixtures)
                      (cl-loop for (key value) on world by #'cddr
                               unless (eq key :rest) append (list key value)))
      (when (plist-get world :rest)
        (lab-write-json (expand-file-name "rest.json" fixtures)
                        (plist-get world :rest))))
    (let* ((process
            (make-process
             :name "lab" :noquery t :connection-type 'pipe
             :buffer (generate-new-buffer " *lab*")
             :command (append
                       (list lab-program "serve" "--dir" dir "--script" file
                             "--account" "github.com=octocat"
                             "--account" "ghe.example.com=worker")
                       (and world (list "--fixtures" fixtures))
                       (cl-loop for (label . value) in lab-tokens
                                append (list "--token" (concat label "=" value))))))
           (lab (make-lab :dir dir :home home :process process)))
      (lab-wait (lambda () (or (file-exists-p (lab-file lab "ready.json"))
                               (unless (process-live-p process)
                                 (error "The lab died: %s"
                                        (with-current-buffer (process-buffer process)
                                          (buffer-string)))))))
      (with-temp-buffer
        (insert-file-contents (lab-file lab "model.port"))
        (setf (lab-port lab) (string-to-number (buffer-string))))
      lab)))

;; A gh that was killed a moment ago may still write a file into the folder.
(defun lab-remove (dir)
  "Remove the folder DIR; try again while a dying process still writes to it."
  (let ((tries 50))
    (while (and (file-exists-p dir)
                (condition-case err
                    (progn (delete-directory dir t) nil)
                  (file-error
                   (when (zerop (setq tries (1- tries)))
                     (signal (car err) (cdr err)))
                   t)))
      (sleep-for 0.1))))

(defun lab-stop (lab)
  "End LAB and remove its directory."
  ;; The module may still have a line of the audit log to write into LAB's home.
  (when (fboundp 'cj/gate--mod-audit-flush)
    (cj/gate--mod-audit-flush 5000))
  (let ((buffer (process-buffer (lab-process lab))))
    (delete-process (lab-process lab))
    (kill-buffer buffer))
  ;; gptel starts a process in any buffer; its directory must exist afterwards.
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (file-in-directory-p default-directory (lab-dir lab))
        (setq default-directory lab-root))))
  (lab-remove (lab-dir lab)))

(defmacro lab-with (spec &rest body)
  "Run BODY with a lab: SPEC is (VARIABLE [SCRIPT [WORLD]]).
SCRIPT and WORLD are as `lab-start' takes them.  The options of the GitHub
tools are set for the lab, and put back afterwards."
  (declare (indent 1))
  (let ((lab (make-symbol "lab")))
    `(let* ((,lab (lab-start ,@(cdr spec)))
            (process-environment (lab-environment ,lab))
            (cj/gh-executable (lab-gh))
            (cj/gate-cwd-roots (list (lab-home ,lab)))
            (default-directory (file-name-as-directory (lab-home ,lab))))
       (unwind-protect
           ;; Commands of a person select a window, and so a buffer.
           (save-window-excursion
             ,(if (eq (car spec) '_)
                  (macroexp-progn body)
                `(let ((,(car spec) ,lab)) ,@body)))
         (lab-stop ,lab)))))

(defun lab-script (lab text)
  "Write a stand-in for gh, the shell script TEXT, to LAB; return its file.
It answers --version as gh does."
  (let ((file (make-temp-file (lab-file lab "program"))))
    (let ((coding-system-for-write 'no-conversion))
      (write-region (concat "#!/bin/sh\n[ \"$1\" = --version ] && "
                            "{ echo 'gh version 2.92.0 (2026-01-01)'; exit; }\n"
                            text "\n")
                    nil file nil 'quiet))
    (set-file-modes file #o700)
    file))

(defun lab-checkout (lab name url)
  "Make a git checkout NAME with origin URL in the home of LAB.
Return its directory."
  (let ((dir (file-name-as-directory (expand-file-name name (lab-home lab)))))
    (make-directory dir)
    (dolist (args `(("init" "-q" "-b" "main" ,dir)
                    ("-C" ,dir "remote" "add" "origin" ,url)))
      (unless (zerop (apply #'call-process "git" nil nil nil args))
        (error "Git %S failed" args)))
    dir))

;;;; Bare repositories, for a world with :gitRoot

(defun lab-git (dir &rest args)
  "Run git in the directory DIR with ARGS, strings; return what it prints.
No configuration of this machine counts.  Signal an error if git fails."
  (with-temp-buffer
    (let ((default-directory (file-name-as-directory dir))
          (process-environment
           (append '("GIT_CONFIG_NOSYSTEM=1" "GIT_CONFIG_GLOBAL=/dev/null" "LC_ALL=C"
                     "GIT_AUTHOR_NAME=Kim" "GIT_AUTHOR_EMAIL=kim@example.com"
                     "GIT_COMMITTER_NAME=Kim" "GIT_COMMITTER_EMAIL=kim@example.com")
                   process-environment)))
      (unless (zerop (apply #'call-process "git" nil t nil args))
        (error "Git %S failed in %s: %s" args dir (buffer-string)))
      (string-trim (buffer-string)))))

(defun lab-bare (lab name)
  "Return the directory of the bare repository NAME, \"OWNER/REPO\", of LAB.
Make an empty one, whose branch is main, if there is none."
  (let ((dir (lab-file lab (format "git/%s.git" name))))
    (unless (file-directory-p dir)
      (make-directory dir t)
      (lab-git dir "init" "-q" "--bare" "-b" "main"))
    dir))

(defun lab-fork (lab name fork)
  "Make FORK, \"OWNER/REPO\", a copy of the bare repository NAME of LAB."
  (let ((dir (lab-file lab (format "git/%s.git" fork))))
    (make-directory (file-name-directory dir) t)
    (lab-git (lab-dir lab) "clone" "-q" "--bare" (lab-bare lab name) dir)
    dir))

(defun lab-commit (lab name branch files message)
  "Add a commit to BRANCH of the bare repository NAME of LAB; return the commit.
FILES is an alist of paths and texts; MESSAGE is the message of the commit.  A
new branch starts at main.  The repository is made if it is missing."
  (let* ((bare (lab-bare lab name))
         (work (make-temp-file (lab-file lab "work") t)))
    (unwind-protect
        (progn
          (lab-git work "init" "-q" "-b" branch)
          (dolist (from (list "main" branch))
            (unless (string-empty-p (lab-git bare "branch" "--list" from))
              (lab-git work "fetch" "-q" bare from)
              (lab-git work "reset" "-q" "--hard" "FETCH_HEAD")))
          (pcase-dolist (`(,path . ,text) files)
            (let ((file (expand-file-name path work))
                  (coding-system-for-write 'utf-8))
              (make-directory (file-name-directory file) t)
              (write-region text nil file nil 'quiet)))
          (lab-git work "add" "-A")
          (lab-git work "commit" "-q" "-m" message)
          (lab-git work "push" "-q" bare (concat "HEAD:refs/heads/" branch))
          (lab-git work "rev-parse" "HEAD"))
      (delete-directory work t))))

;;;; An Emacs of its own

(defvar lab-child-prefix nil
  "Words before the command of `lab-child', to run that Emacs on another host.")

(defun lab-child (&rest forms)
  "Evaluate FORMS in a new Emacs in batch; return the value of the last form.
They run as in `progn', with test/setup/init.el loaded.  The value must be
readable when printed.  To a plist, :said is added: what the new Emacs printed."
  (let* ((form (make-temp-file "cj-gate-form"))
         (value (make-temp-file "cj-gate-value"))
         (said (generate-new-buffer " *child*"))
         (process nil))
    (unwind-protect
        (progn
          (let ((print-level nil) (print-length nil) (coding-system-for-write 'utf-8))
            (write-region
             (format ";; -*- lexical-binding: t -*-\n%S\n"
                     `(let ((value (progn ,@forms))
                            (coding-system-for-write 'utf-8))
                        (write-region (prin1-to-string value) nil ,value nil 'quiet)))
             nil form nil 'quiet))
          (setq process
                (make-process
                 :name "child" :buffer said :noquery t :connection-type 'pipe
                 :command (append
                           lab-child-prefix
                           (list (expand-file-name invocation-name invocation-directory)
                                 "-Q" "--batch"
                                 "-l" (expand-file-name "test/setup/init.el" lab-root)
                                 "-l" form))))
          (lab-wait (lambda () (not (process-live-p process))) 120)
          (accept-process-output process 0.05)
          (let ((shown (with-current-buffer said (buffer-string)))
                (text (with-temp-buffer
                        (let ((coding-system-for-read 'utf-8))
                          (insert-file-contents value))
                        (buffer-string))))
            (unless (and (zerop (process-exit-status process))
                         (not (string-empty-p text)))
              (error "The child ended with %s: %s" (process-exit-status process) shown))
            (let ((value (car (read-from-string text))))
              (if (keywordp (car-safe value))
                  (append value (list :said shown))
                value))))
      (delete-file form)
      (delete-file value)
      (kill-buffer said))))

(provide 'lab-support)

;;; lab-support.el ends here
