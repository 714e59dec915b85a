internal import COpenRuntime
internal import Synchronization

/// A weak reference that does not slow down its target.
///
/// A `weak` variable slows down every retain and release of its target. This reference adds no cost
/// to its target, but the target must call ``end()`` in its `deinit`.
// Invariant of the unchecked conformance: `address` is used only while `lock` is held. The target
// ends the reference, which waits for the lock, before its memory is freed.
package final class WeakReference<Target: AnyObject>: @unchecked Sendable {
  private var address: UnsafeMutableRawPointer?
  private let lock = Mutex(())

  /// Creates a reference without a target.
  package init() {}

  package init(_ target: Target) { begin(target) }

  /// Sets the target. Call this method only once.
  package func begin(_ target: Target) {
    lock.withLock { _ in address = Unmanaged.passUnretained(target).toOpaque() }
  }

  /// The target; nil if the target no longer exists or is being deallocated.
  package var target: Target? {
    var target: Target?
    lock.withLock { _ in
      guard let address, let retained = ocd_try_retain(address) else { return }
      target = Unmanaged<Target>.fromOpaque(retained).takeRetainedValue()
    }
    return target
  }

  /// Ends the reference; the target calls this method when it is deallocated.
  package func end() { lock.withLock { _ in address = nil } }
}
