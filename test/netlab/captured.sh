# Functions that record programs in the network lab.  The capture scripts source this file; they run as root in the top folder.
#
# NAME.out is the standard output of a program, NAME.err its standard error if it wrote any; index.tsv has a row of name, exit code
# and command line.  The files contain only addresses and names of the lab.
# shellcheck shell=sh
into=$PWD/fixtures/net/captures
mkdir -p "$into"

# raise_the_lab: start a lab in a new directory, and remove it when the script exits.
raise_the_lab() {
  lab=$(mktemp -d)/lab
  sh test/netlab/netlab.sh can
  sh test/netlab/netlab.sh up "$lab"
  trap 'sh test/netlab/netlab.sh down "$lab"; rmdir "$(dirname "$lab")"' EXIT
}

# record NAME CMD..: run CMD here, on no host of the lab; its output goes to NAME.out and NAME.err, its exit code to `code'.
record() {
  name=$1 code=0
  shift
  "$@" >"$into/$name.out" 2>"$into/$name.err" </dev/null || code=$?
  [ -s "$into/$name.err" ] || rm "$into/$name.err"
}

# note NAME CMD..: write the row of the last recorded program to the index, in place of an older row NAME.
note() {
  name=$1
  shift
  touch "$into/index.tsv"
  grep -v "^$name	" "$into/index.tsv" >"$into/index.new" || :
  mv "$into/index.new" "$into/index.tsv"
  printf '%s\t%s\t%s\n' "$name" "$code" "$*" >>"$into/index.tsv"
}

# capture NAME HOST CMD..: run CMD on HOST, a host of the lab; record its output as NAME and write its row.
capture() {
  name=$1 host=$2
  shift 2
  record "$name" sh test/netlab/netlab.sh exec "$lab" "$host" env LC_ALL=C.UTF-8 "$@"
  note "$name" "$@"
}

# say_lab: replace the random name of the lab's directory by /lab in all files.
say_lab() {
  find "$into" -type f -exec sed -i "s#$lab#/lab#g" {} +
}
