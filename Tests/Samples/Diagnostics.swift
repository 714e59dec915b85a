import CoreData
import SampleSupport

@ManagedObject
final class Author: NSManagedObject {
  @Managed var posts: Set<Post>
}

@ManagedObject
final class Post: NSManagedObject {
  @Managed var author: Author?
}

@MainActor let authors = NSFetchRequest<Author>(entityName: "Author")
/// A context over ten stored authors that it has not read.
@MainActor let context = {
  let container = sampleContainer(
    sampleModel([
      "Author": [.many("posts", "Post", "author")], "Post": [.one("author", "Author", "posts")],
    ]))
  let context = container.viewContext
  for _ in 0..<10 { Post(context: context).author = Author(context: context) }
  do { try context.save() } catch { preconditionFailure("The sample is not saved: \(error)") }
  NSManagedObjectContext.reportsRepeatedFaults = true
  let reader = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  reader.persistentStoreCoordinator = container.persistentStoreCoordinator
  return reader
}()

@MainActor func reported() throws {
  try expect(context.repeatedFaults.first?.count == 10, "\(context.repeatedFaults)")
}
