// swift-format-ignore-file
import CoreData

@objc(Forum)
public class Forum: NSManagedObject {
    @NSManaged public var id: Int32
    @NSManaged public var title: String
    @NSManaged public var subtitle: String?
    @NSManaged public var lastRefresh: Date?
    @NSManaged public var isHidden: Bool
    @NSManaged public var index: Int32
    @NSManaged public var category: ForumCategory?
    @NSManaged public var threads: NSSet?
    @NSManaged public var metadata: ForumMetadata?
}

// MARK: - Generated accessors for threads
extension Forum {
    @objc(addThreadsObject:)
    @NSManaged public func addToThreads(_ value: Thread)
    
    @objc(removeThreadsObject:)
    @NSManaged public func removeFromThreads(_ value: Thread)
    
    @objc(addThreads:)
    @NSManaged public func addToThreads(_ values: NSSet)
    
    @objc(removeThreads:)
    @NSManaged public func removeFromThreads(_ values: NSSet)
}
