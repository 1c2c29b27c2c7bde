# Finds the Emacsen to test in.  With EMACS set, that one alone.  Else the Emacs on PATH, and besides 28.2 and 30.1
# from Debian, unless PATH's Emacs has the same major version.

# probe EMACS: print its version; nothing if it is no Emacs, is older than 28.1 or cannot load modules.
probe() {
  "$1" -Q --batch --eval '(when (and module-file-suffix (not (version< emacs-version "28.1")))
                            (princ emacs-version))' 2>/dev/null || :
}

suite_of_emacs() {
  case $1-$codename in
    28-*) echo bookworm ;;
    30-bookworm) echo bookworm-backports ;;
    30-*) echo trixie ;;
  esac
}

get_emacsen() {
  mkdir -p "$deps/emacs"
  if [ -n "${EMACS:-}" ]; then
    version=$(probe "$EMACS")
    [ -n "$version" ] || give_up "EMACS=$EMACS is no Emacs 28.1 or newer with modules"
    own=$(command -v "$EMACS")
  elif own=$(command -v emacs) && version=$(probe "$own") && [ -n "$version" ]; then
    :
  else
    own='' version=
  fi
  list=$own
  for other in 28.2 30.1; do
    [ "${other%%.*}" != "${version%%.*}" ] || continue
    emacs=$deps/emacs/$other/emacs
    if [ ! -x "$emacs" ]; then
      on_debian || continue
      unpack_emacs "$other"
    fi
    [ -n "${EMACS:-}" ] || list="$list
$emacs"
  done
  [ -n "$list" ] || give_up "no Emacs 28.1 or newer with modules: install one, or set EMACS to its path"
  printf '%s\n' "$list" | sed '/^$/d' >"$deps/emacs/list.new"
  if ! cmp -s "$deps/emacs/list.new" "$deps/emacs/list" 2>/dev/null; then
    took "tests run in $(tr '\n' ' ' <"$deps/emacs/list.new")"
  fi
  mv "$deps/emacs/list.new" "$deps/emacs/list"
}

# unpack_emacs VERSION [PACKAGE HOME]: unpack Debian's PACKAGE (emacs-nox) of VERSION into HOME
# (.deps/emacs/VERSION), and write HOME/emacs, a script that starts it.  No file outside HOME changes.
unpack_emacs() {
  suite=$(suite_of_emacs "${1%%.*}")
  package=${2:-emacs-nox} home=${3:-$deps/emacs/$1}
  rm -rf "$home"
  unpack "$suite" "$home" "$package" emacs-common emacs-bin-common emacs-el
  took "$unpacked, unpacked in ${home#"$root/"}"
  binary=$home/usr/bin/$package
  unpack_libraries "$suite" "$home" "$binary" "$package"
  libexec=$(echo "$home"/usr/libexec/emacs/"$1"/*/)
  # Emacs looks for its dump beside the binary first.  With this link an Emacs that another one starts by
  # invocation-name finds the dump too.
  ln -s "$(realpath --relative-to="$home/usr/bin" "$libexec"/*.pdmp)" "$binary.pdmp"
  cat >"$home/emacs.new" <<END
#!/bin/sh
# Emacs $1, unpacked: Debian's build looks below /usr, so it is told where its parts are.
here=\$(CDPATH='' cd -- "\${0%/*}" && pwd)
export EMACSLOADPATH="\$here/usr/share/emacs/$1/lisp"
export EMACSDATA="\$here/usr/share/emacs/$1/etc" EMACSDOC="\$here/usr/share/emacs/$1/etc"
export EMACSPATH="\$here${libexec#"$home"}"
[ ! -d "\$here/lib" ] || export LD_LIBRARY_PATH="\$here/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
exec "\$here/usr/bin/$package" "\$@"
END
  chmod +x "$home/emacs.new"
  [ "$(probe "$home/emacs.new")" = "$1" ] || give_up "the unpacked Emacs $1 does not start: $home/emacs.new"
  mv "$home/emacs.new" "$home/emacs"
}

# unpack_libraries SUITE HOME BINARY PACKAGE: put the shared libraries that BINARY misses on this machine into
# HOME/lib.  Only missing ones, so that programs that Emacs starts use the machine's own libraries.
unpack_libraries() {
  ldd "$3" | grep -q 'not found' || return 0
  rm -rf "$deps/lib.new"
  absent=
  for library in $(libraries_of "$1" "$4"); do
    dpkg-query -W "$library" >/dev/null 2>&1 || absent="$absent $library"
  done
  # shellcheck disable=SC2086  # a list of words
  unpack "$1" "$deps/lib.new" $absent
  mkdir -p "$2/lib"
  while missing_library=$(LD_LIBRARY_PATH=$2/lib ldd "$3" | awk '/not found/ { print $1; exit }') &&
    [ -n "$missing_library" ]; do
    found=$(find "$deps/lib.new" -name "$missing_library" | head -n 1)
    [ -n "$found" ] || give_up "Emacs of $1 needs $missing_library, which no package it depends on has"
    cp -L "$found" "$2/lib/"
    took "$missing_library from Debian $1, beside that Emacs"
  done
  rm -rf "$deps/lib.new"
}

# libraries_of SUITE PACKAGE: print the library packages that PACKAGE needs, directly or indirectly.
libraries_of() {
  one_suite "$1" apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances "$2" | grep -e '^lib' -e '^xaw3dg$' | grep -v -e '^libc6$' -e '-perl$' | sort -u
}
