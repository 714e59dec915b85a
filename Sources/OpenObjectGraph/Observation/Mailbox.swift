internal import Synchronization

/// Passes the newest of several elements to one task that waits.
///
/// If a newer element arrives before the task has taken the pending element, the two elements are
/// combined. By default, the newer element replaces the pending element. Finishing the mailbox does
/// not drop the last element.
///
/// > Concurrency: Filled on one queue, emptied by one task.
final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var pending: Element?
    var waiter: CheckedContinuation<Element?, Never>?
    var isClosed = false
    var isFinished = false
  }

  /// The answer to a task that requests an element.
  private enum Answer { case now(Element?), later }

  private let state: Mutex<State>
  /// Combines the pending element with a newer element.
  private let combine: @Sendable (Element, Element) -> Element

  init(
    _ first: Element? = nil,
    combining combine: @escaping @Sendable (_ pending: Element, _ newer: Element) -> Element = {
      $1
    }
  ) {
    state = Mutex(State(pending: first))
    self.combine = combine
  }

  func offer(_ element: Element) {
    let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      if !state.isClosed {
        state.pending = state.pending.map { combine($0, element) } ?? element
      }
      return nil
    }
    waiter?.resume(returning: element)
  }

  /// Returns the next element; nil if the task is canceled, or at the end of a finished mailbox.
  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      close()
    }
  }

  private func wait(_ continuation: CheckedContinuation<Element?, Never>) {
    let answer = state.withLock { state -> Answer in
      if state.isClosed || state.waiter != nil { return .now(nil) }
      if let pending = state.pending {
        state.pending = nil
        return .now(pending)
      }
      if state.isFinished { return .now(nil) }
      state.waiter = continuation
      return .later
    }
    if case .now(let element) = answer { continuation.resume(returning: element) }
  }

  /// Ends the current wait and all later waits, and drops the pending element.
  func close() {
    let waiter = state.withLock { state in
      state.isClosed = true
      state.pending = nil
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// Ends the sequence of elements after the pending element.
  func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }
}

/// The mailboxes that one source fills.
final class Mailboxes<Element: Sendable>: Sendable {
  private let boxes = Mutex<[Mailbox<Element>]>([])

  var isEmpty: Bool { boxes.withLock(\.isEmpty) }

  func add(_ box: Mailbox<Element>) { boxes.withLock { $0.append(box) } }

  func remove(_ box: Mailbox<Element>) { boxes.withLock { $0.removeAll { $0 === box } } }

  func offer(_ element: Element) {
    for box in boxes.withLock({ $0 }) { box.offer(element) }
  }
}
