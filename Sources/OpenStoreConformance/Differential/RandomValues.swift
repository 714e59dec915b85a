import OpenPredicates

/// Random attribute values from a small set, so that equal values occur.
enum RandomValues {
  private static let texts = [
    "", "a", "A", "ab", "aB", "b", "é", "É", "e", "Zoë", "zoe", "日本", "x%y", "x_y", "ÄÖ", "äö",
  ]

  static func text(_ random: inout SplitMix64) -> Value { .string(random.element(of: texts)) }

  static func integer(_ random: inout SplitMix64) -> Value { .int(Int64(random.below(13)) - 6) }

  static func real(_ random: inout SplitMix64) -> Value {
    .double(Double(random.below(21) - 10) * 0.5)
  }

  static func values(of entity: String, _ random: inout SplitMix64) -> [String: Value] {
    var values: [String: Value] = [:]
    for name in attributes[entity] ?? [] {
      values[name] = random.once(in: 5) ? .null : value(of: name, &random)
    }
    return values
  }

  /// Returns a random value for an attribute with the given name.
  static func value(of name: String, _ random: inout SplitMix64) -> Value {
    switch name {
    case "age", "population", "households": integer(&random)
    case "height", "revenue": real(&random)
    case "isActive": .bool(random.once(in: 2))
    case "born": .date(Double(random.below(9)) * 1000.25)
    default: text(&random)
    }
  }

  /// The attributes that receive random values, by entity.
  static let attributes: [String: [String]] = [
    "Person": ["name", "age", "height", "isActive", "born", "note"],
    "Company": ["name", "revenue"], "Tag": ["name"],
    "City": ["name", "population"], "Capital": ["name", "population", "parliament"],
    "Village": ["name", "households"], "Place": ["name"],
  ]
}
