#!/usr/bin/env bash
# Counts the instructions of the hot paths and compares them with their budgets in Benchmarks/Budgets.txt.
#
# A path is repeated n times in one run and 2n times in another; the difference, divided by n, is what one repetition
# takes. The counts come from valgrind: they do not depend on what else the machine does.
#
#   --write      writes what was counted as the new budgets
#   TOLERANCE    what a count may be above its budget, in percent; 8 by default
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/install-packages.sh valgrind

tolerance=${TOLERANCE:-8}
budgets=Benchmarks/Budgets.txt
swift build --package-path Benchmarks --configuration release --product graph-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind cannot read the debugging information that the compiler writes.
strip -g -o "$work/graph-bench" \
  "$(swift build --package-path Benchmarks --configuration release --show-bin-path)/graph-bench"

# What the same code takes must not depend on seeds, or on what the processor at hand has beyond the common ones.
export SWIFT_DETERMINISTIC_HASHING=1
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2_Usable,-AVX2,-ERMS

# Instructions of a run: OPERATION TIMES.
count() {
  local folder="$work/$1-$2"
  mkdir "$folder"
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
    "$work/graph-bench" count "$1" "$2" "$folder" 2>"$folder/report" || {
    cat "$folder/report" >&2
    return 1
  }
  awk '/I +refs:/ { gsub(",", "", $NF); print $NF }' "$folder/report"
}

is_writing=0
if [ "${1:-}" = --write ]; then is_writing=1; fi
failures=0
printf '%-18s %12s %12s\n' operation instructions budget
while read -r operation times budget; do
  case $operation in '#'*) echo "$operation $times $budget" >>"$work/budgets"; continue ;; esac
  count "$operation" "$times" >"$work/short" &
  short=$!
  count "$operation" $((2 * times)) >"$work/long"
  wait "$short"
  instructions=$((($(<"$work/long") - $(<"$work/short")) / times))
  printf '%-18s %12d %12d\n' "$operation" "$instructions" "$budget"
  printf '%-16s %6d  %d\n' "$operation" "$times" "$instructions" >>"$work/budgets"
  if ((is_writing)); then
    continue
  elif ((instructions * 100 > budget * (100 + tolerance))); then
    echo "  above the budget by more than $tolerance %"
    failures=$((failures + 1))
  elif ((instructions * 100 < budget * (100 - 2 * tolerance))); then
    echo "  far below the budget: lower it with Scripts/bench-check.sh --write"
  fi
done <"$budgets"

if ((is_writing)); then
  cp "$work/budgets" "$budgets"
  echo "Written: $budgets"
elif ((failures > 0)); then
  echo "$failures hot paths exceed their budgets."
  exit 1
else
  echo "All hot paths keep their budgets."
fi
