#!/bin/sh
# make demo: one conversation through every layer, printed for a newcomer.
# make try (run.sh try): the same in an Emacs in this terminal, where the newcomer presses the keys.
#
# By default GitHub and the model are stand-ins.  With LIVE=1 REPO=owner/name PR=n it reads that pull request with the
# user's own gh, login and environment, and writes nothing.  EMACS and GH, if set, name the Emacs and the gh to use.
set -eu
cd "$(dirname "$0")/../.."

fail() {
  printf 'demo: %s\n' "$@" >&2
  exit 1
}

read -r emacs <.deps/emacs/list || fail "there is no Emacs in .deps/emacs/list" "run \`make deps'"

# demo SCRIPT COMMAND...: run test/demo/SCRIPT in Emacs, which COMMAND starts.
demo() {
  script=$1
  shift
  exec "$@" "$emacs" -Q --batch -l test/setup/init.el -l "test/demo/$script"
}

if [ "${1:-}" = try ]; then
  [ -t 0 ] && [ -t 1 ] || fail 'there is no terminal for Emacs' 'run it in a terminal, or run make demo'
  TERM=${TERM:-xterm} exec sh test/setup/own-home.sh "$emacs" -nw -Q -l test/setup/init.el -l test/demo/try.el
fi

case ${LIVE:-} in
  '' | 0) demo demo.el sh test/setup/own-home.sh ;;
esac

[ -n "${REPO:-}" ] || fail 'REPO is missing' 'call it as: make demo LIVE=1 REPO=owner/name PR=number'
case ${PR:-} in
  '' | *[!0-9]*) fail 'PR is missing, or no number' 'call it as: make demo LIVE=1 REPO=owner/name PR=number' ;;
esac
: "${GH:=gh}"
command -v "$GH" >/dev/null ||
  fail "$GH was not found" 'install gh (https://cli.github.com), or name it: make demo GH=/path/to/gh …'
host=github.com
case $REPO in */*/*) host=${REPO%%/*} ;; esac
"$GH" auth status --hostname "$host" >/dev/null 2>&1 ||
  fail "gh is not logged in to $host, or cannot reach it" "gh auth status --hostname $host says which"
export REPO PR GH
demo live.el env
