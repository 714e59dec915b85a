internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// Turns a mutable request into an immutable plan.
///
/// The planner compiles everything except the request's constants and caches the result by shape. A
/// second request of the same shape only collects its constants.
final class FetchPlanner: Sendable {
  /// The facts that distinguish two shapes.
  private struct ShapeKey: Hashable, Sendable {
    var entityIndex: Int
    /// Subentities, limit, offset, ranking and a limit of candidates, one bit each.
    var flags: Int
    var predicate: PredicateShape
    var sort: [SortKeyPart]
    var projection: ProjectionRequest?
  }

  struct SortKeyPart: Hashable {
    var key: String
    var isAscending: Bool
    var collation: SortTerm.Collation
  }

  /// A shape and the sources of its bindings.
  private final class Compiled: Sendable {
    let key: ShapeKey
    let shape: FetchShape
    private let sources: [BindingSource]
    /// The kinds that the arguments must have, if the bindings are exactly the arguments in order.
    private let kinds: [ValueKind]?

    init(_ key: ShapeKey, _ shape: FetchShape, _ sources: [BindingSource]) {
      self.key = key
      self.shape = shape
      self.sources = sources
      let kinds = sources.enumerated().compactMap { place, source in
        if case .argument(place, let kind) = source { kind } else { nil }
      }
      self.kinds = kinds.count == sources.count ? kinds : nil
    }

    // Not inlined, because inlining copies the key for the comparison.
    @inline(never)
    func has(_ key: ShapeKey) -> Bool { self.key == key }

    func bindings(_ arguments: consuming [Value]) throws -> [Value] {
      guard let kinds, kinds.count == arguments.count else {
        let arguments = arguments
        return try sources.map { try $0.value(arguments).withoutNaN }
      }
      for place in kinds.indices where !kinds[place].takesUnchecked(arguments[place]) {
        arguments[place] = try kinds[place].checked(arguments[place]).withoutNaN
      }
      return arguments
    }
  }

  let model: CompiledModel
  private let cache = Mutex(Cache())
  private let announced = Mutex<Set<String>>([])
  private static let cacheLimit = 4096

  init(model: CompiledModel) { self.model = model }

  /// The compiled shapes; the most recent shape is found without hashing.
  private struct Cache {
    private var last: Compiled?
    private var known: [ShapeKey: Compiled] = [:]

    mutating func compiled(_ key: ShapeKey) -> Compiled? {
      if let last, last.has(key) { return last }
      guard let compiled = known[key] else { return nil }
      last = compiled
      return compiled
    }

    mutating func insert(_ compiled: Compiled) {
      if known.count >= FetchPlanner.cacheLimit { known.removeAll() }
      known[compiled.key] = compiled
    }
  }

  /// The parts of a request that a plan depends on.
  struct Request {
    var entity: CompiledEntity
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]
    var limit: Int
    var offset: Int
    var includesSubentities: Bool
    /// Whether planning fails if stores cannot execute the whole request.
    var isStrict = false
    /// The query that ranks the result; nil for an unranked result.
    var textQuery: TextQuery?
    /// The maximum number of objects to rank; 0 for all.
    var candidateLimit = 0
    /// An interruption that can stop the fetch early; nil if the fetch always runs to its end.
    var interruption: ReadInterruption?
    /// The columns of a fetch of values; nil for a fetch of objects.
    var projection: ProjectionRequest?
    var groupPredicate: NSPredicate?
    /// Whether values have replaced parts of the predicate. No other predicate has the shape of
    /// such a predicate.
    var hasKnownValues = false
  }

  /// A plan for the stores, and the work that remains in memory.
  struct Planned {
    let plan: FetchPlan
    /// The predicate to test in memory; if set, the plan has no limit and no offset.
    var remaining: NSPredicate?
    /// The order to apply in memory; nil if the stores sort.
    var remainingSort: [NSSortDescriptor]?
    /// The reason for each part that remains in memory.
    var gaps: [Gap] = []

    var isComplete: Bool { remaining == nil && remainingSort == nil }
  }

  /// A part of a request that stores cannot execute, and the reason.
  struct Gap {
    /// The part of the predicate; nil for the order.
    var predicate: NSPredicate?
    var reason: String
  }

  /// Returns the plan of a request.
  ///
  /// - Throws: `PredicateFormatError` for an invalid predicate; `StoreError` naming the key or type
  ///   that does not match the model, or the part that a store cannot execute.
  /// - Complexity: O(*n*) in the size of the predicate. Only new shapes are compiled.
  func plan(_ request: Request) throws -> Planned {
    do {
      return Planned(plan: try completePlan(request))
    } catch let gap as Untranslatable {
      if request.isStrict || request.projection != nil {
        throw StoreError(
          .unsupportedPredicate,
          "Stores do not support \(gap.reason). Fetch without it, then filter or sort the result.",
          entityName: request.entity.name)
      }
      announce(gap, request.entity)
      return try partialPlan(request)
    }
  }

  /// Returns the plan of a request that stores can execute as a whole.
  private func completePlan(_ request: Request) throws -> FetchPlan {
    var arguments = PredicateArguments(of: model)
    if let predicate = request.predicate { try arguments.collect(predicate.form) }
    if let predicate = request.groupPredicate { try arguments.collect(having: predicate.form) }
    let key = ShapeKey(
      entityIndex: request.entity.index,
      flags: (request.includesSubentities ? 1 : 0) | (request.limit > 0 ? 2 : 0)
        | (request.offset > 0 ? 4 : 0) | (request.textQuery != nil ? 8 : 0)
        | (request.candidateLimit > 0 ? 16 : 0),
      predicate: arguments.shape, sort: try request.sortDescriptors.map(sortPart),
      projection: request.projection)
    let isShared = !arguments.isUnique && !request.hasKnownValues
    let compiled =
      try cache.withLock { $0.compiled(key) } ?? compile(request, key, isShared: isShared)
    return FetchPlan(
      shape: compiled.shape, bindings: try compiled.bindings(arguments.takeValues()),
      limit: request.limit, offset: request.offset, textQuery: request.textQuery,
      candidateLimit: request.candidateLimit, interruption: request.interruption)
  }

  /// Returns a plan of the parts that stores can execute, and the remaining parts.
  private func partialPlan(_ request: Request) throws -> Planned {
    var stored = request
    stored.predicate = nil
    (stored.limit, stored.offset) = (0, 0)
    var remainingSort: [NSSortDescriptor]?
    var gaps: [Gap] = []
    do {
      _ = try completePlan(stored)
    } catch let gap as Untranslatable {
      gaps.append(Gap(reason: gap.reason))
      remainingSort = request.sortDescriptors
      try checkKeys(of: request)
      stored.sortDescriptors = []
    }
    var kept: [NSPredicate] = []
    var remaining: [NSPredicate] = []
    for part in request.predicate?.conjuncts ?? [] {
      stored.predicate = part
      do {
        _ = try completePlan(stored)
        kept.append(part)
      } catch let gap as Untranslatable {
        gaps.append(Gap(predicate: part, reason: gap.reason))
        remaining.append(part)
      }
    }
    stored.predicate = NSPredicate.all(kept)
    return Planned(
      plan: try completePlan(stored), remaining: NSPredicate.all(remaining),
      remainingSort: remainingSort, gaps: gaps)
  }

  /// Throws for sort keys that the model does not have, even if the objects are sorted in memory.
  private func checkKeys(of request: Request) throws {
    for descriptor in request.sortDescriptors {
      var lowering = PredicateLowering(entity: request.entity)
      let key = try sortKey(descriptor)
      do {
        if descriptor.sortComparison == .comparator {
          // A comparator may sort by any value at the end of a path.
          _ = try lowering.path(key.split(separator: ".").map(String.init), from: 0)
        } else {
          let part = SortKeyPart(key: key, isAscending: true, collation: .binary)
          _ = try sortTerm(part, &lowering)
        }
      } catch is Untranslatable {
        continue
      }
    }
  }

  /// Logs that a part of a request runs in memory, once for each reason and entity.
  private func announce(_ gap: Untranslatable, _ entity: CompiledEntity) {
    let isNew = announced.withLock { announced in
      if announced.count >= Self.cacheLimit { announced.removeAll() }
      return announced.insert("\(entity.name) \(gap.reason)").inserted
    }
    guard isNew else { return }
    GraphLog.notice(
      "A fetch of \(entity.name) runs partly in memory, because stores do not support \(gap.reason)."
    )
  }

  /// Compiles a request.
  ///
  /// - Parameter isShared: Whether a later request can have the same shape.
  private func compile(
    _ request: Request, _ key: ShapeKey, isShared: Bool
  ) throws -> Compiled {
    var lowering = PredicateLowering(entity: request.entity)
    let filter = try request.predicate.map { try lowering.filter($0.form) }
    var projection = try request.projection.map {
      try lowering.projection($0, request.groupPredicate)
    }
    var sort: [SortTerm] = []
    for part in key.sort { sort.append(try sortTerm(part, &lowering)) }
    if let groups = projection?.groups, !groups.isEmpty {
      for index in sort.indices {
        sort[index].operand = lowering.overGroup(sort[index].operand, groups)
      }
    }
    if let sortCount = request.projection?.sortCount, sortCount > 0 {
      projection = projection.map { lowering.projection($0, addingValuesOf: sort) }
    }
    let shape = FetchShape(
      entity: request.entity, includesSubentities: request.includesSubentities,
      filter: filter == .constant(true) ? nil : filter, sort: sort,
      hasLimit: request.limit > 0, hasOffset: request.offset > 0,
      isRanked: request.textQuery != nil, hasCandidateLimit: request.candidateLimit > 0,
      projection: projection)
    let compiled = Compiled(key, shape, lowering.sources)
    if isShared { cache.withLock { $0.insert(compiled) } }
    return compiled
  }

  private func sortKey(_ descriptor: NSSortDescriptor) throws -> String {
    switch descriptor.sortKey {
    case .key(let name): return name
    case .keyPath(let keyPath):
      guard let name = KeyRecorder.name(of: keyPath) else {
        throw StoreError(
          .unsupportedPredicate,
          "The key path \(keyPath) of a sort descriptor does not refer to a managed property. Sort by a "
            + "stored property of the model.")
      }
      return name
    case .none: return "self"
    }
  }

  private func sortPart(_ descriptor: NSSortDescriptor) throws -> SortKeyPart {
    let key = try sortKey(descriptor)
    if descriptor.sortComparison == .comparator {
      throw Untranslatable(reason: "a comparator")
    }
    return SortKeyPart(
      key: key, isAscending: descriptor.ascending, collation: .init(descriptor.sortComparison))
  }

  private func sortTerm(_ part: SortKeyPart, _ lowering: inout PredicateLowering) throws -> SortTerm
  {
    let segments = part.key.split(separator: ".").map(String.init)
    switch try lowering.path(segments, from: 0) {
    case .operand(.property(let path), let kind):
      if case .relationship? = path.property(in: model)?.kind {
        throw StoreError(
          .unsupportedPredicate,
          "A fetch cannot be sorted by a relationship. Sort by an attribute of its destination.",
          entityName: lowering.entity.name, propertyName: part.key)
      }
      if kind.family == .opaque { throw Untranslatable(reason: "sorting by transformed values") }
      return SortTerm(path: path, isAscending: part.isAscending, collation: part.collation)
    case .operand(let operand, _):
      return SortTerm(
        operand: operand, isAscending: part.isAscending, collation: part.collation)
    default:
      throw StoreError(
        .unsupportedPredicate, "A to-many key is not allowed here. Sort by its @count.",
        entityName: lowering.entity.name, propertyName: part.key)
    }
  }
}

extension Value {
  /// The value with null in place of NaN, as in SQLite, so that all stores compare alike.
  fileprivate var withoutNaN: Value {
    switch self {
    case .list(let members) where members.contains(where: \.isNaN): .list(members.map(\.withoutNaN))
    default: isNaN ? .null : self
    }
  }
}

/// The source of a binding of a plan.
indirect enum BindingSource: Equatable, Sendable {
  case constant(Value)
  /// The n-th argument of the request's predicates, checked against a kind of value.
  case argument(Int, ValueKind)
  /// An expression of constants and consecutive arguments, evaluated for each request.
  case expression(
    ExpressionNode, first: Int, count: Int, variables: [String: Value], ValueKind)
  /// One of the two members of a list argument: the index of the argument, then the index of the
  /// member.
  case member(Int, Int, ValueKind)
  /// The result of comparing two sources; null for unknown.
  case comparison(BindingSource, ComparisonOperator, BindingSource, StringOptions)
  /// Whether the list from the second source contains the value of the first; null for unknown.
  case membership(BindingSource, BindingSource, StringOptions)

  func value(_ arguments: [Value]) throws -> Value {
    switch self {
    case .constant(let value): return value
    case .argument(let position, let kind): return try kind.checked(arguments[position])
    case .expression(let node, let first, let count, let variables, let kind):
      let own = arguments[first..<first + count].map { Optional<Any>($0) }
      guard let value = TreeEvaluation.value(of: node, arguments: own, variables: variables) else {
        throw StoreError(
          .unsupportedPredicate,
          "An expression in the predicate returns an object that is not in a store.")
      }
      return try kind.checked(value)
    case .member(let position, let index, let kind):
      guard case .list(let members) = arguments[position], members.count == 2 else {
        throw StoreError(.unsupportedPredicate, "BETWEEN needs a list of two values.")
      }
      return try kind.checked(members[index])
    case .comparison(let left, let operation, let right, let options):
      let (one, other) = (try left.value(arguments), try right.value(arguments))
      return Self.truth(
        ValueComparison.evaluate(one.withoutNaN, operation, other.withoutNaN, options))
    case .membership(let member, let list, let options):
      let value = try member.value(arguments).withoutNaN
      guard value != .null, case .list(let members) = try list.value(arguments) else {
        return value == .null ? .null : .bool(false)
      }
      return .bool(
        members.contains { ValueComparison.evaluate(value, .equal, $0.withoutNaN, options) == true }
      )
    }
  }

  private static func truth(_ holds: Bool?) -> Value { holds.map(Value.bool) ?? .null }
}

extension SortTerm.Collation {
  init(_ comparison: SortComparison) {
    switch comparison {
    case .plain: self = .binary
    case .caseInsensitive: self = .caseInsensitive
    case .localized: self = .localized
    case .localizedCaseInsensitive: self = .localizedCaseInsensitive
    case .localizedStandard, .comparator: self = .localizedStandard
    }
  }
}
