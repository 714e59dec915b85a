internal import Foundation

/// The changes of a managed object.
///
/// > Reference: Addition.
public struct ManagedObjectChange: Sendable, Equatable {
  /// The object's id when it changed; temporary until the object was saved.
  public let objectID: NSManagedObjectID
  /// The names of the properties that changed; empty if only the object's state changed.
  public let keys: Set<String>
  /// Whether the object is deleted.
  public let isDeleted: Bool

  /// The combined change, if the task has not received the first one.
  fileprivate func followed(by newer: ManagedObjectChange) -> ManagedObjectChange {
    ManagedObjectChange(
      objectID: newer.objectID, keys: keys.union(newer.keys), isDeleted: newer.isDeleted)
  }
}

/// The changes of one managed object, as an asynchronous sequence.
///
/// Returned by ``NSManagedObjectContext/changes(of:)``. A slow task receives the missed changes as one, with the
/// names of all changed properties; the first iteration likewise receives the changes before it started. The sequence
/// ends when its task is cancelled, and when the object leaves its context. It does not retain the object.
///
/// > Concurrency: May be sent to and iterated in any task; only one task may use an iterator.
/// > Reference: Addition.
public struct ManagedObjectChanges: AsyncSequence, Sendable {
  /// What changed.
  public typealias Element = ManagedObjectChange
  /// The type of the errors of an iteration: none.
  public typealias Failure = Never

  private let broadcast: Broadcast<ManagedObjectChange>

  init(_ broadcast: Broadcast<ManagedObjectChange>) { self.broadcast = broadcast }

  /// Begins an iteration, with the next change.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(BroadcastSubscription(broadcast)) }

  /// One iteration.
  ///
  /// > Concurrency: Used by one task.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// The type of the errors of an iteration: none.
    public typealias Failure = Never

    private let subscription: BroadcastSubscription<ManagedObjectChange>

    fileprivate init(_ subscription: BroadcastSubscription<ManagedObjectChange>) {
      self.subscription = subscription
    }

    /// The next change; nil at the end of the sequence.
    ///
    /// - Returns: The next element; nil at the end of the sequence.
    public mutating func next() async -> ManagedObjectChange? { await subscription.next() }
  }
}

extension NSManagedObjectContext {
  /// The changes of an object's properties, and its deletion.
  ///
  /// The sequence reports the same changes of properties as `observe(_:options:changeHandler:)`. Merges, refreshes and
  /// rollbacks report the loaded to-many relationships that changed.
  ///
  /// - Parameter object: An object of this context. If the object belongs to another context, the sequence is empty, and the
  ///   next save throws.
  /// - Returns: A sequence of the changes, which observes the object until the sequence and all its iterators are released.
  /// > Concurrency: On the context's queue. The sequence may be iterated anywhere.
  /// > Reference: Addition.
  public final func changes(of object: NSManagedObject) -> ManagedObjectChanges {
    let broadcast = Broadcast<ManagedObjectChange> { $0.followed(by: $1) }
    guard object.registry === registry, object.registration != .detached else {
      noteMisuse("A context reports changes only of its own objects.", of: object)
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
            objectID: object.objectID, keys: Set(name.map { [$0] } ?? []), isDeleted: isDeleted))
      },
      didEnd: { [weak broadcast] in broadcast?.finish() })
    broadcast.keep(object.addObserver(observer))
    return ManagedObjectChanges(broadcast)
  }
}
