internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A request for objects, ids or a count, prepared for a context and its stores.
///
/// Nothing has been read yet.
///
/// > Concurrency: Confined to the context's queue.
struct PreparedFetch {
  private let planned: FetchPlanner.Planned
  let stores: [NSPersistentStore]
  /// The positions of the stores to which the request is restricted; nil for all stores.
  private let affectedPositions: [Int]?
  let window: FetchWindow
  /// Whether the context has unsaved changes to objects of the fetched entities.
  let includesPendingChanges: Bool
  /// Whether the result is assembled in memory: it includes unsaved changes, comes from several
  /// stores, or has a condition or an order that no store can execute.
  let overlays: Bool
  /// Whether the work in memory applies to stored values, because the request ignores the unsaved
  /// changes of the context.
  let readsStoredValues: Bool
  let prefetching: [String]
  let refreshes: Bool
  let realizes: Bool
  let loadsValues: Bool
  /// The number of rows in a batch that is read on access; 0 to read all rows at once.
  var batchSize: Int
  /// The request that the context's source executes; nil if the stores execute the plan.
  let sourceRequest: NSFetchRequest<NSManagedObject>?
  /// The request for custom stores; nil if there are none.
  let storeRequest: NSFetchRequest<any NSFetchRequestResult>?

  var plan: FetchPlan { planned.plan }
  /// The predicate and the order to apply in memory.
  var remaining: NSPredicate? { planned.remaining }
  var remainingSort: [NSSortDescriptor]? { planned.remainingSort }
  /// The reasons why work remains in memory.
  var gaps: [FetchPlanner.Gap] { planned.gaps }
}

extension PreparedFetch {
  /// Prepares a request.
  ///
  /// - Parameters:
  ///   - query: The query that ranks the result; nil for the order of the request.
  ///   - candidateLimit: The maximum number of objects to rank; 0 for all.
  /// - Throws: `PredicateFormatError`, or `CocoaError` for a request that does not match the model
  ///   or cannot be ranked.
  init<Result>(
    _ request: NSFetchRequest<Result>, rankedBy query: TextQuery? = nil, candidateLimit: Int = 0,
    in context: NSManagedObjectContext
  ) throws {
    context.checkQueue("a fetch was performed")
    let coordinator = try context.requireCoordinator()
    if !context.unitOfWork.unpropagated.isEmpty { context.processPendingChanges() }
    let entity = try context.entity(of: request)
    try Self.refuseGroups(of: request)
    let stores = try coordinator.searchedStores(of: request, for: entity)
    let source = context.source
    let isWhole = source.carriesOutRequests
    let entities =
      request.includesSubentities ? entity.subtree : entity.index..<entity.index + 1
    if query != nil { try Self.requireRanking(in: stores, source, of: request) }
    let isConcerned =
      query == nil && request.includesPendingChanges && context.unitOfWork.concerns(entities)
    let isMerged = isConcerned || stores.count > 1 && !isWhole
    let window = request.window
    let wanted = isMerged ? FetchWindow.whole : window
    var planning = FetchPlanner.Request(request, of: entity, window: wanted)
    planning.textQuery = query
    planning.candidateLimit = candidateLimit
    planning.isStrict = planning.isStrict || query != nil
    planning.interruption = source.interruption
    let planned = try coordinator.planner.plan(planning, in: context)
    let overlays = isMerged || !planned.isComplete && !isWhole
    // Sets all fields at once: a value that is initialized field by field is copied and destroyed
    // in between.
    self.init(
      planned: planned, stores: stores,
      affectedPositions: request.isRestricted ? stores.map(\.position) : nil, window: window,
      includesPendingChanges: isConcerned, overlays: overlays,
      readsStoredValues: overlays && !request.includesPendingChanges
        && context.unitOfWork.hasChanges,
      prefetching: request.relationshipKeyPathsForPrefetching ?? [],
      refreshes: request.shouldRefreshRefetchedObjects, realizes: !request.returnsObjectsAsFaults,
      loadsValues: request.includesPropertyValues,
      batchSize: request.resultType == .managedObjectResultType
        ? max(0, request.fetchBatchSize) : 0,
      sourceRequest: isWhole ? source.request(for: request, window: wanted) : nil,
      storeRequest: Self.storeRequest(
        for: request, of: entity, to: stores, window: overlays ? .whole : window))
  }

  /// Throws if a request for objects, ids or a count has groups or a condition on groups, because
  /// groups are dictionaries.
  private static func refuseGroups<Result>(of request: NSFetchRequest<Result>) throws {
    guard request.propertiesToGroupBy?.isEmpty == false || request.havingPredicate != nil else {
      return
    }
    throw CocoaError.make(
      .coreData,
      "Only dictionaries can be grouped. Set the request's resultType to .dictionaryResultType, or set "
        + "propertiesToGroupBy and havingPredicate to nil.")
  }

  /// Throws unless one store can rank the whole result.
  private static func requireRanking<Result>(
    in stores: [NSPersistentStore], _ source: RowSource, of request: NSFetchRequest<Result>
  ) throws {
    let reason: String? =
      if source.carriesOutRequests {
        "A child context cannot rank fetched objects. Fetch in a context without a parent."
      } else if stores.count > 1 {
        "Objects of several stores cannot be ranked together. Set affectedStores to a single store."
      } else if stores.contains(where: { !$0.backend.capabilities.contains(.textRanking) }) {
        "Only SQLite stores can rank fetched objects. Use sort descriptors instead."
      } else if request.resultType != .managedObjectResultType,
        request.resultType != .managedObjectIDResultType
      {
        "Only objects and object ids can be ranked. Change the resultType of the request."
      } else {
        nil
      }
    guard let reason else { return }
    throw CocoaError.surfaced(
      StoreError(.unsupported, reason, entityName: request.entityName))
  }

  /// Returns the request for custom stores; nil if there are none.
  static func storeRequest<Result>(
    for request: NSFetchRequest<Result>, of entity: CompiledEntity, to stores: [NSPersistentStore],
    window: FetchWindow
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard stores.contains(where: { $0.requests != nil }) else { return nil }
    let copy = NSFetchRequest<any NSFetchRequestResult>(copying: request)
    copy.entity = entity.entityDescription
    copy.fetchLimit = window.limit
    copy.fetchOffset = window.offset
    if copy.resultType == .countResultType { copy.resultType = .managedObjectResultType }
    return copy
  }

  /// Returns whether the request affects the store that contains an object, or in which a save
  /// would insert the object.
  func affectsStore(of object: NSManagedObject) -> Bool {
    affectedPositions?.contains(object.savedPosition) ?? true
  }

  /// Whether the stored objects come from several stores, which are read one at a time.
  var isSpread: Bool { stores.count > 1 && sourceRequest == nil }

  /// Whether rows are read in batches, each when its first object is accessed.
  var loadsInBatches: Bool {
    batchSize > 0 && !realizes && !refreshes && prefetching.isEmpty && remaining == nil
  }

  /// Whether only keys are read at first.
  var readsKeysOnly: Bool { !loadsValues || loadsInBatches || storeRequest != nil }
}
