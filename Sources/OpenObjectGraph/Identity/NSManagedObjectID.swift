public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import Synchronization

/// Names one managed object, in any context and on any thread.
///
/// Two ids are equal when they name the same row of the same store. An object that is not saved has a
/// temporary id, which the first save or `obtainPermanentIDs(for:)` replaces.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSManagedObjectID.
// Invariant of the unchecked conformance: all fields are immutable; a store is itself safe to share.
public class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
  package let store: NSPersistentStore?
  // Compiled models are never released.
  package unowned(unsafe) let compiledEntity: CompiledEntity
  package let key: Int64

  package init(store: NSPersistentStore?, entity: __shared CompiledEntity, key: Int64) {
    self.store = store
    compiledEntity = entity
    self.key = key
    super.init()
  }

  /// The entity of the object; for a permanent id the row's actual entity.
  public var entity: NSEntityDescription { compiledEntity.entityDescription }

  /// The object's store; nil for a temporary id.
  ///
  /// If the store was removed and added again, this is the store that is currently open.
  public var persistentStore: NSPersistentStore? {
    guard !isTemporaryID, let store else { return nil }
    return store.persistentStoreCoordinator?.attached(store) ?? store
  }

  /// Whether the object was unsaved when the id was created.
  public var isTemporaryID: Bool { key < 0 }

  /// The id as a URI: `x-coredata://STORE/Entity/p1`, or `x-coredata:///Entity/tUUID` for a temporary one.
  ///
  /// - Returns: The URI.
  public func uriRepresentation() -> URL {
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

  /// Ids are immutable: the copy is the id itself.
  ///
  /// - Returns: The copy.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object is an id of the same row of the same store.
  ///
  /// - Returns: `true` if the other object is an id of the same row of the same store.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID, other.key == key else { return false }
    if compiledEntity.rootToken == other.compiledEntity.rootToken, store === other.store {
      return true
    }
    guard key > 0, let store, let otherStore = other.store else { return false }
    return store.identifier == otherStore.identifier
      && compiledEntity.rootName == other.compiledEntity.rootName
  }

  public override var hash: Int { Int(truncatingIfNeeded: key &* 31) }

  public override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID: ObjectReferencing {
  /// The id as predicates compare it.
  public var objectReference: ObjectReference? {
    ObjectReference(
      entityToken: compiledEntity.rootToken, storeToken: store?.token ?? 0, key: key)
  }
}

/// Keys of objects that are not saved: negative, unique in the process.
enum TemporaryKey {
  private static let counter = Atomic<Int64>(-1)
  private static let seed = UUID()

  static func next() -> Int64 { counter.subtract(1, ordering: .relaxed).oldValue }

  /// The UUID of a temporary key in a URI.
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
  /// Token of the root of the entity's inheritance tree.
  package var rootName: String { model.entities[rootIndex].name }
}
