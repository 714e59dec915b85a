internal import COpenRuntime
internal import Synchronization

/// A weak reference that does not slow its target down.
///
/// A `weak` variable makes every retain and release of its target slow. This reference costs its target nothing, but
/// the target has to end it in its `deinit`.
// Invariant of the unchecked conformance: `address` is used only while `lock` is held, and its target ends the reference,
// which waits for the lock, before its memory goes away.
package final class WeakReference<Target: AnyObject>: @unchecked Sendable {
  private var address: UnsafeMutableRawPointer?
  private let lock = Mutex(())

  /// Creates a reference without a target.
  package init() {}

  package init(_ target: Target) { begin(target) }

  /// Sets the target, once.
  package func begin(_ target: Target) {
    lock.withLock { _ in address = Unmanaged.passUnretained(target).toOpaque() }
  }

  /// The target, unless it is gone or going.
  package var target: Target? {
    var target: Target?
    lock.withLock { _ in
      guard let address, let retained = ocd_try_retain(address) else { return }
      target = Unmanaged<Target>.fromOpaque(retained).takeRetainedValue()
    }
    return target
  }

  /// Called by the target when it goes away.
  package func end() { lock.withLock { _ in address = nil } }
}
