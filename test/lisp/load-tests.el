;;; load-tests.el --- Loading the native module, each time in a new Emacs -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'lab-support)

(declare-function cj/gate-stamp-fingerprint "cj-gate-stamp" (root))
(declare-function cj/gate-stamp--sources "cj-gate-stamp" (root))
(defvar cj/gate-stamp--doors)

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
  "A form that calls several functions and tools; its value has the results.")

(defun load-tests--all-refuse (result words &optional classes)
  "Check that every call in RESULT refused with a message that matches WORDS.
RESULT is the value of `load-tests--every-tool'.  CLASSES are the classes in the
headers of the answers, in order; a missing one is \"unknown\"."
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

(ert-deftest load-requiring-the-libraries-leaves-gptel-and-the-module-unloaded ()
  (should-not
   (lab-child
    '(require 'cj-gate) '(require 'cj-gh)
    '(delq nil (mapcar (lambda (feature) (and (featurep feature) feature))
                       '(gptel gptel-request transient cj-gate-module cj-gate-gptel
                               cj-gh-tools cj-gate-approval tramp url))))))

(ert-deftest load-requiring-the-libraries-leaves-cl-lib-and-jobs-to-the-first-call ()
  "Loading cl-lib's macros would take longer than loading all of our Lisp."
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

(ert-deftest load-without-a-module-every-tool-refuses-and-says-so ()
  (load-tests--all-refuse
   (lab-child '(setq cj/gate-module-directory "/nonexistent/")
                      load-tests--every-tool)
   "is missing in /nonexistent/.\\(?:\n\\|.\\)*cj/gate-compile-module"))

(ert-deftest load-a-module-of-another-version-is-refused ()
  (load-tests--all-refuse
   (lab-child '(require 'cj-gate-load) '(setq cj/gate-version "9.9.9")
                      load-tests--every-tool)
   "is version [0-9.]+, this Lisp is version 9\\.9\\.9\\.\\(?:\n\\|.\\)*restart Emacs"
   ;; The module records the calls, and classifies the one that was made with an
   ;; argv: the first one, whose answer is the last in the list.
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

(ert-deftest load-an-emacs-without-module-support-is-told-so ()
  (load-tests--all-refuse
   (lab-child '(setq module-file-suffix nil) load-tests--every-tool)
   "cannot load modules"))

(ert-deftest load-a-newer-module-is-announced-once-and-the-loaded-one-stays ()
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
                   ;; Emacs looks for a newer file only now and then: look now.
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

(ert-deftest load-ignores-a-buffer-local-module-directory ()
  (should (equal (lab-child
                  '(require 'cj-gh)
                  '(with-temp-buffer
                     (setq-local cj/gate-module-directory "/nonexistent/")
                     (cj/gate-load-module)))
                 "0.1.0")))

(ert-deftest load-an-installed-build-goes-beside-the-loaded-one ()
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
          ;; The next Emacs loads the new file.
          (should (equal (lab-child
                          `(setq cj/gate-module-directory ,dir)
                          '(require 'cj-gh) '(cj/gate-load-module) 'cj/gate--loaded-file)
                         (plist-get result :installed))))
      (delete-directory dir t))))

(ert-deftest load-follows-links-to-the-lisp-files-to-find-the-module ()
  "Straight and elpaca link to our Lisp files and compile beside the links."
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
    ;; The functions are symbols, so that a redefinition takes effect.
    (should (cl-every #'symbolp (plist-get result :functions)))
    (should (memq 'cj/gh-tool-pr-view (plist-get result :functions)))
    (should (equal (delete-dups (plist-get result :async)) '(t)))
    (should (equal (delete-dups (plist-get result :confirm)) '(nil)))
    ;; Registering must neither build nor load the module.
    (should-not (plist-get result :module))))

;;;; A damaged file, or one built from other sources

(defconst load-tests--try
  '(lambda ()
     (condition-case err
         (list :version (cj/gate-load-module) :doubt (bound-and-true-p cj/gate--loaded-doubt))
       (cj/gate-error (list :error (cadr err) :kind (car err)))))
  "A function that loads the module and returns a plist.
It has :version and :doubt, or :error and :kind.")

(defmacro load-tests--in (dir &rest body)
  "Run BODY with DIR bound to a new directory."
  (declare (indent 1))
  `(let ((,dir (file-name-as-directory (file-truename (make-temp-file "cj-gate" t)))))
     (unwind-protect (progn ,@body)
       (delete-directory ,dir t))))

(defun load-tests--bytes (&optional from to)
  "Return the bytes of the tests' module from FROM up to TO."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally load-tests--module nil from to)
    (buffer-string)))

(defun load-tests--size ()
  "Return the size of the tests' module in bytes."
  (file-attribute-size (file-attributes load-tests--module)))

(defun load-tests--write (dir bytes)
  "Write BYTES as the module of DIR; return DIR."
  (let ((coding-system-for-write 'no-conversion))
    (make-directory dir t)
    (write-region bytes nil (expand-file-name (file-name-nondirectory load-tests--module) dir)
                  nil 'quiet))
  dir)

(defun load-tests--stamp ()
  "Return the stamp of the tests' module, with the line end before it.
Return the empty string for a module without a stamp."
  (let ((end (load-tests--bytes (- (load-tests--size) 256))))
    (if (string-match "\ncj-gate-stamp 2 [0-9]+ [0-9a-f ]+\n\\'" end)
        (match-string 0 end)
      "")))

(defun load-tests--damaged ()
  "Return the kinds of damage that a file of the module can have.
Each is a row of a name and a function that returns the bytes of the file."
  (let* ((stamp (load-tests--stamp))
         (library (- (load-tests--size) (length stamp)))
         (half (/ library 2))
         (part #'load-tests--bytes))
    (append
     ;; A cut file has lost its stamp.
     (mapcar (lambda (length)
               (list (format "cut at %d" length) (lambda () (funcall part 0 length))))
             (list 0 1 4 63 64 100 4095 4096 65536 (/ library 3) half
                   (- library 4096) (- library 64) (- library 1)))
     `(("cut, with the stamp" ,(lambda () (concat (funcall part 0 half) stamp)))
       ("a byte more" ,(lambda () (concat (funcall part 0 library) "x" stamp)))
       ("zeros at the beginning"
        ,(lambda () (concat (make-string 4096 0) (funcall part 4096 nil))))
       ("zeros between"
        ,(lambda () (concat (funcall part 0 half) (make-string 8192 0)
                            (funcall part (+ half 8192) nil))))
       ("zeros alone" ,(lambda () (make-string 100000 0)))
       ("one bit" ,(lambda () (let ((bytes (funcall part)))
                                (aset bytes 100000 (logxor 1 (aref bytes 100000)))
                                bytes)))
       ("the stamp of another file"
        ,(lambda () (concat (funcall part 0 library)
                            (replace-regexp-in-string
                             "\\( [0-9]+ [0-9a-f]\\{36\\}\\)[0-9a-f]\\{4\\}" "\\10000" stamp))))
       ("garbage" ,(lambda () (apply #'unibyte-string
                                     (mapcar (lambda (_) (random 256)) (make-list 20000 nil)))))
       ("garbage behind the mark of a library"
        ,(lambda () (concat "\177ELF\2\1\1" (make-string 20000 ?\377))))
       ("text" ,(lambda () "no library at all\n"))))))

(ert-deftest load-a-damaged-file-is-refused-and-emacs-goes-on ()
  (load-tests--in dir
    (let ((results
           (lab-child
            '(require 'load-tests)
            `(setq cj/gate-module-directory ,dir)
            '(require 'cj-gate-load)
            `(append
              (mapcar (lambda (row)
                        (load-tests--write ,dir (funcall (nth 1 row)))
                        (cons (car row) (funcall ,load-tests--try)))
                      (load-tests--damaged))
              (let ((file (car (cj/gate--module-files))))
                (delete-file file)
                (make-directory file)
                (list (cons "a directory" (funcall ,load-tests--try))))))))
      (should (= (length results) 25))
      (dolist (result results)
        (ert-info ((format "%S" result))
          (should (eq (plist-get (cdr result) :kind) 'cj/gate-module))
          (should (string-match-p "\\`The native module .* cannot be loaded: .*\\.\nBuild it again with `M-x cj/gate-compile-module', or `make build' in a terminal\\'"
                                  (plist-get (cdr result) :error))))))))

(ert-deftest load-a-module-without-a-stamp-is-loaded-and-the-doctor-says-so ()
  (load-tests--in dir
    (let* ((library (- (load-tests--size) (length (load-tests--stamp)))))
      (should (< library (load-tests--size)))
      ;; A module without a stamp, and a module with the first 40 bytes of one.
      (dolist (bytes (list (load-tests--bytes 0 library)
                           (load-tests--bytes 0 (+ library 40))))
        (load-tests--write dir bytes)
        (let ((result (lab-child '(require 'cj-gh) '(require 'cj-gh-doctor-emacs)
                                 `(setq cj/gate-module-directory ,dir)
                                 `(let ((loaded (funcall ,load-tests--try)) said)
                                    (cj/gh-doctor--module (lambda (&rest row) (setq said row)))
                                    (list :loaded loaded :row said)))))
          (should (equal (plist-get (plist-get result :loaded) :version) "0.1.0"))
          (should (eq (car (plist-get result :row)) 'warn))
          (should (string-match-p "nothing tells whether it is whole"
                                  (nth 1 (plist-get result :row))))
          (should (string-match-p "make build" (nth 2 (plist-get result :row)))))))))

(defun load-tests--checkout (dir)
  "Write sources of a checkout to DIR; return the directory of its Lisp."
  (dolist (name '("Cargo.toml" "Cargo.lock" "src/lib.rs" "src/run/spawn.rs"
                  "fixtures/gh-catalog/1.json"))
    (let ((file (expand-file-name name dir)))
      (make-directory (file-name-directory file) t)
      (write-region (concat "of " name) nil file nil 'quiet)))
  (expand-file-name "lisp/" dir))

(defun load-tests--from (lisp module)
  "Load the module in the directory MODULE as Lisp in the directory LISP does.
Return the value of `load-tests--try'."
  (lab-child '(require 'cj-gate-load)
             `(setq cj/gate--source-directory ,lisp cj/gate-module-directory ,module)
             `(funcall ,load-tests--try)))

(ert-deftest load-a-module-of-other-sources-of-the-same-version-is-refused ()
  (load-tests--in dir
    (let* ((lisp (load-tests--checkout dir))
           (module (expand-file-name "module/" dir))
           (source (expand-file-name "src/run/spawn.rs" dir))
           (try (lambda () (load-tests--from lisp module)))
           (stale (lambda ()
                    (let ((result (funcall try)))
                      (ert-info ((format "%S" result))
                        (should (eq (plist-get result :kind) 'cj/gate-module))
                        (should (string-match-p
                                 "was built from other sources than those in .*\\.\nBuild it again with `M-x cj/gate-compile-module', or `make build'"
                                 (plist-get result :error)))))))
           (fresh (lambda ()
                    (let ((result (funcall try)))
                      (ert-info ((format "%S" result))
                        (should (equal (plist-get result :version) "0.1.0"))
                        (should-not (plist-get result :doubt)))))))
      (make-directory module)
      ;; The tests' module was built from this checkout, not from that one.
      (load-tests--write module (load-tests--bytes))
      (funcall stale)
      ;; Installed with a stamp of that checkout, the module is loaded.
      (lab-child '(require 'cj-gate-load)
                 `(setq cj/gate--source-directory ,lisp cj/gate-module-directory ,module)
                 `(cj/gate--install-module ,load-tests--module))
      (funcall fresh)
      ;; A new time of a source, or an editor's backup and auto-save file beside
      ;; it, changes nothing.
      (set-file-times source)
      (write-region "x" nil (concat source "~") nil 'quiet)
      (write-region "x" nil (expand-file-name "src/run/#spawn.rs#" dir) nil 'quiet)
      (funcall fresh)
      ;; A changed source counts, also with an old time, as tar and rsync set
      ;; it; so does a source that is added, removed or renamed.
      (write-region "of src/run/spawn.RS" nil source nil 'quiet)
      (funcall stale)
      (set-file-times source '(15000 0))
      (funcall stale)
      (write-region "of src/run/spawn.rs" nil source nil 'quiet)
      (funcall fresh)
      (write-region "" nil (expand-file-name "src/run/more.rs" dir) nil 'quiet)
      (funcall stale)
      (delete-file (expand-file-name "src/run/more.rs" dir))
      (funcall fresh)
      (rename-file source (expand-file-name "src/run/other.rs" dir))
      (funcall stale)
      ;; Without sources nothing is compared, and the module is loaded.
      (delete-directory (expand-file-name "src" dir) t)
      (funcall fresh))))

(ert-deftest load-a-module-without-a-stamp-that-is-older-than-the-sources-is-refused ()
  (load-tests--in dir
    (let* ((library (- (load-tests--size) (length (load-tests--stamp))))
           (module (load-tests--write (expand-file-name "module/" dir)
                                      (load-tests--bytes 0 library)))
           (lisp (progn (sleep-for 0.1) (load-tests--checkout dir)))
           (result (load-tests--from lisp module)))
      (should (eq (plist-get result :kind) 'cj/gate-module))
      (should (string-match-p "is older than those in .*\\.\nBuild it again"
                              (plist-get result :error))))))

(ert-deftest load-a-module-that-lacks-a-door-is-refused ()
  (let ((result (lab-child '(require 'cj-gate-stamp)
                           '(setq cj/gate-stamp--doors
                                  (append cj/gate-stamp--doors '(added-later)))
                           `(list (funcall ,load-tests--try) (funcall ,load-tests--try)))))
    (dolist (once result)
      (should (string-match-p "of another build than this Lisp: it lacks added-later\\.\nBuild it again .* restart Emacs"
                              (plist-get once :error))))))

(ert-deftest load-the-list-of-doors-equals-the-calls-in-lisp ()
  (require 'cj-gate-stamp)
  (let ((called nil))
    (dolist (file (directory-files (expand-file-name "lisp" lab-root) t "\\`cj-.*\\.el\\'"))
      (with-temp-buffer
        (insert-file-contents file)
        (while (re-search-forward "cj/gate--mod-\\([a-z][-a-z]*\\)" nil t)
          (push (intern (match-string 1)) called))))
    (should (equal (sort (delete-dups called) #'string<)
                   (sort (copy-sequence cj/gate-stamp--doors) #'string<)))))

(ert-deftest load-lisp-and-shell-take-the-same-fingerprint-of-every-source ()
  (require 'cj-gate-stamp)
  (should (equal (car (cj/gate-stamp-fingerprint lab-root))
                 (car (split-string
                       (shell-command-to-string
                        (format "sh %s" (shell-quote-argument
                                         (expand-file-name "test/setup/fingerprint.sh" lab-root))))))))
  ;; Each source that cargo's dep file names is part of the fingerprint.
  (let ((sources (cj/gate-stamp--sources lab-root)))
    (with-temp-buffer
      (insert-file-contents (expand-file-name "debug/libcj_gate.d" lab-target))
      (should (search-forward ".rlib:" nil t))
      (let ((compared 0))
        (while (re-search-forward "\\(?:\\\\.\\|[^ \n\\]\\)+" (line-end-position) t)
          (let ((file (replace-regexp-in-string "\\\\ " " " (match-string 0))))
            (when (string-prefix-p lab-root file)
              (setq compared (1+ compared))
              (should (member (file-relative-name file lab-root) sources)))))
        (should (> compared 100))))))

(provide 'load-tests)

;;; load-tests.el ends here
