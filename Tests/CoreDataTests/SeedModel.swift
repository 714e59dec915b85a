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

/// The model document of these entities, as Xcode would write it.
enum SeedModel {
  static func make() throws -> NSManagedObjectModel {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("AwfulModel-\(UUID().uuidString).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(document.utf8).write(to: folder.appendingPathComponent("contents"))
    return try NSManagedObjectModel.reading(folder)
  }

  static let document = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Attachment" representedClassName="Attachment">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="post" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Post" inverseName="attachments" inverseEntity="Post"/>
      </entity>
      <entity name="Forum" representedClassName="Forum">
        <attribute name="id" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
        <attribute name="title" attributeType="String" defaultValueString=""/>
        <attribute name="subtitle" optional="YES" attributeType="String"/>
        <attribute name="lastRefresh" optional="YES" attributeType="Date"/>
        <attribute name="isHidden" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="index" attributeType="Integer 32" defaultValueString="0"/>
        <relationship name="category" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="ForumCategory" inverseName="forums" inverseEntity="ForumCategory"/>
        <relationship name="threads" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Thread" inverseName="forum" inverseEntity="Thread"/>
        <relationship name="metadata" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="ForumMetadata" inverseName="forum" inverseEntity="ForumMetadata"/>
      </entity>
      <entity name="ForumCategory" representedClassName="ForumCategory">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="forums" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Forum" inverseName="category" inverseEntity="Forum"/>
      </entity>
      <entity name="ForumMetadata" representedClassName="ForumMetadata">
        <attribute name="isFavorite" attributeType="Boolean" defaultValueString="NO"/>
        <relationship name="forum" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Forum" inverseName="metadata" inverseEntity="Forum"/>
      </entity>
      <entity name="Post" representedClassName="Post">
        <attribute name="id" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="content" attributeType="String" defaultValueString=""/>
        <attribute name="innerHTML" optional="YES" attributeType="String"/>
        <attribute name="author" optional="YES" attributeType="String"/>
        <attribute name="authorID" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="postDate" optional="YES" attributeType="Date"/>
        <attribute name="editDate" optional="YES" attributeType="Date"/>
        <attribute name="index" attributeType="Integer 32" defaultValueString="0"/>
        <relationship name="thread" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thread" inverseName="posts" inverseEntity="Thread"/>
        <relationship name="attachments" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Attachment" inverseName="post" inverseEntity="Attachment"/>
      </entity>
      <entity name="Thread" representedClassName="Thread">
        <attribute name="id" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="title" attributeType="String" defaultValueString=""/>
        <attribute name="author" optional="YES" attributeType="String"/>
        <attribute name="authorID" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="lastPostDate" optional="YES" attributeType="Date"/>
        <attribute name="postCount" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="lastReadPostIndex" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="hasUnreadPosts" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="isSticky" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="isAnnouncement" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="isLocked" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="isHidden" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="rating" attributeType="Double" defaultValueString="0.0"/>
        <attribute name="lastRefresh" optional="YES" attributeType="Date"/>
        <relationship name="forum" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Forum" inverseName="threads" inverseEntity="Forum"/>
        <relationship name="posts" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Post" inverseName="thread" inverseEntity="Post"/>
        <relationship name="metadata" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="ThreadMetadata" inverseName="thread" inverseEntity="ThreadMetadata"/>
      </entity>
      <entity name="ThreadMetadata" representedClassName="ThreadMetadata">
        <attribute name="note" optional="YES" attributeType="String"/>
        <relationship name="thread" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thread" inverseName="metadata" inverseEntity="Thread"/>
      </entity>
    </model>
    """
}
