;;; views-doctor-tests.el --- What a person sees of the doctor -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The doctor's first line, its advice as buttons, and how to install a missing
;; program on each distribution.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-support)
(require 'cj-gh)
(require 'cj-gh-doctor)
(require 'cj-net-doctor)
(require 'cj-gate-install)

(defun views-doctor-tests--doctor (checks)
  "Return the text of the doctor with CHECKS, rows (NAME [GRADE TEXT ADVICE]).
A row with a NAME alone is a check that has not answered."
  (let ((cj/gh-doctor--checks
         (mapcar (pcase-lambda (`(,name . ,answer))
                   (list name (lambda (report) (when answer (apply report answer)))))
                 checks)))
    (lab-text (cj/gh-doctor))))

(ert-deftest views-the-doctor-s-first-line-sums-up ()
  (pcase-dolist
      (`(,checks . ,line)
       '(((("A" pass "x") ("B" pass "x")) . "0 troubles, 0 warnings, 2 well.")
         ((("A" pass "x") ("B" warn "x") ("C" fail "x" "y") ("D" fail "FAIL PASS") ("E" skip "x"))
          . "2 troubles, 1 warning, 1 well, 1 not checked: C, D, B.")
         ((("A" fail "x") ("B") ("C"))
          . "1 trouble, 0 warnings, 0 well: A.  2 are still being asked.")
         ((("A")) . "0 troubles, 0 warnings, 0 well.  1 is still being asked.")))
    (should (equal (car (split-string (views-doctor-tests--doctor checks) "\n")) line)))
  (with-current-buffer cj/gh-doctor-buffer-name
    (should visual-line-mode))
  ;; RET on a name, and the key t, go to the row of a check.
  (views-doctor-tests--doctor '(("A" pass "x") ("B" fail "x" "Set `cj/gh-executable'.") ("C" warn "z")))
  (save-window-excursion
    (switch-to-buffer cj/gh-doctor-buffer-name)
    (goto-char (point-min))
    (should (eq (lab-face-at "1 trouble") 'cj/gate-bad))
    (search-forward ": ")
    (call-interactively (key-binding (kbd "RET")))
    (should (looking-at "FAIL  B"))
    (should (eq (get-text-property (point) 'face) 'cj/gate-bad))
    (call-interactively (key-binding "t"))
    (should (looking-at "WARN  C"))
    (should-error (call-interactively (key-binding (kbd "RET"))) :type 'user-error)
    (call-interactively (key-binding "t"))
    (should (looking-at "FAIL  B"))
    (let ((customized nil))
      (cl-letf (((symbol-function 'customize-variable) (lambda (symbol) (setq customized symbol))))
        (call-interactively (key-binding (kbd "RET"))))
      (should (eq customized 'cj/gh-executable)))
    (should (equal (mapcar #'car (funcall imenu-create-index-function)) '("A" "B" "C")))))

(ert-deftest views-cd-in-the-doctor-moves-the-buffer-it-was-called-from ()
  (lab-with (lab)
    (let* ((cj/gh-doctor--checks (list (assoc "Directory" cj/gh-doctor--checks)))
           (work (lab-checkout lab "work" "https://github.com/o/r.git"))
           ;; The lab lies in this checkout, so a directory elsewhere is needed.
           (outside (file-name-as-directory (make-temp-file "no-checkout" t)))
           (cj/gate-cwd-roots (list outside (lab-home lab)))
           (done (lambda (regexp)
                  (lab-wait (lambda ()
                              (string-match-p regexp (lab-text
                                                      cj/gh-doctor-buffer-name)))
                            20))))
      (dolist (how '(button typed))
        (ert-info ((symbol-name how))
          (with-temp-buffer
            (setq default-directory outside)
            (let ((chat (current-buffer)))
              (cj/gh-doctor)
              (funcall done "^WARN  Directory")
              (with-current-buffer cj/gh-doctor-buffer-name
                (cl-letf (((symbol-function 'read-directory-name) (lambda (&rest _) work)))
                  (goto-char (point-min))
                  (if (eq how 'typed)
                      (progn (cd work) (revert-buffer))
                    (cj/gate-view-next)
                    (call-interactively (key-binding (kbd "RET"))))))
              (funcall done "^PASS  Directory +github\\.com/o/r (origin)")
              (should (equal (file-truename (buffer-local-value 'default-directory chat))
                             (file-truename work)))))))
      (delete-directory outside t))))

(defconst views-doctor-tests--releases
  '(("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n"
     apt "The gh of Debian 12 itself is older than 2\\.50\\.0; GitHub's own package source.*cli\\.github\\.com/packages stable main.*apt install gh"
     "apt install nmap")
    ("NAME=\"Linux Mint\"\nVERSION_ID=\"22\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"
     apt "githubcli-archive-keyring" "apt install nmap")
    ("NAME=\"Fedora Linux\"\nVERSION_ID=43\nID=fedora\n" dnf "dnf install gh'" "dnf install nmap")
    ("NAME=\"Rocky Linux\"\nVERSION_ID='9.4'\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"
     rhel "cli\\.github\\.com/packages/rpm/gh-cli\\.repo && .*dnf install gh --repo gh-cli'"
     "dnf install nmap")
    ("NAME=\"Arch Linux\"\nID=arch\n" pacman "pacman -Syu github-cli'" "pacman -S nmap")
    ("NAME=\"openSUSE Leap\"\nID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n"
     zypper "zypper addrepo https://cli\\.github\\.com" "zypper install nmap")
    ("NAME=\"Alpine Linux\"\nID=alpine\n" apk "apk add github-cli'" "apk add nmap")
    ("NAME=Odd\nID=odd\n" nil "docs/install_linux\\.md' says how" nil))
  "Rows (OS-RELEASE MANAGER GH NMAP).
OS-RELEASE is the text of /etc/os-release, MANAGER the value of
`cj/gate-install-manager', GH a regexp for the advice on gh, and NMAP the line
that installs nmap, or nil.")

(ert-deftest views-install-advice-fits-the-distribution ()
  (pcase-dolist (`(,release ,manager ,gh ,nmap) views-doctor-tests--releases)
    (let* ((file (make-temp-file "os-release" nil nil release))
           (cj/gate-install-os-release (list file)))
      (unwind-protect
          (dolist (user '(0 1000))
            (cl-letf (((symbol-function 'user-uid) (lambda () user)))
              (ert-info (release)
                (should (eq (cj/gate-install-manager) manager))
                (let ((words (cj/gate-install-gh "2.50.0"))
                      (line (cj/gate-install-line '(:debian "nmap" :fedora "nmap" :arch "nmap"))))
                  (should (string-match-p gh words))
                  (should (string-match-p "2\\.50\\.0" words))
                  ;; For root the advice has no sudo.
                  (should (eq (and (string-match-p "sudo " words) t)
                              (and manager (/= user 0) t)))
                  (should (equal line (and nmap (concat (if (/= user 0) "sudo " "") nmap))))
                  ;; Each quoted command is a button from quote to quote.
                  (with-temp-buffer
                    (insert words)
                    (cj/gate-doctor-buttons (point-min) (point-max))
                    (goto-char (point-min))
                    (let ((steps 0))
                      (while (re-search-forward "`" nil t)
                        (setq steps (1+ steps))
                        (let ((button (button-at (point))))
                          (should button)
                          (goto-char (button-end button))
                          (should (looking-at "'"))))
                      (should (>= steps 1))))))))
        (delete-file file)))))

(ert-deftest views-the-apt-line-is-valid-shell ()
  (let ((line (format cj/gate-install--apt-source "sudo ")))
    (should (eql 0 (call-process "sh" nil nil nil "-n" "-c" line)))
    (should-not (string-match-p "%" line))))

(ert-deftest views-the-line-that-renews-a-token-unsets-its-variable ()
  (lab-with (_)
    (let ((process-environment (cons (concat "GH_TOKEN=" (cdr (assoc "expired" lab-tokens)))
                                     process-environment))
          (cj/gh-known-hosts '("github.com"))
          (cj/gh-doctor--checks (list (assoc "Login" cj/gh-doctor--checks)))
          (kill-ring nil) (interprogram-cut-function nil))
      (with-current-buffer (cj/gh-doctor)
        (lab-wait (lambda () (string-match-p "^FAIL" (buffer-string))))
        (goto-char (point-min))
        (search-forward "env -u GH_TOKEN")
        (push-button)
        (should (equal (car kill-ring) "env -u GH_TOKEN gh auth login --hostname github.com"))
        ;; While GH_TOKEN is set, gh refuses to log in.
        (should-not (eql 0 (call-process "env" nil nil nil (lab-gh) "auth" "login"
                                         "--hostname" "github.com" "--with-token")))))))

(ert-deftest views-the-network-doctor-looks-like-the-gh-doctor ()
  (save-window-excursion
    (with-current-buffer (cj/net-doctor)
      (should (derived-mode-p 'cj/gate-doctor-mode))
      (should (string-match-p
               "\\`[0-9]+ troubles?, [0-9]+ warnings?, [0-9]+ well" (buffer-string)))
      (should (member "trusted networks" (mapcar #'car (cj/gate-view-sections)))))))

(provide 'views-doctor-tests)

;;; views-doctor-tests.el ends here
