internal import Foundation
internal import OpenObjectModel
public import OpenPredicates

/// Something a filter can be evaluated on: a managed object with its edits, or a row of the memory store.
public protocol FilterSubject {
  /// Value of an attribute or to-one relationship (as an object reference), by ordinal.
  func filterValue(_ ordinal: Int) throws -> Value
  /// The subject itself as a value.
  var filterReference: ObjectReference { get }
  /// Destination of a to-one relationship; nil when there is none.
  func filterDestination(_ ordinal: Int) throws -> Self?
  /// Destinations of a to-many relationship.
  func filterDestinations(_ ordinal: Int) throws -> [Self]
}

extension Filter {
  /// Evaluates the filter; nil stands for unknown.
  public func evaluate<Subject: FilterSubject>(
    on subject: Subject, bindings: [Value]
  ) throws -> Bool? {
    switch self {
    case .constant(let value): return value
    case .and(let parts): return try Self.all(parts, on: subject, bindings)
    case .or(let parts): return try Self.any(parts, on: subject, bindings)
    case .not(let part): return try part.evaluate(on: subject, bindings: bindings).map { !$0 }
    case .isNull(let operand): return try operand.value(on: subject, bindings) == .null
    case .comparison(let left, let operation, let right, let options):
      return Comparison.holds(
        try left.value(on: subject, bindings), operation, try right.value(on: subject, bindings),
        options)
    case .isMember(let operand, let list, let options):
      let value = try operand.value(on: subject, bindings)
      guard value != .null else { return nil }
      guard case .list(let members) = bindings[list] else { return false }
      return members.contains { Comparison.holds(value, .equal, $0, options) == true }
    case .isBetween(let operand, let lower, let upper):
      let value = try operand.value(on: subject, bindings)
      let above = Comparison.holds(
        value, .greaterThanOrEqual, try lower.value(on: subject, bindings), [])
      let below = Comparison.holds(
        value, .lessThanOrEqual, try upper.value(on: subject, bindings), [])
      return Self.conjunction(above, below)
    case .exists(let path, let filter):
      guard let source = try subject.follow(path.steps) else { return false }
      return try source.filterDestinations(path.ordinal).contains {
        try filter.evaluate(on: $0, bindings: bindings) == true
      }
    }
  }

  private static func conjunction(_ one: Bool?, _ other: Bool?) -> Bool? {
    if one == false || other == false { return false }
    return one == nil || other == nil ? nil : true
  }

  private static func all<Subject: FilterSubject>(
    _ parts: [Filter], on subject: Subject, _ bindings: [Value]
  ) throws -> Bool? {
    var result: Bool? = true
    for part in parts {
      let value = try part.evaluate(on: subject, bindings: bindings)
      if value == false { return false }
      if value == nil { result = nil }
    }
    return result
  }

  private static func any<Subject: FilterSubject>(
    _ parts: [Filter], on subject: Subject, _ bindings: [Value]
  ) throws -> Bool? {
    var result: Bool? = false
    for part in parts {
      let value = try part.evaluate(on: subject, bindings: bindings)
      if value == true { return true }
      if value == nil { result = nil }
    }
    return result
  }
}

extension FilterSubject {
  fileprivate func follow(_ steps: [Int]) throws -> Self? {
    var reached = self
    for step in steps {
      guard let next = try reached.filterDestination(step) else { return nil }
      reached = next
    }
    return reached
  }

  /// The value at the end of a path; null when a relationship on the way is nil.
  public func filterValue(at path: PropertyPath) throws -> Value {
    guard let end = try follow(path.steps) else { return .null }
    switch path.end {
    case .property(let ordinal): return try end.filterValue(ordinal)
    case .object: return .object(end.filterReference)
    }
  }
}

extension Operand {
  fileprivate func value<Subject: FilterSubject>(
    on subject: Subject, _ bindings: [Value]
  ) throws -> Value {
    switch self {
    case .binding(let position): return bindings[position]
    case .property(let path): return try subject.filterValue(at: path)
    case .count(let path):
      guard let source = try subject.follow(path.steps) else { return .int(0) }
      return .int(Int64(try source.filterDestinations(path.ordinal).count))
    case .aggregate(let aggregate, let path, let attribute):
      guard let source = try subject.follow(path.steps) else { return .null }
      let values = try source.filterDestinations(path.ordinal)
        .map { try $0.filterValue(at: attribute) }.filter { $0 != .null }
      return aggregate.value(of: values)
    case .function(let name, let arguments):
      return FunctionValue.apply(name, try arguments.map { try $0.value(on: subject, bindings) })
    }
  }
}

extension Aggregate {
  /// The aggregate of non-null values; null for none.
  public func value(of values: [Value]) -> Value {
    guard let first = values.first else { return .null }
    switch self {
    case .minimum:
      return values.dropFirst().reduce(first) {
        Value.order($1, $0) == .orderedAscending ? $1 : $0
      }
    case .maximum:
      return values.dropFirst().reduce(first) {
        Value.order($1, $0) == .orderedDescending ? $1 : $0
      }
    case .sum:
      return values.dropFirst().reduce(first) { FunctionValue.apply("add:to:", [$0, $1]) }
    case .average:
      let sum = values.compactMap(\.number).reduce(0, +)
      return .double(sum / Double(values.count))
    }
  }
}

extension Value {
  /// The value as a Double, when it is a number or a date.
  public var number: Double? {
    switch self {
    case .int(let integer): Double(integer)
    case .double(let real), .date(let real): real
    case .bool(let flag): flag ? 1 : 0
    case .decimal(let decimal): (decimal.decimal as NSDecimalNumber).doubleValue
    default: nil
    }
  }
}
