import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks that keys are reserved in ranges and are never used twice.
extension StoreConformance {
  static let keyChecks: [Check] = [
    Check("reserved keys are contiguous, positive and never overlap") { trial in
      let tag = try trial.schema.entity("Tag").rootIndex
      let person = try trial.schema.entity("Person").rootIndex
      var taken: Set<Int64> = []
      for count in [1, 3, 1000, 1] {
        let first = try trial.store.reserveKeys([tag: count, person: 2])
        try expect(Set(first.keys), equals: [tag, person], "Entities with reserved keys")
        let start = try require(first[tag], "First key")
        try expect(start > 0, "Key \(start) is positive")
        let run = Set(start..<start + Int64(count))
        try expect(taken.isDisjoint(with: run), "Run of \(count) from \(start) is new")
        taken.formUnion(run)
      }
    },
    Check("keys reserved in a commit come after those reserved before it") { trial in
      let tag = try trial.schema.entity("Tag").rootIndex
      let reserved = try require(try trial.store.reserveKeys([tag: 5])[tag], "First key")
      let id = try trial.insert("Tag", NewObject(["name": .string("new")]))
      try expect(id.key >= reserved + 5, "Key \(id.key) is after \(reserved) + 5")
    },
    Check("the key of a deleted object is not used again") { trial in
      var taken: Set<Int64> = []
      for _ in 0..<5 {
        let id = try trial.insert("Tag", NewObject(["name": .string("brief")]))
        try expect(taken.insert(id.key).inserted, "Key \(id.key) is new")
        let row = try trial.storedRow(id)
        try trial.write { $0.delete(row) }
      }
    },
    Check("sub-entities share the keys of their root entity") { trial in
      let town = try Town(in: trial)
      try expect(
        Set(town.places.values.map(\.key)).count, equals: town.places.count, "Distinct keys")
    },
    Check("keys of deleted objects are not used again after reopening") { trial in
      let keys = try trial.insert(
        "Tag", (0..<3).map { NewObject(["name": .string("\($0)")]) })
      let reserved = try trial.store.reserveKeys([try trial.schema.entity("Tag").rootIndex: 4])
      let rows = try keys.map { try trial.storedRow($0) }
      try trial.write { changes in
        for row in rows { changes.delete(row) }
      }
      guard let again = try trial.reopened() else { return }
      defer { again.close() }
      let id = try again.insert("Tag", NewObject(["name": .string("later")]))
      let last = reserved.values.reduce(0, max) + 3
      try expect(id.key > last, "Key \(id.key) is after \(last)")
    },
  ]
}
