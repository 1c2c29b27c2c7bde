#!/bin/sh
# run.sh: every command of the catalog through the gate, with old releases of gh in which others own the words that came later.
# RELEASES are the versions to try; ALL=1: every one that can be had.  Exits with 1 where something ran unasked, or where a read that
# the release has did not run by itself.
set -u
cd "$(dirname "$0")/../.." || exit
: "${RELEASES:=2.61.0 2.70.0 2.81.0 2.91.0 2.102.0}"
if [ -n "${ALL:-}" ]; then
  RELEASES=$(sed -n 's/^gh-[a-z-]*==\([0-9.]*\) .*/\1/p' test/versions/releases.txt | sort -V)
  RELEASES="$RELEASES 2.92.0 2.103.3"
fi
# shellcheck disable=SC2086  # a list of versions
sh test/versions/get.sh $RELEASES || exit
emacs=$(tail -n 1 .deps/emacs/list)
# shellcheck disable=SC2086
sh test/setup/own-home.sh "$emacs" -Q --batch -l test/setup/init.el -l test/versions/versions.el -f versions-main $RELEASES
