internal import OpenObjectModel
internal import OpenStoreContract

// Ids whose entity is not the entity of their row.
//
// A URI names an entity, and `managedObjectID(forURIRepresentation:)` does not read the row. The id
// of a URI with a superentity or a subentity is equal to the id of the row's object, but a fault
// for this id has the wrong class. Such a fault leaves the context when its row is known.

extension NSManagedObject {
  /// Returns whether the object has the entity of a row with its key. Otherwise the object leaves
  /// its context.
  @inline(__always)
  final func represents(_ row: Row) -> Bool {
    if borrowing(compiledEntity, { $0.index }) == row.entityIndex { return true }
    leave(to: row)
    return false
  }

  @inline(never)
  private final func leave(to row: Row) {
    GraphLog.warning(
      "The object \(currentID) does not exist: its row has the entity "
        + "\(compiledEntity.model.entities[row.entityIndex].name). Use the id of a fetched object.")
    detachKeepingID()
  }
}

extension NSManagedObjectContext {
  /// Returns whether a registered object that was found for an entity can be used. A fault of
  /// another entity can be used unless its row shows that its entity is wrong.
  ///
  /// If the row cannot be read, the fault can be used, and throws the error when it fires.
  @inline(__always)
  func isUsable(_ object: NSManagedObject, as entityIndex: Int) -> Bool {
    if object.contents != .fault { return true }
    return borrowing(object.compiledEntity, { $0.index }) == entityIndex || isRightFault(object)
  }

  /// Returns whether a registered fault can be the destination of a relationship in a row.
  @inline(never)
  func isUsable(
    _ object: NSManagedObject, asDestinationOf source: NSManagedObject, _ ordinal: Int
  ) -> Bool {
    guard let relationship = source.compiledEntity.properties[ordinal].relationship else {
      return true
    }
    let destination = relationship.destination
    guard model.entities[destination.rootIndex].subtree.count > 1 else { return true }
    let named = FaultLoader.discriminatedEntity(of: source, relationship)?.index
    let index = object.compiledEntity.index
    return named.map { $0 == index } ?? destination.subtree.contains(index) || isRightFault(object)
  }

  /// Reads the row of a fault whose entity may be wrong.
  @inline(never)
  private func isRightFault(_ object: NSManagedObject) -> Bool {
    guard object.registration == .persistent else { return true }
    // If the row cannot be read, the fault throws the error when it fires.
    try? loadingFreely { () throws(any Error) in try FaultResolver.load(object) }
    return object.registry === registry
  }
}
