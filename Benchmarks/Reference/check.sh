#!/usr/bin/env bash
# Compares what the reference and the library write into a history, and into the rest of the file, for the
# same work: check.sh C-HISTORY GRAPH-BENCH DATADIR
set -euo pipefail

reference=$1 library=$2 data=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The times and the names of the two programs differ.
transactions='SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS,
  typeof(ZTIMESTAMP), ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID, ZQUERYGEN FROM ATRANSACTION'
failures=0
compare() { # WORKLOAD TITLE QUERY
  if ! cmp <(sqlite3 "$work/library" "$3") <(sqlite3 "$work/reference" "$3"); then
    echo "$1: $2 differ."
    failures=$((failures + 1))
  fi
}

for workload in w1 w2f w8; do
  rm -f "$work"/*
  source=full
  if [ $workload = w1 ]; then source=empty; fi
  cp "$data/$source.sqlite" "$work/library"
  cp "$data/$source.sqlite" "$work/reference"
  PERF_HISTORY=1 "$library" $workload "$work/library" "$data" >/dev/null
  "$reference" $workload "$work/reference" "$data" >/dev/null
  compare $workload Tables "SELECT sql FROM sqlite_master WHERE name NOT GLOB 'Z_M*' ORDER BY name"
  compare $workload Changes 'SELECT *, typeof(ZCOLUMNS), hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK'
  compare $workload Transactions "$transactions ORDER BY Z_PK"
  compare $workload Strings 'SELECT Z_PK, Z_ENT, Z_OPT FROM ATRANSACTIONSTRING ORDER BY Z_PK'
  compare $workload 'Last keys' 'SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT'
  for table in ZPOST ZTHREAD ZUSER ZFORUM; do
    compare $workload "Rows of $table" "SELECT * FROM $table ORDER BY Z_PK"
  done
  echo "$workload: $(sqlite3 "$work/reference" \
    "SELECT count(*) || ' changes in ' || count(DISTINCT ZTRANSACTIONID) || ' saves' FROM ACHANGE")"
done
((failures == 0)) && echo "Both write the same."
