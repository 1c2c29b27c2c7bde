# Gets gptel, the packages that gptel needs, and package-lint.  On Debian they are the sources in the elpa
# packages of unstable; elsewhere package.el installs them from the archives that the user's Emacs knows.

gptel_floor=0.9.9.5

get_elpa_packages() {
  absent_elpa=
  for package in compat cond-let llama transient gptel package-lint; do
    [ -n "$(ls -d "$deps/elpa/$package" "$deps/elpa/$package"-[0-9]* 2>/dev/null)" ] ||
      absent_elpa="$absent_elpa $package"
  done
  if [ -n "$absent_elpa" ]; then
    if on_debian; then get_elpa_by_apt; else get_elpa_by_package_el; fi
  fi
  get_seq
}

get_elpa_by_apt() {
  rm -rf "$deps/elpa.new"
  mkdir -p "$deps/elpa"
  # shellcheck disable=SC2046,SC2086  # lists of words
  unpack unstable "$deps/elpa.new" $(printf 'elpa-%s ' $absent_elpa)
  for package in $absent_elpa; do
    source=$(echo "$deps"/elpa.new/usr/share/emacs/site-lisp/elpa-src/"$package"-[0-9]*)
    if [ "$package" = gptel ] && dpkg --compare-versions "${source##*-}" lt "$gptel_floor"; then
      give_up "Debian unstable has gptel ${source##*-}; this package needs $gptel_floor or newer"
    fi
    mv "$source" "$deps/elpa/$package"
  done
  rm -rf "$deps/elpa.new"
  took "$unpacked, in .deps/elpa"
}

get_elpa_by_package_el() {
  quietly "$(head -n 1 "$deps/emacs/list")" -Q --batch --eval "
    (progn
      (setq package-user-dir \"$deps/elpa\")
      (require 'package)
      (package-initialize)
      (package-refresh-contents)
      (dolist (package '($absent_elpa))
        (package-install package))
      (when (version< (package-version-join
                       (package-desc-version (cadr (assq 'gptel package-alist))))
                      \"$gptel_floor\")
        (error \"The archives have no gptel of version $gptel_floor or newer\")))"
  took "$(cd "$deps/elpa" && echo *-[0-9]*) by package.el, in .deps/elpa"
}

# transient needs a newer seq than Emacs 28 has; the seq.el of Emacs 30 works in Emacs 28.
get_seq() {
  [ ! -f "$deps/seq/seq.el" ] || return 0
  for emacs in "$deps"/emacs/3*/emacs $(cat "$deps/emacs/list"); do
    case $(probe "$emacs") in '' | 28.* | 29.*) continue ;; esac
    source=$("$emacs" -Q --batch --eval '(princ (locate-file "emacs-lisp/seq.el" load-path (list "" ".gz")))')
    [ -f "$source" ] || continue
    mkdir -p "$deps/seq"
    case $source in *.gz) gzip -dc "$source" ;; *) cat "$source" ;; esac >"$deps/seq/new"
    mv "$deps/seq/new" "$deps/seq/seq.el"
    took "seq.el of $emacs, for transient on Emacs 28"
    return
  done
}
