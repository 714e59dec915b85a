#!/usr/bin/env bash
# Measures the first build of a ten-line program, the size of its stripped binary, and its launch time: with handwritten classes and macros
# (product CoreData), with classes by the build plug-in, and without macros (product OpenCoreData).
#
#   Scripts/bench-build.sh [debug] [release]    both by default; takes about half an hour of processor time
#
#   BENCH_PROGRAMS    which of "Macros Plugin Plain"; all by default
#
# Prints rows of a table. Times of builds are seconds of processor time, user and system, because they do not depend on the
# number of processors; the start is the best elapsed time of twenty runs, each of which saves one object in a new store.
set -euo pipefail
cd "$(dirname "$0")/.."
library=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work/data

# Creates a package that depends on a product: package NAME PRODUCT CLASS [OPTIONS OF THE TARGET]
package() {
  mkdir -p "$work/$1/Sources/$1/Notes.xcdatamodeld/Notes.xcdatamodel"
  cat >"$work/$1/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "$1", dependencies: [.package(name: "OpenCoreData", path: "$library")],
  targets: [
    .executableTarget(
      name: "$1", dependencies: [.product(name: "$2", package: "OpenCoreData")]$4)
  ])
END
  cat >"$work/$1/Sources/$1/Notes.xcdatamodeld/Notes.xcdatamodel/contents" <<END
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
  <entity name="Note" representedClassName="Note" codeGenerationType="class">
    <attribute name="title" optional="YES" attributeType="String"/>
  </entity>
</model>
END
  cat >"$work/$1/Sources/$1/main.swift" <<END
import Foundation
import $2

$3

let container = NSPersistentContainer(name: "Notes")
var failure: (any Error)?
container.loadPersistentStores { _, error in failure = error }
if let failure { throw failure }
let note = Note(context: container.viewContext)
note.title = "Hello"
try container.viewContext.save()
print(note)
END
}

copied=', resources: [.copy("Notes.xcdatamodeld")]'
package Macros CoreData '@ManagedObject class Note: NSManagedObject {
  @Managed var title: String?
}' "$copied"
package Plugin CoreData '' ', plugins: [.plugin(name: "ModelCodegen", package: "OpenCoreData")]'
package Plain OpenCoreData 'class Note: NSManagedObject {
  var title: String? {
    get { (String?).__read(self, Self.title) }
    set { (String?).__write(self, Self.title, newValue) }
  }
  private static let title = __ManagedKey("title")
}' "$copied"

# The best elapsed time of twenty runs of a program, in milliseconds.
start() {
  local begin
  for _ in {1..20}; do
    rm -rf "$XDG_DATA_HOME"
    begin=$EPOCHREALTIME
    "$1" >/dev/null
    awk -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.0f\n", (end - begin) * 1000 }'
  done | sort -n | head -n 1
}

configurations=("$@")
[ $# -gt 0 ] || configurations=(debug release)
echo "| Program | Build | Processor time | Binary, stripped | Start |"
echo "|---|---|--:|--:|--:|"
for configuration in "${configurations[@]}"; do
  for program in ${BENCH_PROGRAMS:-Macros Plugin Plain}; do
    cd "$work/$program"
    rm -rf .build
    swift package resolve >/dev/null 2>&1
    TIMEFORMAT='%U %S'
    { time swift build --configuration "$configuration" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; } 2>"$work/time"
    seconds=$(awk 'NF == 2 { printf "%.0f", $1 + $2 }' "$work/time")
    file=.build/$configuration/$program
    strip -o "$work/stripped" "$file"
    tenths=$(($(stat --format %s "$work/stripped") * 10 / 1048576))
    echo "| $program | $configuration | $seconds s | $((tenths / 10)).$((tenths % 10)) MB | $(start "$file") ms |"
    rm -rf .build
  done
done
