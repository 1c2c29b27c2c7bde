;;; cj-gate-stamp.el --- Is the module's file whole, and of these sources? -*- lexical-binding: t; -*-

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
;; SIZE and SHA1 are of the library before that line.  They tell accidents, not
;; attacks: whoever can write the library can write its stamp.  SOURCES is the
;; fingerprint of what it was built from, and BEGUN the time in seconds at which
;; that was taken.  The loader ignores what stands behind a library.  In one
;; file with it, the stamp is replaced by the same rename, so that there is no
;; moment at which the two do not belong together.
;;
;; test/setup/install-module.sh writes the same line in a terminal, with the
;; fingerprint of test/setup/fingerprint.sh; a test compares the two ways.
;;
;; A module without a stamp was put there by other means (cargo alone, a
;; distribution that strips what it installs).  It is loaded if it is a library
;; that ends where its own tables say, and is not older than the sources.

;;; Code:

(require 'cj-gate-load)

(defconst cj/gate-stamp--line
  "\ncj-gate-stamp 2 \\([0-9]+\\) \\([0-9a-f]\\{40\\}\\) \\([0-9a-f]\\{64\\}\\) \\([0-9]+\\)\n\\'"
  "Regular expression for the stamp at the end of a module's file.")

(defconst cj/gate-stamp--longest 256
  "More bytes than a stamp has.")

;;;; The sources

(defconst cj/gate-stamp--source "\\`[0-9A-Za-z].*\\.\\(?:rs\\|bin\\|json\\|txt\\|toml\\|lock\\)\\'"
  "Regular expression for the name of a file that the module is built from.
Backup files and locks of editors don't match.")

(defun cj/gate-stamp--root ()
  "Return the checkout that this Lisp lies in, or nil where it lies in none."
  (let ((root (file-name-directory (directory-file-name cj/gate--source-directory))))
    (and (file-exists-p (expand-file-name "Cargo.toml" root))
         (file-directory-p (expand-file-name "src" root))
         root)))

(defun cj/gate-stamp--sources (root)
  "Return what the module in ROOT is built from: names relative to ROOT, sorted."
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
    ;; Of a string: a buffer is encoded first, which takes as long as the rest.
    (secure-hash 'sha256 (buffer-string))))

(defun cj/gate-stamp-fingerprint (root)
  "Return the fingerprint of the sources in ROOT and when it was taken.
A cons (DIGEST . SECONDS): the SHA-256 of what sha256sum prints for them, in
hexadecimal digits, and the time before they were looked at, an integer."
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
That is told by the change times of files and directories, which, unlike
modification times, no program sets back: tar and rsync give a new file an
old modification time."
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
    ;; A file that went away changed its directory.
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
Its tables (elf(5)) say up to where the file must go.  Only 64-bit libraries
of little-endian machines are read; others are left to the loader."
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
A list of the size, the digest, the fingerprint and its time in seconds."
  (save-excursion
    (goto-char (max (point-min) (- (point-max) cj/gate-stamp--longest)))
    (when (re-search-forward cj/gate-stamp--line nil t)
      (prog1 (list (string-to-number (match-string 1)) (match-string 2)
                   (match-string 3) (string-to-number (match-string 4)))
        (delete-region (match-beginning 0) (point-max))))))

(defun cj/gate-stamp--broken (size digest)
  "Return what is wrong with the library in this unibyte buffer, or nil.
Its stamp says that it has SIZE bytes with DIGEST; SIZE is nil without one."
  (cond
   ((not size) (cj/gate-stamp--library-trouble))
   ((/= size (buffer-size))
    (format "it has %d bytes and should have %d" (buffer-size) size))
   ;; Blocks of zeros, as a crash of the machine leaves them, have the right size.
   ;; `buffer-hash' is SHA-1 of the bytes where they are: 7 ms where a copy and
   ;; its SHA-256 take 28.  Every first call waits for it.
   ((not (equal digest (buffer-hash)))
    "its bytes are not those that were built")))

(defun cj/gate-stamp--stale (file fingerprint begun)
  "Return why FILE is not of the sources that this Lisp lies beside, or nil.
FINGERPRINT and BEGUN, seconds, are of its stamp; nil without one.
The sources are read only if they may have changed since BEGUN."
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
Return nil if it is whole and of these sources; a string that says what a
person should know where nothing tells that, but it may be loaded."
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
    check classify close count-tokens drain drift explain
    extract-failure facts fields forget-chat forget-kept forget-records halt hosts
    installed
    kept lease leases lifeline memory more net-facts net-programs
    net-validate open plan plan-info policy-complaints preflight
    progress record record-count records redact-argv redact-chunks
    redact-text resolve resume revoke run runs seen stop stopped
    unknown-hosts unplanned version)
  "Names of the doors that this Lisp calls, without their prefix.")

(defun cj/gate-stamp-check-doors ()
  "Signal `cj/gate-module' if the loaded module lacks a door of this Lisp.
That tells an older module where there are no sources to compare it with."
  (let ((lacks nil))
    (dolist (door cj/gate-stamp--doors)
      (unless (fboundp (intern (format "cj/gate--mod-%s" door)))
        (push (symbol-name door) lacks)))
    (when lacks
      (cj/gate--signal 'module "The native module is of another build than this Lisp: it lacks %s.
Build it again with `M-x cj/gate-compile-module' and restart Emacs"
                       (mapconcat #'identity (nreverse lacks) ", ")))))

(defun cj/gate-stamp-write (built file fingerprint)
  "Write the library BUILT to FILE with a stamp behind it.
FINGERPRINT is what `cj/gate-stamp-fingerprint' returned before the build."
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
