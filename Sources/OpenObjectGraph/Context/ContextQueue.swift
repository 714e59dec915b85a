internal import Dispatch
internal import Foundation
internal import OpenObjectModel

/// The queue that one context's work runs on: the main one, a private serial one, or none.
///
/// A context without queue runs work on the calling thread. In a context used by one task at a time, work of other
/// threads waits until that task uses the context again.
// Invariant of the unchecked conformance: the fields are set before the queue is used, and immutable from then on.
final class ContextQueue: @unchecked Sendable {
  private enum Kind {
    case main
    case serial(SerialQueue)
    case calling
    case visiting(WaitingWork)
  }

  private var kind: Kind
  /// The context that works on this queue.
  private var weakReference: WeakReference<NSManagedObjectContext>?

  init(_ type: NSManagedObjectContextConcurrencyType) {
    switch type {
    case .mainQueueConcurrencyType: kind = .main
    case .privateQueueConcurrencyType: kind = .serial(SerialQueue())
    case .confinementConcurrencyType: kind = .calling
    }
  }

  /// Lets one task at a time use the context, on whichever thread it runs; called before the queue is used.
  func becomeVisited(_ waiting: WaitingWork) { kind = .visiting(waiting) }

  func attach(_ weakReference: WeakReference<NSManagedObjectContext>) {
    self.weakReference = weakReference
  }

  /// The context whose work the current thread runs.
  static var currentContext: NSManagedObjectContext? {
    HeldQueue.innermost?.queue.weakReference?.target
  }

  /// Whether the caller runs on this queue already, even from inside the work of another context.
  var isCurrent: Bool {
    switch kind {
    case .main: MainQueue.isCurrent
    case .serial: HeldQueue.isHeld(self)
    case .calling: true
    case .visiting(let work): work.isUser?() ?? true
    }
  }

  /// Whether the caller runs on this queue already, and no other thread can have borrowed it meanwhile.
  var isKept: Bool {
    if case .serial = kind { return HeldQueue.isKept(self) }
    return isCurrent
  }

  /// The outermost block on this queue that the current thread runs; nil outside of blocks.
  var outermostWork: AnyObject? { HeldQueue.outermost(of: self) }

  /// Whether it is the queue that a thread waits for.
  func isSame(as target: QueueWait.Target) -> Bool {
    switch (kind, target) {
    case (.main, .main): true
    case (.serial(let own), .turn(let other)): own === other
    default: false
    }
  }

  /// Runs work later, in the order of the calls.
  func async(_ work: @escaping () -> Void) {
    // The block is run once, on this queue; the caller keeps no way to run it elsewhere.
    nonisolated(unsafe) let work = work
    switch kind {
    case .main:
      DispatchQueue.main.async { HeldQueue(self, .application).hold { work() } }
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

  /// Runs work that other threads added to a context without a thread; called by its user.
  @inline(__always)
  func runWaitingWork() {
    if case .visiting(let waiting) = kind, waiting.isAny { waiting.run(on: self) }
  }

  /// Runs work at the end of the queue; a queue without a thread never runs it.
  func enqueue(_ work: @escaping () -> Void) {
    switch kind {
    case .calling, .visiting: return
    case .main, .serial: async(work)
    }
  }

  /// Runs work now, on the calling thread, while no other work runs on the queue; on the main queue's thread for that
  /// queue.
  ///
  /// - Parameter entry: Who calls; determines whether other threads may use the queues of this thread during the
  ///   wait.
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

  /// Runs work as ``sync(_:_:)`` does, and returns what it returns or throws.
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
    guard let result else { preconditionFailure("A queue runs a synchronous block once.") }
    return try result.get()
  }
}
