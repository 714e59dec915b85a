import CoreData

actor NoteImporter {
  let container: NSPersistentContainer
  private var imported = 0

  init(container: NSPersistentContainer) { self.container = container }

  func add(_ titles: [String]) async throws {
    let count = try await container.performBackgroundTask { context in
      for title in titles { Note(context: context).title = title }
      try context.save()
      return titles.count
    }
    imported += count
  }

  func count() async throws -> Int {
    let context = container.newBackgroundContext()
    return try await context.perform {
      try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
    }
  }

  func start(_ ids: [NSManagedObjectID]) {
    container.performBackgroundTask { context in
      for id in ids { context.delete(context.object(with: id)) }
      try? context.save()
    }
  }

  func wait() {
    container.newBackgroundContext().performAndWait { imported += 1 }
  }

  func printStores() {
    let coordinator = container.persistentStoreCoordinator
    coordinator.perform { print(coordinator.persistentStores.count) }
  }

  func countStores() async {
    let coordinator = container.persistentStoreCoordinator
    let stores = await coordinator.perform { coordinator.persistentStores.count }
    imported += stores
    coordinator.performAndWait { imported += 1 }
  }
}
