internal import Dispatch
internal import Foundation

/// Work for the main queue that another thread waits for.
///
/// The main queue runs the work in its turn, or the blocked thread that holds the main queue runs
/// it earlier.
// Invariant of the unchecked conformance: the lock of `QueueWaits` guards `thread`; `work` is used
// by the thread that the request is given to, and `wait` is set before the request is known to
// another thread.
final class MainRequest: @unchecked Sendable {
  let queue: ContextQueue
  private var work: (() -> Void)?
  private var wait: QueueWait?
  /// The outermost block of the thread that runs the work; nil before the work begins.
  var thread: HeldQueue?

  private init(_ queue: ContextQueue, _ work: @escaping () -> Void) {
    self.queue = queue
    self.work = work
  }

  /// Runs work on the main queue while the calling thread waits.
  static func run(_ work: () -> Void, on queue: ContextQueue, _ held: HeldQueue) {
    withoutActuallyEscaping(work) { work in
      let request = MainRequest(queue, work)
      let wait = QueueWait(.main(request), held)
      request.wait = wait
      DispatchQueue.main.async { request.performOnMainQueue() }
      wait.block()
    }
  }

  private func performOnMainQueue() {
    let held = HeldQueue(queue, .application)
    let isMine = QueueWaits.withLock { _ in
      guard thread == nil else { return false }
      thread = held.thread
      return true
    }
    if isMine { perform(held) }
  }

  /// Runs the work on the current thread, and wakes the waiting thread.
  func perform(_ held: HeldQueue) {
    runWork(held)
    let wait = wait
    self.wait = nil
    QueueWaits.withLock { wait?.end(.none, &$0) }
  }

  /// Runs the work and releases it before the waiting thread continues.
  @inline(never)
  private func runWork(_ held: HeldQueue) {
    held.hold { work?() }
    work = nil
  }
}
