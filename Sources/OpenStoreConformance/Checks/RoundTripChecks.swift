import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks that values are read as they were written.
extension StoreConformance {
  static let roundTripChecks: [Check] =
    samples.map { sample in
      Check("\(sample.type) values are returned as written, from rows and from fetches") { trial in
        try checkRoundTrip(sample, trial)
      }
    } + [
      Check("an object without values has only nulls") { trial in
        let id = try trial.insert("Sample", NewObject([:]))
        for sample in samples {
          try expect(
            try trial.value(sample.type, of: id), equals: .null, "\(sample.type) of no value")
        }
      },
      Check("inherited and own values of a sub-entity are returned") { trial in
        let id = try trial.insert(
          "Capital",
          NewObject([
            "name": .string("Oslo"), "population": .int(700_000), "parliament": .string("Storting"),
          ]))
        let row = try trial.storedRow(id)
        try expect(
          row.entityIndex, equals: try trial.schema.entity("Capital").index, "Actual entity")
        try expect(try trial.value("name", of: row), equals: .string("Oslo"), "Inherited name")
        try expect(
          try trial.value("population", of: row), equals: .int(700_000), "Inherited population")
        try expect(
          try trial.value("parliament", of: row), equals: .string("Storting"), "Own parliament")
      },
      Check("to-one destinations are returned, and a missing destination is null") { trial in
        let town = try Town(in: trial)
        try expect(
          try trial.value("home", of: try town.person("Dan")),
          equals: trial.reference(try town.place("Fjord")), "Home in a sub-entity")
        try expect(
          try trial.value("home", of: try town.person("Cyd")), equals: .null, "No home")
      },
      Check("a row contains the actual entity of a to-one destination") { trial in
        let town = try Town(in: trial)
        let cases = [("Ada", "Capital"), ("Bob", "City"), ("Cyd", nil), ("Dan", "Village")]
        for (name, entity) in cases {
          let expected = try entity.map { Int64(try trial.schema.entity($0).index) + 1 }
          try expect(
            try trial.destinationNumber("home", of: try town.person(name)), equals: expected,
            "Entity number of the home of \(name)")
        }
      },
    ]

  /// Values of an attribute of the sample entity. The attribute has the name of its type.
  struct Sample: Sendable {
    let type: String
    let values: [Value]
  }

  static let samples: [Sample] = numberSamples + otherSamples

  private static let numberSamples: [Sample] = [
    Sample(
      type: "integer16", values: [0, 1, -1, Int64(Int16.min), Int64(Int16.max)].map(Value.int)),
    Sample(type: "integer32", values: [0, -7, Int64(Int32.min), Int64(Int32.max)].map(Value.int)),
    Sample(type: "integer64", values: [0, 1 << 53 + 1, .min, .max].map(Value.int)),
    Sample(
      type: "decimal",
      values: ["0", "1", "-12.5", "0.01", "123456789.25"].map(decimal)),
    Sample(
      type: "double",
      values: [
        0, 0.1, -1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity,
        1e300,
        3,
      ].map(Value.double)),
    Sample(
      type: "float",
      values: [0, 0.5, Double(Float(0.1)), Double(Float.greatestFiniteMagnitude)].map {
        .double($0)
      }),
    Sample(type: "boolean", values: [.bool(true), .bool(false)]),
    Sample(
      type: "date", values: [0, 0.001, -63_114_076_800, 700_000_000.123456, 1e10].map(Value.date)),
  ]

  private static let otherSamples: [Sample] = [
    Sample(
      type: "string",
      values: [
        "", " ", "plain", "NULL", "'quoted\"", "a\u{0}b", "é e\u{301}", "日本語", "👩‍👩‍👧‍👦", "שלום",
        String(repeating: "long ", count: 40_000),
      ].map(Value.string)),
    Sample(
      type: "binary",
      values: [
        Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data(repeating: 0xA5, count: 200_000),
      ].map(Value.data)),
    Sample(
      type: "uuid",
      values: [
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
        .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))),
      ]),
    Sample(
      type: "uri",
      values: ["https://example.org/a%20b?c=d#e", "file:///tmp/x", "mailto:a@b.c"]
        .compactMap { URL(string: $0) }.map(Value.url)),
  ]

  private static func decimal(_ text: String) -> Value {
    .decimal(DecimalValue(Decimal(string: text) ?? .nan))
  }

  private static func checkRoundTrip(_ sample: Sample, _ trial: StoreTrial) throws {
    let values = sample.values + [.null]
    let objects = values.enumerated().map { index, value in
      NewObject(["serial": .int(Int64(index)), sample.type: value])
    }
    let keys = try trial.insert("Sample", objects)
    for (key, value) in zip(keys, values) {
      try expectSame(try trial.value(sample.type, of: key), value, "Row of \(sample.type)")
    }
    var query = Query("Sample")
    query.sort = [try trial.ascending("Sample.serial")]
    let rows = try trial.rows(query)
    try expect(rows.map(\.key), equals: keys.map(\.key), "Keys of all samples by serial number")
    for (row, value) in zip(rows, values) {
      try expectSame(try trial.value(sample.type, of: row), value, "Fetched \(sample.type)")
    }
    guard let again = try trial.reopened() else { return }
    for (key, value) in zip(keys, values) {
      try expectSame(try again.value(sample.type, of: key), value, "Reopened \(sample.type)")
    }
    again.close()
  }

  /// Requires equal values. Texts must be equal in every byte, not only canonically equivalent.
  private static func expectSame(_ actual: Value, _ expected: Value, _ message: String) throws {
    if case .string(let one) = actual, case .string(let other) = expected {
      return try expect(Array(one.utf8) == Array(other.utf8), "\(message): same bytes")
    }
    try expect(actual, equals: expected, message)
  }
}
