internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// What a batch deletion returns.
///
/// > Reference: Apple, NSBatchDeleteRequestResultType.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  case resultTypeStatusOnly = 0
  case resultTypeObjectIDs = 1
  case resultTypeCount = 2
}

/// Deletes all rows that a fetch request selects, without loading objects.
///
/// Contexts learn of it only when they are told: merge the ids of the result.
///
/// > Reference: Apple, NSBatchDeleteRequest.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// That rows are deleted without objects.
  public override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// The request that selects the rows.
  public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  /// What the result holds.
  public var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  /// Makes a request that deletes what another one would fetch.
  public init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    fetchRequest = fetch.untyped
    super.init()
  }

  /// Makes a request that deletes the rows of objects of one entity.
  public convenience init(objectIDs: [NSManagedObjectID]) {
    let fetch = NSFetchRequest<any NSFetchRequestResult>()
    fetch.entity = objectIDs.first?.entity
    fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [objectIDs])
    self.init(fetchRequest: fetch)
  }
}

/// What a batch deletion did.
public class NSBatchDeleteResult: NSPersistentStoreResult {
  /// true, the number of rows, or the ids of the deleted objects, as the result type says.
  public let result: Any?
  public let resultType: NSBatchDeleteRequestResultType

  init(_ keys: [NSManagedObjectID], _ type: NSBatchDeleteRequestResultType) {
    resultType = type
    switch type {
    case .resultTypeStatusOnly: result = true
    case .resultTypeObjectIDs: result = keys
    case .resultTypeCount: result = NSNumber(value: keys.count)
    }
  }
}

extension NSFetchRequest {
  /// The same request without the type of its results.
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

extension NSManagedObjectContext {
  /// Carries out a batch request, or starts an asynchronous fetch.
  ///
  /// - Throws: `CocoaError` 134091 for a request that is not supported; otherwise as `save()`.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let deletion as NSBatchDeleteRequest: return try delete(deletion)
    case let request as any AsynchronousRequest: return try request.start(in: self)
    default:
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Requests of the type \(type(of: request)) are not available yet.")
    }
  }

  private func delete(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
    let coordinator = try requireCoordinator()
    let stores = try requireStores("batch delete")
    let fetch = request.fetchRequest
    let entity = try entity(of: fetch)
    let plan = try reporting {
      try planning(fetch.predicate) { predicate in
        try coordinator.planner.plan(
          FetchPlanner.Request(
            entity: entity, predicate: predicate, sortDescriptors: fetch.sortDescriptors ?? [],
            limit: max(0, fetch.fetchLimit), offset: max(0, fetch.fetchOffset),
            includesSubentities: fetch.includesSubentities, isStrict: true)
        ).plan
      }
    }
    var ids: [NSManagedObjectID] = []
    for store in request.affectedStores ?? stores {
      let keys = try reporting { try store.backend.deleteRows(matching: plan.addressed(to: store)) }
      store.rowCache.remove(keys)
      ids += keys.map {
        NSManagedObjectID(store: store, entity: model.entities[Int($0.entityIndex)], key: $0.key)
      }
    }
    return NSBatchDeleteResult(ids, request.resultType)
  }
}
