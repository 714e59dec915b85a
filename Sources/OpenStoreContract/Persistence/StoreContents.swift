/// Everything that an in-memory store begins with: the contents of a file, or of a custom store, when it is opened.
package struct StoreContents: Sendable {
  /// The store's identifier.
  package var identifier: String
  /// The store's metadata; what it says of the file stays whatever an application sets.
  package var metadata: StoreMetadata
  /// The rows under their keys, pairs and orders; what the rows refer to is listed in `referenced`.
  package var changes = ChangeSet()
  /// The first unused key, by root entity as a position in the model; 1 for a root entity without entry.
  package var nextKeys: [Int: Int64] = [:]
  /// How keys of several root entities relate.
  package var keySpace = KeySpace.perRoot

  /// Which entities share one sequence of keys.
  package enum KeySpace: Sendable {
    /// Those of one root entity.
    case perRoot
    /// All, so that a key is unique in the whole store.
    case shared
  }

  /// The greatest key that a file may name: keys are counted on from there.
  package static let greatestKey: Int64 = 1 << 62

  /// Creates the contents of a store without rows.
  package init(identifier: String, metadata: StoreMetadata) {
    self.identifier = identifier
    self.metadata = metadata
  }
}

/// Stores the complete contents of an in-memory store elsewhere: in a file, or in an application's objects.
///
/// > Concurrency: Called by one thread at a time, with no lock held that a reader of the store needs.
package protocol RowPersistence: AnyObject, Sendable {
  /// What the store can do.
  var capabilities: StoreCapabilities { get }

  /// Throws when nothing could be written now.
  func requireWritable() throws(StoreError)

  /// Writes everything, before any reader of the store sees it.
  ///
  /// - Parameters:
  ///   - contents: The store as it will be.
  ///   - nextKeys: The first unused keys.
  ///   - changes: How it differs from the store as it was.
  /// - Throws: Why nothing was written; the store stays as it was then.
  func write(
    _ contents: any StoreBackend, nextKeys: [Int: Int64], changes: ChangeSet
  ) throws(StoreError)

  /// Releases everything; nothing is written after that.
  func close()
}
