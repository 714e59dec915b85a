internal import Synchronization

/// Contexts that are to be told of something, as long as they live.
final class WeakContexts: Sendable {
  // Invariant of the unchecked conformance: only ever turned into work on the context's own queue.
  private struct WeakContext: @unchecked Sendable {
    weak var context: NSManagedObjectContext?
  }

  private let contexts = Mutex<[ObjectIdentifier: WeakContext]>([:])

  var all: [NSManagedObjectContext] {
    contexts.withLock { $0.values.compactMap(\.context) }
  }

  func insert(_ context: NSManagedObjectContext) {
    contexts.withLock { contexts in
      contexts = contexts.filter { $0.value.context != nil }
      contexts[ObjectIdentifier(context)] = WeakContext(context: context)
    }
  }

  func remove(_ context: NSManagedObjectContext) {
    contexts.withLock { contexts in
      contexts = contexts.filter { $0.value.context != nil }
      contexts[ObjectIdentifier(context)] = nil
    }
  }
}
