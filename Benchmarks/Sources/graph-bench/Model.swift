import CoreData

// The forum that every runner of the harness works on, as managed objects.

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

/// The model in code.
enum ForumModel {
  /// The model.
  ///
  /// - Parameter isConstrained: Whether ids of posts are unique by a constraint.
  static func make(isConstrained: Bool) -> NSManagedObjectModel {
    let forum = entity("Forum")
    let post = entity("Post")
    let thread = entity("Thread")
    let user = entity("User")
    forum.properties =
      [
        attribute("canPost", .booleanAttributeType), attribute("index", .integer32AttributeType),
        attribute("lastRefresh", .dateAttributeType), attribute("forumID", .stringAttributeType),
        attribute("name", .stringAttributeType),
      ]
    post.properties =
      [
        attribute("editable", .booleanAttributeType), attribute("ignored", .booleanAttributeType),
        attribute("threadIndex", .integer32AttributeType),
        attribute("postDate", .dateAttributeType), attribute("score", .doubleAttributeType),
        attribute("innerHTML", .stringAttributeType), attribute("postID", .stringAttributeType),
        attribute("title", .stringAttributeType),
      ]
    thread.properties =
      [
        attribute("closed", .booleanAttributeType), attribute("sticky", .booleanAttributeType),
        attribute("totalReplies", .integer32AttributeType),
        attribute("lastPostDate", .dateAttributeType), attribute("rating", .floatAttributeType),
        attribute("threadID", .stringAttributeType), attribute("title", .stringAttributeType),
      ]
    user.properties =
      [
        attribute("administrator", .booleanAttributeType), attribute("regdate", .dateAttributeType),
        attribute("userID", .stringAttributeType), attribute("username", .stringAttributeType),
      ]
    if isConstrained { post.uniquenessConstraints = [["postID"]] }
    join(forum, "parentForum", forum, "childForums")
    join(post, "thread", thread, "posts")
    join(post, "author", user, "posts")
    join(thread, "author", user, "threads")
    join(thread, "forum", forum, "threads")
    let model = NSManagedObjectModel()
    model.entities = [forum, post, thread, user]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    return attribute
  }

  private static func join(
    _ source: NSEntityDescription, _ toOne: String, _ destination: NSEntityDescription,
    _ toMany: String
  ) {
    let forward = NSRelationshipDescription()
    forward.name = toOne
    forward.maxCount = 1
    forward.destinationEntity = destination
    let backward = NSRelationshipDescription()
    backward.name = toMany
    backward.maxCount = 0
    backward.destinationEntity = source
    forward.inverseRelationship = backward
    backward.inverseRelationship = forward
    source.properties = source.properties + [forward]
    destination.properties = destination.properties + [backward]
  }
}
