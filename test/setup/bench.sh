#!/bin/sh
# bench.sh [NAME...]: run benches/NAME, or all benches.  A Lisp bench runs with the release module in every Emacs of
# .deps/emacs/list, a Rust bench by cargo.  Exits with 1 when a bench failed or missed a goal.  The module is installed in
# the build directory, since a running Emacs may have loaded the one in lisp/.
set -u
cd "$(dirname "$0")/../.." || exit
target=${CARGO_TARGET_DIR:-target}
missed=

# The load before building and measuring, which both raise it.
read -r BENCH_LOAD _ </proc/loadavg
export BENCH_LOAD
echo "load before: $BENCH_LOAD"

if [ $# = 0 ]; then
  for file in benches/*.el benches/*.rs; do
    name=${file##*/}
    set -- "$@" "${name%.*}"
  done
fi

# Build everything before measuring anything.
sources=$(sh test/setup/fingerprint.sh) || exit
cargo build --quiet --release --locked --lib || exit
sh test/setup/install-module.sh "$target/release" "$target/release-module" "$sources" || exit
for name; do
  [ ! -e "benches/$name.rs" ] || cargo bench --quiet --locked --no-default-features --no-run --bench "$name" || exit
done

for name; do
  [ -e "benches/$name.el" ] || continue
  while read -r emacs; do
    echo
    echo "== benches/$name.el"
    sh test/setup/own-home.sh "$emacs" -Q --batch -l test/setup/init.el \
      --eval '(setq cj/gate-module-directory (expand-file-name "release-module/" (file-name-directory (directory-file-name cj/gate-module-directory))))' \
      -l "benches/$name.el" </dev/null || missed="$missed $name"
  done <.deps/emacs/list
done
for name; do
  [ -e "benches/$name.rs" ] || continue
  echo
  echo "== benches/$name.rs"
  cargo bench --quiet --locked --no-default-features --bench "$name" </dev/null || missed="$missed $name"
done

[ -z "$missed" ] && exit
echo "bench: missed goals, or failed:$missed" >&2
exit 1
