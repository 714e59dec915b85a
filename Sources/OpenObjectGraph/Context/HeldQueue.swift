internal import COpenRuntime

/// The caller of a queue.
enum QueueEntry {
  /// The application, including its hooks and notification handlers.
  case application
  /// A child context that reads from its parent or saves into it.
  case child
}

/// One block of a queue on the stack of a thread.
///
/// Blocks may be nested: the work of a child context also holds the parent's queue. The outermost
/// block represents the thread where threads own queues or wait for queues.
// Invariant of the unchecked conformance: all fields are immutable but for `wait`, which the lock
// of `QueueWaits` guards.
final class HeldQueue: @unchecked Sendable {
  unowned(unsafe) let queue: ContextQueue
  /// The caller of the queue.
  let entry: QueueEntry
  /// The block that encloses this block.
  let outer: HeldQueue?
  /// The block that represents the thread instead of this outermost block.
  ///
  /// Set only for work that the thread runs for another thread while the thread itself waits.
  private let representative: HeldQueue?
  /// The wait in which the thread is blocked, if this block represents the thread; nil while the
  /// thread runs.
  var wait: QueueWait?

  /// Describes a block that the current thread is about to run.
  ///
  /// - Parameter thread: The block that represents the current thread, if it is not the outermost
  ///   block.
  init(_ queue: ContextQueue, _ entry: QueueEntry, for thread: HeldQueue? = nil) {
    self.queue = queue
    self.entry = entry
    outer = Self.innermost
    representative = thread
  }

  static var innermost: HeldQueue? {
    ocd_held_queues().map { Unmanaged<HeldQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The block that represents the thread.
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

  /// Whether the current thread holds a queue that it cannot have lent to another thread.
  ///
  /// A waiting thread may have lent the queues of its outer blocks before it runs work for another
  /// thread.
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

  /// Runs work as this block, while the thread holds the block's queue.
  func hold(_ work: () -> Void) {
    ocd_set_held_queues(Unmanaged.passUnretained(self).toOpaque())
    work()
    ocd_set_held_queues(outer.map { Unmanaged.passUnretained($0).toOpaque() })
    withExtendedLifetime(self) {}
  }
}
