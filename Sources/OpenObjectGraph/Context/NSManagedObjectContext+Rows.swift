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
