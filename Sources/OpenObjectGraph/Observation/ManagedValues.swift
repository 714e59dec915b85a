/// The values of a property of one managed object, now and after each change, as an asynchronous sequence.
///
/// Made by ``NSFetchRequestResult/values(of:)``:
///
/// ```swift
/// for await title in book.values(of: \.title) { label.text = title }
/// ```
///
/// Each iteration begins with the present value. A task that is slow gets the newest value: those between are left out, the
/// last one never is. The sequence ends when its task is cancelled, and when the object leaves its context: after a deletion was
/// saved, when the context is reset or released, or when nothing keeps the object any more. It does not keep the object alive.
///
/// > Concurrency: May be handed to any task and iterated there; each iteration by one task.
/// > Reference: Addition; stands for `publisher(for:).values` on Apple platforms.
public struct ManagedValues<Element: Sendable>: AsyncSequence, Sendable {
  /// An iteration throws nothing.
  public typealias Failure = Never

  private let broadcast: Broadcast<Element>

  init(_ broadcast: Broadcast<Element>) { self.broadcast = broadcast }

  /// Begins an iteration, with the present value.
  public func makeAsyncIterator() -> Iterator { Iterator(BroadcastSubscription(broadcast)) }

  /// One iteration.
  ///
  /// > Concurrency: Used by one task.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// An iteration throws nothing.
    public typealias Failure = Never

    private let subscription: BroadcastSubscription<Element>

    fileprivate init(_ subscription: BroadcastSubscription<Element>) {
      self.subscription = subscription
    }

    /// The next value; nil at the end of the sequence.
    public mutating func next() async -> Element? { await subscription.next() }
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// The values of a property, now and after each change.
  ///
  /// What counts as a change is as with ``observe(_:options:changeHandler:)``. Values cross from the context's queue to the
  /// iterating task, so that their type is `Sendable`: observe the ids of related objects instead of the objects.
  ///
  /// - Parameter keyPath: A managed property, or one at the end of to-one relationships. Anything else gives its present value
  ///   only, and the next save throws.
  /// - Returns: A sequence of the values, which observes the property as long as it, or an iteration of it, is kept.
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
