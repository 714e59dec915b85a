internal import Synchronization

/// The entities of observed results of a context, by their roots.
///
/// A merge also reports objects of these entities that the context had not registered, because they may now match.
/// Shared by threads: results may be let go of on any.
final class ObservedEntities: Sendable {
  /// The observed results, or their further dependencies.
  enum Level: Hashable {
    case own, child
    /// Results of the context itself that leave out objects before them: deletions of those move them.
    case offset
  }

  private struct Watched: Hashable {
    let root: Int
    let level: Level
  }

  private let watchers = Mutex<[Watched: Int]>([:])

  /// Whether results of an entity's objects are watched, in the context or in a child.
  func contains(root: Int) -> Bool { contains(root: root, .own) || contains(root: root, .child) }

  func contains(root: Int, _ level: Level) -> Bool {
    watchers.withLock { $0[Watched(root: root, level: level)] != nil }
  }

  func add(root: Int, _ level: Level) {
    watchers.withLock { $0[Watched(root: root, level: level), default: 0] += 1 }
  }

  func remove(root: Int, _ level: Level) {
    let watched = Watched(root: root, level: level)
    watchers.withLock { watchers in
      let count = (watchers[watched] ?? 1) - 1
      watchers[watched] = count > 0 ? count : nil
    }
  }
}
