internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// Snapshots that a store returned and that the object graph may request.
///
/// After a fetch, the object graph requests each object separately. The table keeps the most
/// recently used snapshots, at most twice as many as its capacity.
///
/// > Concurrency: Any thread.
final class SnapshotTable<Snapshot: Sendable>: Sendable {
  private struct Place: Hashable {
    let root: Int
    let key: Int64

    init(_ id: NSManagedObjectID) {
      root = id.compiledEntity.rootIndex
      key = id.key
    }
  }

  private struct State {
    var recent: [Place: Snapshot] = [:]
    var older: [Place: Snapshot] = [:]

    mutating func put(_ snapshot: Snapshot, _ place: Place, _ capacity: Int) {
      older[place] = nil
      recent[place] = snapshot
      if recent.count > capacity {
        older = recent
        recent = [:]
      }
    }
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int = 8192) { self.capacity = capacity }

  func put(_ snapshot: Snapshot, _ id: NSManagedObjectID) {
    state.withLock { $0.put(snapshot, Place(id), capacity) }
  }

  func snapshot(of id: NSManagedObjectID) -> Snapshot? {
    let place = Place(id)
    return state.withLock { state in
      if let snapshot = state.recent[place] { return snapshot }
      guard let snapshot = state.older[place] else { return nil }
      state.put(snapshot, place, capacity)
      return snapshot
    }
  }

  func remove(_ id: NSManagedObjectID) {
    state.withLock { state in
      state.recent[Place(id)] = nil
      state.older[Place(id)] = nil
    }
  }
}
