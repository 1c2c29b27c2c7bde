# What each script begins with that gets something: the place where it goes, and the parts that all of them use.

root=$PWD
deps=$root/.deps
mkdir -p "$deps"

. ./test/setup/say.sh
. ./test/setup/apt.sh
. ./test/setup/system.sh
. ./test/setup/emacs.sh
