internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The result types of a batch deletion.
///
/// > Reference: Apple, NSBatchDeleteRequestResultType.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// The result is true.
  case resultTypeStatusOnly = 0
  /// The result is an array of the ids of the deleted objects.
  case resultTypeObjectIDs = 1
  /// The result is the number of deleted rows.
  case resultTypeCount = 2
}

/// A request that deletes all rows selected by a fetch request, without loading objects.
///
/// The stores apply the delete rules. Cascade rules delete additional rows, which the result
/// includes. Executing the request throws `CocoaError` with one of the following codes if the rows
/// cannot be deleted:
///
/// - 133021: A deny rule prevents a deletion, or a remaining row would lose a mandatory
///   destination.
/// - 134060: The fetch request has no entity or an unknown entity, or a store cannot evaluate the
///   fetch request.
/// - 134030: A store is open for reading only.
/// - 134040: A store failed after rows were deleted from other stores.
///
/// For a predicate that cannot be parsed, executing the request throws `PredicateFormatError`.
///
/// The request does not change objects in any context. To update a context, request the ids of the
/// deleted objects and pass them to `mergeChanges(fromRemoteContextSave:into:)`.
///
/// > Concurrency: Confined to one thread at a time.
/// > Reference: Apple, NSBatchDeleteRequest. On Apple platforms, batch deletions require a SQLite
/// > store (D-033).
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// The type of the request: a batch deletion.
  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// The request that selects the rows: a copy of the request that was passed to the initializer,
  /// or a request for the objects whose ids were passed.
  ///
  /// If the fetch request has `affectedStores`, the request deletes only rows of these stores.
  public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  /// The type of the result; `.resultTypeStatusOnly` by default.
  open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  /// Creates a request that deletes the rows that a fetch request selects.
  ///
  /// - Parameter fetch: The fetch request, which the initializer copies.
  public init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    fetchRequest = NSFetchRequest(copying: fetch)
    super.init()
  }

  /// Creates a request that deletes the rows that a fetch request selects.
  ///
  /// The compiler uses this initializer if nothing else determines the result type of the fetch
  /// request, as in `NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Song"))`.
  ///
  /// - Parameter fetch: The fetch request, which the initializer copies.
  @_disfavoredOverload
  public convenience init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    // Calls the generic initializer, which the compiler prefers.
    self.init(fetchRequest: fetch)
  }

  /// Creates a request that deletes the rows of the objects with the given ids.
  ///
  /// Executing the request throws `CocoaError` 134060 if the entities of the objects do not have a
  /// common root entity.
  ///
  /// - Parameter objectIDs: The ids of the objects; an empty array deletes nothing.
  public convenience init(objectIDs: [NSManagedObjectID]) {
    let fetch = NSFetchRequest<any NSFetchRequestResult>()
    fetch.entity = objectIDs.first.map { Self.root(of: $0.entity) }
    fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [objectIDs])
    self.init(fetchRequest: fetch)
    ids = objectIDs
  }

  /// A description with the ids of the objects or the fetch request.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "objectIDs": ids,
        "fetchRequest": ids == nil ? DebugText.Verbatim(fetchRequest.description) : nil,
      ])
  }

  /// The ids with which the request was created; nil if the request was created with a fetch
  /// request.
  private(set) final var ids: [NSManagedObjectID]?

  private static func root(of entity: NSEntityDescription) -> NSEntityDescription {
    var root = entity
    while let parent = root.superentity { root = parent }
    return root
  }
}

/// The result of a batch deletion.
///
/// > Reference: Apple, NSBatchDeleteResult.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// The result of the request; nil if the object was created with ``init()``.
  ///
  /// Depending on ``resultType``, the result is true, an array of the ids of the deleted objects,
  /// or the number of deleted rows as an `NSNumber`.
  open private(set) var result: Any?
  /// The type of ``result``, which is the result type of the request.
  open private(set) var resultType: NSBatchDeleteRequestResultType

  /// Creates a result object whose ``result`` is nil.
  public override init() {
    resultType = .resultTypeStatusOnly
    result = nil
  }

  init(_ type: NSBatchDeleteRequestResultType, count: Int, _ ids: [NSManagedObjectID]) {
    resultType = type
    switch type {
    case .resultTypeStatusOnly: result = true
    case .resultTypeObjectIDs: result = ids
    case .resultTypeCount: result = NSNumber(value: count)
    }
  }
}
