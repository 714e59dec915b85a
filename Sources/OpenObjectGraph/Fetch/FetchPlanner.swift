internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// Turns a mutable request into an immutable plan.
///
/// What a request says apart from its constants is worked out once and kept by shape; the second request of
/// a shape only collects its constants.
final class FetchPlanner: Sendable {
  /// What tells two shapes apart.
  struct ShapeKey: Hashable {
    var entityIndex: Int
    /// Sub-entities, limit and offset, one bit each.
    var flags: Int
    var predicate: [UInt64]
    var sort: [SortKeyPart]
  }

  struct SortKeyPart: Hashable {
    var key: String
    var isAscending: Bool
    var collation: SortTerm.Collation
  }

  /// A shape and where its bindings come from.
  struct Compiled: Sendable {
    var shape: FetchShape
    var sources: [BindingSource]
  }

  let model: CompiledModel
  private let cache = Mutex<[ShapeKey: Compiled]>([:])
  private static let cacheLimit = 4096

  init(model: CompiledModel) { self.model = model }

  /// What a plan needs of a request.
  struct Request {
    var entity: CompiledEntity
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]
    var limit: Int
    var offset: Int
    var includesSubentities: Bool
  }

  /// The plan of a request.
  ///
  /// - Throws: `PredicateFormatError` or `StoreError` naming the key or type that does not fit the model.
  /// - Complexity: O(size of the predicate); compiles a new shape only.
  func plan(_ request: Request) throws -> FetchPlan {
    var arguments = PredicateArguments()
    if let predicate = request.predicate { try arguments.collect(predicate.form) }
    let key = ShapeKey(
      entityIndex: request.entity.index,
      flags: (request.includesSubentities ? 1 : 0) | (request.limit > 0 ? 2 : 0)
        | (request.offset > 0 ? 4 : 0),
      predicate: arguments.words, sort: try request.sortDescriptors.map(sortPart))
    let compiled = try cache.withLock { $0[key] } ?? compile(request, key)
    let bindings = try compiled.sources.map { try $0.value(arguments.values) }
    return FetchPlan(
      shape: compiled.shape, bindings: bindings, limit: request.limit, offset: request.offset)
  }

  private func compile(_ request: Request, _ key: ShapeKey) throws -> Compiled {
    var lowering = FilterLowering(entity: request.entity)
    let filter = try request.predicate.map { try lowering.filter($0.form) }
    let sort = try key.sort.map { try sortTerm($0, request.entity) }
    let shape = FetchShape(
      entity: request.entity, includesSubentities: request.includesSubentities,
      filter: filter == .constant(true) ? nil : filter, sort: sort,
      hasLimit: request.limit > 0, hasOffset: request.offset > 0)
    let compiled = Compiled(shape: shape, sources: lowering.sources)
    cache.withLock { cache in
      if cache.count >= Self.cacheLimit { cache.removeAll() }
      cache[key] = compiled
    }
    return compiled
  }

  private func sortPart(_ descriptor: NSSortDescriptor) throws -> SortKeyPart {
    let key: String
    switch descriptor.sortKey {
    case .key(let name): key = name
    case .keyPath(let keyPath):
      guard let name = KeyRecorder.name(of: keyPath) else {
        throw StoreError(
          .unsupportedPredicate,
          "The key path \(keyPath) of a sort descriptor is not a managed property. Sort by a "
            + "property that the model stores.")
      }
      key = name
    case .none:
      throw StoreError(
        .unsupportedPredicate, "A sort descriptor without a key cannot sort a fetch.")
    }
    return SortKeyPart(
      key: key, isAscending: descriptor.ascending, collation: .init(descriptor.sortComparison))
  }

  private func sortTerm(_ part: SortKeyPart, _ entity: CompiledEntity) throws -> SortTerm {
    let path = try PathResolver(entity: entity).propertyPath(
      part.key.split(separator: ".").map(String.init))
    if case .relationship? = path.property(in: model)?.kind {
      throw StoreError(
        .unsupportedPredicate, "A fetch cannot be sorted by the relationship itself.",
        entityName: entity.name, propertyName: part.key)
    }
    return SortTerm(path: path, isAscending: part.isAscending, collation: part.collation)
  }
}

/// Where a binding of a plan comes from.
enum BindingSource: Sendable {
  case constant(Value)
  /// The n-th argument of the request's predicates, to be compared with the named property.
  case argument(Int, ValueKind)
  /// The time of the fetch.
  case now
  /// One member of an argument that is a list.
  case member(Int, Int)
  /// A list made of constants and arguments.
  case list([BindingSource])

  func value(_ arguments: [Value]) throws -> Value {
    switch self {
    case .constant(let value): return value
    case .argument(let position, let kind): return try kind.checked(arguments[position])
    case .now: return .date(Date().timeIntervalSinceReferenceDate)
    case .member(let position, let index):
      guard case .list(let members) = arguments[position], index < members.count else {
        throw StoreError(.unsupportedPredicate, "BETWEEN needs a list of two values.")
      }
      return members[index]
    case .list(let members): return .list(try members.map { try $0.value(arguments) })
    }
  }
}

/// The arguments of a request's predicates in the order of the trees, and the words that tell shapes apart.
struct PredicateArguments {
  private(set) var values: [Value] = []
  private(set) var words: [UInt64] = []

  mutating func collect(_ form: PredicateForm) throws {
    switch form {
    case .template(let template, let arguments, let variables):
      words.append(template.identity << 3)
      // Variables are constants of this one predicate: its shape serves no other.
      if !variables.isEmpty { words.append(UInt64(ShapeNumber.next()) << 3 | 7) }
      var nulls: UInt64 = 0
      var lists: UInt64 = 0
      for (index, argument) in arguments.enumerated() {
        guard let value = Value(any: argument) else {
          throw StoreError(
            .unsupportedPredicate,
            "Argument \(index + 1) of a predicate has the type \(type(of: argument)), which no "
              + "store can compare.")
        }
        switch value {
        case .null: nulls |= 1 << UInt64(index & 63)
        case .list: lists |= 1 << UInt64(index & 63)
        default: break
        }
        values.append(value)
      }
      if nulls | lists != 0 { words += [4, nulls, lists] }
    case .compound(let type, let parts):
      words.append(UInt64(parts.count) << 8 | UInt64(type.rawValue) << 3 | 1)
      for part in parts { try collect(part) }
    case .constant(let value): words.append(value ? 10 : 2)
    case .block:
      throw StoreError(
        .unsupportedPredicate,
        "A block predicate cannot be carried out by a store. Fetch first, then filter the result.")
    case .invalid(let error): throw error
    }
  }
}

/// Numbers predicates whose shape cannot be shared.
private enum ShapeNumber {
  private static let counter = Atomic<UInt32>(1)

  static func next() -> UInt32 { counter.add(1, ordering: .relaxed).oldValue }
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
