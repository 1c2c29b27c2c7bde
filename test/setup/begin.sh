# Read first by each script that downloads or installs: sets the directory .deps and defines the shared functions.

root=$PWD
deps=$root/.deps
mkdir -p "$deps"

. ./test/setup/say.sh
. ./test/setup/apt.sh
. ./test/setup/system.sh
. ./test/setup/emacs.sh
