;;; load-tests.el --- Loading the native core, each time in an Emacs of its own -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)

(defconst load-tests--module
  (expand-file-name (concat "dev-module/cj-gate-module" module-file-suffix) lab-target)
  "The module that tests load.")

(defconst load-tests--every-tool
  '(let ((answers nil))
     (require 'cj-gh)
     (require 'cj-gh-tools)
     (dolist (call (list (lambda (got) (cj/gh-call '("pr" "view" "1") got :repo "o/r"))
                         (lambda (got) (cj/gh-tool-pr-view got 1 nil nil "o/r"))
                         (lambda (got) (cj/gh-tool-gh got ["pr" "merge" "1"] "o/r"))))
       (let ((of-call nil))
         (funcall call (lambda (answer) (push answer of-call)))
         (push of-call answers)))
     (list :load (condition-case err (cj/gate-load-module) (error err))
           :classify (condition-case err (cj/gh-classify '("pr" "view" "1")) (error err))
           :plan (condition-case err (cj/gate-plan "gh" '("pr" "view" "1")) (error err))
           :redact (condition-case err (cj/gate-redact-text "x") (error err))
           :answers answers))
  "A form that tries every door and tool, and tells what came of it.")

(defun load-tests--all-refuse (result words &optional classes)
  "Check that in RESULT every door and tool refuses with WORDS, a regexp.
CLASSES are those that the answers name, in their order; default: unknown."
  (dolist (door '(:load :classify :plan :redact))
    (let ((err (plist-get result door)))
      (ert-info ((format "%s: %S" door err))
        (should (eq (car-safe err) 'cj/gate-module))
        (should (string-match-p words (cadr err)))
        (should (string-match-p "\n" (cadr err)))
        (should (eq (plist-get (cddr err) :kind) 'module)))))
  (dolist (answers (plist-get result :answers))
    (should (= (length answers) 1))
    (should (equal (lab-header (car answers))
                   (list "-" (or (pop classes) "unknown") "error module")))
    (should (string-match-p words (car answers)))))

(ert-deftest load-requiring-the-libraries-loads-neither-gptel-nor-the-module ()
  (should-not
   (lab-child
    '(require 'cj-gate) '(require 'cj-gh)
    '(delq nil (mapcar (lambda (feature) (and (featurep feature) feature))
                       '(gptel gptel-request transient cj-gate-module cj-gate-gptel
                               cj-gh-tools cj-gate-confirm tramp url))))))

(ert-deftest load-requiring-the-libraries-leaves-to-the-first-call-what-it-needs ()
  "Macros of cl-lib, expanded from source, would cost more than all the rest."
  (should-not
   (lab-child
    '(require 'cj-gh)
    '(delq nil (mapcar (lambda (feature) (and (featurep feature) feature))
                       '(cj-gate-job cj-gate-progress cl-lib cl-macs))))))

(ert-deftest load-each-autoload-names-the-file-that-defines-it ()
  (let ((result
         (lab-child
          '(require 'cj-gh)
          '(require 'cj-net)
          '(let ((promised nil))
             (mapatoms (lambda (symbol)
                         (when (and (string-prefix-p "cj/" (symbol-name symbol))
                                    (autoloadp (symbol-function symbol)))
                           (push (cons symbol (commandp symbol)) promised))))
             (list :promised (mapcar #'car promised)
                   :broken (delq nil
                                 (mapcar (lambda (row)
                                           (autoload-do-load (symbol-function (car row)) (car row))
                                           (unless (eq (cdr row) (commandp (car row)))
                                             (car row)))
                                         promised)))))))
    (dolist (function '(cj/gate-submit cj/gate-more cj/gate-reject cj/gate-abandon cj/gate-stop))
      (should (memq function (plist-get result :promised))))
    (should-not (plist-get result :broken))))

(ert-deftest load-a-missing-module-is-said-and-every-tool-refuses ()
  (load-tests--all-refuse
   (lab-child '(setq cj/gate-module-directory "/nonexistent/")
                      load-tests--every-tool)
   "is missing in /nonexistent/.\\(?:\n\\|.\\)*cj/gate-compile-module"))

(ert-deftest load-a-module-of-another-version-is-refused ()
  (load-tests--all-refuse
   (lab-child '(require 'cj-gate-load) '(setq cj/gate-version "9.9.9")
                      load-tests--every-tool)
   "is version [0-9.]+, this Lisp is version 9\\.9\\.9\\.\\(?:\n\\|.\\)*restart Emacs"
   ;; It records the calls; what was argv from the start has a class.
   '("unknown" "unknown" "read")))

(ert-deftest load-a-file-that-is-no-module-is-refused ()
  (let ((dir (make-temp-file "cj-gate" t)))
    (unwind-protect
        (progn
          (write-region "no library" nil
                        (expand-file-name (file-name-nondirectory load-tests--module) dir)
                        nil 'quiet)
          (load-tests--all-refuse
           (lab-child `(setq cj/gate-module-directory ,dir)
                              load-tests--every-tool)
           "cannot be loaded"))
      (delete-directory dir t))))

(ert-deftest load-an-emacs-without-modules-is-told-so ()
  (load-tests--all-refuse
   (lab-child '(setq module-file-suffix nil) load-tests--every-tool)
   "cannot load modules"))

(ert-deftest load-a-newer-module-is-said-once-and-the-old-one-goes-on ()
  (let ((dir (make-temp-file "cj-gate" t)))
    (unwind-protect
        (let* ((file (expand-file-name (file-name-nondirectory load-tests--module) dir))
               (newer (replace-regexp-in-string
                       "module\\." "module-0.1.0-20990101000000." file nil t))
               (result
                (progn
                  (copy-file load-tests--module file)
                  (lab-child
                   `(setq cj/gate-module-directory ,dir)
                   '(require 'cj-gh)
                   '(cj/gate-load-module)
                   '(cj/gate-load-module)
                   '(message "NOW")
                   `(write-region "not even a module" nil ,newer nil 'quiet)
                   `(set-file-times ,newer (time-add nil 5))
                   ;; It does not look at every call.
                   '(setq cj/gate--newer-asked 0)
                   '(list :versions (list (cj/gate-load-module) (cj/gate-load-module)
                                          (cj/gate-load-module))
                          :class (plist-get (cj/gh-classify '("pr" "merge" "1")) :class))))))
          (should (equal (delete-dups (plist-get result :versions)) '("0.1.0")))
          (should (eq (plist-get result :class) 'write))
          (should (string-match-p "\\`[^\0]*NOW\n\\(?:.\\|\n\\)*a newer module is there; restart Emacs"
                                  (plist-get result :said)))
          (should (= 2 (length (split-string (plist-get result :said) "a newer module")))))
      (delete-directory dir t))))

(ert-deftest load-a-buffer-s-own-directory-loads-nothing ()
  (should (equal (lab-child
                  '(require 'cj-gh)
                  '(with-temp-buffer
                     (setq-local cj/gate-module-directory "/nonexistent/")
                     (cj/gate-load-module)))
                 "0.1.0")))

(ert-deftest load-an-installed-build-never-overwrites-a-loaded-one ()
  (let ((dir (make-temp-file "cj-gate" t)))
    (unwind-protect
        (let* ((file (expand-file-name (file-name-nondirectory load-tests--module) dir))
               (result
                (progn
                  (copy-file load-tests--module file)
                  (lab-child
                   `(setq cj/gate-module-directory ,dir)
                   '(require 'cj-gh)
                   '(cj/gate-load-module)
                   `(let ((before (file-attribute-inode-number (file-attributes ,file)))
                          (installed (cj/gate--install-module ,load-tests--module)))
                      (list :same (equal before (file-attribute-inode-number
                                                 (file-attributes ,file)))
                            :installed installed
                            :class (plist-get (cj/gh-classify '("pr" "view" "1"))
                                              :class)))))))
          (should (plist-get result :same))
          (should-not (equal (plist-get result :installed) file))
          (should (eq (plist-get result :class) 'read))
          ;; The next Emacs takes the new one.
          (should (equal (lab-child
                          `(setq cj/gate-module-directory ,dir)
                          '(require 'cj-gh) '(cj/gate-load-module) 'cj/gate--loaded-file)
                         (plist-get result :installed))))
      (delete-directory dir t))))

(ert-deftest load-through-links-the-module-is-looked-for-where-they-lead ()
  "Straight and elpaca make links to our Lisp, and compile it beside them."
  (let ((dir (make-temp-file "cj-gate" t)))
    (unwind-protect
        (progn
          (dolist (file (directory-files (expand-file-name "lisp" lab-root) t "\\.el\\'"))
            (make-symbolic-link file (expand-file-name (file-name-nondirectory file) dir)))
          (let ((result (lab-child
                         `(push ,dir load-path)
                         `(byte-compile-file ,(expand-file-name "cj-gate-load.el" dir))
                         '(require 'cj-gate)
                         '(setq cj/gate-module-directory nil)
                         '(list :from (symbol-file 'cj/gate-load-module)
                                :directory (cj/gate--module-directory)))))
            (should (equal (plist-get result :from)
                           (expand-file-name "cj-gate-load.elc" dir)))
            (should (equal (plist-get result :directory)
                           (file-truename (expand-file-name "lisp/" lab-root))))))
      (delete-directory dir t))))

(ert-deftest load-registering-twice-keeps-one-tool-of-each-name ()
  (let ((result (lab-child
                 '(require 'cj-gh)
                 '(let ((first (cj/gh-register)) (second (cj/gh-register)))
                    (list :names (mapcar #'gptel-tool-name second)
                          :again (equal (mapcar #'gptel-tool-name first)
                                        (mapcar #'gptel-tool-name second))
                          :found (eq (gptel-get-tool "gh") (car (last second)))
                          :functions (mapcar #'gptel-tool-function second)
                          :async (mapcar #'gptel-tool-async second)
                          :confirm (mapcar #'gptel-tool-confirm second)
                          :module (featurep 'cj-gate-module))))))
    (should (member "gh_pr_view" (plist-get result :names)))
    (should (equal (plist-get result :names)
                   (delete-dups (copy-sequence (plist-get result :names)))))
    (should (plist-get result :again))
    (should (plist-get result :found))
    ;; By name, so that a new version of a function takes effect.
    (should (cl-every #'symbolp (plist-get result :functions)))
    (should (memq 'cj/gh-tool-pr-view (plist-get result :functions)))
    (should (equal (delete-dups (plist-get result :async)) '(t)))
    (should (equal (delete-dups (plist-get result :confirm)) '(nil)))
    ;; Registering must not be what builds or loads the module.
    (should-not (plist-get result :module))))

(provide 'load-tests)

;;; load-tests.el ends here
