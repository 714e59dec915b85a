import CoreData
import Observation
import SampleSupport

@ManagedObject
final class Author: NSManagedObject {
  @Managed var name: String?
}

@ManagedObject
final class Book: NSManagedObject {
  @Managed var title: String?
  @Managed var author: Author?
  @Managed var tags: Set<NSManagedObject>
}

@MainActor let container = sampleContainer(
  sampleModel([
    "Author": [.attribute("name"), .many("books", "Book", "author")],
    "Book": [
      .attribute("title"), .one("author", "Author", "books"), .many("tags", "Tag", "books"),
    ],
    "Tag": [.many("books", "Book", "tags")],
  ]))
@MainActor let context = container.viewContext
@MainActor let book = Book(context: context)
@MainActor var observation: NSKeyValueObservation?
nonisolated(unsafe) var updates = 0

func scheduleUpdate() { updates += 1 }

@MainActor func observed() throws {
  book.title = "Emma"
  try expect(updates == 1)
}

@MainActor var token: NotificationCenter.ObservationToken?
@MainActor var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }
@MainActor var rows = 0

@MainActor func addRows(_ objects: Set<NSManagedObject>) { rows += objects.count }

@MainActor func posted() throws {
  try context.save()
  try expect(rows == 1)
}
