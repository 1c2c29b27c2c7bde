#!/bin/sh
# make deps: get everything that the targets need besides Rust and a C compiler, into .deps/.
#
#   .deps/emacs/list              the Emacsen to test in, one command a line
#   .deps/emacs/VERSION/emacs     an unpacked (never installed) Emacs
#   .deps/elpa/NAME/              gptel and what it needs; package-lint
#   .deps/seq/seq.el              Emacs 30's seq.el, for transient on Emacs 28
#   .deps/gh/list                 the gh binaries to test with, one a line
#   .deps/gh/VERSION/gh           the downloaded gh binaries: the catalogued versions, 2.61.0, which lacks much of the
#                                 catalog, and Debian's 2.23.0, which is older than the oldest supported gh
#   .deps/zizmor, .deps/shellcheck  the linters of workflow files and of shell scripts
#
# Each function looks for its result first, so a second run does nothing and prints nothing.
# EMACS and GH, if set, name the only Emacs and the only gh to test with.
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
