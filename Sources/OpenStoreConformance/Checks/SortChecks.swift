import Foundation
import OpenPredicates
import OpenStoreContract

/// Checks that rows are returned in the order of the sort terms.
extension StoreConformance {
  static let sortChecks: [Check] = [
    Check("nulls are first in ascending order and last in descending order") { trial in
      _ = try Town(in: trial)
      let serial = try trial.ascending("Person.serial")
      try expectOrder(
        [try trial.ascending("Person.age"), serial], ["Cyd", "Dan", "Ada", "Eve", "Bob"], trial)
      try expectOrder(
        [try trial.descending("Person.age"), serial], ["Bob", "Ada", "Eve", "Dan", "Cyd"], trial)
    },
    Check("two terms are applied one after the other, each in its direction") { trial in
      _ = try Town(in: trial)
      try expectOrder(
        [try trial.ascending("Person.isActive"), try trial.descending("Person.name")],
        ["Cyd", "Eve", "Bob", "Dan", "Ada"], trial)
      try expectOrder(
        [
          try trial.descending("Person.height"), try trial.ascending("Person.age"),
          try trial.descending("Person.serial"),
        ], ["Dan", "Bob", "Eve", "Ada", "Cyd"], trial)
    },
    Check("rows can be sorted by a to-one path; a missing destination is null") { trial in
      _ = try Town(in: trial)
      try expectOrder(
        [
          try trial.ascending("Person.employer.headquarters.name"),
          try trial.ascending("Person.serial"),
        ], ["Cyd", "Dan", "Ada", "Bob", "Eve"], trial)
      try expectOrder(
        [try trial.descending("Person.home.name"), try trial.ascending("Person.serial")],
        ["Ada", "Eve", "Dan", "Bob", "Cyd"], trial)
    },
    Check("strings are sorted by their bytes") { trial in
      let texts = ["b", "B", "a", "", "é", "z", "Ω", "日", "😀", "\u{FF5E}", "aa", "a b"]
      try trial.insert("Person", texts.map { NewObject(["name": .string($0)]) })
      let expected = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      try expectOrder([try trial.ascending("Person.name")], expected, trial)
      try expectOrder([try trial.descending("Person.name")], expected.reversed(), trial)
    },
    Check("strings are sorted without case sensitivity on request") { trial in
      try trial.insert(
        "Person", ["b", "C", "a", "D", "Ä"].map { NewObject(["name": .string($0)]) })
      var query = Query("Person", try trial.compare("Person.name", .notEqual), [.string("Ä")])
      for collation in [SortTerm.Collation.caseInsensitive, .localizedCaseInsensitive] {
        query.sort = [try trial.ascending("Person.name", collation)]
        try expect(
          try trial.texts("name", query), equals: ["a", "b", "C", "D"], "Order by \(collation)")
      }
    },
    Check("numbers, dates and UUIDs are sorted by value") { trial in
      for type in ["integer64", "double", "date", "decimal", "uuid"] {
        let values = samples.first { $0.type == type }?.values ?? []
        try trial.insert("Sample", values.reversed().map { NewObject([type: $0]) })
        let path = try trial.schema.path("Sample.\(type)")
        var query = Query("Sample", .not(.isNull(.property(path))))
        query.sort = [SortTerm(path: path, isAscending: true)]
        let sorted = try trial.rows(query).map { try trial.value(type, of: $0) }
        let expected = values.sorted { Value.order($0, $1) == .orderedAscending }
        try expect(sorted, equals: expected, "Order by \(type)")
      }
    },
  ]

  private static func expectOrder(
    _ terms: [SortTerm], _ names: [String], _ trial: StoreTrial
  ) throws {
    var query = Query("Person")
    query.sort = terms
    try expect(try trial.texts("name", query), equals: names, "Order by \(terms)")
  }
}
