import CoreData
import SampleSupport

@ManagedObject
final class Author: NSManagedObject {
  @Managed var posts: Set<Post>
}

@ManagedObject
final class Post: NSManagedObject {
  @Managed var number: Int32
  @Managed var author: Author?
}

@MainActor let container = sampleContainer(
  sampleModel([
    "Author": [.many("posts", "Post", "author")],
    "Post": [.attribute("number", .integer32AttributeType), .one("author", "Author", "posts")],
  ]))

/// Contexts over ten stored authors that they have not read.
@MainActor let context = {
  let context = container.viewContext
  for _ in 0..<10 { Post(context: context).author = Author(context: context) }
  do { try context.save() } catch { preconditionFailure("The sample is not saved: \(error)") }
  return reader()
}()
@MainActor let other = reader()

@MainActor private func reader() -> NSManagedObjectContext {
  let reader = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  reader.persistentStoreCoordinator = container.persistentStoreCoordinator
  return reader
}

@MainActor func explained() throws {
  let request = NSFetchRequest<Post>(entityName: "Post")
  request.predicate = NSPredicate(format: "number > %d", 3)
  let text = "\(try context.explanation(of: request))"
  try expect(text.contains("SCAN") && text.contains("An index on ZPOST (ZNUMBER)"), text)
}

@MainActor func reported() throws {
  try expect(context.repeatedFaults.first?.count == 10)
}

@MainActor func prefetched() throws {
  try expect(other.repeatedFaults.isEmpty)
  try expect(other.statistics.faultReads <= 1, "\(other.statistics)")
}
