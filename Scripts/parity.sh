#!/usr/bin/env bash
# Writes Docs/Parity.md: the symbols of Apple's frameworks in Docs/AppleSymbols.txt, compared with the public symbols that
# the compiler finds in the built modules.
#
#   Scripts/parity.sh            writes the page
#   Scripts/parity.sh --check    fails if the page is out of date
#
# Also fails if a symbol is missing that the list does not excuse, or if the list excuses an existing symbol.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/install-packages.sh jq
page=Docs/Parity.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swift build --target OpenSwiftData
products=$(swift build --show-bin-path)
maps=()
for map in "$products"/*.build/module.modulemap Sources/*/module.modulemap; do
  # Exclude the modules built for the host's build tools, which have the same names.
  if [ -f "$map" ] && [[ $map != *-tool.build/* ]]; then maps+=(-Xcc "-fmodule-map-file=$map"); fi
done
for module in OpenPredicates OpenObjectModel OpenObjectGraph OpenMigration OpenBuiltInStores OpenCoreData \
  OpenSwiftData; do
  swift symbolgraph-extract -module-name "$module" -I "$products/Modules" \
    -target "$(swift -print-target-info | jq --raw-output .target.triple)" -output-dir "$work" \
    -minimum-access-level public -skip-synthesized-members "${maps[@]}"
done

# One line for each symbol with its path, one for each class with its superclass, and one for each conformance.
jq --slurp --raw-output '
  (map(.symbols[]) | map({key: .identifier.precise, value: (.pathComponents | join("."))}) | from_entries) as $paths
  | .[]
  | (.symbols[] | ["symbol", (.pathComponents | join(".")), .kind.identifier] | @tsv),
    (.relationships[] | select(.kind == "inheritsFrom" or .kind == "conformsTo")
      | ["parent", $paths[.source], $paths[.target]] | select(.[1] and .[2]) | @tsv)
  ' "$work"/*.symbols.json | sort -u >"$work/symbols"

awk -F '\t' -f Scripts/parity.awk "$work/symbols" Docs/AppleSymbols.txt >"$work/page"

if [ "${1:-}" != --check ]; then
  cp "$work/page" "$page"
elif ! diff -u "$page" "$work/page"; then
  echo "$page is not what the modules say; run Scripts/parity.sh."
  exit 1
fi
