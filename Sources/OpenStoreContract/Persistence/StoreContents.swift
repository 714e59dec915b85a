/// The initial contents of an in-memory store, from a file or from a custom store.
package struct StoreContents: Sendable {
  /// The store's identifier.
  package var identifier: String
  /// The store's metadata; the application cannot change the entries that describe the file.
  package var metadata: StoreMetadata
  /// The rows with their keys, the join rows and the orderings.
  package var changes = ChangeSet()
  /// The first unused key of each root entity, keyed by the entity's position in the model; for a
  /// root entity without an entry, the first unused key is 1.
  package var nextKeys: [Int: Int64] = [:]
  /// Whether root entities share a sequence of keys.
  package var keySpace = KeySpace.perRoot

  /// The scope of a sequence of keys.
  package enum KeySpace: Sendable {
    /// Each root entity has its own sequence.
    case perRoot
    /// All entities share one sequence, so that a key is unique in the whole store.
    case shared
  }

  /// The exclusive upper bound of keys in a file. This key and greater keys remain available for
  /// new objects.
  package static let greatestKey: Int64 = 1 << 62

  /// Creates the contents of a store without rows.
  ///
  /// - Parameters:
  ///   - identifier: The store's identifier.
  ///   - metadata: The store's metadata.
  package init(identifier: String, metadata: StoreMetadata) {
    self.identifier = identifier
    self.metadata = metadata
  }
}

/// Saves the complete contents of an in-memory store in a file or a custom store.
///
/// > Concurrency: The store calls the methods on one thread at a time, and does not hold a lock
/// > that readers of the store need.
package protocol RowPersistence: AnyObject, Sendable {
  /// The capabilities of the store.
  var capabilities: StoreCapabilities { get }

  /// Throws if the contents cannot be written at present.
  ///
  /// - Throws: `StoreError` with the code that a write would throw.
  func requireWritable() throws(StoreError)

  /// Writes the complete contents of the store. Readers of the store see the new contents only
  /// after the write.
  ///
  /// - Parameters:
  ///   - contents: The new state of the store.
  ///   - nextKeys: The first unused key of each root entity, keyed by the entity's position in the
  ///     model.
  ///   - changes: The difference from the previous state.
  /// - Throws: `StoreError` if nothing was written, for example with code `.inputOutput` if the
  ///   disk is full, or with code `.versionConflict` if the file was replaced. The store then keeps
  ///   its previous state.
  func write(
    _ contents: any StoreBackend, nextKeys: [Int: Int64], changes: ChangeSet
  ) throws(StoreError)

  /// Releases all resources; the store does not write afterward.
  func close()
}
