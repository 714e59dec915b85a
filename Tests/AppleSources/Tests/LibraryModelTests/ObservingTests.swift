import CoreData
import Foundation
import LibraryModel
import Testing

/// Sources for Apple systems that observe properties of managed objects.
@MainActor @Suite struct ObservingTests {
  private let library: LibraryFile

  init() throws { library = try LibraryFile() }

  @Test(
    "observers of key paths are notified of sets, of primitive accessors, and of inverses")
  func watching() throws {
    let context = library.newContext()
    let (book, shelf, tag) = (
      Book(context: context), Shelf(context: context), Tag(context: context)
    )
    book.title = "Emma"
    shelf.name = "Novels"
    let watcher = BookWatcher(book: book)
    #expect(watcher.status == .available)
    book.title = "Persuasion"
    book.status = .lent
    #expect(watcher.status == .lent)
    book.addToTags(tag)
    tag.removeFromBooks(book)
    #expect(watcher.tagCounts == [1, 0])
    book.shelf = shelf
    shelf.name = "Classics"
    #expect(watcher.titles == ["Emma → Persuasion", "on Novels", "on Classics"])
    watcher.stop()
    book.title = "Sanditon"
    #expect(watcher.titles.count == 3)
    try context.save()
  }
}
