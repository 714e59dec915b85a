public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import Synchronization

/// The identifier of one managed object, valid in any context and on any thread.
///
/// Two ids are equal if they identify the same row in the same store. An unsaved object has a
/// temporary id. The first save, or a call to `obtainPermanentIDs(for:)`, replaces the temporary id
/// with a permanent id.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSManagedObjectID.
// Invariant of the unchecked conformance: all fields are immutable; a store is itself safe to
// share.
open class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
  /// The store of the object; nil if the object was not assigned to a store when the id was
  /// created.
  package let store: NSPersistentStore?
  /// The compiled entity of the object.
  // Compiled models are never released.
  package unowned(unsafe) let compiledEntity: CompiledEntity
  /// The primary key of the object's row; negative for a temporary id.
  package let key: Int64

  /// Creates the id of an object.
  ///
  /// - Parameters:
  ///   - store: The store of the object; nil if no store is assigned.
  ///   - entity: The entity of the object.
  ///   - key: The primary key of the row; negative for a temporary id.
  package init(store: NSPersistentStore?, entity: __shared CompiledEntity, key: Int64) {
    self.store = store
    compiledEntity = entity
    self.key = key
    super.init()
  }

  /// Creates a temporary id that belongs to no object, for use in tests; a subclass can override
  /// the members.
  public override init() {
    store = nil
    compiledEntity = EmptyEntity.shared
    key = TemporaryKey.next()
    super.init()
  }

  /// The entity of the object.
  ///
  /// For a permanent id, this is the actual entity of the row, which may be a subentity of the
  /// entity that was fetched. For an id created with ``init()``, the value is an empty entity
  /// description.
  open var entity: NSEntityDescription { compiledEntity.entityDescription }

  /// The object's store; nil for a temporary id.
  ///
  /// If the store was removed from its coordinator and added again, the value is the coordinator's
  /// current store object.
  open var persistentStore: NSPersistentStore? {
    guard !isTemporaryID, let store else { return nil }
    return store.persistentStoreCoordinator?.attached(store) ?? store
  }

  /// Whether the id is temporary.
  ///
  /// A new object has a temporary id until it receives a permanent id, usually in its first save.
  /// The temporary id itself does not change.
  open var isTemporaryID: Bool { key < 0 }

  /// Returns the id as a URI.
  ///
  /// The URI of a permanent id has the form `x-coredata://STORE/Entity/p1`, where `STORE` is the
  /// UUID of the store. In the URI of an object in a custom store, the letter `p` is followed by
  /// the reference object. The URI of a temporary id has the form `x-coredata:///Entity/tUUID`.
  ///
  /// - Returns: The URI.
  open func uriRepresentation() -> URL {
    let place = isTemporaryID ? "" : store?.identifier ?? ""
    let row =
      isTemporaryID
      ? "t\(TemporaryKey.uuid(of: key).uuidString)"
      : store?.uriName(of: key, compiledEntity) ?? "p\(key)"
    var parts = URLComponents()
    parts.scheme = "x-coredata"
    parts.host = place
    parts.path = "/\(compiledEntity.name)/\(row)"
    return parts.url ?? URL(fileURLWithPath: "/")
  }

  /// Returns the id itself, because ids are immutable.
  ///
  /// - Returns: The id.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another object is an id of the same row in the same store.
  ///
  /// - Parameter object: The object to compare.
  /// - Returns: `true` if the ids are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID, other.key == key else { return false }
    // An id that was read before the object was inserted does not contain the store.
    if compiledEntity.rootToken == other.compiledEntity.rootToken,
      store === other.store || isTemporaryID
    {
      return true
    }
    guard key > 0, let store, let otherStore = other.store else { return false }
    return store.identifier == otherStore.identifier
      && compiledEntity.rootName == other.compiledEntity.rootName
  }

  /// A hash value; equal ids have equal hash values.
  open override var hash: Int { Int(truncatingIfNeeded: key &* 31) }

  /// A description with the URI of the id.
  open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID: KeyValueReadable {
  /// Returns the value of a property, for key paths such as `objectID.isTemporaryID`.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value of the property; nil if the property has no value; `NoSuchKey.marker` if
  ///   no property has the name.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "isTemporaryID", "temporaryID": NSNumber(value: isTemporaryID)
    case "entity": entity
    case "persistentStore": persistentStore
    case "description": description
    default: NoSuchKey.marker
    }
  }
}

extension NSManagedObjectID: ObjectReferencing {
  /// The reference by which predicates compare this id with objects and other ids; never nil.
  public var objectReference: ObjectReference? {
    // A temporary id that was read before the object was inserted does not contain the store.
    ObjectReference(
      entityToken: compiledEntity.rootToken, storeToken: key < 0 ? 0 : store?.token ?? 0, key: key)
  }
}

/// The keys of unsaved objects: negative numbers that are unique in the process.
enum TemporaryKey {
  private static let counter = Atomic<Int64>(-1)
  private static let seed = UUID()

  static func next() -> Int64 { counter.subtract(1, ordering: .relaxed).oldValue }

  /// Returns the UUID that represents a temporary key in a URI.
  static func uuid(of key: Int64) -> UUID {
    var bytes = seed.uuid
    withUnsafeMutableBytes(of: &bytes) { buffer in
      withUnsafeBytes(of: key.bigEndian) { key in
        for index in 0..<8 { buffer[8 + index] ^= key[index] }
      }
    }
    return UUID(uuid: bytes)
  }
}

extension CompiledEntity {
  /// The name of the root entity of the entity's inheritance tree.
  package var rootName: String { model.entities[rootIndex].name }
}
