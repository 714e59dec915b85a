internal import OpenObjectModel
internal import OpenStoreContract

// Fetches of a child context: the parent fetches, its unsaved changes included, and hands packed rows down.

extension NSManagedObjectContext {
  /// What a child context asks its parent.
  ///
  /// - Parameter asWhole: Whether the child needs all that matches, because its own changes come on top.
  func parentRequest<Result>(
    for request: NSFetchRequest<Result>, asWhole: Bool
  ) -> NSFetchRequest<NSManagedObject> {
    let copy = NSFetchRequest<NSManagedObject>(copying: request)
    copy.resultType = .managedObjectResultType
    copy.returnsObjectsAsFaults = true
    copy.includesPropertyValues = true
    copy.relationshipKeyPathsForPrefetching = nil
    copy.fetchBatchSize = 0
    if asWhole {
      copy.fetchLimit = 0
      copy.fetchOffset = 0
    }
    return copy
  }

  func countInParent(_ request: NSFetchRequest<NSManagedObject>) throws -> Int {
    try askParent { try $0.count(for: request) } ?? 0
  }

  func idsInParent(_ request: NSFetchRequest<NSManagedObject>) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(copying: request)
    request.resultType = .managedObjectIDResultType
    return try askParent { try $0.fetch(request) } ?? []
  }

  /// Appends this context's objects for those that the parent finds.
  func append(
    _ fetch: PreparedFetch, fromParent request: NSFetchRequest<NSManagedObject>,
    to objects: inout [NSManagedObject]
  ) throws {
    if !fetch.loadsValues || loadsInBatches(fetch) {
      return try appendParentFaults(fetch, request, to: &objects)
    }
    let runs = try askParent { try $0.rowsForChild(matching: request) } ?? []
    adoptRenames()
    let entity = fetch.plan.shape.entity
    for run in runs {
      var materializer = Materializer(
        context: self, store: run.store, entity: entity, refreshes: fetch.refreshes)
      for chunk in run.chunks { materializer.append(chunk, to: &objects) }
      for (chunk, next) in zip(run.chunks, run.chunks.dropFirst()) { chunk.next = next }
      guard let store = registry.store(at: run.store) else { continue }
      for keyPath in fetch.prefetching {
        try reporting {
          try prefetch(
            keyPath.split(separator: ".").map(String.init), of: entity, run.chunks, from: store,
            at: run.store)
        }
      }
    }
  }

  private func appendParentFaults(
    _ fetch: PreparedFetch, _ request: NSFetchRequest<NSManagedObject>,
    to objects: inout [NSManagedObject]
  ) throws {
    let ids = try idsInParent(request)
    adoptRenames()
    var start = 0
    while start < ids.count {
      guard let position = storePosition(of: ids[start]) else {
        start += 1
        continue
      }
      var end = start
      var keys: [ObjectKey] = []
      while end < ids.count, storePosition(of: ids[end]) == position {
        keys.append(ObjectKey(entityIndex: ids[end].compiledEntity.index, key: ids[end].key))
        end += 1
      }
      appendFaults(keys, fetch, position, to: &objects)
      start = end
    }
  }

  private func askParent<Answer>(
    _ question: (NSManagedObjectContext) throws -> Answer
  ) rethrows -> Answer? {
    guard let parentContext else { return nil }
    return try parentContext.performForChild {
      try parentContext.interruptible(by: readInterruption) { try question(parentContext) }
    }
  }

  // MARK: The parent's side

  /// Consecutive rows of one store.
  struct RowRun {
    var store: Int
    var chunks: [RowChunk]
  }

  /// The rows of what a request finds here, with this context's unsaved values.
  private func rowsForChild(matching request: NSFetchRequest<NSManagedObject>) throws -> [RowRun] {
    let objects = try fetch(request)
    return try reporting {
      var runs: [RowRun] = []
      var start = 0
      while start < objects.count {
        let position = objects[start].storePosition
        var writer = RowWriter()
        while start < objects.count, objects[start].storePosition == position {
          _ = try writer.row(of: objects[start])
          start += 1
        }
        runs.append(RowRun(store: Int(position), chunks: writer.chunks))
      }
      return runs
    }
  }

  /// Files objects under the permanent keys that a save of the parent gave them.
  func adoptRenames() {
    guard parentContext != nil else { return }
    let renames = registry.takeRenames()
    for rename in renames {
      let object = registry.identityMap.object(
        store: rename.store, root: rename.root, key: rename.temporaryKey)
      if let object { rekey(object, to: rename.key) }
    }
    if !renames.isEmpty { for child in children.all { child.registry.note(renames) } }
  }
}
