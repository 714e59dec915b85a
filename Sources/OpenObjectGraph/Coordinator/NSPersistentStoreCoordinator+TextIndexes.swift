internal import OpenStoreContract

/// A text index that a store keeps. An addition to Apple's API.
public struct StoreTextIndex: Sendable, Hashable {
  /// The table with the rows.
  public let table: String
  /// The columns whose words it has.
  public let columns: [String]
  /// The lengths of prefixes that it also indexes, see `OpenTextPrefixLengthsKey`.
  public let prefixLengths: [Int]
}

extension NSPersistentStoreCoordinator {
  /// The text indexes that a store has, see `OpenTextIndexOption`. An addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: One element for each table with an index; empty for stores without text indexes.
  /// - Throws: `CocoaError` if the store cannot be read.
  /// > Concurrency: Any thread.
  public func textIndexes(of store: NSPersistentStore) throws -> [StoreTextIndex] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try mapping { () throws(StoreError) in try backend.textIndexes() }.map {
      StoreTextIndex(table: $0.table, columns: $0.columns, prefixLengths: $0.prefixLengths)
    }
  }

  /// Compares the text indexes of a store with its rows. An addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: The tables whose index does not match the rows; empty if all indexes are intact.
  ///   ``rebuildTextIndexes(of:)`` rebuilds them.
  /// - Throws: `CocoaError`, including for a read-only store.
  /// - Complexity: Reads all indexed strings.
  /// > Concurrency: Any thread. Saves of this process wait during the call; reads do not.
  public func damagedTextIndexes(of store: NSPersistentStore) throws -> [String] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try mapping { () throws(StoreError) in try backend.damagedTextIndexes() }
  }

  /// Rebuilds the text indexes of a store from its rows, in one transaction. An addition to Apple's API.
  ///
  /// Every change of the rows updates the indexes. Use this method to repair damaged files.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Throws: `CocoaError`; the indexes are then unchanged.
  /// - Complexity: Reads all indexed strings.
  /// > Concurrency: Any thread. Saves of this process wait during the call; reads do not.
  public func rebuildTextIndexes(of store: NSPersistentStore) throws {
    guard let backend = store.backend as? any TextIndexing else { return }
    try mapping { () throws(StoreError) in try backend.rebuildTextIndexes() }
  }
}
