internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Gives faults their values: from the row at hand, the coordinator's row cache, or the store.
enum FaultResolver {
  /// Fires a fault on access to a property.
  @inline(never)
  static func realize(_ object: NSManagedObject, for key: __ManagedKey? = nil) {
    if object.contents == .fault, !QueueCheck.isOn { return awake(object) }
    object.context?.checkQueue("a fault was filled")
    if object.contents == .unresolved {
      do {
        try load(object)
      } catch {
        return object.noteUnread(error, "The fault \(object.objectID)")
      }
    }
    switch object.contents {
    case .realized: return
    case .unresolved: handleMissingRow(of: object, key)
    case .fault: awake(object)
    }
  }

  private static func awake(_ object: NSManagedObject) {
    object.contents = .realized
    object.view.prefetchNext()
    object.withContext { $0.counts.faultsFired &+= 1 }
    object.untracked { object.awakeFromFetch() }
  }

  /// Attaches the object's row, if there is one, with the rows of its unread siblings.
  static func load(_ object: NSManagedObject) throws {
    if object.registration == .inserted { return becomeNew(object) }
    object.context?.refreshStores()
    guard let context = object.context, let store = object.store,
      object.key > 0 || context.parentContext != nil
    else { return becomeEmpty(object) }
    let root = object.compiledEntity.rootIndex
    if let row = context.knownRow(root: root, key: object.key, in: store) {
      context.counts.rowCacheHits &+= 1
      return attach(row, to: object)
    }
    try context.throwIfStrict(object)
    let registry = context.registry
    let position = Int(object.storePosition)
    let keys =
      object.extras?.siblings?.keys(with: object.key) { key in
        store.rowCache.contains(root: root, key: key)
          || registry.identityMap.object(store: position, root: root, key: key).map {
            $0.contents != .unresolved
          }
            ?? false
      } ?? [object.key]
    if keys.count == 1 {
      let origin = object.extras?.siblings?.origin
      context.noteSingleRead(origin?.entity ?? object.compiledEntity, origin?.ordinal, from: store)
    }
    try context.load(keys, of: object.compiledEntity, from: store, at: position)
  }

  /// Reads the values of an object that is about to be edited for another context.
  ///
  /// - Throws: The error of the read; nothing has changed then.
  static func requireValues(of object: NSManagedObject) throws {
    if object.contents == .unresolved { try load(object) }
    object.realizeIfNeeded()
  }

  /// Gives an unresolved object its row; it stays a fault until somebody reads it.
  static func attach(_ row: Row, to object: NSManagedObject) {
    guard object.contents == .unresolved else { return }
    object.row = row
    object.contents = .fault
    object.extras?.siblings = nil
  }

  /// An unsaved object without values has those of the model.
  private static func becomeNew(_ object: NSManagedObject) {
    object.row = DefaultRows.row(of: object.compiledEntity)
    object.contents = .realized
  }

  /// An object that left its context reads as nil.
  private static func becomeEmpty(_ object: NSManagedObject) {
    object.dropRow()
    object.contents = .realized
  }

  private static func handleMissingRow(of object: NSManagedObject, _ key: __ManagedKey?) {
    guard let context = object.context else { return becomeEmpty(object) }
    let property = key.flatMap { object.entity.propertiesByName[$0.name] }
    guard
      context.shouldHandleInaccessibleFault(
        object, for: object.objectID, triggeredByProperty: property)
    else {
      return object.note(
        CocoaError.make(
          .managedObjectReferentialIntegrity,
          "CoreData could not fulfill a fault for '\(object.objectID)': its row was deleted."))
    }
    becomeEmpty(object)
    context.noteMissingRow(of: object)
  }
}

extension NSManagedObjectContext {
  /// Reads rows by key in one statement and gives them to the registered faults.
  func load(
    _ keys: [Int64], of entity: CompiledEntity, from store: NSPersistentStore, at position: Int
  ) throws {
    let root = model.entities[entity.rootIndex]
    let chunks = try requireCoordinator().mapping { () throws(StoreError) in
      try rows(of: keys.count == 1 ? entity : root, keys: keys, in: store)
    }
    countFaultRead(rows: chunks.reduce(0) { $0 + $1.rowCount })
    for chunk in chunks {
      chunk.forEachRow { row in
        if let object = registry.identityMap.object(store: position, root: root.index, key: row.key)
        {
          FaultResolver.attach(row, to: object)
        }
      }
    }
    publish(chunks, in: store)
    for chunk in chunks { recentRows.keep(chunk, root: root.index) }
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
    return makeDestination(of: source, source.compiledEntity.properties[ordinal], key: key)
  }

  private func makeDestination(
    of source: NSManagedObject, _ property: CompiledProperty, key: Int64
  ) -> NSManagedObject? {
    guard let relationship = property.relationship else { return nil }
    let entity = relationship.destination
    let store = Int(source.storePosition)
    guard let actual = actualEntity(entity, key: key, source, property, relationship) else {
      return nil
    }
    let object = makeFault(actual, key: key, store: store)
    if let store = source.store,
      let row = knownRow(root: entity.rootIndex, key: key, in: store)
    {
      counts.rowCacheHits &+= 1
      FaultResolver.attach(row, to: object)
    } else if let slot = property.slot {
      object.makeExtras().siblings = siblings(source, property, slot)
    }
    return object
  }

  /// The group of a chunk's destinations; the same one for consecutive rows.
  private func siblings(
    _ source: NSManagedObject, _ property: CompiledProperty, _ slot: Int
  ) -> FaultGroup {
    let (chunk, offset) = (source.row.chunk, property.byteOffset)
    if let lastGroup, lastGroup.isGroup(of: chunk, offset: offset) { return lastGroup }
    let group = FaultGroup(
      destinationsOf: chunk, offset: offset, slot: slot,
      origin: (source.compiledEntity, property.ordinal))
    lastGroup = group
    return group
  }

  /// The entity of a destination row: the companion slot says it, or else the row itself.
  private func actualEntity(
    _ entity: CompiledEntity, key: Int64, _ source: NSManagedObject, _ property: CompiledProperty,
    _ relationship: CompiledRelationship
  ) -> CompiledEntity? {
    guard entity.subtree.count > 1 else { return entity }
    let row = source.row
    if let slot = relationship.companionSlot, !row.isNull(slot) {
      let index =
        Int(row.integer(at: RowLayout.slot(slot, of: model.entities[row.entityIndex]))) - 1
      if entity.subtree.contains(index) { return model.entities[index] }
    }
    guard let store = source.store else { return nil }
    if let row = knownRow(root: entity.rootIndex, key: key, in: store) {
      return model.entities[row.entityIndex]
    }
    do {
      try throwIfStrict(source, property)
      noteSingleRead(source.compiledEntity, property.ordinal, from: store)
      countFaultRead(rows: 1)
      var found: CompiledEntity?
      for chunk in try rows(of: entity, keys: [key], in: store) {
        chunk.forEachRow { found = model.entities[$0.entityIndex] }
      }
      return found
    } catch {
      source.noteUnread(error, "The relationship \(property.name)")
      return nil
    }
  }

  /// The members of a to-many relationship: those in the store, corrected by unsaved changes.
  ///
  /// - Throws: `StoreError`, `StrictLoadingError`.
  func storedMembers(
    of source: NSManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) throws -> [NSManagedObject] {
    refreshStores()
    guard let store = source.store, source.key > 0 || parentContext != nil else { return [] }
    try throwIfStrict(source, property)
    noteSingleRead(source.compiledEntity, property.ordinal, from: store)
    let keys =
      try destinations(
        of: property, in: source.compiledEntity, sources: [source.key], in: store
      ).first ?? []
    countFaultRead(rows: keys.count)
    let position = Int(source.storePosition)
    let group = FaultGroup(keys: keys.map(\.key))
    return keys.compactMap { id in
      let object = registered(
        model.entities[Int(id.entityIndex)], key: id.key, store: position)
      if object.contents == .unresolved { object.makeExtras().siblings = group }
      if object.registration == .deleted, object.flags.contains(.propagated) { return nil }
      guard let inverse = relationship.inverseOrdinal, let edit = object.edits[inverse] else {
        return object
      }
      if case .object(let target) = edit, target === source { return object }
      return nil
    }
  }
}
