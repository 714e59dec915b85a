#!/usr/bin/env bash
# Fuzzes predicates with libFuzzer, beginning with Fuzz/Corpus.
#
#   Scripts/fuzz.sh formats|stores [SECONDS [OPTION...]]     60 by default; options are libFuzzer's
#
#   formats   parses, writes, parses again and evaluates; a difference between the two is a finding
#   stores    fetches with a predicate and an order from a SQLite store and a store in memory, which must agree
#
# A trap and an input of more than five seconds are findings as well. The input is left in the work folder and
# named by the last lines. FUZZ_WORK (a folder) keeps the corpus between runs; FUZZ_SCRATCH is where the build
# goes; with FUZZ_KEEP_GOING differences of stores are printed and the run goes on.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:?formats or stores}
seconds=${2:-60}
options=("${@:3}")
work=${FUZZ_WORK:-$(mktemp -d)}
scratch=${FUZZ_SCRATCH:-Fuzz/.build}
# The first byte of an input of stores says that a format follows.
case $target in
formats) prefix='' length=2048 ;;
stores) prefix='\001' length=512 ;;
*)
  echo "Unknown target $target: formats or stores." >&2
  exit 2
  ;;
esac

swift build --package-path Fuzz --scratch-path "$scratch" -c release -Xswiftc -sanitize=fuzzer

mkdir -p "$work/$target" "$work/$target-seeds" "$work/findings"
number=0
while IFS= read -r line; do
  number=$((number + 1))
  printf "$prefix%s" "$line" >"$work/$target-seeds/$number"
done <"Fuzz/Corpus/$target.txt"

# The backtrace of Swift would keep libFuzzer from saving the input.
FUZZ_TARGET=$target SWIFT_BACKTRACE=enable=no "$scratch/release/Fuzzer" \
  "$work/$target" "$work/$target-seeds" \
  -max_total_time="$seconds" -timeout=5 -max_len="$length" -rss_limit_mb=2048 \
  -artifact_prefix="$work/findings/" -print_final_stats=1 "${options[@]}"
