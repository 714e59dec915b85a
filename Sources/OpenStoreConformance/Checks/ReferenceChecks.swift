import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks that no commit leaves a reference to a missing row, neither a new reference nor a
/// reference to a deleted row.
extension StoreConformance {
  static let referenceChecks: [Check] = [
    Check("a change set that refers to existing rows is committed") { trial in
      let town = try Town(in: trial)
      let eve = try trial.storedRow(try town.person("Eve"))
      try trial.write { changes in
        try changes.update(eve, toOne: ["mentor": try town.person("Ada")])
        changes.refer(to: [
          try town.person("Ada"), try town.place("Oslo"), try town.place("Fjord"),
          try town.tag("red"),
        ])
      }
      try expect(
        try trial.value("mentor", of: try town.person("Eve")),
        equals: trial.reference(try town.person("Ada")), "Mentor")
    },
    Check(
      "a change set that refers to missing rows reports each as a conflict, and writes nothing"
    ) {
      trial in
      let town = try Town(in: trial)
      let eve = try trial.storedRow(try town.person("Eve"))
      let (cyd, green) = (try town.person("Cyd"), try town.tag("green"))
      let lost = try trial.insert("Village", NewObject(["name": .string("lost")]))
      try trial.write { $0.delete(try trial.storedRow(lost)) }
      try trial.write { $0.delete(try trial.storedRow(cyd)) }
      let never = ObjectKey(entityIndex: Int(green.entityIndex), key: 1 << 40)
      let temporary = ObjectKey(entityIndex: Int(green.entityIndex), key: -2)
      let outcome = try trial.commit { changes in
        try changes.update(eve, ["age": .int(1)], toOne: ["mentor": cyd, "home": lost])
        changes.refer(to: [cyd, green, lost, never, temporary, try town.person("Ada")])
      }
      try expect(
        Set(try missing(outcome)), equals: [cyd, lost, never, temporary], "Missing rows")
      try expect(try trial.value("age", of: try town.person("Eve")), equals: .int(36), "Age")
      try expect(try trial.value("mentor", of: try town.person("Eve")), equals: .null, "Mentor")
    },
    Check("a row that a change set both refers to and deletes is a conflict") { trial in
      let town = try Town(in: trial)
      let eve = try trial.storedRow(try town.person("Eve"))
      let fjord = try trial.insert("Village", NewObject(["name": .string("empty")]))
      let row = try trial.storedRow(fjord)
      let outcome = try trial.commit { changes in
        try changes.update(eve, toOne: ["birthplace": fjord])
        changes.refer(to: [fjord])
        changes.delete(row)
      }
      try expect(try missing(outcome), equals: [fjord], "Missing row")
      try expect(try trial.row(fjord) != nil, "The row still exists")
    },
    Check("a change set can refer to a row that it inserts") { trial in
      let entity = try trial.schema.entity("Tag")
      let key = try require(
        try trial.store.reserveKeys([entity.rootIndex: 1])[entity.rootIndex], "Reserved key")
      let tag = ObjectKey(entityIndex: entity.index, key: key)
      try trial.write { changes in
        try changes.insert(tag, NewObject(["name": .string("new")]))
        changes.refer(to: [tag])
      }
      try expect(try trial.row(tag) != nil, "The row exists")
    },
    Check("a change set can refer to thousands of rows") { trial in
      let tags = try trial.insert("Tag", (0..<3000).map { NewObject(["name": .string("\($0)")]) })
      let gone = ObjectKey(
        entityIndex: Int(try require(tags.first, "Tag").entityIndex), key: 1 << 40)
      try trial.write { $0.refer(to: tags) }
      try expect(
        try missing(try trial.commit { $0.refer(to: tags.reversed() + [gone]) }), equals: [gone],
        "Missing row")
    },
    Check(
      "a deletion of a row that other rows refer to by an inverse is a conflict with their keys"
    ) { trial in
      let town = try Town(in: trial)
      let ada = try town.person("Ada")
      let row = try trial.storedRow(ada)
      let bob = try trial.storedRow(try town.person("Bob"))
      let outcome = try trial.commit { changes in
        try changes.update(bob, toOne: ["mentor": nil])
        changes.delete(row)
      }
      guard case .conflicts(let conflicts) = outcome, conflicts.count == 1,
        case .remainingReferences(let target, let ordinal, let sources) = conflicts[0]
      else {
        throw ConformanceFailure(
          "Outcome", expected: "one conflict of references", actual: "\(outcome)")
      }
      let person = try trial.schema.entity("Person")
      try expect(target, equals: ada, "Row to be deleted")
      try expect(
        ordinal, equals: try trial.schema.property("pupils", of: person).ordinal, "Relationship")
      try expect(sources, equals: [try town.person("Cyd")], "Rows that refer to it")
      try expect(try trial.row(ada) != nil, "The row still exists")
      let cyd = try trial.storedRow(try town.person("Cyd"))
      try trial.write { changes in
        try changes.update(bob, toOne: ["mentor": nil])
        changes.delete(row)
        changes.delete(cyd)
      }
      try expect(try trial.row(ada) == nil, "The row is gone")
    },
    Check(
      "a row can be deleted although a relationship without an inverse refers to it"
    ) { trial in
      let town = try Town(in: trial)
      let place = try trial.insert("Village", NewObject(["name": .string("old")]))
      let eve = try trial.storedRow(try town.person("Eve"))
      try trial.write { try $0.update(eve, toOne: ["birthplace": place]) }
      let row = try trial.storedRow(place)
      try trial.write { $0.delete(row) }
      try expect(try trial.row(place) == nil, "The row is gone")
    },
  ]

  private static func missing(_ outcome: CommitOutcome) throws -> [ObjectKey] {
    guard case .conflicts(let conflicts) = outcome else {
      throw ConformanceFailure("Outcome", expected: "conflicts", actual: "\(outcome)")
    }
    return try conflicts.map { conflict in
      guard case .missingDestination(let id) = conflict else {
        throw ConformanceFailure(
          "Conflict", expected: "a missing destination", actual: "\(conflict)")
      }
      return id
    }
  }
}
