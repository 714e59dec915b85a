internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The reason why a store cannot execute a part of a predicate that can be evaluated in memory.
struct Untranslatable: Error {
  let reason: String
}

/// Converts predicate trees to a filter: names become positions, and constants become bindings.
///
/// A scope is a row at which a path may start: the row of the fetch, and inside quantifiers and
/// subqueries, the destination that the condition tests. A key path starts at the row of the fetch.
/// The variable of a subquery starts at the subquery's destination. The level of a path is the
/// number of scopes between its position and its start.
struct PredicateLowering {
  let model: CompiledModel
  private(set) var sources: [BindingSource] = []
  /// The entities of the enclosing rows, innermost last.
  var scopes: [CompiledEntity]
  /// The positions in `scopes` of the variables of the enclosing subqueries.
  var iterators: [String: Int] = [:]
  /// Whether the condition is inside `NOT`, where an unknown condition differs from a false one.
  private(set) var isNegated = false
  /// Whether the expression is an operand of a quotient, possibly inside other functions.
  var isInQuotient = false
  /// Whether aggregates of the row's own properties apply to the rows of a group, as in columns.
  var allowsTotals = false
  /// Whether equal constants have the same binding, so that equal expressions are equal operands.
  var sharesBindings = false
  /// The named columns that sort terms and conditions on groups can use, and their kinds.
  var columns: [String: (position: Int, kind: ValueKind)] = [:]
  /// The position of the current template's first argument among all arguments.
  private(set) var firstArgument = 0
  /// The arguments and variables of the current template.
  private(set) var arguments: [Any?] = []
  private(set) var variables: [String: Any] = [:]

  init(entity: CompiledEntity) {
    model = entity.model
    scopes = [entity]
  }

  /// The entity at which key paths start.
  var entity: CompiledEntity { scopes[0] }

  /// Lowers a predicate on objects of the entity.
  ///
  /// - Throws: `Untranslatable` for a condition that only memory can evaluate; `StoreError` for a
  ///   condition that does not match the model; `PredicateFormatError` for a predicate that cannot
  ///   be parsed.
  mutating func filter(_ form: PredicateForm) throws -> Filter {
    switch form {
    case .template(let template, let arguments, let variables):
      self.arguments = arguments
      self.variables = variables
      defer {
        firstArgument += arguments.count
        // Later parts, such as columns, have no arguments or variables.
        (self.arguments, self.variables) = ([], [:])
      }
      return try filter(template.root)
    case .compound(let type, let parts):
      let filters = try negating(type == .not) { lowering in
        try lowering.filters(parts) { try $0.filter($1) }
      }
      switch type {
      case .and: return Self.and(filters)
      case .or: return filters.isEmpty ? .constant(false) : .or(filters)
      case .not: return .not(filters.first ?? .constant(true))
      @unknown default: return .constant(false)
      }
    case .constant(let value): return .constant(value)
    case .block: throw Untranslatable(reason: "a block or a custom predicate class")
    case .memory(let reason): throw Untranslatable(reason: reason)
    case .invalid(let error): throw error
    }
  }

  static func and(_ filters: [Filter]) -> Filter {
    filters.isEmpty ? .constant(true) : filters.count == 1 ? filters[0] : .and(filters)
  }

  mutating func filter(_ node: PredicateNode) throws -> Filter {
    switch node {
    case .constant(let value): return .constant(value)
    case .not(let part): return .not(try negating(true) { try $0.filter(part) })
    case .and(let parts): return Self.and(try filters(parts) { try $0.filter($1) })
    case .or(let parts): return .or(try filters(parts) { try $0.filter($1) })
    case .comparison(let comparison): return try filter(comparison)
    }
  }

  /// Lowers conditions, which are inside `NOT` if `isInNegation` is true.
  private mutating func negating<Result>(
    _ isInNegation: Bool, _ lower: (inout PredicateLowering) throws -> Result
  ) rethrows -> Result {
    let outer = isNegated
    isNegated = outer || isInNegation
    defer { isNegated = outer }
    return try lower(&self)
  }

  /// Lowers all parts of a compound predicate.
  ///
  /// - Throws: The error of an invalid part before the error of a part that only memory can
  ///   evaluate. Therefore a key that the model does not have is an error in every part.
  private mutating func filters<Part>(
    _ parts: [Part], _ lower: (inout PredicateLowering, Part) throws -> Filter
  ) throws -> [Filter] {
    var filters: [Filter] = []
    var untranslatable: Untranslatable?
    for part in parts {
      do {
        filters.append(try lower(&self, part))
      } catch let gap as Untranslatable {
        untranslatable = untranslatable ?? gap
      }
    }
    if let untranslatable { throw untranslatable }
    return filters
  }

  /// Returns a binding whose source is evaluated for each request.
  mutating func bind(_ source: BindingSource) -> Operand { .binding(position(of: source)) }

  /// Returns the position of the binding for a source, which the method adds if necessary.
  mutating func position(of source: BindingSource) -> Int {
    if sharesBindings, let position = sources.firstIndex(of: source) { return position }
    sources.append(source)
    return sources.count - 1
  }

  func unsupported(_ message: String, _ key: String? = nil) -> StoreError {
    StoreError(.unsupportedPredicate, message, entityName: entity.name, propertyName: key)
  }
}

/// One side of a comparison before the other side is known.
indirect enum Term {
  /// A value that depends on the row.
  case operand(Operand, ValueKind)
  case constant(Value)
  case argument(Int)
  /// An expression of constants and arguments, evaluated once for each request.
  case expression(ExpressionNode)
  /// A list in which at least one element depends on the row.
  case list([Term])
  case collection(Destinations)
  /// The entity of an object.
  case entity(PropertyPath)
  case entityNamed(String)

  /// The kind of the value; `any` if the kind is unknown.
  var kind: ValueKind {
    if case .operand(_, let kind) = self { kind } else { .any }
  }
}

/// The objects at the end of to-many relationships, and the property of these objects to compare.
struct Destinations {
  /// A relationship to follow from the previous row, and the condition on its destinations.
  struct Step {
    var path: RelationshipPath
    var filter: Filter?
  }

  var steps: [Step]
  var destination: CompiledEntity
  /// The compared value of each object; the path starts at the destination.
  var element: PropertyPath
  var kind: ValueKind
  /// The key path, for error messages.
  var name: String
  /// Whether equal elements count only once.
  var isDistinct = false

  /// Returns a filter that tests whether any element satisfies a condition, which applies inside
  /// all steps.
  func exists(_ condition: Filter) -> Filter {
    steps.reversed().reduce(condition) { inner, step in
      let parts = [step.filter, inner].compactMap(\.self).filter { $0 != .constant(true) }
      return .exists(step.path, PredicateLowering.and(parts))
    }
  }
}
