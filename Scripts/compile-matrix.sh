#!/usr/bin/env bash
# Compiles the sources of each folder below Tests/CompileMatrix with a model, as a module of an application, in every combination of
# language mode, default isolation, and warnings as warnings or as errors, with the modules of the debug build.
#
# Folders whose names begin with Models are for SwiftData, with Models.swift; the others are for Core Data, with Model.swift.
#
#   Scripts/compile-matrix.sh            fails if the diagnostics of a combination differ from those in the sources
#
# A source declares the expected diagnostics of a line: "// warning: TEXT" or "// error: TEXT", where TEXT is a part of the message.
# "// error from 6: TEXT" is a warning in language mode 5, and an error in 6. Words in brackets limit it to combinations with all these words: "// warning [6 MainActor]: TEXT". The words are 5, 6,
# MainActor and nonisolated. With warnings as errors, expected warnings are errors. Errors and warnings that no line
# expects fail as well.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build "$@"
products=$(swift build --show-bin-path "$@")
flags=(-I "$products/Modules" -load-plugin-executable "$products/OpenMacros-tool#OpenMacros")
for map in "$products"/*.build/module.modulemap Sources/*/module.modulemap; do
  # Exclude the modules built for the host's build tools, which have the same names.
  if [ -f "$map" ] && [[ $map != *-tool.build/* ]]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the diagnostics that the sources of a folder expect in a combination: "FILE:LINE <tab> KIND <tab> TEXT".
expected() {
  local folder=$1 words=$2
  awk -v words=" $words " '
    match($0, /\/\/ (warning|error|error from 6)( \[[A-Za-z0-9 ]+\])?: /) {
      kind = ($0 ~ /\/\/ error/) ? "error" : "warning"
      if ($0 ~ /\/\/ error from 6/ && index(words, " 5 ") > 0) kind = "warning"
      head = substr($0, RSTART, RLENGTH)
      applies = 1
      if (match(head, /\[.*\]/)) {
        count = split(substr(head, RSTART + 1, RLENGTH - 2), wanted, " ")
        for (i = 1; i <= count; i++) if (index(words, " " wanted[i] " ") == 0) applies = 0
      }
      text = $0
      sub(/^.*\/\/ (warning|error|error from 6)( \[[A-Za-z0-9 ]+\])?: /, "", text)
      if (applies) printf "%s:%d\t%s\t%s\n", FILENAME, FNR, kind, text
    }' "$folder"/*.swift
}

# Compares the diagnostics of a combination with the expected ones, and prints the differences.
compared() {
  awk -F '\t' -v expected="$1" '
    FILENAME == expected { place[FNR] = $1; kind[FNR] = $2; text[FNR] = $3; wanted = FNR; next }
    {
      for (i = 1; i <= wanted; i++)
        if (place[i] == $1 && kind[i] == $2 && index($3, text[i]) > 0) { met[i] = 1; next }
      printf "  unexpected %s at %s: %s\n", $2, $1, $3
    }
    END {
      for (i = 1; i <= wanted; i++)
        if (!(i in met)) printf "  missing %s at %s: %s\n", kind[i], place[i], text[i]
    }' "$1" "$2"
}

# Compiles a folder in one combination, and writes the differences from the expected diagnostics to a file, which may be empty.
check() {
  local result=$1 folder=$2 mode=$3 isolation=$4 warnings=$5 status=0 model=Model.swift
  local options=(-swift-version "$mode" -module-name CompileMatrix -parse-as-library)
  if [[ $(basename "$folder") == Models* ]]; then model=Models.swift; fi
  if [ "$isolation" = MainActor ]; then options+=(-default-isolation MainActor); fi
  expected "$folder" "$mode $isolation" >"$result.expected"
  if [ "$warnings" = errors ]; then
    options+=(-warnings-as-errors)
    sed -i $'s/\twarning\t/\terror\t/' "$result.expected"
  fi
  swiftc -emit-sil -wmo -o /dev/null "${options[@]}" "${flags[@]}" "$folder"/*.swift \
    "Tests/CompileMatrix/$model" \
    >"$result.output" 2>&1 || status=$?
  sed -nE "s#^($PWD/)?([^ :]+:[0-9]+):[0-9]+: (error|warning): (.*)#\2\t\3\t\4#p" "$result.output" \
    | sort -u >"$result.found"
  compared "$result.expected" "$result.found" >"$result.differences"
  # A compiler that fails without a diagnostic has compiled nothing.
  if [ "$status" != 0 ] && ! grep -q $'\terror\t' "$result.found"; then
    { echo "  the compiler failed with status $status:"; tail -n 5 "$result.output"; } >>"$result.differences"
  fi
  mv "$result.differences" "$result"
}

# One job for each processor.
cells=()
for folder in Tests/CompileMatrix/*/; do
  for mode in 5 6; do
    for isolation in nonisolated MainActor; do
      for warnings in warnings errors; do
        if ((${#cells[@]} >= $(nproc))); then wait -n || true; fi
        name="$(basename "$folder"), language mode $mode, default isolation $isolation, warnings as $warnings"
        cells+=("$name")
        check "$work/$name" "${folder%/}" "$mode" "$isolation" "$warnings" &
      done
    done
  done
done
wait

failed=0
for name in "${cells[@]}"; do
  # A combination without a result was not compared.
  if [ -f "$work/$name" ] && [ ! -s "$work/$name" ]; then continue; fi
  echo "Failed: $name"
  if [ -f "$work/$name" ]; then cat "$work/$name"; else echo "  it was not compiled."; fi
  failed=$((failed + 1))
done
if [ "$failed" != 0 ]; then
  echo "$failed of ${#cells[@]} combinations of the compile matrix failed."
  exit 1
fi
echo "All ${#cells[@]} combinations of the compile matrix are as expected."
