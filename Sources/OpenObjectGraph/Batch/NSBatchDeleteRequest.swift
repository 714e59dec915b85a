internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The result types of a batch deletion.
///
/// > Reference: Apple, NSBatchDeleteRequestResultType.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  case resultTypeStatusOnly = 0
  case resultTypeObjectIDs = 1
  case resultTypeCount = 2
}

/// Deletes all rows that a fetch request selects, without loading objects.
///
/// Contexts do not receive the change. To update a context, pass the ids of the result to
/// `mergeChanges(fromRemoteContextSave:into:)`.
///
/// > Reference: Apple, NSBatchDeleteRequest.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// The type of the request: a batch deletion.
  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// The request that selects the rows.
  public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  /// The type of the result. By default, the result contains only the status.
  open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  /// Creates a request that deletes the rows selected by a fetch request.
  public init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    fetchRequest = fetch.untyped
    super.init()
  }

  /// Creates a request that deletes the rows of the given objects.
  ///
  /// Executing the request throws `CocoaError` 134060 if the objects belong to more than one inheritance hierarchy. An
  /// empty array deletes nothing.
  public convenience init(objectIDs: [NSManagedObjectID]) {
    let fetch = NSFetchRequest<any NSFetchRequestResult>()
    fetch.entity = objectIDs.first.map { Self.root(of: $0.entity) }
    fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [objectIDs])
    self.init(fetchRequest: fetch)
    ids = objectIDs
  }

  /// A description with the ids or the fetch request.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "objectIDs": ids,
        "fetchRequest": ids == nil ? DebugText.Verbatim(fetchRequest.description) : nil,
      ])
  }

  /// The ids that the request was created with; nil for a fetch request.
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
public class NSBatchDeleteResult: NSPersistentStoreResult {
  /// Depending on the result type: true, an array of the ids of the deleted objects, or the number of deleted rows.
  public let result: Any?
  /// The type of `result`.
  public let resultType: NSBatchDeleteRequestResultType

  /// Creates an empty result.
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

extension NSFetchRequest {
  /// This request without the type of its results.
  var untyped: NSFetchRequest<any NSFetchRequestResult> {
    if let request = self as? NSFetchRequest<any NSFetchRequestResult> { return request }
    let request = NSFetchRequest<any NSFetchRequestResult>()
    if let entity { request.entity = entity }
    request.adoptName(of: self)
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.includesSubentities = includesSubentities
    return request
  }
}
