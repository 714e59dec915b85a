internal import COpenRuntime
internal import Synchronization

/// A link to an object that does not keep it alive, and does not slow it down.
///
/// A weak reference makes every retain and release of its target a slow one. This link costs its target nothing, but
/// the target has to end it in its `deinit`.
// Invariant of the unchecked conformance: `address` is used only while `lock` is held, and its target ends the link,
// which waits for the lock, before its memory goes away.
package final class WeakLink<Target: AnyObject>: @unchecked Sendable {
  private var address: UnsafeMutableRawPointer?
  private let lock = Mutex(())

  /// Makes a link that leads nowhere yet.
  package init() {}

  package init(_ target: Target) { begin(target) }

  /// Lets the link lead to a target, once.
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
