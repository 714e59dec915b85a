import Foundation
import OpenCoreData
import Testing

/// A save that fails because of another program's changes must be repeatable.
@Suite("Rows after a conflict with another program")
struct ConflictCacheTests {
  /// Two stacks on one file, as in two programs, and a book that both have loaded.
  private struct Programs {
    let mine: NSPersistentContainer
    let other: NSPersistentContainer
    let id: NSManagedObjectID
    /// A context with the book's original values, which keeps the row in the cache.
    private let reader: NSManagedObjectContext
    private let book: ShelfBook

    init() throws {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("ConflictCache-\(UUID().uuidString).sqlite")
      let (mine, other) = (try Self.open(file), try Self.open(file))
      let reader = mine.newBackgroundContext()
      book = try reader.performAndWait { () throws in
        let book = ShelfBook(context: reader)
        book.title = "First"
        try reader.save()
        return book
      }
      let book = book
      id = reader.performAndWait { book.objectID }
      (self.mine, self.other, self.reader) = (mine, other, reader)
    }

    private static func open(_ file: URL) throws -> NSPersistentContainer {
      try .loaded("Shelf", ShelfModel.make(), [NSPersistentStoreDescription(url: file)])
    }

    /// Changes or deletes the book in a new context of a stack, and returns the title that the book had.
    @discardableResult
    func change(
      in container: NSPersistentContainer, _ change: (NSManagedObjectContext, ShelfBook) -> Void
    ) throws -> String {
      let context = container.newBackgroundContext()
      let url = id.uriRepresentation()
      return try context.performAndWait { () throws in
        let coordinator = container.persistentStoreCoordinator
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: url))
        let book = try #require(try context.existingObject(with: id) as? ShelfBook)
        let title = book.title ?? ""
        change(context, book)
        try context.save()
        return title
      }
    }
  }

  @Test("after a conflict, a new context reads the other program's values, and its save succeeds")
  func changed() throws {
    let programs = try Programs()
    try programs.change(in: programs.other) { $1.title = "Second" }
    let error = #expect(throws: CocoaError.self) {
      try programs.change(in: programs.mine) { $1.title = "Third" }
    }
    #expect(error?.code == .managedObjectMerge)
    let title = try programs.change(in: programs.mine) { $1.title = "Third" }
    #expect(title == "Second")
  }

  @Test("after a conflict with a deletion, a new context no longer has the object")
  func deleted() throws {
    let programs = try Programs()
    try programs.change(in: programs.other) { $0.delete($1) }
    let conflict = #expect(throws: CocoaError.self) {
      try programs.change(in: programs.mine) { $1.title = "Third" }
    }
    #expect(conflict?.code == .managedObjectMerge)
    let absence = #expect(throws: CocoaError.self) {
      try programs.change(in: programs.mine) { $1.title = "Third" }
    }
    #expect(absence?.code == .managedObjectReferentialIntegrity)
  }
}
