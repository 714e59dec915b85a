package import Foundation
internal import Synchronization

/// What a Swift predicate has beyond the type of its expression: key paths, operators, and captured values.
///
/// Two predicates with expressions of one type and with the same parts differ in their values only, and have the same tree. Only
/// expressions whose lowering does not depend on the values have a shape; see ``ShapedExpression``.
package struct PredicateShape {
  /// Addresses of key paths, operators, the order of variables, and which values are nil.
  fileprivate(set) var parts: [Int] = []
  /// The captured values, as arguments of the tree.
  fileprivate(set) var values: [Any] = []
  /// The key paths, whose addresses have to stay theirs.
  fileprivate(set) var keyPaths: [AnyKeyPath] = []
  /// Whether only the values make a difference.
  fileprivate(set) var isRepeatable = true
  private var variables: [PredicateExpressions.VariableID]
  private let captured: (Any) -> Any?
  private let keepsKeyPaths: Bool

  fileprivate init(
    object: PredicateExpressions.VariableID, captured: @escaping (Any) -> Any?,
    keepsKeyPaths: Bool
  ) {
    variables = [object]
    self.captured = captured
    self.keepsKeyPaths = keepsKeyPaths
  }

  // MARK: Parts

  fileprivate mutating func note(_ part: Int) { parts.append(part) }

  fileprivate mutating func note(_ keyPath: AnyKeyPath) {
    parts.append(Int(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque()))
    if keepsKeyPaths { keyPaths.append(keyPath) }
  }

  fileprivate mutating func note(_ variable: PredicateExpressions.VariableID) {
    if let known = variables.firstIndex(of: variable) { return note(known) }
    note(variables.count)
    variables.append(variable)
  }

  /// Notes a value whose like all lead to the same tree.
  package mutating func note(value: Any) { values.append(value) }

  /// Notes a value that only the layer above can turn into one of the graph.
  package mutating func note(reference: Any) {
    if let value = captured(reference) { values.append(value) } else { isRepeatable = false }
  }

  /// Notes a truth value, which is a constant of the tree, or that a value is nil.
  fileprivate mutating func note(constant: Bool) { note(constant ? 1 : 0) }

  /// Notes that the tree depends on a value.
  fileprivate mutating func noteParticular() { isRepeatable = false }
}

/// A captured value that adds itself to a shape, with what the tree depends on.
package protocol ShapedValue {
  func note(in shape: inout PredicateShape)
}

// MARK: - The trees of shapes

/// The trees of Swift predicates that were translated before, for others of the same shapes.
///
/// > Concurrency: Any thread.
enum ShapedForms {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let parts: [Int]
  }

  // Invariant of the unchecked conformance: templates and key paths are immutable.
  private struct Entry: @unchecked Sendable {
    let template: PredicateTemplate
    /// For each argument, which of the captured values it is.
    let sources: [Int]
    let keyPaths: [AnyKeyPath]
  }

  private static let limit = 1_024
  private static let entries = Mutex<[Key: Entry]>([:])

  /// The form of an expression: a known one of its shape with its values, else what `make` returns.
  static func form<Expression: PredicateExpression, Failure: Error>(
    of expression: Expression, _ object: PredicateExpressions.VariableID,
    _ captured: @escaping (Any) -> Any?, make: () throws(Failure) -> PredicateForm
  ) throws(Failure) -> PredicateForm {
    guard let reader = ShapeReaders.reader(of: Expression.self) else { return try make() }
    var shape = PredicateShape(object: object, captured: captured, keepsKeyPaths: false)
    reader(expression, &shape)
    guard shape.isRepeatable else { return try make() }
    let key = Key(type: ObjectIdentifier(Expression.self), parts: shape.parts)
    if let entry = entries.withLock({ $0[key] }) {
      let values = shape.values
      return .template(
        entry.template, arguments: entry.sources.map { values[$0] }, variables: [:])
    }
    let form = try make()
    guard case .template(let template, let arguments, _) = form,
      let sources = sources(of: arguments, in: shape.values)
    else { return form }
    var kept = PredicateShape(object: object, captured: captured, keepsKeyPaths: true)
    reader(expression, &kept)
    let entry = Entry(template: template, sources: sources, keyPaths: kept.keyPaths)
    entries.withLock { entries in
      if entries.count >= limit { entries.removeAll(keepingCapacity: true) }
      entries[key] = entry
    }
    return form
  }

  /// Which of the values each argument is; nil where that cannot be told, or a value is none of the arguments.
  private static func sources(of arguments: [Any?], in values: [Any]) -> [Int]? {
    let known = values.compactMap { $0 as? AnyHashable }
    guard known.count == values.count, Set(known).count == known.count else { return nil }
    var sources: [Int] = []
    for argument in arguments {
      guard let argument = argument as? AnyHashable, let source = known.firstIndex(of: argument),
        type(of: argument.base) == type(of: known[source].base)
      else { return nil }
      sources.append(source)
    }
    return Set(sources).count == values.count ? sources : nil
  }
}

// MARK: - Reading shapes

/// An expression whose tree depends on its parts, and not on its captured values.
protocol ShapedExpression: PredicateExpression {
  /// What reads shapes of the type; nil where an operand's type has none.
  static func makeShapeReader() -> ShapeReader<Self>?
}

/// Reads the parts and values of expressions of one type.
typealias ShapeReader<Expression> = (Expression, inout PredicateShape) -> Void

/// The readers of the types that were seen.
enum ShapeReaders {
  private final class Known<Expression> {
    let read: ShapeReader<Expression>?
    init(_ read: ShapeReader<Expression>?) { self.read = read }
  }

  // Invariant of the unchecked conformance: readers are immutable, and capture readers only.
  private struct Box: @unchecked Sendable { var known: [ObjectIdentifier: AnyObject] = [:] }

  private static let box = Mutex(Box())

  /// The reader of a type; nil where shapes do not decide about trees.
  static func reader<Expression: PredicateExpression>(
    of type: Expression.Type
  ) -> ShapeReader<Expression>? {
    let id = ObjectIdentifier(type)
    if let known = box.withLock({ $0.known[id] }) as? Known<Expression> { return known.read }
    let known = Known<Expression>(make(type))
    box.withLock { $0.known[id] = known }
    return known.read
  }

  private static func make<Expression: PredicateExpression>(
    _ type: Expression.Type
  ) -> ShapeReader<Expression>? {
    func open<Shaped: ShapedExpression>(_ type: Shaped.Type) -> Any? {
      Shaped.makeShapeReader().map { Known<Shaped>($0) }
    }
    guard let shaped = type as? any ShapedExpression.Type else { return nil }
    return (open(shaped) as? Known<Expression>)?.read
  }

  fileprivate static func value<Content>(
    _ type: Content.Type
  ) -> ShapeReader<PredicateExpressions.Value<Content>>? {
    func open<Shaped: ShapedValue>(_ type: Shaped.Type) -> Any {
      Known<PredicateExpressions.Value<Shaped>> { expression, shape in
        expression.value.note(in: &shape)
      }
    }
    guard let shaped = type as? any ShapedValue.Type else { return nil }
    return (open(shaped) as? Known<PredicateExpressions.Value<Content>>)?.read
  }
}

extension PredicateExpressions.Value: ShapedExpression {
  static func makeShapeReader() -> ShapeReader<Self>? { ShapeReaders.value(Output.self) }
}

extension PredicateExpressions.NilLiteral: ShapedExpression {
  static func makeShapeReader() -> ShapeReader<Self>? { { _, _ in } }
}

extension PredicateExpressions.Variable: ShapedExpression {
  static func makeShapeReader() -> ShapeReader<Self>? { { $1.note($0.key) } }
}

extension PredicateExpressions.KeyPath: ShapedExpression {
  static func makeShapeReader() -> ShapeReader<Self>? {
    guard let root = ShapeReaders.reader(of: Root.self) else { return nil }
    return { expression, shape in
      root(expression.root, &shape)
      shape.note(expression.keyPath)
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: ShapedExpression {
  static func makeShapeReader() -> ShapeReader<Self>? {
    guard let wrapped = ShapeReaders.reader(of: LHS.self),
      let transform = ShapeReaders.reader(of: RHS.self)
    else { return nil }
    return { expression, shape in
      wrapped(expression.wrapped, &shape)
      shape.note(expression.variable.key)
      transform(expression.transform, &shape)
    }
  }
}

/// A shaped expression with two operands.
protocol ShapedPair: ShapedExpression {
  associatedtype LHS: PredicateExpression
  associatedtype RHS: PredicateExpression
  var lhs: LHS { get }
  var rhs: RHS { get }
  /// Notes the operator, where the type leaves it open.
  func noteOperator(in shape: inout PredicateShape)
}

extension ShapedPair {
  func noteOperator(in shape: inout PredicateShape) {}

  static func makeShapeReader() -> ShapeReader<Self>? {
    guard let left = ShapeReaders.reader(of: LHS.self),
      let right = ShapeReaders.reader(of: RHS.self)
    else { return nil }
    return { expression, shape in
      expression.noteOperator(in: &shape)
      left(expression.lhs, &shape)
      right(expression.rhs, &shape)
    }
  }
}

extension PredicateExpressions.Equal: ShapedPair {}
extension PredicateExpressions.NotEqual: ShapedPair {}
extension PredicateExpressions.Conjunction: ShapedPair {}
extension PredicateExpressions.Disjunction: ShapedPair {}

extension PredicateExpressions.Comparison: ShapedPair {
  func noteOperator(in shape: inout PredicateShape) {
    switch op {
    case .lessThan: shape.note(0)
    case .lessThanOrEqual: shape.note(1)
    case .greaterThan: shape.note(2)
    case .greaterThanOrEqual: shape.note(3)
    @unknown default: shape.noteParticular()
    }
  }
}

extension PredicateExpressions.Negation: ShapedExpression {
  static func makeShapeReader() -> ShapeReader<Self>? {
    guard let wrapped = ShapeReaders.reader(of: Wrapped.self) else { return nil }
    return { wrapped($0.wrapped, &$1) }
  }
}

// MARK: - Values

extension String: ShapedValue {
  package func note(in shape: inout PredicateShape) {
    // Other texts may have several spellings, each of which is a part of the tree.
    if utf8.allSatisfy({ $0 < 0x80 }) { shape.note(value: self) } else { shape.noteParticular() }
  }
}

extension Bool: ShapedValue {
  package func note(in shape: inout PredicateShape) { shape.note(constant: self) }
}

extension Double: ShapedValue {
  package func note(in shape: inout PredicateShape) {
    if isNaN { shape.noteParticular() } else { shape.note(value: self) }
  }
}

extension ShapedValue {
  package func note(in shape: inout PredicateShape) { shape.note(value: self) }
}

extension Int: ShapedValue {}
extension Int16: ShapedValue {}
extension Int32: ShapedValue {}
extension Int64: ShapedValue {}
extension Date: ShapedValue {}
extension UUID: ShapedValue {}

extension Optional: ShapedValue where Wrapped: ShapedValue {
  package func note(in shape: inout PredicateShape) {
    shape.note(constant: self == nil)
    self?.note(in: &shape)
  }
}
