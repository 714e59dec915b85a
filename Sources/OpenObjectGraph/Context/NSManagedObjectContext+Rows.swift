internal import OpenObjectModel
internal import OpenStoreContract

// Where a context's rows come from: the coordinator's row cache and stores, or the objects of its parent. A
// parent's row carries the parent's unsaved values; keys of its unsaved objects are negative.

extension NSManagedObjectContext {
  /// The newest row at hand for a key, read from no store.
  @inline(__always)
  func knownRow(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    guard let parentContext else { return cachedRow(root, key, store) }
    return parentRow(parentContext, root, key, store)
  }

  @inline(__always)
  private func cachedRow(_ root: Int, _ key: Int64, _ store: NSPersistentStore) -> Row? {
    // The cache has rows of any state.
    if generation != nil { return nil }
    if rowAge < 0 { return store.rowCache.row(root: root, key: key) }
    return rowAge == 0 ? nil : store.rowCache.row(root: root, key: key, youngerThan: rowAge)
  }

  private func parentRow(
    _ parent: NSManagedObjectContext, _ root: Int, _ key: Int64, _ store: NSPersistentStore
  ) -> Row? {
    parent.performForChild {
      guard
        let object = parent.registry.identityMap.object(
          store: store.position, root: root, key: key),
        object.contents != .unresolved || object.registration == .inserted
      else { return parent.knownRow(root: root, key: key, in: store) }
      guard object.registration != .deleted else { return nil }
      if object.edits.isEmpty { return object.row }
      var writer = RowWriter(capacity: 1024)
      // A value that cannot be packed is reported by the parent's own save.
      return try? writer.row(of: object)
    }
  }

  /// Rows by key, those without one left out: one statement, but for what the parents hold.
  ///
  /// - Parameter entity: Their entity, or an ancestor of it.
  func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] {
    guard let parentContext else {
      let chunk = try reader(of: store).rows(of: entity, keys: keys)
      return chunk.rowCount > 0 ? [chunk] : []
    }
    return try parentContext.performForChild { () throws(StoreError) in
      try parentContext.rowsForChild(of: entity, keys: keys, in: store)
    }
  }

  /// Rows of registered objects with their unsaved values, the others as they are stored.
  private func rowsForChild(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] {
    var writer = RowWriter()
    var missing: [Int64] = []
    for key in Set(keys).sorted() {
      let object = registry.identityMap.object(
        store: store.position, root: entity.rootIndex, key: key)
      guard let object, object.contents != .unresolved || object.registration == .inserted else {
        missing.append(key)
        continue
      }
      if object.registration != .deleted { _ = try writer.row(of: object) }
    }
    let stored = missing.isEmpty ? [] : try rows(of: entity, keys: missing, in: store)
    return writer.chunks + stored
  }

  /// The destinations of a to-many relationship, for each of the sources in turn.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] {
    guard let parentContext else {
      return try reader(of: store).destinations(of: property, in: entity, sources: sources)
    }
    return try parentContext.performForChild { () throws(StoreError) in
      guard parentContext.hasUnsavedChanges else {
        return try parentContext.destinations(
          of: property, in: entity, sources: sources, in: store)
      }
      return parentContext.loadingFreely {
        sources.map { key in
          parentContext.registered(entity, key: key, store: store.position)
            .members(property.ordinal)
            .map { ObjectKey(entityIndex: $0.compiledEntity.index, key: $0.key) }
        }
      }
    }
  }

  /// Whether this context or one of its parents has changes that are in no store.
  private var hasUnsavedChanges: Bool {
    if unitOfWork.hasChanges { return true }
    guard let parentContext else { return false }
    return parentContext.performForChild { parentContext.hasUnsavedChanges }
  }

  /// Lets other contexts use rows that were read; those of a parent are its own already.
  func publish(_ chunks: [RowChunk], in store: NSPersistentStore) {
    for chunk in chunks { publish(chunk, in: store) }
  }

  func publish(_ chunk: RowChunk, in store: NSPersistentStore) {
    if parentContext == nil, generation == nil { store.rowCache.publish(chunk) }
  }
}

extension RowWriter {
  /// Packs an object's present values, unsaved ones included, under its present key.
  mutating func row(of object: NSManagedObject) throws(StoreError) -> Row {
    try row(of: object, version: object.row.version)
  }

  /// Packs an object's present values as a row of a version.
  mutating func row(of object: NSManagedObject, version: Int64) throws(StoreError) -> Row {
    try borrowing(object.compiledEntity) { (entity) throws(StoreError) in
      try row(of: object, entity, version: version)
    }
  }

  @inline(__always)
  private mutating func row(
    of object: NSManagedObject, _ entity: CompiledEntity, version: Int64
  ) throws(StoreError) -> Row {
    beginRow(over: object.view)
    try object.edits.forEachBorrowed { (ordinal, edit) throws(StoreError) in
      try put(edit, ordinal, of: entity)
      if let companion = entity.properties[ordinal].relationship?.companionSlot {
        put(edit.companion, companion, of: entity)
      }
    }
    return finishRow(of: entity, key: object.key, version: version)
  }

  /// Puts an unsaved value into the row that was begun, if its property has a column.
  @inline(__always)
  mutating func put(
    _ edit: EditValue, _ ordinal: Int, of entity: CompiledEntity
  ) throws(StoreError) {
    let slot = entity.slotPositions[ordinal]
    guard slot >= 0 else { return }
    switch edit {
    case .value(let value):
      if !put(value, slot, of: entity) { throw EditValue.unfit(ordinal, of: entity) }
    case .object(let object): put(object.key, slot, of: entity)
    case .boxed: put(try edit.content(ordinal, of: entity), slot, of: entity)
    }
  }
}
