#!/bin/sh
# suite.sh OUT JOB: run one job of test.sh.  JOB is `cargo', or `FILE EMACS', a file of ERT tests and an Emacs.
# The output goes to a file in OUT; if a test failed, a copy ends in .failed.  The numbers of passed, failed and
# skipped tests go to OUT/sums.  A runner that dies, hangs or runs no test counts as one failure.
set -u
out=$1 job=$2
began=$(date +%s)

case $job in
  cargo)
    name='cargo test' log=$out/cargo
    cargo test --locked --no-default-features --no-fail-fast >"$log" 2>&1 </dev/null
    status=$?
    ;;
  *)
    file=${job%% *} emacs=${job#* }
    version=$("$emacs" -Q --batch --eval '(princ emacs-version)')
    name="Emacs $version, $file" log=$out/$version-$(basename "$file" .el)
    # Emacs in batch writes messages to standard error.
    timeout -k 10 900 sh test/setup/own-home.sh "$emacs" -Q --batch -l test/setup/init.el -l ert -l "$file" \
      -f ert-run-tests-batch-and-exit >"$log" 2>&1 </dev/null
    status=$?
    ;;
esac

# shellcheck disable=SC2046  # splitting into three numbers is wanted
set -- $(awk -v status=$status -f test/setup/count.awk "$log")
said="$1 passed"
[ "$2" = 0 ] || said="$said, $2 failed (exit code $status)"
[ "$3" = 0 ] || said="$said, $3 skipped"
if [ "$2" != 0 ]; then
  { printf '\n== %s: %s\n' "$name" "$said" && cat "$log"; } >"$log.failed"
fi
echo "== $name: $said, $(($(date +%s) - began)) s"
# The fourth field tells test.sh that this job has ended.
echo "$1 $2 $3 ." >>"$out/sums"
