internal import OpenStoreContract

/// A text index of a store.
///
/// This is an addition to Apple's API.
public struct StoreTextIndex: Sendable, Hashable {
  /// The name of the table whose rows are indexed.
  public let table: String
  /// The names of the columns whose words are indexed.
  public let columns: [String]
  /// The lengths, in characters, of the word prefixes that are indexed in addition to whole words;
  /// see `OpenTextPrefixLengthsKey`.
  public let prefixLengths: [Int]
}

extension NSPersistentStoreCoordinator {
  /// Returns the text indexes of a store; see `OpenTextIndexOption`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: One element for each table with a text index; empty if the store has no text
  ///   indexes.
  /// - Throws: `CocoaError` if the store cannot be read.
  /// > Concurrency: Usable on any thread.
  public func textIndexes(of store: NSPersistentStore) throws -> [StoreTextIndex] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try mapping { () throws(StoreError) in try backend.textIndexes() }.map {
      StoreTextIndex(table: $0.table, columns: $0.columns, prefixLengths: $0.prefixLengths)
    }
  }

  /// Returns the names of the tables whose text index does not match their rows.
  ///
  /// ``rebuildTextIndexes(of:)`` repairs the indexes.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: The names of the tables; empty if all text indexes are intact or the store has no
  ///   text indexes.
  /// - Throws: `CocoaError` if the store is read-only or cannot be read.
  /// - Complexity: Reads all indexed strings.
  /// > Concurrency: Usable on any thread. Saves of this process wait during the call; reads do not.
  public func damagedTextIndexes(of store: NSPersistentStore) throws -> [String] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try mapping { () throws(StoreError) in try backend.damagedTextIndexes() }
  }

  /// Rebuilds the text indexes of a store from its rows, in one transaction.
  ///
  /// Every change to the rows updates the indexes, so this method is necessary only to repair
  /// damaged files. For a store without text indexes, the method does nothing.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Throws: `CocoaError` if the store cannot be written. The indexes are then unchanged.
  /// - Complexity: Reads all indexed strings.
  /// > Concurrency: Usable on any thread. Saves of this process wait during the call; reads do not.
  public func rebuildTextIndexes(of store: NSPersistentStore) throws {
    guard let backend = store.backend as? any TextIndexing else { return }
    try mapping { () throws(StoreError) in try backend.rebuildTextIndexes() }
  }
}
