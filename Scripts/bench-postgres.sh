#!/usr/bin/env bash
# Measures the store in PostgreSQL beside libpq in C and SQLAlchemy's ORM, on the same data, tables and server. The data generator is kept
# outside this repository; without the generator, nothing is measured, which is not an error.
#
#   OPENCOREDATA_SHARED   folder that contains performance/harness; ../shared by default
#   BENCH_POSTS           rows of the data set; 200000 by default
#   BENCH_REPS            runs of each workload; 5 by default
#   BENCH_WORKLOADS       workloads, separated by commas
#   BENCH_FOLDER          folder for the server and the data; a new one in /tmp by default
set -euo pipefail
cd "$(dirname "$0")/.."

harness=${OPENCOREDATA_SHARED:-../shared}/performance/harness
if [ ! -f "$harness/c/gen.c" ]; then
  echo "No data generator in $harness; nothing is measured. Set OPENCOREDATA_SHARED to its folder."
  exit 0
fi
posts=${BENCH_POSTS:-200000}
workloads=${BENCH_WORKLOADS:-w1,w2f,w3,w4s,w5,w7,w8}

Scripts/install-packages.sh postgresql:pg_ctl python3-sqlalchemy:python3 python3-psycopg2:python3
scratch=(--scratch-path .build-bench/swift --configuration release -debug-info-format none)
swift build --package-path Benchmarks "${scratch[@]}" --product graph-bench
swift build "${scratch[@]}" --product coredata-postgres
programs=$(swift build "${scratch[@]}" --show-bin-path)
runner=$programs/graph-bench
tool=$programs/coredata-postgres
cc -O3 -I"$(pg_config --includedir)" -o .build-bench/c-postgres \
  Benchmarks/Reference/Postgres/*.c Benchmarks/Reference/posts.c -lpq -lsqlite3
cc -O2 -o .build-bench/gen "$harness/c/gen.c" -lsqlite3 -lm

folder=${BENCH_FOLDER:-$(mktemp -d /tmp/bench-postgres-XXXX)}
server=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
as_user=()
if [ "$(id -u)" = 0 ]; then as_user=(runuser -u postgres --); fi
data=$folder/data
mkdir -p "$data" "$folder/server"
if [ "$(id -u)" = 0 ]; then chown postgres "$folder/server" && chmod 755 "$folder"; fi
stop() {
  "${as_user[@]}" "$server/pg_ctl" -D "$folder/server/db" -m immediate stop >/dev/null 2>&1 || true
  if [ -z "${BENCH_FOLDER:-}" ]; then rm -rf "$folder"; fi
}
trap stop EXIT
# Durability is that of a new cluster. Autovacuum would run at random times.
"${as_user[@]}" "$server/initdb" --locale=C --encoding=UTF8 -A trust -U bench -D "$folder/server/db" >/dev/null
"${as_user[@]}" "$server/pg_ctl" -w -D "$folder/server/db" -l "$folder/server/log" start -o \
  "-k $folder/server -c listen_addresses= -c shared_buffers=512MB -c autovacuum=off -c max_wal_size=8GB -c checkpoint_timeout=1h" \
  >/dev/null
sql() { psql -qAtX -v ON_ERROR_STOP=1 -h "$folder/server" -U bench "$@"; }
url() { echo "postgresql://bench@/$1?host=$folder/server"; }

# The library copies a store with the generated rows to the server. The reference program adds the posts.
.build-bench/gen "$data" "$posts" $((posts / 50 > 200 ? posts / 50 : 200)) 200 $((posts / 20 > 500 ? posts / 20 : 500))
"$runner" open "$data/store.sqlite" "$data" >/dev/null
for table in ZFORUM ZTHREAD ZUSER; do
  columns=$(sqlite3 "$data/empty.sqlite" "SELECT group_concat(name) FROM pragma_table_info('$table')")
  echo "INSERT INTO main.$table ($columns) SELECT $columns FROM generated.$table;"
done >"$data/rows.sql"
sqlite3 "$data/store.sqlite" "ATTACH '$data/empty.sqlite' AS generated" ".read $data/rows.sql" \
  'UPDATE main.Z_PRIMARYKEY AS k SET Z_MAX = (SELECT Z_MAX FROM generated.Z_PRIMARYKEY WHERE Z_ENT = k.Z_ENT)'
sql -d postgres -c 'CREATE DATABASE empty'
"$tool" copy "$data/store.sqlite" "$(url empty)"
sql -d empty -c 'CREATE INDEX ON zpost (zthread, zthreadindex); CREATE UNIQUE INDEX ON zpost (zpostid)' -c 'VACUUM ANALYZE'
sql -d postgres -c 'CREATE DATABASE filled TEMPLATE empty STRATEGY file_copy'
.build-bench/c-postgres w1 "host=$folder/server user=bench dbname=filled" "$data"
sql -d filled -c 'VACUUM ANALYZE' -c CHECKPOINT

# Each run has a new copy of the database. The forms of a workload take turns.
: >"$folder/results"
run() { # RUNNER WORKLOAD COMMAND...
  local runner=$1 workload=$2 source=filled
  if [ "$workload" = w1 ]; then source=empty; fi
  sql -d postgres -c 'DROP DATABASE IF EXISTS work' -c "CREATE DATABASE work TEMPLATE $source STRATEGY file_copy" -c CHECKPOINT
  # Reads find all pages in memory.
  sql -d work -c 'SELECT count(*), sum(length(zinnerhtml)) FROM zpost' >/dev/null
  "${@:3}" | sed "s/{\"runner\":\"[^\"]*\"/{\"runner\":\"$runner\"/" | tee -a "$folder/results"
}
for ((round = 0; round < ${BENCH_REPS:-5}; round++)); do
  for workload in ${workloads//,/ }; do
    run c "$workload" .build-bench/c-postgres "$workload" "host=$folder/server user=bench dbname=work" "$data"
    run ours "$workload" "$runner" "$workload" "$(url work)" "$data"
    case $workload in
    w1 | w2f | w8)
      run ours-history "$workload" env PERF_HISTORY=1 "$runner" "$workload" "$(url work)" "$data"
      ;;
    esac
    # One run is enough for a ratio of this size.
    if [ "$round" = 0 ]; then
      run orm "$workload" /usr/bin/python3 Benchmarks/Reference/Postgres/orm.py "$workload" \
        "host=$folder/server user=bench dbname=work" "$data"
    fi
  done
done

python3 - "$folder/results" <<'END'
import collections, json, statistics, sys

runs = collections.defaultdict(lambda: collections.defaultdict(list))
for line in open(sys.argv[1]):
    run = json.loads(line)
    runs[run["w"]][run["runner"]].append(run)

def ratio(key, workload, name):
    pairs = zip(runs[workload]["c"], runs[workload][name])
    return f"{statistics.median(key(ours) / key(c) for c, ours in pairs):.2f}"

def seconds(run): return run["s"] / max(1, run["n"])

print("| Workload | libpq in C, each | this library to C | p50 | p99 | with history | SQLAlchemy |")
print("|---|--:|--:|--:|--:|--:|--:|")
for workload, forms in runs.items():
    for name, samples in forms.items():
        if any((sample["n"], sample["check"]) != (forms["c"][0]["n"], forms["c"][0]["check"]) for sample in samples):
            sys.exit(f"{workload}: the results of {name} differ from those of C.")
    cells = [workload, f"{statistics.median(map(seconds, forms['c'])) * 1e6:.1f} µs", ratio(seconds, workload, "ours")]
    for percentile in ("p50_us", "p99_us"):
        has_latencies = percentile in forms["c"][0]
        cells.append(ratio(lambda run: run[percentile], workload, "ours") if has_latencies else "–")
    cells.append(ratio(seconds, workload, "ours-history") if "ours-history" in forms else "–")
    cells.append(ratio(seconds, workload, "orm"))
    print("| " + " | ".join(cells) + " |")
END
