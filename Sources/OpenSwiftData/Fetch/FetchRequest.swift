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
  private var order: [Order] = []
  private var limit = 0
  private var offset = 0
  private var includesPendingChanges = true
  private var allowsEvaluationInMemory = true
  private var propertiesToFetch: [AnyKeyPath] = []
  private var relationshipKeyPathsForPrefetching: [AnyKeyPath] = []
  private var search: TextQuery?

  @usableFromInline
  init(
    _ model: any PersistentModel.Type, limit: Int?, offset: Int?, includesPendingChanges: Bool,
    allowsEvaluationInMemory: Bool, search: TextQuery?
  ) {
    self.model = model
    self.limit = max(0, limit ?? 0)
    self.offset = max(0, offset ?? 0)
    self.includesPendingChanges = includesPendingChanges
    self.allowsEvaluationInMemory = allowsEvaluationInMemory
    self.search = search
    ModelKeys.areKnownToPredicates
  }

  @usableFromInline
  mutating func add(_ order: Order) { self.order.append(order) }

  @usableFromInline
  mutating func read(properties: [AnyKeyPath], relationships: [AnyKeyPath]) {
    propertiesToFetch = properties
    relationshipKeyPathsForPrefetching = relationships
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
    _ condition: Condition?, in context: ModelContext, as result: Result.Type
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
    _ condition: Condition?, in context: ModelContext
  ) throws(SwiftDataError) -> NSPredicate? {
    var predicate: NSPredicate?
    if let condition {
      do throws(PredicateFormatError) {
        predicate = try NSPredicate.fetching(
          condition.expression, about: condition.subject,
          captured: context.graphValue)
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

extension FetchRequest {
  /// The predicate of a descriptor.
  @usableFromInline
  struct Condition {
    let expression: any StandardPredicateExpression<Bool>
    let subject: any __PredicateSubject

    @usableFromInline
    init(
      _ expression: any StandardPredicateExpression<Bool>, about subject: any __PredicateSubject
    ) {
      self.expression = expression
      self.subject = subject
    }
  }
}

extension FetchDescriptor {
  /// Returns the descriptor's request without the predicate.
  @inlinable
  func request() -> FetchRequest {
    var request = FetchRequest(
      T.self, limit: fetchLimit, offset: fetchOffset,
      includesPendingChanges: includePendingChanges,
      allowsEvaluationInMemory: allowsEvaluationInMemory, search: search)
    if !propertiesToFetch.isEmpty || !relationshipKeyPathsForPrefetching.isEmpty {
      request.read(
        properties: propertiesToFetch, relationships: relationshipKeyPathsForPrefetching)
    }
    for order in sortBy {
      request.add(FetchRequest.Order(order.keyPath, order.stringComparator, order.order))
    }
    return request
  }

  @inlinable
  func condition() -> FetchRequest.Condition? {
    guard let predicate else { return nil }
    return FetchRequest.Condition(
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

  /// Returns a captured value for the object graph, with an object identifier in place of a
  /// persistent identifier.
  static func graphValue(of value: Any, in coordinator: NSPersistentStoreCoordinator) -> Any? {
    guard let identifier = value as? PersistentIdentifier else { return value }
    return coordinator.objectID(of: identifier) ?? UnknownIdentifier()
  }

  /// Creates a reference that matches no object.
  ///
  /// - Parameter number: A number that distinguishes the reference from other references of this
  ///   type.
  init(_ number: Int = .min) { key = Int64(number) }

  var objectReference: ObjectReference? {
    ObjectReference(entityToken: .max, storeToken: .max, key: key)
  }
}
