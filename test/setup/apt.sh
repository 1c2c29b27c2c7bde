# Debian packages of any suite, unpacked here and never installed.
#
# apt runs with sources, lists and cache of its own under .deps/apt; the mirror and the key are
# those of the machine's own sources, so this trusts and reaches nothing that the machine does not.

aptdir=$deps/apt
codename=$(. /etc/os-release 2>/dev/null && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-sid}") || codename=

on_debian() { [ -n "$codename" ] && command -v apt-get >/dev/null; }

private_apt() { apt-get -qq -c "$aptdir/apt.conf" "$@"; }

# one_suite SUITE TOOL ...: apt-get or apt-cache that sees SUITE (with what it builds on) alone.
one_suite() {
  tool=$2 chosen=$1
  shift 2
  "$tool" -q -c "$aptdir/apt.conf" -o Dir::Etc::sourceparts="$aptdir/$chosen" -t "$chosen" "$@"
}

# The machine's main archive: "URI SOURCESFILE:STANZA", from what apt itself reads in its sources.
machine_archive() {
  # shellcheck disable=SC2016  # $(REPO_URI) and the like are apt's own
  apt-get indextargets -o APT::Get::IndexTargets::ReleaseInfo=false \
    --format '$(RELEASE) $(COMPONENT) $(REPO_URI) $(SOURCESENTRY)' 'Created-By: Packages' |
    awk -v codename="$codename" '
      $2 == "main" && ($1 == codename || $1 ~ /^(stable|oldstable|testing|unstable|sid)$/) {
        print $3, $4; exit }'
}

# The key file that the stanza or line "FILE:N" names; none: apt's own default keys hold.
key_of() {
  awk -v n="${1##*:}" -v deb822="${1##*.sources:*}" '
    deb822 == "" && /^[[:space:]]*$/ { inside = 0; next }
    deb822 == "" && !/^#/ && !inside { inside = 1; stanza++ }
    deb822 == "" && stanza == n && tolower($1) == "signed-by:" { print $2; exit }
    deb822 != "" && NR == n && match($0, /signed-by=[^] ,]*/) {
      print substr($0, RSTART + 10, RLENGTH - 10); exit }' "${1%:*}"
}

# Write the private configuration and fetch the lists, once in a run of make deps.
open_archive() {
  [ -z "${archive_open:-}" ] || return 0
  archive_open=yes
  # shellcheck disable=SC2046  # two words
  set -- $(machine_archive)
  [ $# = 2 ] || give_up "no Debian archive for $codename in this machine's apt sources; add one and run it again"
  key=$(key_of "$2")
  rm -rf "$aptdir"
  mkdir -p "$aptdir/all" "$aptdir/none" "$aptdir/lists/partial" "$aptdir/cache/archives/partial"
  for suite in bookworm "$(suite_of_emacs 30)" unstable; do
    mkdir -p "$aptdir/$suite"
    cat >"$aptdir/$suite/$suite.sources" <<END
Types: deb
URIs: $1
Suites: ${suite%-backports}$(case $suite in *-backports) echo " $suite" ;; esac)
Components: main
${key:+Signed-By: $key}
END
    cp "$aptdir/$suite/$suite.sources" "$aptdir/all/"
  done
  cat >"$aptdir/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$aptdir/all";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$aptdir/none";
Dir::State "$aptdir";
Dir::Cache "$aptdir/cache";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Sandbox::User "root";
Acquire::Languages "none";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear Acquire::IndexTargets::deb::DEP-11;
END
  quietly private_apt update
}

# unpack SUITE DIRECTORY PACKAGE...: the files of each package of SUITE, below DIRECTORY.
# `unpacked' is then what it took, for the caller to tell.
unpack() {
  open_archive
  suite=$1 into=$2
  shift 2
  rm -rf "$aptdir/debs"
  mkdir -p "$aptdir/debs" "$into"
  (cd "$aptdir/debs" && quietly one_suite "$suite" apt-get download "$@")
  unpacked=
  for deb in "$aptdir"/debs/*.deb; do
    dpkg -x "$deb" "$into"
    unpacked="$unpacked${unpacked:+, }$(dpkg-deb -W --showformat='${Package} ${Version}' "$deb")"
  done
  unpacked="$unpacked from Debian $suite"
  rm -rf "$aptdir/debs"
}
