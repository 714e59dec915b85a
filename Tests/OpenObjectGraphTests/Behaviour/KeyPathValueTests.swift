import Foundation
import OpenCoreData
import Testing

/// Apple, value(forKey:) and value(forKeyPath:): the state of objects, and values behind to-many
/// relationships.
@Suite("Values at key paths")
struct KeyPathValueTests {
  private let container: NSPersistentContainer

  init() throws { container = try ShelfModel.container(NSSQLiteStoreType) }

  /// Runs work with an author of three books; one of the books has neither a title nor pages.
  private func run(_ work: (NSManagedObjectContext, ShelfAuthor) throws -> Void) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      let author = ShelfAuthor(context: context)
      author.name = "Austen"
      let contents: [(title: String?, pages: Int?)] = [("Emma", 10), ("Emma", 20), (nil, nil)]
      for (title, pages) in contents {
        let book = ShelfBook(context: context)
        book.title = title
        book.setValue(pages, forKey: "pages")
        book.author = author
      }
      try work(context, author)
    }
  }

  private func holds(_ format: String, _ object: Any) -> Bool {
    NSPredicate(format: format).evaluate(with: object)
  }

  @Test("an object has keys for its state, its entity and its id")
  func state() throws {
    try run { context, author in
      #expect(author.value(forKey: "isInserted") as? Bool == true)
      #expect(author.value(forKey: "inserted") as? Bool == true)
      #expect(author.value(forKeyPath: "objectID.isTemporaryID") as? Bool == true)
      try context.save()
      #expect(author.value(forKey: "hasChanges") as? Bool == false)
      author.name = "Eliot"
      #expect(author.value(forKey: "isUpdated") as? Bool == true)
      #expect(author.value(forKey: "hasPersistentChangedValues") as? Bool == true)
      #expect(author.value(forKeyPath: "changedValues.name") as? String == "Eliot")
      let owner = author.value(forKey: "managedObjectContext") as? NSManagedObjectContext
      #expect(owner === context)
      #expect(author.value(forKeyPath: "entity.name") as? String == "ShelfAuthor")
      #expect(author.value(forKeyPath: "entity.managedObjectClassName") as? String == "ShelfAuthor")
      #expect(author.value(forKeyPath: "objectID.isTemporaryID") as? Bool == false)
      #expect(author.value(forKeyPath: "objectID.entity.name") as? String == "ShelfAuthor")
      #expect(author.value(forKey: "description") as? String == author.description)
      context.refresh(author, mergeChanges: false)
      #expect(author.value(forKey: "isFault") as? Bool == true)
      #expect(author.value(forKey: "fault") as? Bool == true && author.isFault)
    }
  }

  @Test("predicates filter collections by the state of the objects, but fetches throw")
  func filtering() throws {
    try run { context, author in
      try context.save()
      let books = try #require(author.books)
      let deleted = try #require(books.anyObject() as? ShelfBook)
      context.delete(deleted)
      #expect(books.filtered(using: NSPredicate(format: "isDeleted == NO")).count == 2)
      #expect(books.filtered(using: NSPredicate(format: "deleted == YES")).count == 1)
      #expect(holds("isDeleted == YES AND entity.name == 'ShelfBook'", deleted))
      for format in ["isDeleted == NO", "entity.name == 'ShelfBook'"] {
        let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
        request.predicate = NSPredicate(format: format)
        #expect(throws: (any Error).self, "\(format)") { _ = try context.fetch(request) }
      }
    }
  }

  @Test("a property of the model takes precedence over a key of the object's state")
  func precedence() throws {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Entry", "NSManagedObject")
    entity.properties = [attribute("updated", .date)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let store = NSPersistentStoreDescription(type: NSInMemoryStoreType)
    let context = try NSPersistentContainer.loaded("Entries", model, [store]).newBackgroundContext()
    context.performAndWait {
      let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      #expect(entry.value(forKey: "updated") == nil)
      let date = Date(timeIntervalSinceReferenceDate: 1)
      entry.setValue(date, forKey: "updated")
      #expect(entry.value(forKey: "updated") as? Date == date)
    }
  }

  @Test("a key behind a to-many relationship results in the distinct values without nil")
  func toMany() throws {
    try run { context, author in
      #expect(author.value(forKeyPath: "books.title") is NSSet)
      #expect(author.value(forKeyPath: "books.title") as? Set<String> == ["Emma"])
      #expect(author.value(forKeyPath: "books.pages") as? Set<Int> == [10, 20])
      #expect(author.value(forKeyPath: "books.author.name") as? Set<String> == ["Austen"])
      #expect(author.value(forKeyPath: "books.author.@count") as? Int == 1)
      let other = ShelfAuthor(context: context)
      #expect((other.value(forKeyPath: "books.title") as? NSSet)?.count == 0)
      // Predicates have a value for each member.
      #expect(holds("books.author.@count == 3", author))
    }
  }

  @Test("an empty optional in a dictionary sets a property to nil")
  func emptyOptional() throws {
    try run { context, author in
      let book = ShelfBook(context: context)
      book.author = author
      book.setValuesForKeys(["title": "Persuasion", "author": ShelfAuthor?.none as Any])
      #expect(book.title == "Persuasion" && book.author == nil)
      book.setValuesForKeys(["author": Optional(author) as Any])
      #expect(book.author === author)
      try context.save()
    }
  }

  @Test("a key behind an ordered relationship results in an ordered set")
  func ordered() throws {
    let context = try AlbumModel.context(NSInMemoryStoreType)
    context.performAndWait {
      let album = AlbumModel.insert("Album", [:], in: context)
      let songs = ["c", "a", "c", "b"].map { title in
        AlbumModel.insert("Song", ["title": title], in: context)
      }
      songs[1].setValue(nil, forKey: "title")
      album.setValue(NSOrderedSet(array: songs), forKey: "songs")
      let titles = album.value(forKeyPath: "songs.title") as? NSOrderedSet
      #expect(titles?.array.compactMap { $0 as? String } == ["c", "b"])
    }
  }

  @Test("the unions of a collection contain no nil")
  func unions() throws {
    try run { _, author in
      let all = author.value(forKeyPath: "books.@unionOfObjects.title")
      #expect(all as? [String] == ["Emma", "Emma"])
      let distinct = author.value(forKeyPath: "books.@distinctUnionOfObjects.title")
      #expect(distinct as? [String] == ["Emma"])
      let books = author.value(forKeyPath: "books.@distinctUnionOfSets.author.books")
      #expect(books as? NSSet == author.books)
    }
  }

  @Test("the average counts nil as 0, but a predicate ignores nil")
  func average() throws {
    try run { context, author in
      let other = ShelfAuthor(context: context)
      #expect(author.value(forKeyPath: "books.@avg.pages") as? Double == 10)
      #expect(other.value(forKeyPath: "books.@avg.pages") as? Double == 0)
      #expect(author.value(forKeyPath: "books.@sum.pages") as? Int == 30)
      #expect(holds("books.@avg.pages == 15", author))
      #expect(holds("books.@avg.pages == nil", other))
      try context.save()
      let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      for (format, found) in [
        ("books.@avg.pages == 15", author), ("books.@avg.pages == nil", other),
      ] {
        request.predicate = NSPredicate(format: format)
        #expect(try context.fetch(request) == [found], "\(format)")
      }
    }
  }
}
