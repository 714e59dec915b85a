#!/usr/bin/env bash
# Measures the startup cost of a program: the times and instructions of inspecting a store, and of opening a store and
# fetching one object, compared with the sqlite3 command on the same file.
#
#   BENCH_DATA       folder with the harness's data set, as created by make bench; /dev/shm/forum-perf by default
#   BENCH_REPS       runs of each command; 15 by default
#   BENCH_COREDATA   the coredata tool; built by default
#   BENCH_GRAPH      graph-bench; built by default
#   BENCH_HOT_PATHS  hot-paths; built by default
set -euo pipefail
cd "$(dirname "$0")/.."

data=${BENCH_DATA:-/dev/shm/forum-perf}
repetitions=${BENCH_REPS:-15}
if [ ! -f "$data/full.sqlite" ]; then
  echo "No data set in $data; make bench makes one. Nothing is measured."
  exit 0
fi
Scripts/install-packages.sh valgrind

# Prints the path of a package's product, after building it if necessary: PACKAGE PRODUCT.
built() {
  swift build --package-path "$1" --configuration release --product "$2" >&2
  echo "$(swift build --package-path "$1" --configuration release --show-bin-path)/$2"
}
tool=${BENCH_COREDATA:-$(built . coredata)}
bench=${BENCH_GRAPH:-$(built Benchmarks graph-bench)}
maker=${BENCH_HOT_PATHS:-$(built Benchmarks hot-paths)}

# The copy is in the folder of the data, which may be in memory.
work=$(mktemp -d -p "$data")
trap 'rm -rf "$work"' EXIT
store=$work/store.sqlite
cp "$data/full.sqlite" "$store"
strip -g -o "$work/coredata" "$tool"  # valgrind cannot read the compiler's debugging information
strip -g -o "$work/graph-bench" "$bench"

# The generator omits the store's metadata and model: copy them from a store created by the library, whose
# model has a uniqueness constraint.
export PERF_VARIANT=constraint
mkdir "$work/made"
"$maker" prepare 1 "$work/made" >/dev/null
sqlite3 "$store" "
  ATTACH '$work/made/forum.sqlite' AS made;
  DROP TABLE IF EXISTS main.Z_METADATA;  -- of a benchmark that read the data set
  DROP TABLE IF EXISTS main.Z_MODELCACHE;
  CREATE TABLE main.Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
  CREATE TABLE main.Z_MODELCACHE (Z_CONTENT BLOB);
  INSERT INTO main.Z_METADATA SELECT * FROM made.Z_METADATA;
  INSERT INTO main.Z_MODELCACHE SELECT * FROM made.Z_MODELCACHE;
  PRAGMA wal_checkpoint(TRUNCATE);" >/dev/null
id=$(sqlite3 "$store" 'SELECT ZPOSTID FROM ZPOST LIMIT 1')

median() { sort -n | awk '{ values[NR] = $1 } END { printf "%.1f", values[int((NR + 1) / 2)] }'; }

# Prints the median time of a command in milliseconds.
milliseconds() {
  local start
  for ((turn = 0; turn < repetitions; turn++)); do
    start=$EPOCHREALTIME
    "$@" >/dev/null || [ $? -eq 2 ]  # status of a program without arguments
    awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { print (end - start) * 1000 }'
  done | median
}

# Prints the instructions of a command in millions.
export SWIFT_DETERMINISTIC_HASHING=1
instructions() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@" \
    >/dev/null 2>"$work/report" || [ $? -eq 2 ] || {
    cat "$work/report" >&2
    return 1
  }
  awk '/I +refs:/ { gsub(",", "", $NF); printf "%.1f", $NF / 1e6 }' "$work/report"
}

row() {
  local title=$1 time count
  shift
  time=$(milliseconds "$@")
  count=$(instructions "$@")
  printf '| %s | %s | %s |\n' "$title" "$time" "$count"
}

echo "| $(sqlite3 "$store" 'SELECT count(*) FROM ZPOST') posts | time, ms | instructions, millions |"
echo '|---|--:|--:|'
row 'sqlite3: number of tables' sqlite3 "$store" 'SELECT count(*) FROM sqlite_master'
row 'sqlite3: a row by its id' sqlite3 "$store" "SELECT * FROM ZPOST WHERE ZPOSTID = '$id' LIMIT 1"
row 'sqlite3: number of posts' sqlite3 "$store" 'SELECT count(*) FROM ZPOST'
row 'coredata --help' "$work/coredata" --help
row 'coredata info' "$work/coredata" info "$store"
row 'graph-bench' "$work/graph-bench"
row 'graph-bench open' "$work/graph-bench" open "$store" "$data"
row 'graph-bench first' "$work/graph-bench" first "$store" "$data"

for ((turn = 0; turn < repetitions; turn++)); do
  "$work/graph-bench" first "$store" "$data"
done | sed -E 's/.*"s":([0-9.]+).*"open_s":([0-9.]+).*/\1 \2/' \
  | awk '{ print $1 * 1000, $2 * 1000 }' >"$work/first"
echo
echo "Within graph-bench first: stack open after $(cut -d ' ' -f 2 "$work/first" | median) ms," \
  "first object after $(cut -d ' ' -f 1 "$work/first" | median) ms."
