public import Foundation
internal import Synchronization

extension NotificationCenter {
  /// The notifications of a name, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await notification in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context) {
  ///   show(notification)
  /// }
  /// ```
  ///
  /// All notifications after this call are buffered until they are received; none is lost, and a slow task retains
  /// the objects in them. The sequence ends when its task is cancelled.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object that posts them; nil for any.
  /// - Returns: The notifications of a name, as an asynchronous sequence.
  /// > Concurrency: Any thread. A notification is sent to the iterating task, but its objects belong to the queue of
  /// > the context that posted it: use their ids on other queues.
  /// > Reference: Apple, notifications(named:object:), which Foundation has on Apple platforms only.
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> NotificationCenter.Notifications {
    Notifications(NotificationSource(center: self, name: name, object: object))
  }

  /// The notifications of a name, as an asynchronous sequence.
  ///
  /// The first iteration begins with the notifications posted since the sequence was created, a further iteration with
  /// those posted after it began.
  ///
  /// > Concurrency: May be iterated in any task; only one task may use an iterator.
  /// > Reference: Apple, NotificationCenter.Notifications, which Foundation has on Apple platforms only.
  public final class Notifications: AsyncSequence, Sendable {
    /// A notification.
    public typealias Element = Notification
    /// The type of the errors of an iteration: none.
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

    /// One iteration.
    ///
    /// > Concurrency: Used by one task.
    public struct Iterator: AsyncIteratorProtocol {
      /// A notification.
      public typealias Element = Notification
      /// The type of the errors of an iteration: none.
      public typealias Failure = Never

      fileprivate var base: AsyncStream<NotificationDelivery>.Iterator

      /// The next notification; nil when the task was cancelled.
      ///
      /// - Returns: The next element; nil at the end of the sequence.
      public mutating func next() async -> Notification? { await next(isolation: nil) }

      /// The next notification, in the isolation of an actor; nil when the task was cancelled.
      ///
      /// - Returns: The next element; nil at the end of the sequence.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await base.next(isolation: actor)?.notification
      }
    }
  }
}

/// One notification on its way to the task that iterates.
// Invariant of the unchecked conformance: handed from the poster to one task; what it refers to follows the rule in the
// documentation of the sequence.
private struct NotificationDelivery: @unchecked Sendable {
  let notification: Notification
}

/// Where the notifications of a sequence come from.
// Invariant of the unchecked conformance: immutable; the object is only compared with posters, never used.
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

  /// Begins to observe; the observation ends when the stream is released.
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

  /// What the center gave for an observer.
  // Invariant of the unchecked conformance: only handed back to the center, which locks by itself.
  private struct Token: @unchecked Sendable {
    let observer: any NSObjectProtocol
  }
}
