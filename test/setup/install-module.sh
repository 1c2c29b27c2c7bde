#!/bin/sh
# install-module.sh FROM TO [FINGERPRINT]: copy the library that cargo built in FROM to TO as the module, with a stamp at
# its end (lisp/cj-gate-stamp.el describes the stamp).  FINGERPRINT is the output of fingerprint.sh before the build;
# by default fingerprint.sh runs now.  The file is put in place by rename: an Emacs that has loaded the old file keeps
# it, and no Emacs reads half of the new one.
set -eu
sources=${3:-$(sh "$(dirname "$0")/fingerprint.sh")}
for suffix in so dylib; do
  built=$1/libcj_gate.$suffix
  [ -f "$built" ] || continue
  mkdir -p "$2"
  new=$2/.cj-gate-module.$suffix.$$
  install -m 755 "$built" "$new"
  digest=$(sha1sum <"$new")
  printf '\ncj-gate-stamp 2 %d %s %s\n' "$(wc -c <"$new")" "${digest%% *}" "$sources" >>"$new"
  mv -f "$new" "$2/cj-gate-module.$suffix"
  exit
done
echo "no library in $1: did cargo build --lib succeed?" >&2
exit 1
