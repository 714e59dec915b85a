#!/usr/bin/env bash
# Checks that pages do not contradict the code or one another: links, tests that deviations name, error codes, and the
# changelog. Reports everything before it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

python3 Scripts/check-docs.py
Scripts/changelog.sh --check
