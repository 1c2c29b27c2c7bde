# The linter of our shell scripts; `make lint' does without it where there is no Debian.

get_shellcheck() {
  if [ -x "$deps/shellcheck" ] || ! on_debian; then return; fi
  unpack bookworm "$deps/shellcheck.new" shellcheck
  mv "$deps/shellcheck.new/usr/bin/shellcheck" "$deps/shellcheck"
  rm -rf "$deps/shellcheck.new"
  took "$unpacked, as .deps/shellcheck"
}
