import CoreData
import Foundation
import LibraryModel
import Testing

/// Members of managed classes in extensions, as in sources for Apple systems.
@MainActor @Suite(.serialized) struct HookTests {
  private let library: LibraryFile

  init() throws {
    library = try LibraryFile()
    journal = []
  }

  @Test("hooks in an extension of a class of another file are called")
  func overrides() throws {
    let context = library.newContext()
    let book = EBook(context: context)
    #expect(book.pages == 16)
    #expect("\(book)" == "EBook -")
    try context.save()
    book.edition = -1
    #expect(throws: NSError(domain: "EBook", code: 3)) { try context.save() }
    book.edition = 1
    try context.save()
  }

  @Test("validators and properties in extensions are found by their names")
  func names() throws {
    let context = library.newContext()
    let book = EBook(context: context)
    book.pages = 6_000
    #expect(throws: NSError(domain: "EBook", code: 4)) { try context.save() }
    book.pages = 400
    try context.save()
    #expect(book.value(forKey: "length") as? String == "long")
    #expect(book.value(forKey: "initial") as? String == "")
    #expect(NSPredicate(format: "length == 'long'").evaluate(with: book))
  }

  @Test("objects are created through metatypes, and an overridden initializer is called for all")
  func metatypes() throws {
    let context = library.newContext()
    let type: NSManagedObject.Type = EBook.self
    #expect(type.make(in: context) is EBook)
    #expect(EBook.make(in: context).managedObjectContext === context)
    #expect(makeObject(Note.self, in: context).isPlain)
    #expect(Note(context: context).isPlain)
    #expect(context.insertedObjects.count == 4)
  }

  @Test("hooks in extensions of the model's classes are called, the superclass's first")
  func generatedClasses() throws {
    let context = library.newContext()
    let book = Book(context: context)
    #expect(journal == ["item", "book"])
    #expect(book.id != nil)
    let shelf = Shelf(context: context)
    try context.save()
    #expect(shelf.name == "Unnamed")
    #expect(shelf.value(forKey: "label") as? String == "UNNAMED")
    shelf.name = "?"
    #expect(throws: NSError(domain: "Shelf", code: 1)) { try context.save() }
    shelf.name = "A"
    try context.save()
    journal = []
    context.refresh(shelf, mergeChanges: false)
    #expect(journal == ["fault"])
    context.delete(shelf)
    try context.save()
    #expect(journal.contains("deleted A"))
  }
}
