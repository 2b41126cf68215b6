#!/bin/bash
# Runs a command on a private display and session bus, with an unlocked, empty keyring, a home of its own
# and a folder for temporary files. All of it is gone afterwards.
set -euo pipefail
if [[ ${1-} != --inside ]]; then
  exec xvfb-run -a -s '-screen 0 1280x800x24' dbus-run-session -- bash "$0" --inside "$@"
fi
shift
# A short name: sockets below it must fit in 107 bytes.
home=$(mktemp -d "${TMPDIR:-/tmp}/gh-XXXXXX")
trap 'rm -rf "$home"' EXIT
mkdir "$home/t"
mkdir -m 700 "$home/run"
# npm keeps what it has fetched and how it was told to fetch.
export npm_config_cache=${npm_config_cache:-$HOME/.npm} npm_config_userconfig=${npm_config_userconfig:-$HOME/.npmrc}
export HOME=$home TMPDIR=$home/t XDG_RUNTIME_DIR=$home/run
export XDG_DATA_HOME=$home/.local/share XDG_CONFIG_HOME=$home/.config XDG_CACHE_HOME=$home/.cache
unset ELECTRON_RUN_AS_NODE NODE_OPTIONS GATEHOUSE_HOME
# Chromium and GTK would look for a system bus and for assistive technology, and complain.
export DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS NO_AT_BRIDGE=1
printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
"$@"
