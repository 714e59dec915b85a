internal import Synchronization

/// The work that other threads added to a context, until the context's user runs it.
///
/// The main queue also runs the work of a main-queue context, block by block.
///
/// > Concurrency: Any thread.
final class WaitingWork: Sendable {
  /// A block that runs once, by the next user of the context and not by the caller that adds it.
  // Invariant of the unchecked conformance: the block is reached by one side at a time.
  private struct Block: @unchecked Sendable {
    let run: () -> Void
  }

  /// The waiting blocks, in the order in which they were added.
  private struct Line {
    private var blocks: [Block] = []
    /// The number of blocks that were taken so far.
    private var takenCount = 0

    /// Adds a block, and returns its position among all blocks that were ever added.
    mutating func append(_ block: Block) -> Int {
      blocks.append(block)
      return takenCount + blocks.count
    }

    /// Removes and returns the waiting blocks up to a position.
    mutating func take(through position: Int) -> [Block] {
      let count = min(max(0, position - takenCount), blocks.count)
      let taken = Array(blocks.prefix(count))
      blocks.removeFirst(count)
      takenCount += count
      return taken
    }
  }

  /// The user of the context.
  private struct User: Sendable {
    /// Returns whether the caller is the user; nil if this is unknown.
    var isCaller: (@Sendable () -> Bool)?
    /// Notifies the user of new work; nil if the user checks for work when it next uses the
    /// context.
    var wake: (@Sendable () -> Void)?
  }

  private let user: Mutex<User>
  private let count = Atomic<Int>(0)
  private let line = Mutex(Line())

  init(_ isUser: (@Sendable () -> Bool)? = nil, wake: (@Sendable () -> Void)? = nil) {
    user = Mutex(User(isCaller: isUser, wake: wake))
  }

  /// Whether the caller is the context's user; nil if this is unknown.
  var isUser: Bool? {
    let isCaller = user.withLock { $0.isCaller }
    return isCaller?()
  }

  /// Changes the user, and notifies the new user if work already waits.
  func change(_ isUser: (@Sendable () -> Bool)?, wake: (@Sendable () -> Void)?) {
    user.withLock { $0 = User(isCaller: isUser, wake: wake) }
    if isAny { wake?() }
  }

  /// Whether work is waiting; this costs one atomic load.
  @inline(__always)
  var isAny: Bool { count.load(ordering: .acquiring) > 0 }

  /// Adds work.
  ///
  /// - Returns: The position of the work, for ``run(through:on:)``.
  @discardableResult
  func append(_ work: @escaping () -> Void) -> Int {
    let block = Block(run: work)
    let position = line.withLock { $0.append(block) }
    let isFirst = count.add(1, ordering: .acquiringAndReleasing).oldValue == 0
    if isFirst {
      let wake = user.withLock { $0.wake }
      wake?()
    }
    return position
  }

  /// Runs waiting work in the order in which it was added.
  ///
  /// - Parameter position: The position of the last work to run.
  @inline(never)
  func run(through position: Int = .max, on queue: ContextQueue) {
    let waiting = line.withLock { $0.take(through: position) }
    if waiting.isEmpty { return }
    count.subtract(waiting.count, ordering: .relaxed)
    queue.sync(.application) { for block in waiting { block.run() } }
  }
}
