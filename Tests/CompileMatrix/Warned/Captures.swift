// swift-format-ignore-file
import CoreData

// Closures can capture non-Sendable objects and values, with a warning of the compiler.

nonisolated func rename(_ note: Note, _ context: NSManagedObjectContext) {
  context.perform {
    note.title = ""  // warning: capture of 'note' with non-Sendable type 'Note'
  }
}

nonisolated func renameNow(_ note: Note, _ context: NSManagedObjectContext) async {
  await context.perform {
    note.title = ""  // warning: capture of 'note' with non-Sendable type 'Note'
  }
}

nonisolated func add(_ rows: [[String: Any]], to container: NSPersistentContainer) async throws {
  try await container.performBackgroundTask { context in
    for row in rows {  // warning [6]: capture of 'rows' with non-Sendable type '[[String : Any]]'
      Note(context: context).title = row["title"] as? String ?? ""
    }
    try context.save()
  }
}

nonisolated func save(_ container: NSPersistentContainer, then completion: @escaping () -> Void) {
  container.performBackgroundTask { context in
    try? context.save()
    completion()  // warning [6]: capture of 'completion' with non-Sendable type '() -> Void'
  }
}

nonisolated func find(_ request: NSFetchRequest<Note>, _ context: NSManagedObjectContext)
  async throws
{
  _ = try await context.perform {
    try context.fetch(request).count  // warning: capture of 'request' with non-Sendable type 'NSFetchRequest<Note>'
  }
}

nonisolated func describe(
  _ model: NSManagedObjectModel, _ entity: NSEntityDescription,
  _ store: NSPersistentStoreDescription,
  _ context: NSManagedObjectContext
) {
  context.perform {
    print(model.entities)  // warning: capture of 'model' with non-Sendable type 'NSManagedObjectModel'
    print(entity.properties)  // warning: capture of 'entity' with non-Sendable type 'NSEntityDescription'
    print(store.type)  // warning: capture of 'store' with non-Sendable type 'NSPersistentStoreDescription'
  }
}

nonisolated func count(_ context: NSManagedObjectContext) {
  var count = 0
  context.perform {
    count += 1  // warning [6]: mutation of captured var 'count' in concurrently-executing code
  }
}

nonisolated final class NoteStore {
  let container: NSPersistentContainer
  var saves = 0

  init(container: NSPersistentContainer) { self.container = container }

  func save() {
    container.performBackgroundTask { context in
      try? context.save()
      self.saves += 1  // warning: capture of 'self' with non-Sendable type 'NoteStore'
    }
  }
}

// Overrides and wrappers with the types of older sources.

final class OlderContext: NSManagedObjectContext, @unchecked Sendable {
  override func perform(_ block: @escaping () -> Void) {
    super.perform(block)  // warning [6]: passing non-Sendable parameter 'block' to function expecting a '@Sendable' closure
  }
}

nonisolated final class OlderContainer: NSPersistentContainer, @unchecked Sendable {
  override func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    super.performBackgroundTask(block)  // warning: passing non-Sendable parameter 'block' to function expecting a '@Sendable' closure
  }
}

extension NSManagedObjectContext {
  func performSaving(_ body: @escaping (NSManagedObjectContext) throws -> Void) {
    perform {
      try? body(self)  // warning [6]: capture of 'body' with non-Sendable type
      try? self.save()
    }
  }
}

class CountingContext: NSManagedObjectContext {  // warning: class 'CountingContext' must restate inherited '@unchecked Sendable' conformance
  var saves = 0
}

/// Restating the conformance does not make objects Sendable.
final class SharedNote: NSManagedObject, @unchecked Sendable {}  // warning: conformance of 'SharedNote' to protocol 'Sendable' is already unavailable
