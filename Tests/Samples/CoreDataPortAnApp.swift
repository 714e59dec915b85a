import CoreData
import SampleSupport

/// A context over a stored thread with a post.
@MainActor let context = {
  let context = sampleContainer(
    sampleModel([
      "Thread": [.attribute("threadID"), .attribute("title"), .many("posts", "Post", "thread")],
      "Post": [.attribute("text"), .one("thread", "Thread", "posts")],
    ])
  ).viewContext
  let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
  let thread = NSEntityDescription.insertNewObject(forEntityName: "Thread", into: context)
  thread.setValue("By the sea", forKey: "title")
  post.setValue(thread, forKey: "thread")
  do { try context.save() } catch { preconditionFailure("The sample is not saved: \(error)") }
  return context
}()

@MainActor func found() throws {
  let threads = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thread"))
  try expect(threads.allSatisfy { ($0 as? ForumThread)?.posts.count == 1 })
}
