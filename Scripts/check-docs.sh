#!/usr/bin/env bash
# Checks that pages do not contradict the code or one another: links, tests that deviations name, error codes, marks of
# samples, and the changelog. Reports everything before it fails.
#
#   Scripts/check-docs.sh            builds nothing
#   Scripts/check-docs.sh --build    also compiles and runs the samples
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

status=0
python3 Scripts/check-docs.py || status=1
Scripts/changelog.sh --check || status=1
if [ "${1:-}" = --build ]; then
  python3 Scripts/check-samples.py || status=1
else
  python3 Scripts/check-samples.py --marks || status=1
fi
exit $status
