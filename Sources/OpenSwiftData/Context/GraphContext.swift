internal import Foundation
internal import OpenObjectGraph
internal import Synchronization

/// The managed object context of a model context.
///
/// > Concurrency: Confined to the actor or task that uses the model context.
// Invariant of the unchecked conformance: the owner is set once, before the context is used; the
// rest is confined to the context.
final class GraphContext: NSManagedObjectContext, @unchecked Sendable {
  /// The model context, which owns this context.
  private(set) weak var owner: ModelContext?
  /// The caller's request, for custom stores; `nil` if the request comes from the object graph
  /// itself.
  var question: CallerQuestion?
  /// Objects whose values a custom store changed during a save.
  var reregistered: [NSManagedObjectID] = []
  /// The objects that the running save merged into other objects with the same unique values.
  private var merges: [(object: __ModelObject, survivor: __ModelObject, isHandedOver: Bool)] = []
  /// The identities of the objects in `merges`.
  private var merged: Set<ObjectIdentifier> = []

  let remoteChanges: RemoteChanges
  /// A closure to call if there are changes to merge; `nil` for a context that checks for changes
  /// only at the next use.
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ type: NSManagedObjectContextConcurrencyType, _ remoteChanges: RemoteChanges) {
    self.remoteChanges = remoteChanges
    super.init(concurrencyType: type)
    mayOverrideFetches = false
    if type == .mainQueueConcurrencyType { allowEarlyWork() }
  }

  func attach(to owner: ModelContext) { self.owner = owner }

  /// Merges the saves of other contexts and of other stacks.
  @inline(__always)
  func takeOverChanges() {
    remoteChanges.handOut()
    runWaitingWork()
  }

  /// Returns the current id of an unsaved object whose identifier was decoded, or was read before
  /// the object was inserted.
  ///
  /// - Returns: The id; `nil` if the identifier is permanent, or if no unsaved object has it.
  func unsavedID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
    switch identifier.form {
    case .object(let id): id.isTemporaryID ? registeredObject(for: id)?.objectID : nil
    case .named(store: nil, entity: _, key: _):
      unsavedObjects.inserted.lazy.map(\.objectID).first { PersistentIdentifier($0) == identifier }
    case .named: nil
    }
  }

  // MARK: Merged objects

  /// Notes that a save merged an object into another object, which may take over the model.
  func noteMerge(of object: __ModelObject, into survivor: __ModelObject) {
    guard merged.insert(ObjectIdentifier(object)).inserted else { return }
    merges.append((object, survivor, object.handModel(to: survivor)))
  }

  /// Gives the merged objects the identifiers of the saved objects that survived.
  ///
  /// - Parameter isSaved: A closure that returns whether a surviving object was saved. Merges into
  ///   other objects do not end.
  /// - Returns: The surviving objects that were saved.
  func endMerges(_ isSaved: (NSManagedObject) -> Bool) -> [NSManagedObject] {
    let ended = merges.filter { isSaved($0.survivor) }
    merges.removeAll { isSaved($0.survivor) }
    for (object, _, _) in ended { merged.remove(ObjectIdentifier(object)) }
    // A survivor may have been merged later, so the last merge comes first.
    for (object, survivor, _) in ended.reversed() where !survivor.objectID.isTemporaryID {
      DetachedObject.give(object, identifierOf: survivor)
    }
    return ended.map { $0.survivor }
  }

  /// Gives the models back to the merged objects, which belong to no context, after a rollback.
  func undoMerges() {
    for (object, survivor, isHandedOver) in merges.reversed() where isHandedOver {
      object.takeModel(from: survivor)
    }
    merges.removeAll()
    merged.removeAll()
  }

  // MARK: Changes of other writers

  func setWake(_ wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

  /// The name of the notification that the context posts after changes by other writers that are
  /// not known.
  static let didMissChanges = Notification.Name("OpenSwiftDataContextDidMissChanges")

  /// Reads all objects again, after changes by other writers that are not known.
  func rereadAll() {
    rereadAllObjects()
    NotificationCenter.default.post(name: Self.didMissChanges, object: self)
  }

  /// Schedules the merge of another stack's save.
  ///
  /// > Concurrency: Any thread.
  func wakeForChanges() {
    if concurrencyType == .mainQueueConcurrencyType {
      perform { [weak self] in self?.remoteChanges.handOut() }
    } else {
      wake.withLock { $0 }?()
    }
  }
}
