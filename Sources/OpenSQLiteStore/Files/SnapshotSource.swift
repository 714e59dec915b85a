import Foundation
import OpenStoreContract
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The way to read a store's file that is open for reading only, for as long as nobody else changes it.
///
/// Shared. A file that nobody used when it was opened is read without locks, or as a copy; once another
/// connection writes to it, it has to be found anew.
final class SnapshotSource: Sendable {
  /// What shows that a file or its log changed.
  private struct Stamp: Equatable {
    private var values: [Int] = []

    init(_ path: String) {
      for suffix in ["", "-wal", "-shm"] {
        var status = stat()
        guard stat(path + suffix, &status) == 0 else {
          values.append(-1)
          continue
        }
        values += [Int(truncatingIfNeeded: status.st_ino), Int(status.st_size)]
        #if canImport(Darwin)
          let time = status.st_mtimespec
        #else
          let time = status.st_mtim
        #endif
        values += [Int(time.tv_sec), Int(time.tv_nsec)]
      }
    }
  }

  private struct State {
    var snapshot: StoreSnapshot
    var stamp: Stamp
  }

  private let path: String
  private let state: Mutex<State>

  /// - Throws: `StoreError` when the files cannot be copied.
  init(_ path: String) throws(StoreError) {
    self.path = path
    let stamp = Stamp(path)
    state = Mutex(State(snapshot: try StoreSnapshot(of: path), stamp: stamp))
  }

  /// Whether connections made so far may read what is no longer so.
  var isOutdated: Bool {
    state.withLock { !$0.snapshot.isFollowing && $0.stamp != Stamp(path) }
  }

  /// The way to read the file as it is now.
  func current() throws(StoreError) -> StoreSnapshot {
    try state.withLock { (state) throws(StoreError) in
      let stamp = Stamp(path)
      if !state.snapshot.isFollowing, state.stamp != stamp {
        state = State(snapshot: try StoreSnapshot(of: path), stamp: stamp)
      }
      return state.snapshot
    }
  }
}
