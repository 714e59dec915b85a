import CoreData
import SampleSupport

@ManagedObject
final class Post: NSManagedObject {
  @Managed var day: String?
  @Managed var number: Int32
  @Managed var thread: NSManagedObject?
}

final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}

@MainActor let container = sampleContainer(
  sampleModel([
    "Post": [
      .attribute("day"), .attribute("number", .integer32AttributeType),
      .one("thread", "Thread", "posts"),
    ],
    "Thread": [.many("posts", "Post", "thread")],
  ]))
@MainActor let context = container.viewContext
@MainActor let thread = NSEntityDescription.insertNewObject(forEntityName: "Thread", into: context)
@MainActor let delegate = Delegate()
