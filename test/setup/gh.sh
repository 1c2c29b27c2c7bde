# Finds the gh binaries to test with.  With GH set, that one alone.  Else each version of which there is a catalog;
# for a version that PATH's gh has, PATH's gh is used.  On Debian also gets gh 2.23.0, for tests of a gh that is too old.

get_ghs() {
  mkdir -p "$deps/gh"
  if [ ! -x "$deps/gh/2.23.0/gh" ] && on_debian; then
    unpack bookworm "$deps/gh.new" gh
    mkdir -p "$deps/gh/2.23.0"
    mv "$deps/gh.new/usr/bin/gh" "$deps/gh/2.23.0/gh"
    rm -rf "$deps/gh.new"
    took "$unpacked, as .deps/gh/2.23.0/gh (too old, for tests)"
  fi
  if [ -n "${GH:-}" ]; then
    command -v "$GH" >/dev/null || give_up "GH=$GH is no program"
    command -v "$GH" >"$deps/gh/list"
    return
  fi
  on_path=$(command -v gh) || on_path=
  on_path_version=$([ -z "$on_path" ] || "$on_path" --version 2>/dev/null | awk '{ print $3; exit }')
  for version in 2.103.3 2.92.0; do
    if [ "$version" = "$on_path_version" ]; then echo "$on_path"; else echo "$deps/gh/$version/gh"; fi
  done >"$deps/gh/list"
}
