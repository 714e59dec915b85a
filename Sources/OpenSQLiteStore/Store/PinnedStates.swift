import OpenStoreContract
import Synchronization

/// The pinned states of one store. They are closed with the store, because a connection that
/// outlives its store would keep the file in use.
///
/// Shared between threads.
final class PinnedStates: Sendable {
  private struct Member {
    weak var store: SQLiteStore?
  }

  private struct State {
    var members: [Member] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds a state. If the store is already closed, the state is closed at once and cannot be read.
  func add(_ store: SQLiteStore) {
    let isLate = state.withLock { state in
      state.members.removeAll { $0.store == nil }
      if !state.isClosed { state.members.append(Member(store: store)) }
      return state.isClosed
    }
    if isLate { store.close() }
  }

  /// Whether any state can still be read.
  var isInUse: Bool {
    let stores = state.withLock { $0.members.compactMap(\.store) }
    return stores.contains { $0.pool.isOpen }
  }

  /// Closes all states after running reads have ended.
  func close() {
    let members = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state.members
    }
    for member in members { member.store?.close() }
  }
}
