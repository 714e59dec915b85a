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
  private let captured: (Any) -> Any?

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - expression: Where it lies.
  ///   - layout: The parts of its type.
  ///   - object: The variable of the predicate, which other predicates may call otherwise.
  ///   - captured: Turns captured values that only the layer above knows into values of the graph.
  ///   - keepsKeyPaths: Whether ``keyPaths`` is wanted.
  fileprivate init(
    of expression: UnsafeRawPointer, _ layout: [ShapePart],
    object: PredicateExpressions.VariableID, captured: @escaping (Any) -> Any?,
    keepsKeyPaths: Bool
  ) {
    self.captured = captured
    parts.reserveCapacity(layout.count)
    var variables = [object]
    for part in layout {
      switch part {
      case .keyPath(let offset):
        let address = expression.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
        parts.append(Int(bitPattern: address))
        if keepsKeyPaths {
          keyPaths.append(Unmanaged<AnyKeyPath>.fromOpaque(address).takeUnretainedValue())
        }
      case .operation(let offset):
        parts.append(Int(expression.load(fromByteOffset: offset, as: UInt8.self)))
      case .variable(let offset):
        let variable = (expression + offset)
          .assumingMemoryBound(to: PredicateExpressions.VariableID.self).pointee
        let known = variables.firstIndex(of: variable)
        parts.append(known ?? variables.count)
        if known == nil { variables.append(variable) }
      case .value(let offset, let note): note(expression + offset, &self)
      }
    }
  }

  /// Notes a value whose like all lead to the same tree.
  package mutating func note(value: Any) { values.append(value) }

  /// Notes a value that only the layer above can turn into one of the graph.
  package mutating func note(reference: Any) {
    if let value = captured(reference) { values.append(value) } else { isRepeatable = false }
  }

  /// Notes a truth value, which is a constant of the tree, or that a value is nil.
  fileprivate mutating func note(constant: Bool) { parts.append(constant ? 1 : 0) }

  /// Notes that the tree depends on a value.
  fileprivate mutating func noteParticular() { isRepeatable = false }
}

/// A captured value that adds itself to a shape, with what the tree depends on.
package protocol ShapedValue: SendableMetatype {
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
    guard let layout = ShapeLayouts.parts(of: Expression.self) else { return try make() }
    func read(keepsKeyPaths: Bool) -> PredicateShape {
      withUnsafePointer(to: expression) {
        PredicateShape(
          of: $0, layout, object: object, captured: captured, keepsKeyPaths: keepsKeyPaths)
      }
    }
    let shape = read(keepsKeyPaths: false)
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
    let entry = Entry(
      template: template, sources: sources, keyPaths: read(keepsKeyPaths: true).keyPaths)
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

// MARK: - Where parts lie

/// A part of the expressions of one type, and how many bytes behind their beginning it lies.
enum ShapePart: Sendable {
  case keyPath(Int)
  /// An operator that the type leaves open, in one byte.
  case operation(Int)
  case variable(Int)
  /// A captured value; the function notes the one at an address.
  case value(Int, @Sendable (UnsafeRawPointer, inout PredicateShape) -> Void)
}

/// An expression whose tree depends on its parts, and not on its captured values.
protocol ShapedExpression: PredicateExpression {
  /// Adds the parts of expressions of the type.
  static func addParts(to layout: inout ShapeLayout<Self>)
}

/// Finds out where the parts of expressions of a type lie.
///
/// A part is read where it lies: to ask an expression for its operands copies all that is in them.
struct ShapeLayout<Expression> {
  /// Where the expression begins in the whole one.
  private let start: Int
  /// The parts so far; nil when shapes do not decide about the trees of the type.
  private(set) var parts: [ShapePart]? = []

  fileprivate init(start: Int = 0) { self.start = start }

  /// Adds the parts of an operand.
  mutating func add<Operand: PredicateExpression>(operand: KeyPath<Expression, Operand>) {
    guard let offset = offset(of: operand), let type = Operand.self as? any ShapedExpression.Type
    else { return parts = nil }
    func add<Shaped: ShapedExpression>(_ type: Shaped.Type) {
      var inner = ShapeLayout<Shaped>(start: offset)
      Shaped.addParts(to: &inner)
      if let found = inner.parts { parts?.append(contentsOf: found) } else { parts = nil }
    }
    add(type)
  }

  /// Adds the parts of two operands.
  mutating func add<Left: PredicateExpression, Right: PredicateExpression>(
    operands left: KeyPath<Expression, Left>, _ right: KeyPath<Expression, Right>
  ) {
    add(operand: left)
    add(operand: right)
  }

  /// Adds a property of the expression; one of another size than the part's has no shape.
  mutating func add<Value>(
    _ property: KeyPath<Expression, Value>, size: Int = MemoryLayout<Value>.size,
    as part: (Int) -> ShapePart
  ) {
    guard MemoryLayout<Value>.size == size, let offset = offset(of: property) else {
      return parts = nil
    }
    parts?.append(part(offset))
  }

  /// Adds a captured value.
  mutating func add<Value>(value property: KeyPath<Expression, Value>) {
    guard let type = Value.self as? any ShapedValue.Type else { return parts = nil }
    func add<Shaped: ShapedValue>(_ type: Shaped.Type) {
      self.add(property) { offset in
        .value(offset) { $0.assumingMemoryBound(to: Shaped.self).pointee.note(in: &$1) }
      }
    }
    add(type)
  }

  private func offset(of property: PartialKeyPath<Expression>) -> Int? {
    MemoryLayout<Expression>.offset(of: property).map { start + $0 }
  }
}

/// The parts of the types that were seen.
enum ShapeLayouts {
  private static let known = Mutex<[ObjectIdentifier: [ShapePart]?]>([:])

  /// The parts of expressions of a type; nil where shapes do not decide about trees.
  static func parts<Expression: PredicateExpression>(of type: Expression.Type) -> [ShapePart]? {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    let parts = (type as? any ShapedExpression.Type).flatMap { makeParts($0) }
    known.withLock { $0[id] = .some(parts) }
    return parts
  }

  private static func makeParts<Shaped: ShapedExpression>(_ type: Shaped.Type) -> [ShapePart]? {
    var layout = ShapeLayout<Shaped>()
    Shaped.addParts(to: &layout)
    return layout.parts
  }
}

extension PredicateExpressions.Value: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) { layout.add(value: \.value) }
}

extension PredicateExpressions.NilLiteral: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) {}
}

extension PredicateExpressions.Variable: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) {
    layout.add(\.key) { .variable($0) }
  }
}

extension PredicateExpressions.KeyPath: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) {
    layout.add(operand: \.root)
    layout.add(\.keyPath, size: MemoryLayout<UnsafeRawPointer>.size) { .keyPath($0) }
  }
}

extension PredicateExpressions.OptionalFlatMap: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) {
    layout.add(operand: \.wrapped)
    layout.add(\.variable.key) { .variable($0) }
    layout.add(operand: \.transform)
  }
}

extension PredicateExpressions.Negation: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) { layout.add(operand: \.wrapped) }
}

extension PredicateExpressions.Equal: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) { layout.add(operands: \.lhs, \.rhs) }
}

extension PredicateExpressions.NotEqual: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) { layout.add(operands: \.lhs, \.rhs) }
}

extension PredicateExpressions.Conjunction: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) { layout.add(operands: \.lhs, \.rhs) }
}

extension PredicateExpressions.Disjunction: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) { layout.add(operands: \.lhs, \.rhs) }
}

extension PredicateExpressions.Comparison: ShapedExpression {
  static func addParts(to layout: inout ShapeLayout<Self>) {
    layout.add(\.op, size: 1) { .operation($0) }
    layout.add(operands: \.lhs, \.rhs)
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
