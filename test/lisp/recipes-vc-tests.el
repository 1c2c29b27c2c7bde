;;; recipes-vc-tests.el --- The manual's recipe for package-vc, in a new home -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Like recipes-tests.el, for the recipe with which package-vc clones the
;; package: the installation, later starts, and upgrades.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-home)

(defun recipes-vc-tests--recipe ()
  "Return the recipe for use-package with :vc."
  (car (lab-home-blocks "With package-vc, in Emacs 30" 'lisp)))

(defun recipes-vc-tests--need ()
  "Skip the test where use-package has no :vc."
  (when (< emacs-major-version 30)
    (ert-skip "use-package has :vc since Emacs 30")))

(defun recipes-vc-tests--home (dir)
  "Put the :vc recipe into the home of DIR, and an archive beside it."
  (lab-home-archive (expand-file-name "archive" dir))
  (lab-home-init dir (recipes-vc-tests--recipe)
                 `(setq package-archives '(("here" . ,(expand-file-name "archive/" dir)))
                        package-check-signature nil)))

(defun recipes-vc-tests--package (dir)
  "Return the directory of the package in the home of DIR."
  (expand-file-name "home/.emacs.d/elpa/cj-gate/" dir))

(ert-deftest recipes-vc-installs-once-and-works-at-each-later-start ()
  (recipes-vc-tests--need)
  (lab-home-with dir
    (recipes-vc-tests--home dir)
    (let* ((package (recipes-vc-tests--package dir))
           (identity (lambda () (file-attribute-inode-number (file-attributes package)))))
      ;; The first start installs the Lisp and says that the module is missing;
      ;; the person then builds it.
      (lab-home-works (lab-home-start dir lab-home-report)
                      "is missing in .*\n.*cj/gate-compile-module")
      (let ((installed (funcall identity))
            (commit (lab-home-git package "rev-parse" "HEAD")))
        (should installed)
        (should (string-match-p "^Installed .*\nIt will be loaded at first use"
                                (apply #'lab-home-start dir lab-home-compile
                                       (lab-home-real-cargo))))
        (dotimes (_ 3)
          (lab-home-works (lab-home-start dir lab-home-report)))
        (should (equal (funcall identity) installed))
        (should (equal (lab-home-git package "rev-parse" "HEAD") commit))
        (should (equal (lab-home-git package "status" "--porcelain") ""))
        (should-not (file-exists-p (expand-file-name "target" package)))))))

(ert-deftest recipes-vc-replaces-the-checkout-of-a-failed-installation ()
  "Without `:rev :newest' the recipe fails and leaves a broken checkout.
The real recipe asks once whether to overwrite it."
  (recipes-vc-tests--need)
  (lab-home-with dir
    (recipes-vc-tests--home dir)
    (let ((recipe (recipes-vc-tests--recipe))
          (package (recipes-vc-tests--package dir)))
      (lab-home-write (expand-file-name "home/.emacs.d/init.el" dir)
                      (replace-regexp-in-string " :rev :newest" "" recipe t t))
      (should (string-match-p "Wrong type argument: stringp, nil"
                              (lab-home-start dir '(with-current-buffer "*Warnings*"
                                                     (buffer-string)))))
      (should (file-directory-p package))
      (should-not (file-exists-p (expand-file-name "cj-gate-pkg.el" package)))
      (lab-home-write (expand-file-name "home/.emacs.d/init.el" dir) recipe)
      (let ((lab-home-reply '("Overwrite previous checkout" . "yes\r")))
        (should (equal (lab-home-start dir '(commandp 'cj/gh-doctor)) t)))
      (lab-home-start dir lab-home-compile)
      (lab-home-works (lab-home-start dir lab-home-report)))))

(ert-deftest recipes-vc-upgrades-the-lisp-and-then-the-module ()
  (recipes-vc-tests--need)
  (lab-home-with dir
    (recipes-vc-tests--home dir)
    (let* ((package (recipes-vc-tests--package dir))
           (repository (expand-file-name "github/cjennings/cj-gate/" dir))
           (append-to (lambda (name text)
                        (write-region text nil (expand-file-name name repository) t 'quiet)))
           (upgrade `(progn
                       (require 'package-vc)
                       (package-vc-upgrade (cadr (assq 'cj-gate package-alist)))
                       (let ((deadline (time-add nil 100)))
                         (while (and (time-less-p nil deadline)
                                     (or vc-post-command-functions
                                         (cl-some (lambda (process)
                                                    (string-match-p "git" (process-name process)))
                                                  (process-list))))
                           (accept-process-output nil 0.1))))))
      (lab-home-start dir lab-home-compile)
      (lab-home-works (lab-home-start dir lab-home-report))
      ;; After a change in Lisp alone the module stays, and the new command is
      ;; autoloaded.
      (with-temp-buffer
        (insert-file-contents (expand-file-name "lisp/cj-gh.el" repository))
        (search-forward "(provide 'cj-gh)")
        (goto-char (match-beginning 0))
        (insert ";;;###autoload\n(defun cj/gh-newer () \"Be newer.\" (interactive) 'newer)\n\n")
        (write-region nil nil (expand-file-name "lisp/cj-gh.el" repository) nil 'quiet))
      (lab-home-git repository "commit" "--quiet" "-a" "-m" "Lisp")
      (lab-home-start dir upgrade)
      (lab-home-works (lab-home-start dir lab-home-report))
      (should (equal (lab-home-start dir '(cj/gh-newer)) 'newer))
      ;; After a change in Rust the module is refused until it is built again.
      (funcall append-to "src/lib.rs" "// One line more.\n")
      (lab-home-git repository "commit" "--quiet" "-a" "-m" "Rust")
      (lab-home-start dir upgrade)
      (lab-home-works (lab-home-start dir lab-home-report)
                      "was built from other sources than those in .*\n.*cj/gate-compile-module")
      (lab-home-start dir lab-home-compile)
      (lab-home-works (lab-home-start dir lab-home-report))
      (should (equal (lab-home-git package "status" "--porcelain") "")))))

(provide 'recipes-vc-tests)

;;; recipes-vc-tests.el ends here
