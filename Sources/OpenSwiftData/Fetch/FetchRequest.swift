internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates

/// A fetch descriptor as the request that the object graph carries out.
struct FetchRequest<Model: PersistentModel> {
  let descriptor: FetchDescriptor<Model>
  /// Where the request is carried out.
  let context: ModelContext?

  init(_ descriptor: FetchDescriptor<Model>, in context: ModelContext? = nil) {
    self.descriptor = descriptor
    self.context = context
    ModelKeys.areKnownToPredicates
  }

  /// - Throws: `SwiftDataError` for a predicate, order or key path that cannot be carried out.
  func managed<Result: NSFetchRequestResult>(
    as result: Result.Type = NSManagedObject.self
  ) throws(SwiftDataError) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: Schema.entityName(for: Model.self))
    request.predicate = try condition()
    let order = try sortDescriptors()
    if !order.isEmpty { request.sortDescriptors = order }
    request.fetchLimit = max(0, descriptor.fetchLimit ?? 0)
    request.fetchOffset = max(0, descriptor.fetchOffset ?? 0)
    request.includesPendingChanges = descriptor.includePendingChanges
    request.allowsEvaluationInMemory = descriptor.allowsEvaluationInMemory
    // Custom stores give values along with what they find.
    if let context, !context.container.customStores.isEmpty {
      request.returnsObjectsAsFaults = false
    }
    if !descriptor.relationshipKeyPathsForPrefetching.isEmpty {
      request.relationshipKeyPathsForPrefetching = try names(
        of: descriptor.relationshipKeyPathsForPrefetching)
    }
    if !descriptor.propertiesToFetch.isEmpty {
      request.propertiesToFetch = try names(of: descriptor.propertiesToFetch)
    }
    return request
  }

  private func names(of paths: [PartialKeyPath<Model>]) throws(SwiftDataError) -> [String] {
    var names: [String] = []
    for path in paths { names.append(try Self.name(of: path, .unsupportedKeyPath)) }
    return names
  }

  private static func name(
    of path: AnyKeyPath, _ kind: SwiftDataError.Kind
  ) throws(SwiftDataError) -> String {
    guard let name = ModelKeys.name(of: path, in: Model.self) else {
      throw SwiftDataError(
        kind,
        "\(path) is no stored property of \(Model.self). Use properties that the model stores, not computed or transient "
          + "ones.")
    }
    return name
  }

  /// The descriptor's predicate and search.
  private func condition() throws(SwiftDataError) -> NSPredicate? {
    let predicate = try predicate()
    guard let search = descriptor.search.map({ NSPredicate(search: $0) }) else { return predicate }
    return predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, search]) }
      ?? search
  }

  func predicate() throws(SwiftDataError) -> NSPredicate? {
    guard let predicate = descriptor.predicate else { return nil }
    // Not the request, which would be copied.
    let container = context?.container
    do throws(PredicateFormatError) {
      return try NSPredicate.fetching(
        predicate, captured: { UnknownIdentifier.graphValue(of: $0, in: container) }
      ) { object in
        (object as? __ModelObject)?.model(as: Model.self)
      }
    } catch {
      throw SwiftDataError(
        error.code == .invalidKeyPath ? .unsupportedKeyPath : .unsupportedPredicate,
        "The predicate on \(Model.self) cannot be carried out.", error)
    }
  }

  func sortDescriptors() throws(SwiftDataError) -> [NSSortDescriptor] {
    var descriptors: [NSSortDescriptor] = []
    for descriptor in descriptor.sortBy { descriptors.append(try Self.managed(descriptor)) }
    return descriptors
  }

  private static func managed(
    _ descriptor: SortDescriptor<Model>
  ) throws(SwiftDataError) -> NSSortDescriptor {
    guard let path = descriptor.keyPath else {
      throw SwiftDataError(
        .unsupportedSortDescriptor, "A sort descriptor of \(Model.self) has no key path.")
    }
    guard let comparison = SortComparison(descriptor) else {
      throw SwiftDataError(
        .unsupportedSortDescriptor,
        "A sort descriptor of \(Model.self) has a comparator that is not known. Use .lexical, .localized or "
          + ".localizedStandard.")
    }
    let column = try ModelKeys.column(of: path) { () throws(SwiftDataError) in
      try Self.column(of: OrderedKeyPath.inner(of: path, in: Model.self))
    }
    return NSSortDescriptor(
      key: column, ascending: descriptor.order == .forward, comparison: comparison)
  }

  private static func column(of path: AnyKeyPath) throws(SwiftDataError) -> String {
    let name = try name(of: path, .unsupportedSortDescriptor)
    if let column = KeyPathProof.column(named: name, from: Model.self) { return column }
    throw SwiftDataError(
      .unsupportedSortDescriptor,
      "The values of \(path) are in several columns. Sort by members of the value.")
  }
}

/// Stands for an identifier that names no object of the container's stores.
final class UnknownIdentifier: ObjectReferencing {
  private let key: Int64

  /// A captured value as the object graph has it: identifiers of models are those of objects.
  static func graphValue(of value: Any, in container: ModelContainer?) -> Any? {
    guard let identifier = value as? PersistentIdentifier else { return value }
    return container?.objectID(identifier) ?? UnknownIdentifier()
  }

  /// - Parameter number: Tells the identifier from others.
  init(_ number: Int = .min) { key = Int64(number) }

  var objectReference: ObjectReference? {
    ObjectReference(entityToken: .max, storeToken: .max, key: key)
  }
}
