internal import Foundation
internal import OpenObjectGraph
internal import OpenPredicates

/// The results of a fetch that includes unsaved changes, in batches.
///
/// Only the changed models and one batch of the other models are in memory at once. The type merges
/// the sorted changed models into each batch. Sort descriptors compare the same values as the
/// overlay of an ordinary fetch, so that both have the same order.
///
/// > Concurrency: Confined to the actor or task that uses the context.
struct BatchesWithChanges<Model: PersistentModel> {
  /// The maximum number of unsaved changes. A fetch compares each changed object with a list of all
  /// of them.
  private static var changeLimit: Int { 1_000 }

  private let context: ModelContext
  private let order: [NSSortDescriptor]
  /// The names of the relationships to prefetch; `nil` to prefetch no relationships.
  private let relationships: [String]?
  /// The stored models without unsaved changes that were not in a batch.
  private var stored: ArraySlice<NSManagedObjectID>
  /// The inserted and changed models that were not in a batch.
  private var changed: ArraySlice<Model>
  /// The number of results to omit before the next one.
  private var omitted: Int
  /// The number of results that may still be returned.
  private var left: Int

  /// Reads the identifiers of the stored models, and the changed models.
  ///
  /// The result is `nil` if the context has more than 1,000 unsaved changes, or custom stores.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the sort order and the limits of the fetch.
  ///   - context: The context.
  /// - Throws: The same errors as `ModelContext.fetch(_:)`.
  init?(_ descriptor: FetchDescriptor<Model>, in context: ModelContext) throws {
    context.processPendingChanges()
    let unsaved = context.graph.unsavedObjects
    let objects = unsaved.inserted + unsaved.updated + unsaved.deleted
    guard objects.count <= Self.changeLimit, !context.hasCustomStores else { return nil }
    let request = try descriptor.managed(in: context)
    order = request.sortDescriptors ?? []
    relationships = request.relationshipKeyPathsForPrefetching
    changed = try Self.matching(objects, of: request, in: context)[...]
    omitted = max(0, descriptor.fetchOffset ?? 0)
    let limit = max(0, descriptor.fetchLimit ?? 0)
    left = limit == 0 ? .max : limit
    let ids = Set(objects.map(\.objectID))
    let unchanged = Self.unchanged(descriptor, omitting: ids.count)
    stored = try context.objectIDs(unchanged).filter { !ids.contains($0) }[...]
    self.context = context
  }

  /// Fetches those of the objects that the request selects, in the order of the request.
  private static func matching(
    _ objects: [NSManagedObject], of request: NSFetchRequest<NSManagedObject>,
    in context: ModelContext
  ) throws -> [Model] {
    let isMember = NSPredicate(format: "SELF IN %@", argumentArray: [objects])
    request.predicate =
      request.predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, isMember]) }
      ?? isMember
    request.fetchLimit = 0
    request.fetchOffset = 0
    return context.models(try context.objects(request), as: Model.self)
  }

  /// Returns the descriptor of the stored models; up to `count` of these models may have unsaved
  /// changes.
  private static func unchanged(
    _ descriptor: FetchDescriptor<Model>, omitting count: Int
  ) -> FetchDescriptor<Model> {
    var unchanged = descriptor
    unchanged.includePendingChanges = false
    unchanged.fetchOffset = nil
    if let limit = descriptor.fetchLimit, limit > 0 {
      let (end, isTooLarge) = limit.addingReportingOverflow(max(0, descriptor.fetchOffset ?? 0))
      let (rows, areTooMany) = end.addingReportingOverflow(count)
      unchanged.fetchLimit = isTooLarge || areTooMany ? nil : rows
    }
    return unchanged
  }

  /// Returns the models of the next batch, in the descriptor's order; `nil` after the last batch.
  ///
  /// - Parameter size: The number of stored models to read.
  /// - Throws: The same errors as `ModelContext.fetch(_:)`.
  mutating func next(_ size: Int) throws -> [Model]? {
    guard left > 0, !stored.isEmpty || !changed.isEmpty else { return nil }
    let ids = stored.prefix(size)
    stored = stored.dropFirst(ids.count)
    var models: [Model] = []
    for model in try context.storedModels(ids, as: Model.self, prefetching: relationships) {
      while let first = changed.first,
        order.order(first.__object, model.__object) == .orderedAscending
      {
        models.append(first)
        changed = changed.dropFirst()
      }
      models.append(model)
    }
    if stored.isEmpty {
      models += changed
      changed = []
    }
    return window(of: models)
  }

  /// Applies the descriptor's offset and limit to the models of a batch.
  private mutating func window(of models: [Model]) -> [Model] {
    let rest = models.dropFirst(omitted)
    omitted -= models.count - rest.count
    let window = rest.prefix(left)
    left -= window.count
    return Array(window)
  }
}
