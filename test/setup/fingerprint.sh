#!/bin/sh
# fingerprint.sh: print the fingerprint of the module's sources, and the time in seconds before it was taken.
# `cj/gate-stamp-fingerprint' in lisp/cj-gate-stamp.el makes the same fingerprint; a test compares the two.
set -eu
cd "$(dirname "$0")/../.."
begun=$(date +%s)
digest=$(find Cargo.lock Cargo.toml fixtures/gh-since.json src fixtures/gh-catalog -type f -name '[0-9A-Za-z]*' \
  \( -name '*.rs' -o -name '*.bin' -o -name '*.json' -o -name '*.txt' -o -name '*.toml' -o -name '*.lock' \) -print0 |
  LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
echo "${digest%% *} $begun"
