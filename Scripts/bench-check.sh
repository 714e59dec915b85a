#!/usr/bin/env bash
# Counts instructions of the hot paths and compares them with their budgets in Benchmarks/Budgets.txt; then checks the
# laws of growth in Benchmarks/Growth.txt and Benchmarks/Memory.txt. `models` counts the same work on SwiftData models
# and on managed objects, and compares both with Benchmarks/Models.txt; it builds the macros for release first.
#
#   Scripts/bench-check.sh [--write] [budgets|growth|memory|models]     the first three by default
#
# The counts come from valgrind, so they do not depend on other programs on the machine. A program counts only the work of
# its operation, not the preparation, and prints the number of repetitions.
#
#   --write      writes the counts as the new budgets; does not change the growth limits
#   TOLERANCE    the percentage by which a count may exceed its budget; 8 by default
#   SCRATCH      the build folder; Benchmarks/.build-check by default
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
# Builds without debugging information, which the counts do not need, in a separate folder, because other benchmarks need it.
build=(swift build --package-path Benchmarks --scratch-path "${SCRATCH:-Benchmarks/.build-check}"
  --configuration release -debug-info-format none)
"${build[@]}" --product hot-paths
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
# valgrind cannot read the debugging information of the C targets.
strip -g -o "$work/hot-paths" "$("${build[@]}" --show-bin-path)/hot-paths"

# Instruction counts must not depend on hash seeds or on optional features of the processor.
export SWIFT_DETERMINISTIC_HASHING=1
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2_Usable,-AVX2,-ERMS

# Prints the lines of a table without its comments.
table() { grep -v '^#' "$1"; }

# Creates a folder for a run: PART NAME NUMBER.
folder_of_run() {
  mkdir "$work/$1-$2-$3"
  echo "$work/$1-$2-$3"
}

# Runs hot-paths with its arguments under valgrind, which counts only the marked work. The folder is the last argument.
valgrind_hot_paths() {
  local folder=${*: -1}
  valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$folder/counted" \
    "$work/hot-paths" "$@" 2>"$folder/report" || {
    echo "$* failed:" >&2
    cat "$folder/report" >&2
    return 1
  }
}

# Writes instructions for one repetition to a file: count OPERATION TIMES.
count() {
  local folder repetitions
  folder=$(folder_of_run "$@")
  repetitions=$(valgrind_hot_paths "$@" "$folder")
  awk -v repetitions="$repetitions" \
    '/Collected : / { printf "%.0f", $NF / repetitions }' "$folder/report" >"$folder.result"
  expect_counts "$folder.result"
}

# Writes instructions for one unit to files: grow OPERATION,OPERATION SIZE. Each operation has a copy of the store.
grow() {
  local folder operation units
  folder=$(folder_of_run "$@")
  for operation in ${2//,/ }; do cp -r "$work/store-$3" "$folder/$operation"; done
  valgrind_hot_paths "$@" "$folder" >"$folder/units"
  while read -r operation units; do
    awk -v units="$units" '/^totals: / { printf "%.0f", $2 / units }' \
      "$(grep -l "Client Request: $operation\$" "$folder"/counted.*)" >"$work/grow-$operation-$3.result"
    expect_counts "$work/grow-$operation-$3.result"
  done <"$folder/units"
}

expect_counts() {
  if [ ! -s "$1" ] || [ "$(<"$1")" = 0 ]; then
    echo "Nothing was counted: hot-paths was built without valgrind's headers. Build it anew." >&2
    return 1
  fi
}

# Writes bytes to a file: hold MEASURE SIZE.
hold() {
  local folder
  folder=$(folder_of_run "$@")
  cp -r "$work/store-$3/." "$folder"
  "$work/hot-paths" "$@" "$folder" >"$folder.result"
}
export -f folder_of_run valgrind_hot_paths expect_counts count grow hold

# Calls a function with each line of the standard input, with one parallel call for each processor.
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

# Replaces a file of budgets with the counts if they are to be written.
write_budgets() {
  ((is_writing)) || return 0
  cp "$work/budgets" "$1"
  echo "Written: $1"
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
  write_budgets "$budgets"
}

# Prints a line for a growth limit, and returns whether a number is within the limit.
law() {
  printf '%-20s %6d %6d %12d %12d %8s %8s\n' "$@"
  awk -v number="$6" -v limit="$7" 'BEGIN { exit !(number <= limit) }'
}

# Lines "grow OPERATION,OPERATION SIZE": all operations at each of their sizes, eight in a line, the largest sizes first.
groups_of_operations() {
  table "$1" | awk '
    { print $3, $1; print $2, $1 }' | sort -rnk1,1 -s | awk '
    $1 != size || ++number % 8 == 0 { if (line) print line, size; line = "grow "; size = $1; number = 0; separator = "" }
    { line = line separator $2; separator = "," }
    END { print line, size }'
}

check_growth() {
  local laws=Benchmarks/Growth.txt operation small large limit less more
  prepare_stores "$laws"
  groups_of_operations "$laws" | in_parallel grow
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

# Writes instructions for one repetition of a workload to a file: models WORKLOAD STACK.
count_stack() {
  local folder answer
  folder=$(folder_of_run "$@")
  cp "$work"/models/* "$folder"
  answer=$(PERF_STACK=$3 valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$folder/counted" \
    "$work/model-bench" "$2" "$folder/forum.sqlite" "$folder" 2>"$folder/report") || {
    cat "$folder/report" >&2
    return 1
  }
  awk -v repetitions="$(sed 's/.*"n":\([0-9]*\).*/\1/' <<<"$answer")" \
    '/Collected : / { printf "%.0f", $NF / repetitions }' "$folder/report" >"$folder.result"
  expect_counts "$folder.result"
}
export -f count_stack

check_models() {
  local budgets=Benchmarks/Models.txt workload limit budget models objects ratio
  "${build[@]}" --product model-bench
  strip -g -o "$work/model-bench" "$("${build[@]}" --show-bin-path)/model-bench"
  mkdir "$work/models"
  "$work/model-bench" prepare 20000 "$work/models"
  table "$budgets" | awk '{ print "models", $1, "objects"; print "models", $1, "models" }' \
    | in_parallel count_stack
  grep '^#' "$budgets" >"$work/budgets"
  printf '\n%-10s %10s %10s %10s %8s %8s\n' workload objects models budget ratio limit
  while read -r workload limit budget; do
    objects=$(<"$work/models-$workload-objects.result")
    models=$(<"$work/models-$workload-models.result")
    ratio=$(awk -v models="$models" -v objects="$objects" 'BEGIN { printf "%.3f", models / objects }')
    printf '%-10s %10d %10d %10d %8s %8s\n' "$workload" "$objects" "$models" "$budget" "$ratio" "$limit"
    printf '%-10s %s %d\n' "$workload" "$limit" "$models" >>"$work/budgets"
    ((is_writing)) && continue
    if ((models * 100 > budget * (100 + tolerance))); then
      fail "above the budget by more than $tolerance %"
    fi
    awk -v ratio="$ratio" -v limit="$limit" 'BEGIN { exit !(ratio <= limit) }' \
      || fail "costs more than $limit times the work on managed objects"
  done < <(table "$budgets")
  write_budgets "$budgets"
}

for part in $parts; do "check_$part"; done

if ((failures > 0)); then
  echo "Checks that failed: $failures"
  exit 1
fi
((is_writing)) || echo "All budgets and laws are kept."
