#!/bin/sh
# get.sh VERSION...: get old releases of gh as .deps/gh/VERSION/gh, each checked by its hash (releases.txt); `all' gets all.
# On Debian, 2.46.0 comes from unstable.  It is older than the oldest supported gh (2.50.0): a command that both 2.46.0 and 2.61.0
# have is taken to be in the releases between, which cannot be downloaded here.
set -eu
cd "$(dirname "$0")/../.."
. ./test/setup/begin.sh
. ./test/setup/wheels.sh

# shellcheck disable=SC2046  # a list of versions
[ "$*" != all ] || set -- 2.46.0 $(sed -n 's/^gh-[a-z-]*==\([0-9.]*\) .*/\1/p' test/versions/releases.txt)
for version; do
  [ ! -x "$deps/gh/$version/gh" ] || continue
  if [ "$version" = 2.46.0 ]; then
    on_debian || continue
    unpack unstable "$deps/gh.new" gh
    mkdir -p "$deps/gh/2.46.0"
    mv "$deps/gh.new/usr/bin/gh" "$deps/gh/2.46.0/gh"
    rm -rf "$deps/gh.new"
    took "$unpacked, as .deps/gh/2.46.0/gh (too old, for \`make catalog-since')"
    continue
  fi
  get_release "$version"
done
rm -rf "$deps/apt" "$deps/venv" "$deps/log"
