import Foundation
import OpenCoreData
import Testing

/// The undo of a saved deletion, in a parent or in its child.
@Suite("Children of a context that undoes a saved deletion")
struct ChildOfUndoneDeletionTests {
  @Test("a child has the values of a restored object", arguments: StoreTypes.both)
  func comesBack(type: String) throws {
    let parent = try ShelfModel.container(type).newBackgroundContext()
    let child = parent.makeChild()
    parent.undoManager = UndoManager()
    let id = try parent.performAndWait {
      let book = ShelfBook(context: parent)
      book.code = 7
      book.title = "First"
      try parent.save()
      return book.objectID
    }
    try child.performAndWait { () throws in
      let book = try #require(child.existingObject(with: id) as? ShelfBook)
      book.pages = 9
      try parent.performAndWait { () throws in
        parent.delete(parent.object(with: id))
        try parent.save()
      }
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      child.rollback()
      parent.performAndWait { parent.undo() }
      child.refreshAllObjects()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      let books = try child.fetch(request)
      #expect(books.map(\.code) == [7])
      #expect(books.map(\.title) == ["First"])
      #expect(try parent.performAndWait { try parent.fetch(request).map(\.title) } == ["First"])
    }
  }

  @Test(
    "a child that undoes a saved deletion also undoes it in the parent",
    arguments: StoreTypes.both)
  func undoneInChild(type: String) throws {
    let parent = try ShelfModel.container(type).newBackgroundContext()
    let child = parent.makeChild()
    child.undoManager = UndoManager()
    let id = try parent.performAndWait {
      let book = ShelfBook(context: parent)
      book.code = 7
      book.title = "First"
      try parent.save()
      return book.objectID
    }
    try child.performAndWait { () throws in
      child.delete(try child.existingObject(with: id))
      try child.save()
      #expect(parent.performAndWait { parent.deletedObjects.count } == 1)
      child.undo()
      try child.save()
    }
    try parent.performAndWait { () throws in
      #expect(parent.deletedObjects.isEmpty)
      try parent.save()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      #expect(try parent.fetch(request).map(\.title) == ["First"])
      parent.reset()
      #expect(try parent.fetch(request).map(\.title) == ["First"])
    }
  }
}
