internal import Synchronization

/// Hands the newest snapshot to a task that waits for it.
///
/// Snapshots that nobody took in time are replaced by newer ones, which then tell of their changes, too. Shared
/// between the context's queue and the task.
final class SnapshotMailbox: Sendable {
  private struct State {
    var pending: FetchedResultsSnapshot?
    var waiter: CheckedContinuation<FetchedResultsSnapshot?, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  func offer(_ snapshot: FetchedResultsSnapshot) {
    let waiter = state.withLock { state -> CheckedContinuation<FetchedResultsSnapshot?, Never>? in
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      if !state.isClosed {
        state.pending = state.pending.map(snapshot.following) ?? snapshot
      }
      return nil
    }
    waiter?.resume(returning: snapshot)
  }

  /// The next snapshot; nil when the task is cancelled or the box was closed.
  func next() async -> FetchedResultsSnapshot? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      close()
    }
  }

  private func wait(_ continuation: CheckedContinuation<FetchedResultsSnapshot?, Never>) {
    enum Answer { case now(FetchedResultsSnapshot?), later }
    let answer = state.withLock { state -> Answer in
      if state.isClosed || state.waiter != nil { return .now(nil) }
      if let pending = state.pending {
        state.pending = nil
        return .now(pending)
      }
      state.waiter = continuation
      return .later
    }
    if case .now(let snapshot) = answer { continuation.resume(returning: snapshot) }
  }

  /// Ends the waiting, now and later.
  func close() {
    let waiter = state.withLock { state in
      state.isClosed = true
      state.pending = nil
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }
}

/// The mailboxes that a tracker fills.
final class SnapshotListeners: Sendable {
  private let boxes = Mutex<[SnapshotMailbox]>([])

  var isEmpty: Bool { boxes.withLock(\.isEmpty) }

  func add(_ box: SnapshotMailbox) { boxes.withLock { $0.append(box) } }

  func remove(_ box: SnapshotMailbox) { boxes.withLock { $0.removeAll { $0 === box } } }

  func offer(_ snapshot: FetchedResultsSnapshot) {
    for box in boxes.withLock({ $0 }) { box.offer(snapshot) }
  }
}
