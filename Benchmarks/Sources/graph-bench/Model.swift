import CoreData

// The classes of the forum that all runners of the benchmark use.

@ManagedObject
final class Forum: NSManagedObject {
  @Managed var forumID: String?
  @Managed var name: String?
  @Managed var index: Int32
}

@ManagedObject
final class Thread: NSManagedObject {
  @Managed var threadID: String?
  @Managed var title: String?
  @Managed var closed: Bool
  @Managed var sticky: Bool
  @Managed var totalReplies: Int32
  @Managed var rating: Float
  @Managed var lastPostDate: Date?
  @Managed var forum: Forum?
  @Managed var author: User?
}

@ManagedObject
final class User: NSManagedObject {
  @Managed var userID: String?
  @Managed var username: String?
}

@ManagedObject
final class Post: NSManagedObject {
  @Managed var postID: String?
  @Managed var title: String?
  @Managed var innerHTML: String?
  @Managed var editable: Bool
  @Managed var ignored: Bool
  @Managed var threadIndex: Int32
  @Managed var score: Double
  @Managed var postDate: Date?
  @Managed var thread: Thread?
  @Managed var author: User?
}
