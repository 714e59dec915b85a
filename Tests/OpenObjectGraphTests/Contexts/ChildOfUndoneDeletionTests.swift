import Foundation
import OpenCoreData
import Testing

/// A parent's undo brings an object back that a child has changed meanwhile.
@Suite("Children of a context that takes a saved deletion back")
struct ChildOfUndoneDeletionTests {
  @Test("a child has the values of an object that came back", arguments: StoreTypes.both)
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
      try child.save()
      parent.performAndWait { parent.undo() }
      child.refreshAllObjects()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      let books = try child.fetch(request)
      #expect(books.map(\.code) == [7])
      #expect(books.map(\.title) == ["First"])
      #expect(try parent.performAndWait { try parent.fetch(request).map(\.title) } == ["First"])
    }
  }
}
