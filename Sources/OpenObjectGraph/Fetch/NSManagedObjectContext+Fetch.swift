internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// The fetch path: request → plan → store → rows → the one object of each row → unsaved changes laid over.

extension NSManagedObjectContext {
  /// Fetches objects, ids or a count, as the request's result type says.
  ///
  /// Unsaved changes of the context count, unless the request says otherwise.
  ///
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed; `CocoaError` when the entity is
  ///   unknown, the predicate does not fit the model, or the store cannot be read.
  /// - Complexity: One statement, and one for each relationship to prefetch.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    let results = try loadingFreely { () throws(any Error) in try fetchResults(request) }
    countFetch(rows: results.count)
    return results
  }

  private func fetchResults<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    if request.resultType == .managedObjectResultType {
      let fetch = try prepare(request)
      return try typed(objects(fetch), fetch.plan.shape.entity)
    }
    if request.resultType == .managedObjectIDResultType {
      return try results(fetchIDs(request))
    }
    if request.resultType.contains(.countResultType) {
      return [try result(NSNumber(value: try count(for: request)))]
    }
    return try fetchDictionaries(request)
  }

  /// Values as the request's result type; without a look at each when that is their own.
  func results<Element, Result>(_ elements: [Element]) throws -> [Result] {
    // The types are the same, which only the check at run time can show the compiler.
    if Result.self == Element.self { return unsafeBitCast(elements, to: [Result].self) }
    return try elements.map(result)
  }

  /// A value as the request's result type.
  private func result<Result>(_ value: Any) throws -> Result {
    guard let value = value as? Result else {
      throw mismatch(of: type(of: value), with: Result.self)
    }
    return value
  }

  /// How many objects the request would return.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    let fetch = try prepare(request)
    countFetch(rows: 0)
    if fetch.overlays { return try loadingFreely { () throws in try objects(fetch).count } }
    if let request = fetch.parentRequest { return try countInParent(request) }
    return try reporting {
      try fetch.stores.reduce(0) { total, store in
        try total + reader(of: store).count(matching: fetch.plan.addressed(to: store))
      }
    }
  }

  /// A request worked out for this context.
  struct PreparedFetch {
    var plan: FetchPlan
    var stores: [NSPersistentStore]
    var window: FetchWindow
    /// Whether unsaved changes of the context have to be laid over the stored rows.
    var overlays: Bool
    var prefetching: [String]
    var refreshes: Bool
    var realizes: Bool
    var loadsValues: Bool
    /// What the objects still have to satisfy, and the order to bring them into.
    var remaining: NSPredicate?
    var remainingSort: [NSSortDescriptor]?
    /// Why something remains.
    var gaps: [FetchPlanner.Gap]
    /// Rows to load at once where they are loaded on access; 0 for all at once.
    var batchSize: Int
    /// What to ask the parent context; nil for a context that asks the stores.
    var parentRequest: NSFetchRequest<NSManagedObject>?
    /// Whether the stored objects come one store after the other.
    var isSpread: Bool { stores.count > 1 && parentRequest == nil }
  }

  /// Works a request out for the context and its stores, reading nothing.
  func prepare<Result>(_ request: NSFetchRequest<Result>) throws -> PreparedFetch {
    checkQueue("a fetch was made")
    let coordinator = try requireCoordinator()
    let stores = try affectedStores(of: request, in: coordinator)
    if unitOfWork.unpropagated.isEmpty == false { processPendingChanges() }
    let entity = try entity(of: request)
    let isChild = parentContext != nil
    let overlays =
      stores.count > 1 && !isChild
      || request.includesPendingChanges
        && hasPendingChanges(in: entity, request.includesSubentities)
    let window = request.window
    let planned = try reporting {
      try planning(request.predicate) { predicate in
        try coordinator.planner.plan(
          FetchPlanner.Request(
            entity: entity, predicate: predicate, sortDescriptors: request.sortDescriptors ?? [],
            limit: overlays ? 0 : max(0, window.limit),
            offset: overlays ? 0 : max(0, window.offset),
            includesSubentities: request.includesSubentities,
            isStrict: !request.allowsEvaluationInMemory))
      }
    }
    var plan = planned.plan
    plan.interruption = readInterruption
    return PreparedFetch(
      plan: plan, stores: stores, window: window,
      overlays: overlays || !planned.isComplete && !isChild,
      prefetching: request.relationshipKeyPathsForPrefetching ?? [],
      refreshes: request.shouldRefreshRefetchedObjects,
      realizes: !request.returnsObjectsAsFaults, loadsValues: request.includesPropertyValues,
      remaining: planned.remaining, remainingSort: planned.remainingSort, gaps: planned.gaps,
      batchSize: request.resultType == .managedObjectResultType
        ? max(0, request.fetchBatchSize) : 0,
      parentRequest: isChild ? parentRequest(for: request, asWhole: overlays) : nil
    )
  }

  /// The stores that a request goes to.
  func affectedStores<Result>(of request: NSFetchRequest<Result>) throws -> [NSPersistentStore] {
    try affectedStores(of: request, in: requireCoordinator())
  }

  private func affectedStores<Result>(
    of request: NSFetchRequest<Result>, in coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSPersistentStore] {
    let stores = try coordinator.requireStores("fetch")
    guard let wanted = request.affectedStores, !wanted.isEmpty else { return stores }
    return stores.filter { store in wanted.contains { $0.isSame(as: store) } }
  }

  func entity<Result>(of request: NSFetchRequest<Result>) throws -> CompiledEntity {
    guard let name = request.entityName else {
      throw CocoaError.make(.coreData, "A fetch request must have an entity.")
    }
    guard let entity = model.entity(named: name) else {
      throw CocoaError.make(
        .coreData,
        "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'.")
    }
    return entity
  }

  func hasPendingChanges(in entity: CompiledEntity, _ withSubentities: Bool) -> Bool {
    guard unitOfWork.hasChanges else { return false }
    let wanted = withSubentities ? entity.subtree : entity.index..<entity.index + 1
    func concerns(_ object: NSManagedObject) -> Bool {
      wanted.contains(object.compiledEntity.index)
    }
    return unitOfWork.inserted.contains(where: concerns)
      || unitOfWork.updated.contains(where: concerns)
      || unitOfWork.deleted.contains(where: concerns)
  }

  /// Runs work of the planner or a store and turns its errors into Apple's.
  func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as StoreError {
      throw CocoaError.make(error)
    }
  }

  /// Runs work that looks at properties of objects, and throws the error of a read that failed meanwhile.
  func throwingFailedReads<Result>(_ work: () throws -> Result) throws -> Result {
    let count = deferred.failedReadCount
    let result = try work()
    if deferred.failedReadCount > count, let error = deferred.lastFailure {
      deferred.forgetFailedReads(after: count)
      throw error
    }
    return result
  }

  // MARK: Results

  private func objects(_ fetch: PreparedFetch) throws -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    if let request = fetch.parentRequest {
      try append(fetch, fromParent: request, to: &objects)
    } else {
      try reporting {
        for store in fetch.stores { try append(fetch, from: store, to: &objects) }
      }
    }
    if fetch.overlays {
      objects = try reporting { try throwingFailedReads { try overlay(objects, fetch) } }
    }
    if fetch.realizes { for object in objects { object.realizeIfNeeded() } }
    return objects
  }

  private func fetchIDs<Result>(_ request: NSFetchRequest<Result>) throws -> [NSManagedObjectID] {
    let fetch = try prepare(request)
    if fetch.overlays { return try objects(fetch).map(\.objectID) }
    if let request = fetch.parentRequest { return try idsInParent(request) }
    var ids: [NSManagedObjectID] = []
    let entities = model.entities
    try reporting {
      for store in fetch.stores {
        try reader(of: store).forEachKeyBatch(matching: fetch.plan.addressed(to: store)) { keys in
          for id in keys {
            let made = borrowing(entities[Int(id.entityIndex)]) {
              NSManagedObjectID(store: store, entity: $0, key: id.key)
            }
            ids.append(made)
          }
        }
      }
    }
    return ids
  }

  /// The objects as the request's result type.
  private func typed<Result>(
    _ objects: [NSManagedObject], _ entity: CompiledEntity
  ) throws -> [Result] {
    if Result.self == NSManagedObject.self {
      return unsafeBitCast(objects, to: [Result].self)
    }
    if let wanted = Result.self as? NSManagedObject.Type {
      if entity.subtree.allSatisfy({ Self.isKind(classes[$0], of: wanted) }) {
        // Every object's class is checked above; an array of one class has the layout of the other's.
        return unsafeBitCast(objects, to: [Result].self)
      }
    }
    return try objects.map { object in
      guard let result = object as? Result else {
        throw mismatch(of: type(of: object), with: Result.self)
      }
      return result
    }
  }

  /// Whether a class is another one or descends from it.
  private static func isKind(_ type: AnyClass, of wanted: AnyClass) -> Bool {
    var current: AnyClass? = type
    while let candidate = current {
      if candidate == wanted { return true }
      current = _getSuperclass(candidate)
    }
    return false
  }

  private func mismatch(of found: Any.Type, with wanted: Any.Type) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The fetch returned \(found), but the request's result type is \(wanted). Check the class that "
        + "the model names for the entity.")
  }

  // MARK: Rows to objects

  private func append(
    _ fetch: PreparedFetch, from store: NSPersistentStore, to objects: inout [NSManagedObject]
  ) throws {
    guard let position = persistentStoreCoordinator?.position(of: store) else { return }
    if !fetch.loadsValues || loadsInBatches(fetch) {
      return try appendFaults(fetch, from: store, position, to: &objects)
    }
    var chunks: [RowChunk] = []
    var last: RowChunk?
    var materializer = Materializer(
      context: self, store: position, entity: fetch.plan.shape.entity, refreshes: fetch.refreshes)
    let isPrefetching = !fetch.prefetching.isEmpty
    try reader(of: store).forEachChunk(matching: fetch.plan.addressed(to: store)) {
      (chunk) throws(StoreError) in
      materializer.append(chunk, to: &objects)
      // Others see a chunk only when it knows its successor.
      if let last { publish(last, in: store) }
      last = chunk
      if isPrefetching { chunks.append(chunk) }
    }
    if let last { publish(last, in: store) }
    for keyPath in fetch.prefetching {
      try fetch.plan.throwIfInterrupted()
      try prefetch(
        keyPath.split(separator: ".").map(String.init), of: fetch.plan.shape.entity, chunks,
        from: store, at: position)
    }
  }

  private func appendFaults(
    _ fetch: PreparedFetch, from store: NSPersistentStore, _ position: Int,
    to objects: inout [NSManagedObject]
  ) throws {
    let keys = try reader(of: store).keys(matching: fetch.plan.addressed(to: store))
    appendFaults(keys, fetch, position, to: &objects)
  }

  /// Appends objects that read their rows in batches.
  func appendFaults(
    _ keys: [ObjectKey], _ fetch: PreparedFetch, _ position: Int,
    to objects: inout [NSManagedObject]
  ) {
    let size = loadsInBatches(fetch) ? fetch.batchSize : max(1, keys.count)
    for start in stride(from: 0, to: keys.count, by: size) {
      let batch = keys[start..<min(start + size, keys.count)]
      let group = FaultGroup(keys: batch.map(\.key))
      for id in batch {
        let object = registered(
          model.entities[Int(id.entityIndex)], key: id.key, store: position)
        if object.contents == .unresolved { object.makeExtras().siblings = group }
        objects.append(object)
      }
    }
  }

  /// Whether rows are read in batches, when the first object of a batch is.
  func loadsInBatches(_ fetch: PreparedFetch) -> Bool {
    fetch.batchSize > 0 && !fetch.realizes && !fetch.refreshes && fetch.prefetching.isEmpty
      && fetch.remaining == nil
  }
}

/// Makes the one object of each row, chunk by chunk.
struct Materializer {
  let context: NSManagedObjectContext
  private let registry: ContextRegistry
  let store: Int
  let root: Int
  let refreshes: Bool
  private var found: [NSManagedObject?] = []
  private var fresh: [NSManagedObject] = []

  init(context: NSManagedObjectContext, store: Int, entity: CompiledEntity, refreshes: Bool) {
    self.context = context
    registry = context.registry
    self.store = store
    root = entity.rootIndex
    self.refreshes = refreshes
  }

  mutating func append(_ chunk: RowChunk, to objects: inout [NSManagedObject]) {
    registry.identityMap.objects(store: store, root: root, rowsOf: chunk, into: &found)
    if found.isEmpty {
      let start = objects.count
      chunk.forEachRowAddress { objects.append(make(Row(chunk: chunk, base: $0))) }
      return registry.identityMap.insert(objects[start...], store: store, root: root)
    }
    appendMixed(chunk, to: &objects)
    registry.identityMap.insert(fresh[...], store: store, root: root)
  }

  /// A chunk of which some objects are registered already.
  private mutating func appendMixed(_ chunk: RowChunk, to objects: inout [NSManagedObject]) {
    fresh.removeAll(keepingCapacity: true)
    var index = 0
    var hits = 0
    chunk.forEachRow { row in
      if let object = found[index] {
        take(row, object)
        objects.append(object)
        hits += 1
      } else {
        let object = make(row)
        fresh.append(object)
        objects.append(object)
      }
      index += 1
    }
    context.counts.identityMapHits &+= hits
  }

  @inline(__always)
  private func make(_ row: Row) -> NSManagedObject {
    let object = context.materialize(row.entityIndex)
    object.registry = registry
    object.standing = .fetched
    object.contents = .fault
    object.storePosition = UInt32(truncatingIfNeeded: store)
    object.key = row.key
    object.row = row
    context.retain(object)
    return object
  }

  private func take(_ row: Row, _ object: NSManagedObject) {
    if object.contents == .unresolved {
      FaultResolver.attach(row, to: object)
    } else if refreshes, object.registration == .persistent, !object.isUpdated {
      object.row = row
      object.forgetLoaded()
    }
  }
}
