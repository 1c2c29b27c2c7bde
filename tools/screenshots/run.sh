#!/bin/sh
# run.sh [screenshots|approvals]: take the pictures of `make screenshots' or of `make approvals', of a real Emacs on a virtual display.
set -eu
cd "$(dirname "$0")/../.."
what=${1:-screenshots}

scratch=$(mktemp -d)
Xvfb -displayfd 3 -screen 0 1400x1600x24 -dpi 96 -nolisten tcp -noreset 3>"$scratch/display" 2>"$scratch/log" &
server=$!
trap 'kill $server 2>/dev/null || :; rm -rf "$scratch"' EXIT
tries=0
until [ -s "$scratch/display" ]; do
  tries=$((tries + 1))
  if [ $tries -gt 60 ] || ! kill -0 $server 2>/dev/null; then
    cat "$scratch/log" >&2
    echo 'screenshots: Xvfb does not start' >&2
    exit 1
  fi
  sleep 0.5
done

# Emacs gets no input method and no settings of the person who runs this: each can change a picture, or keep Emacs waiting.
DISPLAY=:$(cat "$scratch/display") PICTURES=$PWD/docs/images APPROVALS=$PWD/target/approvals SCRATCH=$scratch
export DISPLAY PICTURES APPROVALS SCRATCH
status=0
timeout -k 10 600 sh test/setup/own-home.sh env -u XMODIFIERS .deps/pictures/emacs -Q -xrm 'Emacs.useXIM: false' \
  -l test/setup/init.el -l tools/screenshots/screenshots.el -l "tools/screenshots/$what.el" -f "$what" 2>"$scratch/said" || status=$?
[ $status = 0 ] || cat "$scratch/said" >&2
exit $status
