#!/usr/bin/env bash
# Installs the missing Debian packages that building and testing need. Fetches package lists only if an
# installation needs them. Does nothing if all packages are installed.
#
#   Scripts/install-packages.sh [PACKAGE[:COMMAND] ...]   also installs further packages; each provides a command, by
#                                                         default one of its name
set -euo pipefail

packages=(libsqlite3-dev zlib1g-dev libpq-dev libgumbo-dev libtag1-dev sqlite3 "${@%%:*}")

missing=()
if command -v dpkg-query >/dev/null; then
  for package in "${packages[@]}"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
  done
else
  # On other systems, look for the files that the packages provide instead of the package names.
  for file in sqlite3.h zlib.h gumbo.h; do
    echo "#include <$file>" | cc -E -x c - >/dev/null 2>&1 || missing+=("$file")
  done
  # libpq's headers may be in a folder of PostgreSQL.
  pkg-config --exists libpq 2>/dev/null || missing+=(libpq-fe.h)
  # TagLib's headers are C++.
  echo "#include <taglib/fileref.h>" | c++ -E -x c++ - >/dev/null 2>&1 || missing+=(taglib/fileref.h)
  for command in sqlite3 "${@##*:}"; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Missing: ${missing[*]}. Install SQLite 3, zlib, libpq, gumbo and TagLib with their headers, and the commands." >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages: ${missing[*]}. Run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
}

echo "Installing these Debian packages with apt-get: ${missing[*]}"
known() { apt-cache show "${missing[@]}" >/dev/null 2>&1; }
if ! known; then
  echo "Fetching the lists of packages first"
  "${as_root[@]}" apt-get update
fi
if ! install; then
  # The lists name versions that are no longer in the archive.
  echo "Fetching new lists of packages"
  "${as_root[@]}" apt-get update
  install
fi
