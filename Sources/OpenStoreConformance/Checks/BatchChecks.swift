import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks of batch insertions and updates, for stores that execute batch requests.
extension StoreConformance {
  static let batchChecks: [Check] = [
    batchCheck("a batch insertion assigns keys to its rows and stores their values") { trial in
      let town = try Town(in: trial)
      let outcome = try trial.insertBatch("Tag", [["name": .string("new")], [:]])
      try expect(outcome.inserted.count, equals: 2, "Inserted keys")
      try expect(outcome.updated.isEmpty && outcome.deleted.isEmpty, "Nothing else changed")
      try expect(
        try trial.value("name", of: outcome.inserted[0]), equals: .string("new"), "Name")
      try expect(try trial.value("name", of: outcome.inserted[1]), equals: .null, "No name")
      try expect(
        Set(outcome.inserted).isDisjoint(with: town.tags.values), "Keys are new")
      try expect(try trial.storedRow(outcome.inserted[0]).version, equals: 1, "Version")
      let later = try trial.insert("Tag", NewObject(["name": .string("later")]))
      try expect(!outcome.inserted.contains(later), "Later keys are different")
    },
    batchCheck("a batch insertion returns the number of rows, and their keys on request") { trial in
      _ = try Town(in: trial)
      let objects = (0..<5).map { ["name": Value.string("tag \($0)")] }
      let named = try trial.insertBatch("Tag", objects)
      try expect(named.insertedCount, equals: 5, "Number of rows with returned keys")
      try expect(named.inserted.map(\.key), equals: named.inserted.map(\.key).sorted(), "Order")
      let counted = try trial.insertBatch("Tag", objects, detail: .count)
      try expect(counted.insertedCount, equals: 5, "Number of counted rows")
      try expect(counted.inserted.isEmpty, "No keys are returned")
    },
    batchCheck("a batch insertion whose source throws an error inserts nothing") { trial in
      _ = try Town(in: trial)
      let count = try trial.rows(Query("Tag")).count
      var portions = 0
      let insertion = BatchInsert(entity: try trial.schema.entity("Tag"), collision: .fail)
      var changes = Changes(schema: trial.schema)
      let id = ObjectKey(entityIndex: insertion.entity.index, key: 0)
      try changes.insert(id, NewObject(["name": .string("new")]))
      let rows = changes.set.inserted
      do {
        _ = try trial.store.insert(insertion, origin: ChangeOrigin()) { () throws(StoreError) in
          portions += 1
          if portions > 2 { throw StoreError(.unfitValue, "No more.") }
          return rows
        }
        throw ConformanceFailure(
          "Result of an insertion whose source throws", expected: "an error", actual: "none")
      } catch let error as StoreError {
        try expect(error.code, equals: .unfitValue, "Code of the error")
      }
      try expect(try trial.rows(Query("Tag")).count, equals: count, "Tags")
    },
    batchCheck(
      "a batch insertion that breaks a constraint inserts nothing if conflicts are errors"
    ) { trial in
      _ = try Town(in: trial)
      _ = try trial.insertBatch("Person", [["email": .string("a")]])
      for emails in [["b", "a"], ["c", "c"]] {
        try trial.expectCollision {
          _ = try trial.insertBatch("Person", emails.map { ["email": .string($0)] })
        }
      }
      try expect(try trial.rows(Query("Person")).count, equals: 6, "People")
    },
    batchCheck("a batch insertion that keeps existing rows does not change them") { trial in
      let outcome = try trial.insertBatch(
        "Person",
        [
          ["email": .string("a"), "age": .int(1)], ["email": .string("a"), "age": .int(2)],
          ["firstCode": .string("x"), "secondCode": .int(1)],
          ["firstCode": .string("x"), "secondCode": .int(1)],
          ["firstCode": .string("x")], ["firstCode": .string("x")],
        ], .keep)
      try expect(outcome.inserted.count, equals: 4, "Inserted keys")
      try expect(outcome.updated.isEmpty, "Nothing is updated")
      try expect(
        try trial.value("age", of: outcome.inserted[0]), equals: .int(1), "Age of the first")
    },
    batchCheck(
      "a batch insertion that replaces existing rows overwrites all of their attributes"
    ) { trial in
      let town = try Town(in: trial)
      let ada = try town.person("Ada")
      let row = try trial.storedRow(ada)
      try trial.write { try $0.update(row, ["email": .string("a")]) }
      let outcome = try trial.insertBatch(
        "Person",
        [
          ["email": .string("a"), "name": .string("Eda")], ["email": .string("b")],
          ["email": .string("b"), "age": .int(9)],
        ], .replace)
      try expect(outcome.updated, equals: [ada], "Updated keys")
      try expect(outcome.inserted.count, equals: 1, "Inserted keys")
      try expect(try trial.value("name", of: ada), equals: .string("Eda"), "Name")
      try expect(try trial.value("age", of: ada), equals: .null, "Age")
      try expect(
        try trial.value("home", of: ada), equals: trial.reference(try town.place("Oslo")), "Home")
      try expect(try trial.storedRow(ada).version > row.version, "The version increases")
      try expect(
        try trial.value("age", of: outcome.inserted[0]), equals: .int(9), "Age of the new row")
    },
    batchCheck("a batch update writes constants and values computed from each row") { trial in
      let town = try Town(in: trial)
      let before = try trial.storedRow(try town.person("Ada")).version
      let outcome = try trial.updateBatch(
        Query("Person", try trial.compare("Person.age", .equal), [.int(36)]),
        [
          "note": .constant(.string("seen")),
          "age": .operand(.function("add:to:", [try trial.operand("Person.age"), .binding(0)])),
          "height": .constant(.null),
        ])
      let (ada, eve) = (try town.person("Ada"), try town.person("Eve"))
      try expect(Set(outcome.updated), equals: [ada, eve], "Updated keys")
      for id in [ada, eve] {
        try expect(try trial.value("age", of: id), equals: .int(72), "Age")
        try expect(try trial.value("note", of: id), equals: .string("seen"), "Note")
        try expect(try trial.value("height", of: id), equals: .null, "Height")
      }
      try expect(try trial.storedRow(ada).version, equals: before + 1, "Version")
      try expect(
        try trial.value("note", of: try town.person("Bob")), equals: .null, "Note of another row")
    },
    batchCheck("a batch update can follow relationships to select rows and compute values") {
      trial in
      let town = try Town(in: trial)
      let outcome = try trial.updateBatch(
        Query("Person", try trial.compare("Person.home.name", .equal), [.string("Oslo")]),
        ["note": .operand(try trial.operand("Person.employer.name"))])
      try expect(
        Set(outcome.updated), equals: [try town.person("Ada"), try town.person("Eve")], "Keys")
      try expect(
        try trial.value("note", of: try town.person("Eve")), equals: .string("Cole"), "Note")
    },
    batchCheck(
      "a batch update includes rows of sub-entities, unless the request excludes them"
    ) { trial in
      _ = try Town(in: trial)
      let cities = try trial.updateBatch(Query("City"), ["name": .constant(.string("City"))])
      try expect(cities.updated.count, equals: 3, "Cities")
      var query = Query("City")
      query.includesSubentities = false
      let plain = try trial.updateBatch(query, ["name": .constant(.string("Plain"))])
      try expect(plain.updated.count, equals: 2, "Cities that are not capitals")
      try trial.expectNames(Query("Place"), ["Plain", "Plain", "City", "Fjord"], "Places")
    },
    batchCheck("a batch update that breaks a uniqueness constraint changes nothing") { trial in
      _ = try Town(in: trial)
      try trial.expectCollision {
        _ = try trial.updateBatch(Query("Person"), ["email": .constant(.string("same"))])
      }
      for row in try trial.rows(Query("Person")) {
        try expect(try trial.value("email", of: row), equals: .null, "Email")
      }
    },
  ]

  private static func batchCheck(
    _ name: String, _ body: @escaping @Sendable (StoreTrial) throws -> Void
  ) -> Check {
    Check(name) { trial in
      guard trial.store.capabilities.contains(.batchRequests) else { return }
      try body(trial)
    }
  }
}

/// A new value in a check of batch updates.
enum NewValue: Sendable {
  case constant(Value)
  case operand(Operand)
}

extension StoreTrial {
  /// Inserts rows of an entity, two at a time, with values by attribute name.
  func insertBatch(
    _ name: String, _ objects: [[String: Value]], _ collision: BatchInsert.Collision = .fail,
    detail: BatchOutcome.Detail = .keys, origin: ChangeOrigin = ChangeOrigin()
  ) throws -> BatchOutcome {
    var changes = Changes(schema: schema)
    let entity = try schema.entity(name)
    for (index, object) in objects.enumerated() {
      let id = ObjectKey(entityIndex: entity.index, key: Int64(index))
      try changes.insert(id, NewObject(object))
    }
    var rows = changes.set.inserted[...]
    let insertion = BatchInsert(entity: entity, collision: collision, detail: detail)
    return try store.insert(insertion, origin: origin) { () throws(StoreError) in
      defer { rows = rows.dropFirst(2) }
      return Array(rows.prefix(2))
    }
  }

  /// Updates the rows that a query selects. Operands may refer to the query's bindings.
  func updateBatch(
    _ query: Query, _ values: [String: NewValue], origin: ChangeOrigin = ChangeOrigin()
  ) throws -> BatchOutcome {
    let entity = try schema.entity(query.entity)
    var update = BatchUpdate(plan: try plan(query), assignments: [])
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let slot = try require(try schema.property(name, of: entity).slot, "Slot of \(name)")
      switch value {
      case .operand(let operand):
        update.assignments.append(BatchUpdate.Assignment(slot: slot, operand: operand))
      case .constant(let constant):
        update.assignments.append(
          BatchUpdate.Assignment(slot: slot, operand: .binding(update.plan.bindings.count)))
        update.plan.bindings.append(constant)
      }
    }
    return try store.execute(.update(update), origin: origin)
  }

  /// Requires that work fails because of a constraint.
  func expectCollision(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as StoreError {
      try expect(error.code, equals: .constraintConflict, "Code of the error")
      return
    }
    throw ConformanceFailure(
      "Outcome of a request that breaks a constraint", expected: "an error", actual: "none")
  }
}
