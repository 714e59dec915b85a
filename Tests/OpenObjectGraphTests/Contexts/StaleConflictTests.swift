import Foundation
import OpenCoreData
import Testing

/// Conflicts with rows for which the saving context has an older state.
@Suite("Conflicts with rows for which the context has an older state")
struct StaleConflictTests {
  private typealias Contexts = (one: NSManagedObjectContext, other: NSManagedObjectContext)

  /// Two contexts of one store of items with a unique code; neither merges the other's saves.
  private func items(
    _ type: String, _ policy: NSMergePolicy, constraints: [[String]] = [["code"]], url: URL? = nil
  ) throws -> Contexts {
    let model = CodedItems.model()
    model.entitiesByName["Item"]?.uniquenessConstraints = constraints
    let description = NSPersistentStoreDescription(type: type)
    if let url { description.url = url }
    try ServedStores.place(description, ofType: type)
    let container = try NSPersistentContainer.loaded("Items", model, [description])
    let one = container.newBackgroundContext()
    one.mergePolicy = policy
    return (one, container.newBackgroundContext())
  }

  @discardableResult
  private func item(
    _ code: String, _ text: String, in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
    item.setValue(code, forKey: "code")
    item.setValue(text, forKey: "text")
    return item
  }

  private func fetched(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  private func texts(in context: NSManagedObjectContext) throws -> [String?] {
    try fetched(in: context).map { $0.value(forKey: "text") as? String }
  }

  @Test(
    "an insertion takes over a row whose unique value another context has set since",
    arguments: StoreTypes.both + ServedStores.types)
  func staleHolder(type: String) throws {
    let (one, other) = try items(type, .mergeByPropertyObjectTrump)
    try one.performAndWait {
      item("old", "first", in: one)
      try one.save()
      let holder = try #require(try fetched(in: one).first)
      #expect(holder.value(forKey: "code") as? String == "old")
      try other.performAndWait {
        try fetched(in: other).first?.setValue("x", forKey: "code")
        try other.save()
      }
      item("x", "second", in: one)
      try one.save()
      #expect(holder.value(forKey: "code") as? String == "x")
      #expect(holder.value(forKey: "text") as? String == "second")
    }
    try other.performAndWait { () throws in
      other.reset()
      #expect(try texts(in: other) == ["second"])
    }
  }

  @Test(
    "the error policy names the row whose unique value another context has set since",
    arguments: StoreTypes.both + ServedStores.types)
  func reportedHolder(type: String) throws {
    let (one, other) = try items(type, .error)
    try one.performAndWait {
      item("old", "first", in: one)
      try one.save()
      let holder = try #require(try fetched(in: one).first)
      _ = holder.value(forKey: "code")
      try other.performAndWait {
        try fetched(in: other).first?.setValue("x", forKey: "code")
        try other.save()
      }
      let again = item("x", "second", in: one)
      let error = #expect(throws: CocoaError.self) { try one.save() }
      #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
      let conflicts =
        error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      #expect(conflicts?.first?.databaseObject === holder)
      #expect(conflicts?.first?.conflictingObjects == [again])
    }
  }

  @Test("a context that is pinned to an older state resolves a conflict with a newer row")
  func pinned() throws {
    try CodedItems.inFolder { folder in
      let (one, other) = try items(
        NSSQLiteStoreType, .mergeByPropertyObjectTrump,
        url: folder.appendingPathComponent("Items.sqlite"))
      try one.performAndWait {
        try one.setQueryGenerationFrom(.current)
        #expect(try fetched(in: one).isEmpty)
        try other.performAndWait {
          item("x", "first", in: other)
          try other.save()
        }
        #expect(try fetched(in: one).isEmpty)
        item("x", "second", in: one)
        try one.save()
        #expect(try texts(in: one) == ["second"])
      }
    }
  }

  @Test(
    "two saved objects exchange their values under two constraints in one save",
    arguments: StoreTypes.both + ServedStores.types)
  func exchange(type: String) throws {
    let (one, other) = try items(type, .error, constraints: [["code"], ["text"]])
    try one.performAndWait {
      let (first, second) = (item("a", "1", in: one), item("b", "2", in: one))
      try one.save()
      first.setValue("b", forKey: "code")
      first.setValue("2", forKey: "text")
      second.setValue("a", forKey: "code")
      second.setValue("1", forKey: "text")
      try one.save()
    }
    try other.performAndWait { () throws in
      #expect(try texts(in: other) == ["1", "2"])
    }
  }

  @Test(
    "the rollback policy undoes the deletion of a row that another context has changed",
    arguments: StoreTypes.both + ServedStores.types)
  func rolledBackDeletion(type: String) throws {
    let container = try ShelfModel.container(type)
    let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    one.mergePolicy = NSMergePolicy.rollback
    let requests = (
      book: NSFetchRequest<ShelfBook>(entityName: "ShelfBook"),
      author: NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
    )
    try one.performAndWait {
      let book = ShelfBook(context: one)
      book.title = "A"
      let author = ShelfAuthor(context: one)
      author.name = "Ada"
      book.author = author
      try one.save()
      try other.performAndWait {
        try other.fetch(requests.book).first?.title = "B"
        try other.save()
      }
      one.delete(book)
      try one.save()
      #expect(!one.hasChanges)
      #expect(!book.isDeleted)
      #expect(book.title == "B")
      #expect(author.books?.contains(book) == true)
    }
    try other.performAndWait { () throws in
      other.reset()
      #expect(try other.fetch(requests.book).map(\.title) == ["B"])
      #expect(try other.fetch(requests.book).first?.author?.name == "Ada")
    }
  }
}
