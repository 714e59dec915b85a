import Foundation
import OpenCoreData
import Testing

@Suite("Opposite changes of a many-to-many relationship that was not read")
struct OppositeEditTests {
  private let container: NSPersistentContainer

  init() throws {
    container = NSPersistentContainer(name: "Posts", managedObjectModel: Self.makeModel())
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  private static func makeModel() -> NSManagedObjectModel {
    let (post, tag, page) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (post.name, tag.name, page.name) = ("Post", "Tag", "Page")
    let (tags, posts, cover) = (
      NSRelationshipDescription(), NSRelationshipDescription(), NSRelationshipDescription()
    )
    (tags.name, tags.destinationEntity, tags.inverseRelationship) = ("tags", tag, posts)
    (posts.name, posts.destinationEntity, posts.inverseRelationship) = ("posts", post, tags)
    (cover.name, cover.destinationEntity, cover.maxCount) = ("cover", page, 1)
    post.properties = [tags, cover]
    tag.properties = [posts]
    let model = NSManagedObjectModel()
    model.entities = [post, tag, page]
    return model
  }

  private func insert(_ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: name, into: context)
  }

  /// Returns the number of tags of the post, and of posts of the tag, in a new context.
  private func counts(_ post: NSManagedObjectID, _ tag: NSManagedObjectID) throws -> [Int] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      [
        try context.existingObject(with: post).mutableSetValue(forKey: "tags").count,
        try context.existingObject(with: tag).mutableSetValue(forKey: "posts").count,
      ]
    }
  }

  /// A post and a tag in the store, and their identifiers.
  private func stored(areRelated: Bool) throws -> (NSManagedObjectID, NSManagedObjectID) {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let (post, tag) = (insert("Post", context), insert("Tag", context))
      if areRelated { post.mutableSetValue(forKey: "tags").add(tag) }
      try context.save()
      return (post.objectID, tag.objectID)
    }
  }

  @Test("the last of two opposite changes of one member is saved", arguments: [true, false])
  func lastChange(_ areRelated: Bool) throws {
    for endsWithAddition in [true, false] {
      let (postID, tagID) = try stored(areRelated: areRelated)
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let (post, tag) = (context.object(with: postID), context.object(with: tagID))
        func change(_ isAddition: Bool) {
          if isAddition {
            post.__addMember(tag, "tags")
          } else {
            post.__removeMember(tag, "tags")
          }
        }
        change(!endsWithAddition)
        change(endsWithAddition)
        try context.save()
      }
      #expect(
        try counts(postID, tagID) == (endsWithAddition ? [1, 1] : [0, 0]),
        "related: \(areRelated), added last: \(endsWithAddition)")
    }
  }

  @Test("a member that is removed and added to a new object is a member")
  func newObject() throws {
    let context = container.newBackgroundContext()
    let (postID, tagID) = try context.performAndWait {
      let (post, tag) = (insert("Post", context), insert("Tag", context))
      post.__removeMember(tag, "tags")
      post.__addMember(tag, "tags")
      #expect(post.mutableSetValue(forKey: "tags").count == 1)
      try context.save()
      return (post.objectID, tag.objectID)
    }
    #expect(try counts(postID, tagID) == [1, 1])
  }

  @Test("setPrimitiveValue with an object of another entity makes the save throw")
  func primitiveValue() throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let (post, tag) = (insert("Post", context), insert("Tag", context))
      try context.save()
      post.setPrimitiveValue(tag, forKey: "cover")
      post.didChangeValue(forKey: "cover")
      #expect(throws: (any Error).self) { try context.save() }
      #expect(post.value(forKey: "cover") == nil)
      try context.save()
    }
  }
}
