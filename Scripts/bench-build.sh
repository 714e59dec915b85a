#!/usr/bin/env bash
# Measures what a program of ten lines pays for its first build: with macros (product CoreData), and without (OpenCoreData).
#
#   Scripts/bench-build.sh [debug] [release]    both by default; takes 15 minutes on two cores
set -euo pipefail
cd "$(dirname "$0")/.."
library=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Makes a package that depends on one product.
package() {
  mkdir -p "$work/$1/Sources/$1"
  cat >"$work/$1/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "$1", dependencies: [.package(name: "OpenCoreData", path: "$library")],
  targets: [
    .executableTarget(name: "$1", dependencies: [.product(name: "$2", package: "OpenCoreData")])
  ])
END
  cat >"$work/$1/Sources/$1/main.swift" <<END
import Foundation
import $2

$3

let entity = NSEntityDescription()
(entity.name, entity.managedObjectClassName) = ("Note", "Note")
let title = NSAttributeDescription()
(title.name, title.attributeType) = ("title", .stringAttributeType)
entity.properties = [title]
let model = NSManagedObjectModel()
model.entities = [entity]
let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
container.loadPersistentStores { _, error in if let error { print(error) } }
let note = Note(context: container.viewContext)
note.title = "Hello"
try container.viewContext.save()
print(note)
END
}

package Macros CoreData '@ManagedObject class Note: NSManagedObject {
  @Managed var title: String?
}'
package Plain OpenCoreData 'class Note: NSManagedObject {
  var title: String? {
    get { (String?).__read(self, Self.title) }
    set { (String?).__write(self, Self.title, newValue) }
  }
  private static let title = __ManagedKey("title")
}'

for configuration in "${@:-debug release}"; do
  for configuration in $configuration; do
    for program in Macros Plain; do
      cd "$work/$program"
      rm -rf .build
      swift package resolve >/dev/null 2>&1
      TIMEFORMAT="$program, $configuration: %R s, %U s of processor time"
      time swift build --configuration "$configuration" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
      file=.build/$configuration/$program
      strip -o "$work/stripped" "$file"
      bytes=$(stat --format %s "$work/stripped")
      "$file" >/dev/null
      TIMEFORMAT="  starts, saves one object and ends in %R s; $((bytes / 1048576)) MB stripped"
      time "$file" >/dev/null
    done
  done
done
