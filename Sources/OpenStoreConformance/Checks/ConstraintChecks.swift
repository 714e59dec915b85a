import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks of uniqueness constraints, for stores that enforce them.
extension StoreConformance {
  static let constraintChecks: [Check] = [
    constraintCheck("an insert that breaks a constraint is a conflict that names its properties") {
      trial in
      try trial.insert("Person", [NewObject(["email": .string("a@b")])])
      let outcome = try insertPerson(["email": .string("a@b")], trial)
      try expectConstraint(outcome, ["email"], trial)
      try expect(try trial.rows(Query("Person")).count, equals: 1, "Number of rows")
    },
    constraintCheck("an update that breaks a constraint is a conflict, and writes nothing") {
      trial in
      try trial.insert("Person", [NewObject(["email": .string("a@b")])])
      let id = try trial.insert("Person", NewObject(["email": .string("c@d")]))
      let row = try trial.storedRow(id)
      let outcome = try trial.commit { try $0.update(row, ["email": .string("a@b")]) }
      try expectConstraint(outcome, ["email"], trial)
      try expect(try trial.value("email", of: id), equals: .string("c@d"), "Value in the store")
    },
    constraintCheck("a constraint of two properties is broken only if both are equal") { trial in
      try trial.insert("Person", [NewObject(["firstCode": .string("x"), "secondCode": .int(1)])])
      try trial.insert("Person", [NewObject(["firstCode": .string("x"), "secondCode": .int(2)])])
      let outcome = try insertPerson(
        ["firstCode": .string("x"), "secondCode": .int(2)], trial)
      try expectConstraint(outcome, ["firstCode", "secondCode"], trial)
    },
    constraintCheck("objects with nulls under a constraint do not conflict") { trial in
      try trial.insert("Person", [NewObject(["firstCode": .string("x")])])
      try trial.insert("Person", [NewObject(["firstCode": .string("x")])])
      try trial.insert("Person", [NewObject([:])])
      try expect(try trial.rows(Query("Person")).count, equals: 3, "Number of rows")
    },
    constraintCheck("strings under a constraint are equal only if all bytes are equal") { trial in
      try trial.insert("Person", [NewObject(["email": .string("\u{E9}")])])
      try trial.insert("Person", [NewObject(["email": .string("e\u{301}")])])
      try trial.insert("Person", [NewObject(["email": .string("É")])])
      try expect(try trial.rows(Query("Person")).count, equals: 3, "Number of rows")
    },
    constraintCheck("a value freed by an earlier commit can be used again") { trial in
      let id = try trial.insert("Person", NewObject(["email": .string("a@b")]))
      let row = try trial.storedRow(id)
      try trial.write { $0.delete(row) }
      let other = try trial.insert("Person", NewObject(["email": .string("a@b")]))
      let changed = try trial.storedRow(other)
      try trial.write { try $0.update(changed, ["age": .int(3)]) }
      let moved = try trial.storedRow(other)
      try trial.write { try $0.update(moved, ["email": .string("c@d")]) }
      try trial.insert("Person", [NewObject(["email": .string("a@b")])])
    },
    constraintCheck("a value freed by a deletion can be used in the same commit") { trial in
      let id = try trial.insert("Person", NewObject(["email": .string("a@b")]))
      let row = try trial.storedRow(id)
      let entity = try trial.schema.entity("Person")
      let key = try require(
        try trial.store.reserveKeys([entity.rootIndex: 1])[entity.rootIndex], "Reserved key")
      try trial.write { changes in
        changes.delete(row)
        try changes.insert(
          ObjectKey(entityIndex: entity.index, key: key), NewObject(["email": .string("a@b")]))
      }
      try expect(try trial.rows(Query("Person")).map(\.key), equals: [key], "Rows")
    },
  ]

  private static func constraintCheck(
    _ name: String, _ body: @escaping @Sendable (StoreTrial) throws -> Void
  ) -> Check {
    Check(name) { trial in
      guard trial.store.capabilities.contains(.uniquenessConstraints) else { return }
      try body(trial)
    }
  }

  private static func insertPerson(
    _ values: [String: Value], _ trial: StoreTrial
  ) throws -> CommitOutcome {
    let entity = try trial.schema.entity("Person")
    let key = try require(
      try trial.store.reserveKeys([entity.rootIndex: 1])[entity.rootIndex], "Reserved key")
    return try trial.commit {
      try $0.insert(ObjectKey(entityIndex: entity.index, key: key), NewObject(values))
    }
  }

  private static func expectConstraint(
    _ outcome: CommitOutcome, _ names: [String], _ trial: StoreTrial
  ) throws {
    guard case .conflicts(let conflicts) = outcome, conflicts.count == 1,
      case .constraint(_, let entityIndex, let properties) = conflicts[0]
    else {
      throw ConformanceFailure(
        "Outcome", expected: "one constraint conflict", actual: "\(outcome)")
    }
    try expect(properties, equals: names, "Properties of the constraint")
    try expect(
      trial.schema.model.entities[entityIndex].name, equals: "Person", "Entity in the conflict")
  }
}
