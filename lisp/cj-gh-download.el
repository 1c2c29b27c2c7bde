;;; cj-gh-download.el --- Downloads of artifacts and releases -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The tools `gh_run_download' and `gh_release_download'.  A person is asked
;; about one artifact, or about the files of one release, with numbers and sizes.
;; So the list of the run or release is read first, by a call of its own.  With
;; that list the core makes the plan, and downloads into
;; `cj/gh-artifact-directory'.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'subr-x)
(require 'url-util)
(require 'cj-gate-job)
(require 'cj-gh)

(declare-function cj/gate--mod-run "ext:cj-gate-module")

(defun cj/gh-download-argv (_row args)
  "Return the argv of `gh_run_download' for ARGS, a plist."
  (list "run" "download" (number-to-string (plist-get args :run_id))
        "--name" (plist-get args :name)))

(defun cj/gh-download-keys (args)
  "Return further keys for `cj/gate-submit', for an artifact by ARGS, a plist."
  (list :first #'cj/gh-download--look-up
        :download (list :run (plist-get args :run_id)
                        :name (plist-get args :name))))

(defun cj/gh-download-release-argv (_row args)
  "Return the argv of `gh_release_download' for ARGS, a plist.
Signal `cj/gate-bad-argument' if the tag cannot be the name of one in git."
  (let ((tag (plist-get args :tag)))
    (when (and tag (string-match-p "\\`[-.]\\|\\.\\.\\|[[:space:][:cntrl:]]" tag))
      (cj/gate--signal 'bad-argument "The argument `tag' names no tag of git.
Give the tag of a release as GitHub shows it, or none for the latest release"))
    (append (list "release" "download") (and tag (list tag))
            (list "--pattern" (plist-get args :name)))))

(defun cj/gh-download-release-keys (args)
  "Return further keys for `cj/gate-submit', for a release by ARGS, a plist."
  (list :first #'cj/gh-download--look-up
        :download (list :tag (plist-get args :tag)
                        :name (plist-get args :name))))

(defun cj/gh-download--list (wanted)
  "Return the argv of the read to find what is WANTED, a plist.
A GitHub server that does not know the parameter `name' returns the first
hundred artifacts.  Of a release, only files are listed whose names begin and
end as WANTED says: the list of the 1,000 files that a release can have is too
long for one read."
  (let ((name (plist-get wanted :name))
        (tag (plist-get wanted :tag)))
    (append
     (list "api" "--method" "GET")
     (if (plist-get wanted :run)
         (list (format "repos/{owner}/{repo}/actions/runs/%d/artifacts?per_page=100&name=%s"
                       (plist-get wanted :run) (url-hexify-string name))
               "--jq" "[.artifacts[] | {id, name, size: .size_in_bytes, expired, digest}]")
       (list (concat "repos/{owner}/{repo}/releases/"
                     (if tag (concat "tags/" (url-hexify-string tag)) "latest"))
             "--jq" (format "{tag: .tag_name, total: (.assets | length), assets: [.assets[] \
| select((.state // \"uploaded\") == \"uploaded\" and (.name == %s or (.name | startswith(%s) and endswith(%s)))) \
| {id, name, size, digest}]}"
                            (json-encode-string name)
                            (json-encode-string
                             (replace-regexp-in-string "[[*?\\].*\\'" "" name))
                            (json-encode-string
                             (replace-regexp-in-string "\\`.*[]*?\\]" "" name))))))))

(defun cj/gh-download--look-up (job facts)
  "Find what JOB names, then plan its download with FACTS.
The read that finds it is a call of its own: judged, and recorded."
  (let* ((keys (cj/gate--job-keys job))
         (plan (cj/gate-plan "gh" (cj/gh-download--list (plist-get keys :download))
                             :facts facts :cwd (plist-get keys :cwd)
                             :hostname (plist-get keys :hostname)
                             :repo (plist-get keys :repo)
                             :keep 'head))
         (info (cj/gate-plan-info plan)))
    (if (not (and (eq (plist-get info :class) 'read)
                  (eq (plist-get info :policy) 'auto)
                  (not (plist-get info :refusal))))
        (cj/gh-download--plan
         job facts (list :kind 'policy-blocked
                         :message "The list of what can be downloaded may not be read without a question (`cj/gh-policy').
Tell the person, who can download it in a terminal."))
      (setf (cj/gate--job-ticket job)
            (cj/gate--await
             (cj/gate--mod-run plan nil)
             (lambda (outcome)
               (setf (cj/gate--job-ticket job) nil)
               (cj/gate--stage job #'cj/gh-download--plan facts
                               (cj/gh-download--found
                                (plist-get keys :download) outcome))))))))

(defun cj/gh-download--plan (job facts found)
  "Plan the download of JOB with FACTS, and go on.
FOUND is the plist of `cj/gh-download--found'."
  (let ((keys (cj/gate--job-keys job)))
    (setf (cj/gate--job-keys job)
          (plist-put (copy-sequence keys) :download
                     (append found (plist-get keys :download))))
    (cj/gate--plan-and-decide job facts)))

(defun cj/gh-download--found (wanted outcome)
  "Return the facts of what is WANTED in OUTCOME, of the read of the list.
The value is a plist.  For an artifact it has :id, :size and :digest, for a
release :listed, the list itself, which the core reads; or, if that is not
there, :kind and :message."
  (let ((kind (plist-get outcome :error-kind)))
    (cond
     ((and (eq kind 'not-found) (not (plist-get wanted :run)))
      (list :kind kind :message
            (if (plist-get wanted :tag)
                "The repository has no release of this tag.
Look with gh: release list; drafts cannot be downloaded here."
              "The repository has no latest release.
Drafts and prereleases do not count; give the `tag'.")))
     (kind
      (list :kind kind :message (cj/gh--error-words (plist-get outcome :text))))
     ((plist-get wanted :run)
      (cj/gh-download--artifact wanted (plist-get outcome :stdout)))
     (t (list :listed (plist-get outcome :stdout))))))

(defun cj/gh-download--artifact (wanted listed)
  "Return the facts of the artifact WANTED in LISTED, JSON of a run's artifacts.
The value is as that of `cj/gh-download--found'.
If several artifacts have the name, as after a second attempt of the run, return
the newest."
  (condition-case nil
      (let* ((all (json-parse-string listed :object-type 'plist :array-type 'list
                                     :null-object nil :false-object nil))
             (named (cl-remove (plist-get wanted :name) all :test-not #'equal
                               :key (lambda (one) (plist-get one :name))))
             (one (car (sort named (lambda (a b) (> (plist-get a :id)
                                                    (plist-get b :id)))))))
        (cond
         ((not one)
          (list :kind 'not-found :message
                (format "Run %d has no artifact of this name.
Look with gh_run_artifacts; names count letter by letter."
                        (plist-get wanted :run))))
         ((plist-get one :expired)
          (list :kind 'not-found
                :message "This artifact has expired: GitHub keeps it no more.
A new run makes a new one."))
         (t (list :id (plist-get one :id) :size (plist-get one :size)
                  :digest (plist-get one :digest)))))
    (error (list :kind 'gh-exit
                 :message "The list of the run's artifacts cannot be read.
Run `M-x cj/gh-doctor'."))))

;;;; Downloads on disk

(defun cj/gh-download-kept ()
  "Return the downloads on disk, a list of plists for `cj/gate-purge-sources'."
  (let ((place (cj/gh-artifact-directory)))
    (unless (or (file-remote-p place) (not (file-directory-p place)))
      (cl-loop
       for directory in (let ((default-directory place))
                          (file-expand-wildcards "*/*/*/*/*" t))
       when (eq t (file-attribute-type (file-attributes directory)))
       collect
       (let ((bytes (cl-loop for file in (directory-files-recursively directory "")
                             sum (file-attribute-size (file-attributes file))))
             (directory directory))
         (list :what (if (string-match-p "/releases/[^/]+\\'" directory)
                         "Downloaded release"
                       "Downloaded artifact")
               :place (abbreviate-file-name directory)
               :bytes bytes
               :size (file-size-human-readable bytes 'si " " "B")
               :visit (lambda () (dired directory))
               :remove (lambda () (delete-directory directory t))))))))

(provide 'cj-gh-download)

;;; cj-gh-download.el ends here
