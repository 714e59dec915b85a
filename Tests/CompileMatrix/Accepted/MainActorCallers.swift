import CoreData

@MainActor
final class NoteList {
  let container: NSPersistentContainer
  var titles: [String] = []
  var selection: Note?

  init(container: NSPersistentContainer) { self.container = container }

  // Closures can capture values, ids, containers and contexts.

  func add(_ title: String) {
    container.performBackgroundTask { context in
      let note = Note(context: context)
      note.title = title
      do { try context.save() } catch { print(error) }
    }
  }

  func addInContext(_ title: String) {
    let context = container.newBackgroundContext()
    context.perform {
      Note(context: context).title = title
      try? context.save()
    }
  }

  func rename(_ id: NSManagedObjectID, to title: String) async throws {
    let count = try await container.performBackgroundTask { context in
      let note = try context.existingObject(with: id) as? Note
      note?.title = title
      try context.save()
      return 1
    }
    titles.append("\(count)")
  }

  func load() async throws {
    let context = container.newBackgroundContext()
    let summaries = try await context.perform {
      try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map {
        Summary(id: $0.objectID, title: $0.title)
      }
    }
    titles = summaries.map(\.title)
  }

  func loadLater() async {
    let context = container.viewContext
    let count = await context.perform(schedule: .enqueued) { context.registeredObjects.count }
    titles.append("\(count)")
  }

  // A block gets back to the main actor by a task or by the main queue.

  func refresh() {
    container.performBackgroundTask { context in
      let count = (try? context.count(for: NSFetchRequest<Note>(entityName: "Note"))) ?? 0
      Task { @MainActor in self.titles.append("\(count)") }
    }
  }

  func refreshInQueue() {
    container.performBackgroundTask { _ in
      DispatchQueue.main.async { self.titles = [] }
    }
  }

  // The caller of performAndWait waits, so its block can use the caller's values.

  func wait() throws {
    var found = 0
    let context = container.viewContext
    context.performAndWait {
      selection?.title = "Selected"
      titles.append("Waited")
      found += 1
    }
    let notes = try context.performAndWait {
      try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    }
    selection = notes.first
  }

  // The main context's objects are used on its queue.

  func select() throws {
    selection = try container.viewContext.fetch(NSFetchRequest<Note>(entityName: "Note")).first
    selection?.title = "Selected"
    try container.viewContext.save()
  }
}

@MainActor
func enumerate(_ context: NSManagedObjectContext) async throws {
  let request = NSFetchRequest<Note>(entityName: "Note")
  for try await title in context.results(of: request, { $0.title }) { print(title) }
}
