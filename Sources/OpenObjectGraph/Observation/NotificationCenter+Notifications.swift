public import Foundation
internal import Synchronization

extension NotificationCenter {
  /// Returns an asynchronous sequence of the notifications with the given name.
  ///
  /// ```swift
  /// for await notification in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context) {
  ///   show(notification)
  /// }
  /// ```
  ///
  /// All notifications that are posted after this call are buffered until the iterating task
  /// receives them. No notification is lost. The buffer retains the objects in the notifications,
  /// so a slow task increases memory use. The sequence ends when the iterating task is canceled. A
  /// sequence for an object that was deallocated is empty.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object that posts the notifications; nil for any object.
  /// - Returns: A sequence of the notifications.
  /// > Concurrency: Callable from any thread. A notification is sent to the iterating task, but the
  /// > objects in the notification are confined to the queue of the context that posted the
  /// > notification. On other queues, use the objects' ids.
  /// > Reference: Apple, notifications(named:object:), which Foundation has on Apple platforms
  /// > only.
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> NotificationCenter.Notifications {
    Notifications(NotificationSource(center: self, name: name, object: object))
  }

  /// An asynchronous sequence of the notifications with the given name.
  ///
  /// The first iteration begins with the notifications posted since the sequence was created. Each
  /// later iteration receives only notifications that are posted after the iteration began.
  ///
  /// > Concurrency: The sequence may be iterated in any task. Use each iterator in one task only.
  /// > Reference: Apple, NotificationCenter.Notifications, which Foundation has on Apple platforms
  /// > only.
  public final class Notifications: AsyncSequence, Sendable {
    /// The type of the elements: a posted notification.
    public typealias Element = Notification
    /// The error type; an iteration never throws.
    public typealias Failure = Never

    private let source: NotificationSource
    private let first: Mutex<AsyncStream<NotificationDelivery>?>

    fileprivate init(_ source: NotificationSource) {
      self.source = source
      first = Mutex(source.makeStream())
    }

    /// Begins an iteration.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator {
      let stream = first.withLock { first in
        defer { first = nil }
        return first
      }
      return Iterator(base: (stream ?? source.makeStream()).makeAsyncIterator())
    }

    /// An iterator over notifications.
    ///
    /// > Concurrency: Use an iterator in one task only.
    public struct Iterator: AsyncIteratorProtocol {
      /// The type of the elements: a posted notification.
      public typealias Element = Notification
      /// The error type; an iteration never throws.
      public typealias Failure = Never

      fileprivate var base: AsyncStream<NotificationDelivery>.Iterator

      /// Returns the next notification.
      ///
      /// - Returns: The notification; nil if the task was canceled.
      public mutating func next() async -> Notification? { await next(isolation: nil) }

      /// Returns the next notification in the isolation of an actor.
      ///
      /// - Parameter actor: The actor that iterates; nil if the caller is not isolated to an actor.
      /// - Returns: The notification; nil if the task was canceled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await base.next(isolation: actor)?.notification
      }
    }
  }
}

/// One notification that is sent to the iterating task.
// Invariant of the unchecked conformance: passed from the poster to one task; its contents follow
// the rule in the documentation of the sequence.
private struct NotificationDelivery: @unchecked Sendable {
  let notification: Notification
}

/// The source of a sequence's notifications.
// Invariant of the unchecked conformance: immutable; the object is only compared with posters.
private struct NotificationSource: @unchecked Sendable {
  let center: NotificationCenter
  let name: Notification.Name
  weak let object: AnyObject?
  let isOfAny: Bool

  init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
    self.center = center
    self.name = name
    self.object = object
    isOfAny = object == nil
  }

  /// Begins an observation, which ends when the stream is released.
  func makeStream() -> AsyncStream<NotificationDelivery> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NotificationDelivery.self, bufferingPolicy: .unbounded)
    guard isOfAny || object != nil else {
      continuation.finish()
      return stream
    }
    let token = Token(
      observer: center.addObserver(forName: name, object: object, queue: nil) {
        continuation.yield(NotificationDelivery(notification: $0))
      })
    continuation.onTermination = { [center] _ in center.removeObserver(token.observer) }
    return stream
  }

  /// The token that the notification center returned for an observer.
  // Invariant of the unchecked conformance: only passed back to the center, which does its own
  // locking.
  private struct Token: @unchecked Sendable {
    let observer: any NSObjectProtocol
  }
}
