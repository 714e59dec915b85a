#!/usr/bin/env bash
# Builds the documentation of the libraries as a static site in .build/docs. Treats warnings of docc as errors.
#
#   Scripts/docs.sh              builds the site; arguments are passed to swift build
#   Scripts/docs.sh --preview    also serves it at http://127.0.0.1:8000, or at the port that PORT names
set -euo pipefail
cd "$(dirname "$0")/.."

preview=no
if [ "${1:-}" = --preview ]; then
  preview=yes
  shift
fi

swift build "$@"
modules=$(swift build --show-bin-path "$@")/Modules
flags=(-target "$(uname -m)-unknown-linux-gnu" -I "$modules" -minimum-access-level public -emit-extension-block-symbols)
for map in "$modules"/../*.build/module.modulemap Sources/*/module.modulemap; do
  if [ -f "$map" ] && [[ $map != *-tool.build/* ]]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A catalog, and the modules whose symbols its module contains, including the modules that it exports.
document() {
  local name=$1 module
  shift
  mkdir -p "$work/$name/graphs" "$work/$name/merged"
  for module in "$name" "$@"; do
    swift symbolgraph-extract -module-name "$module" "${flags[@]}" -output-dir "$work/$name/graphs"
  done
  python3 Scripts/merge-symbols.py "$name" "$work/$name/graphs" "$work/$name/merged"
  docc convert "Sources/$name/$name.docc" --additional-symbol-graph-dir "$work/$name/merged" \
    --fallback-display-name "$name" --fallback-bundle-identifier "OpenCoreData.$name" --warnings-as-errors \
    --output-dir "$work/$name.doccarchive"
}

document CoreData OpenCoreData OpenBuiltInStores OpenMigration OpenObjectGraph OpenObjectModel OpenPredicates \
  OpenManagedMacros OpenObjectiveCNames
document SwiftData OpenSwiftData
document OpenPersistenceKit

rm -rf .build/docs
docc merge "$work"/*.doccarchive --synthesized-landing-page-name OpenCoreData --output-path .build/docs
echo "The site is in .build/docs; it begins at documentation/index.html."

if [ $preview = yes ]; then
  echo "http://127.0.0.1:${PORT:-8000}/documentation/"
  exec python3 -m http.server --bind 127.0.0.1 --directory .build/docs "${PORT:-8000}"
fi
