;;; cj-gate-stamp.el --- Check that the module's file is whole and up to date -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Loading a shared library of which a part is missing kills Emacs: the loader
;; maps the file, and a page that is not there raises SIGBUS.  So the build
;; writes a stamp behind the library, as the last line of the module's file:
;;
;;   cj-gate-stamp 2 SIZE SHA1 SOURCES BEGUN
;;
;; SIZE and SHA1 are those of the library before that line.  They reveal
;; accidents, not attacks: whoever can write the library can write its stamp.
;; SOURCES is the fingerprint of the sources of the library, and BEGUN the time,
;; in seconds, before it was taken.  The loader ignores bytes after a library.
;; Since library and stamp are one file, one rename replaces both, and they
;; belong together at every moment.
;;
;; For a build in a terminal, test/setup/install-module.sh writes this line,
;; with the fingerprint that test/setup/fingerprint.sh prints; a test compares
;; them with the stamp that this file writes.
;;
;; A module without a stamp was installed by other means (cargo alone, or a
;; distribution that strips what it installs).  It is loaded if the file goes as
;; far as the library's own tables say, and is not older than the sources.

;;; Code:

(require 'cj-gate-load)

(defconst cj/gate-stamp--line
  "\ncj-gate-stamp 2 \\([0-9]+\\) \\([0-9a-f]\\{40\\}\\) \\([0-9a-f]\\{64\\}\\) \\([0-9]+\\)\n\\'"
  "Regular expression for the stamp at the end of a module's file.")

(defconst cj/gate-stamp--longest 256
  "Bytes at the end of a file in which the stamp is looked for.
A stamp is shorter: its texts and digests have some 140 characters.")

;;;; The sources

(defconst cj/gate-stamp--source "\\`[0-9A-Za-z].*\\.\\(?:rs\\|bin\\|json\\|txt\\|toml\\|lock\\)\\'"
  "Regular expression for the name of a file that the module is built from.
Names of backup files and of editors' lock files don't match.")

(defun cj/gate-stamp--root ()
  "Return the root of the checkout that has this Lisp, or nil outside one."
  (let ((root (file-name-directory (directory-file-name cj/gate--source-directory))))
    (and (file-exists-p (expand-file-name "Cargo.toml" root))
         (file-directory-p (expand-file-name "src" root))
         root)))

(defun cj/gate-stamp--sources (root)
  "Return the sources of the module in ROOT: names relative to ROOT, sorted."
  (let ((default-directory root)
        (all nil))
    (dolist (file '("Cargo.lock" "Cargo.toml" "fixtures/gh-since.json"))
      (when (file-exists-p file) (push file all)))
    (dolist (directory '("src" "fixtures/gh-catalog"))
      (when (file-directory-p directory)
        (setq all (nconc (directory-files-recursively directory cj/gate-stamp--source)
                         all))))
    (sort all #'string<)))

(defun cj/gate-stamp--digest-of (file)
  "Return the SHA-256 of FILE in hexadecimal digits."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file)
    ;; The digest of a string: a buffer would be encoded first, which takes as
    ;; long as the digest itself.
    (secure-hash 'sha256 (buffer-string))))

(defun cj/gate-stamp-fingerprint (root)
  "Return the fingerprint of the sources in ROOT, a cons (DIGEST . SECONDS).
DIGEST is the SHA-256, in hexadecimal digits, of the lines that sha256sum prints
for the sources.  SECONDS, an integer, is the time before they were read."
  (let ((begun (floor (float-time))))
    (cons (secure-hash 'sha256
                       (mapconcat (lambda (name)
                                    (format "%s  %s\n"
                                            (cj/gate-stamp--digest-of (expand-file-name name root))
                                            name))
                                  (cj/gate-stamp--sources root) ""))
          begun)))

(defun cj/gate-stamp--changed-p (root time)
  "Return non-nil if a source in ROOT may have changed at or after TIME.
The status change times of files and directories tell.  No program can set them
back, unlike modification times: tar and rsync give a new file an old one."
  (let ((default-directory root)
        (changed (lambda (file)
                   (let ((attributes (file-attributes file)))
                     (not (and attributes
                               (time-less-p (file-attribute-status-change-time attributes)
                                            time))))))
        (directories (make-hash-table :test #'equal))
        (found nil))
    (dolist (file (cj/gate-stamp--sources root))
      (setq found (or found (funcall changed file)))
      (when (file-name-directory file)
        (puthash (file-name-directory file) t directories)))
    ;; Removing a file changed its directory.
    (maphash (lambda (directory _)
               (setq found (or found (funcall changed directory))))
             directories)
    found))

;;;; The library

(defun cj/gate-stamp--number (at bytes)
  "Return the little-endian number of BYTES at offset AT of this buffer, or nil."
  (let ((number 0))
    (while (and number (> bytes 0))
      (setq bytes (1- bytes)
            number (let ((byte (char-after (+ (point-min) at bytes))))
                     (and byte (+ (* 256 number) byte)))))
    number))

(defun cj/gate-stamp--library-trouble ()
  "Return what is wrong with the library in this unibyte buffer, or nil.
The tables of the library (elf(5)) say how long the file must be.  Only 64-bit
little-endian libraries are checked; the loader alone checks others."
  (goto-char (point-min))
  (let ((size (buffer-size))
        (beyond (lambda (offset length)
                  (not (and offset length (<= (+ offset length) (buffer-size)))))))
    (cond
     ((zerop size) "it is empty")
     ((and (not (looking-at-p "\177ELF")) (memq system-type '(gnu/linux berkeley-unix)))
      "it is no shared library")
     ((< size 64) "a part of it is missing")
     ((not (looking-at-p "\177ELF\2\1")) nil)
     (t
      (let* ((number #'cj/gate-stamp--number)
             (headers (funcall number 32 8))
             (sections (funcall number 40 8))
             (header-size (funcall number 54 2))
             (header-count (funcall number 56 2))
             (section-size (funcall number 58 2))
             (section-count (funcall number 60 2))
             (cut (or (not section-count) (not header-count)
                      (zerop header-count)
                      (funcall beyond headers (* header-size header-count))
                      (funcall beyond sections (* section-size section-count)))))
        (dotimes (n (if cut 0 header-count))
          (let ((header (+ headers (* n header-size))))
            (when (and (eql (funcall number header 4) 1) ; PT_LOAD
                       (funcall beyond (funcall number (+ header 8) 8)
                                (funcall number (+ header 32) 8)))
              (setq cut t))))
        (and cut "a part of it is missing"))))))

(defun cj/gate-stamp--read ()
  "Take the stamp off the end of this unibyte buffer and return it, or nil.
The value is a list (SIZE DIGEST FINGERPRINT SECONDS), where SECONDS is the time
of FINGERPRINT."
  (save-excursion
    (goto-char (max (point-min) (- (point-max) cj/gate-stamp--longest)))
    (when (re-search-forward cj/gate-stamp--line nil t)
      (prog1 (list (string-to-number (match-string 1)) (match-string 2)
                   (match-string 3) (string-to-number (match-string 4)))
        (delete-region (match-beginning 0) (point-max))))))

(defun cj/gate-stamp--broken (size digest)
  "Return what is wrong with the library in this unibyte buffer, or nil.
According to its stamp it has SIZE bytes with DIGEST; SIZE is nil without a
stamp."
  (cond
   ((not size) (cj/gate-stamp--library-trouble))
   ((/= size (buffer-size))
    (format "it has %d bytes and should have %d" (buffer-size) size))
   ;; A file with blocks of zeros, as a crash of the machine leaves it, has the
   ;; right size but another digest.  `buffer-hash' is the SHA-1 of the buffer's
   ;; bytes in place: it takes 7 ms, where a copy and its SHA-256 take 28, and
   ;; every first call waits for it.
   ((not (equal digest (buffer-hash)))
    "its bytes are not those that were built")))

(defun cj/gate-stamp--stale (file fingerprint begun)
  "Return why FILE was not built from the sources beside this Lisp, or nil.
FINGERPRINT and BEGUN, its time in seconds, are from the stamp of FILE; nil
without a stamp.  The sources are read only if they may have changed since
BEGUN."
  (let ((root (cj/gate-stamp--root)))
    (and root
         (cj/gate-stamp--changed-p
          root (or begun (file-attribute-status-change-time (file-attributes file))))
         (not (and fingerprint
                   (equal fingerprint (car (cj/gate-stamp-fingerprint root)))))
         (format "%s those in %s"
                 (if fingerprint "was built from other sources than" "is older than")
                 (abbreviate-file-name root)))))

(defun cj/gate-stamp-check-file (file)
  "Signal `cj/gate-module' if the module FILE must not be loaded.
Return nil if FILE is whole and was built from the sources beside this Lisp.
Without a stamp it is unknown whether FILE is whole; then, if FILE may be
loaded, return a string that says so to a person."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (let* ((unreadable (condition-case err
                           (progn (insert-file-contents-literally file) nil)
                         (file-error (error-message-string err))))
           (stamp (cj/gate-stamp--read))
           (broken (or unreadable (cj/gate-stamp--broken (nth 0 stamp) (nth 1 stamp))))
           (stale (and (not broken)
                       (cj/gate-stamp--stale file (nth 2 stamp) (nth 3 stamp)))))
      (when (or broken stale)
        (cj/gate--signal 'module "The native module %s %s.
Build it again with `M-x cj/gate-compile-module', or `make build' in a terminal"
                         (abbreviate-file-name file)
                         (or stale (concat "cannot be loaded: " broken))))
      (unless stamp
        "it was not installed by `make build' or `cj/gate-compile-module', so nothing tells whether it is whole"))))

(defconst cj/gate-stamp--doors
  '(approve audit-ask audit-configure audit-state audit-trouble before cancel
    check classify close count-tokens drain drift errand explain
    explain-failure extract-failure facts fields forget-chat forget-kept
    forget-records halt hosts installed kept kept-configure lease leases
    lifeline memory more net-facts net-programs net-validate open plan
    plan-info policy-complaints preflight progress record record-count
    records redact-argv redact-chunks redact-text resolve resume revoke run
    runs seen stop stopped unknown-hosts unplanned version watch
    watch-answer watch-end watch-next watch-shown worktree-remove
    worktree-visit worktrees)
  "Names of the doors, the functions of the module that this Lisp calls.
The names are without their prefix, \"cj/gate--mod-\".")

(defun cj/gate-stamp-check-doors ()
  "Signal `cj/gate-module' if the loaded module lacks a door of this Lisp.
So an older module is noticed even where no sources are there to compare it
with."
  (let ((lacks nil))
    (dolist (door cj/gate-stamp--doors)
      (unless (fboundp (intern (format "cj/gate--mod-%s" door)))
        (push (symbol-name door) lacks)))
    (when lacks
      (cj/gate--signal 'module "The native module is of another build than this Lisp: it lacks %s.
Build it again with `M-x cj/gate-compile-module' and restart Emacs"
                       (mapconcat #'identity (nreverse lacks) ", ")))))

(defun cj/gate-stamp-write (built file fingerprint)
  "Write the library BUILT to FILE, with a stamp after it.
FINGERPRINT is the value of `cj/gate-stamp-fingerprint' before the build."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally built)
    (cj/gate-stamp--read)
    (let ((size (buffer-size))
          (digest (buffer-hash))
          (coding-system-for-write 'no-conversion))
      (goto-char (point-max))
      (insert (format "\ncj-gate-stamp 2 %d %s %s %d\n"
                      size digest (car fingerprint) (cdr fingerprint)))
      (write-region nil nil file nil 'quiet))))

(provide 'cj-gate-stamp)

;;; cj-gate-stamp.el ends here
