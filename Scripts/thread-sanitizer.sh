#!/usr/bin/env bash
# Runs all tests of the library under the thread sanitizer; fails if the sanitizer reports an error.
#
#   Scripts/thread-sanitizer.sh [FILTER]
#
#   FILTER   a regular expression of tests, as for swift test --filter
#
# SCRATCH names the build folder, .build-tsan by default. The tests take about five times longer than usual.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=${SCRATCH:-.build-tsan}
reports=$scratch/reports
mkdir -p "$scratch"
rm -rf "$reports"
mkdir "$reports"
clang -shared -fPIC -O1 -Wall -Wextra -Werror Scripts/thread-sanitizer/mutex.c -ldl -o "$scratch/libmutex.so"
swift build --build-tests --sanitize=thread --scratch-path "$scratch"

filter=()
if [ $# -gt 0 ]; then filter=(--filter "$1"); fi
status=0
OPENCOREDATA_FUZZ_LIMIT=100 LD_PRELOAD="$(realpath "$scratch")/libmutex.so" \
  TSAN_OPTIONS="log_path=$(realpath "$reports")/report exitcode=0 history_size=4" \
  swift test --skip-build --sanitize=thread --scratch-path "$scratch" "${filter[@]}" || status=$?

if compgen -G "$reports/*" > /dev/null; then
  echo "The thread sanitizer reports:"
  cat "$reports"/* | grep -a '^SUMMARY' | sort | uniq -c | sort -rn
  echo "In full: $reports"
  exit 1
fi
[ "$status" -eq 0 ] && echo "The thread sanitizer reports nothing."
exit "$status"
