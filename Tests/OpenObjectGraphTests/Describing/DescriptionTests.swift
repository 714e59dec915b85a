import Foundation
import OpenCoreData
import OpenManagedMacros
import OpenStoreContract
import OpenTestSupport
import Testing

/// The output of `print` and `dump` for objects, which reads nothing from the store.
@Suite("Descriptions of objects") struct DescriptionTests {
  private static func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  /// The text without addresses and the store's identifier.
  private static func plain(_ text: String) -> String {
    text.replacing(/0x[0-9a-f]+/, with: "0x…").replacing(
      /x-coredata:\/\/[0-9A-F-]+/, with: "x-coredata://…")
  }

  @Test("describing a fault shows its entity and id, does not fire it, and costs no statement")
  func fault() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 3, share: 1)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "BudgetPost")
      request.resultType = .managedObjectIDResultType
      let id = try #require(try context.fetch(request).first)
      let (text, statements) = stack.recorder.recording {
        let post = context.object(with: id)
        let text = Self.plain(post.description) + Self.dumped(post)
        #expect(post.isFault)
        return text
      }
      #expect(statements.isEmpty, "\(statements)")
      #expect(
        text.hasPrefix(
          "<BudgetPost: 0x…> (entity: BudgetPost; id: <x-coredata://…/BudgetPost/p1>; data: <fault>)"
        ))
      #expect(text.contains("data: \"<fault>\""))
    }
  }

  @Test("an object shows its values, and relationships that are not loaded as faults")
  func values() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1, share: 1)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<BudgetPost>(entityName: "BudgetPost")
      let post = try #require(try context.fetch(request).first)
      _ = post.text
      let (texts, statements) = stack.recorder.recording { (post.description, Self.dumped(post)) }
      #expect(statements.isEmpty, "\(statements)")
      let text = Self.plain(texts.0)
      #expect(text.contains("number = 0;"), "\(text)")
      #expect(text.contains("author = <relationship fault: author>;"), "\(text)")
      #expect(texts.1.contains("number: 0"), "\(texts.1)")
      #expect(!texts.1.contains("registry"), "\(texts.1)")
      let author = try #require(post.author)
      #expect(Self.plain(author.description).contains("data: <fault>"))
      _ = author.name
      #expect(
        Self.plain(post.description).contains("author = \(Self.plain("\(author.objectID)"));"))
      #expect(Self.plain(author.description).contains("posts = <relationship fault: posts>;"))
      #expect(author.posts?.count == 1)
      #expect(Self.plain(author.description).contains("posts = (<x-coredata://…/BudgetPost/p1>);"))
    }
  }

  @Test("the description shows the object's state: inserted, updated, deleted, in no context")
  func states() throws {
    let stack = try BudgetStack()
    let context = stack.makeContext()
    try context.performAndWait {
      let user = BudgetUser(context: context)
      user.name = "A \"quoted\" name,\nwith \(String(repeating: "x", count: 500))"
      #expect(user.description.contains("; inserted; data: {"))
      #expect(user.description.contains(#"name = "A \"quoted\" name,\nwith xxx"#))
      #expect(user.description.count < 500)
      try context.save()
      user.name = nil
      #expect(user.description.contains("; updated; data: {"))
      #expect(user.description.contains("name = nil;"))
      context.delete(user)
      #expect(user.description.contains("; deleted"))
      try context.save()
      #expect(user.description.contains("no context"))
    }
    let entity = try #require(stack.container.managedObjectModel.entitiesByName["BudgetUser"])
    let free = BudgetUser(entity: entity, insertInto: nil)
    #expect(free.description.contains("(entity: BudgetUser; no context; data: {"))
  }

  @Test("off its context's queue, an object shows only its entity")
  func otherQueue() throws {
    let stack = try BudgetStack()
    let context = stack.makeContext()
    let user = context.performAndWait { UncheckedBox(BudgetUser(context: context)) }
    #expect(
      Self.plain(user.value.description)
        == "<BudgetUser: 0x…> (entity: BudgetUser; data: <used outside the queue of its context>)")
  }

  /// Passes an object to another thread, which the test does on purpose.
  private struct UncheckedBox: @unchecked Sendable {
    let value: BudgetUser
    init(_ value: BudgetUser) { self.value = value }
  }

  @Test(
    "a date beyond the calendar's range is shown as a number", arguments: [1e300, -.infinity, .nan])
  func hostileDates(_ seconds: Double) throws {
    let entity = NSEntityDescription()
    entity.name = "Moment"
    let when = NSAttributeDescription()
    (when.name, when.type) = ("when", .date)
    entity.properties = [when]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    context.performAndWait {
      let moment = NSManagedObject(entity: entity, insertInto: context)
      moment.setValue(Date(timeIntervalSinceReferenceDate: seconds), forKey: "when")
      #expect(moment.description.contains("when = Date(timeIntervalSinceReferenceDate: "))
      #expect(Self.dumped(moment).contains("when: \"Date("))
    }
  }

  @Test("requests, contexts, stores and containers show their distinguishing properties")
  func others() throws {
    let stack = try BudgetStack()
    let container = stack.container
    let request = NSFetchRequest<BudgetPost>(entityName: "BudgetPost")
    request.predicate = NSPredicate(format: "number < %d", 3)
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
    request.fetchLimit = 5
    #expect(
      Self.plain(request.description)
        == "<NSFetchRequest<BudgetPost>: 0x…> (entity: BudgetPost; predicate: number < 3; "
        + "sortDescriptors: (text descending); fetchLimit: 5)")
    container.viewContext.name = "main"
    #expect(
      Self.plain(container.viewContext.description)
        == "<NSManagedObjectContext: 0x…> (name: \"main\"; queue: main)")
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.description.contains("type: SQLite; url: "))
    #expect(container.description.contains("name: \"Budget\"; stores: ("))
    #expect(
      Self.plain(container.managedObjectModel.description)
        == "<NSManagedObjectModel: 0x…> (entities: (BudgetPost, BudgetUser))")
    let update = NSBatchUpdateRequest(entityName: "BudgetPost")
    update.propertiesToUpdate = ["text": "x", "number": 1]
    #expect(
      Self.plain(update.description)
        == "<NSBatchUpdateRequest: 0x…> (entity: BudgetPost; propertiesToUpdate: (number, text))")
    #expect(
      Self.plain(NSBatchInsertRequest(entityName: "BudgetPost", objects: [[:], [:]]).description)
        == "<NSBatchInsertRequest: 0x…> (entity: BudgetPost; rows: 2 dictionaries)")
    #expect(
      Self.plain(NSBatchDeleteRequest(fetchRequest: request).description).contains("number < 3"))
    let author = try #require(
      container.managedObjectModel.entitiesByName["BudgetPost"]?.relationshipsByName["author"])
    #expect(
      Self.plain(author.description)
        == "<NSRelationshipDescription: 0x…> (name: author; kind: to-one relationship to BudgetUser; optional: true)"
    )
  }

  @Test(
    "a password in a URL is not shown",
    arguments: [
      "reader:s3cret@db.example/library", "reader@db.example/library?password=s3cret&schema=a",
      "db.example/library?schema=a&sslpassword=s3cret", "db.example/library?pass%77ord=s3cret",
    ])
  func password(_ place: String) throws {
    let url = try #require(URL(string: "postgresql://" + place))
    let text = NSPersistentStoreDescription(url: url).description
    #expect(!text.contains("s3cret"))
    #expect(text.contains("db.example"))
  }

  @Test("errors print their message, and no (null)")
  func errors() throws {
    let stack = try BudgetStack()
    let context = stack.makeContext()
    let error = try #require(
      context.performAndWait { () -> (any Error)? in
        let user = BudgetUser(context: context)
        user.setValue(nil, forKey: "country")
        do {
          try context.save()
          return nil
        } catch {
          return error
        }
      })
    #expect(!"\(error)".contains("(null)"))
    #expect("\(error)".contains(error.localizedDescription))
    let sentences: [any Error] = [
      ModelVersionMismatch(storeEntities: ["A"], modelEntities: []),
      DuplicateValues(entityName: "A", properties: ["b"], values: [["secret"]]),
      StoreInUse(holders: [StoreInUse.Holder(processID: 1, programName: "x", operation: "y")]),
    ]
    for error in sentences {
      #expect(error.localizedDescription == "\(error)")
      #expect(!"\(error)".contains("secret"))
    }
  }
}
