/// The values of a property of one managed object, now and after each change, as an asynchronous sequence.
///
/// Created by ``NSFetchRequestResult/values(of:)``:
///
/// ```swift
/// for await title in book.values(of: \.title) { label.text = title }
/// ```
///
/// Each iteration starts with the current value. A slow task receives the newest value: intermediate values are
/// dropped, but never the last one. The sequence ends when its task is cancelled, and when the object leaves its
/// context: after a deletion was saved, or when the context is reset or released, or when the object is deallocated.
/// It does not retain the object.
///
/// > Concurrency: May be sent to and iterated in any task; only one task may use an iterator.
/// > Reference: Addition; corresponds to `publisher(for:).values` on Apple platforms.
public struct ManagedValues<Element: Sendable>: AsyncSequence, Sendable {
  /// The type of the errors of an iteration: none.
  public typealias Failure = Never

  private let broadcast: Broadcast<Element>

  init(_ broadcast: Broadcast<Element>) { self.broadcast = broadcast }

  /// Begins an iteration with the current value.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(BroadcastSubscription(broadcast)) }

  /// One iteration.
  ///
  /// > Concurrency: Used by one task.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// The type of the errors of an iteration: none.
    public typealias Failure = Never

    private let subscription: BroadcastSubscription<Element>

    fileprivate init(_ subscription: BroadcastSubscription<Element>) {
      self.subscription = subscription
    }

    /// The next value; nil at the end of the sequence.
    ///
    /// - Returns: The next element; nil at the end of the sequence.
    public mutating func next() async -> Element? { await subscription.next() }
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// The values of a property, now and after each change.
  ///
  /// The changes are the same as those that ``observe(_:options:changeHandler:)`` reports. Values are sent from the context's queue to the
  /// iterating task, so their type must be `Sendable`: observe the ids of related objects instead of the objects.
  ///
  /// - Parameter keyPath: A managed property, or one at the end of to-one relationships. For any other key path, the
  ///   sequence has only the current value, and the next save throws.
  /// - Returns: A sequence of the values, which observes the property until the sequence and all its iterators are released.
  /// > Concurrency: On the context's queue. The sequence may be iterated anywhere.
  /// > Reference: Addition.
  public func values<Value: Sendable>(of keyPath: KeyPath<Self, Value>) -> ManagedValues<Value> {
    let broadcast = Broadcast(self[keyPath: keyPath])
    let subscription = KeyPathSubscription(
      to: keyPath, of: self,
      didChange: { [weak self, weak broadcast] _ in
        if let self { broadcast?.offer(self[keyPath: keyPath]) }
      },
      didEnd: { [weak broadcast] in broadcast?.finish() })
    if let subscription { broadcast.keep(subscription) } else { broadcast.finish() }
    return ManagedValues(broadcast)
  }
}
