internal import OpenObjectModel
internal import OpenStoreContract

// The registered objects of a context, which rows, changes and results name by their keys, and the
// lookups of rows and destinations that faults need.

extension NSManagedObjectContext {
  /// Creates a registered fault of an entity.
  func makeFault(_ entity: CompiledEntity, key: Int64, store: Int) -> NSManagedObject {
    let object = materialize(entity.index)
    object.registry = registry
    object.standing = .fetched
    object.contents = .fault
    // A fault that cannot be read has no values, not even the model's default ones.
    object.dropRow()
    object.storePosition = UInt32(truncatingIfNeeded: store)
    object.key = key
    borrowing(registry) {
      $0.identityMap.insert(object, store: store, root: entity.rootIndex, key: key)
    }
    retain(object)
    return object
  }

  /// Creates an unregistered object of an entity's class.
  @inline(__always)
  func materialize(_ entityIndex: Int) -> NSManagedObject {
    classes[entityIndex].init(__materializing: descriptions[entityIndex])
  }

  @inline(__always)
  func retain(_ object: NSManagedObject) {
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
  }

  /// The registered object to which a row, a change or a result refers by a key, or a new fault.
  func registered(_ entity: CompiledEntity, key: Int64, store: Int) -> NSManagedObject {
    if let object = registry.object(root: entity.rootIndex, key: key, at: store),
      isUsable(object, as: entity.index)
    {
      return object
    }
    let object = makeFault(entity, key: key, store: store)
    if key < 0 { moveToPresentPlace(object, ofKey: key) }
    return object
  }

  /// The registered object to which a row, a change or a result refers by a key, or a new fault.
  func registered(_ id: ObjectKey, store: Int) -> NSManagedObject {
    registered(model.entities[Int(id.entityIndex)], key: id.key, store: store)
  }

  // MARK: Rows

  /// The newest known row with a key, without reading a store.
  @inline(__always)
  func knownRow(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    borrowing(source) { $0.knownRow(root: root, key: key, in: store) }
  }

  /// The destination of a saved to-one relationship: the registered object, or a new fault that can
  /// be loaded in a batch.
  func destination(
    of source: NSManagedObject, _ ordinal: Int, _ foreignKey: CompiledForeignKey
  ) -> NSManagedObject? {
    let store = Int(source.storePosition)
    let key = source.view.integer(at: foreignKey.byteOffset)
    if let object = registry.object(root: foreignKey.destinationRoot, key: key, at: store),
      object.contents != .fault || isUsable(object, asDestinationOf: source, ordinal)
    {
      return object
    }
    return faults.makeDestination(
      of: source, source.compiledEntity.properties[ordinal],
      at: registry.presentPlace(ofKey: key, at: store), in: self)
  }
}
