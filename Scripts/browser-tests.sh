#!/usr/bin/env bash
# Tests the pages of the example applications in a headless Chromium, and keeps screenshots in .build/browser.
#
#   Scripts/browser-tests.sh [SWIFT FLAGS]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.build/browser
Scripts/install-packages.sh chromium
swift build --package-path Examples --scratch-path .build --product forum-sim "$@"
swift build --package-path Examples --scratch-path .build --product awful "$@"
tools=$(swift build --package-path Examples --scratch-path .build --show-bin-path)

rm -rf "$folder"
mkdir -p "$folder"
# The accessibility checks of axe, as they come in a package of PyPI.
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" axe-playwright-python==0.1.8
python3 -m zipfile --extract "$folder"/axe_playwright_python-*.whl "$folder/axe"
axe=$(find "$folder/axe" -name 'axe.min.js' | head -n 1)

python3 Scripts/browser/awful.py "$tools" "$folder" "$axe"
