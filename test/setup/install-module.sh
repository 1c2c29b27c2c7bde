#!/bin/sh
# install-module.sh FROM TO [FINGERPRINT]: the library that cargo built in FROM, as the module of TO, with a stamp behind
# it (lisp/cj-gate-stamp.el says which).  FINGERPRINT is what fingerprint.sh said before the build; without it, what it
# says now.  By rename: an Emacs that has the old file loaded keeps it, and never sees half of the new one.
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
