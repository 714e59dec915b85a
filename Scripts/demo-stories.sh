#!/usr/bin/env bash
# Demonstrates the reading application: creates stories, lists and reads them, creates a backup and restores it. In a terminal, it then
# serves the library to a browser until it is interrupted; otherwise, and with --once, it exits. Needs no network.
set -euo pipefail
. "$(dirname "$0")/demo-parts.sh"

folder=.demo-stories
store=$folder/stories.store

Scripts/install-packages.sh
build_examples stories

rm -rf "$folder"
mkdir -p "$folder"

title "Three stories: stories new --name Ada --theme … --seed … --store $store"
"$tools/stories" new --name Ada --theme adventure --seed 1 --store "$store"
"$tools/stories" new --name Ada --theme courage --seed 2 --store "$store"
last=$("$tools/stories" new --name Ada --theme bedtime --length short --seed 3 --store "$store")
echo "$last"

title "The library: stories list --sort title"
"$tools/stories" list --sort title --store "$store"

title "One of them: stories read --story ID"
"$tools/stories" read --story "${last%% *}" --store "$store"

title "A backup, another story, and the backup again"
"$tools/stories" backup --store "$store"
"$tools/stories" new --name Bea --seed 4 --store "$store"
"$tools/stories" restore --store "$store"
"$tools/stories" stats --store "$store"

title "What was done: stories log"
"$tools/stories" log --limit 5 --store "$store"

title "What to try next"
cat <<TEXT
  $tools/stories serve --store $store
  $tools/stories read --store $store
  $tools/stories new --store $store      (the open page shows the story at once)
  $tools/stories --help

The library is kept in $folder until the next 'make demo-stories'.

Docs/Stories.md describes the application. Docs/FirstHour.md builds your first programs with the library.
TEXT
[ -z "$ends" ] || exit 0

title "The library in a browser; Ctrl-C ends it"
exec "$tools/stories" serve --store "$store"
