import Foundation

/// The operators that a key path can apply to a collection.
enum CollectionOperator: String {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case union = "@unionOfObjects"
  case distinctUnion = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether the result of the operator is a collection.
  var isUnion: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: false
    default: true
    }
  }

  /// Applies the operator to the members of a collection, after their further steps.
  func apply(to members: [Any?]) -> Any? {
    switch self {
    case .count: return members.count
    case .sum: return Aggregation.sum(Self.values(members)).anyValue
    case .average: return Aggregation.average(Self.values(members)).anyValue
    case .minimum: return Aggregation.minimum(Self.values(members)).anyValue
    case .maximum: return Aggregation.maximum(Self.values(members)).anyValue
    case .union: return members
    case .distinctUnion: return Self.distinct(members)
    case .unionOfArrays, .unionOfSets: return Self.flattened(members)
    case .distinctUnionOfArrays, .distinctUnionOfSets:
      return Self.distinct(Self.flattened(members))
    }
  }

  private static func values(_ members: [Any?]) -> [Value] {
    members.compactMap { Value(any: $0) }.filter { $0 != .null }
  }

  private static func flattened(_ members: [Any?]) -> [Any?] {
    members.flatMap { member in
      member.flatMap(Collections.members) ?? [member]
    }
  }

  private static func distinct(_ members: [Any?]) -> [Any?] {
    var seen = Set<Value>()
    return members.filter { member in
      guard let value = Value(any: member) else { return true }
      return value != .null && seen.insert(value.normalized).inserted
    }
  }
}

/// Sums and extremes of values, by the rules of SQL: without values, an extreme is null and a sum
/// is zero.
enum Aggregation {
  static func sum(_ values: [Value]) -> Value {
    values.reduce(.int(0)) { Arithmetic.apply(.add, $0, $1) }
  }

  static func average(_ values: [Value]) -> Value {
    let numbers = values.compactMap(\.realNumber)
    return numbers.isEmpty ? .null : .double(numbers.reduce(0, +) / Double(numbers.count))
  }

  static func minimum(_ values: [Value]) -> Value {
    extreme(values) { Value.order($0, $1) == .orderedAscending }
  }

  static func maximum(_ values: [Value]) -> Value {
    extreme(values) { Value.order($0, $1) == .orderedDescending }
  }

  private static func extreme(
    _ values: [Value], _ isBetter: (Value, Value) -> Bool
  ) -> Value {
    guard let first = values.first else { return .null }
    return values.dropFirst().reduce(first) { isBetter($1, $0) ? $1 : $0 }
  }
}
