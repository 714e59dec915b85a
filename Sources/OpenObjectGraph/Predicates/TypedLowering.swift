internal import OpenPredicates
internal import Synchronization

/// The conversion of a typed predicate's tree into the tree of a predicate format, with
/// placeholders for the values.
///
/// Confined to one thread. The conversion resolves key paths to property names. If a key path does
/// not refer to a managed property, the predicate is invalid.
struct TypedLowering {
  private(set) var arguments: [Any?] = []
  private(set) var failure: PredicateFormatError?
  /// The variables of the enclosing subqueries, outermost first. Paths start from the last
  /// variable.
  private var variables: [String] = []

  mutating func lower(_ node: TypedNode) -> PredicateNode {
    switch node {
    case .constant(let value): return .constant(value)
    case .not(let part): return .not(lower(part))
    case .and(let parts): return .and(parts.map { lower($0) })
    case .or(let parts): return .or(parts.map { lower($0) })
    case .comparison(let comparison): return .comparison(lower(comparison))
    case .quantified(let quantifier, let path, let condition):
      return lower(quantifier, path, condition)
    }
  }

  private mutating func lower(_ comparison: TypedComparison) -> ComparisonNode {
    ComparisonNode(
      left: lower(comparison.left), right: lower(comparison.right),
      operation: comparison.operation, options: comparison.options)
  }

  private mutating func lower(_ term: TypedTerm) -> ExpressionNode {
    switch term {
    case .path(let steps): return expression(names(of: steps))
    case .value(let value):
      guard let value = Self.unwrapped(value) else { return .constant(.null) }
      arguments.append(value)
      return .argument(arguments.count - 1)
    }
  }

  /// Returns a path from the object, or from the variable of the enclosing subquery.
  private func expression(_ names: [String]) -> ExpressionNode {
    guard let variable = variables.last else {
      return names.isEmpty ? .evaluatedObject : .keyPath(names)
    }
    return names.isEmpty ? .variable(variable) : .path(of: .variable(variable), names)
  }

  // MARK: Members

  /// Converts a condition on members. A single comparison with a value becomes a comparison with
  /// `ANY` or `ALL`. Any other condition becomes a comparison of a subquery's count with 0 or, for
  /// `ALL`, with the number of members.
  private mutating func lower(
    _ quantifier: TypedNode.Quantifier, _ path: [PathStep], _ condition: TypedNode
  ) -> PredicateNode {
    if case .comparison(var comparison) = condition, case .path(let rest) = comparison.left,
      case .value = comparison.right, !rest.contains(where: \.isOperator)
    {
      comparison.left = .path(path + rest)
      var node = lower(comparison)
      node.modifier = quantifier == .all ? .all : .any
      return quantifier == .none ? .not(.comparison(node)) : .comparison(node)
    }
    let collection = expression(names(of: path))
    let variable = variables.isEmpty ? "x" : "x\(variables.count + 1)"
    variables.append(variable)
    let filter = lower(condition)
    variables.removeLast()
    func count(_ filter: PredicateNode) -> ExpressionNode {
      .path(of: .subquery(collection, variable: variable, filter), ["@count"])
    }
    // A count of the other members would not include those for which the condition is unknown.
    return .comparison(
      ComparisonNode(
        left: count(filter),
        right: quantifier == .all ? count(.constant(true)) : .constant(.int(0)),
        operation: quantifier == .any ? .greaterThan : .equal))
  }

  // MARK: Names

  /// Returns the keys of a path; empty for the object itself.
  mutating func names(of steps: [PathStep]) -> [String] {
    steps.flatMap { names(of: $0) }
  }

  private mutating func names(of step: PathStep) -> [String] {
    switch step {
    case .collectionOperator(let name): return [name]
    case .keyPath(let keyPath):
      if let name = KeyRecorder.name(of: keyPath) {
        return name.split(separator: ".").map(String.init)
      }
      if type(of: keyPath).valueType == NSManagedObjectID.self { return [] }
      failure =
        failure
        ?? PredicateFormatError(
          code: .invalidKeyPath,
          message: "The key path \(keyPath) does not refer to a managed property. Use "
            + "properties that are declared with @Managed.")
      return []
    }
  }

  /// Returns the value inside nested optionals, or nil if there is none.
  private static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard let optional = value as? any Unwrappable else { return value }
    return unwrapped(optional.payload)
  }
}

extension PathStep {
  fileprivate var isOperator: Bool {
    if case .collectionOperator = self { return true }
    return false
  }
}

/// An optional whose wrapped value can be read from an `Any`.
private protocol Unwrappable {
  var payload: Any? { get }
}

extension Optional: Unwrappable {
  fileprivate var payload: Any? { map { $0 as Any } }
}

/// A cache of the templates of typed predicates, by tree, so that predicates with equal trees share
/// fetch plans.
///
/// Threads may share the cache; its state is in one `Mutex`. When the cache is full, it is emptied,
/// and the templates are then created again.
enum TypedTemplates {
  private static let limit = 1_024
  private static let templates = Mutex<[PredicateNode: PredicateTemplate]>([:])

  static func template(of root: PredicateNode, argumentCount: Int) -> PredicateTemplate {
    templates.withLock { templates in
      if let known = templates[root] { return known }
      if templates.count >= limit { templates.removeAll(keepingCapacity: true) }
      let made = PredicateTemplate(root: root, argumentCount: argumentCount)
      templates[root] = made
      return made
    }
  }
}
