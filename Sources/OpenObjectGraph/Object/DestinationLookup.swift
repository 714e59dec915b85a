internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Finds the destinations of an object's relationships without creating objects for them.
///
/// > Concurrency: Confined to the context's queue.
enum DestinationLookup {
  /// Returns a reference to the destination of a to-one relationship; nil if there is none.
  static func reference(_ ordinal: Int, of object: NSManagedObject) -> ObjectReference? {
    object.realizeIfNeeded()
    if let edit = object.edits[ordinal] {
      if case .object(let destination) = edit { return destination.reference }
      return nil
    }
    guard let foreignKey = borrowing(object.compiledEntity, { $0.foreignKey(ordinal) }),
      !object.view.isNull(foreignKey.slot)
    else { return nil }
    return borrowing(object.registry) { registry -> ObjectReference in
      let place = registry.presentPlace(
        ofKey: object.view.integer(at: foreignKey.byteOffset), at: Int(object.storePosition))
      return ObjectReference(
        entityToken: foreignKey.destinationRootToken,
        storeToken: place.key < 0 ? 0 : registry.storeToken(at: place.store), key: place.key)
    }
  }

  /// Forgets the destinations that were read and to which the object's new row does not refer. The
  /// object retains the other destinations, so that they keep their transient values.
  static func forgetReplacedDestinations(of object: NSManagedObject) {
    if let destination = object.readDestination,
      !isCommitted(destination, Int(object.readOrdinal), of: object)
    {
      object.readDestination = nil
    }
    object.extras?.removeDestinations { !isCommitted($0, $1, of: object) }
  }

  /// Retains a destination that was set and saved, like a destination that was read.
  ///
  /// A destination with a temporary id is not retained, because the parent context may merge it
  /// into another object.
  static func keep(_ destination: NSManagedObject, _ ordinal: Int, of object: NSManagedObject) {
    guard destination.key > 0, object.loadedDestination(ordinal) !== destination,
      isCommitted(destination, ordinal, of: object)
    else { return }
    object.keepDestination(destination, ordinal)
  }

  private static func isCommitted(
    _ destination: NSManagedObject, _ ordinal: Int, of object: NSManagedObject
  ) -> Bool {
    // During a save, a new destination may still be an inserted object.
    guard destination.isPresent, destination.storePosition == object.storePosition,
      let foreignKey = borrowing(object.compiledEntity, { $0.foreignKey(ordinal) }),
      !object.view.isNull(foreignKey.slot)
    else { return false }
    return object.view.integer(at: foreignKey.byteOffset) == destination.key
  }

  // MARK: Ids

  /// Returns the ids of a relationship's destinations.
  @inline(__always)
  static func ids(_ name: String, of object: NSManagedObject) -> [NSManagedObjectID] {
    guard let ordinal = borrowing(object.compiledEntity, { $0.ordinal(of: name) }) else {
      return []
    }
    object.realizeIfNeeded()
    defer { object.noteRead(.property(ordinal)) }
    guard let foreignKey = borrowing(object.compiledEntity, { $0.foreignKey(ordinal) }),
      !object.edits.contains(ordinal)
    else {
      return presentIDs(ordinal, of: object)
    }
    guard !object.view.isNull(foreignKey.slot) else { return [] }
    let storedPlace = (
      store: Int(object.storePosition), key: object.view.integer(at: foreignKey.byteOffset)
    )
    let place =
      borrowing(object.registry) {
        $0.presentPlace(ofKey: storedPlace.key, at: storedPlace.store)
      } ?? storedPlace
    let store = object.registry?.store(at: place.store)
    if foreignKey.destination._withUnsafeGuaranteedRef({ $0.subtree.count > 1 }) {
      guard let entity = destinationEntity(ordinal, of: object, place) else { return [] }
      return [NSManagedObjectID(store: store, entity: entity, key: place.key)]
    }
    return foreignKey.destination._withUnsafeGuaranteedRef {
      [NSManagedObjectID(store: store, entity: $0, key: place.key)]
    }
  }

  /// Returns the actual entity of the destination in the committed row; nil if the destination
  /// cannot be read.
  private static func destinationEntity(
    _ ordinal: Int, of object: NSManagedObject, _ place: (store: Int, key: Int64)
  ) -> CompiledEntity? {
    if let known = object.knownDestination(ordinal) { return known.compiledEntity }
    let property = object.compiledEntity.properties[ordinal]
    guard let relationship = property.relationship else { return nil }
    guard let context = object.context else {
      return FaultLoader.discriminatedEntity(of: object, relationship) ?? relationship.destination
    }
    return context.faults.actualEntity(
      of: object, property, relationship, at: place, in: context)
  }

  /// Returns the ids that the row does not contain: of members and of unsaved destinations.
  private static func presentIDs(_ ordinal: Int, of object: NSManagedObject) -> [NSManagedObjectID]
  {
    guard let relationship = object.compiledEntity.properties[ordinal].relationship else {
      return []
    }
    if relationship.isToMany { return object.members(ordinal).map(\.currentID) }
    return object.destination(ordinal).map { [$0.currentID] } ?? []
  }

  // MARK: Faults

  /// Returns whether reading a relationship, or the values of its destination, would read from a
  /// store; `false` for an unknown name.
  static func isFault(_ name: String, of object: NSManagedObject) -> Bool {
    guard let ordinal = object.compiledEntity.ordinal(of: name),
      let relationship = object.compiledEntity.properties[ordinal].relationship
    else { return false }
    if relationship.isToMany {
      // No store contains the members of a transient relationship.
      if object.compiledEntity.properties[ordinal].isTransient { return false }
      return object.registration != .inserted && object.extras?.members(ordinal)?.isLoaded != true
    }
    if object.edits.contains(ordinal) { return false }
    guard object.contents != .fault else { return true }
    guard let slot = object.compiledEntity.properties[ordinal].slot, !object.row.isNull(slot) else {
      return false
    }
    return object.knownDestination(ordinal)?.isFault ?? true
  }
}
