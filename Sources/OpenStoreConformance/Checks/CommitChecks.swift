import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks that commits are atomic and detect conflicting changes.
extension StoreConformance {
  static let commitChecks: [Check] = [
    Check("an update changes only its slots, and increases the version") { trial in
      let town = try Town(in: trial)
      let ada = try town.person("Ada")
      let before = try trial.storedRow(ada)
      try trial.write { changes in
        try changes.update(before, ["age": .int(37), "note": .string("älter"), "height": .null])
      }
      let after = try trial.storedRow(ada)
      try expect(after.version, equals: before.version + 1, "Version")
      try expect(try trial.value("age", of: after), equals: .int(37), "Changed number")
      try expect(try trial.value("note", of: after), equals: .string("älter"), "Changed string")
      try expect(try trial.value("height", of: after), equals: .null, "Value changed to null")
      try expect(try trial.value("name", of: after), equals: .string("Ada"), "Unchanged string")
      try expect(
        try trial.value("home", of: after), equals: try trial.value("home", of: before),
        "Unchanged destination")
    },
    Check("an inserted row has version 1") { trial in
      let id = try trial.insert("Tag", NewObject(["name": .string("new")]))
      try expect(try trial.storedRow(id).version, equals: 1, "Version")
    },
    Check(
      "an update of a row that has changed is a conflict that contains the stored row"
    ) { trial in
      let town = try Town(in: trial)
      let old = try trial.storedRow(try town.person("Ada"))
      try trial.write { try $0.update(old, ["age": .int(50)]) }
      let outcome = try trial.commit { try $0.update(old, ["age": .int(60)]) }
      let stored = try require(
        try onlyVersionConflict(outcome, id: try town.person("Ada"), expected: old.version),
        "Stored row in the conflict")
      try expect(try trial.value("age", of: stored), equals: .int(50), "Age in the conflict")
      try expect(stored.version, equals: old.version + 1, "Version in the conflict")
      try expect(
        try trial.value("age", of: try town.person("Ada")), equals: .int(50), "Age in the store")
    },
    Check("an update of a deleted row is a conflict that contains no stored row") { trial in
      let town = try Town(in: trial)
      let old = try trial.storedRow(try town.person("Eve"))
      try trial.write { $0.delete(old) }
      let outcome = try trial.commit { try $0.update(old, ["age": .int(60)]) }
      let stored = try onlyVersionConflict(
        outcome, id: try town.person("Eve"), expected: old.version)
      try expect(stored == nil, "The conflict says that the row is deleted")
    },
    Check("a deletion of a row that has changed is a conflict") { trial in
      let town = try Town(in: trial)
      let old = try trial.storedRow(try town.person("Eve"))
      try trial.write { try $0.update(old, ["age": .int(50)]) }
      let outcome = try trial.commit { $0.delete(old) }
      _ = try onlyVersionConflict(outcome, id: try town.person("Eve"), expected: old.version)
      try expect(try trial.row(try town.person("Eve")) != nil, "The row still exists")
    },
    Check("a deletion of a deleted row is a conflict") { trial in
      let town = try Town(in: trial)
      let old = try trial.storedRow(try town.person("Eve"))
      try trial.write { $0.delete(old) }
      let outcome = try trial.commit { $0.delete(old) }
      let stored = try onlyVersionConflict(
        outcome, id: try town.person("Eve"), expected: old.version)
      try expect(stored == nil, "The conflict says that the row is deleted")
    },
    Check(
      "a commit conflicts if a row that it requires to be unchanged has changed"
    ) { trial in
      let town = try Town(in: trial)
      let old = try trial.storedRow(try town.person("Ada"))
      let eve = try trial.storedRow(try town.person("Eve"))
      try trial.write { $0.expect(old) }
      try expect(
        try trial.storedRow(try town.person("Ada")).version, equals: old.version,
        "Version of the row that must be unchanged")
      try trial.write { try $0.update(old, ["age": .int(50)]) }
      let outcome = try trial.commit {
        $0.expect(old)
        try $0.update(eve, ["age": .int(9)])
      }
      let stored = try require(
        try onlyVersionConflict(outcome, id: try town.person("Ada"), expected: old.version),
        "Stored row in the conflict")
      try expect(try trial.value("age", of: stored), equals: .int(50), "Age in the conflict")
      try expect(
        try trial.storedRow(try town.person("Eve")).version, equals: eve.version,
        "Version of the other row")
    },
    Check(
      "a commit conflicts if a row that it requires to be unchanged has been deleted"
    ) { trial in
      let town = try Town(in: trial)
      let old = try trial.storedRow(try town.person("Eve"))
      try trial.write { $0.delete(old) }
      let stored = try onlyVersionConflict(
        try trial.commit { $0.expect(old) }, id: try town.person("Eve"), expected: old.version)
      try expect(stored == nil, "The conflict says that the row is deleted")
    },
    Check("a commit with a conflict writes nothing, and every conflict is reported", allOrNothing),
    Check(
      "provisional keys of rows are replaced, also where other rows refer to them"
    ) { trial in
      let town = try Town(in: trial)
      let entity = try trial.schema.entity("Person")
      var changes = Changes(schema: trial.schema)
      let ids = (0..<2).map {
        ObjectKey(entityIndex: entity.index, key: ProvisionalKey.key(at: $0))
      }
      try changes.insert(ids[0], NewObject(["name": .string("Zoe"), "serial": .int(90)]))
      try changes.insert(
        ids[1],
        NewObject(["name": .string("Yan"), "serial": .int(91)], toOne: ["mentor": ids[0]]))
      let red = try require(town.tags["red"], "The tag red")
      try changes.link(ids[1], "tags", red)
      var set = changes.set
      set.newRowCounts = [entity.rootIndex: 2]
      try trial.requireCommitted(try trial.store.commit(&set))
      let keys = set.inserted.map(\.key)
      try expect(
        keys.allSatisfy { $0 > 0 } && keys[1] == keys[0] + 1, "The keys are consecutive")
      let stored = keys.map { ObjectKey(entityIndex: entity.index, key: $0) }
      try expect(
        try trial.value("name", of: stored[1]), equals: .string("Yan"), "Name of the second row")
      try expect(
        try trial.destinations("tags", of: [stored[1]]), equals: [[red]], "Tags of the second row")
      try expect(
        try trial.destinations("pupils", of: [stored[0]]), equals: [[stored[1]]], "Pupils")
      let next = try require(
        try trial.store.reserveKeys([entity.rootIndex: 1])[entity.rootIndex], "Reserved key")
      try expect(next > keys[1], "Assigned keys are not reserved again")
    },
    Check("an empty commit is committed") { trial in
      try trial.write { _ in }
    },
    Check("an object can be inserted and linked in one commit") { trial in
      let town = try Town(in: trial)
      let entity = try trial.schema.entity("Tag")
      var changes = Changes(schema: trial.schema)
      let first = try require(
        try trial.store.reserveKeys([entity.rootIndex: 1])[entity.rootIndex], "Reserved key")
      let tag = ObjectKey(entityIndex: entity.index, key: first)
      try changes.insert(tag, NewObject(["name": .string("new")]))
      try changes.link(try town.person("Eve"), "tags", tag)
      let set = changes.set
      try trial.requireCommitted(try trial.store.commit(reserving: [:]) { _ in set })
      try expect(
        try trial.destinations("people", of: [tag]), equals: [[try town.person("Eve")]], "People")
    },
  ]

  private static func allOrNothing(_ trial: StoreTrial) throws {
    let town = try Town(in: trial)
    let ada = try trial.storedRow(try town.person("Ada"))
    let bob = try trial.storedRow(try town.person("Bob"))
    let eve = try trial.storedRow(try town.person("Eve"))
    let tag = try trial.schema.entity("Tag")
    let key = try require(
      try trial.store.reserveKeys([tag.rootIndex: 1])[tag.rootIndex], "Reserved key")
    let outcome = try trial.commit { changes in
      let new = ObjectKey(entityIndex: tag.index, key: key)
      try changes.insert(new, NewObject(["name": .string("lost")]))
      try changes.update(ada, ["age": .int(99)])
      try changes.link(try town.person("Ada"), "tags", new)
      try changes.update(bob, ["age": .int(99)], expecting: 77)
      changes.delete(eve, expecting: 78)
      changes.set(metadata: ["lost": "lost"])
    }
    guard case .conflicts(let conflicts) = outcome else {
      throw ConformanceFailure("Outcome", expected: "conflicts", actual: "\(outcome)")
    }
    let ids = Set(
      conflicts.compactMap { conflict -> ObjectKey? in
        if case .version(let id, _, _) = conflict { id } else { nil }
      })
    try expect(
      ids, equals: [try town.person("Bob"), try town.person("Eve")], "Objects in conflict")
    try trial.expectNames(Query("Tag"), ["red", "green", "blue"], "Tags afterwards")
    try expect(try trial.value("age", of: try town.person("Ada")), equals: .int(36), "Age of Ada")
    try expect(try trial.row(try town.person("Eve")) != nil, "Eve still exists")
    try expect(
      try trial.destinations("tags", of: [try town.person("Ada")]),
      equals: [[try town.tag("red"), try town.tag("blue")]], "Tags of Ada")
    try expect(try trial.store.metadata()["lost"] == nil, "Metadata is unchanged")
  }

  /// Requires exactly one version conflict and returns its stored row, or nil if the row is
  /// deleted.
  private static func onlyVersionConflict(
    _ outcome: CommitOutcome, id: ObjectKey, expected: Int64
  ) throws -> Row? {
    guard case .conflicts(let conflicts) = outcome, conflicts.count == 1,
      case .version(let found, let version, let stored) = conflicts[0]
    else {
      throw ConformanceFailure("Outcome", expected: "one version conflict", actual: "\(outcome)")
    }
    try expect(found, equals: id, "Object in conflict")
    try expect(version, equals: expected, "Expected version in the conflict")
    guard case .found(let row) = stored else { return nil }
    return row
  }
}
