internal import Synchronization

/// The root entities whose objects are in the observed results of a context or of its child
/// contexts.
///
/// A merge also reports objects of these entities that the context had not registered, because the
/// objects may now match the requests. Threads share the object, because results may be released on
/// any thread.
final class ObservedEntities: Sendable {
  /// The reason why a root entity is observed.
  enum Level: Hashable {
    /// The results belong to the context (`own`) or to a child context (`child`).
    case own, child
    /// The results belong to the context and have an offset. Deleting objects before the offset
    /// therefore changes the results.
    case offset
  }

  private struct Watched: Hashable {
    let root: Int
    let level: Level
  }

  private let watchers = Mutex<[Watched: Int]>([:])

  /// Returns whether results of an entity's objects are observed in the context or in a child
  /// context.
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
