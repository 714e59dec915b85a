internal import OpenObjectModel
internal import OpenStoreContract

// The two lookups of rows that every fault and every destination needs.

extension NSManagedObjectContext {
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
    let key = registry.presentKey(source.view.integer(at: foreignKey.byteOffset))
    if let object = registry.identityMap.object(
      store: store, root: foreignKey.destinationRoot, key: key)
    {
      return object
    }
    return faults.makeDestination(
      of: source, source.compiledEntity.properties[ordinal], key: key, in: self)
  }
}
