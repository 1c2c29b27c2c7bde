;;; cj-gh-download.el --- The download of an artifact -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The tool `gh_run_download'.  A person is asked about one artifact, with its
;; number and size, so the list of the run's artifacts is read first, by a call
;; of its own.  With the artifact from that list the core makes the plan, and
;; downloads and unpacks it into `cj/gh-artifact-directory'.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'url-util)
(require 'cj-gate-job)
(require 'cj-gh)

(declare-function cj/gate--mod-run "ext:cj-gate-module")

(defun cj/gh-download-argv (_row args)
  "Return the argv of a download for ARGS, the arguments of the tool, a plist."
  (list "run" "download" (number-to-string (plist-get args :run_id))
        "--name" (plist-get args :name)))

(defun cj/gh-download-keys (args)
  "Return further keys for `cj/gate-submit', for a download with ARGS, a plist."
  (list :first #'cj/gh-download--look-up
        :download (list :run (plist-get args :run_id)
                        :name (plist-get args :name))))

(defun cj/gh-download--list (wanted)
  "Return the argv of the read to find the artifact WANTED, a plist.
A GitHub server that does not know the parameter `name' returns the first
hundred artifacts."
  (list "api" "--method" "GET"
        (format "repos/{owner}/{repo}/actions/runs/%d/artifacts?per_page=100&name=%s"
                (plist-get wanted :run)
                (url-hexify-string (plist-get wanted :name)))
        "--jq" "[.artifacts[] | {id, name, size: .size_in_bytes, expired, digest}]"))

(defun cj/gh-download--look-up (job facts)
  "Find the artifact that JOB names, then plan its download with FACTS.
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
                         :message "The list of the run's artifacts may not be read without a question (`cj/gh-policy').
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
FOUND is the plist of `cj/gh-download--found' about the artifact."
  (let ((keys (cj/gate--job-keys job)))
    (setf (cj/gate--job-keys job)
          (plist-put (copy-sequence keys) :download
                     (append found (plist-get keys :download))))
    (cj/gate--plan-and-decide job facts)))

(defun cj/gh-download--found (wanted outcome)
  "Return the facts of the artifact WANTED in OUTCOME, of the read of the list.
The value is a plist.  It has :id, :size and :digest or, if the artifact is not
there, :kind and :message.
If several artifacts have the name, as after a second attempt of the run, return
the newest."
  (let ((kind (plist-get outcome :error-kind)))
    (if kind
        (list :kind kind :message (cj/gh-download--words (plist-get outcome :text)))
      (condition-case nil
          (let* ((all (json-parse-string (plist-get outcome :stdout)
                                         :object-type 'plist :array-type 'list
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
Run `M-x cj/gh-doctor'."))))))

(defun cj/gh-download--words (text)
  "Return TEXT, of a failed call, without its \"Error: \" and \"Reproduce: \"."
  (string-trim
   (replace-regexp-in-string
    "^Reproduce: .*" "" (string-remove-prefix "Error: " text))))

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
         (list :what "Downloaded artifact"
               :place (abbreviate-file-name directory)
               :bytes bytes
               :size (file-size-human-readable bytes 'si " " "B")
               :visit (lambda () (dired directory))
               :remove (lambda () (delete-directory directory t))))))))

(provide 'cj-gh-download)

;;; cj-gh-download.el ends here
