#!/usr/bin/env bash
# Demonstrates the forum reader: starts a simulated forum site on this machine, syncs it to a store, shows the
# store's contents, advances the site by an hour, and syncs again. In a terminal, it then serves the store to a browser until it
# is interrupted; otherwise, and with --once, it exits. Needs no network.
set -euo pipefail
. "$(dirname "$0")/demo-parts.sh"

folder=.demo
store=$folder/awful.sqlite
ready=$folder/forum-sim.json
simulator=
clock=

stop_simulator() {
  [ -z "$clock" ] || kill "$clock" 2>/dev/null || true
  [ -n "$simulator" ] || return 0
  kill "$simulator" 2>/dev/null || true
  wait "$simulator" 2>/dev/null || true
  simulator=
}
trap stop_simulator EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Waits for the simulator's line of JSON and prints the port in it.
port_of_simulator() {
  local attempt port
  for attempt in $(seq 1 300); do
    port=$(sed -n 's/.*"port":\([0-9][0-9]*\).*/\1/p' "$ready" 2>/dev/null | head -n 1)
    if [ -n "$port" ]; then
      echo "$port"
      return 0
    fi
    kill -0 "$simulator" 2>/dev/null || break
    sleep 0.1
  done
  echo "The simulator did not start; see $folder/forum-sim.log." >&2
  return 1
}

# Sends an empty POST to the simulator and requires status 200.
post() {
  local status
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf 'POST %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' \
    "$1" "$port" >&3
  IFS= read -r status <&3
  exec 3>&-
  case $status in
    *' 200 '*) ;;
    *)
      echo "POST $1 was answered with: $status" >&2
      return 1
      ;;
  esac
}

Scripts/install-packages.sh
build_examples forum-sim awful

rm -rf "$folder"
mkdir -p "$folder"

title "Starting a simulated forum site on this machine"
"$tools/forum-sim" --seed 7 --size tiny --port 0 --control >"$ready" 2>"$folder/forum-sim.log" &
simulator=$!
port=$(port_of_simulator)
site=http://127.0.0.1:$port
echo "It answers at $site/"

title "First synchronization: awful sync --base-url $site --store $store"
"$tools/awful" sync --base-url "$site" --store "$store"

title "Forums in the store: awful forums --store $store"
"$tools/awful" forums --store "$store"

title "Unread threads: awful threads --store $store --unread"
"$tools/awful" threads --store "$store" --unread

title "An hour passes on the site; second synchronization"
post "/__sim/advance?seconds=3600"
"$tools/awful" sync --base-url "$site" --store "$store"

query="SELECT ZTITLE, ZTOTALREPLIES, datetime(ZLASTPOSTDATE + 978307200, 'unixepoch') FROM ZTHREAD"
query="$query ORDER BY ZLASTPOSTDATE DESC LIMIT 5"
title "The store is an ordinary SQLite file in Core Data's layout"
echo "sqlite3 $store \"$query\""
thread=ID
if command -v sqlite3 >/dev/null; then
  sqlite3 "$store" "$query"
  thread=$(sqlite3 "$store" "SELECT ZTHREADID FROM ZTHREAD ORDER BY ZLASTPOSTDATE DESC LIMIT 1")
fi

title "What to try next"
cat <<TEXT
  $tools/awful serve --store $store
  $tools/awful --help
  $tools/awful threads --store $store --unread
  $tools/awful posts --store $store --thread $thread
  sqlite3 $store .schema

The store is kept in $store until the next 'make demo'. To run the site again:
  $tools/forum-sim --seed 7 --size tiny --port 8080 --control

Docs/Awful.md describes the application. Docs/FirstHour.md builds your first programs with the library.
TEXT
if [ -n "$ends" ]; then
  stop_simulator
  echo "The site has been stopped."
  exit 0
fi

title "The same in a browser, while time passes on the site; Ctrl-C ends both"
while sleep 2; do post "/__sim/advance?seconds=120"; done &
clock=$!
"$tools/awful" serve --store "$store" --base-url "$site" --every 15
