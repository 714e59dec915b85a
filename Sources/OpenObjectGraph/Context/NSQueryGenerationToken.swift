public import Foundation
internal import OpenStoreContract

/// A state of the stores that a context reads, regardless of later writes.
///
/// Keeps the state, and with it the part of the file's log that describes it, until it is released or the store is
/// removed from its coordinator. Reading a state of a removed store throws 134070.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSQueryGenerationToken.
// Invariant of the unchecked conformance: all fields are immutable; stores are safe to share.
public final class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
  /// A token for the state of the stores at the context's next read.
  ///
  /// > Reference: Apple, current.
  public static let current = NSQueryGenerationToken([:])

  /// What answers instead of each store, by identifier: a store that was added again has no longer the state.
  private let readers: [String: any StoreBackend]

  private init(_ readers: [String: any StoreBackend]) {
    self.readers = readers
    super.init()
  }

  /// Pins the present state of stores; those that cannot be pinned are read as they are.
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

  /// Tokens are immutable: the copy is the token itself.
  ///
  /// - Returns: The copy.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSManagedObjectContext {
  /// The state that the context reads; nil when it follows the stores.
  ///
  /// ``NSQueryGenerationToken/current`` until the first read after it was set.
  ///
  /// > Reference: Apple, queryGenerationToken.
  public var queryGenerationToken: NSQueryGenerationToken? { source.generation }

  /// Pins the context to one state of its stores for faults, fetches and relationships.
  ///
  /// A save, a merge or `reset()` moves a pinned context to the state at its next read. Stores in memory cannot be
  /// pinned. While a state is pinned, the log of the file cannot be shortened; do not pin a state for long during
  /// heavy writing.
  ///
  /// - Parameter generation: `current`, the token of another context, or nil to follow the stores again.
  /// - Throws: `CocoaError` for a child context, which reads from its parent.
  /// > Reference: Apple, setQueryGenerationFrom(_:).
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    try source.setGeneration(generation)
  }
}

/// The key of the query generation in the notification of a save of a pinned context.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"
