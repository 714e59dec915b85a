import CoreData
import OpenPersistenceKit
import SampleSupport

@ManagedObject
final class ForumThread: NSManagedObject {
  @Managed var seenPosts: Int32
  @Managed var totalReplies: Int32
}

@ManagedObject
final class User: NSManagedObject {
  @Managed var userID: String
  @Managed var username: String?
}

@ManagedObject
final class Song: NSManagedObject {
  @Managed var trackID: Int64
}

struct Page: Sendable {
  struct Post {
    let authorID: String
    let authorName: String
  }
  let posts = [Post(authorID: "1", authorName: "Ann"), Post(authorID: "2", authorName: "Bob")]
}

struct Track {
  let trackID: Int64
}

let page = Page()
let list = [Track(trackID: 1)]
let idsOnScreen: [NSManagedObjectID] = []

func importPage(_ page: Page, into context: NSManagedObjectContext) throws {}

@MainActor let model = sampleModel([
  "ForumThread": [
    .attribute("seenPosts", .integer32AttributeType),
    .attribute("totalReplies", .integer32AttributeType),
  ],
  "User": [.attribute("userID"), .attribute("username")],
  "Song": [.attribute("trackID", .integer64AttributeType)],
  "Track": [.attribute("album")],
  "Thread": [
    .attribute("lastRefresh", .dateAttributeType), .attribute("bookmarked", .booleanAttributeType),
  ],
])
/// A store that no program has open.
@MainActor let url = {
  let url = sampleFolder.appendingPathComponent("Closed.sqlite")
  do {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: url))
  } catch { preconditionFailure("The store is not made: \(error)") }
  return url
}()
@MainActor let controller = {
  let file = sampleFolder.appendingPathComponent("Kit.sqlite")
  do { return try PersistenceController(name: "Kit", model: model, storage: .file(file)) } catch {
    preconditionFailure("The stack does not open: \(error)")
  }
}()
@MainActor let context = controller.viewContext

@MainActor func upserted() throws {
  let request = NSFetchRequest<User>(entityName: "User")
  try expect(Set(try context.fetch(request).compactMap(\.username)) == ["Ann", "Bob"])
}
