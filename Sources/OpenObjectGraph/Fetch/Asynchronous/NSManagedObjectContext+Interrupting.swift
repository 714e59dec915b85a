internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Runs fetches that anybody can end.
  ///
  /// Only fetches of the work itself are concerned: no faults, and no reads that a save makes elsewhere.
  ///
  /// - Throws: What the work throws; `CocoaError` with code `.userCancelled` for an interrupted fetch.
  func interruptible<Result>(
    by interruption: ReadInterruption?, _ work: () throws -> Result
  ) rethrows -> Result {
    let outer = readInterruption
    readInterruption = interruption
    defer { readInterruption = outer }
    return try work()
  }
}
