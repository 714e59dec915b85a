import Foundation
import OpenSwiftData
import Testing

@Suite("Undo of a context")
struct UndoTests {
  private func context() throws -> (ModelContext, UndoManager) {
    let context = try Library.context()
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager
    return (context, manager)
  }

  /// Runs changes as one group of the undo manager.
  private func group(_ context: ModelContext, _ manager: UndoManager, _ changes: () -> Void) {
    manager.beginUndoGrouping()
    changes()
    context.processPendingChanges()
    manager.endUndoGrouping()
  }

  @Test("changes, insertions and deletions are undone and redone")
  func undo() throws {
    let (context, manager) = try context()
    #expect(context.undoManager === manager)
    let author = Author(name: "a")
    group(context, manager) { context.insert(author) }
    try context.save()
    group(context, manager) { author.name = "b" }
    manager.undo()
    #expect(author.name == "a")
    manager.redo()
    #expect(author.name == "b")
    group(context, manager) { context.delete(author) }
    #expect(author.isDeleted)
    manager.undo()
    #expect(!author.isDeleted)
    #expect(try context.fetch(FetchDescriptor<Author>()).map(\.name) == ["b"])
    let second = Author(name: "second")
    group(context, manager) { context.insert(second) }
    #expect(context.insertedModelsArray.count == 1)
    manager.undo()
    #expect(context.insertedModelsArray.isEmpty)
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("a context has no undo manager at first, and takes nothing back without one")
  func none() throws {
    let context = try Library.context()
    #expect(context.undoManager == nil)
    context.insert(Author(name: "a"))
    context.processPendingChanges()
    #expect(context.hasChanges)
  }
}
