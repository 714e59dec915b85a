import OpenPredicates
import OpenStoreContract

/// Checks of comparisons, null logic and their combinations.
extension StoreConformance {
  static let filterChecks: [Check] = [
    Check("all operators compare numbers; a comparison with null is never true") { trial in
      _ = try Town(in: trial)
      let cases: [(ComparisonOperator, [String])] = [
        (.equal, ["Ada", "Eve"]), (.notEqual, ["Bob", "Dan"]), (.lessThan, ["Dan"]),
        (.lessThanOrEqual, ["Ada", "Dan", "Eve"]), (.greaterThan, ["Bob"]),
        (.greaterThanOrEqual, ["Ada", "Bob", "Eve"]),
      ]
      for (operation, names) in cases {
        let filter = try trial.compare("Person.age", operation)
        for constant in [Value.int(36), .double(36)] {
          try trial.expectNames(
            Query("Person", filter, [constant]), names, "age \(operation) \(constant)")
        }
      }
    },
    Check("integers can be compared with fractions") { trial in
      _ = try Town(in: trial)
      let filter = try trial.compare("Person.age", .greaterThan)
      try trial.expectNames(Query("Person", filter, [.double(36.5)]), ["Bob"], "age > 36.5")
      try trial.expectNames(
        Query("Person", filter, [.double(-5.5)]), ["Ada", "Bob", "Dan", "Eve"], "age > -5.5")
    },
    Check("doubles, dates, Booleans and strings can be compared") { trial in
      _ = try Town(in: trial)
      let cases: [(String, ComparisonOperator, Value, [String])] = [
        ("height", .equal, .double(1.75), ["Bob"]), ("height", .greaterThan, .int(1), everybody),
        ("born", .greaterThan, .date(36_000), ["Bob"]), ("born", .lessThan, .date(0), ["Dan"]),
        ("born", .equal, .date(36_000), ["Ada", "Eve"]),
        ("isActive", .equal, .bool(true), ["Ada", "Dan"]),
        ("isActive", .equal, .bool(false), ["Bob", "Eve"]),
        ("isActive", .notEqual, .bool(true), ["Bob", "Eve"]),
        ("name", .equal, .string("Bob"), ["Bob"]), ("name", .equal, .string("bob"), []),
        ("name", .lessThan, .string("Bob"), ["Ada"]),
        ("name", .greaterThanOrEqual, .string("Dan"), ["Dan", "Eve"]),
      ]
      for (name, operation, constant, names) in cases {
        let filter = try trial.compare("Person.\(name)", operation)
        try trial.expectNames(
          Query("Person", filter, [constant]), names, "\(name) \(operation) \(constant)")
      }
    },
    Check("UUIDs, data, URLs and decimals can be compared for equality") { trial in
      for type in ["uuid", "binary", "uri", "decimal"] {
        let values = samples.first { $0.type == type }?.values ?? []
        try trial.insert("Sample", values.map { NewObject([type: $0]) })
        let filter = try trial.compare("Sample.\(type)", .equal)
        for value in values {
          let rows = try trial.rows(Query("Sample", filter, [value]))
          try expect(rows.count, equals: 1, "Rows whose \(type) equals the constant")
        }
      }
    },
    Check("a comparison with a null constant and its negation are true for no row") { trial in
      _ = try Town(in: trial)
      for operation in [ComparisonOperator.equal, .notEqual, .lessThan, .greaterThanOrEqual] {
        let filter = try trial.compare("Person.age", operation)
        try trial.expectNames(Query("Person", filter, [.null]), [], "age \(operation) null")
        try trial.expectNames(
          Query("Person", .not(filter), [.null]), [], "not (age \(operation) null)")
      }
    },
    Check("isNull is true or false, never unknown") { trial in
      _ = try Town(in: trial)
      let isNull = Filter.isNull(try trial.operand("Person.age"))
      try trial.expectNames(Query("Person", isNull), ["Cyd"], "age is null")
      try trial.expectNames(Query("Person", .not(isNull)), everybody, "age is not null")
      let homeless = Filter.isNull(try trial.operand("Person.home"))
      try trial.expectNames(Query("Person", homeless), ["Cyd"], "home is null")
    },
    Check("a negated comparison excludes rows with nulls") { trial in
      _ = try Town(in: trial)
      let filter = Filter.not(try trial.compare("Person.age", .equal))
      try trial.expectNames(Query("Person", filter, [.int(36)]), ["Bob", "Dan"], "not age = 36")
    },
    Check("AND, OR and NOT combine unknown conditions as in SQL", combinations),
    Check("constant, empty and nested conditions are evaluated") { trial in
      _ = try Town(in: trial)
      let all = everybody + ["Cyd"]
      let cases: [(Filter, [String])] = [
        (.constant(true), all), (.constant(false), []), (.and([]), all), (.or([]), []),
        (.not(.constant(false)), all), (.not(.or([])), all), (.and([.constant(true)]), all),
        (.or([.constant(false), .and([.constant(true), .not(.constant(false))])]), all),
      ]
      for (filter, names) in cases {
        try trial.expectNames(Query("Person", filter), names, "\(filter)")
      }
    },
    Check("two properties of a row can be compared with each other") { trial in
      _ = try Town(in: trial)
      let filter = Filter.comparison(
        try trial.operand("Person.age"), .greaterThan, try trial.operand("Person.height"), [])
      try trial.expectNames(Query("Person", filter), ["Ada", "Bob", "Eve"], "age > height")
    },
    Check("a long chain of alternatives is evaluated") { trial in
      _ = try Town(in: trial)
      let serial = try trial.operand("Person.serial")
      let parts = (0..<500).map { Filter.comparison(serial, .equal, .binding($0), []) }
      let bindings = (0..<500).map { Value.int(Int64($0) + 4) }
      try trial.expectNames(Query("Person", .or(parts), bindings), ["Dan", "Eve"], "500 serials")
    },
  ]

  /// The names of all people whose attribute values are not null.
  static let everybody = ["Ada", "Bob", "Dan", "Eve"]

  private static func combinations(_ trial: StoreTrial) throws {
    _ = try Town(in: trial)
    let unknownForCyd = try trial.compare("Person.age", .greaterThan)
    let trueForCyd = Filter.isNull(try trial.operand("Person.age"))
    let cases: [(String, Filter, [String])] = [
      ("unknown and true", .and([unknownForCyd, trueForCyd]), []),
      ("not (unknown and true)", .not(.and([unknownForCyd, trueForCyd])), everybody),
      ("unknown or true", .or([unknownForCyd, trueForCyd]), ["Bob", "Cyd"]),
      ("not (unknown or true)", .not(.or([unknownForCyd, trueForCyd])), ["Ada", "Dan", "Eve"]),
      ("unknown or false", .or([unknownForCyd, .constant(false)]), ["Bob"]),
      (
        "not (unknown and false)", .not(.and([unknownForCyd, .constant(false)])),
        everybody + ["Cyd"]
      ),
    ]
    for (title, filter, names) in cases {
      try trial.expectNames(Query("Person", filter, [.int(36)]), names, title)
    }
  }
}
