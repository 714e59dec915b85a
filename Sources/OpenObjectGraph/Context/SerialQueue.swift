internal import Dispatch
internal import Foundation

/// A private queue, which one thread owns at a time; other threads wait in the order of their
/// calls.
///
/// A blocked thread may lend the queue to a thread that it waits for; see ``QueueWaits``.
// Invariant of the unchecked conformance: the lock of `QueueWaits` guards all fields that change.
final class SerialQueue: @unchecked Sendable {
  /// An entry of the line: a waiting thread, or work that runs later.
  // Invariant of the unchecked conformance: the lock of `QueueWaits` guards `next`; `work` is used
  // once, by the thread that runs it.
  private final class Turn: @unchecked Sendable {
    let wait: QueueWait?
    private let makeHeld: (() -> HeldQueue)?
    private var work: (() -> Void)?
    var next: Turn?

    init(_ wait: QueueWait) {
      self.wait = wait
      makeHeld = nil
    }

    init(_ makeHeld: @escaping () -> HeldQueue, _ work: @escaping () -> Void) {
      wait = nil
      self.makeHeld = makeHeld
      self.work = work
    }

    /// Describes the block that the current thread is about to run.
    func held() -> HeldQueue? { makeHeld?() }

    /// Runs the work and releases its captures while the queue is still owned.
    @inline(never)
    func perform(_ held: HeldQueue) {
      held.hold { work?() }
      work = nil
    }
  }

  /// The result of requesting the queue.
  enum Access {
    /// The thread has taken the queue and must leave it.
    case taken
    /// An outer block of the thread already owns the queue.
    case owned
    /// Another thread owns the queue or is earlier in the line.
    case none
  }

  private let executor = DispatchQueue(label: "NSManagedObjectContext")
  /// The outermost block of the thread that owns the queue.
  private(set) var owner: HeldQueue?
  /// The waits of the threads that lent the queue; the most recent lender is last.
  private var lenders: [QueueWait] = []
  private var first: Turn?
  private var last: Turn?

  // MARK: Work that waits

  /// Waits until the current thread owns the queue.
  ///
  /// - Returns: Whether the thread must leave the queue; false if an outer block of the thread owns
  ///   the queue.
  func enter(_ held: HeldQueue) -> Bool {
    var access = Access.none
    let wait: QueueWait? = QueueWaits.withLock { _ in
      access = claim(for: held.thread, nil)
      guard access == .none else { return nil }
      let wait = QueueWait(.turn(self), held)
      append(Turn(wait))
      return wait
    }
    guard let wait else { return access == .taken }
    wait.block()
    return wait.hasTaken
  }

  /// Passes the queue to the thread that lent it, or to the next thread in the line.
  func leave() {
    let isDue = QueueWaits.withLock { state in
      if let lender = lenders.popLast() {
        giveBack(to: lender, &state)
        return false
      }
      return passOn(&state)
    }
    if isDue { schedule() }
  }

  /// Takes the queue for a thread if the queue is free and no other thread is earlier in the line.
  ///
  /// - Parameters:
  ///   - thread: The outermost block of the thread.
  ///   - wait: The wait of the thread; nil for a thread that is not in the line yet.
  /// - Returns: The access that the thread now has.
  func claim(for thread: HeldQueue, _ wait: QueueWait?) -> Access {
    if owner === thread {
      if let wait { remove(wait) }
      return .owned
    }
    guard owner == nil else { return .none }
    let next = next
    guard next == nil || wait != nil && next?.wait === wait else { return .none }
    if let wait { remove(wait) }
    owner = thread
    return .taken
  }

  /// Lends the queue to the thread of a wait, out of turn, until that thread leaves the queue.
  ///
  /// - Parameters:
  ///   - lender: The wait of the thread that owns the queue.
  ///   - wait: The wait of the borrowing thread.
  func lend(_ lender: QueueWait, to wait: QueueWait, _ state: inout QueueWaits.State) {
    remove(wait)
    lenders.append(lender)
    lender.lent.append(self)
    owner = wait.thread
    wait.end(.taken, &state)
  }

  /// Returns the queue to the thread that lent it.
  ///
  /// By now, that thread may be blocked in another wait, which began in work for the main queue.
  private func giveBack(to lender: QueueWait, _ state: inout QueueWaits.State) {
    let thread = lender.thread
    owner = thread
    lender.takeBack(self)
    guard let wait = thread.wait else { return }
    if wait.isWaiting(for: self) {
      remove(wait)
      wait.end(.owned, &state)
    } else {
      // The threads in the line wait for another thread than before, which is blocked.
      QueueWaits.resolve(wait, &state)
    }
  }

  /// Passes the free queue to the next waiting thread.
  ///
  /// - Returns: Whether asynchronous work is next, for which a thread must be requested.
  private func passOn(_ state: inout QueueWaits.State) -> Bool {
    owner = nil
    guard let wait = next?.wait else { return next != nil }
    remove(wait)
    owner = wait.thread
    wait.end(.taken, &state)
    return false
  }

  // MARK: Work that runs later

  /// Runs work on a separate thread when the work is next in the queue.
  ///
  /// - Parameters:
  ///   - held: A closure that describes the block, called on the thread that runs the block.
  ///   - work: The work.
  func append(_ held: @escaping () -> HeldQueue, work: @escaping () -> Void) {
    let turn = Turn(held, work)
    let isDue = QueueWaits.withLock { _ in
      let isFree = owner == nil && next == nil
      append(turn)
      return isFree
    }
    if isDue { schedule() }
  }

  /// Requests a thread; called once if the first entry is asynchronous work and no thread owns the
  /// queue.
  private func schedule() {
    executor.async { self.runTurns() }
  }

  private func runTurns() {
    var isDue = true
    while isDue, let (turn, held) = takeTurn() {
      turn.perform(held)
      isDue = QueueWaits.withLock { passOn(&$0) }
    }
  }

  private func takeTurn() -> (Turn, HeldQueue)? {
    QueueWaits.withLock { _ in
      guard owner == nil, let turn = next, let held = turn.held() else { return nil }
      remove(turn)
      owner = held.thread
      return (turn, held)
    }
  }

  // MARK: The line

  private func append(_ turn: Turn) {
    if let last { last.next = turn } else { first = turn }
    last = turn
  }

  /// The first entry of the line whose thread is not running other work.
  private var next: Turn? {
    var current = first
    while let turn = current, turn.wait?.isSuspended == true { current = turn.next }
    return current
  }

  private func remove(_ turn: Turn) { remove { $0 === turn } }

  private func remove(_ wait: QueueWait) { remove { $0.wait === wait } }

  private func remove(_ isSought: (Turn) -> Bool) {
    var (before, current): (Turn?, Turn?) = (nil, first)
    while let turn = current, !isSought(turn) { (before, current) = (turn, turn.next) }
    guard let turn = current else { return }
    if let before { before.next = turn.next } else { first = turn.next }
    if turn.next == nil { last = before }
    turn.next = nil
  }
}
