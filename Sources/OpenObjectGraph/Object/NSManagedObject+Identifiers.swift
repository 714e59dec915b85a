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
  ///   name, and for a relationship that cannot be read. After a failed read, saves throw the error
  ///   of the read.
  /// > Reference: Apple, objectIDs(forRelationshipNamed:).
  public final func objectIDs(forRelationshipNamed name: String) -> [NSManagedObjectID] {
    DestinationLookup.ids(name, of: self)
  }

  /// Returns whether reading a relationship, or the values of its destination, would read from a
  /// store.
  ///
  /// - Parameter key: The name of the relationship.
  /// - Returns: `true` in the following cases; otherwise, and for an unknown name, `false`.
  ///   - The relationship is a persistent to-many relationship of a saved object, and its members
  ///     are not loaded.
  ///   - The relationship is a to-one relationship without an unsaved change, and the object is a
  ///     fault.
  ///   - The relationship is a to-one relationship without an unsaved change, and the destination
  ///     is a fault or is not registered.
  /// > Reference: Apple, hasFault(forRelationshipNamed:).
  public final func hasFault(forRelationshipNamed key: String) -> Bool {
    DestinationLookup.isFault(key, of: self)
  }
}

extension NSManagedObject: ObjectReferencing {
  /// The reference by which predicates compare this object with other objects; never nil.
  public var objectReference: ObjectReference? { reference }

  final var reference: ObjectReference {
    ObjectReference(
      entityToken: compiledEntity.rootToken, storeToken: storeToken, key: identifyingKey)
  }

  /// The token of the object's store; 0 for an unsaved object, whose temporary key identifies it in
  /// every store.
  final var storeToken: UInt32 {
    key < 0 ? 0 : borrowing(registry) { $0.storeToken(at: Int(storePosition)) } ?? 0
  }
}
