internal import Foundation

/// A change to a managed object, or several changes that a task receives as one.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct ManagedObjectChange: Sendable, Equatable {
  /// The object's id at the time of the change; temporary until the object is saved.
  public let objectID: NSManagedObjectID
  /// The names of the properties that changed; empty if only ``isDeleted`` changed.
  public let keys: Set<String>
  /// Whether the object is marked as deleted after the change.
  public let isDeleted: Bool

  /// Combines this change with a newer change, for a task that has not received this change.
  fileprivate func followed(by newer: ManagedObjectChange) -> ManagedObjectChange {
    ManagedObjectChange(
      objectID: newer.objectID, keys: keys.union(newer.keys), isDeleted: newer.isDeleted)
  }
}

/// An asynchronous sequence of the changes to one managed object.
///
/// The method ``NSManagedObjectContext/changes(of:)`` returns this sequence. A slow task receives
/// all missed changes as one change, with the names of all changed properties. In the same way, the
/// first iteration begins with one change that combines all changes since the sequence was created.
///
/// The sequence ends when its task is canceled or when the object leaves its context. The sequence
/// does not retain the object.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: The sequence may be iterated in any task. Use each iterator in one task only.
public struct ManagedObjectChanges: AsyncSequence, Sendable {
  /// The type of the elements: one change, or several combined changes.
  public typealias Element = ManagedObjectChange
  /// The error type; an iteration never throws.
  public typealias Failure = Never

  private let broadcast: Broadcast<ManagedObjectChange>

  init(_ broadcast: Broadcast<ManagedObjectChange>) { self.broadcast = broadcast }

  /// Begins an iteration over the changes.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(BroadcastSubscription(broadcast)) }

  /// An iterator over the changes to an object.
  ///
  /// > Concurrency: Use an iterator in one task only.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// The error type; an iteration never throws.
    public typealias Failure = Never

    private let subscription: BroadcastSubscription<ManagedObjectChange>

    fileprivate init(_ subscription: BroadcastSubscription<ManagedObjectChange>) {
      self.subscription = subscription
    }

    /// Returns the next change.
    ///
    /// - Returns: The change; nil at the end of the sequence.
    public mutating func next() async -> ManagedObjectChange? { await subscription.next() }
  }
}

extension NSManagedObjectContext {
  /// Returns a sequence that reports changes to an object's properties, and the object's deletion.
  ///
  /// The sequence reports the same property changes as `observe(_:options:changeHandler:)`. After a
  /// merge, a refresh or a rollback, the sequence also reports the loaded to-many relationships
  /// that have changed.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter object: An object of this context. If the object belongs to another context or to
  ///   no context, the sequence ends at once, and the next save of this context throws
  ///   `ObjectError`.
  /// - Returns: A sequence that observes the object until the sequence and all its iterators are
  ///   released.
  /// > Concurrency: Call on the context's queue. The sequence may be iterated in any task.
  public final func changes(of object: NSManagedObject) -> ManagedObjectChanges {
    let broadcast = Broadcast<ManagedObjectChange> { $0.followed(by: $1) }
    guard object.registry === registry, object.registration != .detached else {
      deferredErrors.note("A context can report changes only to its own objects.", of: object)
      broadcast.finish()
      return ManagedObjectChanges(broadcast)
    }
    var wasDeleted = object.registration == .deleted
    let observer = PropertyObserver(
      nil,
      didChange: { [weak broadcast] change, object in
        let isDeleted = object.registration == .deleted
        defer { wasDeleted = isDeleted }
        let name = change.key.name(in: object)
        guard name != nil || isDeleted != wasDeleted else { return }
        broadcast?.offer(
          ManagedObjectChange(
            objectID: object.currentID, keys: Set(name.map { [$0] } ?? []), isDeleted: isDeleted))
      },
      didEnd: { [weak broadcast] in broadcast?.finish() })
    broadcast.keep(object.addObserver(observer))
    return ManagedObjectChanges(broadcast)
  }
}
