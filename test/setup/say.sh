# Messages of make deps: one line for each thing that it got, and one when it gives up.

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
