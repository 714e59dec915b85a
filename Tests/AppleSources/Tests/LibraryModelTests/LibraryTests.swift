import CoreData
import Foundation
import LibraryModel
import Testing

/// Generated classes, classes written for Apple systems, and both together, with a file store.
@MainActor @Suite struct LibraryTests {
  private let library: LibraryFile

  init() throws { library = try LibraryFile() }

  @Test("generated and rewritten classes are stored and read back")
  func roundTrip() throws {
    let context = library.newContext()
    let shelf = Shelf(context: context)
    shelf.name = "Novels"
    shelf.default = true
    let book = Book(context: context)
    book.id = UUID(uuidString: "7B1D0A6C-0C5E-4B8C-9C39-0E6E37A1B5F2")
    book.title = "Emma"
    book.price = NSDecimalNumber(string: "12.50")
    book.addedAt = Date(timeIntervalSinceReferenceDate: 1000)
    book.link = URL(string: "https://example.org/emma")
    book.weight = 0.4
    book.pageCount = 512
    book.status = .lent
    book.shelf = shelf
    try context.save()
    let other = library.newContext()
    let found = try #require(try other.fetch(Book.fetchRequest()).first)
    #expect(found.id == book.id)
    #expect(found.price == NSDecimalNumber(string: "12.50"))
    #expect(found.addedAt == Date(timeIntervalSinceReferenceDate: 1000))
    #expect(found.link == URL(string: "https://example.org/emma"))
    #expect(found.weight == 0.4)
    #expect(found.pageCount == 512)
    #expect(found.isReference == false)
    #expect(found.shelf?.name == "Novels")
    #expect(found.shelf?.default == true)
  }

  @Test("the target's mapping model is compiled, and found by its source and destination models")
  func mappingModel() throws {
    let url = LibraryModel.bundle.url(
      forResource: "Library 1", withExtension: "mom", subdirectory: "Library.momd")
    let old = try #require(url.flatMap { NSManagedObjectModel(contentsOf: $0) })
    let mapping = NSMappingModel(
      from: [LibraryModel.bundle], forSourceModel: old, destinationModel: LibraryModel.model)
    let reader = try #require(mapping?.entityMappingsByName["ReaderToReader"])
    #expect(reader.attributeMappings?.map(\.name) == ["name"])
    #expect(reader.attributeMappings?.first?.valueExpression?.description == "$source.fullName")
    #expect(LibraryModel.bundle.url(forResource: "Library1To2", withExtension: "cdm") != nil)
  }

  @Test("an accessor over a primitive value keeps an enumeration")
  func primitive() throws {
    let context = library.newContext()
    let book = Book(context: context)
    #expect(book.status == .available)
    book.status = .lost
    #expect(book.status == .lost)
    #expect(book.statusRaw == 2)
  }

  @Test("each class fetches its own kind, the parent all of them")
  func inheritance() throws {
    let context = library.newContext()
    Book(context: context).title = "Emma"
    let magazine = Magazine(context: context)
    magazine.title = "Analog"
    magazine.issue = 7
    try context.save()
    #expect(try context.fetch(Book.fetchRequest()).map(\.title) == ["Emma"])
    #expect(try context.fetch(Magazine.fetchRequest()).map(\.issue) == [7])
    let items: NSFetchRequest<Item> = Item.fetchRequest()
    items.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    #expect(try context.fetch(items).map(\.title) == ["Analog", "Emma"])
  }

  @Test("key paths of Objective-C sort and filter")
  func keyPaths() throws {
    let context = library.newContext()
    for (shelf, title) in [("B", "Evelina"), ("A", "Emma"), ("A", "East Lynne"), ("A", "Dune")] {
      let book = Book(context: context)
      book.title = title
      book.shelf = Shelf(context: context)
      book.shelf?.name = shelf
    }
    try context.save()
    #expect(
      try Book.titles(startingWith: "e", in: context) == ["East Lynne", "Emma", "Evelina"])
  }

  @Test("accessors of generated and rewritten classes change both sides of a relationship")
  func toMany() throws {
    let context = library.newContext()
    let book = Book(context: context)
    let (first, second) = (Tag(context: context), Tag(context: context))
    book.addToTags(first)
    second.addToBooks(book)
    #expect(book.tags == NSSet(array: [first, second]))
    book.removeFromTags(NSSet(array: [first]))
    #expect(first.books?.count == 0)
    let chapter = Chapter(context: context)
    book.addToChapters(chapter)
    #expect(chapter.book == book)
    let note = Note("Well put", on: chapter, in: context)
    chapter.removeFromNotes(note)
    #expect(note.chapter == nil)
    chapter.addToNotes(NSSet(array: [note]))
    #expect(note.chapter == chapter)
    #expect(chapter.notes?.count == 1)
  }

  @Test("accessors of an ordered relationship put members at their places")
  func places() throws {
    let context = library.newContext()
    let book = Book(context: context)
    for title in ["One", "Three", "Five"] {
      let chapter = Chapter(context: context)
      chapter.title = title
      book.addToChapters(chapter)
    }
    let second = Chapter(context: context)
    second.title = "Two"
    book.insertIntoChapters(second, at: 1)
    book.removeFromChapters(at: 3)
    try context.save()
    let other = library.newContext()
    let found = try #require(try other.fetch(Book.fetchRequest()).first)
    let titles = found.chapters?.array.compactMap { ($0 as? Chapter)?.title }
    #expect(titles == ["One", "Two", "Three"])
  }

  @Test("a class with a different name in the model is found")
  func renamedClass() throws {
    let context = library.newContext()
    let made = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    let note = try #require(made as? Note)
    #expect(note.entityTitle == "Note")
    #expect(note.stars == 0)
  }

  @Test("a cast request counts and deletes like the original request")
  func recast() throws {
    let context = library.newContext()
    let book = Book(context: context)
    book.title = "Emma"
    book.shelf = Shelf(context: context)
    let chapter = Chapter(context: context)
    chapter.book = book
    for seconds in [10.0, 20, 30] {
      Note("At \(seconds)", on: chapter, in: context).madeAt = Date(
        timeIntervalSinceReferenceDate: seconds)
    }
    try context.save()
    let catalogue = Catalogue(context: context)
    #expect(try catalogue.countOfShelves() == 1)
    #expect(try catalogue.notes(inBookTitled: "Emma").count == 3)
    try catalogue.deleteNotes(madeBefore: Date(timeIntervalSinceReferenceDate: 25))
    context.reset()
    let left = try catalogue.notes(inBookTitled: "Emma")
    #expect(left.map(\.text) == ["At 30.0"])
    #expect(try catalogue.notes(of: #require(left.first?.chapter)) == Swift.Set(left))
  }

  @Test("the compiled model is a resource, as unedited sources expect it")
  func compiledModel() throws {
    let model = LibraryContainer().persistentContainer.managedObjectModel
    #expect(model.entitiesByName["Book"]?.attributesByName["title"] != nil)
    #expect(model.entityVersionHashesByName == LibraryModel.model?.entityVersionHashesByName)
  }

  @Test("a plain class whose properties Objective-C would see is read, sorted and named by key")
  func plainClass() throws {
    #expect(Loan.columns == ["reader", "day", "previous.reader", "days", "reader"])
    #expect(Loan.order.map(\.key) == ["reader", "day"])
    let first = Loan(reader: "Ann", day: 3)
    let loans = [
      Loan(reader: "Bob", day: 4), first, TimedLoan(reader: "Ann", day: 9, previous: first),
    ]
    let sorted = NSArray(array: loans).sortedArray(using: Loan.order)
    #expect(sorted.compactMap { ($0 as? Loan)?.day } == [9, 3, 4])
    let predicate = NSPredicate(format: "previous.reader == 'Ann' AND isFirst == NO AND days > 7")
    #expect(loans.filter { predicate.evaluate(with: $0) }.map(\.day) == [9])
  }
}
