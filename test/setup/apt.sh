# Unpacks Debian packages of any suite into .deps, without installing them.
#
# apt runs with its own sources, lists and cache under .deps/apt.  The mirror and the key come from
# the machine's own sources, so apt trusts and reaches no other server than the machine does.

aptdir=$deps/apt
codename=$(. /etc/os-release 2>/dev/null && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-sid}") || codename=

on_debian() { [ -n "$codename" ] && command -v apt-get >/dev/null; }

private_apt() { apt-get -qq -c "$aptdir/apt.conf" "$@"; }

# one_suite SUITE TOOL ...: run TOOL, apt-get or apt-cache, with the packages of SUITE alone.
# A suite such as bookworm-backports includes bookworm.
one_suite() {
  tool=$2 chosen=$1
  shift 2
  "$tool" -q -c "$aptdir/apt.conf" -o Dir::Etc::sourceparts="$aptdir/$chosen" -t "$chosen" "$@"
}

# Print the machine's main archive as "URI SOURCESFILE:STANZA", as apt reads it from its sources.
machine_archive() {
  # shellcheck disable=SC2016  # $(REPO_URI) and the like are apt's own
  apt-get indextargets -o APT::Get::IndexTargets::ReleaseInfo=false \
    --format '$(RELEASE) $(COMPONENT) $(REPO_URI) $(SOURCESENTRY)' 'Created-By: Packages' |
    awk -v codename="$codename" '
      $2 == "main" && ($1 == codename || $1 ~ /^(stable|oldstable|testing|unstable|sid)$/) {
        print $3, $4; exit }'
}

# key_of FILE:N: print the key file that stanza or line N of FILE names; without one, apt uses its default keys.
key_of() {
  awk -v n="${1##*:}" -v deb822="${1##*.sources:*}" '
    deb822 == "" && /^[[:space:]]*$/ { inside = 0; next }
    deb822 == "" && !/^#/ && !inside { inside = 1; stanza++ }
    deb822 == "" && stanza == n && tolower($1) == "signed-by:" { print $2; exit }
    deb822 != "" && NR == n && match($0, /signed-by=[^] ,]*/) {
      print substr($0, RSTART + 10, RLENGTH - 10); exit }' "${1%:*}"
}

# Write apt's configuration and fetch its lists, once in a run of make deps.
open_archive() {
  [ -z "${archive_open:-}" ] || return 0
  archive_open=yes
  # shellcheck disable=SC2046  # splitting into two words is wanted
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

# unpack SUITE DIRECTORY PACKAGE...: unpack each package of SUITE below DIRECTORY.
# The variable `unpacked' then names the packages and versions, for the caller's message.
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
