// swift-format-ignore-file
import CoreData

// What only a subclass of Apple's classes can do (D-418, D-419).

nonisolated final class PinnedContext: NSManagedObjectContext, @unchecked Sendable {
  override var queryGenerationToken: NSQueryGenerationToken? { nil }  // error: overrid
}

nonisolated func makeContext<Context: NSManagedObjectContext>(_ type: Context.Type) -> Context {
  Context(concurrencyType: .privateQueueConcurrencyType)  // error: must use a 'required' initializer
}
