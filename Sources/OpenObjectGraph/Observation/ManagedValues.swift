/// An asynchronous sequence of a property's current value and its value after each change.
///
/// The method ``NSFetchRequestResult/values(of:)`` returns this sequence:
///
/// ```swift
/// for await title in book.values(of: \.title) { label.text = title }
/// ```
///
/// Each iteration starts with the current value. A slow task receives only the newest value:
/// intermediate values may be dropped, but the last value is never dropped.
///
/// The sequence ends when its task is canceled, when a deletion of the object is saved, when the
/// context is reset or released, or when the object is deallocated. The sequence does not retain
/// the object. On Apple platforms, `publisher(for:).values` has the same purpose.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: The sequence may be iterated in any task. Use each iterator in one task only.
public struct ManagedValues<Element: Sendable>: AsyncSequence, Sendable {
  /// The error type; an iteration never throws.
  public typealias Failure = Never

  private let broadcast: Broadcast<Element>

  init(_ broadcast: Broadcast<Element>) { self.broadcast = broadcast }

  /// Begins an iteration with the current value.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(BroadcastSubscription(broadcast)) }

  /// An iterator over the values of a property.
  ///
  /// > Concurrency: Use an iterator in one task only.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// The error type; an iteration never throws.
    public typealias Failure = Never

    private let subscription: BroadcastSubscription<Element>

    fileprivate init(_ subscription: BroadcastSubscription<Element>) {
      self.subscription = subscription
    }

    /// Returns the next value.
    ///
    /// - Returns: The value; nil at the end of the sequence.
    public mutating func next() async -> Element? { await subscription.next() }
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Returns a sequence of a property's current value and its value after each change.
  ///
  /// The sequence reports the same changes as ``observe(_:options:changeHandler:)``. Values are
  /// sent from the context's queue to the iterating task, so their type must be `Sendable`. Instead
  /// of a relationship, observe the ids of its destinations.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter keyPath: The key path of a managed property. The key path may begin with to-one
  ///   relationships. If the property is not managed, the sequence contains only the current value,
  ///   and the next save of the object's context throws `ObjectError`.
  /// - Returns: A sequence that observes the property until the sequence and all its iterators are
  ///   released.
  /// > Concurrency: Call on the context's queue. The sequence may be iterated in any task.
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
