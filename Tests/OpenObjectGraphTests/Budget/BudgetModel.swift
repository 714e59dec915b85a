import Foundation
import OpenCoreData
import OpenManagedMacros
import OpenTestSupport

@ManagedObject
final class BudgetUser: NSManagedObject {
  @Managed var name: String?
  @Managed var country: String?
  @Managed var posts: NSSet?
}

@ManagedObject
final class BudgetPost: NSManagedObject {
  @Managed var number: Int32
  @Managed var text: String?
  @Managed var author: BudgetUser?
}

/// Posts with authors in an SQLite store in a file, with every statement recorded.
final class BudgetStack {
  let recorder = StatementRecorder()
  let container: NSPersistentContainer
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("b.sqlite"))
    description.setOption(recorder.observer, forKey: OpenStatementObserverOption)
    container = try .loaded("Budget", Self.makeModel(), [description])
  }

  deinit {
    // If the folder cannot be removed, the system deletes it later.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Posts and their authors.
  static func makeModel() -> NSManagedObjectModel {
    let country = attribute("country", .string)
    country.isOptional = false
    country.defaultValue = "at"
    let user = entity("BudgetUser", [attribute("name", .string), country])
    let post = entity("BudgetPost", [attribute("number", .integer32), attribute("text", .string)])
    let author = NSRelationshipDescription()
    author.name = "author"
    author.maxCount = 1
    author.destinationEntity = user
    let posts = NSRelationshipDescription()
    posts.name = "posts"
    posts.destinationEntity = post
    author.inverseRelationship = posts
    posts.inverseRelationship = author
    post.properties += [author]
    user.properties += [posts]
    let model = NSManagedObjectModel()
    model.entities = [user, post]
    return model
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

  /// A context for work on any thread.
  func makeContext() -> NSManagedObjectContext { container.newBackgroundContext() }

  /// Saves posts, each author having written `share` of them.
  func seed(posts: Int, share: Int) throws {
    let context = makeContext()
    try context.performAndWait {
      // The first author has no posts.
      var author = BudgetUser(context: context)
      for number in 0..<posts {
        if number % share == 0 {
          author = BudgetUser(context: context)
          author.name = "Author \(number / share)"
        }
        let post = BudgetPost(context: context)
        post.number = Int32(number)
        post.text = "Text \(number)"
        post.author = author
      }
      try context.save()
    }
  }

  /// A request for the authors of posts, in order.
  static func authors() -> NSFetchRequest<BudgetUser> {
    let request = NSFetchRequest<BudgetUser>(entityName: "BudgetUser")
    request.predicate = NSPredicate(format: "name != nil")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  /// A request for posts in order.
  static func request(limit: Int = 0) -> NSFetchRequest<BudgetPost> {
    let request = NSFetchRequest<BudgetPost>(entityName: "BudgetPost")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.fetchLimit = limit
    return request
  }
}
