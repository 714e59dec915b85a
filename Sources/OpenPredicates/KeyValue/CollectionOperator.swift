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

  /// Applies the operator to the members of a collection, after applying the remaining steps to
  /// each member.
  func apply(to members: [Any?], by rules: KeyPathRules) -> Any? {
    switch self {
    case .count: return members.count
    case .sum: return Aggregation.sum(Self.values(members)).anyValue
    case .average: return Self.average(members, rules)
    case .minimum: return Aggregation.minimum(Self.values(members)).anyValue
    case .maximum: return Aggregation.maximum(Self.values(members)).anyValue
    case .union: return Self.array(members, rules)
    case .distinctUnion: return Self.array(Self.distinct(members), rules)
    case .unionOfArrays, .unionOfSets: return Self.array(Self.flattened(members), rules)
    case .distinctUnionOfArrays: return Self.array(Self.distinct(Self.flattened(members)), rules)
    case .distinctUnionOfSets:
      let distinct = Self.distinct(Self.flattened(members))
      guard rules == .keyValueCoding else { return distinct }
      return NSSet(array: Self.present(distinct))
    }
  }

  /// Returns the average of the members. Under the rules of key-value coding, nil counts as 0.
  private static func average(_ members: [Any?], _ rules: KeyPathRules) -> Any? {
    guard rules == .keyValueCoding else { return Aggregation.average(values(members)).anyValue }
    let numbers: [Double] = members.map { Value(any: $0)?.realNumber ?? 0 }
    return NSNumber(value: numbers.reduce(0, +) / Double(max(numbers.count, 1)))
  }

  /// Returns the members of a union as an array, from which key-value coding omits nil.
  private static func array(_ members: [Any?], _ rules: KeyPathRules) -> Any {
    guard rules == .keyValueCoding else { return members }
    return present(members)
  }

  private static func present(_ members: [Any?]) -> [Any] { members.compactMap { $0 } }

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
    var others = Set<AnyHashable>()
    return members.filter { member in
      if let value = Value(any: member) {
        return value != .null && seen.insert(value.normalized).inserted
      }
      // Dictionaries and objects of other classes have no value.
      guard let other = member as? AnyHashable else { return true }
      return others.insert(other).inserted
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
