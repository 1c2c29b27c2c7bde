;;; recipes-tests.el --- The manual's recipes for an installation, each in a new home -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each test takes the text of a recipe out of docs/cj-gate.texi and runs it
;; unchanged: the shell commands in a shell, the Lisp as the init file of an
;; Emacs on a terminal.  test/lisp/lab-home.el says which programs and servers
;; are stand-ins.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'lab-home)

(defun recipes-tests--by-hand ()
  "Return three texts of the section \"By hand\", a list.
They are the shell commands, the plain Lisp, and the Lisp for use-package."
  (append (lab-home-blocks "By hand" 'shell)
          (lab-home-blocks "By hand" 'lisp)))

;;;; By hand

(defun recipes-tests--run-shell (dir text &rest environment)
  "Run the shell commands TEXT in the home of DIR; return their output.
The entries ENVIRONMENT go before the environment of the home."
  (with-temp-buffer
    (let* ((process-environment (apply #'lab-home-environment dir environment))
           (default-directory (expand-file-name "home/" dir))
           (status (call-process "sh" nil t nil "-e" "-c" text)))
      (ert-info ((buffer-string))
        (should (eql status 0)))
      (buffer-string))))

(ert-deftest recipes-by-hand-in-plain-lisp-works-at-each-start ()
  (lab-home-with dir
    (pcase-let ((`(,shell ,plain ,_) (recipes-tests--by-hand)))
      (lab-home-init dir plain (lab-home-packages))
      (apply #'recipes-tests--run-shell dir shell (lab-home-real-cargo))
      (dotimes (_ 2)
        (let ((report (lab-home-start dir lab-home-report)))
          (lab-home-works report)
          (should (string-prefix-p (expand-file-name "home/src/cj-gate/lisp/" dir)
                                   (plist-get report :from)))))
      ;; Git sees no change in the checkout.
      (should (equal (lab-home-git (expand-file-name "home/src/cj-gate" dir)
                                   "status" "--porcelain")
                     "")))))

(defun recipes-tests--use-package (dir)
  "Return a form that loads use-package, or nil if this Emacs has it.
Emacs 28 has none.  It gets the sources of a newer Emacs under .deps, copied to
DIR without the compiled files, which it could not load."
  (unless (locate-library "use-package")
    (let ((sources (file-expand-wildcards
                    (expand-file-name
                     ".deps/emacs/3*/usr/share/emacs/3*/lisp/use-package/*.el.gz" lab-root))))
      (unless sources
        (ert-skip "There is no use-package for this Emacs"))
      (make-directory dir t)
      (dolist (source (cons (expand-file-name "../bind-key.el.gz"
                                              (file-name-directory (car sources)))
                            sources))
        (when (file-exists-p source)
          (copy-file source (expand-file-name (file-name-nondirectory source) dir) t)))
      `(progn (push ,dir load-path) (require 'use-package)))))

(ert-deftest recipes-by-hand-with-use-package-works-at-each-start ()
  (lab-home-with dir
    (pcase-let ((`(,shell ,_ ,recipe) (recipes-tests--by-hand)))
      (lab-home-init dir recipe (lab-home-packages)
                     (recipes-tests--use-package (expand-file-name "use-package" dir)))
      (recipes-tests--run-shell dir shell)
      (dotimes (_ 2)
        (lab-home-works (lab-home-start dir lab-home-report))))))

(ert-deftest recipes-the-manual-is-listed-even-when-info-ran-before ()
  (lab-home-with dir
    (pcase-let ((`(,shell ,plain ,_) (recipes-tests--by-hand))
                (elsewhere (expand-file-name "info/" dir)))
      (lab-home-write
       (expand-file-name "dir" elsewhere)
       "\x1f\nFile: dir,\tNode: Top\n\n* Menu:\n\nEmacs\n* Other: (other).  Another manual.\n")
      (recipes-tests--run-shell dir shell)
      ;; Info showed its directory node before; INFOPATH names one directory;
      ;; INFOPATH ends in a colon, which adds the usual directories.
      (dolist (row `(((progn (info) (quit-window)))
                     (nil ,(concat "INFOPATH=" elsewhere))
                     (nil ,(concat "INFOPATH=" elsewhere ":"))))
        (lab-home-init dir (concat (if (car row) (prin1-to-string (car row)) "") plain)
                       (lab-home-packages))
        (lab-home-works (apply #'lab-home-start dir lab-home-report
                               (cdr row)))))))

;;;; The README

(ert-deftest recipes-of-the-readme-equal-those-of-the-manual ()
  "README.org has the recipe by hand word for word, and no other recipe."
  (pcase-let ((`(,shell ,plain ,_) (recipes-tests--by-hand)))
    (should (equal (car (lab-home-readme-blocks "sh")) shell))
    (should (equal (car (lab-home-readme-blocks "emacs-lisp")) plain))
    (dolist (block (append (cdr (lab-home-readme-blocks "sh"))
                           (cdr (lab-home-readme-blocks "emacs-lisp"))))
      (should-not (string-match-p "git clone\\|use-package\\|cj/gh-register" block)))))

(provide 'recipes-tests)

;;; recipes-tests.el ends here
