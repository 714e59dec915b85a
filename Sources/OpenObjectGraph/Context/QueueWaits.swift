internal import Dispatch
internal import Foundation
internal import Synchronization

/// Prevents deadlocks between threads that wait for the queues of contexts.
///
/// A thread that begins to wait follows the chain of waiting threads: the owner of the queue that
/// it needs, the owner of the queue that this owner needs, and so on. If the chain leads back to
/// the thread, one thread of the cycle receives its queue immediately. The owner of that queue
/// stays blocked until the borrowing thread returns the queue, so the threads behave like nested
/// calls on one thread, in which an inner call may use the queues of the outer calls. A private
/// queue is lent to the waiting thread; work for the main queue is passed to the thread that holds
/// the main queue.
///
/// Queues whose owner is blocked in a call of the application are preferred to queues whose owner
/// is a child context that reads from its parent. Among the preferred queues, work for the main
/// queue runs first.
///
/// A cycle can arise only when a thread begins to wait or when a queue is returned to a blocked
/// thread. Both operations hold one lock, and both search for a cycle that includes the thread.
enum QueueWaits {
  /// The guarded state, in addition to the fields of queues and waits.
  struct State {
    /// The wait of the thread that holds the main queue; nil while that thread runs.
    var mainWait: QueueWait?
  }

  private static let state = Mutex(State())

  /// Runs work under the lock of all queues; the work must not wait.
  static func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    // The calling thread owns the result, or the same lock guards the result.
    nonisolated(unsafe) var result: Result?
    state.withLock { result = body(&$0) }
    guard let result else { preconditionFailure("The lock did not run its work.") }
    return result
  }

  /// Resolves the cycle that a wait completes, if there is one.
  static func resolve(_ wait: QueueWait, _ state: inout State) {
    var waits = [wait]
    while let holder = waits[waits.count - 1].holder(state), holder !== wait.thread {
      guard let next = holder.wait, !waits.contains(where: { $0 === next }) else { return }
      waits.append(next)
    }
    guard waits[waits.count - 1].holder(state) != nil else { return }
    // Each thread waits for a queue or work of the next thread.
    let circle = Array(zip(waits, waits.dropFirst() + [wait])).filter { $0.0.isOpen }
    let preferred = circle.filter { $0.1.lends($0.0.target) }
    guard
      let chosen = preferred.first(where: { $0.0.isForMainQueue })
        ?? preferred.first(where: { $0.0.lent.isEmpty })
        ?? circle.first(where: { $0.0.lent.isEmpty }) ?? circle.first
    else { return }
    switch chosen.0.target {
    case .turn(let queue): queue.lend(chosen.1, to: chosen.0, &state)
    case .main(let request): chosen.1.serve(request, &state)
    }
  }
}

/// The wait of a thread for a private queue or for work on the main queue.
// Invariant of the unchecked conformance: the lock of `QueueWaits` guards all fields that change.
final class QueueWait: @unchecked Sendable {
  enum Target {
    case turn(SerialQueue)
    case main(MainRequest)
  }

  private enum Step {
    case end
    case serve(MainRequest)
    case sleep
  }

  let target: Target
  /// The block that waits to run.
  private let held: HeldQueue
  /// The outermost block of the thread.
  let thread: HeldQueue
  private let holdsMain = MainQueue.isCurrent
  private let semaphore = DispatchSemaphore(value: 0)
  private var hasEnded = false
  /// Whether the thread must leave the queue that it waited for; false if an outer block of the
  /// thread owns the queue.
  private(set) var hasTaken = false
  /// Whether the thread runs work for the main queue before it continues to wait.
  private(set) var isSuspended = false
  /// The requested work for the main queue, which this thread holds.
  private var requests: [MainRequest] = []
  /// The queues of this thread that other threads have borrowed; the thread continues when all are
  /// returned.
  var lent: [SerialQueue] = []

  init(_ target: Target, _ held: HeldQueue) {
    self.target = target
    self.held = held
    thread = held.thread
  }

  /// Waits, and runs requested work for the main queue while waiting.
  func block() {
    while true {
      switch QueueWaits.withLock({ step(&$0) }) {
      case .end: return
      case .serve(let request):
        request.perform(HeldQueue(request.queue, held.entry, for: thread))
      case .sleep: semaphore.wait()
      }
    }
  }

  private func step(_ state: inout QueueWaits.State) -> Step {
    if !requests.isEmpty { return .serve(requests.removeFirst()) }
    isSuspended = false
    claim()
    if hasEnded, lent.isEmpty {
      stop(&state)
      return .end
    }
    thread.wait = self
    if holdsMain { state.mainWait = self }
    QueueWaits.resolve(self, &state)
    // The thread may have received the queue that it waits for, or work for the main queue.
    return thread.wait === self ? .sleep : step(&state)
  }

  /// Takes the queue if the queue became free while the thread ran other work, or before the wait
  /// was recorded.
  private func claim() {
    guard !hasEnded, case .turn(let queue) = target else { return }
    let access = queue.claim(for: thread, self)
    hasEnded = access != .none
    hasTaken = access == .taken
  }

  // MARK: Under the lock

  /// The thread that has the queue or the work that this thread waits for; nil if the queue is
  /// about to be free.
  func holder(_ state: QueueWaits.State) -> HeldQueue? {
    if hasEnded { return lent.last?.owner }
    return switch target {
    case .turn(let queue): queue.owner
    case .main(let request): request.thread ?? state.mainWait?.thread
    }
  }

  func isWaiting(for queue: SerialQueue) -> Bool {
    guard !hasEnded, case .turn(let target) = target else { return false }
    return target === queue
  }

  /// Whether a blocked thread can still lend the queue or run the work that this thread waits for.
  var isOpen: Bool {
    guard case .main(let request) = target else { return !hasEnded }
    return request.thread == nil
  }

  var isForMainQueue: Bool {
    if case .main = target { return true }
    return false
  }

  /// Whether the application called from the thread's innermost block on the target's queue.
  func lends(_ target: Target) -> Bool {
    var entry = held.entry
    var current = held.outer
    while let held = current, !held.queue.isSame(as: target) {
      entry = held.entry
      current = held.outer
    }
    return entry == .application
  }

  /// Ends the wait and wakes the thread.
  ///
  /// - Parameter access: The access to the queue; `.none` if the thread waited for work on the main
  ///   queue.
  func end(_ access: SerialQueue.Access, _ state: inout QueueWaits.State) {
    hasEnded = true
    hasTaken = access == .taken
    wake(&state)
  }

  /// Notes that a queue that the thread lent was returned.
  func takeBack(_ queue: SerialQueue) {
    if let place = lent.lastIndex(where: { $0 === queue }) { lent.remove(at: place) }
    if hasEnded { semaphore.signal() }
  }

  /// Wakes the thread to run work for the main queue before it continues to wait.
  func serve(_ request: MainRequest, _ state: inout QueueWaits.State) {
    request.thread = thread
    requests.append(request)
    isSuspended = true
    wake(&state)
  }

  private func wake(_ state: inout QueueWaits.State) {
    stop(&state)
    semaphore.signal()
  }

  private func stop(_ state: inout QueueWaits.State) {
    if thread.wait === self { thread.wait = nil }
    if state.mainWait === self { state.mainWait = nil }
  }
}
