public import Foundation
internal import OpenStoreContract

/// A state of the stores, which a pinned context reads regardless of later writes.
///
/// A token preserves the state until the token is released, the store is removed from its
/// coordinator, or the coordinator is deallocated. Until then, a SQLite store keeps the part of the
/// write-ahead log that contains the state. Reading the state of a removed store throws
/// `CocoaError` 134070.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSQueryGenerationToken.
// Invariant of the unchecked conformance: all fields are immutable; stores are safe to share.
public final class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
  /// A token that pins a context to the state that the stores have when the context next reads from
  /// them.
  ///
  /// > Reference: Apple, current.
  public static let current = NSQueryGenerationToken([:])

  /// The pinned backends, by store identifier.
  ///
  /// A store that was removed and added again no longer has the state.
  private let readers: [String: any StoreBackend]

  private init(_ readers: [String: any StoreBackend]) {
    self.readers = readers
    super.init()
  }

  /// Pins the current state of stores; stores that cannot be pinned are read in their newest state.
  init(pinning stores: [NSPersistentStore]) throws(StoreError) {
    var readers: [String: any StoreBackend] = [:]
    for store in stores { readers[store.backend.identifier] = try store.backend.pinned() }
    self.readers = readers
    super.init()
  }

  /// Whether any store is pinned.
  var isPinned: Bool { !readers.isEmpty }

  func reader(of store: NSPersistentStore) -> any StoreBackend {
    readers[store.backend.identifier] ?? store.backend
  }

  /// Returns the token itself, because tokens are immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSManagedObjectContext {
  /// The state that the context reads; nil if the context reads the newest state of the stores.
  ///
  /// After the context was pinned to ``NSQueryGenerationToken/current``, the value is
  /// ``NSQueryGenerationToken/current`` until the context's next read, and then the token of the
  /// state that was read.
  ///
  /// > Reference: Apple, queryGenerationToken.
  public var queryGenerationToken: NSQueryGenerationToken? { source.generation }

  /// Pins the context to one state of its stores for faults, fetches and relationships.
  ///
  /// After a save, a merge or `reset()`, the next read of a pinned context pins the context to the
  /// newest state of the stores. In-memory stores cannot be pinned; a context always reads the
  /// newest state of an in-memory store. While a state of a SQLite store is pinned, the store's
  /// write-ahead log cannot be shortened. Therefore, do not keep a state pinned for a long time
  /// during heavy writing.
  ///
  /// - Parameter generation: ``NSQueryGenerationToken/current``, the token of another context, or
  ///   nil to unpin the context, which then reads the newest state.
  /// - Throws: `CocoaError` 134060 for a child context, because a child context reads from its
  ///   parent.
  /// > Reference: Apple, setQueryGenerationFrom(_:).
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    try source.setGeneration(generation)
  }
}

/// The user info key for the `NSQueryGenerationToken` in the save notifications of a pinned
/// context.
///
/// The notifications of a context that is not pinned do not contain the key.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"
