;;; cj-gate-install.el --- Commands that install programs on this machine -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The doctors advise to install programs.  The command to advise depends on the
;; distribution, which /etc/os-release names (man page os-release(5)).  This
;; file only makes the text of the command; it runs nothing.

;;; Code:

(require 'cl-lib)
(require 'subr-x)

(defvar cj/gate-install-os-release '("/etc/os-release" "/usr/lib/os-release")
  "Files that name the distribution; the first readable one is used.")

(defconst cj/gate-install-gh-page
  "https://github.com/cli/cli/blob/trunk/docs/install_linux.md"
  "Page on which GitHub says how to install gh on each distribution.")

(defun cj/gate-install--release ()
  "Return the fields of the os-release file, an alist of strings, or nil."
  (let ((file (cl-find-if #'file-readable-p cj/gate-install-os-release)) (rows nil))
    (when file
      (with-temp-buffer
        (insert-file-contents file nil 0 20000)
        (while (re-search-forward
                "^\\([A-Z_]+\\)=\\(?:\"\\([^\"\n]*\\)\"\\|'\\([^'\n]*\\)'\\|\\([^\n\"']*\\)\\)$"
                nil t)
          (push (cons (match-string 1)
                      (or (match-string 2) (match-string 3) (match-string 4)))
                rows))))
    rows))

(defun cj/gate-install--families (release)
  "Return the ID and the ID_LIKE of RELEASE, a list of strings in lower case."
  (cons (downcase (or (cdr (assoc "ID" release)) ""))
        (split-string (downcase (or (cdr (assoc "ID_LIKE" release)) "")))))

(defconst cj/gate-install--managers
  '((apt "debian" "ubuntu")
    ;; These have dnf like fedora, but no gh among their own packages.
    (rhel "rhel" "centos" "rocky" "almalinux" "amzn" "ol")
    (dnf "fedora")
    (pacman "arch" "manjaro" "endeavouros")
    (zypper "suse" "opensuse" "sles" "opensuse-leap" "opensuse-tumbleweed")
    (apk "alpine"))
  "Rows of a package manager, a symbol, and the distributions that have it.")

(defun cj/gate-install-manager ()
  "Return the package manager of this machine, a symbol, or nil if unknown.
It is `apt', `dnf', `pacman', `zypper', `apk', `brew', or `rhel' for dnf on Red
Hat Enterprise Linux and its like."
  (if (eq system-type 'darwin)
      'brew
    (cl-loop for family in (cj/gate-install--families (cj/gate-install--release))
             thereis (car (cl-find-if (lambda (row) (member family (cdr row)))
                                      cj/gate-install--managers)))))

(defun cj/gate-install-name ()
  "Return the name of the distribution, as \"Debian 12\", or nil."
  (let* ((release (cj/gate-install--release))
         (name (car (split-string (or (cdr (assoc "NAME" release)) "") "[ /]" t)))
         (version (cdr (assoc "VERSION_ID" release))))
    (and name (if version (concat name " " version) name))))

(defun cj/gate-install--sudo ()
  "Return the prefix of a command that only root may run: \"sudo \" or \"\"."
  (if (zerop (user-uid)) "" "sudo "))

(defun cj/gate-install-line (packages)
  "Return the shell command to install a package, or nil if unknown.
PACKAGES is a plist of the names of the package under `:debian', `:fedora' and
`:arch'.  Other distributions get the most similar one's name: zypper gets that
of Fedora, apk and brew that of Arch."
  (let ((sudo (cj/gate-install--sudo)))
    (pcase (cj/gate-install-manager)
      ('apt (format "%sapt install %s" sudo (plist-get packages :debian)))
      ((or 'dnf 'rhel) (format "%sdnf install %s" sudo (plist-get packages :fedora)))
      ('pacman (format "%spacman -S %s" sudo (plist-get packages :arch)))
      ('zypper (format "%szypper install %s" sudo (plist-get packages :fedora)))
      ('apk (format "%sapk add %s" sudo (plist-get packages :arch)))
      ('brew (format "brew install %s" (plist-get packages :arch))))))

(defconst cj/gate-install--apt-source
  "wget -qO- https://cli.github.com/packages/githubcli-archive-keyring.gpg | \
%1$stee /usr/share/keyrings/githubcli-archive-keyring.gpg >/dev/null && \
echo \"deb [arch=$(dpkg --print-architecture) \
signed-by=/usr/share/keyrings/githubcli-archive-keyring.gpg] \
https://cli.github.com/packages stable main\" | \
%1$stee /etc/apt/sources.list.d/github-cli.list >/dev/null && \
%1$sapt update && %1$sapt install gh"
  "Shell command that adds GitHub's package source for apt and installs gh.
%1$s stands for \"sudo \" or nothing.  The command is from the section Debian of
`cj/gate-install-gh-page'.")

(defun cj/gate-install-gh (least)
  "Return sentences that say how to install gh LEAST, a version, or later here.
A command to type or an option to set stands in quotes, as `...'."
  (let ((sudo (cj/gate-install--sudo))
        (name (or (cj/gate-install-name) "this distribution")))
    (pcase (cj/gate-install-manager)
      ;; Debian 12 has 2.23, Debian 13 and Ubuntu 25.04 have 2.46.
      ('apt
       (format "The gh of %s itself is older than %s; GitHub's own package source has \
a newer one (see `%s').  In a terminal: `%s'."
               name least cj/gate-install-gh-page
               (format cj/gate-install--apt-source sudo)))
      ('dnf (format "Install gh %s or later, in a terminal: `%sdnf install gh', or where \
there is an older one `%sdnf upgrade gh'." least sudo sudo))
      ('rhel
       (format "Install gh %s or later from GitHub's own package source (see `%s').  In a \
terminal: `%sdnf install \"dnf-command(config-manager)\" && \
%sdnf config-manager --add-repo https://cli.github.com/packages/rpm/gh-cli.repo && \
%sdnf install gh --repo gh-cli'."
               least cj/gate-install-gh-page sudo sudo sudo))
      ('pacman (format "Install gh %s or later, in a terminal: `%spacman -Syu github-cli'."
                       least sudo))
      ('zypper
       (format "Install gh %s or later from GitHub's own package source (see `%s').  In a \
terminal: `%szypper addrepo https://cli.github.com/packages/rpm/gh-cli.repo && \
%szypper refresh && %szypper install gh'."
               least cj/gate-install-gh-page sudo sudo sudo))
      ('apk (format "Install gh %s or later, in a terminal: `%sapk add github-cli'." least sudo))
      ('brew (format "Install gh %s or later, in a terminal: `brew install gh', or where \
there is an older one `brew upgrade gh'." least))
      (_ (format "Install gh %s or later; `%s' says how on each distribution."
                 least cj/gate-install-gh-page)))))

(provide 'cj-gate-install)

;;; cj-gate-install.el ends here
