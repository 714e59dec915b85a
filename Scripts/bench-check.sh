#!/usr/bin/env bash
# Counts instructions of the hot paths and compares them with their budgets in Benchmarks/Budgets.txt; then checks the
# laws of growth in Benchmarks/Growth.txt and Benchmarks/Memory.txt.
#
#   Scripts/bench-check.sh [--write] [budgets|growth|memory]     all three by default
#
# The counts come from valgrind: they do not depend on what else the machine does. A program counts only the work that
# its operation is about, not what prepares it, and prints how many repetitions that work has.
#
#   --write      writes what was counted as the new budgets; the laws stay as they are
#   TOLERANCE    what a count may be above its budget, in percent; 8 by default
#   SCRATCH      where the program is built; Benchmarks/.build-check by default
set -euo pipefail
cd "$(dirname "$0")/.."

is_writing=0
if [ "${1:-}" = --write ]; then
  is_writing=1
  shift
fi
parts=${1:-budgets growth memory}
tolerance=${TOLERANCE:-8}

Scripts/install-packages.sh valgrind
# Without debugging information, which nobody reads here; in a folder of its own, because the other benchmarks have it.
build=(swift build --package-path Benchmarks --scratch-path "${SCRATCH:-Benchmarks/.build-check}"
  --configuration release -debug-info-format none)
"${build[@]}" --product hot-paths
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
# valgrind cannot read the debugging information of the parts in C.
strip -g -o "$work/hot-paths" "$("${build[@]}" --show-bin-path)/hot-paths"

# What the same code takes must not depend on seeds, or on what the processor at hand has beyond the common ones.
export SWIFT_DETERMINISTIC_HASHING=1
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2_Usable,-AVX2,-ERMS

# Lines of a table without its comments.
table() { grep -v '^#' "$1"; }

# A folder for a run: PART NAME NUMBER; with a store of NUMBER posts for the laws of growth.
folder_of_run() {
  local folder="$work/$1-$2-$3"
  if [ -d "$work/store-$3" ] && [ "$1" != count ]; then
    cp -r "$work/store-$3" "$folder"
  else
    mkdir "$folder"
  fi
  echo "$folder"
}

# Writes instructions for one repetition to a file: count|grow OPERATION NUMBER.
count() {
  local folder repetitions
  folder=$(folder_of_run "$1" "$2" "$3")
  repetitions=$(valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null \
    "$work/hot-paths" "$1" "$2" "$3" "$folder" 2>"$folder/report") || {
    echo "$1 $2 $3 failed:" >&2
    cat "$folder/report" >&2
    return 1
  }
  awk -v repetitions="$repetitions" \
    '/Collected : / { printf "%.0f", $NF / repetitions }' "$folder/report" >"$folder.result"
  if [ "$(<"$folder.result")" = 0 ]; then
    echo "Nothing was counted: hot-paths was built without valgrind's headers. Build it anew." >&2
    return 1
  fi
}

# Writes bytes to a file: hold MEASURE SIZE.
hold() {
  local folder
  folder=$(folder_of_run "$1" "$2" "$3")
  "$work/hot-paths" "$1" "$2" "$3" "$folder" >"$folder.result"
}
export -f folder_of_run count hold

# Calls a function with each line of the standard input, as many at a time as there are processors.
in_parallel() { xargs -P "$(nproc)" -L 1 bash -c 'set -euo pipefail; "$0" "$@"' "$1"; }

failures=0
fail() {
  echo "  $1"
  failures=$((failures + 1))
}

prepare_stores() {
  local size
  for size in $(table "$1" | awk '{ print $2; print $3 }' | sort -un); do
    [ -d "$work/store-$size" ] && continue
    mkdir "$work/store-$size"
    "$work/hot-paths" prepare "$size" "$work/store-$size" >/dev/null
  done
}

check_budgets() {
  local budgets=Benchmarks/Budgets.txt operation times budget instructions
  table "$budgets" | awk '{ print "count", $1, $2 }' | in_parallel count
  grep '^#' "$budgets" >"$work/budgets"
  printf '%-20s %12s %12s\n' operation instructions budget
  while read -r operation times budget; do
    instructions=$(<"$work/count-$operation-$times.result")
    printf '%-20s %12d %12d\n' "$operation" "$instructions" "$budget"
    printf '%-16s %6d  %d\n' "$operation" "$times" "$instructions" >>"$work/budgets"
    if ((is_writing)); then
      continue
    elif ((instructions * 100 > budget * (100 + tolerance))); then
      fail "above the budget by more than $tolerance %"
    elif ((instructions * 100 < budget * (100 - 2 * tolerance))); then
      echo "  far below the budget: lower it with Scripts/bench-check.sh --write"
    fi
  done < <(table "$budgets")
  if ((is_writing)); then
    cp "$work/budgets" "$budgets"
    echo "Written: $budgets"
  fi
}

# Prints a line of a law and returns whether a number is within its limit.
law() {
  printf '%-20s %6d %6d %12d %12d %8s %8s\n' "$@"
  awk -v number="$6" -v limit="$7" 'BEGIN { exit !(number <= limit) }'
}

check_growth() {
  local laws=Benchmarks/Growth.txt operation small large limit less more
  prepare_stores "$laws"
  table "$laws" | awk '{ print "grow", $1, $2; print "grow", $1, $3 }' | in_parallel count
  printf '\n%-20s %6s %6s %12s %12s %8s %8s\n' growth from to instructions instructions ratio limit
  while read -r operation small large limit; do
    less=$(<"$work/grow-$operation-$small.result")
    more=$(<"$work/grow-$operation-$large.result")
    law "$operation" "$small" "$large" "$less" "$more" \
      "$(awk -v less="$less" -v more="$more" 'BEGIN { printf "%.3f", more / less }')" "$limit" \
      || fail "grows more than it may"
  done < <(table "$laws")
}

check_memory() {
  local laws=Benchmarks/Memory.txt measure small large limit less more
  prepare_stores "$laws"
  table "$laws" | awk '{ print "hold", $1, $2; print "hold", $1, $3 }' | in_parallel hold
  printf '\n%-20s %6s %6s %12s %12s %8s %8s\n' memory from to bytes bytes each limit
  while read -r measure small large limit; do
    less=$(<"$work/hold-$measure-$small.result")
    more=$(<"$work/hold-$measure-$large.result")
    law "$measure" "$small" "$large" "$less" "$more" \
      "$(awk -v added="$((more - less))" -v posts="$((large - small))" \
        'BEGIN { printf "%.1f", added / posts }')" "$limit" \
      || fail "keeps more than it may"
  done < <(table "$laws")
}

for part in $parts; do "check_$part"; done

if ((failures > 0)); then
  echo "Checks that failed: $failures"
  exit 1
fi
((is_writing)) || echo "All budgets and laws are kept."
