import CoreData
import SampleSupport

@ManagedObject
final class Book: NSManagedObject {
  @Managed var title: String?
}

@ManagedObject
final class Forum: NSManagedObject {
  @Managed var id: Int32
}

@ManagedObject
final class Author: NSManagedObject {
  @Managed var name: String?
}

@ManagedObject
final class Thread: NSManagedObject {
  @Managed var isHidden: Bool
  @Managed var forum: Forum?
  @Managed var author: Author?
  @Managed var created: Date?
  @Managed var edited: Date?
  @Managed var posts: Set<Post>
}

@ManagedObject
final class Post: NSManagedObject {
  @Managed var title: String
  @Managed var text: String?
  @Managed var date: Date
  @Managed var isHidden: Bool
  @Managed var number: Int32
  @Managed var author: Author?
  @Managed var comments: Set<NSManagedObject>

  @nonobjc class func fetchRequest() -> NSFetchRequest<Post> { NSFetchRequest(entityName: "Post") }
}

@MainActor let container = sampleContainer(
  sampleModel([
    "Book": [.attribute("title")],
    "Forum": [.attribute("id", .integer32AttributeType), .many("threads", "Thread", "forum")],
    "Author": [
      .attribute("name"), .many("threads", "Thread", "author"), .many("posts", "Post", "author"),
    ],
    "Thread": [
      .attribute("isHidden", .booleanAttributeType), .attribute("created", .dateAttributeType),
      .attribute("edited", .dateAttributeType), .one("forum", "Forum", "threads"),
      .one("author", "Author", "threads"), .many("posts", "Post", "thread"),
    ],
    "Post": [
      .attribute("title"), .attribute("text"), .attribute("date", .dateAttributeType),
      .attribute("isHidden", .booleanAttributeType), .attribute("number", .integer32AttributeType),
      .one("author", "Author", "posts"), .one("thread", "Thread", "posts"),
      .many("comments", "Comment", "post"),
    ],
    "Comment": [.one("post", "Post", "comments")],
  ]))
@MainActor let context = container.viewContext
@MainActor var request: NSFetchRequest<Post> { Post.fetchRequest() }
