import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A stamp that changes when a store's file, its write-ahead log or its WAL index changes.
struct FileStamp: Equatable, Sendable {
  private var values: [Int] = []
  /// Whether the log has a WAL index, as it has while a connection is open.
  private(set) var hasIndex = false

  /// - Parameter suffixes: The suffixes of the files whose changes change the stamp.
  init(_ path: String, suffixes: [String] = ["", "-wal", "-shm"]) {
    for suffix in suffixes {
      var status = stat()
      guard stat(path + suffix, &status) == 0 else {
        values.append(-1)
        continue
      }
      if suffix == "-shm" { hasIndex = true }
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

/// Reads a store's files while connections may open and close them.
///
/// How a file can be read depends on its sidecar files, which the first connection creates and the
/// last connection deletes. If the sidecar files change between the check and the read, the check
/// and the read are repeated.
enum SteadyReading {
  /// The maximum number of attempts, which only constantly changing files reach.
  private static let attemptLimit = 200
  private static let pauseInMicroseconds: UInt32 = 1000

  /// Runs `body` until the files did not change during the run.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file.
  ///   - body: A closure that determines how the file must be read, and reads it. It may run
  ///     several times. It also returns whether SQLite's locks prevented changes of the file.
  /// - Throws: An error of `body` that changed files cannot have caused.
  static func run<Result>(
    _ path: String, _ body: () throws(StoreError) -> (result: Result, isLocked: Bool)
  ) throws(StoreError) -> Result {
    var attempt = 1
    while true {
      let stamp = FileStamp(path)
      let isLast = attempt == attemptLimit
      do throws(StoreError) {
        let (result, isLocked) = try body()
        if isLocked || isLast || FileStamp(path) == stamp { return result }
      } catch {
        if isLast || !mayPass(error) { throw error }
        if FileStamp(path) == stamp {
          guard isBeingOpened(path) else { throw error }
          usleep(pauseInMicroseconds)
        }
      }
      attempt += 1
    }
  }

  /// Returns whether an error may have been caused by files that changed during the run.
  private static func mayPass(_ error: StoreError) -> Bool {
    switch error.code {
    case .missingFile, .permission, .foreignFile, .corrupt, .obstructed, .inputOutput, .readOnly:
      true
    default: false
    }
  }

  /// Returns whether a connection is currently creating or completing the store.
  private static func isBeingOpened(_ path: String) -> Bool {
    LockFile(lookingAtStore: path)?.holder(of: .operation) != nil
  }
}
