// swift-format-ignore-file
import CoreData

@objc(Thread)
public class Thread: NSManagedObject {
    @NSManaged public var id: Int32
    @NSManaged public var title: String
    @NSManaged public var author: String?
    @NSManaged public var authorID: Int32
    @NSManaged public var lastPostDate: Date?
    @NSManaged public var postCount: Int32
    @NSManaged public var lastReadPostIndex: Int32
    @NSManaged public var hasUnreadPosts: Bool
    @NSManaged public var isSticky: Bool
    @NSManaged public var isAnnouncement: Bool
    @NSManaged public var isLocked: Bool
    @NSManaged public var rating: Double
    @NSManaged public var lastRefresh: Date?
    @NSManaged public var forum: Forum?
    @NSManaged public var posts: NSSet?
    @NSManaged public var metadata: ThreadMetadata?
}
