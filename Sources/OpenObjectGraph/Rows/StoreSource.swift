internal import OpenObjectModel
internal import OpenStoreContract

/// The source of rows from a coordinator's stores: rows in the row cache, and rows that are read
/// from the stores.
///
/// A context that is pinned to a query generation uses no cached rows, because the row cache
/// contains rows of different generations.
///
/// > Concurrency: Confined to the context's queue.
final class StoreSource: RowSource {
  private let coordinator: NSPersistentStoreCoordinator
  /// The context that reads the rows.
  private let reader: WeakReference<NSManagedObjectContext>

  init(
    _ coordinator: NSPersistentStoreCoordinator, for reader: WeakReference<NSManagedObjectContext>,
    after former: RowSource
  ) {
    self.coordinator = coordinator
    self.reader = reader
    super.init(after: former)
    generation = former.generation
  }

  override func settingsDidChange() {
    trustsRowCache = generation == nil && stalenessInterval < 0
  }

  // MARK: Rows

  override func rowAtHand(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    if generation != nil || stalenessInterval == 0 { return nil }
    return store.rowCache.row(root: root, key: key, youngerThan: stalenessInterval)
  }

  override func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] {
    if let requests = store.requests, let context = reader.target {
      return try requests.chunks(of: entity, keys: keys, in: context)
    }
    let chunk = try reader(of: store).rows(of: entity, keys: keys)
    return chunk.rowCount > 0 ? [chunk] : []
  }

  override func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] {
    if let requests = store.requests, let context = reader.target {
      return try requests.destinations(of: property, in: entity, sources: sources, context)
    }
    return try reader(of: store).destinations(of: property, in: entity, sources: sources)
  }

  override func publish(_ chunk: RowChunk, in store: NSPersistentStore) {
    if generation == nil { store.rowCache.publish(chunk) }
  }

  override func isUnread(
    root: Int, key: Int64, in store: NSPersistentStore, after source: ForeignChanges.Source
  ) -> Bool {
    guard key > 0 else { return false }
    switch source {
    case .save: return false
    case .stores: return true
    case .context: return generation != nil || store.rowCache.row(root: root, key: key) == nil
    }
  }

  // MARK: Fetches

  override func append(
    rowsOf operation: FetchOperation, to objects: inout [NSManagedObject]
  ) throws {
    for store in operation.fetch.stores {
      guard let position = coordinator.position(of: store) else { continue }
      let isPrefetching = !operation.fetch.prefetching.isEmpty
      var chunks: [RowChunk] = []
      var last: RowChunk?
      var materializer = Materializer(operation, store: position)
      try operation.fetch.plan.addressing(store) { (plan) throws(StoreError) in
        try reader(of: store).forEachChunk(matching: plan) { (chunk) throws(StoreError) in
          materializer.append(chunk, to: &objects)
          // A chunk is published only after its successor is known.
          if let last { publish(last, in: store) }
          last = chunk
          if isPrefetching { chunks.append(chunk) }
        }
      }
      if let last { publish(last, in: store) }
      try operation.prefetch(from: chunks, of: store, at: position)
    }
  }

  override func keys(of operation: FetchOperation) throws -> [KeyRun] {
    var runs: [KeyRun] = []
    for store in operation.fetch.stores {
      guard let position = coordinator.position(of: store) else { continue }
      runs.append(KeyRun(store: position, keys: try keys(of: operation, in: store)))
    }
    return runs
  }

  private func keys(
    of operation: FetchOperation, in store: NSPersistentStore
  ) throws(StoreError) -> [ObjectKey] {
    if let requests = store.requests, let request = operation.fetch.storeRequest {
      return try requests.keys(matching: request, in: operation.context)
    }
    return try operation.fetch.plan.addressing(store) { (plan) throws(StoreError) in
      try reader(of: store).keys(matching: plan)
    }
  }

  override func ids(of operation: FetchOperation) throws -> [NSManagedObjectID] {
    var ids: [NSManagedObjectID] = []
    let entities = coordinator.model.entities
    func append(_ keys: [ObjectKey], of store: NSPersistentStore) {
      for id in keys {
        let made = borrowing(entities[Int(id.entityIndex)]) {
          NSManagedObjectID(store: store, entity: $0, key: id.key)
        }
        ids.append(made)
      }
    }
    for store in operation.fetch.stores {
      if store.requests != nil {
        append(try keys(of: operation, in: store), of: store)
        continue
      }
      try operation.fetch.plan.addressing(store) { (plan) throws(StoreError) in
        try reader(of: store).forEachKeyBatch(matching: plan) { append($0, of: store) }
      }
    }
    return ids
  }

  override func count(of operation: FetchOperation) throws -> Int {
    try operation.fetch.stores.reduce(0) { total, store in
      if let requests = store.requests, let request = operation.fetch.storeRequest {
        return try total + requests.count(matching: request, in: operation.context)
      }
      return try operation.fetch.plan.addressing(store) { (plan) throws(StoreError) in
        try total + reader(of: store).count(matching: plan)
      }
    }
  }

  override func attach(_ reader: NSManagedObjectContext) {
    reader.persistentStoreCoordinator = coordinator
    reader.source.generation = generation
  }

  // MARK: Saves

  /// Writes the changes of a save, in one transaction for each store.
  ///
  /// The method first checks that all stores are writable. If writing to a store fails
  /// nevertheless, the changes that earlier stores wrote remain written.
  override func accept(_ save: SaveOperation, in stores: [NSPersistentStore]) throws {
    for commit in try save.commits(to: stores) {
      do {
        save.adopt(try commit.run())
      } catch {
        throw save.end(error, in: commit.store)
      }
    }
    save.acceptMergedDeletions(outside: stores)
    advanceGeneration()
  }

  // MARK: The state that is read

  override func pinnedReader(
    of store: NSPersistentStore
  ) throws(StoreError) -> any StoreBackend {
    guard let generation else { return store.backend }
    guard generation === NSQueryGenerationToken.current else { return generation.reader(of: store) }
    let pinned = try NSQueryGenerationToken(pinning: coordinator.persistentStores)
    self.generation = pinned
    return pinned.reader(of: store)
  }

  override func pinnedGeneration() -> NSQueryGenerationToken? {
    guard generation != nil, let store = coordinator.persistentStores.first else { return nil }
    do {
      _ = try reader(of: store)
    } catch {
      GraphLog.error("The query generation could not be pinned after a save: \(error)")
    }
    return generation?.isPinned == true ? generation : nil
  }

  override var mergingContexts: WeakContexts? { coordinator.mergingContexts }
}
