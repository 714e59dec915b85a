// swift-format-ignore-file
import CoreData

// A block of a queue does not run on the actor of the function that forms it.

@MainActor
final class NoteTitles {
  let container: NSPersistentContainer
  var titles: [String] = []

  init(container: NSPersistentContainer) { self.container = container }

  func later() {
    container.newBackgroundContext().perform {
      self.titles = []  // warning: main actor-isolated property 'titles' can not be mutated from a Sendable closure
    }
  }

  func inTask() {
    container.performBackgroundTask { _ in
      self.titles = []  // warning: main actor-isolated property 'titles' can not be mutated from a Sendable closure
    }
  }

  func awaited() async {
    await container.newBackgroundContext().perform {
      self.titles = []  // warning: main actor-isolated property 'titles' can not be mutated from a Sendable closure
    }
  }

  func awaitedTask() async {
    await container.performBackgroundTask { _ in
      self.titles = []  // warning: main actor-isolated property 'titles' can not be mutated from a Sendable closure
    }
  }

  func called() async {
    await container.performBackgroundTask { _ in
      self.update()  // warning: call to main actor-isolated instance method 'update()' in a synchronous nonisolated context
    }
  }

  func inCoordinator() {
    container.persistentStoreCoordinator.perform {
      self.titles = []  // warning: main actor-isolated property 'titles' can not be mutated from a Sendable closure
    }
  }

  func inBatches() async throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    try await container.viewContext.forEachBatch(of: request) { notes in
      self.titles += notes.map(\.title)  // warning: main actor-isolated property 'titles' can not be mutated from a Sendable closure
    }
  }

  private func update() {}
}

actor NoteCounter {
  let container: NSPersistentContainer
  private var count = 0

  init(container: NSPersistentContainer) { self.container = container }

  func add() async {
    await container.performBackgroundTask { _ in
      self.count += 1  // warning: actor-isolated property 'count' can not be mutated from a Sendable closure
    }
  }

  func addLater() {
    container.performBackgroundTask { _ in
      self.count += 1  // warning: actor-isolated property 'count' can not be mutated from a Sendable closure
    }
  }
}
