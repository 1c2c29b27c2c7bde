;;; lab-home.el --- The home of a person who installs the package -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A directory with a home.  An Emacs starts in it on a terminal and reads the
;; init file there, as for a person.  No test uses a network: git reads
;; https://github.com/ from a directory, in which the repository
;; cjennings/cj-gate has the files of this checkout, and gptel and the packages
;; that it needs come from a package archive in a directory.  Cargo is a
;; stand-in first in PATH, or the real cargo with what it built before.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-terminal)

(defun lab-home-git (directory &rest args)
  "Run git with ARGS in DIRECTORY; return what it prints."
  (with-temp-buffer
    (let ((default-directory (file-name-as-directory directory)))
      (unless (eql 0 (apply #'call-process "git" nil t nil
                            "-c" "user.name=A" "-c" "user.email=a@example.com" args))
        (error "The command git %s failed: %s" (car args) (buffer-string)))
      (buffer-string))))

(defun lab-home-write (file text)
  "Write TEXT to FILE and return FILE; make its directory if it is missing."
  (make-directory (file-name-directory file) t)
  (let ((coding-system-for-write 'utf-8))
    (write-region text nil file nil 'quiet))
  file)

(defun lab-home-publish (dir)
  "Copy this checkout to the repository DIR/github/cjennings/cj-gate; commit it.
Return the directory of the repository."
  (let ((repository (expand-file-name "github/cjennings/cj-gate" dir)))
    (dolist (name (split-string (lab-home-git lab-root "ls-files" "-z" "--cached" "--others"
                                              "--exclude-standard")
                                "\0" t))
      (let ((file (expand-file-name name lab-root)))
        (when (file-regular-p file)
          (make-directory (file-name-directory (expand-file-name name repository)) t)
          (copy-file file (expand-file-name name repository)))))
    (lab-home-git repository "init" "--quiet" "--initial-branch=main")
    (lab-home-git repository "add" "--all")
    (lab-home-git repository "commit" "--quiet" "-m" "All")
    repository))

(defun lab-home-archive (dir)
  "Make a package archive in DIR of the packages under .deps/elpa."
  (let ((rows nil))
    (make-directory dir t)
    (dolist (file (file-expand-wildcards (expand-file-name ".deps/elpa/*/*-pkg.el" lab-root)))
      (let* ((form (with-temp-buffer
                     (insert-file-contents file)
                     (read (current-buffer))))
             (full (format "%s-%s" (nth 1 form) (nth 2 form))))
        (copy-directory (file-name-directory file) (expand-file-name full dir) nil nil t)
        (unless (eql 0 (call-process "tar" nil nil nil "-C" dir "-cf"
                                     (expand-file-name (concat full ".tar") dir) full))
          (error "No tar of %s" full))
        (push (cons (intern (nth 1 form))
                    (vector (version-to-list (nth 2 form))
                            (mapcar (lambda (need)
                                      (list (car need) (version-to-list (cadr need))))
                                    (eval (nth 4 form) t))
                            (nth 3 form) 'tar nil))
              rows)))
    (lab-home-write (expand-file-name "archive-contents" dir)
                    (prin1-to-string (cons 1 rows)))))

(defconst lab-home-cargo "#!/bin/sh
# A stand-in for cargo: `build' copies the library of the tests' module, and writes the other files that a build leaves.
target=${CARGO_TARGET_DIR:-target}
while [ $# -gt 0 ]; do
  case $1 in --target-dir) target=$2 ;; esac
  shift
done
mkdir -p \"$target/release/deps\" && touch \"$target/CACHEDIR.TAG\"
echo \"$target\" >\"$HOME/cargo-target\"
head -c 3000000 /dev/zero >\"$target/release/deps/more\"
[ -z \"$CARGO_WAITS\" ] || sleep \"$CARGO_WAITS\"
[ -z \"$CARGO_FAILS\" ] || { echo 'error: no space left'; exit 101; }
cp LIBRARY \"$target/release/libcj_gate.so\"
"
  "A shell script in place of cargo, for tests that need no compiler.
CARGO_WAITS in its environment makes it wait that many seconds; CARGO_FAILS
makes it fail.")

(defun lab-home-environment (dir &rest more)
  "Return the `process-environment' of a person whose home is DIR/home.
The entries MORE go before it."
  (append more
          (list (concat "HOME=" (expand-file-name "home" dir))
                (concat "PATH=" (expand-file-name "bin" dir) ":" (getenv "PATH"))
                (concat "GIT_CONFIG_GLOBAL=" (expand-file-name "gitconfig" dir))
                "GIT_CONFIG_NOSYSTEM=1" "GIT_TERMINAL_PROMPT=0" "CARGO_NET_OFFLINE=true"
                "TERM=xterm" "INFOPATH" "CARGO_TARGET_DIR" "MAKEFLAGS" "MAKELEVEL" "MFLAGS"
                "XDG_CACHE_HOME" "XDG_CONFIG_HOME" "XDG_DATA_HOME" "XDG_STATE_HOME"
                "GIT_DIR" "GIT_WORK_TREE" "GIT_INDEX_FILE" "CARGO_WAITS" "CARGO_FAILS")
          process-environment))

(defun lab-home-cargo-in (dir)
  "Write the stand-in for cargo to DIR/bin, the first directory of its PATH."
  (set-file-modes
   (lab-home-write (expand-file-name "bin/cargo" dir)
                   (replace-regexp-in-string
                    "LIBRARY" (shell-quote-argument
                               (expand-file-name "debug/libcj_gate.so" lab-target))
                    lab-home-cargo t t))
   #o755))

(defun lab-home-real-cargo ()
  "Return the entries that the environment of a home needs for the real cargo.
Cargo then builds without optimizing, and keeps the builds of other crates for
the next test."
  (let* ((target (expand-file-name "recipes" lab-target))
         (user (expand-file-name (concat "~" (user-real-login-name)))))
    (unless (executable-find "cargo")
      (ert-skip "There is no cargo"))
    ;; Each home has another path, so cargo builds our crate anew for each home.
    ;; Remove such builds that are older than an hour.
    (dolist (file (file-expand-wildcards (expand-file-name "release/*/*cj[_-]gate*" target)))
      (when (time-less-p (time-add (file-attribute-modification-time (file-attributes file)) 3600)
                         nil)
        (if (file-directory-p file) (delete-directory file t) (delete-file file))))
    (list (concat "PATH=" (getenv "PATH"))
          (concat "CARGO_HOME=" (or (getenv "CARGO_HOME") (expand-file-name ".cargo" user)))
          (concat "RUSTUP_HOME=" (or (getenv "RUSTUP_HOME") (expand-file-name ".rustup" user)))
          (concat "CARGO_TARGET_DIR=" target)
          "CARGO_PROFILE_RELEASE_OPT_LEVEL=0" "CARGO_PROFILE_RELEASE_LTO=off"
          "CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16")))

(defun lab-home-make (dir)
  "Make a home in DIR, with the repository, git's settings and cargo."
  (lab-home-publish dir)
  (lab-home-write (expand-file-name "gitconfig" dir)
                  (format "[url \"file://%s/\"]\n\tinsteadOf = https://github.com/\n"
                          (expand-file-name "github" dir)))
  (lab-home-cargo-in dir)
  (make-directory (expand-file-name "home" dir) t))

(defmacro lab-home-with (dir &rest body)
  "Run BODY with DIR bound to a new directory, made by `lab-home-make'."
  (declare (indent 1))
  `(let ((,dir (file-name-as-directory (file-truename (make-temp-file "recipes" t)))))
     (unwind-protect
         (progn (lab-home-make ,dir) ,@body)
       (lab-remove ,dir))))

(defvar lab-home-reply nil
  "The answer to a question of a starting Emacs, a cons (REGEXP . KEYS) or nil.
KEYS are sent once REGEXP matches the screen.")

(defun lab-home-start (dir form &rest environment)
  "Start an Emacs in the home of DIR as a person does; return the value of FORM.
FORM is evaluated after the init file was loaded; an error in it is returned as
\(:error ERROR).  The entries ENVIRONMENT go before the environment of the home."
  (let* ((value (expand-file-name "value" dir))
         (loaded (lab-home-write
                  (expand-file-name "form.el" dir)
                  (format ";; -*- lexical-binding: t -*-\n%S\n"
                          `(let ((value (condition-case err ,form (error (list :error err)))))
                             (write-region (prin1-to-string value) nil ,value nil 'quiet)
                             (kill-emacs)))))
         (screen (generate-new-buffer " *start*"))
         (process nil))
    (when (file-exists-p value) (delete-file value))
    (unwind-protect
        (let ((process-environment
               (apply #'lab-home-environment dir environment))
              (default-directory (expand-file-name "home/" dir)))
          (setq process (make-process
                         :name "start" :buffer screen :noquery t :connection-type 'pty
                         :command (list (lab-terminal-emacs) "-nw" "--no-splash"
                                        "--no-site-file" "-l" loaded)))
          (set-process-window-size process 24 100)
          (let ((reply lab-home-reply))
            (lab-wait (lambda ()
                        (when (and reply
                                   (with-current-buffer screen
                                     (save-excursion
                                       (goto-char (point-min))
                                       (re-search-forward (car reply) nil t))))
                          (process-send-string process (cdr reply))
                          (setq reply nil))
                        (not (process-live-p process)))
                      400))
          (unless (file-exists-p value)
            (error "Emacs ended with %s" (process-exit-status process)))
          (with-temp-buffer
            (insert-file-contents value)
            (read (current-buffer))))
      (when (process-live-p process)
        (message "On its screen: %s" (with-current-buffer screen (buffer-string)))
        (delete-process process))
      (kill-buffer screen))))

(defun lab-home-init (dir recipe &rest early)
  "Write the text RECIPE as init file of the home in DIR.
The forms EARLY go into its early init file."
  (lab-home-write
   (expand-file-name "home/.emacs.d/early-init.el" dir)
   (mapconcat #'prin1-to-string
              (append '((setq native-comp-jit-compilation nil
                              native-comp-deferred-compilation nil
                              inhibit-startup-screen t
                              load-prefer-newer nil))
                      (delq nil early))
              "\n"))
  (lab-home-write (expand-file-name "home/.emacs.d/init.el" dir) recipe))

(defun lab-home-packages ()
  "Return a form that puts gptel and the packages it needs on `load-path'."
  `(progn
     (setq package-enable-at-startup nil)
     (dolist (dir ',(append (file-expand-wildcards (expand-file-name ".deps/elpa/*" lab-root))
                            (and (< emacs-major-version 29)
                                 (list (expand-file-name ".deps/seq" lab-root)))))
       (push dir load-path))))

(defconst lab-home-compile
  '(progn
     (cj/gate-compile-module)
     (let ((process (get-buffer-process "*cj-gate build*")))
       (while (process-live-p process)
         (accept-process-output process 0.1)))
     (accept-process-output nil 0.2)
     (with-current-buffer "*cj-gate build*" (buffer-string)))
  "A form that builds the module as a person does; its value is the output.")

;;;; The recipes

(defun lab-home-blocks (title kind)
  "Return the blocks of code under TITLE in the manual, strings in order.
TITLE is the title of a section of docs/cj-gate.texi.  KIND is `lisp' for Lisp,
or `shell' for the lines to type in a terminal."
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8)
          (environment (if (eq kind 'shell) "example" "lisp"))
          (blocks nil)
          (case-fold-search nil))
      (insert-file-contents (expand-file-name "docs/cj-gate.texi" lab-root))
      (re-search-forward (format "^@section %s$" (regexp-quote title)))
      (narrow-to-region (point)
                        (progn (re-search-forward "^@\\(?:node\\|section\\) ")
                               (line-beginning-position)))
      (goto-char (point-min))
      (while (re-search-forward (format "^%s@%s\n"
                                        (if (eq kind 'shell) "@c sh\n" "")
                                        environment)
                                nil t)
        (let ((start (point)))
          (re-search-forward (format "^@end %s$" environment))
          (push (replace-regexp-in-string
                 "@\\([@{}]\\)" "\\1"
                 (buffer-substring start (line-beginning-position)))
                blocks)))
      (or (nreverse blocks) (error "The manual has no %s under %s" environment title)))))

(defun lab-home-readme-blocks (language)
  "Return the blocks of LANGUAGE in README.org, strings in order."
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8) (blocks nil) (case-fold-search nil))
      (insert-file-contents (expand-file-name "README.org" lab-root))
      (while (re-search-forward (format "^#\\+begin_src %s\n" language) nil t)
        (let ((start (point)))
          (re-search-forward "^#\\+end_src$")
          (push (buffer-substring start (line-beginning-position)) blocks)))
      (or (nreverse blocks) (error "README.org has no block of %s" language)))))

;;;; What a person finds

(defconst lab-home-report
  '(progn
     (let ((manual (lambda ()
                     (require 'info)
                     (info "(cj-gate)")
                     (list :node Info-current-node
                           :text (save-excursion
                                   (goto-char (point-min))
                                   (and (search-forward "lets a language model" nil t) t))
                           :command (progn (info "(cj-gate)Commands")
                                           (and (search-forward "cj/gh-doctor" nil t) t))
                           ;; Through its entry in the node that C-h i shows.
                           :listed (progn (Info-directory)
                                          (goto-char (point-min))
                                          (let ((times (how-many "^\\* cj-gate: (cj-gate)")))
                                            (when (= times 1)
                                              (re-search-forward "^\\* cj-gate: (cj-gate)")
                                              (Info-follow-nearest-node)
                                              Info-current-node)))))))
       (list :warned (and (get-buffer "*Warnings*")
                          (with-current-buffer "*Warnings*" (buffer-string)))
             :commands (mapcar #'commandp '(cj/gh-doctor cj/gate-compile-module))
             ;; The manual is found before gptel or cj-gate is loaded.
             :manual (save-window-excursion (funcall manual))
             :tools (progn (require 'gptel)
                           (mapcar (symbol-function 'gptel-tool-name)
                                   (default-value 'gptel-tools)))
             :doctor (commandp 'cj/gh-doctor)
             :from (symbol-file 'cj/gate-load-module)
             :class (condition-case err
                        (plist-get (cj/gh-classify '("pr" "merge" "1")) :class)
                      (error (cadr err))))))
  "A form that returns what a person finds after a recipe, a plist.
The manual, the commands, the tools and a classification are in it.")

(defun lab-home-works (report &optional class)
  "Check that REPORT shows a working installation.
REPORT is the value of `lab-home-report'.  CLASS is the class that a merge must
have, the symbol `write' by default; a string is a regexp for the error that the
classification must signal instead."
  (ert-info ((format "%S" report))
    (should-not (plist-get report :error))
    (should-not (plist-get report :warned))
    (should (equal (plist-get report :commands) '(t t)))
    (should (equal (plist-get report :manual)
                   '(:node "Top" :text t :command t :listed "Top")))
    (should (member "gh_pr_view" (plist-get report :tools)))
    (should (member "gh" (plist-get report :tools)))
    (if (stringp class)
        (should (string-match-p class (format "%s" (plist-get report :class))))
      (should (eq (plist-get report :class) (or class 'write))))))

(provide 'lab-home)

;;; lab-home.el ends here
