#!/bin/sh
# run.sh: call every command of the catalog through the gate, with old releases of gh.  Extensions and aliases have the names of the
# commands that a release lacks.  RELEASES are the versions to try; ALL=1 tries all that can be downloaded.  Exits with 1 if an
# extension or alias ran without a question to a person, or if there was a question about a read that the release has.
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
