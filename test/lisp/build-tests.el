;;; build-tests.el --- What a build of the module leaves behind -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; M-x cj/gate-compile-module in a package, in a checkout, and with a build that
;; fails or is stopped.  Cargo is the stand-in of test/lisp/lab-home.el, which
;; writes three megabytes beside the library.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-home)

(defun build-tests--tree (dir)
  "Return the files below DIR without the crate's sources, relative, sorted."
  (sort (cl-remove-if (lambda (name) (string-match-p "\\`\\(?:src\\|Cargo\\)" name))
                      (mapcar (lambda (file) (file-relative-name file dir))
                              (directory-files-recursively dir "")))
        #'string<))

(defun build-tests--builds (cache)
  "Return the names of the directories of builds in CACHE."
  (mapcar #'file-name-nondirectory
          (file-expand-wildcards (expand-file-name "cj-gate/*" cache))))

(defun build-tests--run (dir root &rest more)
  "Build the crate in ROOT with the home in DIR; return what the build left.
The value is a plist: :said (messages), :root (files below ROOT), :cache (names
of build directories in the cache) and :target (where cargo built).
MORE is a plist: :environment, entries for `process-environment'; :before, a
form to evaluate before the build; :build, a form in place of the build."
  (let ((process-environment (apply #'lab-home-environment dir (plist-get more :environment)))
        (lisp (expand-file-name "lisp/" root)))
    (dolist (name '("Cargo.toml" "Cargo.lock" "src/lib.rs"))
      (lab-home-write (expand-file-name name root) name))
    (make-directory lisp t)
    (let ((said (lab-child
                 '(require 'package)
                 `(setq package-user-dir ,(expand-file-name "home/elpa" dir))
                 '(require 'cj-gate-load)
                 `(setq cj/gate--source-directory ,lisp cj/gate-module-directory nil)
                 (plist-get more :before)
                 (or (plist-get more :build) lab-home-compile))))
      (list :said said
            :root (build-tests--tree root)
            :cache (build-tests--builds (expand-file-name "home/.cache" dir))
            :target (with-temp-buffer
                      (insert-file-contents (expand-file-name "home/cargo-target" dir))
                      (string-trim-right (buffer-string)))))))

(defmacro build-tests--with (dir &rest body)
  "Run BODY with DIR bound to a new directory with a home that has a cache."
  (declare (indent 1))
  `(let ((,dir (file-name-as-directory (file-truename (make-temp-file "build" t)))))
     (unwind-protect
         (progn (lab-home-cargo-in ,dir)
                (make-directory (expand-file-name "home/.cache" ,dir) t)
                ,@body)
       (lab-remove ,dir))))

(defun build-tests--package (dir)
  "Return the directory of a package in the home of DIR."
  (expand-file-name "home/elpa/cj-gate/" dir))

(defconst build-tests--module (concat "lisp/cj-gate-module" module-file-suffix)
  "The one file that a build leaves.")

(ert-deftest build-in-a-package-leaves-only-the-module ()
  (build-tests--with dir
    (let ((result (build-tests--run dir (build-tests--package dir))))
      (ert-info ((format "%S" result))
        (should (string-match-p "^Installed .*\nIt will be loaded at first use" (plist-get result :said)))
        (should (equal (plist-get result :root) (list build-tests--module)))
        (should (equal (plist-get result :cache) nil))
        ;; Cargo built in the cache, in a directory closed to other users.
        (should (string-prefix-p (expand-file-name "home/.cache/cj-gate/build-" dir)
                                 (plist-get result :target)))
        (should (equal (file-modes (expand-file-name "home/.cache/cj-gate" dir)) #o700))))))

(ert-deftest build-in-a-fresh-checkout-leaves-only-the-module ()
  "Straight and elpaca make such checkouts."
  (build-tests--with dir
    (let ((result (build-tests--run dir (expand-file-name "home/straight/repos/cj-gate/" dir))))
      (should (equal (plist-get result :root) (list build-tests--module)))
      (should (equal (plist-get result :cache) nil)))))

(ert-deftest build-that-fails-leaves-nothing ()
  (build-tests--with dir
    (let ((result (build-tests--run dir (build-tests--package dir)
                                    :environment '("CARGO_FAILS=1"))))
      (should (string-match-p "no space left\n\nThe build failed; the reason stands above"
                              (plist-get result :said)))
      (should (equal (plist-get result :root) nil))
      (should (equal (plist-get result :cache) nil)))))

(ert-deftest build-uses-the-cache-that-xdg-cache-home-names ()
  (build-tests--with dir
    (let ((result (build-tests--run dir (build-tests--package dir)
                                    :environment (list (concat "XDG_CACHE_HOME=" dir "cache")))))
      (should (string-prefix-p (expand-file-name "cache/cj-gate/build-" dir)
                               (plist-get result :target)))
      (should (equal (build-tests--builds (expand-file-name "cache" dir)) nil)))))

(ert-deftest build-keeps-the-target-directory-of-a-developer ()
  (build-tests--with dir
    ;; A checkout with target/, a package with target/debug/, in which somebody
    ;; develops, and a directory that CARGO_TARGET_DIR names.
    (dolist (row `(("home/src/cj-gate/" "target/release/old" "target")
                   ("home/elpa/cj-gate/" "target/debug/old" "target")
                   ("home/elpa/other/" "elsewhere/debug/old" "elsewhere"
                    "CARGO_TARGET_DIR=elsewhere")))
      (pcase-let* ((`(,root ,old ,target . ,environment) row)
                   (root (expand-file-name root dir)))
        (lab-home-write (expand-file-name old root) "of before")
        (let ((result (build-tests--run dir root :environment environment)))
          (ert-info ((format "%S" result))
            (should (equal (directory-file-name (plist-get result :target))
                           (expand-file-name target root)))
            (should (equal (plist-get result :root)
                           (sort (append (list build-tests--module old)
                                         (mapcar (lambda (name) (concat target "/" name))
                                                 '("CACHEDIR.TAG" "release/deps/more"
                                                   "release/libcj_gate.so")))
                                 #'string<)))))))))

(ert-deftest build-removes-the-target-directory-of-earlier-versions-from-a-package ()
  (build-tests--with dir
    (let ((root (build-tests--package dir)))
      (lab-home-write (expand-file-name "target/release/deps/old" root) "of before")
      (should (equal (plist-get (build-tests--run dir root) :root)
                     (list build-tests--module))))))

(ert-deftest build-finds-the-library-below-a-target-triple ()
  (build-tests--with dir
    (let ((cargo (expand-file-name "bin/cargo" dir)))
      (with-temp-buffer
        (insert-file-contents cargo)
        (while (search-forward "$target/release" nil t)
          (replace-match "$target/x86_64-unknown-linux-gnu/release" t t))
        (write-region nil nil cargo nil 'quiet)))
    (let ((result (build-tests--run dir (build-tests--package dir))))
      (should (equal (plist-get result :root) (list build-tests--module)))
      (should (equal (plist-get result :cache) nil)))))

(defconst build-tests--started
  '(progn
     (cj/gate-compile-module)
     (let ((deadline (time-add nil 20)))
       (while (not (file-expand-wildcards "~/.cache/cj-gate/build-*/release/deps/more"))
         (accept-process-output nil 0.05)
         (when (time-less-p deadline nil)
           (error "Cargo wrote nothing into a directory of ours")))))
  "A form that starts a build and waits until cargo has written a file.")

(ert-deftest build-that-a-person-stops-leaves-nothing ()
  (dolist (end '((kill-buffer "*cj-gate build*")
                 (kill-process (get-buffer-process "*cj-gate build*"))
                 ;; The hook alone: `kill-emacs' would end the child Emacs
                 ;; before it has written its value.
                 (run-hooks 'kill-emacs-hook)))
    (build-tests--with dir
      (let ((result (build-tests--run dir (build-tests--package dir)
                                      :environment '("CARGO_WAITS=30")
                                      :build `(progn ,build-tests--started ,end
                                                     (accept-process-output nil 0.5)
                                                     (and (get-buffer "*cj-gate build*") t)))))
        (ert-info ((format "%S: %S" end result))
          (should (equal (plist-get result :root) nil))
          (should (equal (plist-get result :cache) nil)))))))

(ert-deftest build-removes-an-old-build-directory-and-keeps-a-recent-one ()
  (build-tests--with dir
    (let ((old (expand-file-name "home/.cache/cj-gate/build-old" dir))
          (running (expand-file-name "home/.cache/cj-gate/build-running" dir)))
      (dolist (build (list old running))
        (lab-home-write (expand-file-name "release/more" build) "of before"))
      (set-file-times old (time-subtract nil 90000))
      (should (equal (plist-get (build-tests--run dir (build-tests--package dir)) :cache)
                     '("build-running"))))))

(provide 'build-tests)

;;; build-tests.el ends here
