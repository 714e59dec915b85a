internal import COpenRuntime
internal import Dispatch
internal import Foundation
internal import OpenObjectModel

/// The queue that one context's work runs on: the main one, a private serial one, or none.
// Invariant of the unchecked conformance: all fields are immutable but for the context, which is set once, before the
// queue is used.
final class ContextQueue: @unchecked Sendable {
  private enum Kind {
    case main
    case serial(DispatchQueue)
    case calling
  }

  private let kind: Kind
  /// The context that works on this queue.
  private var link: WeakLink<NSManagedObjectContext>?

  init(_ type: NSManagedObjectContextConcurrencyType) {
    switch type {
    case .mainQueueConcurrencyType: kind = .main
    case .privateQueueConcurrencyType:
      kind = .serial(DispatchQueue(label: "NSManagedObjectContext"))
    case .confinementConcurrencyType: kind = .calling
    }
  }

  func attach(_ link: WeakLink<NSManagedObjectContext>) { self.link = link }

  /// The context whose work the current thread runs.
  static var currentContext: NSManagedObjectContext? { HeldQueue.innermost?.queue.link?.target }

  /// Whether the caller runs on this queue already, also from inside the work of another context.
  var isCurrent: Bool {
    switch kind {
    case .main: MainQueue.isCurrent
    case .serial: HeldQueue.isHeld(self)
    case .calling: true
    }
  }

  /// The outermost block on this queue that the current thread runs; nil outside of blocks.
  var outermostWork: AnyObject? { HeldQueue.outermost(of: self) }

  /// Runs work later, in the order of the calls.
  func async(_ work: @escaping () -> Void) {
    // The block is run once, on this queue; the caller keeps no way to run it elsewhere.
    nonisolated(unsafe) let work = work
    switch kind {
    case .main: DispatchQueue.main.async { HeldQueue.hold(self) { work() } }
    case .serial(let queue): queue.async { HeldQueue.hold(self) { work() } }
    case .calling: HeldQueue.hold(self) { work() }
    }
  }

  /// Runs work at the end of the queue; a queue of no thread of its own runs it never.
  func enqueue(_ work: @escaping () -> Void) {
    if case .calling = kind { return }
    async(work)
  }

  /// Runs work now, on the calling thread, while no other work runs on the queue.
  func sync(_ work: () -> Void) {
    if isCurrent { return HeldQueue.hold(self, work) }
    // The block is run once, while the caller waits.
    nonisolated(unsafe) let work = work
    switch kind {
    case .main: DispatchQueue.main.sync { HeldQueue.hold(self, work) }
    case .serial(let queue): MainQueue.lending { queue.sync { HeldQueue.hold(self, work) } }
    case .calling: HeldQueue.hold(self, work)
    }
  }
}

/// The queues that the current thread works for: a child context's work holds its parent's queue as well.
private final class HeldQueue {
  unowned(unsafe) let queue: ContextQueue
  private let outer: HeldQueue?

  private init(_ queue: ContextQueue, inside outer: HeldQueue?) {
    self.queue = queue
    self.outer = outer
  }

  static var innermost: HeldQueue? {
    ocd_held_queues().map { Unmanaged<HeldQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  static func isHeld(_ queue: ContextQueue) -> Bool {
    var current = innermost
    while let held = current {
      if held.queue === queue { return true }
      current = held.outer
    }
    return false
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

  /// Runs work and notes meanwhile that the thread works for a queue.
  static func hold(_ queue: ContextQueue, _ work: () -> Void) {
    let outer = innermost
    let held = HeldQueue(queue, inside: outer)
    ocd_set_held_queues(Unmanaged.passUnretained(held).toOpaque())
    work()
    ocd_set_held_queues(outer.map { Unmanaged.passUnretained($0).toOpaque() })
    withExtendedLifetime(held) {}
  }
}
