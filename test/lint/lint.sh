#!/bin/sh
# make lint: run every check of the sources, offline.  All checks run; if one failed, the exit code is 1.
set -u
cd "$(dirname "$0")/../.." || exit
failed=

# check NAME COMMAND...: run COMMAND; if it fails, add NAME to `failed'.
check() {
  echo "lint: $1"
  name=$1
  shift
  "$@" || failed="$failed${failed:+, }$name"
}

# lisp EMACS CHECK FILE...: run the function lint-CHECK of lint.el on the files.
lisp() {
  emacs=$1 check=$2
  shift 2
  sh test/setup/own-home.sh "$emacs" -Q --batch -l test/setup/init.el -l test/lint/lint.el -f "lint-$check" "$@"
}

# byte_compile EMACS: compile each file in a new Emacs, so that a `require' of one file cannot hide a missing one in
# another; as many at a time as there are processors.
byte_compile() {
  find lisp test tools -name '*.el' -print0 | sort -z |
    xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh test/setup/own-home.sh "$1" -Q --batch \
      -l test/setup/init.el -l test/lint/lint.el -f lint-byte-compile
}

check 'cargo fmt' cargo fmt --check
check 'clippy' cargo clippy --quiet --locked --all-targets -- -D warnings
check 'clippy without Emacs' cargo clippy --quiet --locked --all-targets --no-default-features -- -D warnings

newest=
while read -r emacs; do
  version=$("$emacs" -Q --batch --eval '(princ emacs-version)')
  newest=$(printf '%s\n' "$newest" "$version $emacs" | sort -V | tail -n 1)
  check "byte-compile in Emacs $version" byte_compile "$emacs" </dev/null
done <.deps/emacs/list
newest=${newest#* }
check 'check-declare' lisp "$newest" check-declare lisp/*.el
check 'checkdoc' lisp "$newest" checkdoc lisp/*.el
check 'package-lint' lisp "$newest" package lisp/*.el

# parses FILE...: parse each script with the shell that its first line names.
parses() {
  status=0
  for file; do
    case $(head -n 1 "$file") in *bash) bash -n "$file" ;; *) sh -n "$file" ;; esac || status=1
  done
  return $status
}

shell_files=$(find test tools .ci -name '*.sh' -o -path .ci/run)
# shellcheck disable=SC2086  # a list of files
check 'sh -n' parses $shell_files
if [ -x .deps/shellcheck ]; then
  # Scripts with a first line #!; shellcheck -x also reads the files that they source.
  # shellcheck disable=SC2046,SC2086  # lists of files
  check 'shellcheck' .deps/shellcheck -x -S warning $(awk 'FNR == 1 && /^#!/ { print FILENAME }' $shell_files)
fi
check 'workflow files (zizmor)' sh test/setup/own-home.sh .deps/zizmor --offline --no-progress --quiet --strict-collection .github

[ -z "$failed" ] && exit
echo "lint: failed: $failed" >&2
exit 1
