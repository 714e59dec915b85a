#!/usr/bin/env bash
# Measures the library beside SQLite's C interface and GRDB on the same data, with the harness kept outside
# this repository. Without the harness nothing is measured, which is no error.
#
#   OPENCOREDATA_SHARED   folder that holds performance/harness; ../shared by default
#   BENCH_POSTS           rows of the data set; the harness's own default is one million
#   BENCH_REPS            runs of each workload; 5 by default
#   BENCH_RUNNERS         runners, separated by commas; forms of this library among them (Docs/Performance.md)
#   BENCH_WORKLOADS       workloads, separated by commas
set -euo pipefail
cd "$(dirname "$0")/.."

harness=${OPENCOREDATA_SHARED:-../shared}/performance/harness
if [ ! -f "$harness/run.py" ]; then
  echo "No benchmark harness in $harness; nothing is measured. Set OPENCOREDATA_SHARED to its folder."
  exit 0
fi

Scripts/install-packages.sh

# The harness builds inside its own folder, which may be read-only: work on a copy, whose build is kept.
copy=.build-bench/harness
mkdir -p .build-bench
cp -R --update --no-preserve=mode "$harness" .build-bench/
chmod u+x "$copy"/*.py "$copy"/*.sh

swift build --package-path Benchmarks --configuration release --product graph-bench
runner=$(swift build --package-path Benchmarks --configuration release --show-bin-path)/graph-bench

arguments=(
  -r "${BENCH_RUNNERS:-c,grdb,ours,ours-batch,ours-dictionaries,ours-constraint,ours-history}"
  --runner "ours=$runner"
  --runner "ours-batch=env PERF_VARIANT=batch $runner"
  --runner "ours-dictionaries=env PERF_VARIANT=dictionaries $runner"
  --runner "ours-constraint=env PERF_VARIANT=constraint $runner"
  --runner "ours-history=env PERF_HISTORY=1 $runner"
  -w "${BENCH_WORKLOADS:-w1,w2,w2f,w3,w4i,w4f,w4p,w5,w6,w7,w8,w9u,w9d,w10p,w10l,w11c,w11g,w12,w13,w13r}"
  --reps "${BENCH_REPS:-5}"
)
if [ -n "${BENCH_POSTS:-}" ]; then arguments+=(--posts "$BENCH_POSTS"); fi
python3 "$copy/run.py" "${arguments[@]}"

echo
cat "$copy/out/table.md"
