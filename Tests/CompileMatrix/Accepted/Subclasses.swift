import CoreData

// Subclasses override with the types of the declarations.

final class LoggingContext: NSManagedObjectContext, @unchecked Sendable {
  override func perform(_ block: @escaping @Sendable () -> Void) {
    super.perform {
      print("begin")
      block()
    }
  }

  override func performAndWait(_ block: () -> Void) { super.performAndWait(block) }

  override func save() throws { try super.save() }
}

nonisolated final class LoggingContainer: NSPersistentContainer, @unchecked Sendable {
  override func performBackgroundTask(
    _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) {
    super.performBackgroundTask { block($0) }
  }
}
