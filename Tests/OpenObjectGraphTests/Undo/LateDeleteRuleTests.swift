import Foundation
import OpenCoreData
import Testing

/// Undo in contexts whose delete rules apply only at the save.
@Suite("Undo with delete rules that wait for the save")
struct LateDeleteRuleTests {
  /// A context with a saved node that has a saved child.
  private func family(
    _ type: String
  ) throws -> (NSManagedObjectContext, NSManagedObject, NSManagedObject) {
    let (context, _) = try UndoModel.undoingContext(type)
    context.propagatesDeletesAtEndOfEvent = false
    let (parent, child) = try context.performAndWait { () throws in
      let parent = UndoModel.insert("Node", "parent", in: context)
      let child = UndoModel.insert("Node", "child", in: context)
      child.setValue(parent, forKey: "parent")
      try context.save()
      context.undoManager?.removeAllActions()
      return (parent, child)
    }
    return (context, parent, child)
  }

  private func names(in context: NSManagedObjectContext) throws -> [String] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node"))
      .compactMap { $0.value(forKey: "name") as? String }.sorted()
  }

  @Test(
    "undoing an insertion leaves the cascades of other deletions pending",
    arguments: UndoModel.stores)
  func unrelatedCascade(_ type: String) throws {
    let (context, parent, child) = try family(type)
    try context.performAndWait { () throws in
      context.delete(parent)
      context.processPendingChanges()
      let other = UndoModel.insert("Node", "other", in: context)
      context.processPendingChanges()
      context.undo()
      #expect(other.managedObjectContext == nil)
      #expect(parent.isDeleted && !child.isDeleted)
      try context.save()
      #expect(child.managedObjectContext == nil)
      #expect(try names(in: context) == [])
    }
  }

  @Test("redoing a deletion leaves its cascade to the save", arguments: UndoModel.stores)
  func redo(_ type: String) throws {
    let (context, parent, child) = try family(type)
    try context.performAndWait { () throws in
      context.delete(parent)
      context.processPendingChanges()
      context.undo()
      #expect(!parent.isDeleted && child.value(forKey: "parent") as? NSManagedObject === parent)
      context.redo()
      #expect(parent.isDeleted && !child.isDeleted)
      try context.save()
      #expect(try names(in: context) == [])
    }
  }

  @Test("undoing the deletion of a new object inserts it again", arguments: UndoModel.stores)
  func newObject(_ type: String) throws {
    let (context, parent, _) = try family(type)
    try context.performAndWait { () throws in
      let new = UndoModel.insert("Node", "new", in: context)
      new.setValue(parent, forKey: "parent")
      context.processPendingChanges()
      context.delete(new)
      context.processPendingChanges()
      context.undo()
      #expect(new.isInserted && context.insertedObjects == [new])
      #expect(new.value(forKey: "parent") as? NSManagedObject === parent)
      try context.save()
      #expect(!context.hasChanges)
      #expect(try names(in: context) == ["child", "new", "parent"])
    }
  }
}
