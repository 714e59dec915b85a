internal import OpenObjectModel
internal import OpenStoreContract

// What the rest of a context asks of its source of rows and of its faults.

extension NSManagedObjectContext {
  /// The newest row at hand for a key, read from no store.
  @inline(__always)
  func knownRow(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    borrowing(source) { $0.knownRow(root: root, key: key, in: store) }
  }

  /// Rows by key, those without one left out: one statement, but for what the parents hold.
  ///
  /// - Parameter entity: Their entity, or an ancestor of it.
  func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] {
    try source.rows(of: entity, keys: keys, in: store)
  }

  /// The destinations of a to-many relationship, for each of the sources in turn.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] {
    try source.destinations(of: property, in: entity, sources: sources, in: store)
  }

  /// Lets other contexts use rows that were read.
  func publish(_ chunks: [RowChunk], in store: NSPersistentStore) {
    for chunk in chunks { publish(chunk, in: store) }
  }

  func publish(_ chunk: RowChunk, in store: NSPersistentStore) {
    source.publish(chunk, in: store)
  }

  /// Destination of a saved to-one relationship: registered, or a fault that knows its siblings.
  func destination(
    of source: NSManagedObject, _ ordinal: Int, _ link: CompiledLink
  ) -> NSManagedObject? {
    let store = Int(source.storePosition)
    let key = registry.presentKey(source.view.integer(at: link.byteOffset))
    if let object = registry.identityMap.object(store: store, root: link.destinationRoot, key: key)
    {
      return object
    }
    return faults.makeDestination(
      of: source, source.compiledEntity.properties[ordinal], key: key, in: self)
  }

  /// The members of a to-many relationship: those in the store, corrected by unsaved changes.
  ///
  /// - Throws: `StoreError`, `StrictLoadingError`.
  func storedMembers(
    of source: NSManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) throws -> [NSManagedObject] {
    try faults.members(of: source, property, relationship, in: self)
  }

  /// Files objects under the permanent keys that a save of the parent gave them.
  func adoptRenames() { source.adoptRenames(in: self) }

  /// The state of the stores that is read; nil when the context follows them.
  var generation: NSQueryGenerationToken? { source.generation }

  /// Lets the next read of a pinned context see the newest state.
  func advanceGeneration() { source.advanceGeneration() }

  /// The token of a pinned context for the notification of a save; nil when nothing is pinned.
  func pinnedGeneration() -> NSQueryGenerationToken? { source.pinnedGeneration() }
}
