#!/usr/bin/env bash
# Fuzzes predicates, starting from Fuzz/Corpus.
#
#   Scripts/fuzz.sh formats|stores [SECONDS [OPTION...]]     with libFuzzer; 60 by default; options are libFuzzer's
#   Scripts/fuzz.sh formats|stores NUMBERx [SEED]            that many inputs, determined by SEED; 1 by default
#
#   formats   parses, writes, parses again and evaluates; a difference between the two is a finding
#   stores    fetches with a predicate and an order from a SQLite store and a store in memory, which must agree
#
# A trap and an input that takes more than five seconds are also findings. The input remains in the work folder, which
# the last lines name. FUZZ_WORK (a folder) keeps the corpus between runs; FUZZ_SCRATCH is the build folder;
# with FUZZ_KEEP_GOING, the run prints differences between stores and continues.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:?formats or stores}
extent=${2:-60}
work=${FUZZ_WORK:-$(mktemp -d)}
scratch=${FUZZ_SCRATCH:-Fuzz/.build}
# The first byte of a store input marks a format.
case $target in
formats) prefix='' length=2048 ;;
stores) prefix='\001' length=512 ;;
*)
  echo "Unknown target $target: formats or stores." >&2
  exit 2
  ;;
esac

swift build --package-path Fuzz --scratch-path "$scratch" -c release -Xswiftc -sanitize=fuzzer

# Swift's backtrace would prevent libFuzzer from saving the input.
export FUZZ_TARGET=$target SWIFT_BACKTRACE=enable=no
mkdir -p "$work/findings"

if [[ $extent == *x ]]; then
  input=$work/findings/$target
  if ! FUZZ_RUNS=${extent%x} FUZZ_SEED=${3:-1} FUZZ_CORPUS=Fuzz/Corpus/$target.txt \
    FUZZ_INPUT=$input SWIFT_DETERMINISTIC_HASHING=1 "$scratch/release/Fuzzer"; then
    echo "The input is $input. FUZZ_TARGET=$target $scratch/release/Fuzzer $input tries it again." >&2
    exit 1
  fi
  exit
fi

mkdir -p "$work/$target" "$work/$target-seeds"
number=0
while IFS= read -r line; do
  number=$((number + 1))
  printf "$prefix%s" "$line" >"$work/$target-seeds/$number"
done <"Fuzz/Corpus/$target.txt"

"$scratch/release/Fuzzer" "$work/$target" "$work/$target-seeds" \
  -max_total_time="$extent" -timeout=5 -max_len="$length" -rss_limit_mb=2048 \
  -artifact_prefix="$work/findings/" -print_final_stats=1 "${@:3}"
