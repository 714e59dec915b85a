public import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
public import OpenPredicates

/// A fetch descriptor in the form of a request of the object graph.
///
/// The request does not depend on the type of the models. The code that depends on the type is
/// inlined where the type is known, because generic code that is not specialized looks up the
/// metadata of its types at each use.
@usableFromInline
struct FetchRequest {
  /// A sort descriptor.
  @usableFromInline
  struct Order {
    let keyPath: AnyKeyPath?
    let comparator: String.StandardComparator?
    let isAscending: Bool

    @usableFromInline
    init(_ keyPath: AnyKeyPath?, _ comparator: String.StandardComparator?, _ order: SortOrder) {
      self.keyPath = keyPath
      self.comparator = comparator
      isAscending = order == .forward
    }
  }

  private let model: any PersistentModel.Type
  private let order: [Order]
  private let limit: Int
  private let offset: Int
  private let includesPendingChanges: Bool
  private let allowsEvaluationInMemory: Bool
  private let propertiesToFetch: [AnyKeyPath]
  private let relationshipKeyPathsForPrefetching: [AnyKeyPath]
  private let search: TextQuery?

  @usableFromInline
  init(
    _ model: any PersistentModel.Type, order: [Order], limit: Int?, offset: Int?,
    includesPendingChanges: Bool, allowsEvaluationInMemory: Bool, properties: [AnyKeyPath],
    relationships: [AnyKeyPath], search: TextQuery?
  ) {
    ModelKeys.areKnownToPredicates
    self.model = model
    self.order = order
    self.limit = max(0, limit ?? 0)
    self.offset = max(0, offset ?? 0)
    self.includesPendingChanges = includesPendingChanges
    self.allowsEvaluationInMemory = allowsEvaluationInMemory
    propertiesToFetch = properties
    relationshipKeyPathsForPrefetching = relationships
    self.search = search
  }

  /// Creates the fetch request that the object graph executes.
  ///
  /// - Parameters:
  ///   - condition: The predicate of the descriptor.
  ///   - context: The context that executes the request.
  ///   - result: The type of the results.
  /// - Throws: `SwiftDataError` if the schema does not have the model, or if the predicate, the
  ///   order or a key path cannot be executed.
  func managed<Result: NSFetchRequestResult>(
    _ condition: __PredicateSource?, in context: ModelContext, as result: Result.Type
  ) throws(SwiftDataError) -> NSFetchRequest<Result> {
    let known = context.known(model)
    guard known.token != nil else { throw SwiftDataError.modelsOutsideSchema([known.name]) }
    let request = NSFetchRequest<Result>(entityName: known.name)
    request.predicate = try predicate(condition, in: context)
    if !order.isEmpty { request.sortDescriptors = try sortDescriptors() }
    request.fetchLimit = limit
    request.fetchOffset = offset
    request.includesPendingChanges = includesPendingChanges
    request.allowsEvaluationInMemory = allowsEvaluationInMemory
    // Custom stores return the values together with the identifiers.
    if context.hasCustomStores {
      request.returnsObjectsAsFaults = false
    }
    if !relationshipKeyPathsForPrefetching.isEmpty {
      request.relationshipKeyPathsForPrefetching = try names(
        of: relationshipKeyPathsForPrefetching)
    }
    if !propertiesToFetch.isEmpty {
      request.propertiesToFetch = try names(of: propertiesToFetch)
    }
    return request
  }

  private func names(of paths: [AnyKeyPath]) throws(SwiftDataError) -> [String] {
    var names: [String] = []
    for path in paths { names.append(try name(of: path, .unsupportedKeyPath)) }
    return names
  }

  private func name(
    of path: AnyKeyPath, _ kind: SwiftDataError.Kind
  ) throws(SwiftDataError) -> String {
    guard let name = ModelKeys.name(of: path, in: model) else {
      throw SwiftDataError(
        kind,
        "\(path) is not a stored property of \(model). Use properties that the model stores, not computed or transient "
          + "ones.")
    }
    return name
  }

  /// Returns a predicate that combines the condition and the full-text search of the descriptor.
  private func predicate(
    _ condition: __PredicateSource?, in context: ModelContext
  ) throws(SwiftDataError) -> NSPredicate? {
    var predicate: NSPredicate?
    if let condition {
      do throws(PredicateFormatError) {
        predicate = try NSPredicate.fetching(condition, captured: context.graphValue)
      } catch {
        throw SwiftDataError(
          error.code == .invalidKeyPath ? .unsupportedKeyPath : .unsupportedPredicate,
          "The predicate on \(model) is not supported.", error)
      }
    }
    guard let search = search.map({ NSPredicate(search: $0) }) else { return predicate }
    return predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, search]) }
      ?? search
  }

  private func sortDescriptors() throws(SwiftDataError) -> [NSSortDescriptor] {
    var descriptors: [NSSortDescriptor] = []
    for order in order { descriptors.append(try managed(order)) }
    return descriptors
  }

  private func managed(_ order: Order) throws(SwiftDataError) -> NSSortDescriptor {
    guard let path = order.keyPath else {
      throw SwiftDataError(
        .unsupportedSortDescriptor, "A sort descriptor of \(model) has no key path.")
    }
    guard let comparison = SortComparison(order.comparator) else {
      throw SwiftDataError(
        .unsupportedSortDescriptor,
        "A sort descriptor of \(model) has an unsupported comparator. Use .lexical, .localized or "
          + ".localizedStandard.")
    }
    let column = try ModelKeys.column(of: path) { () throws(SwiftDataError) in
      try self.column(of: path)
    }
    switch column {
    case .named(let name):
      return NSSortDescriptor(key: name, ascending: order.isAscending, comparison: comparison)
    case .ownOrder: return try inMemory(order, path, comparison)
    }
  }

  /// Returns a descriptor that sorts models in memory by the values of a key path.
  private func inMemory(
    _ order: Order, _ path: AnyKeyPath, _ comparison: SortComparison
  ) throws(SwiftDataError) -> NSSortDescriptor {
    guard allowsEvaluationInMemory,
      let comparator = OwnOrder.comparator(of: path, in: model, comparison)
    else {
      throw SwiftDataError(
        .unsupportedSortDescriptor,
        "A store cannot sort by \(path), because the order of the stored values differs from the order of their type. "
          + "Set the descriptor's allowsEvaluationInMemory to true, or sort by another property.")
    }
    return NSSortDescriptor(key: nil, ascending: order.isAscending, comparator: comparator)
  }

  private func column(of path: AnyKeyPath) throws(SwiftDataError) -> SortColumn {
    let inner = OrderedKeyPath.inner(of: path, in: model)
    let name = try name(of: inner, .unsupportedSortDescriptor)
    // If the type does not define an order, the inner key path leads to the column of raw values.
    if OwnOrder.isNeeded(for: path) || KeyPathProof.isEncoded(inner, in: model) {
      return .ownOrder
    }
    if let column = KeyPathProof.column(named: name, from: model) { return .named(column) }
    throw SwiftDataError(
      .unsupportedSortDescriptor,
      "The values of \(inner) are stored in several columns. Sort by a member of the value.")
  }
}

extension FetchDescriptor {
  /// Returns the descriptor's request without the predicate.
  @inlinable
  func request() -> FetchRequest {
    FetchRequest(
      T.self,
      order: sortBy.map { FetchRequest.Order($0.keyPath, $0.stringComparator, $0.order) },
      limit: fetchLimit, offset: fetchOffset, includesPendingChanges: includePendingChanges,
      allowsEvaluationInMemory: allowsEvaluationInMemory,
      properties: propertiesToFetch, relationships: relationshipKeyPathsForPrefetching,
      search: search)
  }

  /// Returns the predicate; `nil` if the descriptor has no predicate.
  @inlinable
  func condition() -> __PredicateSource? {
    guard let predicate else { return nil }
    return __PredicateSource(
      predicate.expression, about: ModelSubject(variable: predicate.variable))
  }

  /// Returns the request that the object graph executes.
  func managed<Result: NSFetchRequestResult>(
    in context: ModelContext, as result: Result.Type = NSManagedObject.self
  ) throws(SwiftDataError) -> NSFetchRequest<Result> {
    try request().managed(condition(), in: context, as: result)
  }
}

/// The model of an object that a predicate is evaluated on.
@usableFromInline
struct ModelSubject<Model: PersistentModel>: __PredicateSubject {
  @usableFromInline let variable: PredicateExpressions.Variable<Model>

  @inlinable
  init(variable: PredicateExpressions.Variable<Model>) { self.variable = variable }

  @usableFromInline var variableID: PredicateExpressions.VariableID { variable.key }

  @usableFromInline
  func bindings(for object: Any?) -> PredicateBindings? {
    (object as? __ModelObject).map { PredicateBindings((variable, $0.model(as: Model.self))) }
  }
}

/// A reference that matches no object, for an identifier that belongs to none of the coordinator's
/// stores.
final class UnknownIdentifier: ObjectReferencing {
  private let key: Int64

  /// Creates a reference that matches no object.
  ///
  /// - Parameter number: A number that distinguishes the reference from other references of this
  ///   type.
  init(_ number: Int = .min) { key = Int64(number) }

  var objectReference: ObjectReference? {
    ObjectReference(entityToken: .max, storeToken: .max, key: key)
  }
}
