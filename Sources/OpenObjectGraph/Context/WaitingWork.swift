internal import Synchronization

/// The work that other threads added to a context without a thread, until the context's user runs
/// it.
///
/// > Concurrency: Any thread.
final class WaitingWork: Sendable {
  /// A block that runs once, by the next user of the context and not by the caller that adds it.
  // Invariant of the unchecked conformance: the block is reached by one side at a time.
  private struct Block: @unchecked Sendable {
    let run: () -> Void
  }

  /// Whether the caller is the context's user; nil if this is unknown.
  let isUser: (@Sendable () -> Bool)?
  /// Notifies the user of new work; nil if the user checks for work when it next uses the context.
  private let wake: (@Sendable () -> Void)?
  private let count = Atomic<Int>(0)
  private let blocks = Mutex<[Block]>([])

  init(_ isUser: (@Sendable () -> Bool)? = nil, wake: (@Sendable () -> Void)? = nil) {
    self.isUser = isUser
    self.wake = wake
  }

  /// Whether work is waiting; this costs one atomic load.
  @inline(__always)
  var isAny: Bool { count.load(ordering: .acquiring) > 0 }

  func append(_ work: @escaping () -> Void) {
    let block = Block(run: work)
    blocks.withLock { $0.append(block) }
    let isFirst = count.add(1, ordering: .acquiringAndReleasing).oldValue == 0
    if isFirst { wake?() }
  }

  /// Runs all waiting work in the order in which it was added.
  @inline(never)
  func run(on queue: ContextQueue) {
    let waiting = blocks.withLock { blocks in
      defer { blocks.removeAll() }
      return blocks
    }
    count.subtract(waiting.count, ordering: .relaxed)
    queue.sync(.application) { for block in waiting { block.run() } }
  }
}
