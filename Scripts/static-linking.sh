#!/usr/bin/env bash
# Links a program statically with the Swift libraries, as in releases for slim containers, with the modules of the debug build, and
# runs the program, which saves and reads a store. Arguments are passed to swift build.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build "$@"
products=$(swift build --show-bin-path "$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-I "$products/Modules")
for map in "$products"/*.build/module.modulemap Sources/*/module.modulemap; do
  if [ -f "$map" ] && [[ $map != *-tool.build/* ]]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
done
objects=()
for module in COpenSupport COpenRuntime OpenPredicates OpenObjectModel OpenStoreContract OpenObjectGraph OpenSQLCore OpenSQLiteStore \
  OpenMigration OpenMemoryStore OpenAtomicStores OpenBuiltInStores OpenCoreData Logging CoreMetrics; do
  while IFS= read -r object; do objects+=("$object"); done < <(find "$products/$module.build" -name '*.o')
done

cat >"$work/main.swift" <<'END'
import Foundation
import FoundationXML
import OpenCoreData

let price = NSAttributeDescription()
(price.name, price.attributeType) = ("price", .decimalAttributeType)
let tags = NSAttributeDescription()
(tags.name, tags.attributeType) = ("tags", .transformableAttributeType)
let entity = NSEntityDescription()
(entity.name, entity.properties) = ("Item", [price, tags])
let model = NSManagedObjectModel()
model.entities = [entity]
let url = URL(fileURLWithPath: CommandLine.arguments[1])

func open() throws -> NSManagedObjectContext {
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(type: .sqlite, at: url)
  let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}

let writer = try open()
let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: writer)
item.setValue(NSDecimalNumber(string: "12.5"), forKey: "price")
item.setValue(["red", "blue"], forKey: "tags")
try writer.save()
for item in try open().fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
  print(item.value(forKey: "price") ?? "-", item.value(forKey: "tags") as? [String] ?? [])
}
END
# The linker warns about the system's mktemp in Foundation.
swiftc -static-stdlib "${flags[@]}" "$work/main.swift" "${objects[@]}" -lsqlite3 -lz -o "$work/program" >"$work/log" 2>&1 \
  || { cat "$work/log"; exit 1; }
output=$("$work/program" "$work/Items.sqlite")
if [ "$output" != '12.5 ["red", "blue"]' ]; then
  echo "A statically linked program prints: $output"
  exit 1
fi
echo "A statically linked program saves and reads a store."
