internal import COpenRuntime

/// Who calls a queue.
enum QueueEntry {
  /// The application, or code that it called: a hook, a handler of a notification.
  case application
  /// A child context that reads from its parent, or saves into it.
  case child
}

/// One block of a queue on the stack of a thread: a child context's work holds its parent's queue as well.
///
/// The outermost one represents the thread as the owner and waiter of queues.
// Invariant of the unchecked conformance: all fields are immutable but for `wait`, which the lock of `QueueWaits` guards.
final class HeldQueue: @unchecked Sendable {
  unowned(unsafe) let queue: ContextQueue
  /// Who called the queue.
  let entry: QueueEntry
  /// The block that this one runs inside of.
  let outer: HeldQueue?
  /// The block that represents the thread instead of this outermost block; only for work that the thread is given
  /// while it waits.
  private let representative: HeldQueue?
  /// The call in which the thread is blocked, if the block represents the thread; nil while it runs.
  var wait: QueueWait?

  /// Describes a block that the current thread is about to run.
  ///
  /// - Parameter thread: The representative of the current thread, if it is not only the block itself.
  init(_ queue: ContextQueue, _ entry: QueueEntry, for thread: HeldQueue? = nil) {
    self.queue = queue
    self.entry = entry
    outer = Self.innermost
    representative = thread
  }

  static var innermost: HeldQueue? {
    ocd_held_queues().map { Unmanaged<HeldQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The outermost block of the thread, which represents it.
  var thread: HeldQueue {
    var current = self
    while let outer = current.outer { current = outer }
    return current.representative ?? current
  }

  static func isHeld(_ queue: ContextQueue) -> Bool {
    var current = innermost
    while let held = current {
      if held.queue === queue { return true }
      current = held.outer
    }
    return false
  }

  /// Whether the current thread holds a queue, and cannot have lent it.
  ///
  /// Work that a thread is given while it waits runs inside of blocks whose queues the thread may have lent.
  static func isKept(_ queue: ContextQueue) -> Bool {
    var current = innermost
    while let held = current, held.queue !== queue {
      if held.representative != nil { return false }
      current = held.outer
    }
    return current != nil
  }

  static func outermost(of queue: ContextQueue) -> HeldQueue? {
    var found: HeldQueue?
    var current = innermost
    while let held = current {
      if held.queue === queue { found = held }
      current = held.outer
    }
    return found
  }

  /// Runs the block; meanwhile the thread works for its queue.
  func hold(_ work: () -> Void) {
    ocd_set_held_queues(Unmanaged.passUnretained(self).toOpaque())
    work()
    ocd_set_held_queues(outer.map { Unmanaged.passUnretained($0).toOpaque() })
    withExtendedLifetime(self) {}
  }
}
