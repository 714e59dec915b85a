internal import Dispatch
internal import Foundation

/// Work for the main queue that another thread waits for: the main queue runs it in its turn, or the thread that holds
/// the main queue and is blocked runs it before.
// Invariant of the unchecked conformance: the lock of `QueueWaits` guards `thread`; `work` is used by the thread that the
// request is given to, and `wait` is set before the request is known to another thread.
final class MainRequest: @unchecked Sendable {
  let queue: ContextQueue
  private var work: (() -> Void)?
  private var wait: QueueWait?
  /// The thread that runs the work, by its outermost block; nil before it begins.
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

  /// Runs the work, which was given to the current thread, and lets the waiting thread continue.
  func perform(_ held: HeldQueue) {
    runWork(held)
    let wait = wait
    self.wait = nil
    QueueWaits.withLock { wait?.end(.none, &$0) }
  }

  /// Runs the work and releases it: it is not the request's any more once its caller continues.
  @inline(never)
  private func runWork(_ held: HeldQueue) {
    held.hold { work?() }
    work = nil
  }
}
