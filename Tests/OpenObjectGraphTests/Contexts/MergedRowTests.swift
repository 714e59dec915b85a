import Foundation
import OpenCoreData
import Testing

/// Values that a coordinator returns after it merged changes by another coordinator to objects that
/// the merging context had not registered.
@Suite("Unregistered objects after a merge")
struct MergedRowTests {
  enum Merging: CaseIterable { case plain, pinned, child }

  /// A coordinator in which one context retains the book, so that its row stays cached, and another
  /// coordinator of the same file.
  private struct Pair {
    let first: NSPersistentContainer
    let second: NSPersistentContainer
    let book: ShelfBook
    private let holder: NSManagedObjectContext

    init(in folder: URL) throws {
      let url = folder.appendingPathComponent("shelf.sqlite")
      first = try ShelfModel.container(NSSQLiteStoreType, url: url)
      let context = first.newBackgroundContext()
      holder = context
      book = try context.performAndWait { () throws in
        let book = ShelfBook(context: context)
        book.title = "Old"
        try context.save()
        return book
      }
      second = try ShelfModel.container(NSSQLiteStoreType, url: url)
    }

    func change(_ body: (ShelfBook) throws -> Void) throws {
      let writer = second.newBackgroundContext()
      try writer.performAndWait { () throws in
        let books = try writer.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
        try body(try #require(books.first))
        try writer.save()
      }
    }

    func context(_ merging: Merging) throws -> NSManagedObjectContext {
      let context = first.newBackgroundContext()
      if merging == .child { return context.makeChild() }
      if merging == .pinned { try context.setQueryGenerationFrom(.current) }
      return context
    }
  }

  /// Apple, mergeChanges(fromRemoteContextSave:into:): the contexts have the changes of the save.
  @Test("a fault that fires after a merge has the new value", arguments: Merging.allCases)
  func updated(merging: Merging) throws {
    try CodedItems.inFolder { folder in
      let pair = try Pair(in: folder)
      let id = pair.book.objectID
      try pair.change { $0.title = "New" }
      let context = try pair.context(merging)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectIDsKey: [id]], into: [context])
      for reader in [context, pair.first.newBackgroundContext()] {
        let title = reader.performAndWait { (reader.object(with: id) as? ShelfBook)?.title }
        #expect(title == "New")
      }
    }
  }

  @Test("an object that was deleted in a merged save does not exist", arguments: Merging.allCases)
  func deleted(merging: Merging) throws {
    try CodedItems.inFolder { folder in
      let pair = try Pair(in: folder)
      let id = pair.book.objectID
      try pair.change { $0.managedObjectContext?.delete($0) }
      let context = try pair.context(merging)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [context])
      for reader in [context, pair.first.newBackgroundContext()] {
        reader.performAndWait {
          let error = #expect(throws: CocoaError.self) { try reader.existingObject(with: id) }
          #expect(error?.code == .managedObjectReferentialIntegrity)
        }
      }
    }
  }

  private func title(of id: NSManagedObjectID, in context: NSManagedObjectContext) -> String? {
    context.performAndWait { (context.object(with: id) as? ShelfBook)?.title }
  }

  /// Apple, mergeChanges(fromRemoteContextSave:into:): the contexts may be nested.
  @Test("a child context receives merged values, even if it precedes its parent in the array")
  func childBeforeParent() throws {
    try CodedItems.inFolder { folder in
      let pair = try Pair(in: folder)
      let id = pair.book.objectID
      let parent = pair.first.newBackgroundContext()
      let child = parent.makeChild()
      for context in [parent, child] {
        context.retainsRegisteredObjects = true
        #expect(title(of: id, in: context) == "Old")
      }
      try pair.change { $0.title = "New" }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectIDsKey: [id]], into: [child, parent])
      for context in [parent, child] { #expect(title(of: id, in: context) == "New") }
    }
  }

  @Test(
    "a merge reads the values of invalidated objects again",
    arguments: [
      NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey, NSInvalidatedAllObjectsKey,
    ])
  func invalidated(key: String) throws {
    try CodedItems.inFolder { folder in
      let pair = try Pair(in: folder)
      let id = pair.book.objectID
      let context = pair.first.newBackgroundContext()
      context.retainsRegisteredObjects = true
      #expect(title(of: id, in: context) == "Old")
      try pair.change { $0.title = "New" }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: [id]], into: [context])
      #expect(title(of: id, in: context) == "New")
    }
  }
}
