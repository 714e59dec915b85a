import Foundation
import OpenCoreData
import OpenManagedMacros
import OpenTestSupport

@ManagedObject
final class TypedUser: NSManagedObject {
  @Managed var name: String?
  @Managed var posts: NSSet?
}

@ManagedObject
final class TypedForum: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<TypedForum> {
    NSFetchRequest(entityName: "TypedForum")
  }

  @Managed var number: Int64
  @Managed var title: String
  @Managed var posts: Set<TypedPost>
}

@ManagedObject
final class TypedPost: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<TypedPost> { NSFetchRequest(entityName: "TypedPost") }

  @Managed var isHidden: Bool
  @Managed var number: Int32
  @Managed var score: Int?
  @Managed var title: String
  @Managed var text: String?
  @Managed var date: Date?
  @Managed var edited: Date?
  @Managed var author: TypedUser?
  @Managed var forum: TypedForum?

  /// Not managed, and without managed components.
  var excitement: Int { 3 }
}

/// Forums, posts and users in a store, with every statement recorded.
final class TypedStack {
  let recorder = StatementRecorder()
  let container: NSPersistentContainer
  let context: NSManagedObjectContext
  private let folder: URL

  /// - Parameter types: The types of the stores; the rows are in the first.
  init(_ types: String...) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stores = (types.isEmpty ? [NSSQLiteStoreType] : types)
      .enumerated().map { [folder, recorder] index, type in
        let description = NSPersistentStoreDescription(
          url: folder.appendingPathComponent("\(index).store"))
        description.type = type
        description.setOption(recorder.observer, forKey: OpenStatementObserverOption)
        return description
      }
    container = try .loaded("Typed", Self.makeModel(), stores)
    context = container.newBackgroundContext()
    try context.performAndWait { try seed() }
  }

  deinit {
    // If the folder cannot be removed, the system deletes it later.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Three forums of four posts; every second post is hidden, every third has no author.
  private func seed() throws {
    let users = ["Ann", "Bob"].map { name in
      let user = TypedUser(context: context)
      user.name = name
      return user
    }
    for number in 0..<12 {
      if number % 4 == 0 {
        let forum = TypedForum(context: context)
        forum.number = Int64(number / 4)
        forum.title = "Forum \(number / 4)"
        forums.append(forum)
      }
      let post = TypedPost(context: context)
      post.isHidden = number % 2 == 1
      post.number = Int32(number)
      post.score = number % 4 == 0 ? nil : number * 10
      post.title = "Title \(number)"
      post.text = number % 5 == 0 ? nil : "Straße \(number)"
      post.date = Date(timeIntervalSinceReferenceDate: Double(number))
      post.edited = Date(
        timeIntervalSinceReferenceDate: Double(number % 3 == 0 ? number : number + 1))
      post.author = number % 3 == 0 ? nil : users[number % 2]
      post.forum = forums.last
    }
    try context.save()
  }

  private(set) var forums: [TypedForum] = []

  /// The numbers of the posts that a request finds, in order.
  func numbers(_ request: NSFetchRequest<TypedPost>) throws -> [Int32] {
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request).map(\.number)
  }

  private static func makeModel() -> NSManagedObjectModel {
    let user = entity("TypedUser", [attribute("name", .string)])
    let forum = entity(
      "TypedForum", [attribute("number", .integer64), attribute("title", .string)])
    let post = entity(
      "TypedPost",
      [
        attribute("isHidden", .boolean), attribute("number", .integer32),
        attribute("score", .integer64), attribute("title", .string), attribute("text", .string),
        attribute("date", .date), attribute("edited", .date),
      ])
    relate(post, "author", user, "posts")
    relate(post, "forum", forum, "posts")
    let model = NSManagedObjectModel()
    model.entities = [user, forum, post]
    return model
  }

  private static func relate(
    _ many: NSEntityDescription, _ name: String, _ one: NSEntityDescription, _ inverse: String
  ) {
    let toOne = NSRelationshipDescription()
    toOne.name = name
    toOne.maxCount = 1
    toOne.destinationEntity = one
    let toMany = NSRelationshipDescription()
    toMany.name = inverse
    toMany.destinationEntity = many
    toOne.inverseRelationship = toMany
    toMany.inverseRelationship = toOne
    many.properties += [toOne]
    one.properties += [toMany]
  }

  private static func entity(
    _ name: String, _ properties: [NSPropertyDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = properties
    return entity
  }
}
