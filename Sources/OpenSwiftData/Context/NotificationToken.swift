internal import Foundation

/// An observation of a notification, which ends when this object is deallocated.
// Invariant of the unchecked conformance: the object is immutable, and notification centers can be
// used on any thread.
final class NotificationToken: @unchecked Sendable {
  private let observer: any NSObjectProtocol

  init(
    _ name: Notification.Name, _ object: AnyObject?,
    _ block: @escaping @Sendable (Notification) -> Void
  ) {
    observer = NotificationCenter.default.addObserver(
      forName: name, object: object, queue: nil, using: block)
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}
