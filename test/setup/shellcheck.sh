# Gets shellcheck, the linter of our shell scripts, from a Debian package.  On other systems `make lint' skips that check.

get_shellcheck() {
  if [ -x "$deps/shellcheck" ] || ! on_debian; then return; fi
  unpack bookworm "$deps/shellcheck.new" shellcheck
  mv "$deps/shellcheck.new/usr/bin/shellcheck" "$deps/shellcheck"
  rm -rf "$deps/shellcheck.new"
  took "$unpacked, as .deps/shellcheck"
}
