import OpenPredicates
import OpenStoreContract

/// Checks of filters whose paths cross relationships.
extension StoreConformance {
  static let relationshipFilterChecks: [Check] = [
    Check("paths of one, two and three to-one steps can be compared") { trial in
      _ = try Town(in: trial)
      let cases: [(String, ComparisonOperator, Value, [String])] = [
        ("home.name", .equal, .string("Oslo"), ["Ada", "Eve"]),
        ("employer.revenue", .greaterThan, .int(0), ["Ada", "Bob"]),
        ("mentor.age", .equal, .int(36), ["Bob", "Cyd"]),
        ("mentor.mentor.name", .equal, .string("Ada"), ["Dan"]),
        ("employer.headquarters.name", .equal, .string("Aarhus"), ["Ada", "Bob"]),
        ("mentor.employer.headquarters.name", .notEqual, .string("x"), ["Bob", "Cyd", "Dan"]),
      ]
      for (path, operation, constant, names) in cases {
        let filter = try trial.compare("Person.\(path)", operation)
        try trial.expectNames(
          Query("Person", filter, [constant]), names, "\(path) \(operation) \(constant)")
      }
    },
    Check("a path over a missing destination is null") { trial in
      _ = try Town(in: trial)
      let isNull = Filter.isNull(try trial.operand("Person.employer.headquarters.name"))
      try trial.expectNames(Query("Person", isNull), ["Cyd", "Dan"], "headquarters.name is null")
      let other = Filter.not(try trial.compare("Person.home.name", .equal))
      try trial.expectNames(
        Query("Person", other, [.string("Oslo")]), ["Bob", "Dan"], "not home.name = Oslo")
    },
    Check("destinations can be compared with objects, also by a path") { trial in
      let town = try Town(in: trial)
      let home = try trial.compare("Person.home", .equal)
      try trial.expectNames(
        Query("Person", home, [trial.reference(try town.place("Oslo"))]), ["Ada", "Eve"], "home")
      let seat = try trial.compare("Person.employer.headquarters", .equal)
      try trial.expectNames(
        Query("Person", seat, [trial.reference(try town.place("Oslo"))]), ["Eve"], "headquarters")
      let mentor = try trial.compare("Person.mentor.SELF", .notEqual)
      try trial.expectNames(
        Query("Person", mentor, [trial.reference(try town.person("Ada"))]), ["Dan"], "mentor")
    },
    Check("the store of a constant object is ignored, because a plan has only one store") {
      trial in
      let town = try Town(in: trial)
      let bob = trial.reference(try town.person("Bob"), storeToken: 9)
      try trial.expectNames(
        Query("Person", try trial.compare("Person.SELF", .equal), [bob]), ["Bob"], "SELF = Bob")
      let mentored = Filter.isMember(try trial.operand("Person.mentor"), list: 0, [])
      try trial.expectNames(Query("Person", mentored, [.list([bob])]), ["Dan"], "mentor in list")
    },
    Check("objects can be compared by identity") { trial in
      let town = try Town(in: trial)
      let constant = [trial.reference(try town.person("Bob"))]
      let isBob = try trial.compare("Person.SELF", .equal)
      try trial.expectNames(Query("Person", isBob, constant), ["Bob"], "SELF = Bob")
      try trial.expectNames(
        Query("Person", .not(isBob), constant), ["Ada", "Cyd", "Dan", "Eve"], "SELF != Bob")
      let own = Filter.comparison(
        try trial.operand("Person.mentor.home"), .notEqual, try trial.operand("Person.home"), [])
      try trial.expectNames(Query("Person", own), ["Bob", "Dan"], "mentor.home != home")
    },
    Check("exists supports to-many relationships with and without an inverse", existence),
    Check("exists can follow to-one steps and can be nested") { trial in
      _ = try Town(in: trial)
      let colleagues = Filter.exists(
        try trial.schema.toMany("Person.employer.employees"),
        try trial.compare("Person.name", .equal))
      try trial.expectNames(
        Query("Person", colleagues, [.string("Bob")]), ["Ada", "Bob"], "colleague of Bob")
      let tagged = Filter.exists(
        try trial.schema.toMany("Company.employees"),
        .exists(try trial.schema.toMany("Person.tags"), try trial.compare("Tag.name", .equal)))
      try trial.expectNames(
        Query("Company", tagged, [.string("blue")]), ["Acme", "Borg"], "employs someone blue")
    },
    Check("counts of destinations can be compared, including zero") { trial in
      _ = try Town(in: trial)
      let cases: [(String, String, Int64, [String])] = [
        ("Person", "tags", 2, ["Ada", "Dan"]), ("Person", "tags", 0, ["Cyd", "Eve"]),
        ("Person", "pupils", 2, ["Ada"]), ("Place", "residents", 0, ["Bergen"]),
        ("Company", "employees", 1, ["Borg", "Cole"]), ("Tag", "people", 2, ["blue", "red"]),
        ("Person", "mentor.pupils", 2, ["Bob", "Cyd"]),
        ("Person", "employer.employees", 0, ["Cyd"]),
      ]
      for (entity, path, count, names) in cases {
        let filter = Filter.comparison(
          .count(try trial.schema.toMany("\(entity).\(path)")), .equal, .binding(0), [])
        try trial.expectNames(
          Query(entity, filter, [.int(count)]), names, "\(entity).\(path).@count = \(count)")
      }
    },
    Check(
      "aggregates of destinations can be compared, and are null without destinations", aggregates),
    Check("a filter on a sub-entity uses its own and inherited properties") { trial in
      _ = try Town(in: trial)
      let large = try trial.compare("City.population", .greaterThan)
      try trial.expectNames(
        Query("City", large, [.int(300_000)]), ["Aarhus", "Oslo"], "population > 300000")
      let named = try trial.compare("Capital.name", .equal)
      try trial.expectNames(Query("Capital", named, [.string("Oslo")]), ["Oslo"], "name = Oslo")
      try trial.expectNames(Query("Capital", named, [.string("Bergen")]), [], "name = Bergen")
    },
  ]

  private static func existence(_ trial: StoreTrial) throws {
    let town = try Town(in: trial)
    try trial.write { changes in
      try changes.link(try town.person("Eve"), "favorites", try town.place("Bergen"))
      try changes.link(try town.tag("red"), "related", try town.tag("blue"))
    }
    let cases: [(String, String, String, String, [String])] = [
      ("Person", "pupils", "Person.name", "Dan", ["Bob"]),
      ("Person", "tags", "Tag.name", "blue", ["Ada", "Dan"]),
      ("Tag", "people", "Person.name", "Ada", ["red", "blue"]),
      ("Place", "residents", "Person.name", "Eve", ["Oslo"]),
      ("Place", "residents", "Person.employer.name", "Acme", ["Oslo", "Aarhus"]),
      ("Person", "favorites", "Place.name", "Bergen", ["Eve"]),
      ("Tag", "related", "Tag.name", "blue", ["red"]),
      ("Tag", "relating", "Tag.name", "red", ["blue"]),
    ]
    for (entity, path, inner, constant, names) in cases {
      let exists = Filter.exists(
        try trial.schema.toMany("\(entity).\(path)"), try trial.compare(inner, .equal))
      let title = "\(entity): any \(path) with \(inner) = \(constant)"
      try trial.expectNames(Query(entity, exists, [.string(constant)]), names, title)
      let all = try trial.texts("name", Query(entity))
      try trial.expectNames(
        Query(entity, .not(exists), [.string(constant)]), all.filter { !names.contains($0) },
        "not \(title)")
    }
  }

  private static func aggregates(_ trial: StoreTrial) throws {
    _ = try Town(in: trial)
    let cases: [(Aggregate, String, Value, [String])] = [
      (.sum, "Person.age", .int(77), ["Acme"]), (.sum, "Person.age", .int(-5), ["Borg"]),
      (.average, "Person.age", .double(38.5), ["Acme"]),
      (.minimum, "Person.age", .int(36), ["Acme", "Cole"]),
      (.maximum, "Person.age", .int(41), ["Acme"]),
      (.maximum, "Person.height", .double(1.75), ["Acme"]),
      (.minimum, "Person.name", .string("Ada"), ["Acme"]),
      (.maximum, "Person.born", .date(41_000), ["Acme"]),
    ]
    let employees = try trial.schema.toMany("Company.employees")
    for (aggregate, path, constant, names) in cases {
      let operand = Operand.aggregate(
        aggregate, employees, .property(try trial.schema.path(path)))
      try trial.expectNames(
        Query("Company", .comparison(operand, .equal, .binding(0), []), [constant]), names,
        "\(aggregate) of \(path) = \(constant)")
    }
    let none = Operand.aggregate(
      .sum, try trial.schema.toMany("Place.residents"),
      .property(try trial.schema.path("Person.age")))
    try trial.expectNames(Query("Place", .isNull(none)), ["Bergen"], "sum of nothing is null")
    let unknown = Operand.aggregate(
      .average, try trial.schema.toMany("Person.pupils"),
      .property(try trial.schema.path("Person.age")))
    try trial.expectNames(
      Query("Person", .comparison(unknown, .equal, .binding(0), []), [.int(41)]), ["Ada"],
      "an average ignores nulls")
  }
}
