import Foundation
import OpenStoreContract
import Synchronization

/// Reads the file of a read-only store while no other process changes it.
///
/// Shared between threads. A file that was not in use when it was opened is read without locks, or
/// as a copy. After another connection has written to the file, the file must be opened again.
final class SnapshotSource: Sendable {
  private struct State {
    var snapshot: StoreSnapshot
    var stamp: FileStamp
  }

  private let path: String
  private let state: Mutex<State>

  /// - Throws: `StoreError` if the files cannot be copied.
  init(_ path: String) throws(StoreError) {
    self.path = path
    let stamp = FileStamp(path)
    state = Mutex(State(snapshot: try StoreSnapshot(of: path), stamp: stamp))
  }

  /// Whether existing connections may read outdated content.
  var isOutdated: Bool {
    state.withLock { !$0.snapshot.isFollowing && $0.stamp != FileStamp(path) }
  }

  /// Returns a snapshot for reading the file in its current state.
  func current() throws(StoreError) -> StoreSnapshot {
    try state.withLock { (state) throws(StoreError) in
      let stamp = FileStamp(path)
      // If the shared WAL index no longer exists, the file must also be opened again.
      if state.stamp != stamp, !state.snapshot.isFollowing || !stamp.hasIndex {
        state = State(snapshot: try StoreSnapshot(of: path), stamp: stamp)
      }
      return state.snapshot
    }
  }
}
