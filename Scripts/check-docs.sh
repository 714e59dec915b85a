#!/usr/bin/env bash
# Checks that the pages agree with the code and with one another: links, tests named by deviations, error codes, sample
# marks, and the changelog. Reports all problems before it fails.
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
