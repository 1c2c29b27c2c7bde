#!/bin/sh
# test.sh SUITE...: run the suites `core' (cargo) and `lisp' (ERT).  The lisp suite starts a new Emacs for each test
# file and each Emacs of .deps/emacs/list.  JOBS of them run at a time, by default twice as many as there are processors,
# since most tests wait.  The output of failed jobs is shown when all jobs have ended.  The last line is the sum:
# N passed, N failed[, N skipped].
set -u
cd "$(dirname "$0")/../.." || exit
: "${MAKE:=make}" "${TEST:=*}" "${JOBS:=$(($(getconf _NPROCESSORS_ONLN) * 2))}"
out=${CARGO_TARGET_DIR:-target}/test-output
rm -rf "$out" "${CARGO_TARGET_DIR:-target}/home"
mkdir -p "$out"
: >"$out/jobs"
: >"$out/sums"

for suite; do
  case $suite in
    core)
      # Build now, so that nothing is built beside the jobs.  If this fails, the cargo job fails and shows the errors.
      cargo test --quiet --locked --no-default-features --no-run
      echo cargo >>"$out/jobs"
      ;;
    lisp)
      if ! $MAKE -s test-module; then
        echo 'the module that the Lisp tests load does not build'
        echo '0 1 0' >>"$out/sums"
        continue
      fi
      # Files that take longest go first: these, which build the package or make networks, and then the largest.
      # shellcheck disable=SC2012  # our file names are plain
      {
        for name in recipes-vc recipes netlab-networks approval-focus; do echo "test/lisp/$name-tests.el"; done
        ls -S test/lisp/*-tests.el
      } | awk '!seen[$0]++' | while read -r file; do
        # shellcheck disable=SC2254  # TEST is a pattern
        case $file in
          test/lisp/$TEST-tests.el)
            while read -r emacs; do echo "$file $emacs"; done <.deps/emacs/list
            ;;
        esac
      done >>"$out/jobs"
      ;;
  esac
done

if [ ! -s "$out/jobs" ] && [ ! -s "$out/sums" ]; then
  echo "there is no test/lisp/$TEST-tests.el" >&2
  exit 1
fi
[ ! -s "$out/jobs" ] || tr '\n' '\0' <"$out/jobs" | xargs -0 -n 1 -P "$JOBS" sh test/setup/suite.sh "$out"
for failed in "$out"/*.failed; do
  [ ! -e "$failed" ] || cat "$failed"
done

# A job without a result counts as failed.
awk -v jobs="$(wc -l <"$out/jobs")" '
  { passed += $1; failed += $2; skipped += $3; if (NF == 4) jobs-- }
  END {
    failed += jobs
    printf "\n%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
    exit failed > 0
  }' "$out/sums"
