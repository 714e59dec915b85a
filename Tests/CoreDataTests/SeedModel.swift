import CoreData

// The entities of a forum reader as an app for Apple systems declares them, with the attributes of this
// library in place of `@objc(Name)` and `@NSManaged`.

@ManagedObject
public class Forum: NSManagedObject {
  @Managed public var id: Int32
  @Managed public var title: String
  @Managed public var subtitle: String?
  @Managed public var lastRefresh: Date?
  @Managed public var isHidden: Bool
  @Managed public var index: Int32
  @Managed public var category: ForumCategory?
  @Managed public var threads: NSSet?
  @Managed public var metadata: ForumMetadata?
}

// MARK: - Generated accessors for threads
extension Forum {
  @ManagedAccessor public func addToThreads(_ value: Thread)
  @ManagedAccessor public func removeFromThreads(_ value: Thread)
  @ManagedAccessor public func addToThreads(_ values: NSSet)
  @ManagedAccessor public func removeFromThreads(_ values: NSSet)
}

@ManagedObject
public class Thread: NSManagedObject {
  @Managed public var id: Int32
  @Managed public var title: String
  @Managed public var author: String?
  @Managed public var authorID: Int32
  @Managed public var lastPostDate: Date?
  @Managed public var postCount: Int32
  @Managed public var lastReadPostIndex: Int32
  @Managed public var hasUnreadPosts: Bool
  @Managed public var isSticky: Bool
  @Managed public var isAnnouncement: Bool
  @Managed public var isLocked: Bool
  @Managed public var isHidden: Bool
  @Managed public var rating: Double
  @Managed public var lastRefresh: Date?
  @Managed public var forum: Forum?
  @Managed public var posts: NSSet?
  @Managed public var metadata: ThreadMetadata?
}

extension Thread {
  @ManagedAccessor public func addToPosts(_ value: Post)
  @ManagedAccessor public func removeFromPosts(_ value: Post)
  @ManagedAccessor public func addToPosts(_ values: NSSet)
  @ManagedAccessor public func removeFromPosts(_ values: NSSet)
}

@ManagedObject
public class Post: NSManagedObject {
  @Managed public var id: Int32
  @Managed public var content: String
  @Managed public var innerHTML: String?
  @Managed public var author: String?
  @Managed public var authorID: Int32
  @Managed public var postDate: Date?
  @Managed public var editDate: Date?
  @Managed public var index: Int32
  @Managed public var thread: Thread?
  @Managed public var attachments: NSSet?
}

@ManagedObject
public class ForumCategory: NSManagedObject {
  @Managed public var name: String?
  @Managed public var forums: NSSet?
}

@ManagedObject
public class ForumMetadata: NSManagedObject {
  @Managed public var isFavorite: Bool
  @Managed public var forum: Forum?
}

@ManagedObject
public class ThreadMetadata: NSManagedObject {
  @Managed public var note: String?
  @Managed public var thread: Thread?
}

@ManagedObject
public class Attachment: NSManagedObject {
  @Managed public var name: String?
  @Managed public var post: Post?
}
