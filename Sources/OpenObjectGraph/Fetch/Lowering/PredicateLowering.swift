internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Why a store cannot execute a part of a predicate that can be evaluated in memory.
struct Untranslatable: Error {
  let reason: String
}

/// Turns predicate trees into a filter: names become positions, constants become bindings.
///
/// Scopes are the rows that a path may start from: the row of the fetch, and inside quantifiers and
/// subqueries the destination that the condition is about. Key paths start at the row of the fetch, the
/// variable of a subquery at its destination; a level says how many scopes to leave for that.
struct PredicateLowering {
  let model: CompiledModel
  private(set) var sources: [BindingSource] = []
  /// Entities of the rows around, innermost last.
  var scopes: [CompiledEntity]
  /// Positions in `scopes` of the variables of subqueries around.
  var iterators: [String: Int] = [:]
  /// Whether statistics of the row's own properties go over the rows of a group, as in columns.
  var allowsTotals = false
  /// Positions of columns that conditions on groups and sort terms name, and what they yield.
  var columns: [String: (position: Int, kind: ValueKind)] = [:]
  /// Position of the current template's first argument among all arguments.
  private(set) var firstArgument = 0
  /// Arguments and variables of the current template.
  private(set) var arguments: [Any?] = []
  private(set) var variables: [String: Any] = [:]

  init(entity: CompiledEntity) {
    model = entity.model
    scopes = [entity]
  }

  /// The entity that key paths start at.
  var entity: CompiledEntity { scopes[0] }

  /// The filter of a predicate on objects of the entity.
  ///
  /// - Throws: `Untranslatable` for what only memory can evaluate; `StoreError` for what does not fit the
  ///   model; `PredicateFormatError` for a predicate that could not be parsed.
  mutating func filter(_ form: PredicateForm) throws -> Filter {
    switch form {
    case .template(let template, let arguments, let variables):
      self.arguments = arguments
      self.variables = variables
      defer {
        firstArgument += arguments.count
        // What follows, such as a column, has none of these.
        (self.arguments, self.variables) = ([], [:])
      }
      return try filter(template.root)
    case .compound(let type, let parts):
      let filters = try filters(parts) { try $0.filter($1) }
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
    case .not(let part): return .not(try filter(part))
    case .and(let parts): return Self.and(try filters(parts) { try $0.filter($1) })
    case .or(let parts): return .or(try filters(parts) { try $0.filter($1) })
    case .comparison(let comparison): return try filter(comparison)
    }
  }

  /// The filters of all parts of a compound.
  ///
  /// - Throws: An error of any part before the first part that only memory can evaluate, so that a key that the model does
  ///   not have is an error wherever it stands.
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

  /// A binding for a source that is worked out for each request.
  mutating func bind(_ source: BindingSource) -> Operand {
    sources.append(source)
    return .binding(sources.count - 1)
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
  /// Elements of which some depend on the row.
  case list([Term])
  case collection(Destinations)
  /// The entity of an object.
  case entity(PropertyPath)
  case entityNamed(String)

  /// What the term yields, as far as it is known.
  var kind: ValueKind {
    if case .operand(_, let kind) = self { kind } else { .any }
  }
}

/// Objects at the end of to-many relationships, and the property of theirs that is meant.
struct Destinations {
  /// A relationship to follow from the row before, and which of its destinations count.
  struct Step {
    var path: RelationshipPath
    var filter: Filter?
  }

  var steps: [Step]
  var destination: CompiledEntity
  /// What is meant of each object; starts at the destination.
  var element: PropertyPath
  var kind: ValueKind
  /// The key path, for messages.
  var name: String
  /// Whether equal elements count once.
  var isDistinct = false

  /// That an element satisfies a condition, which stands inside all steps.
  func exists(_ condition: Filter) -> Filter {
    steps.reversed().reduce(condition) { inner, step in
      let parts = [step.filter, inner].compactMap(\.self).filter { $0 != .constant(true) }
      return .exists(step.path, PredicateLowering.and(parts))
    }
  }
}
