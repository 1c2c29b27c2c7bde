#!/bin/sh
# fingerprint.sh: the fingerprint of what the module is built from, and the time before it was taken, in seconds.
# As `cj/gate-stamp-fingerprint' in lisp/cj-gate-stamp.el makes it; a test compares the two.
set -eu
cd "$(dirname "$0")/../.."
begun=$(date +%s)
digest=$(find Cargo.lock Cargo.toml fixtures/gh-since.json src fixtures/gh-catalog -type f -name '[0-9A-Za-z]*' \
  \( -name '*.rs' -o -name '*.bin' -o -name '*.json' -o -name '*.txt' -o -name '*.toml' -o -name '*.lock' \) -print0 |
  LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
echo "${digest%% *} $begun"
