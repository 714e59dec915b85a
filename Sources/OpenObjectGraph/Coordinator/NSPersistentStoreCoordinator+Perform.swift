extension NSPersistentStoreCoordinator {
  /// Runs a block asynchronously on the coordinator's queue, after the blocks of earlier calls.
  ///
  /// The coordinator itself does not need the queue: its members may be used on any thread, even
  /// while blocks run.
  ///
  /// - Parameter block: The block to run.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, perform(_:).
  @preconcurrency public func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async(block)
  }

  /// Runs a block asynchronously on the coordinator's queue, after the blocks of earlier calls, and
  /// returns the block's result.
  ///
  /// - Parameter block: The block to run.
  ///
  /// - Returns: The result of the block.
  /// - Throws: Any error that the block throws.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, perform(_:).
  @preconcurrency public func perform<Result, Failure: Error>(
    _ block: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: QueueOutcome(catching: block)) }
    }
    return try outcome.result.get()
  }

  /// Runs a block on the calling thread while the thread holds the coordinator's queue; calls may
  /// be nested.
  ///
  /// - Parameter block: The block to run.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, performAndWait(_:). Differs: D-281.
  public func performAndWait(_ block: () -> Void) { queue.sync(.application, block) }

  /// Runs a block on the calling thread while the thread holds the coordinator's queue, and returns
  /// the block's result.
  ///
  /// - Parameter block: The block to run.
  ///
  /// - Returns: The result of the block.
  /// - Throws: Any error that the block throws.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, performAndWait(_:). Differs: D-281.
  public func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try queue.result(.application, of: block) }
}
