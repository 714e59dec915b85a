package import Foundation
internal import Synchronization

/// The parts of a Swift predicate beyond the type of its expression: key paths, operators and
/// captured values.
///
/// Two predicates have the same tree if their expressions have the same type and all their parts
/// except captured values are equal. Only expressions whose lowering does not depend on the values
/// have a shape; see ``ShapedExpression``.
package struct SwiftPredicateShape {
  /// The parts of a shape that this shape may be equal to.
  private let expected: [Int]
  /// The number of parts at the beginning of `expected` that are parts of this shape.
  private var expectedCount = 0
  /// The parts if they differ from `expected`; nil if all parts so far are parts of `expected`.
  private var ownParts: [Int]?
  /// The captured values, as arguments of the tree.
  fileprivate private(set) var values: [Any?] = []
  /// Whether the predicates of the shape differ only in their values.
  fileprivate private(set) var isRepeatable = true
  private let captured: (Any) -> Any?

  /// Reads the shape of an expression.
  ///
  /// - Parameters:
  ///   - expression: The address of the expression.
  ///   - layout: The parts of the expression's type.
  ///   - expected: The parts of a shape that the shape may be equal to. Until a part differs from
  ///     them, no other array is necessary.
  ///   - object: The variable of the predicate, which may differ between predicates.
  ///   - captured: Converts captured values of a higher layer's types to values of the object
  ///     graph.
  fileprivate init(
    of expression: UnsafeRawPointer, _ layout: ShapedType.Layout, expected: [Int],
    object: PredicateExpressions.VariableID, captured: @escaping (Any) -> Any?
  ) {
    self.captured = captured
    self.expected = expected
    values.reserveCapacity(layout.valueCount)
    var variables: [PredicateExpressions.VariableID] = []
    for part in layout.parts {
      switch part {
      case .keyPath(let offset): note(part: expression.load(fromByteOffset: offset, as: Int.self))
      case .operation(let offset):
        note(part: Int(expression.load(fromByteOffset: offset, as: UInt8.self)))
      case .variable(let offset):
        let variable = (expression + offset)
          .assumingMemoryBound(to: PredicateExpressions.VariableID.self).pointee
        if variable == object {
          note(part: -1)
          continue
        }
        let known = variables.firstIndex(of: variable)
        note(part: known ?? variables.count)
        if known == nil { variables.append(variable) }
      case .value(let offset, let type): type.note(at: expression + offset, in: &self)
      }
    }
  }

  /// The addresses of key paths, the operators, the order of variables, and which values are nil.
  fileprivate var parts: [Int] {
    if let ownParts { return ownParts }
    return isExpected ? expected : Array(expected[..<expectedCount])
  }

  /// Whether the parts are the expected parts.
  fileprivate var isExpected: Bool { ownParts == nil && expectedCount == expected.count }

  private mutating func note(part: Int) {
    if ownParts == nil, expectedCount < expected.count, expected[expectedCount] == part {
      expectedCount += 1
    } else {
      var parts = ownParts ?? Array(expected[..<expectedCount])
      ownParts = nil
      parts.append(part)
      ownParts = parts
    }
  }

  /// Adds a captured value on which the tree does not depend.
  package mutating func note(value: some Any) { values.append(value) }

  /// Adds a captured value that only a higher layer can convert to a value of the object graph.
  ///
  /// If the layer cannot convert the value, the predicate does not share its tree with other
  /// predicates.
  package mutating func note(reference: Any) {
    if let value = captured(reference) { values.append(value) } else { isRepeatable = false }
  }

  /// Adds a Boolean part, on which the tree depends: a Boolean constant, or whether a captured value
  /// is nil.
  package mutating func note(constant: Bool) { note(part: constant ? 1 : 0) }

  /// Records that the tree depends on a value.
  mutating func noteParticular() { isRepeatable = false }
}

// MARK: - The trees of shapes

/// The trees of Swift predicates with expressions of one type, for other predicates of the same
/// shapes.
///
/// > Concurrency: Usable on any thread.
final class ShapedType: Sendable {
  /// The positions of the parts of expressions.
  struct Layout: Sendable {
    let parts: [ShapePart]
    let valueCount: Int

    init(_ parts: [ShapePart]) {
      self.parts = parts
      valueCount = parts.count { if case .value = $0 { true } else { false } }
    }
  }

  // Invariant of the unchecked conformance: templates and key paths are immutable.
  private final class Entry: @unchecked Sendable {
    let parts: [Int]
    let template: PredicateTemplate
    /// The index of the captured value for each argument; nil if the arguments are the values in
    /// order.
    let sources: [Int]?
    /// The key paths, retained so that their addresses are not reused.
    let keyPaths: [AnyKeyPath]

    init(
      parts: [Int], template: PredicateTemplate, sources: [Int]?, keyPaths: [AnyKeyPath]
    ) {
      self.parts = parts
      self.template = template
      self.sources = sources
      self.keyPaths = keyPaths
    }

    /// Returns the form of a predicate with the entry's shape.
    func form(of values: [Any?]) -> PredicateForm {
      .template(template, arguments: sources?.map { values[$0] } ?? values, variables: [:])
    }
  }

  /// The known types; the most recent type is found without hashing.
  private struct Known {
    private static let limit = 1_024

    private var types: [ObjectIdentifier: ShapedType] = [:]
    private var last: (id: ObjectIdentifier, type: ShapedType)?

    mutating func type(_ id: ObjectIdentifier) -> ShapedType? {
      if let last, last.id == id { return last.type }
      guard let type = types[id] else { return nil }
      last = (id, type)
      return type
    }

    mutating func insert(_ type: ShapedType, _ id: ObjectIdentifier) {
      if types.count >= Self.limit { types.removeAll(keepingCapacity: true) }
      types[id] = type
    }
  }

  private static let known = Mutex(Known())

  /// The layout of the type; nil if shapes do not determine the trees of the type.
  private let layout: Layout?
  private let entries = Mutex<[Entry]>([])

  private init(_ layout: Layout?) { self.layout = layout }

  private static func of<Expression: PredicateExpression>(_ type: Expression.Type) -> ShapedType {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0.type(id) }) { return known }
    let parts = (type as? any ShapedExpression.Type).flatMap { makeParts($0) }
    let made = ShapedType(parts.map(Layout.init))
    known.withLock { $0.insert(made, id) }
    return made
  }

  private static func makeParts<Shaped: ShapedExpression>(_ type: Shaped.Type) -> [ShapePart]? {
    var layout = ShapeLayout<Shaped>()
    Shaped.addParts(to: &layout)
    return layout.parts
  }

  /// Returns the form of an expression: a known form of its shape with its values, or the result of
  /// `make`.
  static func form<Expression: PredicateExpression, Failure: Error>(
    of expression: Expression, _ object: PredicateExpressions.VariableID,
    _ captured: @escaping (Any) -> Any?, make: () throws(Failure) -> PredicateForm
  ) throws(Failure) -> PredicateForm {
    let type = of(Expression.self)
    guard let layout = type.layout else { return try make() }
    let first = type.entries.withLock { $0.first }
    let shape = withUnsafePointer(to: expression) {
      SwiftPredicateShape(
        of: $0, layout, expected: first?.parts ?? [], object: object, captured: captured)
    }
    guard shape.isRepeatable else { return try make() }
    if let first, shape.isExpected { return first.form(of: shape.values) }
    if let known = type.form(of: shape) { return known }
    let form = try make()
    withUnsafePointer(to: expression) { type.keep(form, of: shape, keyPaths: $0, layout) }
    return form
  }

  private func form(of shape: SwiftPredicateShape) -> PredicateForm? {
    let parts = shape.parts
    let entry = entries.withLock { $0.first { $0.parts == parts } }
    return entry?.form(of: shape.values)
  }

  private func keep(
    _ form: PredicateForm, of shape: SwiftPredicateShape, keyPaths expression: UnsafeRawPointer,
    _ layout: Layout
  ) {
    guard case .template(let template, let arguments, _) = form,
      let sources = Self.sources(of: arguments, in: shape.values)
    else { return }
    let keyPaths = layout.parts.compactMap { part -> AnyKeyPath? in
      guard case .keyPath(let offset) = part else { return nil }
      let address = expression.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
      return Unmanaged<AnyKeyPath>.fromOpaque(address).takeUnretainedValue()
    }
    let entry = Entry(
      parts: shape.parts, template: template,
      sources: sources.elementsEqual(shape.values.indices) ? nil : sources, keyPaths: keyPaths)
    entries.withLock { entries in
      // Key paths that are created at run time have new shapes.
      if entries.count >= 32 { entries.removeAll(keepingCapacity: true) }
      entries.append(entry)
    }
  }

  /// Returns the index of the value for each argument; nil if an argument is ambiguous or a value
  /// is not an argument.
  private static func sources(of arguments: [Any?], in values: [Any?]) -> [Int]? {
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

/// A part of expressions of one type, with its byte offset from the beginning.
enum ShapePart: Sendable {
  case keyPath(Int)
  /// An operator that the type does not determine, in one byte.
  case operation(Int)
  case variable(Int)
  /// A captured value of a type.
  case value(Int, any ShapedValue.Type)
}

/// An expression whose tree depends on its parts, but not on its captured values.
protocol ShapedExpression: PredicateExpression {
  /// Adds the parts of expressions of this type to a layout.
  static func addParts(to layout: inout ShapeLayout<Self>)
}

/// Determines the positions of the parts of expressions of a type.
///
/// Parts are read in place, because reading the operands of an expression copies their contents.
struct ShapeLayout<Expression> {
  /// The offset of the expression in the whole expression.
  private let start: Int
  /// The parts so far; nil if shapes do not determine the trees of the type.
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

  /// Adds a property of the expression; a property whose size differs from the part's has no shape.
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
    add(property) { .value($0, type) }
  }

  private func offset(of property: PartialKeyPath<Expression>) -> Int? {
    MemoryLayout<Expression>.offset(of: property).map { start + $0 }
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
