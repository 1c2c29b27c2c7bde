# Installs packages on the machine itself, from the machine's own package sources.

# wanted TEST PACKAGE...: add the packages to `missing' if the shell command TEST fails.
missing=
wanted() {
  present=$1
  shift
  sh -c "$present" >/dev/null 2>&1 || missing="$missing $*"
}

# Debian's own python3, since the python3 of a version manager may lack venv and read files in HOME.
python=/usr/bin/python3
[ -x $python ] || python=python3

get_system_packages() {
  wanted 'command -v git' git
  wanted 'command -v tmux' tmux                           # tests type into a real terminal
  wanted 'command -v curl' curl                           # gptel streams through it
  wanted 'command -v cc' gcc libc6-dev
  wanted "$python -c 'import venv, ensurepip'" python3-venv
  [ -n "${EMACS:-}" ] || wanted 'command -v emacs' emacs-nox emacs-el
  # For the manual; without makeinfo the tests of the Info file are skipped.
  [ "$(id -u)" != 0 ] || wanted 'command -v makeinfo' texinfo
  install_missing
}

# Install the packages named in `missing', as root or with sudo; give up if neither is possible.
install_missing() {
  [ -n "$missing" ] || return 0
  if ! command -v apt-get >/dev/null; then
    give_up "not on this machine:$missing (names as in Debian)" \
      "install them, or newer ones, with this system's package manager and run it again"
  fi
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
    sudo=sudo
  else
    give_up "not on this machine:$missing" "as root: apt-get update && apt-get install$missing"
  fi
  # shellcheck disable=SC2086  # splitting into words is wanted
  {
    quietly $sudo apt-get -qq -o DPkg::Lock::Timeout=900 update
    quietly $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
      -o DPkg::Lock::Timeout=900 install $missing
  }
  for package in $missing; do
    took "$(dpkg-query -W -f '${Package} ${Version}' "$package") installed from this machine's suites"
  done
}

# Install the programs of the network lab (test/netlab/).  Only root can make network namespaces, so for other users
# nothing is installed, and the tests in the lab are skipped with a message.
get_netlab_packages() {
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then return 0; fi
  missing=
  wanted 'command -v ip && command -v ss' iproute2
  wanted 'command -v nmap' nmap
  wanted 'command -v dig' bind9-dnsutils
  wanted 'command -v ping' iputils-ping
  wanted 'command -v traceroute' traceroute
  wanted 'command -v nc' netcat-openbsd
  wanted 'command -v dnsmasq' dnsmasq-base
  wanted 'command -v nft' nftables
  wanted 'command -v openssl' openssl
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086  # a list of words
  {
    quietly apt-get -qq -o DPkg::Lock::Timeout=900 update
    quietly env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
      -o DPkg::Lock::Timeout=900 install $missing
  }
  for package in $missing; do
    took "$(dpkg-query -W -f '${Package} ${Version}' "$package") installed from this machine's suites, for the network lab"
  done
}
