import COpenSQLite
import OpenStoreContract

extension Connection {
  /// The number of steps of SQLite's virtual machine between two checks for an interruption.
  private static let stepCount: Int32 = 1000

  /// Runs the statements of a plan. The statements end with an error when the plan's interruption
  /// is requested.
  ///
  /// SQLite checks for the interruption between steps, on the thread that runs the statement. An
  /// interruption therefore never ends another statement, and an interruption before the first step
  /// still takes effect. A call of `sqlite3_interrupt` on another thread guarantees neither.
  ///
  /// - Throws: `StoreError` with code `.interrupted`, or any error that the work throws.
  @inline(__always)
  func reading<Result>(
    _ plan: FetchPlan, _ work: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let interruption = plan.interruption else { return try work() }
    return try interruptibly(plan, interruption, work)
  }

  private func interruptibly<Result>(
    _ plan: FetchPlan, _ interruption: ReadInterruption, _ work: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try plan.throwIfInterrupted()
    let address = Unmanaged.passUnretained(interruption).toOpaque()
    sqlite3_progress_handler(
      database, Self.stepCount,
      { address in
        guard let address else { return 0 }
        let interruption = Unmanaged<ReadInterruption>.fromOpaque(address).takeUnretainedValue()
        return interruption.isInterrupted ? 1 : 0
      }, address)
    defer { withExtendedLifetime(interruption) { sqlite3_progress_handler(database, 0, nil, nil) } }
    return try work()
  }
}
