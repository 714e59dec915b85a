internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The source of a child context's rows: the objects of its parent, including their unsaved values.
///
/// Unsaved objects of the parent have negative keys. Every request runs on the parent's queue. The
/// parent requests missing rows from the parent's source.
///
/// > Concurrency: Confined to the queue of the child context.
final class ParentSource: RowSource {
  private let context: NSManagedObjectContext

  init(_ parent: NSManagedObjectContext, after former: RowSource) {
    context = parent
    super.init(after: former)
  }

  override var parent: NSManagedObjectContext? { context }

  // MARK: Rows

  override var hasUnsavedRows: Bool { true }

  override var hasUnsavedChanges: Bool { context.performForChild { isParentChanged } }

  /// Whether the parent or one of its ancestors has unsaved changes. Read this property on the
  /// parent's queue.
  private var isParentChanged: Bool {
    context.unitOfWork.hasChanges || context.source.hasUnsavedChanges
  }

  override func rowAtHand(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    context.performForChild {
      guard let object = readObject(root: root, key: key, in: store) else {
        return context.source.knownRow(root: root, key: key, in: store)
      }
      guard object.registration != .deleted else { return nil }
      if object.edits.isEmpty { return object.row }
      var writer = RowWriter(capacity: 1024)
      // A value that cannot be packed is reported by the parent's own save.
      return try? writer.row(of: object)
    }
  }

  /// Returns the parent's object with a key, or nil if the parent does not have the object's
  /// values. Call this method on the parent's queue.
  private func readObject(
    root: Int, key: Int64, in store: NSPersistentStore
  ) -> NSManagedObject? {
    guard let object = context.registry.object(root: root, key: key, at: store.position),
      object.contents != .fault || object.registration == .inserted
    else { return nil }
    realizeInserted(object)
    return object
  }

  /// Gives an inserted object that is a fault the default values of the model.
  private func realizeInserted(_ object: NSManagedObject) {
    if object.contents == .fault, object.registration == .inserted { object.realizeIfNeeded() }
  }

  override func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] {
    try context.performForChild { () throws(StoreError) in
      var writer = RowWriter()
      var missing: [Int64] = []
      for key in Set(keys).sorted() {
        guard let object = readObject(root: entity.rootIndex, key: key, in: store) else {
          missing.append(key)
          continue
        }
        if object.registration != .deleted { _ = try writer.row(of: object) }
      }
      if missing.isEmpty { return writer.chunks }
      // If an ancestor has saved the objects, the child gets their new keys, and reads them again.
      if missing[0] < 0 { context.source.adoptRenames(in: context) }
      return try writer.chunks + context.source.rows(of: entity, keys: missing, in: store)
    }
  }

  override func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] {
    try context.performForChild { () throws(StoreError) in
      guard isParentChanged else {
        return try context.source.destinations(
          of: property, in: entity, sources: sources, in: store)
      }
      return try context.loadingFreely { () throws(StoreError) in
        try sources.map { (key) throws(StoreError) in
          try members(
            property, of: context.registered(entity, key: key, store: store.position))
        }
      }
    }
  }

  /// Returns the keys of the members of an object's relationship in the parent, including the
  /// parent's unsaved changes. Call this method on the parent's queue.
  private func members(
    _ property: CompiledProperty, of object: NSManagedObject
  ) throws(StoreError) -> [ObjectKey] {
    do {
      return try object.loadMembers(property.ordinal).members?.objects.map {
        ObjectKey(entityIndex: $0.compiledEntity.index, key: $0.key)
      } ?? []
    } catch {
      throw (error as? StoreError) ?? StoreError(.application, "\(error)", underlying: error)
    }
  }

  // MARK: Fetches

  override var carriesOutRequests: Bool { true }

  override func request<Result>(
    for request: NSFetchRequest<Result>, window: FetchWindow
  ) -> NSFetchRequest<NSManagedObject>? {
    let copy = NSFetchRequest<NSManagedObject>(copying: request)
    copy.resultType = .managedObjectResultType
    copy.returnsObjectsAsFaults = true
    copy.includesPropertyValues = true
    copy.relationshipKeyPathsForPrefetching = nil
    copy.fetchBatchSize = 0
    copy.fetchLimit = window.limit
    copy.fetchOffset = window.offset
    return copy
  }

  override func append(
    rowsOf operation: FetchOperation, to objects: inout [NSManagedObject]
  ) throws {
    guard let request = operation.fetch.sourceRequest else { return }
    let runs = try ask { try rows(matching: request) }
    adoptRenames(in: operation.context)
    for run in runs {
      var materializer = Materializer(operation, store: run.store)
      for chunk in run.chunks { materializer.append(chunk, to: &objects) }
      for (chunk, next) in zip(run.chunks, run.chunks.dropFirst()) { chunk.next = next }
      guard let store = operation.context.registry.store(at: run.store) else { continue }
      try operation.prefetch(from: run.chunks, of: store, at: run.store)
    }
  }

  /// Consecutive rows of one store.
  private struct RowRun {
    var store: Int
    var chunks: [RowChunk]
  }

  /// Returns the rows of the objects that a request fetches in the parent, with their unsaved
  /// values. Call this method on the parent's queue.
  private func rows(matching request: NSFetchRequest<NSManagedObject>) throws -> [RowRun] {
    let objects = try context.results(of: request)
    var runs: [RowRun] = []
    var start = 0
    while start < objects.count {
      let position = objects[start].storePosition
      var writer = RowWriter()
      while start < objects.count, objects[start].storePosition == position {
        realizeInserted(objects[start])
        _ = try writer.row(of: objects[start])
        start += 1
      }
      runs.append(RowRun(store: Int(position), chunks: writer.chunks))
    }
    return runs
  }

  override func keys(of operation: FetchOperation) throws -> [KeyRun] {
    let ids = try ids(of: operation)
    adoptRenames(in: operation.context)
    var runs: [KeyRun] = []
    for id in ids {
      guard let position = ObjectLookup.storePosition(of: id, in: operation.context) else {
        continue
      }
      runs.append(ObjectKey(entityIndex: id.compiledEntity.index, key: id.key), at: position)
    }
    return runs
  }

  override func ids(of operation: FetchOperation) throws -> [NSManagedObjectID] {
    guard let wanted = operation.fetch.sourceRequest else { return [] }
    let request = NSFetchRequest<NSManagedObjectID>(copying: wanted)
    request.resultType = .managedObjectIDResultType
    return try ask { try context.results(of: request) }
  }

  override func count(of operation: FetchOperation) throws -> Int {
    guard let request = operation.fetch.sourceRequest else { return 0 }
    return try ask { try context.resultCount(of: request) }
  }

  /// Runs a fetch on the parent's queue. If the child's fetch is interrupted, the parent's fetch is
  /// also interrupted.
  private func ask<Answer>(_ question: () throws -> Answer) rethrows -> Answer {
    try context.performForChild {
      try context.source.interruptible(by: interruption, question)
    }
  }

  override func valueReader(
    of store: NSPersistentStore
  ) throws(StoreError) -> any StoreBackend {
    try context.performForChild { () throws(StoreError) in
      try context.source.valueReader(of: store)
    }
  }

  override func accept(_ save: SaveOperation, in stores: [NSPersistentStore]) throws {
    try save.write(to: context)
  }

  override func attach(_ reader: NSManagedObjectContext) { reader.parent = context }

  override func setGeneration(_ generation: NSQueryGenerationToken?) throws {
    throw CocoaError.make(
      .coreData, "A child context reads from its parent. Set the query generation of the parent.")
  }

  override func adoptRenames(in child: NSManagedObjectContext) {
    var renames = child.registry.takeRenames()
    for index in renames.indices { carryOut(&renames[index], in: child) }
    if !renames.isEmpty { child.children.announce(renames) }
  }

  /// Moves a registered object of a child to its newest place.
  private func carryOut(_ rename: inout ObjectRename, in child: NSManagedObjectContext) {
    let (registry, key) = (child.registry, rename.temporaryKey)
    if let object = registry.identityMap.unsavedObject(root: rename.root, key: key) {
      let survivor = registry.object(root: rename.root, key: rename.key, at: rename.store)
      if rename.isMerge, survivor != nil {
        child.removeMerged(object)
      } else {
        child.moveToPresentPlace(object, ofKey: key)
      }
    }
    let place = registry.presentPlace(ofKey: key, at: rename.store)
    rename.store = place.store
    rename.key = place.key
  }
}
