internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// One fetch of objects, keys, ids or a count.
///
/// The request becomes a plan. The context's source reads the rows of the plan, and each row yields
/// its object. Unsaved changes are applied last. Each request creates its own operation.
///
/// > Concurrency: Confined to the context's queue.
struct FetchOperation {
  let context: NSManagedObjectContext
  let fetch: PreparedFetch

  init(_ fetch: PreparedFetch, in context: NSManagedObjectContext) {
    self.fetch = fetch
    self.context = context
  }

  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) throws {
    self.init(try PreparedFetch(request, in: context), in: context)
  }

  /// Returns the results of a request in the form that its result type specifies.
  static func results<Result>(
    of request: NSFetchRequest<Result>, in context: NSManagedObjectContext
  ) throws -> [Result] {
    if request.resultType == .managedObjectResultType {
      let operation = try FetchOperation(request, in: context)
      return try ResultCast.objects(
        operation.objects(), of: operation.fetch.plan.shape.entity, classes: context.classes)
    }
    if request.resultType == .managedObjectIDResultType {
      return try ResultCast.values(FetchOperation(request, in: context).ids())
    }
    if request.resultType.contains(.countResultType) {
      return [try ResultCast.value(NSNumber(value: try count(of: request, in: context)))]
    }
    if let requested = try RequestedValues(request, in: context) {
      return try ResultCast.values(try requested.dictionaries())
    }
    return try ValueFetch(request, in: context).dictionaries()
  }

  /// Returns the number of results of a request.
  static func count<Result>(
    of request: NSFetchRequest<Result>, in context: NSManagedObjectContext
  ) throws -> Int {
    let type = request.resultType
    guard type.contains(.dictionaryResultType), !type.contains(.countResultType) else {
      return try FetchOperation(request, in: context).count()
    }
    context.checkQueue("a fetch was made")
    if let requested = try RequestedValues(request, in: context) {
      return try requested.dictionaries().count
    }
    return try ValueFetch(request, in: context).count()
  }

  // MARK: Ends

  /// Fetches objects.
  func objects() throws -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    try surfacingErrors {
      if fetch.readsKeysOnly {
        for run in try context.source.keys(of: self) { append(run, to: &objects) }
      } else {
        try context.source.append(rowsOf: self, to: &objects)
      }
      if fetch.overlays { objects = try overlaid(objects) }
    }
    if fetch.refreshes {
      // A fetch of keys replaces no values.
      if !fetch.readsKeysOnly { SnapshotEvents.announce(.refresh, to: objects) }
      context.observation.compare(in: context.registry)
    }
    if fetch.realizes { for object in objects { object.realizeIfNeeded() } }
    return objects
  }

  /// Fetches ids.
  func ids() throws -> [NSManagedObjectID] {
    if fetch.overlays { return try objects().map(\.currentID) }
    return try surfacingErrors { try context.source.ids(of: self) }
  }

  /// Fetches keys; consecutive keys of one store form one run.
  func keys() throws -> [KeyRun] {
    guard fetch.overlays else {
      return try surfacingErrors { try context.source.keys(of: self) }
    }
    var runs: [KeyRun] = []
    for object in try objects() {
      let store = Int(object.storePosition)
      guard context.registry.isAttached(store) else { continue }
      runs.append(
        ObjectKey(entityIndex: object.compiledEntity.index, key: object.key), at: store)
    }
    return runs
  }

  /// Returns the number of results.
  func count() throws -> Int {
    if fetch.overlays {
      return try context.loadingFreely { () throws(any Error) in try objects().count }
    }
    return try surfacingErrors { try context.source.count(of: self) }
  }

  // MARK: Steps

  /// Applies the context's unsaved changes to the stored objects, and performs the work that
  /// remains in memory.
  private func overlaid(_ objects: [NSManagedObject]) throws -> [NSManagedObject] {
    guard fetch.readsStoredValues else { return try overlaid(objects, in: context) }
    let copies = try StoredCopies(of: objects, in: context)
    return copies.originals(of: try overlaid(copies.objects, in: copies.context))
  }

  private func overlaid(
    _ objects: [NSManagedObject], in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let overlay = PendingChangesOverlay(of: context, over: fetch)
    return try context.throwingFailedReads { try overlay.applied(to: objects) }
  }

  /// Appends objects whose rows are read in batches.
  private func append(_ run: KeyRun, to objects: inout [NSManagedObject]) {
    let keys = run.keys
    let entities = context.model.entities
    let size = fetch.loadsInBatches ? fetch.batchSize : max(1, keys.count)
    for start in stride(from: 0, to: keys.count, by: size) {
      let batch = keys[start..<min(start + size, keys.count)]
      let group = FaultGroup(keys: batch.map(\.key))
      for id in batch {
        let object = context.registered(
          entities[Int(id.entityIndex)], key: id.key, store: run.store)
        if object.contents == .fault { object.makeExtras().siblings = group }
        objects.append(object)
      }
    }
  }

  /// Prefetches the request's relationships for all rows found in a store.
  func prefetch(from chunks: [RowChunk], of store: NSPersistentStore, at position: Int) throws {
    guard !fetch.prefetching.isEmpty else { return }
    let prefetch = Prefetch(context: context, store: store, position: position)
    for keyPath in fetch.prefetching {
      try fetch.plan.throwIfInterrupted()
      try prefetch.run(keyPath, of: fetch.plan.shape.entity, chunks)
    }
  }
}
