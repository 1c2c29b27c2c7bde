;;; manual-tests.el --- The manual says what the sources say -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'manual-reference)

(declare-function transient-get-suffix "transient" (prefix loc))

(defun manual-tests--file (name)
  "Return the text of the file NAME of the checkout."
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8))
      (insert-file-contents (expand-file-name name manual-reference-root)))
    (buffer-string)))

(ert-deftest manual-reference-is-current ()
  "The reference chapters equal what the sources give; `make info' writes them."
  (unless (equal (manual-tests--file "docs/reference.texi") (manual-reference-text))
    (ert-fail "docs/reference.texi is stale; run `make info' and commit it")))

(ert-deftest manual-table-of-tools-is-current ()
  "Each tool has a row with its arguments in the short tables of the manual."
  (let ((text (manual-tests--file "docs/reference.texi")))
    (dolist (row (append cj/gh-tools-table cj/net-tools-table))
      (unless (string-match-p
               (format "^@item @code{%s} @tab [^@]+ @tab %s$"
                       (plist-get row :name)
                       (mapconcat (lambda (spec)
                                    (regexp-quote
                                     (format (if (plist-get spec :optional) "[@code{%s}]" "@code{%s}")
                                             (plist-get spec :name))))
                                  (plist-get row :args) ", "))
               text)
        (ert-fail (format "%s has no row in the table of tools; run `make info' and commit it"
                          (plist-get row :name)))))))

(ert-deftest manual-chapters-tell-of-every-option-and-command ()
  "A chapter outside the reference mentions each public option and command."
  (let ((manual (manual-tests--file "docs/cj-gate.texi")))
    (dolist (option (manual-reference-options))
      (unless (string-match-p (regexp-quote (format "@code{%s}" option)) manual)
        (ert-fail (format "docs/cj-gate.texi does not tell of %s" option))))
    (dolist (command (manual-reference-commands))
      (unless (string-match-p (format "\\(?:@code{\\|M-x \\)%s\\(?:}\\|$\\)" command) manual)
        (ert-fail (format "docs/cj-gate.texi does not tell of %s" command))))))

(ert-deftest manual-has-every-option-command-and-tool ()
  "Each public option and command, and each tool, has an entry."
  (let ((text (manual-tests--file "docs/reference.texi")))
    (should (> (length (manual-reference-options)) 10))
    (should (memq 'cj/gh-policy (manual-reference-options)))
    (should (memq 'cj/gate-stop (manual-reference-commands)))
    (should-not (memq 'cj/gate-approval-accept (manual-reference-commands)))
    (dolist (entry (append
                    (mapcar (lambda (option) (format "@defopt %s\n" option))
                            (manual-reference-options))
                    (mapcar (lambda (command) (format "@deffn Command %s\n" command))
                            (manual-reference-commands))
                    (mapcar (lambda (row) (format "@deffn Tool %s\n" (plist-get row :name)))
                            (append cj/gh-tools-table cj/net-tools-table))))
      (should (string-match-p (regexp-quote entry) text)))))

(defun manual-tests--chapter (name)
  "Return the chapter NAME of docs/reference.texi."
  (let* ((text (manual-tests--file "docs/reference.texi"))
         (start (string-match (format "^@node %s$" name) text)))
    (should start)
    (substring text start (string-match "^@node " text (1+ start)))))

(defun manual-tests--ours (test)
  "Return our symbols (cj/...) for which the function TEST returns non-nil."
  (manual-reference--libraries)
  (let ((all nil))
    (mapatoms (lambda (symbol)
                (when (and (string-prefix-p "cj/" (symbol-name symbol)) (funcall test symbol))
                  (push symbol all))))
    all))

(ert-deftest manual-has-every-command-that-emacs-knows ()
  "The chapter of commands, or that of keys, has each command that M-x offers."
  (let ((keys (manual-tests--chapter "Keys"))
        (commands (manual-tests--chapter "Commands"))
        (all (manual-tests--ours (lambda (symbol)
                                   (and (commandp symbol)
                                        (not (string-match-p "--" (symbol-name symbol))))))))
    (should (> (length all) 40))
    (dolist (command all)
      (unless (or (string-match-p (format "^@deffn Command %s$" command) commands)
                  (string-match-p (format "^@code{%s}: ." command) keys)
                  (string-match-p (format "^@section %s$" command) keys))
        (ert-fail (format "The manual lacks the command %s; run `make info'" command))))))

(ert-deftest manual-has-every-key ()
  "The chapter of keys has each key of our keymaps with its command."
  (let ((keys (manual-tests--chapter "Keys"))
        (seen 0))
    (dolist (map (manual-tests--ours (lambda (symbol)
                                       (and (boundp symbol) (keymapp (symbol-value symbol))))))
      (let ((own (copy-keymap (symbol-value map))))
        (set-keymap-parent own nil)
        (dolist (command (manual-tests--ours #'commandp))
          (dolist (key (where-is-internal command (list 'keymap own)))
            (setq seen (1+ seen))
            (let ((described (manual-reference--escape (key-description key))))
              (unless (string-match-p
                       (if (string-match-p "--" (symbol-name command))
                           (format "^@item \\(.* \\)?%s$" (regexp-quote described))
                         (format "^@item \\(.* \\)?%s\n@code{%s}: ."
                                 (regexp-quote described) command))
                       keys)
                (ert-fail (format "The manual lacks the key %s of %s; run `make info'"
                                  described map))))))))
    (should (> seen 20))))

(ert-deftest manual-has-every-key-of-a-menu ()
  "The chapter of keys has each suffix of our menus, under a menu or a buffer."
  (require 'transient)
  (let ((keys (manual-tests--chapter "Keys"))
        (menus (manual-tests--ours (lambda (symbol) (get symbol 'transient--prefix)))))
    (should (memq 'cj/gh-menu menus))
    (dolist (menu menus)
      (let ((bindings (manual-reference-menu-bindings menu))
            (section (and (string-match (format "^@section %s$" menu) keys)
                          (substring keys (match-beginning 0)
                                     (string-match "^@section " keys (match-end 0))))))
        (should section)
        (should bindings)
        (dolist (binding bindings)
          ;; Transient itself finds a suffix by this key.
          (should (transient-get-suffix menu (car binding)))
          (let ((item (concat "^@item " (regexp-quote (manual-reference--escape (car binding)))
                              "\n")))
            (unless (or (string-match-p item section)
                        (string-match-p (format "%s@code{%s}" item (cdr binding)) keys))
              (ert-fail (format "The manual lacks the key %s of %s; run `make info'"
                                (car binding) menu)))))))))

(ert-deftest manual-has-every-face ()
  "The chapter of faces has an entry for each of our faces."
  (let ((faces (manual-tests--chapter "Faces"))
        (all (manual-tests--ours #'facep)))
    (should (memq 'cj/gate-progress-stopped all))
    (dolist (face all)
      (unless (string-match-p (format "^@defvr Face %s\n." face) faces)
        (ert-fail (format "The manual lacks the face %s; run `make info'" face))))))

(ert-deftest manual-lists-the-keys-of-a-new-keymap ()
  "The keys of a new keymap get into the chapter, also those behind a prefix."
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c x") #'cj/gate-stop)
    (define-key map "{" '(menu-item "Runs" cj/gate-runs))
    (define-key map [remap kill-buffer] #'cj/gate-resume)
    (define-key map "u" #'undefined)
    (define-key map [menu-bar gate] (cons "Gate" (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (should (equal (manual-reference--bindings map)
                   '(("<remap> <kill-buffer>" . cj/gate-resume)
                     ("C-c x" . cj/gate-stop)
                     ("{" . cj/gate-runs))))
    (should (string-match-p "\\`@item @{\n@code{cj/gate-runs}: Show every call that is running"
                            (manual-reference--key '("{" . cj/gate-runs))))
    (should-error (manual-reference--key (cons "y" (lambda () (interactive)))))))

(ert-deftest manual-quotes-keys-in-capitals ()
  "`RET' keeps its capitals: a replacement must not adapt the case of a match."
  (should (equal (manual-reference--prose "Do what `RET' or \"TAB\" does, \\=`C-g' ends.")
                 "Do what @code{RET} or @code{\"TAB\"} does, @kbd{C-g} ends.")))

;;;; The file for Info

(defun manual-tests--words (info)
  "Return the words of INFO, the text of an Info file, from its first node on.
Words are compared, since line breaks and positions of nodes differ between
versions of texinfo."
  (let ((start (string-match "\x1f" info))
        (end (string-match "\x1f\nTag Table:" info)))
    (should (and start end))
    (split-string (substring info start end))))

(ert-deftest manual-info-file-is-current ()
  "The committed Info file equals what makeinfo makes of the manual."
  (unless (executable-find "makeinfo")
    (ert-skip "There is no makeinfo; `make deps' installs it as root"))
  (let ((made (expand-file-name "cj-gate.info" (make-temp-file "manual" t)))
        (committed (manual-tests--file "docs/cj-gate.info"))
        (version "\\`This is .*, produced by\\s-+makeinfo version \\([0-9.]+\\)"))
    (unwind-protect
        (let ((new (progn
                     (call-process "makeinfo" nil nil nil "--no-split" "-o" made
                                   (expand-file-name "docs/cj-gate.texi" manual-reference-root))
                     (manual-tests--file made))))
          (should (string-match version committed))
          (let ((of-committed (match-string 1 committed)))
            (should (string-match version new))
            (unless (equal of-committed (match-string 1 new))
              (ert-skip "docs/cj-gate.info was made by another version of texinfo")))
          (unless (equal (manual-tests--words committed) (manual-tests--words new))
            (ert-fail "docs/cj-gate.info is stale; run `make info' and commit it")))
      (delete-directory (file-name-directory made) t))))

(ert-deftest manual-info-file-has-what-the-sources-have ()
  "Each node, option, command, tool and face of the manual is in the Info file.
This test needs no texinfo."
  (let ((info (manual-tests--file "docs/cj-gate.info"))
        (missing nil))
    (dolist (texi '("docs/cj-gate.texi" "docs/reference.texi"))
      (with-temp-buffer
        (insert (manual-tests--file texi))
        (goto-char (point-min))
        (while (re-search-forward
                "^@\\(?:node \\(.*\\)\\|defopt \\(.*\\)\\|deffn \\(?:Command\\|Tool\\) \\(.*\\)\\|defvr Face \\(.*\\)\\)$"
                nil t)
          (let ((line (cond ((match-string 1) (format "Node: %s," (match-string 1)))
                            ((match-string 2) (format " -- User Option: %s\n" (match-string 2)))
                            ((match-string 4) (format " -- Face: %s\n" (match-string 4)))
                            (t (format ": %s\n" (match-string 3))))))
            (unless (or (string-match-p (regexp-quote line) info)
                        (equal (match-string 1) "Index"))
              (push line missing))))))
    (when missing
      (ert-fail (format "docs/cj-gate.info lacks %S; run `make info' and commit it" missing)))))

(ert-deftest manual-entry-in-docs-dir-equals-that-of-the-manual ()
  (let ((manual (manual-tests--file "docs/cj-gate.texi")))
    (should (string-match "^@dircategory \\(.*\\)\n@direntry\n\\(\\* .*\n\\)@end direntry$" manual))
    (should (string-suffix-p (format "\n%s\n%s" (match-string 1 manual) (match-string 2 manual))
                             (manual-tests--file "docs/dir")))))

;;;; Defaults, kinds of error, versions and pictures

(ert-deftest manual-options-say-their-default ()
  "The docstring of each option mentions its default."
  (dolist (option (manual-reference-options))
    (let ((case-fold-search t))
      (unless (string-match-p "\\bdefaults?\\b"
                              (documentation-property option 'variable-documentation t))
        (ert-fail (format "The docstring of %s does not say its default" option))))))

(ert-deftest manual-has-every-error-kind ()
  "The chapter of error kinds lists exactly `cj/gate-error-kinds'."
  (let* ((manual (manual-tests--file "docs/cj-gate.texi"))
         (start (string-match "^@node Error kinds$" manual))
         (chapter (substring manual start (string-match "^@node " manual (1+ start))))
         (listed nil))
    (with-temp-buffer
      (insert chapter)
      (goto-char (point-min))
      (while (re-search-forward "^@item \\(.*\\)$" nil t)
        (push (intern (match-string 1)) listed)))
    (should-not (cl-set-exclusive-or listed cj/gate-error-kinds))))

(ert-deftest manual-names-the-size-of-the-newest-catalog ()
  "The manual names the newest catalogued gh and the number of its commands."
  (let* ((catalogs (directory-files (expand-file-name "fixtures/gh-catalog" manual-reference-root)
                                    nil "\\`[0-9.]+\\.json\\'"))
         (newest (car (last (sort (mapcar #'file-name-sans-extension catalogs) #'version<))))
         (commands (with-temp-buffer
                     (insert (manual-tests--file (format "fixtures/gh-catalog/%s.json" newest)))
                     (how-many "^{\"path\"" (point-min)))))
    (should (> commands 200))
    (should (string-search (format "The catalog holds %d commands and groups of commands of @command{gh} %s"
                                   commands newest)
                           (manual-tests--file "docs/cj-gate.texi")))))

(ert-deftest manual-lisp-and-cargo-have-one-version ()
  "The manual, the Lisp and Cargo.toml have the same version."
  (should (string-match-p (format "^@set VERSION %s$" (regexp-quote cj/gate-version))
                          (manual-tests--file "docs/cj-gate.texi")))
  (should (string-match-p (format "^version = \"%s\"$" (regexp-quote cj/gate-version))
                          (manual-tests--file "Cargo.toml"))))

(ert-deftest manual-pictures-are-of-this-version ()
  "The manual shows every picture; each is small and made with this version."
  (let ((manual (manual-tests--file "docs/cj-gate.texi"))
        (pictures (directory-files (expand-file-name "docs/images" manual-reference-root)
                                   nil "\\.png\\'"))
        (shown nil))
    (should (equal (car (split-string (manual-tests--file "docs/images/version") "\n"))
                   (concat "cj-gate " cj/gate-version)))
    (should (string-match-p (format "^The pictures are of version %s\\.$"
                                    (regexp-quote cj/gate-version))
                            manual))
    (with-temp-buffer
      (insert manual)
      (goto-char (point-min))
      ;; Info looks for a picture below its own directory, and shows the words
      ;; if it cannot show pictures.
      (while (re-search-forward "^@image{images/\\([^,]+\\),,,Picture: [^,]+,\\.png}$" nil t)
        (push (concat (match-string 1) ".png") shown)))
    (should (equal (sort shown #'string<) pictures))
    (dolist (picture pictures)
      (should (< 1000 (file-attribute-size
                       (file-attributes (expand-file-name (concat "docs/images/" picture)
                                                          manual-reference-root)))
                 ;; A sheet shows six buffers, so it may have 300 kB.
                 (if (string-prefix-p "approvals-" picture) 300001 100001))))))

(ert-deftest manual-builds-without-a-warning ()
  "Makeinfo prints nothing when it reads the manual."
  (unless (executable-find "makeinfo")
    (ert-skip "There is no makeinfo; `make deps' installs it as root"))
  (let ((info (make-temp-file "manual" nil ".info")))
    (unwind-protect
        (with-temp-buffer
          (let ((status (call-process "makeinfo" nil t nil "--no-split" "-o" info
                                      (expand-file-name "docs/cj-gate.texi"
                                                        manual-reference-root))))
            (should (equal (buffer-string) ""))
            (should (equal status 0)))
          (insert-file-contents info)
          ;; The file has a node for each of these chapters.
          (dolist (node '("Overview" "Approving" "Tools" "Options" "Commands"))
            (goto-char (point-min))
            (should (search-forward (format "Node: %s," node) nil t))))
      (delete-file info))))

;;; manual-tests.el ends here
