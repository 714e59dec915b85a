#!/usr/bin/env bash
# Fuzzes fetches: a predicate and an order on a SQLite store and on a store in memory.
#
#   Scripts/fuzz-stores.sh [SECONDS [OPTION...]]     60 by default; options are libFuzzer's
#
# A finding is a trap, an input of more than five seconds, or a request for which the two stores differ.
# The input is left in the work folder, and the last lines say what the stores returned. FUZZ_WORK (a
# folder) keeps the corpus between runs; FUZZ_SCRATCH is where the build goes.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
options=("${@:2}")
work=${FUZZ_WORK:-$(mktemp -d)}
scratch=${FUZZ_SCRATCH:-Fuzz/.build}

swift build --package-path Fuzz --scratch-path "$scratch" -c release \
  -Xswiftc -sanitize=fuzzer --product StoreFuzzer

mkdir -p "$work/stores" "$work/store-seeds" "$work/findings"
number=0
while IFS= read -r line; do
  number=$((number + 1))
  printf '\001%s' "$line" >"$work/store-seeds/$number"
done <Fuzz/Corpus/store-formats.txt

"$scratch/release/StoreFuzzer" "$work/stores" "$work/store-seeds" \
  -max_total_time="$seconds" -timeout=5 -max_len=512 -rss_limit_mb=2048 \
  -artifact_prefix="$work/findings/" -print_final_stats=1 "${options[@]}"
