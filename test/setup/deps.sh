#!/bin/sh
# make deps: everything the targets need beyond Rust and a C compiler, under .deps/.
#
#   .deps/emacs/list              the Emacsen to test in, one command a line
#   .deps/emacs/VERSION/emacs     an unpacked (never installed) Emacs
#   .deps/elpa/NAME/              gptel and what it needs; package-lint
#   .deps/seq/seq.el              Emacs 30's seq.el, for transient on Emacs 28
#   .deps/gh/list                 the gh binaries to test with, one a line
#   .deps/gh/VERSION/gh           those gotten here, and Debian's 2.23.0, which is too old
#   .deps/gh/2.61.0/gh           an old release that lacks much of the catalog
#   .deps/zizmor, .deps/shellcheck  the linters of workflow files and of shell scripts
#
# Each part looks for its result first, so a second run does nothing and says nothing.
# EMACS and GH, when set, are the one Emacs and the one gh to use.
set -eu
cd "$(dirname "$0")/../.."
. ./test/setup/begin.sh
. ./test/setup/elpa.sh
. ./test/setup/wheels.sh
. ./test/setup/gh.sh
. ./test/setup/shellcheck.sh

get_system_packages
get_netlab_packages
get_emacsen
get_elpa_packages
get_wheels
get_ghs
get_release 2.61.0
get_shellcheck

rm -rf "$deps/apt" "$deps/venv" "$deps/log"
