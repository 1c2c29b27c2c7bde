;;; cj-gate-load.el --- Find, build and load the native core -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The core of cj-gate is a dynamic module.  It is loaded at first use, never
;; when a library is required.  It is loaded only if its file is whole and was
;; built from the sources beside this Lisp (cj-gate-stamp.el), and used only if
;; it has the version of this Lisp and every function, or "door", that this Lisp
;; calls.  Without it every tool refuses: there is no second implementation.
;;
;; A loaded module cannot be replaced in a running Emacs: the dynamic loader
;; returns the old code for the old file name.  So a new build is moved into
;; place by rename, under a new name if a module is loaded already, and the
;; running Emacs says once that a restart will use the new build.

;;; Code:

(require 'cj-gate-audit)
(require 'cj-gate-manual)

(defgroup cj-gate nil
  "The gate through which an agent acts on the outside world."
  :group 'tools
  :prefix "cj/gate-")

(defconst cj/gate-version "0.1.0"
  "Version of this Lisp; the module must have the same version.")

(defcustom cj/gate-module-directory nil
  "Directory that holds the native module.
Nil, the default, stands for the directory of cj-gate's Lisp files."
  :type '(choice (const :tag "Beside the Lisp files" nil) directory)
  ;; Code is loaded from there, so no file-local variable may choose it.
  :risky t)

;;;; Conditions

(define-error 'cj/gate-error "The gate refused")
(define-error 'cj/gate-denied "Neither automatic nor approved" 'cj/gate-error)
(define-error 'cj/gate-used "The plan has been used" 'cj/gate-error)
(define-error 'cj/gate-panic "Internal error in the module" 'cj/gate-error)

(defconst cj/gate-error-kinds
  '(auth timeout policy-blocked irreversible-blocked declined truncated
         remote-cwd bad-cwd no-executable too-old bad-argument rate-limit
         not-found no-access network usage cancelled spawn-failed module
         gh-exit)
  "Every kind of error; results, records and conditions all use these names.
Each has a condition symbol `cj/gate-KIND' under `cj/gate-error', whose data
is (MESSAGE :kind KIND).")

(dolist (kind cj/gate-error-kinds)
  (define-error (intern (format "cj/gate-%s" kind))
                (format "Refused (%s)" kind) 'cj/gate-error))

(defun cj/gate--signal (kind format &rest args)
  "Signal the condition of KIND with a message made from FORMAT and ARGS."
  (signal (intern (format "cj/gate-%s" kind))
          (list (apply #'format format args) :kind kind)))

(defun cj/gate--error-p (err)
  "Return non-nil if ERR, as `condition-case' caught it, is the gate's own."
  (and (memq 'cj/gate-error (get (car err) 'error-conditions))
       (stringp (cadr err))))

(defun cj/gate-error-kind (err)
  "Return the kind of ERR, as `condition-case' caught it, a symbol.
The value is one of `cj/gate-error-kinds': `cancelled' for a quit, and `module'
for an error that the gate did not signal."
  (cond ((cj/gate--error-p err) (or (plist-get (cddr err) :kind) 'module))
        ((eq (car err) 'quit) 'cancelled)
        (t 'module)))

(defun cj/gate-error-message (err)
  "Return the message of ERR, as `condition-case' caught it, a string."
  (if (cj/gate--error-p err) (cadr err) (error-message-string err)))

;;;; Finding the file

(declare-function cj/gate-stamp-fingerprint "cj-gate-stamp" (root))
(declare-function cj/gate-stamp-check-doors "cj-gate-stamp" ())
(declare-function cj/gate-stamp-check-file "cj-gate-stamp" (file))
(declare-function cj/gate-stamp-write "cj-gate-stamp" (built file fingerprint))

(declare-function cj/gate--mod-version "ext:cj-gate-module")
(declare-function cj/gate--mod-open "ext:cj-gate-module")
(declare-function cj/gate--mod-drain "ext:cj-gate-module")
(declare-function cj/gate--mod-stop "ext:cj-gate-module")

(defconst cj/gate--source-directory
  (let* ((this (or load-file-name buffer-file-name default-directory))
         (source (concat (file-name-sans-extension this) ".el")))
    ;; Straight and elpaca load from a directory of links to the sources, and
    ;; make that directory anew, so nothing can be kept in it.
    (file-name-directory (if (file-exists-p source) (file-truename source) this)))
  "Directory of this Lisp file, symbolic links resolved.")

(defvar cj/gate--loaded-file nil
  "File that the module was loaded from, or nil.")

(defvar cj/gate--loaded-time nil
  "Modification time of `cj/gate--loaded-file' when it was loaded.")

(defvar cj/gate--loaded-version nil
  "Version of the loaded module, or nil before one is loaded.
It never changes afterwards: a loaded module cannot be replaced.")

(defvar cj/gate--loaded-doubt nil
  "Why it is unknown whether the loaded module's file was whole, or nil.")

(defvar cj/gate--newer-said nil
  "Non-nil once a newer module file has been reported.")

(defvar cj/gate--newer-asked 0
  "Time of the last look for a newer module file, seconds since the epoch.")

(defvar cj/gate--doorbell nil
  "The pipe process to which a worker of the core writes when it has finished.")

(defun cj/gate--module-directory ()
  "Return the directory in which the module is looked for."
  (file-name-as-directory
   (expand-file-name (or (default-value 'cj/gate-module-directory)
                         cj/gate--source-directory))))

(defun cj/gate--module-files ()
  "Return the names of the module files, the newest first."
  (let ((directory (cj/gate--module-directory)))
    (and module-file-suffix
         (file-directory-p directory)
         (sort (directory-files directory t
                                (concat "\\`cj-gate-module\\(?:-[-.0-9a-z]+\\)?"
                                        (regexp-quote module-file-suffix) "\\'"))
               #'file-newer-than-file-p))))

;;;; Loading

(defun cj/gate-load-module (&optional offer)
  "Load the native module if it is not loaded; return its version, a string.
With OFFER non-nil, offer to build a missing module; only commands that a
person called pass OFFER, never a tool.
Signal `cj/gate-module', with what to do, if the module is missing or not
whole, was built from other sources or for another version of this Lisp, or
cannot be loaded."
  ;; Every function that uses the core calls this one first, so a loaded module
  ;; is not checked again.
  (if cj/gate--loaded-version
      (cj/gate--say-newer)
    ;; The caller may be about to use its match data.
    (save-match-data
      (unless (featurep 'cj-gate-module)
        (cj/gate--load offer))
      (let ((version (cj/gate--mod-version)))
        (when (equal version cj/gate-version)
          (require 'cj-gate-stamp)
          (cj/gate-stamp-check-doors))
        (setq cj/gate--loaded-version version))))
  (unless (equal cj/gate--loaded-version cj/gate-version)
    (cj/gate--signal
     'module
     "The native module is version %s, this Lisp is version %s.
Build it with `M-x cj/gate-compile-module' and restart Emacs"
     cj/gate--loaded-version cj/gate-version))
  (cj/gate--make-doorbell)
  (cj/gate-audit-configure)
  cj/gate--loaded-version)

(defun cj/gate--load (offer)
  "Load the newest module file.
If there is none and OFFER is non-nil, offer to build one."
  (unless (and (fboundp 'module-load) module-file-suffix)
    (cj/gate--signal
     'module "This Emacs cannot load modules.
Use an Emacs 28.1 or later that was built with modules"))
  (let ((file (car (cj/gate--module-files))))
    (cond
     (file
      (require 'cj-gate-stamp)
      (setq cj/gate--loaded-doubt (cj/gate-stamp-check-file file))
      (condition-case err
          (module-load file)
        ((error quit)
         (cj/gate--signal
          'module "The native module %s cannot be loaded: %s.
Build it again with `M-x cj/gate-compile-module' and restart Emacs"
          (abbreviate-file-name file) (error-message-string err))))
      (setq cj/gate--loaded-file file
            cj/gate--loaded-time (file-attribute-modification-time
                                  (file-attributes file))))
     (t
      (when (and offer (not noninteractive)
                 (y-or-n-p "The native module of cj-gate is missing.  Build it now? "))
        (cj/gate-compile-module)
        (cj/gate--signal 'module "The native module of cj-gate is being built.
Try again when the buffer *cj-gate build* says that it is installed"))
      (cj/gate--signal
       'module "The native module of cj-gate is missing in %s.
Build it with `M-x cj/gate-compile-module', or `make build' in a terminal"
       (abbreviate-file-name (cj/gate--module-directory)))))))

(defun cj/gate--say-newer ()
  "Say once that there is a newer module file than the loaded one.
Look for such a file at most every ten seconds."
  (unless (or cj/gate--newer-said
              (< (float-time) (+ cj/gate--newer-asked 10)))
    (setq cj/gate--newer-asked (float-time))
    (let ((file (car (cj/gate--module-files))))
      (when (and file cj/gate--loaded-time
                 (time-less-p cj/gate--loaded-time
                              (file-attribute-modification-time
                               (file-attributes file))))
        (setq cj/gate--newer-said t)
        (message "cj-gate: a newer module is there; restart Emacs to use it")))))

;;;; The doorbell

(defvar cj/gate--waiting (make-hash-table)
  "Callbacks of the work that workers have not finished, by ticket.")

(defun cj/gate--make-doorbell ()
  "Make the pipe process to which workers write, if there is none."
  (unless (process-live-p cj/gate--doorbell)
    (when cj/gate--doorbell
      (cj/gate--signal 'module "The channel to the module has been closed.
Restart Emacs"))
    (let* ((process-adaptive-read-buffering nil)
           (doorbell (make-pipe-process :name "cj-gate" :noquery t
                                        :coding 'binary :buffer nil
                                        :filter #'cj/gate--rung
                                        :sentinel #'ignore)))
      (set-process-thread doorbell nil)
      (cj/gate--mod-open doorbell)
      (setq cj/gate--doorbell doorbell)
      (add-hook 'kill-emacs-hook #'cj/gate--stop-all))))

(defun cj/gate--rung (_process _bytes)
  "Call the callbacks of all work that workers have finished."
  (cj/gate--deliver (cj/gate--mod-drain)))

(defun cj/gate--deliver (all)
  "Call the callback of each row of ALL, a list of (TICKET . VALUE).
After a callback that signals or throws the others are still called."
  (unwind-protect
      (while all
        (let* ((finished (pop all))
               (callback (gethash (car finished) cj/gate--waiting)))
          (remhash (car finished) cj/gate--waiting)
          (when callback
            (condition-case err
                (funcall callback (cdr finished))
              ((error quit)
               (message "cj-gate: a callback failed: %s"
                        (error-message-string err)))))))
    (when all
      (run-at-time 0 nil #'cj/gate--deliver all))))

(defun cj/gate--await (ticket callback)
  "Call CALLBACK with the value of the work behind TICKET once it is finished.
Return TICKET at once."
  (puthash ticket callback cj/gate--waiting)
  ticket)

(defun cj/gate--stop-all ()
  "End every child process; for `kill-emacs-hook'."
  (when (featurep 'cj-gate-module)
    (cj/gate--mod-stop 500)))

;;;; Building

(defconst cj/gate--rust-version "1.88"
  "The oldest Rust that builds the module, as Cargo.toml says.")

(defun cj/gate--rust-advice ()
  "Return how to install Rust, a string of several lines."
  (format "The module needs Rust %s or later, with cargo, and a C linker:
  Debian, Ubuntu:  apt install rustup gcc && rustup default stable
  Fedora:          dnf install rustup gcc && rustup-init
  Arch:            pacman -S rustup gcc && rustup default stable
  macOS:           brew install rustup && rustup default stable
Then call `M-x cj/gate-compile-module' again."
          cj/gate--rust-version))

(defun cj/gate--install-module (built &optional fingerprint)
  "Move BUILT, a shared library, into place by rename; return the file.
If a module is loaded already, the new file gets a name of its own.
FINGERPRINT is the fingerprint of the sources before the build, as
`cj/gate-stamp-fingerprint' returned it; nil: take it now."
  (require 'cj-gate-stamp)
  (let* ((directory (cj/gate--module-directory))
         (name (if (featurep 'cj-gate-module)
                   (format "cj-gate-module-%s-%s" cj/gate-version
                           (format-time-string "%Y%m%d%H%M%S"))
                 "cj-gate-module"))
         (file (expand-file-name (concat name module-file-suffix) directory))
         (new (make-temp-file (expand-file-name ".cj-gate-module" directory))))
    (cj/gate-stamp-write built new
                         (or fingerprint
                             (cj/gate-stamp-fingerprint
                              (file-name-directory
                               (directory-file-name cj/gate--source-directory)))))
    (set-file-modes new #o755)
    (rename-file new file t)
    file))

(defun cj/gate--cargo-library (directory)
  "Return the library that cargo built in its target DIRECTORY, or nil."
  (let ((name (if (eq system-type 'darwin) "libcj_gate.dylib" "libcj_gate.so")))
    (seq-find #'file-exists-p
              ;; If cargo's configuration names a target, the library is in
              ;; TARGET/release/, as in x86_64-unknown-linux-gnu/release/.
              (mapcar (lambda (above) (expand-file-name (concat "release/" name) above))
                      (cons directory
                            (and (file-directory-p directory)
                                 (directory-files directory t "\\`[^.].*-")))))))

;;;;; Where cargo builds

;; After a build, cargo's target directory has some 200 MB, of which the module
;; is a few MB.  A person who works on the sources keeps the directory, to build
;; faster.  A person who only uses the package does not need it.

(defun cj/gate--in-package-p (root)
  "Return non-nil if ROOT is in a package that package.el installed."
  (and (bound-and-true-p package-user-dir)
       (file-in-directory-p root package-user-dir)))

(defun cj/gate--kept-target (root)
  "Return the target directory of ROOT that stays after a build, or nil.
The value is CARGO_TARGET_DIR if that is set, else target/ in ROOT if it is
there.  In a package of package.el, target/ counts only if it holds debug/:
somebody has developed there, since the builds of this file make no debug/."
  (let ((named (getenv "CARGO_TARGET_DIR"))
        (target (expand-file-name "target/" root)))
    (cond ((not (member named '(nil "")))
           (file-name-as-directory (expand-file-name named root)))
          ((file-directory-p (if (cj/gate--in-package-p root)
                                 (expand-file-name "debug" target)
                               target))
           target))))

(defun cj/gate--new-target ()
  "Make a directory for one build; return its name.
The directory lies in the user's cache directory and is closed to other users.
/tmp will not do: it may forbid running programs, and cargo runs some of the
programs that it builds.  Also delete such directories that are over a day
old: an Emacs that crashed during a build leaves its directory behind."
  (let* ((cache (getenv "XDG_CACHE_HOME"))
         (parent (expand-file-name "cj-gate/" (if (file-name-absolute-p (or cache ""))
                                                  cache
                                                "~/.cache/"))))
    (with-file-modes #o700
      (make-directory parent t))
    (dolist (left (directory-files parent t "\\`build-"))
      ;; No build takes a day.
      (when (time-less-p (time-add (file-attribute-modification-time (file-attributes left))
                                   86400)
                         nil)
        (cj/gate--drop-target left)))
    (file-name-as-directory (make-temp-file (expand-file-name "build-" parent) t))))

(defun cj/gate--drop-target (directory)
  "Delete DIRECTORY, of a build that has ended; return nil if a part stays."
  (let ((tries 20))
    ;; A compiler that was killed a moment ago may still write a file.
    (while (and (file-exists-p directory)
                (> (setq tries (1- tries)) 0))
      (condition-case nil
          (delete-directory directory t)
        (file-error (sleep-for 0.05))))
    (not (file-exists-p directory))))

(defun cj/gate--end-build (process)
  "End the build PROCESS, and delete the target directory made for it, if any.
In a package, also delete target/, which earlier versions left there."
  (let ((new (process-get process 'cj-gate-new-target))
        (root (process-get process 'cj-gate-root)))
    (when (process-live-p process)
      ;; `kill-process' also ends the compilers: they are in its process group.
      (set-process-sentinel process #'ignore)
      (kill-process process))
    (when new
      (cj/gate--drop-target new)
      (when (cj/gate--in-package-p root)
        (cj/gate--drop-target (expand-file-name "target" root))))))

(defun cj/gate--end-builds ()
  "End every build; for `kill-emacs-hook'."
  (dolist (process (process-list))
    (when (process-get process 'cj-gate-root)
      (cj/gate--end-build process))))

;;;;; The build

(defun cj/gate--build-said (status output target fingerprint)
  "Install the module that cargo built in TARGET; return what to tell the user.
STATUS is the exit status of cargo, and OUTPUT its output.  FINGERPRINT is as
in `cj/gate--install-module'."
  (let ((built (cj/gate--cargo-library target)))
    (condition-case err
        (cond
         ((and (zerop status) built)
          (format "\nInstalled %s\n%s\n"
                  (abbreviate-file-name (cj/gate--install-module built fingerprint))
                  (if (featurep 'cj-gate-module)
                      "Restart Emacs to use it."
                    "It will be loaded at first use.")))
         ((string-match-p "requires rustc\\|rustc [0-9.]+ is not supported\\|edition2024\\|edition `2024`"
                          output)
          (concat "\nThe Rust on this machine is too old.\n" (cj/gate--rust-advice) "\n"))
         (t "\nThe build failed; the reason stands above.\n"))
      (error (format "\nThe build could not be installed: %s\n"
                     (error-message-string err))))))

(defun cj/gate--compile-finished (target fingerprint)
  "Return the process sentinel for a build in the directory TARGET.
FINGERPRINT is as in `cj/gate--install-module'."
  (lambda (process _event)
    (unless (process-live-p process)
      (unwind-protect
          ;; A person who killed the buffer gave the build up: install nothing.
          (when (buffer-live-p (process-buffer process))
            (with-current-buffer (process-buffer process)
              (let ((inhibit-read-only t))
                (goto-char (point-max))
                (insert (cj/gate--build-said (process-exit-status process) (buffer-string)
                                             target fingerprint)))))
        (cj/gate--end-build process)))))

;;;###autoload
(defun cj/gate-compile-module ()
  "Build the native module with cargo, in a visible buffer.
Emacs stays usable meanwhile; the end of the buffer says whether the module was
installed.
Cargo builds in a new directory under ~/.cache/cj-gate/ (XDG_CACHE_HOME), which
is deleted when the build has ended, so that only the module stays.  If
CARGO_TARGET_DIR is set, or the checkout has target/, cargo builds there
instead and its files stay."
  (interactive)
  (let ((cargo (executable-find "cargo"))
        (root (file-name-directory
               (directory-file-name cj/gate--source-directory))))
    (unless (file-exists-p (expand-file-name "Cargo.toml" root))
      (user-error "No Cargo.toml in %s: the package holds no source of the module"
                  (abbreviate-file-name root)))
    (unless cargo
      (with-output-to-temp-buffer "*cj-gate build*"
        (princ "cargo was not found.\n")
        (princ (cj/gate--rust-advice)))
      (user-error "Cargo was not found; the buffer *cj-gate build* says what to install"))
    (with-current-buffer (get-buffer-create "*cj-gate build*")
      (when (process-live-p (get-buffer-process (current-buffer)))
        (user-error "A build is running already"))
      (let ((inhibit-read-only t)) (erase-buffer))
      (setq default-directory root)
      (require 'cj-gate-stamp)
      (special-mode)
      (display-buffer (current-buffer))
      (let* ((kept (cj/gate--kept-target root))
             (target (or kept (cj/gate--new-target)))
             (process nil))
        (unwind-protect
            (setq process
                  (make-process :name "cj-gate-build" :buffer (current-buffer) :noquery t
                                :command (list cargo "build" "--release" "--locked" "--lib"
                                               "--target-dir" target)
                                :sentinel (cj/gate--compile-finished
                                           target (cj/gate-stamp-fingerprint root))))
          (unless (or kept process)
            (cj/gate--drop-target target)))
        (process-put process 'cj-gate-root root)
        (process-put process 'cj-gate-new-target (unless kept target))
        (add-hook 'kill-emacs-hook #'cj/gate--end-builds)
        process))))

(provide 'cj-gate-load)

;;; cj-gate-load.el ends here
