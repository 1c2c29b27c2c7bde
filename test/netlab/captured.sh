# The lab in which programs are recorded, and how; read by the capture scripts, which run as root in the top folder.
#
# NAME.out is standard output, NAME.err standard error where there is any; index.tsv has name, exit code and command line.
# Only addresses and names of the lab are in them.
# shellcheck shell=sh
into=$PWD/fixtures/net/captures
mkdir -p "$into"

raise_the_lab() {
  lab=$(mktemp -d)/lab
  sh test/netlab/netlab.sh can
  sh test/netlab/netlab.sh up "$lab"
  trap 'sh test/netlab/netlab.sh down "$lab"; rmdir "$(dirname "$lab")"' EXIT
}

# record NAME CMD..: run CMD where it is called.
record() {
  name=$1 code=0
  shift
  "$@" >"$into/$name.out" 2>"$into/$name.err" </dev/null || code=$?
  [ -s "$into/$name.err" ] || rm "$into/$name.err"
}

# note NAME CMD..: the row of the index for what was recorded last, in place of an older one.
note() {
  name=$1
  shift
  touch "$into/index.tsv"
  grep -v "^$name	" "$into/index.tsv" >"$into/index.new" || :
  mv "$into/index.new" "$into/index.tsv"
  printf '%s\t%s\t%s\n' "$name" "$code" "$*" >>"$into/index.tsv"
}

# capture NAME HOST CMD..: run CMD on a host of the lab.
capture() {
  name=$1 host=$2
  shift 2
  record "$name" sh test/netlab/netlab.sh exec "$lab" "$host" env LC_ALL=C.UTF-8 "$@"
  note "$name" "$@"
}

# The lab's directory has a random name; the files say /lab.
say_lab() {
  find "$into" -type f -exec sed -i "s#$lab#/lab#g" {} +
}
