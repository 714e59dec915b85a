internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

extension NSManagedObjectID {
  /// The primary key of the object's row; negative for a temporary id.
  ///
  /// This is an addition to Apple's API.
  public var rowKey: Int64 { key }
}

extension NSManagedObject {
  /// Implements `objectID`; the library uses this property, which no subclass overrides.
  final var currentID: NSManagedObjectID {
    if let known = cachedID { return known }
    let id = NSManagedObjectID(store: store, entity: compiledEntity, key: identifyingKey)
    let retained = Unmanaged.passRetained(id)
    let (isFirst, known) = idAddress.compareExchange(
      expected: nil, desired: retained.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isFirst, let known else { return id }
    // Another thread has cached an id first.
    retained.release()
    return Unmanaged<NSManagedObjectID>.fromOpaque(known).takeUnretainedValue()
  }

  /// The key of the id.
  ///
  /// An object that was never in a context receives a temporary key at the first use of this
  /// property. It keeps the key when it is inserted.
  @inline(__always)
  private final var identifyingKey: Int64 {
    if key == 0, registry == nil { key = TemporaryKey.next() }
    return key
  }

  /// The id if it was read since it last changed; nil otherwise.
  ///
  /// Any thread may read the id and thereby cache it. Only the context's queue sets it.
  final var cachedID: NSManagedObjectID? {
    get {
      guard let known = idAddress.load(ordering: .acquiring) else { return nil }
      return Unmanaged<NSManagedObjectID>.fromOpaque(known).takeUnretainedValue()
    }
    set {
      let address = newValue.map { Unmanaged.passRetained($0).toOpaque() }
      let former = idAddress.exchange(address, ordering: .acquiringAndReleasing)
      if let former { Unmanaged<NSManagedObjectID>.fromOpaque(former).release() }
    }
  }

  /// Returns the ids of a relationship's destinations.
  ///
  /// For a to-one relationship without unsaved changes, this method does not create an object for
  /// the destination. The id has the actual entity of the destination. If neither the row of this
  /// object nor the context contains this entity, the method reads the row of the destination.
  ///
  /// - Parameter name: The name of the relationship.
  /// - Returns: The ids; at most one id for a to-one relationship; an empty array for an unknown
  ///   name, and for a relationship that cannot be read.
  /// > Reference: Apple, objectIDs(forRelationshipNamed:).
  public final func objectIDs(forRelationshipNamed name: String) -> [NSManagedObjectID] {
    guard let ordinal = borrowing(compiledEntity, { $0.ordinal(of: name) }) else { return [] }
    realizeIfNeeded()
    defer { noteRead(.property(ordinal)) }
    guard let foreignKey = borrowing(compiledEntity, { $0.foreignKey(ordinal) }),
      !edits.contains(ordinal)
    else {
      return presentIDs(ordinal)
    }
    guard !view.isNull(foreignKey.slot) else { return [] }
    let storedPlace = (store: Int(storePosition), key: view.integer(at: foreignKey.byteOffset))
    let place =
      borrowing(registry) { $0.presentPlace(ofKey: storedPlace.key, at: storedPlace.store) }
      ?? storedPlace
    let store = registry?.store(at: place.store)
    if foreignKey.destination._withUnsafeGuaranteedRef({ $0.subtree.count > 1 }) {
      guard let entity = destinationEntity(ordinal, place) else { return [] }
      return [NSManagedObjectID(store: store, entity: entity, key: place.key)]
    }
    return foreignKey.destination._withUnsafeGuaranteedRef {
      [NSManagedObjectID(store: store, entity: $0, key: place.key)]
    }
  }

  /// Returns the actual entity of the destination in the committed row; nil if the destination
  /// cannot be read.
  private final func destinationEntity(
    _ ordinal: Int, _ place: (store: Int, key: Int64)
  ) -> CompiledEntity? {
    if let known = knownDestination(ordinal) { return known.compiledEntity }
    let property = compiledEntity.properties[ordinal]
    guard let relationship = property.relationship else { return nil }
    guard let context else {
      return FaultLoader.discriminatedEntity(of: self, relationship) ?? relationship.destination
    }
    return context.faults.actualEntity(of: self, property, relationship, at: place, in: context)
  }

  /// Returns the ids that the row does not contain: of members and of unsaved destinations.
  private final func presentIDs(_ ordinal: Int) -> [NSManagedObjectID] {
    guard let relationship = compiledEntity.properties[ordinal].relationship else { return [] }
    if relationship.isToMany { return members(ordinal).map(\.currentID) }
    return destination(ordinal).map { [$0.currentID] } ?? []
  }

  /// Returns whether reading a relationship, or the values of its destination, would read from a
  /// store.
  ///
  /// - Parameter key: The name of the relationship.
  /// - Returns: `true` for a to-many relationship whose members are not loaded, and for a to-one
  ///   relationship if the object or the destination is a fault; `false` for an unknown name.
  /// > Reference: Apple, hasFault(forRelationshipNamed:).
  public final func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let ordinal = compiledEntity.ordinal(of: key),
      let relationship = compiledEntity.properties[ordinal].relationship
    else { return false }
    if relationship.isToMany {
      return registration != .inserted && extras?.members(ordinal)?.isLoaded != true
    }
    if edits.contains(ordinal) { return false }
    guard contents != .fault else { return true }
    guard let slot = compiledEntity.properties[ordinal].slot, !row.isNull(slot) else {
      return false
    }
    return knownDestination(ordinal)?.isFault ?? true
  }
}

extension NSManagedObject: ObjectReferencing {
  /// The reference by which predicates compare this object with other objects; never nil.
  public var objectReference: ObjectReference? { reference }

  final var reference: ObjectReference {
    ObjectReference(
      entityToken: compiledEntity.rootToken, storeToken: storeToken, key: identifyingKey)
  }

  /// The token of the object's store; 0 before the store is known.
  final var storeToken: UInt32 {
    borrowing(registry) { $0.storeToken(at: Int(storePosition)) } ?? 0
  }
}
