internal import OpenStoreContract

/// An index of words that a store keeps. An addition.
public struct StoreTextIndex: Sendable, Hashable {
  /// The table with the rows.
  public let table: String
  /// The columns whose words it has.
  public let columns: [String]
}

extension NSPersistentStoreCoordinator {
  /// The indexes of words that a store has, see `OpenTextIndexOption`. An addition.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: One for each table with an index; nothing for a store of a kind without.
  /// > Concurrency: Any thread.
  public func textIndexes(of store: NSPersistentStore) throws -> [StoreTextIndex] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try mapping { () throws(StoreError) in try backend.textIndexes() }.map {
      StoreTextIndex(table: $0.table, columns: $0.columns)
    }
  }

  /// Compares the indexes of words of a store with its rows. An addition.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: The tables whose index does not agree with the rows; nothing for sound indexes. They are made anew by
  ///   ``rebuildTextIndexes(of:)``.
  /// - Throws: `CocoaError`, for a store that is open for reading only too.
  /// - Complexity: Reads all indexed texts.
  /// > Concurrency: Any thread. Saves of this process wait meanwhile, reads do not.
  public func damagedTextIndexes(of store: NSPersistentStore) throws -> [String] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try mapping { () throws(StoreError) in try backend.damagedTextIndexes() }
  }

  /// Makes the indexes of words of a store anew from its rows, in one transaction. An addition.
  ///
  /// Indexes follow every change of the rows by themselves. This is for files that were damaged.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Throws: `CocoaError`; the indexes are as before then.
  /// - Complexity: Reads all indexed texts.
  /// > Concurrency: Any thread. Saves of this process wait meanwhile, reads do not.
  public func rebuildTextIndexes(of store: NSPersistentStore) throws {
    guard let backend = store.backend as? any TextIndexing else { return }
    try mapping { () throws(StoreError) in try backend.rebuildTextIndexes() }
  }
}
