#!/bin/sh
# What the pictures are made with, under .deps/pictures/: an Emacs that draws in windows, unpacked and never
# installed, since a desktop would lose its own.  The display that it draws on, Xvfb, and a font are installed, as
# root; for others this says what to install.
set -eu
cd "$(dirname "$0")/../.."
. ./test/setup/begin.sh

missing=
wanted 'command -v Xvfb' xvfb
wanted 'fc-list | grep -q DejaVuSansMono' fontconfig fonts-dejavu-core
install_missing

version=30.1
if [ ! -x "$deps/pictures/emacs" ]; then
  on_debian || give_up "the pictures are made with Debian's emacs-lucid" "run this target on Debian"
  unpack_emacs "$version" emacs-lucid "$deps/pictures"
fi
rm -rf "$deps/apt" "$deps/log"
