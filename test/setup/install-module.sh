#!/bin/sh
# install-module.sh FROM TO: the library that cargo built in FROM, as the module of TO.
# By rename: an Emacs that has the old file loaded keeps it, and never sees half of the new one.
set -eu
for suffix in so dylib; do
  [ -f "$1/libcj_gate.$suffix" ] || continue
  mkdir -p "$2"
  install -m 755 "$1/libcj_gate.$suffix" "$2/.cj-gate-module.$suffix.$$"
  mv -f "$2/.cj-gate-module.$suffix.$$" "$2/cj-gate-module.$suffix"
  exit
done
echo "no library in $1: did cargo build --lib succeed?" >&2
exit 1
