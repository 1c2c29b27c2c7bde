#!/bin/sh
# run.sh: count the tokens that the tools cost a model, with the vocabulary o200k_base; exits with 1 when a goal was missed.
# SHOW=1 prints the texts too.  The counter is a crate of its own, built under the build directory.
set -u
cd "$(dirname "$0")/../.." || exit
target=${CARGO_TARGET_DIR:-target}
CARGO_TARGET_DIR=$target/tokens cargo build --quiet --release --locked --manifest-path tools/tokens/Cargo.toml || exit
TOKENS=$PWD/$target/tokens/release/tokens
case $target in /*) TOKENS=$target/tokens/release/tokens ;; esac
export TOKENS
emacs=$(tail -n 1 .deps/emacs/list)
sh test/setup/own-home.sh "$emacs" -Q --batch -l test/setup/init.el -l tools/tokens/goals.el -f tokens-main
