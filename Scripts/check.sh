#!/usr/bin/env bash
# The checks that need no build: layout, lengths of files and types, traps, the list of unsafe declarations, paths of the
# machine that a file was written on, and the tests that the page of the seeds names. Reports all problems before it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
fail() {
  echo "$1"
  status=1
}

folders=()
for folder in Sources Plugins Tests Examples/Sources Examples/Tests Benchmarks/Sources; do
  if [ -d "$folder" ]; then folders+=("$folder"); fi
done
manifests=(Package.swift Examples/Package.swift Benchmarks/Package.swift)

echo "Layout"
swift format lint --strict --parallel --recursive "${folders[@]}" "${manifests[@]}" \
  || fail "Run 'make format', and mend by hand what it leaves."

echo "File lengths"
limit=400
while IFS= read -r -d '' file; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt "$limit" ]; then fail "$file has $lines lines; more than $limit are too many."; fi
done < <(find "${folders[@]}" -name '.build*' -prune -o -type f \( -name '*.swift' -o -name '*.c' -o -name '*.h' \) -print0)

echo "Type sizes"
python3 Scripts/type-sizes.py || status=1

echo "Traps in Sources"
if grep -rnE --include='*.swift' '\bfatalError\(|\btry!|\bas!' Sources Plugins \
  | grep -vE '^[^:]+:[0-9]+:[[:space:]]*//'; then
  fail "Throw an error instead of stopping the program."
fi

echo "SQL text"
# Only renderers contain SQL text: the renderer of the neutral SQL core, and the dialect and the client of PostgreSQL. The SQLite
# store also contains SQL text. Only a store's module depends on its database.
sql='SELECT .*( FROM |[(])|INSERT (OR [A-Z]+ )?INTO |UPDATE .* SET |DELETE FROM |(CREATE|ALTER|DROP) (TABLE|INDEX|TRIGGER|SCHEMA) |PRAGMA '
sql="$sql|BEGIN[ \"]|COMMIT|ROLLBACK|SAVEPOINT |RELEASE SAVEPOINT|VACUUM|ATTACH |WITH .* AS |LOCK TABLE |SET LOCAL |LISTEN |EXPLAIN "
if grep -rnE --include='*.swift' "(\"|^ *)($sql)" Sources Plugins \
  | grep -vE '^Sources/(OpenSQLCore/Rendering/|OpenSQLiteStore/|OpenPostgresStore/(Client/|PostgresDialect))|^[^:]+:[0-9]+:[[:space:]]*//'; then
  fail "Build the statement from the values in OpenSQLCore/Tree, or ask the store."
fi
if grep -rn --include='*.swift' 'import OpenSQLCore' Sources/OpenPostgresStore/Client; then
  fail "The client of a database server must not depend on the SQL core."
fi

echo "Unsafe declarations"
Scripts/unsafe-list.sh || status=1

echo "Machine paths"
files=("${folders[@]}" "${manifests[@]}" Docs Scripts README.md Makefile .ci changelog.d)
if grep -rnE --binary-files=without-match --exclude-dir='.build*' '(^|[^A-Za-z0-9_.~}])/(root|home|work|Users)/[A-Za-z0-9]' \
  "${files[@]}"; then
  fail "The lines above name a folder of one machine."
fi

echo "Tests named in Docs/Internals/Seeds.md"
while IFS= read -r citation; do
  file=${citation%%:*} title=${citation#*:\"}
  name=${file##*/}
  sources=$(find Tests Examples/Tests Scripts/browser -type f \( -name "$name.swift" -o -name "$name.py" -o -path "*/$name/*.swift" \))
  if [ -z "$sources" ] || ! grep -qF -e "${title%\"}" $sources; then fail "There is no test $citation."; fi
done < <(grep -o '`[A-Za-z/]*:"[^`]*"`' Docs/Internals/Seeds.md | tr -d '`' | grep -v '^Target/File' | sort -u)

echo "Versions"
tool=$(grep -oE '"[0-9.]+"' Sources/OpenStoreTool/ToolVersion.swift)
examples=$(grep -oE '"[0-9.]+"' Examples/Sources/CommandParts/ExampleVersion.swift)
[ "$tool" = "$examples" ] || fail "The examples print version $examples, the tool $tool."

echo "Pages"
Scripts/check-docs.sh || status=1

[ $status -eq 0 ] && echo "All checks passed."
exit $status
