internal import Foundation
internal import OpenObjectModel
public import OpenPredicates

/// An object on which filters are evaluated: a managed object with its unsaved changes, or a stored
/// row.
public protocol FilterSubject {
  /// Returns the value of an attribute or to-one relationship; a relationship's value is an object
  /// reference.
  ///
  /// - Parameter ordinal: The position of the property among the properties of the subject's
  ///   entity.
  /// - Throws: An error if the value cannot be read.
  func filterValue(_ ordinal: Int) throws -> Value
  /// A reference to the subject itself.
  var filterReference: ObjectReference { get }
  /// The subject's entity, as a position in the model.
  var filterEntityIndex: Int { get }
  /// Returns the destination of the to-one relationship with the given ordinal; nil if there is no
  /// destination.
  ///
  /// - Throws: An error if the destination cannot be read.
  func filterDestination(_ ordinal: Int) throws -> Self?
  /// Returns the destinations of the to-many relationship with the given ordinal.
  ///
  /// - Throws: An error if the destinations cannot be read.
  func filterDestinations(_ ordinal: Int) throws -> [Self]
}

extension Filter {
  /// Evaluates the filter on a subject.
  ///
  /// - Parameters:
  ///   - subject: The object or row to test.
  ///   - bindings: The values that the filter refers to by position.
  /// - Returns: Whether the subject satisfies the filter; nil if the result is unknown.
  /// - Throws: The subject's error if a value cannot be read; `StoreError` with code
  ///   `.unsupportedPredicate` if a sum of integers does not fit into 64 bits.
  @inlinable
  public func evaluate<Subject: FilterSubject>(
    on subject: Subject, bindings: [Value]
  ) throws -> Bool? {
    try FilterEvaluator(row: subject, bindings: bindings).evaluate(self)
  }
}

extension Operand {
  /// Returns the value of the operand for a subject.
  ///
  /// - Parameters:
  ///   - subject: The object or row that provides property values.
  ///   - bindings: The values that the operand refers to by position.
  /// - Throws: The subject's error if a value cannot be read; `StoreError` with code
  ///   `.unsupportedPredicate` if a sum of integers does not fit into 64 bits.
  @inlinable
  public func evaluate<Subject: FilterSubject>(
    on subject: Subject, bindings: [Value]
  ) throws -> Value {
    try FilterEvaluator(row: subject, bindings: bindings).value(self)
  }
}

/// Evaluates filters and operands in memory with SQL's three-valued logic.
///
/// An evaluator belongs to one subject or one group of rows. The code for conditions on the
/// subject's own values is specialized for each type of subject, because a search evaluates these
/// conditions for every row. The code for conditions on relationships is not specialized.
public struct FilterEvaluator<Subject: FilterSubject> {
  /// The subject, or the destination on which an inner filter is evaluated.
  ///
  /// The value is nil for a group without rows; all paths of such a group are null.
  @usableFromInline let row: Subject?
  /// The subjects of the enclosing filters, innermost last.
  @usableFromInline var outer: [Subject] = []
  @usableFromInline let bindings: [Value]
  /// The rows of the group, for conditions on groups and for columns with aggregates.
  @usableFromInline let group: [Subject]
  @usableFromInline let columns: [Value]

  /// Creates an evaluator.
  ///
  /// - Parameters:
  ///   - row: The subject, or the first row of the group; nil for a group without rows.
  ///   - bindings: The values that operands refer to by position.
  ///   - group: The rows over which ``Operand/total(_:_:isDistinct:)`` and ``Operand/rowCount`` are
  ///     computed.
  ///   - columns: The values that ``Operand/column(_:)`` refers to.
  @inlinable
  public init(
    row: Subject?, bindings: [Value], group: [Subject] = [], columns: [Value] = []
  ) {
    self.row = row
    self.bindings = bindings
    self.group = group
    self.columns = columns
  }

  private func inside(_ destination: Subject) -> FilterEvaluator {
    var inner = FilterEvaluator(
      row: destination, bindings: bindings, group: group, columns: columns)
    inner.outer = row.map { outer + [$0] } ?? outer
    return inner
  }

  // MARK: Conditions

  /// Evaluates a filter on the subject.
  ///
  /// - Parameter filter: The filter to evaluate.
  /// - Returns: Whether the subject satisfies the filter; nil if the result is unknown.
  /// - Throws: The subject's error if a value cannot be read; `StoreError` with code
  ///   `.unsupportedPredicate` if a sum of integers does not fit into 64 bits.
  @inlinable
  public func evaluate(_ filter: Filter) throws -> Bool? {
    switch filter {
    case .constant(let flag): return flag
    case .and(let parts): return try combined(parts, until: false)
    case .or(let parts): return try combined(parts, until: true)
    case .not(let part): return try evaluate(part).map { !$0 }
    case .isTrue(let part): return try evaluate(part) == true
    case .isNull(let operand): return try value(operand) == .null
    case .comparison(let left, let operation, let right, let options):
      return ValueComparison.evaluate(try value(left), operation, try value(right), options)
    case .isMember(let operand, let list, let options):
      return try isMember(operand, list, options)
    case .isBetween(let operand, let lower, let upper):
      let value = try value(operand)
      let above = ValueComparison.evaluate(value, .greaterThanOrEqual, try self.value(lower), [])
      let below = ValueComparison.evaluate(value, .lessThanOrEqual, try self.value(upper), [])
      if above == false || below == false { return false }
      return above == nil || below == nil ? nil : true
    case .exists(let path, let part): return try exists(path, part)
    case .containsWords(let path, let attributes, let query):
      return try containsWords(path, attributes, query)
    case .isKind(let path, let entities):
      return try entityIndex(path).map { entities.contains($0) }
    }
  }

  // Conditions that follow relationships are in separate functions. Each call of these functions
  // rebuilds the types that it needs. Conditions on the subject's own values avoid this cost.

  @usableFromInline @inline(never)
  func exists(_ path: RelationshipPath, _ part: Filter) throws -> Bool {
    try destinations(path).contains { try inside($0).evaluate(part) == true }
  }

  @usableFromInline @inline(never)
  func containsWords(_ path: PropertyPath, _ attributes: [Int: [Int]], _ query: Int) throws -> Bool
  {
    guard let subject = try follow(path.steps, level: path.level),
      case .string(let text) = bindings[query]
    else { return false }
    let ordinals = attributes[subject.filterEntityIndex] ?? []
    return TextQuery.reading(text).matches(
      try ordinals.compactMap { try subject.filterValue($0).text })
  }

  @usableFromInline @inline(never)
  func entityIndex(_ path: PropertyPath) throws -> Int? {
    try follow(path.steps, level: path.level)?.filterEntityIndex
  }

  /// Combines filters with "and" or "or"; the first filter with the value `deciding` determines the
  /// result.
  @inlinable
  func combined(_ parts: [Filter], until deciding: Bool) throws -> Bool? {
    var result: Bool? = !deciding
    for part in parts {
      let value = try evaluate(part)
      if value == deciding { return deciding }
      if value == nil { result = nil }
    }
    return result
  }

  @inlinable
  func isMember(
    _ operand: Operand, _ list: Int, _ options: StringOptions
  ) throws -> Bool? {
    let value = try value(operand)
    guard value != .null else { return nil }
    guard case .list(let members) = bindings[list] else { return false }
    return members.contains { ValueComparison.evaluate(value, .equal, $0, options) == true }
  }

  // MARK: Values

  /// Returns the value of an operand for the subject.
  ///
  /// - Parameter operand: The operand to evaluate.
  /// - Throws: The subject's error if a value cannot be read; `StoreError` with code
  ///   `.unsupportedPredicate` if a sum of integers does not fit into 64 bits.
  @inlinable
  public func value(_ operand: Operand) throws -> Value {
    switch operand {
    case .binding(let position): return bindings[position]
    case .column(let position): return columns[position]
    case .property(let path):
      guard path.steps.isEmpty else { return try value(behind: path) }
      guard let subject = row(at: path.level) else { return .null }
      return try value(path.end, of: subject)
    case .entityNumber(let path):
      return try entityIndex(path).map { .int(Int64($0) + 1) } ?? .null
    case .count(let path, let filter):
      return .int(Int64(try destinations(path, where: filter).count))
    case .aggregate(let aggregate, let path, let element, let filter):
      return try aggregate.checkedValue(of: values(of: element, path, filter))
    case .function(let name, let operands):
      let result = ValueFunction.apply(name, try operands.map { try number($0, name) })
      // Databases do not store NaN.
      if case .double(let real) = result, real.isNaN { return .null }
      return result
    case .conditional(let filter, let first, let second):
      return try value(evaluate(filter) == true ? first : second)
    case .rowCount: return .int(Int64(group.count))
    case .total(let aggregate, let element, let isDistinct):
      return try aggregate.total(of: values(of: element, isDistinct))
    }
  }

  @inlinable
  func value(_ end: PropertyPath.End, of subject: Subject) throws -> Value {
    switch end {
    case .property(let ordinal): try subject.filterValue(ordinal)
    case .object: .object(subject.filterReference)
    }
  }

  @usableFromInline @inline(never)
  func value(behind path: PropertyPath) throws -> Value {
    guard let end = try follow(path.steps, level: path.level) else { return .null }
    return try value(path.end, of: end)
  }

  /// Returns the values of an operand for the destinations of a relationship.
  @usableFromInline @inline(never)
  func values(
    of element: Operand, _ path: RelationshipPath, _ filter: Filter?
  ) throws -> [Value] {
    try destinations(path, where: filter).map { try inside($0).value(element) }
  }

  /// Returns the value of a function's operand in the form that databases use for calculations.
  ///
  /// A decimal attribute is converted to a real number, so that quotients have a fraction. Bitwise
  /// functions and casts receive an integer if the decimal has no fraction, as from a column.
  @usableFromInline
  func number(_ operand: Operand, _ name: String) throws -> Value {
    let value = try value(operand)
    if case .binding = operand { return value.withoutDecimal }
    guard case .decimal = value, !name.hasPrefix("bitwise"), !name.contains("shift"),
      name != "onesComplement:", name != "castObject:toType:"
    else { return value.withoutDecimal }
    return value.number.map(Value.double) ?? value
  }

  /// Returns the values of an aggregate's operand, one for each row of the group or each distinct
  /// value.
  @usableFromInline
  func values(of element: Operand, _ isDistinct: Bool) throws -> [Value] {
    let values = try group.map {
      try FilterEvaluator(row: $0, bindings: bindings).value(element)
    }
    guard isDistinct else { return values }
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  @usableFromInline @inline(never)
  func destinations(
    _ path: RelationshipPath, where filter: Filter? = nil
  ) throws -> [Subject] {
    guard let source = try follow(path.steps, level: path.level) else { return [] }
    let destinations = try source.filterDestinations(path.ordinal)
    guard let filter else { return destinations }
    return try destinations.filter { try inside($0).evaluate(filter) == true }
  }

  /// Returns the subject that is the given number of filters outward; nil if there are fewer
  /// filters.
  @inlinable
  func row(at level: Int) -> Subject? {
    if level == 0 { return row }
    return level > 0 && level <= outer.count ? outer[outer.count - level] : nil
  }

  private func follow(_ steps: [Int], level: Int) throws -> Subject? {
    guard var reached = row(at: level) else { return nil }
    for step in steps {
      guard let next = try reached.filterDestination(step) else { return nil }
      reached = next
    }
    return reached
  }
}

extension Value {
  /// The value as a double if it is a number, a Boolean value or a date; otherwise nil.
  public var number: Double? {
    switch self {
    case .int(let integer): Double(integer)
    case .double(let real), .date(let real): real
    case .bool(let flag): flag ? 1 : 0
    case .decimal(let decimal): decimal.decimal.nearestDouble
    default: nil
    }
  }
}

extension Value {
  /// The value in the form that databases use for calculations: a decimal becomes an integer or a
  /// double.
  fileprivate var withoutDecimal: Value {
    guard case .decimal(let decimal) = self else { return self }
    let text = decimal.decimal.description
    return Int64(text).map(Value.int) ?? Double(text).map(Value.double) ?? self
  }
}
