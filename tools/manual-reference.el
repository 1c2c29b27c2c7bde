;;; manual-reference.el --- Make the manual's reference chapters -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Writes docs/reference.texi: the tools, options, commands, keys and faces,
;; from the table of tools, the defcustoms, the keymaps, the menus and the
;; docstrings, and the weights of job logs from the module, so that nobody
;; writes them twice.  The file is committed, since
;; package managers build the manual from the files of the repository;
;; manual-tests.el fails when the file is stale.
;;
;;   emacs -Q --batch -l test/setup/init.el -l tools/manual-reference.el \
;;     -f manual-reference-write

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'cj-gh)
(require 'cj-gh-failure)
(require 'cj-gh-tools)
(require 'cj-net-tools)
(require 'manual-readme)

(defconst manual-reference-root
  (expand-file-name "../" (file-name-directory (or load-file-name buffer-file-name)))
  "Root of the checkout.")

(defconst manual-reference-file
  (expand-file-name "docs/reference.texi" manual-reference-root)
  "The file that `manual-reference-write' writes.")

(defun manual-reference--libraries ()
  "Load all files of lisp/; return their features, a list of symbols."
  (let ((features (mapcar (lambda (file) (intern (file-name-base file)))
                          (directory-files
                           (expand-file-name "lisp" manual-reference-root)
                           nil "\\`cj-[-a-z]+\\.el\\'"))))
    (mapc #'require features)
    features))

(defun manual-reference--defined (kind)
  "Return the symbols that our Lisp defines as KIND, sorted.
KIND is `defun', `defface', or nil for variables."
  (sort
   (delete-dups
    (cl-loop for feature in (manual-reference--libraries)
             append (cl-loop for entry in (cdr (assoc (locate-library (symbol-name feature))
                                                      load-history))
                             if kind
                             when (eq (car-safe entry) kind) collect (cdr entry) end
                             else when (symbolp entry) collect entry)))
   #'string<))

(defun manual-reference-options ()
  "Return our user options, a list of symbols.
The hook of a minor mode is left out: some versions of Emacs make it an option."
  (cl-remove-if (lambda (option)
                  (or (not (custom-variable-p option))
                      (string-suffix-p "-mode-hook" (symbol-name option))))
                (manual-reference--defined nil)))

(defun manual-reference-faces ()
  "Return our faces, a list of symbols."
  (manual-reference--defined 'defface))

(defun manual-reference--public-commands ()
  "Return our commands other than major modes and private ones (with `--')."
  (cl-remove-if (lambda (function)
                  (or (not (commandp function))
                      (get function 'derived-mode-parent)
                      (string-match-p "--" (symbol-name function))))
                (manual-reference--defined 'defun)))

(defun manual-reference-commands ()
  "Return our commands that are called by name, a list of symbols.
The commands of one mode are left out; the chapter of keys has them."
  (cl-remove-if #'command-modes (manual-reference--public-commands)))

;;;; Keys

(defun manual-reference--bindings (map &optional prefix)
  "Return the bindings of MAP itself, not of its parents.
A list of (KEY . COMMAND), KEY as `key-description' gives it, sorted.  PREFIX
is the vector of events that lead to MAP."
  (let ((all nil))
    (map-keymap-internal
     (lambda (event binding)
       (let ((key (vconcat prefix (vector event)))
             (bound (if (eq (car-safe binding) 'menu-item) (nth 2 binding) binding)))
         (cond
          ;; Events that are no keys: the bars, and how to read a click.
          ((memq event '(menu-bar tool-bar tab-bar follow-link)))
          ((keymapp bound)
           (setq all (nconc all (manual-reference--bindings
                                 (if (symbolp bound) (symbol-function bound) bound) key))))
          ((memq bound '(nil undefined ignore)))
          (t (push (cons (key-description key) bound) all)))))
     map)
    (sort all (lambda (one other) (string< (car one) (car other))))))

(defun manual-reference--prefixes (map)
  "Return the keymaps that are bound in MAP itself."
  (let ((all nil))
    (map-keymap-internal (lambda (_ binding)
                           (when (keymapp binding)
                             (setq all (cons binding (nconc (manual-reference--prefixes
                                                             (indirect-function binding))
                                                            all)))))
                         map)
    all))

(defun manual-reference-maps ()
  "Return our variables whose value is a keymap, a list of symbols.
A keymap that is bound to a key of another one is left out."
  (let* ((maps (cl-remove-if-not (lambda (variable)
                                   (and (boundp variable) (keymapp (symbol-value variable))))
                                 (manual-reference--defined nil)))
         (behind (cl-mapcan (lambda (map) (manual-reference--prefixes (symbol-value map)))
                            maps)))
    (cl-remove-if (lambda (map) (memq (symbol-value map) behind)) maps)))

(defun manual-reference-menus ()
  "Return our transient menus, a list of symbols."
  (cl-remove-if-not (lambda (function) (get function 'transient--prefix))
                    (manual-reference--defined 'defun)))

(defun manual-reference-menu-bindings (menu)
  "Return the keys of MENU, a transient menu: a list of (KEY . COMMAND)."
  (let ((all nil))
    (cl-labels ((walk (part)
                  (cond
                   ((vectorp part) (mapc #'walk part))
                   ((and (proper-list-p part) (memq :key part) (memq :command part))
                    (push (cons (cadr (memq :key part)) (cadr (memq :command part))) all))
                   ((consp part)
                    (walk (car part))
                    (walk (cdr part))))))
      (walk (get menu 'transient--layout)))
    (sort all (lambda (one other) (string< (car one) (car other))))))

(defun manual-reference--bound ()
  "Return the commands that have a key in one of our maps or menus."
  (mapcar #'cdr (append (cl-mapcan (lambda (map)
                                     (manual-reference--bindings (symbol-value map)))
                                   (manual-reference-maps))
                        (cl-mapcan #'manual-reference-menu-bindings
                                   (manual-reference-menus)))))

(defun manual-reference-named-commands ()
  "Return our commands that have an entry in the chapter of commands.
A command of one mode with a key is in the chapter of keys instead."
  (let ((bound (manual-reference--bound)))
    (cl-remove-if (lambda (command) (and (command-modes command) (memq command bound)))
                  (manual-reference--public-commands))))

;;;; Texinfo

(defun manual-reference--escape (text)
  "Return TEXT with the characters that are special in Texinfo escaped."
  (replace-regexp-in-string "[@{}]" "@\\&" text t))

(defun manual-reference--keys (text)
  "Return TEXT with each \\=\\[COMMAND] replaced by the command's key.
\\=\\<MAP> names the keymap in which the key is looked up."
  (let ((map nil))
    (replace-regexp-in-string
     "\\\\<\\([^>]+\\)>\\|\\\\\\[\\([^]]+\\)\\]"
     (lambda (found)
       (if (match-string 1 found)
           (progn (setq map (symbol-value (intern (match-string 1 found)))) "")
         (let* ((command (match-string 2 found))
                (key (and map (where-is-internal (intern command) map t))))
           (format "@kbd{%s}" (if key (key-description key) (concat "M-x " command))))))
     text t t)))

(defun manual-reference--prose (docstring)
  "Return DOCSTRING as Texinfo: symbols as code, indented lines as examples."
  (let ((text (manual-reference--keys (manual-reference--escape docstring))))
    (setq text (replace-regexp-in-string "\\\\=`\\([^']+\\)'" "@kbd{\\1}" text t)
          text (replace-regexp-in-string "\\\\`\\([^']+\\)'" "@kbd{\\1}" text t)
          text (replace-regexp-in-string "`\\([^'`\n]+\\)'" "@code{\\1}" text t)
          text (replace-regexp-in-string "\"\\([^\"\n]*\\)\"" "@code{\"\\1\"}" text t))
    (replace-regexp-in-string
     "\\(?:^  .*\n?\\)+"
     (lambda (example)
       ;; An example is code already, so strings in it need no @code.
       (concat "@example\n"
               (string-trim-right
                (replace-regexp-in-string "@code{\\(\"[^\"]*\"\\)}" "\\1" example t))
               "\n@end example\n"))
     text t t)))

(defun manual-reference--option (option)
  "Return the entry of OPTION, a symbol."
  (let ((value (prin1-to-string (eval (car (get option 'standard-value)) t))))
    (format "@defopt %s\n@noindent Default: @code{%s}\n\n%s\n@end defopt\n\n"
            option (manual-reference--escape value)
            (manual-reference--prose
             (documentation-property option 'variable-documentation t)))))

(defun manual-reference--command (command)
  "Return the entry of COMMAND, a symbol."
  (format "@deffn Command %s\n%s\n@end deffn\n\n" command
          (manual-reference--prose
           ;; The last line with the arguments is for readers of Lisp.
           (replace-regexp-in-string "\n\n(fn .*)\\'" "" (documentation command t)))))

(defun manual-reference--sentence (symbol)
  "Return the first line of the docstring of the function SYMBOL as Texinfo."
  (manual-reference--prose (car (split-string (or (documentation symbol t) "") "\n"))))

(defun manual-reference--key (binding)
  "Return the item of BINDING, a cons (KEY . COMMAND)."
  (let ((command (cdr binding)))
    (unless (and command (symbolp command) (commandp command))
      (error "The key %s has no command with a name: %S" (car binding) command))
    (format "@item %s\n%s\n" (manual-reference--escape (car binding))
            (cond
             ;; The docstrings of Emacs's own commands vary with the version.
             ((not (string-prefix-p "cj/" (symbol-name command)))
              (format "@code{%s}" command))
             ((string-match-p "--" (symbol-name command))
              (manual-reference--sentence command))
             (t (format "@code{%s}: %s" command (manual-reference--sentence command)))))))

(defun manual-reference--keys-table (title sentence bindings)
  "Return a section with TITLE, then SENTENCE, then a table of BINDINGS.
SENTENCE and BINDINGS can be empty."
  (concat (format "@section %s\n\n" (manual-reference--escape title))
          (unless (string-empty-p sentence) (concat sentence "\n\n"))
          (and bindings
               (format "@table @kbd\n%s@end table\n\n"
                       (mapconcat #'manual-reference--key bindings "")))))

(defun manual-reference--map (map)
  "Return the section of the keymap that is the value of MAP, a symbol."
  (let* ((mode (intern (string-remove-suffix "-map" (symbol-name map))))
         (major (and (fboundp mode) (get mode 'derived-mode-parent)))
         (said (manual-reference--prose
                (car (split-string (or (documentation-property map 'variable-documentation t)
                                       "Keys.")
                                   "\n"))))
         (private (string-match-p "--" (symbol-name map)))
         (bindings (manual-reference--bindings (symbol-value map))))
    (cond
     ((fboundp mode)
      (manual-reference--keys-table
       (symbol-name mode)
       (concat (manual-reference--sentence mode)
               ;; The map itself has no parent before the mode is first on.
               (and major (format "\nThe keys of @code{%s} work too." major)))
       bindings))
     (private (manual-reference--keys-table (string-remove-suffix "." said) "" bindings))
     (t (manual-reference--keys-table (symbol-name map) said bindings)))))

(defun manual-reference--menu (menu)
  "Return the section of MENU, a transient menu.
A key that calls the same command in one of our buffers is left out."
  (let* ((bindings (manual-reference-menu-bindings menu))
         (of-buffers (cl-mapcan (lambda (map)
                                  (manual-reference--bindings (symbol-value map)))
                                (manual-reference-maps)))
         (own (cl-remove-if (lambda (binding) (member binding of-buffers)) bindings)))
    (manual-reference--keys-table
     (symbol-name menu)
     (concat (manual-reference--sentence menu)
             (cond
              ((equal own bindings) "")
              (own "\nThe menu also has keys of the gate's buffers, with the same commands.")
              (t "\nIts keys are keys of the gate's buffers, with the same commands.")))
     own)))

(defun manual-reference--face (face)
  "Return the entry of FACE, a symbol."
  (format "@defvr Face %s\n%s\n@end defvr\n\n" face
          (manual-reference--prose (documentation-property face 'face-documentation 'raw))))

(defun manual-reference--argument (spec limit)
  "Return the item of the argument SPEC; LIMIT is (DEFAULT . MOST) or nil."
  (let ((name (plist-get spec :name)))
    (format "@item %s (%s%s)\n%s"
            (manual-reference--escape name)
            (plist-get spec :type)
            (if (plist-get spec :optional) ", optional" "")
            (mapconcat
             (lambda (sentence) (concat (manual-reference--escape sentence) ".\n"))
             (delq nil
                   (list (plist-get spec :description)
                         (and (plist-get spec :enum)
                              (concat "One of " (string-join (append (plist-get spec :enum) nil)
                                                             ", ")))
                         (and limit (equal name "limit")
                              (format "Default %d, at most %d" (car limit) (cdr limit)))))
             ""))))

(defun manual-reference--tool (row)
  "Return the entry of the tool in ROW of `cj/gh-tools-table'."
  (concat
   (format "@deffn Tool %s\n%s.\n" (plist-get row :name)
           (string-remove-suffix "." (manual-reference--escape (plist-get row :description))))
   (and (plist-get row :leaf)
        (format "It stands for @command{gh %s}.\n" (plist-get row :leaf)))
   (and (plist-get row :args)
        (format "\n@table @code\n%s@end table\n"
                (mapconcat (lambda (spec)
                             (manual-reference--argument spec (plist-get row :limit)))
                           (plist-get row :args) "")))
   "@end deffn\n\n"))

(defun manual-reference-table (rows)
  "Return a table of the tools in ROWS: name, purpose and arguments."
  (concat
   "@multitable @columnfractions .3 .34 .36\n"
   "@headitem tool @tab what it does @tab arguments; those in brackets can be left out\n"
   (mapconcat
    (lambda (row)
      (format "@item @code{%s} @tab %s @tab %s\n"
              (plist-get row :name)
              (manual-reference--escape
               (string-remove-suffix
                "." (car (split-string (plist-get row :description) "\\.  "))))
              (mapconcat (lambda (spec)
                           (format (if (plist-get spec :optional) "[@code{%s}]" "@code{%s}")
                                   (plist-get spec :name)))
                         (plist-get row :args) ", ")))
    rows "")
   "@end multitable\n\n"))

(defun manual-reference--weight (weight sign)
  "Return WEIGHT, a number, with two decimals, or three if the third is not 0.
SIGN non-nil means to write a plus sign too."
  (string-remove-suffix "0" (format (if sign "%+.3f" "%.3f") weight)))

(defun manual-reference--weights (rows sign)
  "Return a table of ROWS, a list of (NAME WEIGHT WHY).
SIGN is as in `manual-reference--weight'."
  (concat
   "@multitable @columnfractions .22 .1 .68\n"
   (format "@headitem name @tab %s @tab what it is\n" (if sign "weight" "value"))
   (mapconcat (lambda (row)
                (format "@item @code{%s} @tab %s @tab %s\n" (nth 0 row)
                        (manual-reference--weight (nth 1 row) sign)
                        (manual-reference--escape (nth 2 row))))
              rows "")
   "@end multitable\n\n"))

(defun manual-reference-failure ()
  "Return the chapter on the weights by which lines of job logs are chosen."
  (let ((table (cj/gh-failure-table)))
    (concat
     "@node Why a line was chosen\n@chapter Why a line was chosen\n\n"
     "@code{gh_run_logs_failed} and @code{cj/gh-extract-failure} choose the lines of a failed step by\n"
     "their scores, which @kbd{M-x cj/gh-explain-failure} shows.  A line's own score is the sum of the\n"
     "weights of its features.  One line above it and one below it can carry a part of their own\n"
     "scores to it: the less, the farther they are.  A score that is higher by 1 is a factor of 2.7\n"
     "in the odds that the line is part of the reason.\n\n"
     "Lines are then taken, the best first, while there is room: those that are certain, and then\n"
     "those that fill the budget.  A line counts for less where it costs many tokens or repeats a\n"
     "line that was taken, and for more near one that was taken.\n\n"
     "@section Features\n\n"
     "Lines have one @dfn{shape} if they differ in numbers and blanks alone, and one @dfn{kind} if they\n"
     "begin with the same word and have as many words.  An @dfn{anchor} is a line that a tool is known\n"
     "to print about a failure.  A feature with the weight 0 counts only through other features.\n\n"
     (manual-reference--weights (plist-get table :features) t)
     "@section Numbers\n\n"
     (manual-reference--weights (plist-get table :numbers) nil))))

(defun manual-reference-text ()
  "Return the text of docs/reference.texi, made from the sources."
  (concat
   "@c Made by `make info' from the sources; edit those.\n\n"
   "@node Tools\n@chapter Tools\n\n"
   "@code{cj/gh-register} makes these tools known to gptel, in the category @samp{github}.\n"
   "@xref{GitHub}, for what the arguments mean.\n\n"
   (manual-reference-table cj/gh-tools-table)
   (mapconcat #'manual-reference--tool cj/gh-tools-table "")
   "@section Network tools\n\n"
   "@code{cj/net-register} makes these tools known to gptel.  @xref{The network}.\n\n"
   (manual-reference-table cj/net-tools-table)
   (mapconcat #'manual-reference--tool cj/net-tools-table "")
   "@node Options\n@chapter Options\n\n"
   "Set these options globally; none is safe as a file-local variable.\n\n"
   (mapconcat #'manual-reference--option (manual-reference-options) "")
   "@node Commands\n@chapter Commands\n\n"
   (mapconcat #'manual-reference--command (manual-reference-named-commands) "")
   "@node Keys\n@chapter Keys\n\n"
   "These are the keys of each buffer and of each menu, with the commands that they call.\n\n"
   (mapconcat #'manual-reference--map (manual-reference-maps) "")
   (mapconcat #'manual-reference--menu (manual-reference-menus) "")
   "@node Faces\n@chapter Faces\n\n"
   "@kbd{M-x customize-face} changes a face.\n\n"
   (mapconcat #'manual-reference--face (manual-reference-faces) "")
   (manual-reference-failure)))

(defun manual-reference-write ()
  "Write docs/reference.texi, and the manual's excerpts in README.org."
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region (manual-reference-text) nil manual-reference-file nil 'quiet))
  (manual-readme-write))

(provide 'manual-reference)

;;; manual-reference.el ends here
