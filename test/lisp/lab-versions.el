;;; lab-versions.el --- Old releases of gh, with extensions in place of later commands -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; An old gh lacks some commands of the catalog, such as `gh skill'.  An
;; extension or an alias may then have that name and run instead.  The home of a
;; lab gets an extension or an alias of each such name, which leaves a mark when
;; it runs.  Then every command is called through the gate with a real gh, once
;; by itself and once as `gh help COMMAND'.  The result says which calls ran
;; unasked and which marks were left.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'subr-x)
(require 'lab-support)
(require 'cj-gh)

(defun lab-versions--catalogs ()
  "Return the commands of each catalogued gh, a list of lists of plists."
  (mapcar (lambda (file)
            (with-temp-buffer
              (insert-file-contents
               (expand-file-name (concat "fixtures/gh-catalog/" file ".json") lab-root))
              (plist-get (lab-json-object (buffer-string)) :commands)))
          '("2.92.0" "2.103.3")))

(defconst lab-versions--stubs '("aw" "co" "stack")
  "Words that the catalog lists though no gh has a command of that name.")

(defun lab-versions-paths ()
  "Return the words of every command of the catalog that runs, a list of lists.
A command whose last word has aliases is in the list once for each alias too."
  (let (paths)
    (dolist (catalog (lab-versions--catalogs))
      (dolist (command catalog)
        (when (and (eq (plist-get command :runs) t)
                   (not (member (plist-get command :path) lab-versions--stubs)))
          (let ((words (split-string (plist-get command :path))))
            (push words paths)
            (dolist (alias (plist-get command :aliases))
              (push (append (butlast words) (list alias)) paths))))))
    (sort (delete-dups paths) (lambda (a b) (string< (string-join a " ") (string-join b " "))))))

(defun lab-versions--own-p (lab gh words)
  "Return non-nil if GH, a file, has a built-in command named WORDS.
GH is asked for the help of WORDS in the home of LAB, which has no extensions
and aliases yet."
  (let ((process-environment (lab-environment lab))
        (default-directory (file-name-as-directory (lab-home lab))))
    (with-temp-buffer
      (and (zerop (apply #'call-process gh nil t nil (append words '("--help"))))
           (progn (goto-char (point-min))
                  ;; For a word that a group lacks, gh shows the page of the
                  ;; group; the page of a topic has no usage line.
                  (if (re-search-forward
                       "^USAGE\n +gh *\\(\\(?:[a-z][-a-z]*\\(?: \\|$\\)\\)*\\)" nil t)
                      (>= (length (split-string (match-string 1))) (length words))
                    (not (re-search-forward "unknown command\\|^Usage:" nil t))))))))

(defvar lab-versions--asked (make-hash-table :test #'equal)
  "Values of `lab-versions--own-p', by a cons of its GH and WORDS.")

(defun lab-versions-own (lab gh paths)
  "Return those of PATHS that GH, a file, has as built-in commands.
LAB has no extensions and aliases yet."
  (cl-remove-if-not
   (lambda (words)
     (let ((known (gethash (cons gh words) lab-versions--asked 'no)))
       (if (not (eq known 'no))
           known
         (puthash (cons gh words) (lab-versions--own-p lab gh words)
                  lab-versions--asked))))
   paths))

(defun lab-versions--marks (lab)
  "Return the marks that extensions and aliases of LAB left, a list of strings."
  (let ((file (lab-file lab "marks")))
    (and (file-exists-p file)
         (with-temp-buffer
           (insert-file-contents file)
           (split-string (buffer-string) "\n" t)))))

(defun lab-versions-occupy (lab how paths)
  "Give LAB an extension or an alias with the name of each of PATHS.
HOW is `extensions' or `aliases'.  An extension has the first word of a path for
its name, an alias the whole path.  Each leaves a mark when it runs."
  (let ((marks (lab-file lab "marks"))
        (config (lab-file lab "gh-config/config.yml"))
        (coding-system-for-write 'utf-8))
    (if (eq how 'extensions)
        (dolist (word (delete-dups (mapcar #'car paths)))
          (let ((file (expand-file-name
                       (format ".local/share/gh/extensions/gh-%s/gh-%s" word word)
                       (lab-home lab))))
            (make-directory (file-name-directory file) t)
            (write-region (format "#!/bin/sh\necho extension %s >>%s\n" word marks)
                          nil file nil 'quiet)
            (set-file-modes file #o700)))
      (with-temp-buffer
        (insert-file-contents config)
        (goto-char (point-max))
        (unless (bolp) (insert "\n"))
        (insert "aliases:\n")
        (dolist (words paths)
          (insert (format "    %s: '!echo alias %s >>%s'\n"
                          (string-join words " ") (string-join words " ") marks)))
        (write-region nil nil config nil 'quiet)))))

(defun lab-versions--call-all (calls)
  "Make CALLS, a list of argvs, through the gate, six at a time.
Return an alist of argv and answer."
  (let ((waiting (copy-sequence calls)) (under-way 0) answers)
    (while (or waiting (> under-way 0))
      (while (and waiting (< under-way 6))
        (let ((argv (pop waiting)))
          (setq under-way (1+ under-way))
          (cj/gate-submit "gh" argv
                          (lambda (answer)
                            (setq under-way (1- under-way))
                            (push (cons argv answer) answers))
                          :hostname "github.com" :timeout 30)))
      (accept-process-output nil 0.02))
    answers))

(defun lab-versions--first (n words)
  "Return the first N of WORDS."
  (butlast words (- (length words) n)))

(defun lab-versions--later (paths own)
  "Return those of PATHS that a gh with the commands OWN lacks.
Of a path whose group is missing too, the path of the group is returned."
  (let ((had (cl-loop for words in own
                      append (cl-loop for n from 1 to (length words)
                                      collect (lab-versions--first n words)))))
    (delete-dups
     (cl-loop for words in paths
              unless (member words had)
              collect (cl-loop for n from 1 to (length words)
                               unless (member (lab-versions--first n words) had)
                               return (lab-versions--first n words))))))

(defun lab-versions-try (gh how &optional choose)
  "Call every command of the catalog with GH, a file, in a new lab.
HOW is `extensions' or `aliases': what takes the names of the commands that GH
lacks.  A list of one of them, such as (aliases), takes the names of all
commands.  CHOOSE is a predicate of a list of words that says which commands to
call, by default all.
Return a plist:
:words   how many paths were called, each also after the word help
:later   paths that GH lacks
:own     paths that GH has
:reads   paths among :own that the gate classifies as reads
:marks   marks of extensions and aliases that ran
:ran     argvs that ran unasked
:asked   paths among :reads that did not run unasked"
  (lab-with (lab)
    (let* ((cj/gh-executable gh)
           (paths (cl-remove-if-not (or choose #'identity) (lab-versions-paths)))
           (own (lab-versions-own lab gh paths))
           (reads (cl-remove-if-not
                   (lambda (words) (eq (plist-get (cj/gh-classify words) :class) 'read))
                   own))
           (later (lab-versions--later paths own)))
      (lab-versions-occupy lab (if (consp how) (car how) how)
                           (cond ((consp how) paths)
                                 ;; An extension can own a first word only.
                                 ((eq how 'extensions)
                                  (cl-remove-if #'cdr later))
                                 (t later)))
      ;; In a checkout, since without a repository many calls are refused before
      ;; the version of gh matters.
      (let* ((default-directory
              (lab-checkout lab "work" "https://github.com/octo/hello.git"))
             (answers (lab-versions--call-all
                       (append paths (mapcar (lambda (words) (cons "help" words)) paths))))
             (ran (cl-loop for (argv . answer) in answers
                           when (equal (nth 1 (lab-header answer)) "read")
                           unless (string-match-p
                                   "\\`\\(?:declined\\|blocked\\|error bad-argument\\)"
                                   (nth 2 (lab-header answer)))
                           collect argv)))
        (list :words (length paths) :later later :own own :reads reads
              :marks (lab-versions--marks lab)
              :ran ran
              :asked (cl-set-difference reads ran :test #'equal))))))

(provide 'lab-versions)

;;; lab-versions.el ends here
