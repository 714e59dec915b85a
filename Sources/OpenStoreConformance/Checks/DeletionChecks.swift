import OpenPredicates
import OpenStoreContract

/// Checks of batch deletions, for stores that execute batch requests.
extension StoreConformance {
  static let deletionChecks: [Check] = [
    deletionCheck("a batch deletion removes the selected rows and returns their keys") { trial in
      let town = try Town(in: trial)
      let keys = try deleteRows(
        Query("Person", try trial.compare("Person.age", .equal), [.int(36)]), trial)
      try expect(
        Set(keys), equals: [try town.person("Ada"), try town.person("Eve")], "Deleted keys")
      try trial.expectNames(Query("Person"), ["Bob", "Cyd", "Dan"], "People left")
    },
    deletionCheck("a batch deletion nullifies relationships to the deleted rows") { trial in
      let town = try Town(in: trial)
      _ = try deleteRows(
        Query("Person", try trial.compare("Person.name", .equal), [.string("Ada")]), trial)
      for name in ["Bob", "Cyd"] {
        try expect(
          try trial.value("mentor", of: try town.person(name)), equals: .null, "Mentor of \(name)")
      }
      try expect(
        try trial.value("mentor", of: try town.person("Dan")),
        equals: trial.reference(try town.person("Bob")), "Mentor of Dan")
      try expect(
        try trial.destinations("people", of: [try town.tag("red"), try town.tag("blue")]),
        equals: [[try town.person("Bob")], [try town.person("Dan")]], "People of the tags")
    },
    deletionCheck("a batch deletion of a sub-entity nullifies relationships to its root") { trial in
      let town = try Town(in: trial)
      let keys = try deleteRows(
        Query("Place", try trial.compare("Place.name", .equal), [.string("Oslo")]), trial)
      try expect(Set(keys), equals: [try town.place("Oslo")], "Deleted keys")
      try expect(
        try trial.value("home", of: try town.person("Ada")), equals: .null, "Home of Ada")
      try expect(
        try trial.destinationNumber("home", of: try town.person("Ada")), equals: nil,
        "Entity number of the home of Ada")
      try expect(
        try trial.value("headquarters", of: try town.company("Cole")), equals: .null,
        "Headquarters of Cole")
      try trial.expectNames(Query("Place"), ["Aarhus", "Bergen", "Fjord"], "Places left")
    },
    deletionCheck("a batch deletion cascades, and nullifies relationships to cascaded rows") {
      trial in
      let town = try Town(in: trial)
      let keys = try deleteRows(
        Query("Company", try trial.compare("Company.name", .equal), [.string("Acme")]), trial)
      try expect(keys.contains(try town.company("Acme")), "The company's key is returned")
      for id in keys { try expect(try trial.row(id) == nil, "\(id) is deleted") }
      try trial.expectNames(Query("Person"), ["Cyd", "Dan", "Eve"], "People left")
      try trial.expectNames(Query("Company"), ["Borg", "Cole"], "Companies left")
      try expect(
        try trial.value("mentor", of: try town.person("Dan")), equals: .null, "Mentor of Dan")
      try expect(
        try trial.destinations("people", of: [try town.tag("red")]), equals: [[]], "People of red")
    },
    deletionCheck("a batch deletion applies sort order, limit and offset") { trial in
      let town = try Town(in: trial)
      var query = Query("Person")
      query.sort = [try trial.descending("Person.serial")]
      query.limit = 2
      query.offset = 1
      let keys = try deleteRows(query, trial)
      try expect(
        Set(keys), equals: [try town.person("Dan"), try town.person("Cyd")], "Deleted keys")
      try trial.expectNames(Query("Person"), ["Ada", "Bob", "Eve"], "People left")
    },
    deletionCheck("a batch deletion without sub-entities does not delete their rows") { trial in
      _ = try Town(in: trial)
      var query = Query("City")
      query.includesSubentities = false
      _ = try deleteRows(query, trial)
      try trial.expectNames(Query("Place"), ["Oslo", "Fjord"], "Places left")
    },
    deletionCheck("a batch deletion that selects no rows changes nothing") { trial in
      _ = try Town(in: trial)
      try expect(
        try deleteRows(Query("Person", .constant(false)), trial).count, equals: 0, "Keys")
      try expect(try trial.rows(Query("Person")).count, equals: 5, "Number of people")
    },
    deletionCheck("a batch deletion without a filter deletes all rows of the entity") { trial in
      _ = try Town(in: trial)
      try expect(try deleteRows(Query("Person"), trial).count, equals: 5, "Deleted keys")
      try expect(try trial.rows(Query("Person")).count, equals: 0, "Number of people")
      try trial.expectNames(Query("Company"), ["Acme", "Borg", "Cole"], "Companies left")
    },
  ]

  private static func deletionCheck(
    _ name: String, _ body: @escaping @Sendable (StoreTrial) throws -> Void
  ) -> Check {
    Check(name) { trial in
      guard trial.store.capabilities.contains(.batchRequests) else { return }
      try body(trial)
    }
  }

  private static func deleteRows(_ query: Query, _ trial: StoreTrial) throws -> [ObjectKey] {
    try trial.store.deleteRows(matching: try trial.plan(query))
  }
}
