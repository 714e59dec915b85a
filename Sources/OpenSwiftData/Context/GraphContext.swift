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

  private let container: RemoteChanges
  /// A closure to call if there are changes to merge; `nil` for a context that checks for changes
  /// only at the next use.
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ type: NSManagedObjectContextConcurrencyType, _ container: RemoteChanges) {
    self.container = container
    super.init(concurrencyType: type)
  }

  func attach(to owner: ModelContext) { self.owner = owner }

  /// Merges the saves of other contexts and of other stacks.
  @inline(__always)
  func takeOverChanges() {
    container.handOut()
    runWaitingWork()
  }

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
      perform { [weak self] in self?.container.handOut() }
    } else {
      wake.withLock { $0 }?()
    }
  }
}
