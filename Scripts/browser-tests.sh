#!/usr/bin/env bash
# Tests the pages of the example applications in a headless Chromium, and keeps screenshots in .build/browser.
#
#   Scripts/browser-tests.sh [--only awful|stories|kanora] [SWIFT FLAGS]
set -euo pipefail
cd "$(dirname "$0")/.."

applications=(awful stories kanora)
if [ "${1:-}" = --only ]; then
  case "${2:-}" in
    awful | stories | kanora) applications=("$2") ;;
    *) echo "--only takes awful, stories or kanora." >&2; exit 64 ;;
  esac
  shift 2
fi

folder=.build/browser
Scripts/install-packages.sh chromium ffmpeg
for application in "${applications[@]}"; do
  products=("$application")
  if [ "$application" = awful ]; then products+=(forum-sim); fi
  for product in "${products[@]}"; do
    swift build --package-path Examples --scratch-path .build --product "$product" "$@"
  done
done
tools=$(swift build --package-path Examples --scratch-path .build --show-bin-path)

rm -rf "$folder"
mkdir -p "$folder"
# The axe accessibility checks from a PyPI package.
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" axe-playwright-python==0.1.8
python3 -m zipfile --extract "$folder"/axe_playwright_python-*.whl "$folder/axe"
axe=$(find "$folder/axe" -name 'axe.min.js' | head -n 1)

status=0
for application in "${applications[@]}"; do
  echo "$application:"
  python3 "Scripts/browser/$application.py" "$tools" "$folder/$application" "$axe" || status=1
done
exit "$status"
