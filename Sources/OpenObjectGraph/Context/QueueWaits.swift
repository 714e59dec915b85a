internal import Dispatch
internal import Foundation
internal import Synchronization

/// Which threads wait for queues of contexts, so that none waits in a circle.
///
/// A thread that begins to wait follows the chain: who has what it waits for, what that thread waits for, and so on. When
/// the chain leads back to it, one of the threads gets what it waits for at once, although the queue is in use: the
/// thread that has it is blocked and stays so until the other is done. It is as if all were calls on one thread, of
/// which the innermost always may use the queues of the outer ones. A private queue is lent; work for the main queue
/// is passed to the thread that holds it. Preferred is a queue whose thread is blocked in a call of the application,
/// not in the middle of a child's reading of its parent: the child goes first. Among those, work for the main queue
/// goes first.
///
/// A circle of threads that wait closes only when a thread begins to wait, or when a queue goes back to a thread that is
/// blocked. Both happen under one lock, and both look for a circle through that thread.
enum QueueWaits {
  /// The guarded state, in addition to the fields of queues and waits.
  struct State {
    /// The wait of the thread that holds the main queue; nil while that thread runs.
    var mainWait: QueueWait?
  }

  private static let state = Mutex(State())

  /// Runs work under the lock of all queues; it calls nothing that waits.
  static func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    // What is returned is owned by the calling thread, or guarded by the same lock.
    nonisolated(unsafe) var result: Result?
    state.withLock { result = body(&$0) }
    guard let result else { preconditionFailure("A lock runs its work once.") }
    return result
  }

  /// Ends a circle that a wait closes, if it does.
  static func resolve(_ wait: QueueWait, _ state: inout State) {
    var waits = [wait]
    while let holder = waits[waits.count - 1].holder(state), holder !== wait.thread {
      guard let next = holder.wait, !waits.contains(where: { $0 === next }) else { return }
      waits.append(next)
    }
    guard waits[waits.count - 1].holder(state) != nil else { return }
    // Each waits for what the thread of the next one has.
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

/// A thread's waiting for a private queue, or for work on the main queue.
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
  /// The block that cannot run yet.
  private let held: HeldQueue
  /// The thread, by its outermost block.
  let thread: HeldQueue
  private let holdsMain = MainQueue.isCurrent
  private let semaphore = DispatchSemaphore(value: 0)
  private var hasEnded = false
  /// Whether the thread has to leave the queue that it waited for; not where an outer block of the thread owns it.
  private(set) var hasTaken = false
  /// Whether the thread runs work for the main queue before it waits on.
  private(set) var isSuspended = false
  /// Work for the main queue, which this thread holds.
  private var requests: [MainRequest] = []
  /// Queues of this thread that other threads have borrowed; it continues when they are back.
  var lent: [SerialQueue] = []

  init(_ target: Target, _ held: HeldQueue) {
    self.target = target
    self.held = held
    thread = held.thread
  }

  /// Waits, and serves what comes in for the main queue meanwhile.
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
    // The thread itself may have got what it waits for, or work.
    return thread.wait === self ? .sleep : step(&state)
  }

  /// Takes the queue that became free while the thread ran other work, or came back to the thread before it was known to wait.
  private func claim() {
    guard !hasEnded, case .turn(let queue) = target else { return }
    let access = queue.claim(for: thread, self)
    hasEnded = access != .none
    hasTaken = access == .taken
  }

  // MARK: Under the lock

  /// The thread that has what this one waits for; nil when it is about to be free.
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

  /// Whether a blocked thread can give what this one waits for.
  var isOpen: Bool {
    guard case .main(let request) = target else { return !hasEnded }
    return request.thread == nil
  }

  var isForMainQueue: Bool {
    if case .main = target { return true }
    return false
  }

  /// Whether this thread came to wait by a call of the application from the innermost of its blocks on a queue.
  func lends(_ target: Target) -> Bool {
    var entry = held.entry
    var current = held.outer
    while let held = current, !held.queue.isSame(as: target) {
      entry = held.entry
      current = held.outer
    }
    return entry == .application
  }

  /// Lets the thread continue: it has what it waited for.
  ///
  /// - Parameter access: What it has of the queue; nothing when it waited for work on the main queue.
  func end(_ access: SerialQueue.Access, _ state: inout QueueWaits.State) {
    hasEnded = true
    hasTaken = access == .taken
    wake(&state)
  }

  /// Notes that a queue is back that the thread lent.
  func takeBack(_ queue: SerialQueue) {
    if let place = lent.lastIndex(where: { $0 === queue }) { lent.remove(at: place) }
    if hasEnded { semaphore.signal() }
  }

  /// Lets the thread run work for the main queue before it waits on.
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
