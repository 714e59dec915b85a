internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Reads the rows of a context's faults and their siblings, and the destinations of relationships.
///
/// Each context owns one loader. The loader retains rows that were read in a batch until newer rows
/// replace them.
///
/// > Concurrency: Confined to the context's queue.
final class FaultLoader {
  /// The rows most recently read for faults.
  @exclusivity(unchecked) private var recentRows = RecentRows()
  /// The siblings of the most recently created fault.
  @exclusivity(unchecked) private var lastGroup: FaultGroup?

  /// Releases the retained rows.
  func removeAll() {
    recentRows.removeAll()
    lastGroup = nil
  }

  // MARK: Rows

  /// Attaches the row of a fault, if the row exists, and the rows of its unread siblings.
  ///
  /// - Throws: `CocoaError` if the store cannot be read; `StrictLoadingError` if the context
  ///   forbids the read.
  func load(
    _ object: NSManagedObject, from store: NSPersistentStore, in context: NSManagedObjectContext
  ) throws {
    let root = object.compiledEntity.rootIndex
    if let row = context.knownRow(root: root, key: object.key, in: store) {
      context.counters.counts.rowCacheHits &+= 1
      return FaultResolver.attach(row, to: object)
    }
    try context.throwIfStrict(object)
    let registry = context.registry
    let position = Int(object.storePosition)
    // A custom store is called once for each object.
    let siblings = store.requests == nil ? object.extras?.siblings : nil
    let keys =
      siblings?.keys(with: object.key) { key in
        store.rowCache.contains(root: root, key: key)
          || registry.identityMap.object(store: position, root: root, key: key).map {
            $0.contents != .fault
          }
            ?? false
      } ?? [object.key]
    if keys.count == 1 {
      let origin = object.extras?.siblings?.origin
      context.noteSingleRead(origin?.entity ?? object.compiledEntity, origin?.ordinal, from: store)
    }
    var entity = keys.count == 1 ? object.compiledEntity : context.model.entities[root]
    while true {
      let chunks: [RowChunk]
      do throws(StoreError) {
        chunks = try context.source.rows(of: entity, keys: keys, in: store)
      } catch {
        if keys.count == 1 || !error.mayConcernOneRow { throw CocoaError.surfaced(error) }
        // The row of a sibling may be damaged.
        chunks = try surfacingErrors {
          try context.source.rows(of: entity, keys: [object.key], in: store)
        }
      }
      context.counters.countFaultRead(rows: chunks.reduce(0) { $0 + $1.rowCount })
      for chunk in chunks {
        FaultResolver.attach(rowsOf: chunk, root: root, store: position, in: registry)
      }
      for chunk in chunks {
        context.source.publish(chunk, in: store)
        recentRows.keep(chunk, root: root)
      }
      guard object.contents == .fault, object.registry != nil, entity.index != root,
        store.requests == nil
      else { return }
      // The id of the fault may name a subentity of the entity of its row.
      entity = context.model.entities[root]
    }
  }

  // MARK: Relationships

  /// Creates the destination of a saved to-one relationship.
  ///
  /// If the row of the destination is cached, the row is attached to the object. Otherwise the
  /// object is a fault with a group of siblings.
  func makeDestination(
    of source: NSManagedObject, _ property: CompiledProperty, at place: (store: Int, key: Int64),
    in context: NSManagedObjectContext
  ) -> NSManagedObject? {
    guard let relationship = property.relationship,
      let actual = actualEntity(of: source, property, relationship, at: place, in: context)
    else { return nil }
    let object = context.makeFault(actual, key: place.key, store: place.store)
    if let store = context.registry.store(at: place.store),
      let row = context.knownRow(
        root: relationship.destination.rootIndex, key: place.key, in: store)
    {
      context.counters.counts.rowCacheHits &+= 1
      FaultResolver.attach(row, to: object)
    } else if let slot = property.slot {
      object.makeExtras().siblings = siblings(of: source, property, slot)
    }
    return object
  }

  /// The group of the destinations of a chunk; consecutive rows share one group.
  private func siblings(
    of source: NSManagedObject, _ property: CompiledProperty, _ slot: Int
  ) -> FaultGroup {
    let (chunk, offset) = (source.row.chunk, property.byteOffset)
    if let lastGroup, lastGroup.isGroup(of: chunk, offset: offset) { return lastGroup }
    let group = FaultGroup(
      destinationsOf: chunk, offset: offset, slot: slot,
      origin: (source.compiledEntity, property.ordinal))
    lastGroup = group
    return group
  }

  /// The entity of a destination row, from the entity discriminator or else from the row itself.
  ///
  /// - Returns: The entity; nil if the row does not exist or cannot be read.
  func actualEntity(
    of source: NSManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship,
    at place: (store: Int, key: Int64), in context: NSManagedObjectContext
  ) -> CompiledEntity? {
    let entity = relationship.destination
    guard entity.subtree.count > 1 else { return entity }
    if let named = Self.discriminatedEntity(of: source, relationship) { return named }
    let entities = context.model.entities
    guard let store = context.registry.store(at: place.store) else { return nil }
    if let row = context.knownRow(root: entity.rootIndex, key: place.key, in: store) {
      return entities[row.entityIndex]
    }
    do {
      try context.throwIfStrict(source, property)
      context.noteSingleRead(source.compiledEntity, property.ordinal, from: store)
      context.counters.countFaultRead(rows: 1)
      var found: CompiledEntity?
      for chunk in try context.source.rows(of: entity, keys: [place.key], in: store) {
        chunk.forEachRow { found = entities[$0.entityIndex] }
      }
      return found
    } catch {
      source.noteUnread(error, "The relationship \(property.name)")
      return nil
    }
  }

  /// The entity of a destination row according to the entity discriminator in the source's row; nil
  /// without a valid discriminator.
  static func discriminatedEntity(
    of source: NSManagedObject, _ relationship: CompiledRelationship
  ) -> CompiledEntity? {
    let row = source.row
    guard let slot = relationship.discriminatorSlot, !row.isNull(slot) else { return nil }
    let destination = relationship.destination
    let entities = destination.model.entities
    // Another program may have stored any number.
    let index = Int(row.integer(at: RowLayout.slot(slot, of: entities[row.entityIndex]))) &- 1
    return destination.subtree.contains(index) ? entities[index] : nil
  }

  /// Returns the members of a to-many relationship: the stored members, corrected by unsaved
  /// changes.
  ///
  /// - Throws: `StoreError` or `StrictLoadingError`.
  func members(
    of source: NSManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship,
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    guard !property.isTransient, let store = storeOfMembers(of: source, in: context) else {
      return []
    }
    try context.throwIfStrict(source, property)
    context.noteSingleRead(source.compiledEntity, property.ordinal, from: store)
    let keys = try storedMembers(of: source, property, in: context)
    context.counters.countFaultRead(rows: keys.count)
    let group = FaultGroup(keys: keys.map(\.key))
    return keys.compactMap { id in
      let object = context.registered(id, store: Int(source.storePosition))
      if object.contents == .fault { object.makeExtras().siblings = group }
      return Self.isMember(object, of: source, relationship) ? object : nil
    }
  }

  /// Returns whether a stored member of a to-many relationship is still a member with the unsaved
  /// changes of its context.
  static func isMember(
    _ object: NSManagedObject, of source: NSManagedObject, _ relationship: CompiledRelationship
  ) -> Bool {
    if object.registration == .deleted, object.flags.contains(.propagated) { return false }
    guard let inverse = relationship.inverseOrdinal, let edit = object.edits[inverse] else {
      return true
    }
    guard case .object(let target) = edit else { return false }
    return target === source
  }

  /// Returns the keys of the members that the store or the parent contains, without the context's
  /// unsaved changes.
  ///
  /// A transient relationship has no such members. The parent may save the source or move it to
  /// another store during the read. The members are then read again from the new place.
  func storedMembers(
    of source: NSManagedObject, _ property: CompiledProperty, in context: NSManagedObjectContext
  ) throws(StoreError) -> [ObjectKey] {
    while !property.isTransient, let store = storeOfMembers(of: source, in: context) {
      let place = (source.key, source.storePosition)
      let keys = try context.source.destinations(
        of: property, in: source.compiledEntity, sources: [source.key], in: store)
      if source.key < 0 { context.source.adoptRenames(in: context) }
      if place == (source.key, source.storePosition) { return keys.first ?? [] }
    }
    return []
  }

  /// The store that may contain members of an object; nil for an object without a row.
  private func storeOfMembers(
    of source: NSManagedObject, in context: NSManagedObjectContext
  ) -> NSPersistentStore? {
    context.refreshStores()
    if source.key < 0 { context.source.adoptRenames(in: context) }
    // A new object may have its permanent id, but is not in the store.
    guard source.registration != .inserted, context.source.mayHaveRow(source.key) else {
      return nil
    }
    return source.store
  }
}

extension StoreError {
  /// Whether a single damaged row may have caused the error.
  fileprivate var mayConcernOneRow: Bool { code == .corrupt || code == .missingFile }
}
