internal import OpenObjectModel
internal import Synchronization

/// Weak references to contexts.
final class WeakContexts: Sendable {
  private let references = Mutex<[ObjectIdentifier: WeakReference<NSManagedObjectContext>]>([:])

  var all: [NSManagedObjectContext] { references.withLock { $0.values.compactMap(\.target) } }

  func insert(_ context: NSManagedObjectContext) {
    let weakReference = context.weakReference
    references.withLock { references in
      references = references.filter { $0.value.target != nil }
      references[ObjectIdentifier(weakReference)] = weakReference
    }
  }

  func remove(_ context: NSManagedObjectContext) {
    let weakReference = ObjectIdentifier(context.weakReference)
    references.withLock { $0[weakReference] = nil }
  }
}
