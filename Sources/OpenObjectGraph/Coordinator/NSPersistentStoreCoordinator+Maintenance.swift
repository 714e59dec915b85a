internal import OpenStoreContract

/// Whether a checkpoint waits for other connections to a store, and whether it empties the log.
///
/// This is an addition to Apple's API.
public enum StoreCheckpointMode: Sendable, Hashable {
  /// Moves the pages of the log that can be moved without waiting for readers or writers.
  case passive
  /// Waits for writers and for readers of older states, moves all pages, and leaves an empty log.
  case emptyingLog
}

/// The progress of a checkpoint, in numbers of pages.
///
/// This is an addition to Apple's API.
public struct StoreCheckpoint: Sendable, Hashable {
  /// The number of pages in the logs of the stores; 0 if the checkpoint emptied the logs, or if no
  /// store has a log.
  public let logPages: Int
  /// The number of pages of the logs that are in the stores' files, including the pages that
  /// earlier checkpoints moved; 0 if the checkpoint emptied the logs, or if no store has a log.
  public let movedPages: Int

  /// Whether the stores' files contain all pages of the logs; if true, the files are complete
  /// without the logs.
  public var isComplete: Bool { movedPages >= logPages }
}

/// A text index of a store.
///
/// This is an addition to Apple's API.
public struct StoreTextIndex: Sendable, Hashable {
  /// The name of the table whose rows are indexed.
  public let table: String
  /// The names of the columns whose words are indexed.
  public let columns: [String]
  /// The lengths, in characters, of the word prefixes that are indexed in addition to whole words;
  /// empty if only whole words are indexed. See `OpenTextPrefixLengthsKey`.
  public let prefixLengths: [Int]
}

extension NSPersistentStoreCoordinator {
  // MARK: Logs

  /// Moves committed data from the logs of stores into the files of the stores.
  ///
  /// Saves also checkpoint the log regularly, and closing a store checkpoints its log if no other
  /// process has the store open. To get a complete file, empty the log with this method before you
  /// copy a store's file or send it to another system.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - mode: Whether to wait for other connections, and whether to empty the log.
  ///   - stores: The stores; nil for all stores of the coordinator. Stores without a log and
  ///     read-only stores are skipped.
  /// - Returns: The progress, with the page counts of all stores added together.
  /// - Throws: `CocoaError` 134090 if other connections use a log for longer than the timeout in
  ///   the store's options; a `CocoaError` with the code of the store's error (see
  ///   `Docs/Errors.md`) if pages cannot be moved for another reason. After an error, pages that
  ///   were already moved remain in the files.
  /// > Concurrency: Usable on any thread. Saves of this process wait during the call; reads do not.
  @discardableResult
  public func checkpoint(
    _ mode: StoreCheckpointMode, of stores: [NSPersistentStore]? = nil
  ) throws -> StoreCheckpoint {
    var (pages, moved) = (0, 0)
    for store in stores ?? persistentStores where !store.isReadOnly {
      guard let backend = store.backend as? any Checkpointing else { continue }
      let outcome = try surfacingErrors {
        try backend.checkpoint(mode == .passive ? .passive : .emptyingLog)
      }
      pages += outcome.logPages
      moved += outcome.movedPages
    }
    return StoreCheckpoint(logPages: pages, movedPages: moved)
  }

  // MARK: Text indexes

  /// Returns the text indexes of a store; see `OpenTextIndexOption`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Returns: One element for each table with a text index; empty if the store has no text
  ///   indexes.
  /// - Throws: `CocoaError` with the code of the store's error (see `Docs/Errors.md`) if the store
  ///   cannot be read.
  /// > Concurrency: Usable on any thread.
  public func textIndexes(of store: NSPersistentStore) throws -> [StoreTextIndex] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try surfacingErrors { try backend.textIndexes() }.map {
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
  /// - Throws: `CocoaError` 134030 if the store is read-only; `CocoaError` with the code of the
  ///   store's error (see `Docs/Errors.md`) if the store cannot be read.
  /// - Complexity: Reads all indexed strings.
  /// > Concurrency: Usable on any thread. Saves of this process wait during the call; reads do not.
  public func damagedTextIndexes(of store: NSPersistentStore) throws -> [String] {
    guard let backend = store.backend as? any TextIndexing else { return [] }
    return try surfacingErrors { try backend.damagedTextIndexes() }
  }

  /// Rebuilds the text indexes of a store from its rows, in one transaction.
  ///
  /// Every change to the rows updates the indexes, so this method is necessary only to repair
  /// damaged files. For a store without text indexes, the method does nothing.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter store: A store of the coordinator.
  /// - Throws: `CocoaError` 134030 if the store is read-only; `CocoaError` with the code of the
  ///   store's error (see `Docs/Errors.md`) if the store cannot be written. After an error, the
  ///   indexes are unchanged.
  /// - Complexity: Reads all indexed strings.
  /// > Concurrency: Usable on any thread. Saves of this process wait during the call; reads do not.
  public func rebuildTextIndexes(of store: NSPersistentStore) throws {
    guard let backend = store.backend as? any TextIndexing else { return }
    try surfacingErrors { try backend.rebuildTextIndexes() }
  }
}
