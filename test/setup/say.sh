# How make deps speaks: one line for each thing it did, one line for what it cannot do.

took() { printf 'deps: %s\n' "$*"; }

give_up() {
  printf 'deps: %s\n' "$@" >&2
  exit 1
}

# quietly COMMAND...: run it, and show what it printed only when it fails.
quietly() {
  if ! "$@" >"$deps/log" 2>&1; then
    tail -n 20 "$deps/log" >&2
    give_up "failed: $*"
  fi
}
