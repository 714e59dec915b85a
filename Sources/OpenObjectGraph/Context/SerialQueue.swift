internal import Dispatch
internal import Foundation

/// A private queue: one thread owns it at a time, and the others wait for their turn in the order of their calls.
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

    /// Runs the work and lets go of what it holds, while the queue is still owned.
    @inline(never)
    func perform(_ held: HeldQueue) {
      held.hold { work?() }
      work = nil
    }
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
  func enter(_ held: HeldQueue) {
    let wait: QueueWait? = QueueWaits.withLock { _ in
      if owner == nil, first == nil {
        owner = held.thread
        return nil
      }
      let wait = QueueWait(.turn(self), held)
      append(Turn(wait))
      return wait
    }
    wait?.block()
  }

  /// Hands the queue to the thread that lent it, or to the next one in the line.
  func leave() {
    let isDue = QueueWaits.withLock { state in
      if let lender = lenders.popLast() {
        owner = lender.thread
        lender.takeBack(self)
        return false
      }
      return passOn(&state)
    }
    if isDue { schedule() }
  }

  /// Gives the queue to the thread of a wait out of turn, until that thread leaves.
  ///
  /// - Parameter lender: What the thread that owns the queue is blocked in.
  func lend(_ lender: QueueWait, to wait: QueueWait, _ state: inout QueueWaits.State) {
    remove(wait)
    lenders.append(lender)
    owner = wait.thread
    wait.end(&state)
  }

  /// - Returns: Whether work that runs later is next; its thread has to be asked for.
  private func passOn(_ state: inout QueueWaits.State) -> Bool {
    owner = nil
    guard let wait = first?.wait else { return first != nil }
    removeFirst()
    owner = wait.thread
    wait.end(&state)
    return false
  }

  // MARK: Work that runs later

  /// Runs work when its turn has come, on a thread of its own.
  ///
  /// - Parameter held: Makes the block on the thread that runs it.
  func append(_ held: @escaping () -> HeldQueue, work: @escaping () -> Void) {
    let turn = Turn(held, work)
    let isDue = QueueWaits.withLock { _ in
      let isFree = owner == nil && first == nil
      append(turn)
      return isFree
    }
    if isDue { schedule() }
  }

  /// Asks for a thread; to be called once when the first of the line is work that runs later, and nobody owns the queue.
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
      guard let turn = first, let held = turn.held() else { return nil }
      removeFirst()
      owner = held.thread
      return (turn, held)
    }
  }

  // MARK: The line

  private func append(_ turn: Turn) {
    if let last { last.next = turn } else { first = turn }
    last = turn
  }

  private func removeFirst() {
    let next = first?.next
    first?.next = nil
    first = next
    if next == nil { last = nil }
  }

  private func remove(_ wait: QueueWait) {
    var (before, current): (Turn?, Turn?) = (nil, first)
    while let turn = current, turn.wait !== wait { (before, current) = (turn, turn.next) }
    guard let turn = current else { return }
    if let before { before.next = turn.next } else { first = turn.next }
    if turn.next == nil { last = before }
    turn.next = nil
  }
}
