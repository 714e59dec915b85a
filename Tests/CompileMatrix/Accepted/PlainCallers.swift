import CoreData

nonisolated func titles(in context: NSManagedObjectContext) async throws -> [String] {
  try await context.perform {
    try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.title)
  }
}

nonisolated func first(in context: NSManagedObjectContext) async throws -> Note? {
  try await context.perform { try context.fetch(NSFetchRequest<Note>(entityName: "Note")).first }
}

nonisolated func deleteAll(
  _ context: NSManagedObjectContext, then completion: @escaping @Sendable () -> Void
) {
  context.perform {
    for object in context.registeredObjects { context.delete(object) }
    completion()
  }
}

nonisolated func rename(_ note: Note, in context: NSManagedObjectContext) {
  context.performAndWait { note.title = "Renamed" }
}

nonisolated func pass(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) -> Int {
  var entities = 0
  context.performAndWait { entities = model.entities.count }
  return entities
}

// Blocks that are values, functions and rethrowing wrappers.

nonisolated func forward(
  _ context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void
) {
  context.perform(block)
}

nonisolated func rethrowing<T>(
  _ context: NSManagedObjectContext, _ body: () throws -> T
) rethrows -> T { try context.performAndWait(body) }

nonisolated func retrying<T: Sendable>(
  _ container: NSPersistentContainer,
  _ body: @escaping @Sendable (NSManagedObjectContext) throws -> T
) async throws -> T { try await container.performBackgroundTask(body) }
