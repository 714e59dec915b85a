internal import OpenStoreContract

/// How a checkpoint treats others who use the store. An addition.
public enum StoreCheckpointMode: Sendable, Hashable {
  /// Moves what nobody reads any more, and waits for nobody.
  case passive
  /// Waits for writers and for readers of older states, moves everything, and leaves an empty log.
  case emptyingLog
}

/// How far a checkpoint came. An addition.
public struct StoreCheckpoint: Sendable, Hashable {
  /// Pages that are in the stores' logs.
  public let logPages: Int
  /// How many of them are in the stores' files too.
  public let movedPages: Int

  /// Whether the files alone have everything that is committed.
  public var isComplete: Bool { movedPages >= logPages }
}

extension NSPersistentStoreCoordinator {
  /// Moves what is committed from the stores' logs into their files.
  ///
  /// Saves do so by themselves from time to time, and closing a store does when nobody else has it open. Before
  /// a file is copied or handed to another system, empty the log. An addition.
  ///
  /// - Parameters:
  ///   - mode: Whether to wait for others, and what becomes of the log.
  ///   - stores: Which stores; nil for all of the coordinator. Stores without log, and those that are only
  ///     read, are left out.
  /// - Returns: How far it came, all stores together.
  /// - Throws: `CocoaError`, 134090 when others kept a log in use for longer than the time-out of the
  ///   store's options; what was moved until then stays moved.
  /// > Concurrency: Any thread. Saves of this process wait meanwhile, reads do not.
  @discardableResult
  public func checkpoint(
    _ mode: StoreCheckpointMode, of stores: [NSPersistentStore]? = nil
  ) throws -> StoreCheckpoint {
    var (pages, moved) = (0, 0)
    for store in stores ?? persistentStores where !store.isReadOnly {
      guard let backend = store.backend as? any Checkpointing else { continue }
      let outcome = try mapping { () throws(StoreError) in
        try backend.checkpoint(mode == .passive ? .passive : .emptyingLog)
      }
      pages += outcome.logPages
      moved += outcome.movedPages
    }
    return StoreCheckpoint(logPages: pages, movedPages: moved)
  }
}
