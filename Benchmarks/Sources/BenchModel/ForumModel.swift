public import OpenBuiltInStores

/// Creates the model of the forum that the benchmarks use.
public enum ForumModel {
  /// Returns a new model of the forum.
  ///
  /// - Parameter isConstrained: Whether the attribute `postID` has a uniqueness constraint.
  public static func make(isConstrained: Bool) -> NSManagedObjectModel {
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
