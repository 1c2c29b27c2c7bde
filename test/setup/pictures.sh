#!/bin/sh
# Gets the programs that make pictures.  An Emacs with a graphical display is unpacked into .deps/pictures/, since
# installing the package would replace a desktop's own Emacs.  The virtual display Xvfb and a font are installed as
# root; without root or sudo this prints the packages to install.
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
