import COpenSQLite
import OpenStoreContract

/// Reports the progress of a migration, and interrupts its statements when it is canceled.
///
/// Confined to one connection, which this object must outlive.
final class MigrationMonitor {
  private let progress: MigrationProgress?
  private var fraction = 0.0
  private(set) var isCancelled = false
  /// The number of steps of SQLite's virtual machine between two reports.
  private static let stepCount: Int32 = 200_000

  init(_ progress: MigrationProgress?) { self.progress = progress }

  /// Registers a callback that SQLite calls at intervals within long statements.
  func watch(_ connection: Connection) {
    guard progress != nil else { return }
    sqlite3_progress_handler(
      connection.database, Self.stepCount,
      { address in
        guard let address else { return 0 }
        // The migration keeps the monitor as long as its connection is open.
        let monitor = Unmanaged<MigrationMonitor>.fromOpaque(address).takeUnretainedValue()
        return monitor.tell() ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Removes the callback.
  func leave(_ connection: Connection) {
    if progress != nil { sqlite3_progress_handler(connection.database, 0, nil, nil) }
  }

  private func tell() -> Bool {
    if isCancelled { return false }
    if let progress, !progress(fraction) { isCancelled = true }
    return !isCancelled
  }

  /// Reports the completed fraction.
  ///
  /// - Throws: `StoreError` with code `.interrupted` if the migration is canceled.
  func report(_ fraction: Double) throws(StoreError) {
    self.fraction = min(max(self.fraction, fraction), 1)
    if !tell() { throw Self.cancelled }
  }

  static var cancelled: StoreError {
    StoreError(
      .interrupted,
      "The migration was canceled. This step of the migration did not change the store.")
  }
}
