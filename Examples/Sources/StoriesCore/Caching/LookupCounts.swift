import Foundation
import StoreSharing

/// The numbers of hits and misses of all programs that use a cache, in a file.
///
/// The counts are statistics: an error while reading or writing the file does not affect the cache.
///
/// > Concurrency: A value type; usable on any thread.
struct LookupCounts: Sendable {
  private let url: URL

  /// Creates counts in a file, which the first lookup creates.
  init(at url: URL) { self.url = url }

  /// The hits and misses of all programs; zero if the file cannot be read.
  var statistics: CacheStatistics {
    var result = CacheStatistics()
    locked { result = stored }
    return result
  }

  private var stored: CacheStatistics {
    let data = try? Data(contentsOf: url)
    // A killed program can leave an incomplete file. Counting then starts again.
    let known = data.flatMap { try? JSONDecoder().decode(CacheStatistics.self, from: $0) }
    return CacheStatistics(hits: known?.hits ?? 0, misses: known?.misses ?? 0)
  }

  /// Counts a lookup.
  func add(isHit: Bool) {
    change { statistics in
      if isHit { statistics.hits &+= 1 } else { statistics.misses &+= 1 }
    }
  }

  /// Sets the counts to zero.
  func reset() { change { $0 = CacheStatistics() } }

  private func change(_ edit: (inout CacheStatistics) -> Void) {
    locked {
      var statistics = stored
      edit(&statistics)
      // The lock belongs to the file, so the file is overwritten and not replaced.
      try? JSONEncoder().encode(statistics).write(to: url)
    }
  }

  /// Runs work while no other program can access the counts. Does nothing if the file cannot be locked.
  private func locked(_ work: () -> Void) {
    guard let lock = try? FileLock.take(url.path) else { return }
    defer { withExtendedLifetime(lock) {} }
    work()
  }
}
