internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// A request to a context in its original form, for custom stores.
enum CallerQuestion {
  /// A `FetchDescriptor`.
  case descriptor(Any)
  /// The identifiers of the requested objects.
  case objects([NSManagedObjectID])
}

/// A fetch request to a custom store.
struct StoreQuestion {
  let request: NSFetchRequest<any NSFetchRequestResult>
  let type: any PersistentModel.Type
  /// The caller's request in its original form; `nil` if the request comes from the object graph
  /// itself.
  let caller: CallerQuestion?
  let editingState: EditingState
  let store: CustomStore
  private let entity: CompiledEntity

  /// Creates the request, with the model class of the requested entity.
  ///
  /// - Throws: `SwiftDataError.unknownSchema` if the entity has no model class.
  init(
    _ request: NSFetchRequest<any NSFetchRequestResult>, _ context: GraphContext?,
    _ store: CustomStore
  ) throws {
    guard let name = request.entity?.name,
      let entity = store.persistentStoreCoordinator?.model.entity(named: name),
      let type = ModelTypes.type(of: entity)
    else {
      throw SwiftDataError(
        .unknownSchema, "No model class has the entity \(request.entityName ?? "").")
    }
    self.request = request
    self.type = type
    caller = context?.question
    editingState = context?.owner?.editingState ?? EditingState(author: nil)
    self.store = store
    self.entity = entity
  }

  /// Returns whether an object is of the requested entity.
  func includes(_ id: NSManagedObjectID) -> Bool {
    request.includesSubentities
      ? entity.subtree.contains(id.compiledEntity.index) : id.compiledEntity === entity
  }

  /// Filters, sorts and limits objects in memory.
  ///
  /// - Parameters:
  ///   - ids: The identifiers of the objects.
  ///   - filters: Whether the predicate of the request is evaluated.
  ///   - sorts: Whether the sort descriptors of the request are applied.
  /// - Returns: The identifiers of the remaining objects.
  /// - Throws: The error of a snapshot that cannot be read.
  func arrange(
    _ ids: [NSManagedObjectID], filters: Bool, sorts: Bool
  ) throws -> [NSManagedObjectID] {
    let coordinator = store.persistentStoreCoordinator
    // A separate context, because the caller's context applies its unsaved values to the result
    // itself.
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let found = try context.performAndWait {
      try context.throwingFailedReads {
        var objects = ids.map { context.object(with: $0) }
        if filters, let predicate = request.predicate {
          objects = objects.filter { predicate.evaluate(with: $0) }
        }
        if sorts, let descriptors = request.sortDescriptors {
          objects.sort { descriptors.order($0, $1) == .orderedAscending }
        }
        return objects.map(\.objectID)
      }
    }
    let rest = found.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }
}
