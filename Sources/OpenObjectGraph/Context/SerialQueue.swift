internal import Dispatch
internal import Foundation

/// A private queue: one thread owns it at a time, and other threads wait in the order of their calls.
///
/// A thread that is blocked may lend the queue to one that it waits for; see ``QueueWaits``.
// Invariant of the unchecked conformance: the lock of `QueueWaits` guards all fields that change.
final class SerialQueue: @unchecked Sendable {
  /// A place in the line: of a thread that waits, or of work that is to run later.
  // Invariant of the unchecked conformance: the lock of `QueueWaits` guards `next`; `work` is used once, by the thread that runs it.
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

    /// The block as the current thread is about to run it.
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
    /// The queue; the thread has to leave it.
    case taken
    /// The queue, which an outer block of the thread owns.
    case owned
    /// Nothing: another thread owns it, or is before it in the line.
    case none
  }

  private let executor = DispatchQueue(label: "NSManagedObjectContext")
  /// The thread that works for the queue, by its outermost block.
  private(set) var owner: HeldQueue?
  /// What the threads that lent the queue are blocked in, the last one last.
  private var lenders: [QueueWait] = []
  private var first: Turn?
  private var last: Turn?

  // MARK: Work that waits

  /// Lets the current thread own the queue; returns when it does.
  ///
  /// - Returns: Whether the thread has to leave the queue; not where an outer block of the thread owns it.
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

  /// Hands the queue to the thread that lent it, or to the next one in the line.
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

  /// Takes the queue for a thread if it is free, unless another one is before it in the line.
  ///
  /// - Parameter wait: What the thread is blocked in; nil for a thread that is not in the line yet.
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

  /// Gives the queue to the thread of a wait out of turn, until that thread leaves.
  ///
  /// - Parameter lender: What the thread that owns the queue is blocked in.
  func lend(_ lender: QueueWait, to wait: QueueWait, _ state: inout QueueWaits.State) {
    remove(wait)
    lenders.append(lender)
    lender.lent.append(self)
    owner = wait.thread
    wait.end(.taken, &state)
  }

  /// Gives the queue back to the thread that lent it, which may be blocked in another wait by now: work for the main
  /// queue that the thread was given meanwhile began it.
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

  /// - Returns: Whether work that runs later is next; its thread must be requested.
  private func passOn(_ state: inout QueueWaits.State) -> Bool {
    owner = nil
    guard let wait = next?.wait else { return next != nil }
    remove(wait)
    owner = wait.thread
    wait.end(.taken, &state)
    return false
  }

  // MARK: Work that runs later

  /// Runs work on a separate thread when it is next in the queue.
  ///
  /// - Parameter held: Makes the block on the thread that runs it.
  func append(_ held: @escaping () -> HeldQueue, work: @escaping () -> Void) {
    let turn = Turn(held, work)
    let isDue = QueueWaits.withLock { _ in
      let isFree = owner == nil && next == nil
      append(turn)
      return isFree
    }
    if isDue { schedule() }
  }

  /// Requests a thread; called once if the first entry is asynchronous work and no thread owns the queue.
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

  /// The first of the line whose thread can use the queue: not one that runs other work before it waits on.
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
