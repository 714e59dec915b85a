internal import Dispatch
internal import Foundation
internal import OpenObjectModel

/// The queue on which a context's work runs: the main queue, a private serial queue, or none.
///
/// A context without a queue runs work on the calling thread. After ``becomeVisited(by:wake:)``,
/// work from other threads waits until the task that owns the context uses the context again.
// Invariant of the unchecked conformance: the fields are set before the queue is used, and
// immutable from then on.
final class ContextQueue: @unchecked Sendable {
  private enum Kind {
    case main
    case serial(SerialQueue)
    case calling
    case visiting(WaitingWork)
  }

  private var kind: Kind
  /// The work for the main queue that the context's user may run earlier; nil if only the main
  /// queue runs the work.
  private var earlyWork: WaitingWork?
  /// The context that works on this queue.
  private var weakReference: WeakReference<NSManagedObjectContext>?

  init(_ type: NSManagedObjectContextConcurrencyType) {
    switch type {
    case .mainQueueConcurrencyType: kind = .main
    case .privateQueueConcurrencyType: kind = .serial(SerialQueue())
    case .confinementConcurrencyType: kind = .calling
    }
  }

  /// Makes the context usable by one task at a time, on any thread. The first call must precede the
  /// use of the queue. A later call changes only the user, and keeps the waiting work.
  func becomeVisited(by isUser: (@Sendable () -> Bool)?, wake: (@Sendable () -> Void)?) {
    if case .visiting(let waiting) = kind { return waiting.change(isUser, wake: wake) }
    kind = .visiting(WaitingWork(isUser, wake: wake))
  }

  /// Lets the user of a main-queue context run waiting work before the main queue does. Call this
  /// method before the queue is used.
  func allowEarlyWork() { earlyWork = WaitingWork() }

  func attach(_ weakReference: WeakReference<NSManagedObjectContext>) {
    self.weakReference = weakReference
  }

  /// The context whose work the current thread runs.
  static var currentContext: NSManagedObjectContext? {
    HeldQueue.innermost?.queue.weakReference?.target
  }

  /// Whether the caller already runs on this queue, possibly inside the work of another context.
  var isCurrent: Bool {
    switch kind {
    case .main: MainQueue.isCurrent
    case .serial: HeldQueue.isHeld(self)
    case .calling: true
    case .visiting(let work): work.isUser ?? true
    }
  }

  /// Whether the caller already runs on this queue, and no other thread can have borrowed the queue
  /// in the meantime.
  var isKept: Bool {
    if case .serial = kind { return HeldQueue.isKept(self) }
    return isCurrent
  }

  /// The outermost block of this queue that the current thread runs; nil outside blocks.
  var outermostWork: AnyObject? { HeldQueue.outermost(of: self) }

  /// Whether this is the queue that a thread waits for.
  func isSame(as target: QueueWait.Target) -> Bool {
    switch (kind, target) {
    case (.main, .main): true
    case (.serial(let own), .turn(let other)): own === other
    default: false
    }
  }

  /// Runs work later, in the order of the calls.
  func async(_ work: @escaping () -> Void) {
    // The block runs once, on this queue; the caller cannot run the block elsewhere.
    nonisolated(unsafe) let work = work
    switch kind {
    case .main:
      guard let earlyWork else { return enqueueOnMain(work) }
      let position = earlyWork.append(work)
      DispatchQueue.main.async { earlyWork.run(through: position, on: self) }
    case .serial(let queue):
      queue.append {
        HeldQueue(self, .application)
      } work: {
        work()
      }
    case .calling: HeldQueue(self, .application).hold { work() }
    case .visiting(let waiting): waiting.append(work)
    }
  }

  private func enqueueOnMain(_ work: @escaping () -> Void) {
    // The block runs once, on this queue; the caller cannot run the block elsewhere.
    nonisolated(unsafe) let work = work
    DispatchQueue.main.async { HeldQueue(self, .application).hold { work() } }
  }

  /// Runs the work that other threads added to a context without a thread, or to a main-queue
  /// context that allows early work. The user of the context calls this method.
  @inline(__always)
  func runWaitingWork() {
    if case .visiting(let waiting) = kind {
      if waiting.isAny { waiting.run(on: self) }
    } else if let earlyWork, earlyWork.isAny, MainQueue.isCurrent {
      earlyWork.run(on: self)
    }
  }

  /// Runs work at the end of the queue, and never earlier; a queue without a thread never runs the
  /// work.
  func enqueue(_ work: @escaping () -> Void) {
    switch kind {
    case .calling, .visiting: return
    case .main: enqueueOnMain(work)
    case .serial: async(work)
    }
  }

  /// Runs work while no other work runs on the queue, and waits until it is done.
  ///
  /// Work for a main queue runs on that queue's thread; other work runs on the calling thread.
  ///
  /// - Parameters:
  ///   - entry: The caller, which determines whether other threads may use the queues of this
  ///     thread during the wait.
  ///   - work: The work.
  func sync(_ entry: QueueEntry, _ work: () -> Void) {
    let held = HeldQueue(self, entry)
    if isKept { return held.hold(work) }
    switch kind {
    case .main: MainRequest.run(work, on: self, held)
    case .serial(let queue):
      let isTaken = queue.enter(held)
      held.hold(work)
      if isTaken { queue.leave() }
    case .calling, .visiting: held.hold(work)
    }
  }

  /// Runs work as ``sync(_:_:)`` does, and returns the result of the work or throws its error.
  func result<Result, Failure: Error>(
    _ entry: QueueEntry, of work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    sync(entry) {
      do throws(Failure) {
        result = .success(try work())
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { preconditionFailure("The queue did not run a synchronous block.") }
    return try result.get()
  }
}
