#!/usr/bin/env bash
# Compares the library with SQLite's C interface and GRDB on the same data, with a harness outside this
# repository. Without the harness, the script does nothing and succeeds.
#
#   OPENCOREDATA_SHARED   folder that contains performance/harness; ../shared by default
#   BENCH_POSTS           rows of the data set; the harness's own default is one million
#   BENCH_REPS            runs of each workload; 5 by default
#   BENCH_RUNNERS         runners, separated by commas; forms of this library among them (Docs/Internals/Performance.md)
#   BENCH_WORKLOADS       workloads, separated by commas
set -euo pipefail
cd "$(dirname "$0")/.."

harness=${OPENCOREDATA_SHARED:-../shared}/performance/harness
if [ ! -f "$harness/run.py" ]; then
  echo "No benchmark harness in $harness; nothing is measured. Set OPENCOREDATA_SHARED to its folder."
  exit 0
fi

Scripts/install-packages.sh

# The harness builds in its own folder, which may be read-only, so use a copy and keep its build.
copy=.build-bench/harness
mkdir -p .build-bench
cp -R --update --no-preserve=mode "$harness" .build-bench/
chmod u+x "$copy"/*.py "$copy"/*.sh

swift build --package-path Benchmarks --configuration release --product graph-bench
runner=$(swift build --package-path Benchmarks --configuration release --show-bin-path)/graph-bench
cc -O3 -o .build-bench/c-history Benchmarks/Reference/*.c -lsqlite3

arguments=(
  -r "${BENCH_RUNNERS:-c,grdb,grdb-sql,ours,ours-pinned,ours-batch,ours-dictionaries,ours-values,ours-constraint,c-history,ours-history}"
  --runner "c-history=.build-bench/c-history"
  --runner "ours=$runner"
  --runner "ours-batch=env PERF_VARIANT=batch $runner"
  --runner "ours-dictionaries=env PERF_VARIANT=dictionaries $runner"
  --runner "ours-pinned=env PERF_VARIANT=pinned $runner"
  --runner "ours-values=env PERF_VARIANT=values $runner"
  --runner "ours-constraint=env PERF_VARIANT=constraint $runner"
  --runner "ours-history=env PERF_HISTORY=1 $runner"
  -w "${BENCH_WORKLOADS:-w1,w2,w2f,w3,w4i,w4f,w4p,w5,w6,w7,w8,w9u,w9d,w10p,w10l,w11c,w11g,w12,w13,w13r}"
  --reps "${BENCH_REPS:-5}"
)
if [ -n "${BENCH_POSTS:-}" ]; then arguments+=(--posts "$BENCH_POSTS"); fi
python3 "$copy/run.py" "${arguments[@]}"

echo
cat "$copy/out/table.md"

# The table contains only ratios to C without history.
python3 - "$copy/out/results.json" <<'END'
import json, statistics, sys

def median(samples):
    return statistics.median(sample["s"] / max(1, sample["n"]) for sample in samples)

lines = []
for workload, runs in json.load(open(sys.argv[1]))["results"].items():
    if any(name not in runs for name in ("c-history", "ours-history")): continue
    c, ours = runs["c-history"], runs["ours-history"]
    if c[0]["n"] != ours[0]["n"] or c[0]["check"] != ours[0]["check"]: sys.exit(f"{workload}: the sums differ.")
    cells = [workload, f"{median(c) * 1e9:,.0f} ns", f"{median(ours) / median(c):.2f}"]
    plain = {name: median(runs[name]) for name in ("c", "ours") if name in runs}
    cells.append(f"{plain['ours'] / plain['c']:.2f}" if len(plain) == 2 else "–")
    cells.append(f"{median(c) / plain['c']:.2f}" if "c" in plain else "–")
    cells.append(f"{median(ours) / plain['ours']:.2f}" if "ours" in plain else "–")
    lines.append("| " + " | ".join(cells) + " |")
if lines:
    print("| with history | C, each | this library to C | both without | history in C | history here |")
    print("|---|--:|--:|--:|--:|--:|", *lines, sep="\n")
END
