#!/usr/bin/env bash
# Fuzzes the format language: parse, write, parse again, evaluate.
#
#   Scripts/fuzz-predicates.sh [SECONDS [OPTION...]]     60 by default; options are libFuzzer's
#
# A finding is a trap, an input of more than five seconds, or a predicate that differs from the one
# its canonical text is read as. The input is left in the work folder, and named by the last lines.
# FUZZ_WORK (a folder) keeps the corpus between runs; FUZZ_SCRATCH is where the build goes.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
options=("${@:2}")
work=${FUZZ_WORK:-$(mktemp -d)}
scratch=${FUZZ_SCRATCH:-Fuzz/.build}

swift build --package-path Fuzz --scratch-path "$scratch" -c release \
  -Xswiftc -sanitize=fuzzer --product FormatFuzzer

mkdir -p "$work/corpus" "$work/seeds" "$work/findings"
number=0
while IFS= read -r line; do
  number=$((number + 1))
  printf '%s' "$line" >"$work/seeds/$number"
done <Fuzz/Corpus/formats.txt

# The backtrace of Swift would keep libFuzzer from saving the input.
SWIFT_BACKTRACE=enable=no "$scratch/release/FormatFuzzer" "$work/corpus" "$work/seeds" \
  -max_total_time="$seconds" -timeout=5 -max_len=2048 -rss_limit_mb=2048 \
  -artifact_prefix="$work/findings/" -print_final_stats=1 "${options[@]}"
