internal import Dispatch
internal import Foundation

/// The queue that one context's work runs on: the main one, a private serial one, or none.
// Invariant of the unchecked conformance: all fields are immutable.
final class ContextQueue: @unchecked Sendable {
  private enum Kind {
    case main
    case serial(DispatchQueue)
    case calling
  }

  private let kind: Kind
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(_ type: NSManagedObjectContextConcurrencyType) {
    switch type {
    case .mainQueueConcurrencyType: kind = .main
    case .privateQueueConcurrencyType:
      kind = .serial(DispatchQueue(label: "NSManagedObjectContext"))
    case .confinementConcurrencyType: kind = .calling
    }
    if case .serial(let queue) = kind {
      queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }
  }

  /// Whether the caller runs on this queue already.
  var isCurrent: Bool {
    switch kind {
    case .main: Thread.isMainThread
    case .serial: DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
    case .calling: true
    }
  }

  /// Runs work later, in the order of the calls.
  func async(_ work: @escaping () -> Void) {
    // The block is run once, on this queue; the caller keeps no way to run it elsewhere.
    nonisolated(unsafe) let work = work
    switch kind {
    case .main: DispatchQueue.main.async { work() }
    case .serial(let queue): queue.async { work() }
    case .calling: work()
    }
  }

  /// Runs work now, on the calling thread, while no other work runs on the queue.
  func sync(_ work: () -> Void) {
    if isCurrent { return work() }
    switch kind {
    case .main: DispatchQueue.main.sync(execute: work)
    case .serial(let queue): queue.sync(execute: work)
    case .calling: work()
    }
  }
}
