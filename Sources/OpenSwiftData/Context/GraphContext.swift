internal import Foundation
internal import OpenObjectGraph
internal import Synchronization

/// The managed object context of a model context.
///
/// > Concurrency: As the model context.
// Invariant of the unchecked conformance: the owner is set once, before the context is used; the rest is confined to the context.
final class GraphContext: NSManagedObjectContext, @unchecked Sendable {
  /// The model context, which owns this one.
  private(set) weak var owner: ModelContext?
  /// The caller's request, for custom stores; nil when the object graph itself makes the request.
  var question: CallerQuestion?
  /// Objects whose values custom stores have changed as they wrote them.
  var reregistered: [NSManagedObjectID] = []

  private let container: RemoteChanges
  /// Notifies the context's user of changes to merge; nil for a context whose user detects them itself.
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ type: NSManagedObjectContextConcurrencyType, _ container: RemoteChanges) {
    self.container = container
    super.init(concurrencyType: type)
  }

  func attach(to owner: ModelContext) { self.owner = owner }

  /// Takes over what other contexts and other stacks have saved.
  @inline(__always)
  func takeOverChanges() {
    container.handOut()
    runWaitingWork()
  }

  func setWake(_ wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

  /// Called on any thread when another stack has saved.
  func wakeForChanges() {
    if concurrencyType == .mainQueueConcurrencyType {
      perform { [weak self] in self?.container.handOut() }
    } else {
      wake.withLock { $0 }?()
    }
  }
}
