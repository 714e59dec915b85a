import CoreData
import Foundation

// The entities that the listings about contexts and data flow use, with the attributes of this library in place
// of `@objc(Name)` and `@NSManaged`.

@ManagedObject
public class ListedForum: NSManagedObject, Managed {
  @Managed public var forumID: String
  @Managed public var name: String?
  @Managed public var threads: Set<ListedThread>
}

@ManagedObject
public class ListedThread: NSManagedObject, Managed {
  @Managed public var threadID: String
  @Managed public var title: String?
  @Managed public var isSticky: Bool
  @Managed public var numberOfPosts: Int32
  @Managed public var seenPosts: Int32
  @Managed public var lastPostDate: Date?
  @Managed public var lastModifiedDate: Date
  @Managed public var forum: ListedForum?
  @Managed public var author: ListedUser?
  @Managed public var threadTag: ListedThreadTag?
  @Managed public var posts: Set<ListedPost>
}

@ManagedObject
public class ListedPost: NSManagedObject, Managed {
  @Managed public var postID: String
  @Managed public var innerHTML: String?
  @Managed public var postDate: Date?
  @Managed public var postIndex: Int32
  @Managed public var lastModifiedDate: Date
  @Managed public var author: ListedUser?
  @Managed public var thread: ListedThread?
}

@ManagedObject
public class ListedUser: NSManagedObject, Managed {
  @Managed public var userID: String
  @Managed public var username: String?
}

@ManagedObject
public class ListedThreadTag: NSManagedObject, Managed {
  @Managed public var threadTagID: String
}

// One program runs these tests and others, and models find classes by their names.
typealias Forum = ListedForum
typealias Thread = ListedThread
typealias Post = ListedPost
typealias User = ListedUser
typealias ThreadTag = ListedThreadTag

extension DataStore {
  static let model: NSManagedObjectModel = {
    let forum = entity("Forum", [("forumID", .stringAttributeType, "")])
    let thread = entity(
      "Thread",
      [
        ("threadID", .stringAttributeType, ""), ("isSticky", .booleanAttributeType, false),
        ("numberOfPosts", .integer32AttributeType, 0), ("seenPosts", .integer32AttributeType, 0),
        ("lastModifiedDate", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 0)),
      ])
    let post = entity(
      "Post",
      [
        ("postID", .stringAttributeType, ""), ("postIndex", .integer32AttributeType, 0),
        ("lastModifiedDate", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 0)),
      ])
    let user = entity("User", [("userID", .stringAttributeType, "")])
    let tag = entity("ThreadTag", [("threadTagID", .stringAttributeType, "")])
    add(to: forum, [("name", .stringAttributeType)])
    add(to: thread, [("title", .stringAttributeType), ("lastPostDate", .dateAttributeType)])
    add(to: post, [("innerHTML", .stringAttributeType), ("postDate", .dateAttributeType)])
    add(to: user, [("username", .stringAttributeType)])
    relate(thread, "forum", toOne: forum, inverse: "threads")
    relate(post, "thread", toOne: thread, inverse: "posts")
    relate(post, "author", toOne: user, inverse: "posts")
    relate(thread, "author", toOne: user, inverse: "threads")
    relate(thread, "threadTag", toOne: tag, inverse: "threads")
    let model = NSManagedObjectModel()
    model.entities = [forum, thread, post, user, tag]
    return model
  }()

  private static func entity(
    _ name: String, _ required: [(String, NSAttributeType, Any)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = "Listed" + name
    entity.properties = required.map { name, type, value in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = false
      attribute.defaultValue = value
      return attribute
    }
    return entity
  }

  private static func add(
    to entity: NSEntityDescription, _ attributes: [(String, NSAttributeType)]
  ) {
    entity.properties += attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
  }

  private static func relate(
    _ source: NSEntityDescription, _ name: String, toOne destination: NSEntityDescription,
    inverse: String
  ) {
    let toOne = NSRelationshipDescription()
    let toMany = NSRelationshipDescription()
    (toOne.name, toOne.destinationEntity, toOne.maxCount) = (name, destination, 1)
    (toMany.name, toMany.destinationEntity, toMany.maxCount) = (inverse, source, 0)
    (toOne.inverseRelationship, toMany.inverseRelationship) = (toMany, toOne)
    (toOne.isOptional, toMany.isOptional) = (true, true)
    (toOne.deleteRule, toMany.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
    source.properties.append(toOne)
    destination.properties.append(toMany)
  }
}
