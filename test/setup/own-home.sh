#!/bin/sh
# own-home.sh COMMAND...: run COMMAND with a new empty HOME under the build directory, and without the variables by
# which COMMAND, or a gh that it starts, would find the user's settings, logins and proxies.
set -eu
homes=${CARGO_TARGET_DIR:-$(CDPATH='' cd -- "$(dirname "$0")/../.." && pwd)/target}/home
mkdir -p "$homes"
home=$(CDPATH='' cd -- "$homes" && mktemp -d "$PWD/XXXXXX")
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR
unset GH_TOKEN GITHUB_TOKEN GH_ENTERPRISE_TOKEN GITHUB_ENTERPRISE_TOKEN GH_HOST GH_REPO GH_CONFIG_DIR
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export HOME="$home" LC_ALL=C.UTF-8
exec "$@"
