internal import Foundation
internal import Synchronization

/// Enters the critical section of an object, as `@synchronized` does.
///
/// A thread may enter the critical section of an object recursively.
///
/// - Parameter object: The object that identifies the critical section.
/// - Returns: 0.
/// > Concurrency: Callable from any thread. The call waits until no other thread is in the critical
/// > section.
/// > Reference: Apple, objc_sync_enter.
@discardableResult
public func objc_sync_enter(_ object: Any) -> Int32 {
  Monitors.shared.enter(ObjectIdentifier(object as AnyObject))
  return 0
}

/// Leaves the critical section of an object, which the current thread has entered with
/// ``objc_sync_enter(_:)``.
///
/// - Parameter object: The object that was passed to ``objc_sync_enter(_:)``.
/// - Returns: 0, or -1 if the thread is not in the critical section of the object.
/// > Concurrency: Call on the thread that entered the critical section.
/// > Reference: Apple, objc_sync_exit.
@discardableResult
public func objc_sync_exit(_ object: Any) -> Int32 {
  Monitors.shared.exit(ObjectIdentifier(object as AnyObject)) ? 0 : -1
}

/// The critical sections that threads are in or wait for. A section is removed when the last thread
/// has left it.
///
/// Shared between threads; all state is in a mutex.
private final class Monitors: Sendable {
  /// The critical section of one object.
  private struct Section {
    let lock = NSRecursiveLock()
    /// The number of entries by threads that are in the section or wait to enter it.
    var users = 0
    var owner: ObjectIdentifier?
    var depth = 0
  }

  static let shared = Monitors()
  private let sections = Mutex<[ObjectIdentifier: Section]>([:])

  func enter(_ object: ObjectIdentifier) {
    let lock = sections.withLock { sections in
      sections[object, default: Section()].users += 1
      return sections[object]?.lock
    }
    lock?.lock()
    let thread = ObjectIdentifier(Thread.current)
    sections.withLock { sections in
      sections[object]?.owner = thread
      sections[object]?.depth += 1
    }
  }

  func exit(_ object: ObjectIdentifier) -> Bool {
    let thread = ObjectIdentifier(Thread.current)
    let lock = sections.withLock { sections -> NSRecursiveLock? in
      guard var section = sections[object], section.owner == thread, section.depth > 0 else {
        return nil
      }
      section.users -= 1
      section.depth -= 1
      if section.depth == 0 { section.owner = nil }
      sections[object] = section.users == 0 ? nil : section
      return section.lock
    }
    lock?.unlock()
    return lock != nil
  }
}
