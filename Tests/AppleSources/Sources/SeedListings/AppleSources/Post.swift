// swift-format-ignore-file
import CoreData

@objc(Post)
public class Post: NSManagedObject {
    @NSManaged public var id: Int32
    @NSManaged public var content: String
    @NSManaged public var innerHTML: String?
    @NSManaged public var author: String?
    @NSManaged public var authorID: Int32
    @NSManaged public var postDate: Date?
    @NSManaged public var editDate: Date?
    @NSManaged public var index: Int32
    @NSManaged public var thread: Thread?
    @NSManaged public var attachments: NSSet?
}
