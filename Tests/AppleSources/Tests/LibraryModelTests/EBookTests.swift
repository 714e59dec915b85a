import CoreData
import Foundation
import LibraryModel
import Testing

/// Classes, names and calls in sources for Apple systems that are harder to support.
@MainActor @Suite struct EBookTests {
  private let library: LibraryFile

  init() throws { library = try LibraryFile() }

  @Test("a class without a name for Objective-C keeps its accessors and validators")
  func validators() throws {
    let context = library.newContext()
    let book = EBook(context: context)
    book.title = "!"
    #expect(throws: NSError(domain: "EBook", code: 1)) { try context.save() }
    book.title = "Emma"
    book.primitiveType = "stone"
    #expect(throws: NSError(domain: "EBook", code: 2)) { try context.save() }
    book.primitiveType = "paper"
    (book.pages, book.edition) = (512, 3)
    try context.save()
    let found = try library.newContext().fetch(NSFetchRequest<EBook>(entityName: "EBook"))
    #expect(found.map(\.primitiveType) == ["paper"])
    #expect(found.map(\.pages) == [512] && found.map(\.edition) == [3])
  }

  @Test("a property for Objective-C is found by key, in predicates and as a section name")
  func readableProperty() throws {
    let context = library.newContext()
    for title in ["beta", "Alpha"] { EBook(context: context).title = title }
    try context.save()
    let request = NSFetchRequest<EBook>(entityName: "EBook")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    let results = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial",
      cacheName: nil)
    try results.performFetch()
    #expect(results.sections?.map(\.name) == ["B", "A"])
    let books = results.fetchedObjects ?? []
    #expect(books.map { $0.value(forKey: "initial") as? String } == ["B", "A"])
    #expect(books.filter(NSPredicate(format: "initial == 'A'").evaluate).map(\.title) == ["Alpha"])
  }

  @Test("accessors of eBooks change eBooks, also where parameters are keywords or have no name")
  func accessors() throws {
    let context = library.newContext()
    let reader = Reader(context: context)
    let book = EBook(context: context)
    book.title = "Emma"
    reader.addToEBooks(book)
    #expect(book.reader == reader)
    #expect(reader.captions == ["Emma"])
    reader.removeFromEBooks(NSSet(object: book))
    #expect(book.reader == nil)
    #expect(Catalogue.EBook().caption == "none")
    try context.save()
  }

  @Test("an entity can be named Set")
  func hidingName() throws {
    let context = library.newContext()
    let (one, other) = (Set(context: context), Set(context: context))
    one.addToSets(other)
    #expect(other.sets == NSSet(object: one))
  }

  @Test("chained casts of requests and casts of controllers keep the results")
  func casts() throws {
    let context = library.newContext()
    for title in ["beta", "Alpha"] { EBook(context: context).title = title }
    try context.save()
    let list = BookList(context: context)
    try list.controller.performFetch()
    let titles = list.controller.fetchedObjects?.compactMap { ($0 as? EBook)?.title }
    #expect(titles == ["Alpha", "beta"])
    EBook(context: context).title = "Gamma"
    context.processPendingChanges()
    #expect(list.changedTitles == ["Alpha", "beta", "Gamma"])
  }
}
