import Foundation
import OpenCoreData
import Testing

/// Undo and redo of a context's changes: values, relationships, insertions and deletions.
@Suite("Undo in contexts")
struct ContextUndoTests {
  @Test("a context initially has no undo manager, and undo and redo do nothing")
  func withoutUndoManager() throws {
    let context = try UndoModel.context(NSInMemoryStoreType)
    context.performAndWait {
      #expect(context.undoManager == nil)
      let node = UndoModel.insert("Node", "a", in: context)
      context.undo()
      context.redo()
      #expect(node.undoName == "a")
      #expect(node.isInserted)
    }
  }

  @Test("each processing of pending changes is a step", arguments: UndoModel.stores)
  func values(_ type: String) throws {
    let (context, manager) = try UndoModel.undoingContext(type)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      try context.save()
      #expect(manager.undoCount == 1)
      node.setValue("b", forKey: "name")
      node.setValue(7, forKey: "number")
      context.processPendingChanges()
      node.setValue("c", forKey: "name")
      #expect(manager.canUndo)
      context.undo()
      #expect(node.undoName == "b")
      context.undo()
      #expect(node.undoName == "a")
      #expect(node.value(forKey: "number") == nil)
      #expect(!context.hasChanges)
      context.redo()
      #expect(node.undoName == "b")
      #expect(node.value(forKey: "number") as? Int == 7)
      context.redo()
      #expect(node.undoName == "c")
      #expect(!manager.canRedo)
      #expect(context.updatedObjects == [node])
    }
  }

  @Test("an undone insertion leaves the context, and redo restores the same object")
  func insertion() throws {
    let (context, manager) = try UndoModel.undoingContext(NSSQLiteStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      let id = node.objectID
      context.undo()
      #expect(node.managedObjectContext == nil)
      #expect(context.insertedObjects.isEmpty)
      #expect(!context.hasChanges)
      context.redo()
      #expect(node.managedObjectContext === context)
      #expect(context.insertedObjects == [node])
      #expect(node.objectID == id)
      #expect(node.undoName == "a")
      context.undo()
      context.redo()
      try context.save()
      #expect(try context.graph().count == 1)
      #expect(manager.undoCount == 1)
    }
  }

  @Test("an insertion can be undone after it was saved: the object is deleted by the next save")
  func savedInsertion() throws {
    let (context, _) = try UndoModel.undoingContext(NSSQLiteStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      try context.save()
      let id = node.objectID
      context.undo()
      #expect(context.deletedObjects == [node])
      try context.save()
      #expect(try context.graph().isEmpty)
      context.redo()
      #expect(context.insertedObjects == [node])
      #expect(node.objectID == id)
      try context.save()
      #expect(node.objectID == id)
      context.undo()
      context.redo()
      #expect(!node.isDeleted)
      #expect(node.undoName == "a")
    }
  }

  @Test("undoing a deletion restores the object and its relationships")
  func deletion() throws {
    for type in UndoModel.stores {
      let (context, _) = try UndoModel.undoingContext(type)
      try context.performAndWait {
        let (node, tag) = (
          UndoModel.insert("Node", "n", code: 1, in: context),
          UndoModel.insert("Tag", "t", code: 2, in: context)
        )
        let child = UndoModel.insert("Node", "c", code: 3, in: context)
        let item = UndoModel.insert("Item", "i", code: 4, in: context)
        node.setValue(NSSet(object: tag), forKey: "tags")
        child.setValue(node, forKey: "parent")
        item.setValue(node, forKey: "owner")
        try context.save()
        let before = try context.graph()
        context.refreshAllObjects()
        context.delete(node)
        context.processPendingChanges()
        #expect(child.isDeleted)
        #expect(item.value(forKey: "owner") == nil)
        context.undo()
        #expect(!node.isDeleted && !child.isDeleted)
        #expect(!context.hasChanges)
        #expect(try context.graph() == before)
        context.redo()
        #expect(node.isDeleted && child.isDeleted)
        #expect(tag.related("nodes").isEmpty)
        context.undo()
        #expect(try context.graph() == before)
      }
    }
  }

  @Test("a list without inverse that was read after a deletion has the member after the undo")
  func listReadAfterDeletion() throws {
    for type in UndoModel.stores {
      let (context, _) = try UndoModel.undoingContext(type)
      try context.performAndWait { () throws in
        let node = UndoModel.insert("Node", "n", code: 1, in: context)
        let tag = UndoModel.insert("Tag", "t", code: 2, in: context)
        node.setValue(NSSet(object: tag), forKey: "marks")
        try context.save()
        context.refresh(node, mergeChanges: false)
        context.delete(tag)
        context.processPendingChanges()
        #expect((node.value(forKey: "marks") as? NSSet)?.count == 0)
        context.undo()
        #expect((node.value(forKey: "marks") as? NSSet)?.contains(tag) == true)
        #expect(!context.hasChanges)
      }
    }
  }

  @Test("a deletion can be undone after it was saved: the same objects are inserted again")
  func savedDeletion() throws {
    for type in UndoModel.stores {
      let (context, _) = try UndoModel.undoingContext(type)
      try context.performAndWait {
        let (node, tag) = (
          UndoModel.insert("Node", "n", code: 1, in: context),
          UndoModel.insert("Tag", "t", code: 2, in: context)
        )
        let children = (3...5).map { UndoModel.insert("Node", "c", code: $0, in: context) }
        node.setValue(NSSet(object: tag), forKey: "tags")
        node.setValue(NSSet(object: tag), forKey: "marks")
        node.setValue(NSSet(array: children), forKey: "children")
        node.setValue(["x", "y"], forKey: "blob")
        let items = (6...8).map { UndoModel.insert("Item", "i", code: $0, in: context) }
        node.setValue(NSOrderedSet(array: [items[2], items[0], items[1]]), forKey: "items")
        try context.save()
        let (before, id) = (try context.graph(), node.objectID)
        context.delete(node)
        try context.save()
        #expect(node.managedObjectContext == nil)
        context.undo()
        #expect(node.managedObjectContext === context)
        #expect(node.isInserted)
        #expect(node.objectID == id)
        #expect(try context.graph() == before)
        try context.save()
        context.refreshAllObjects()
        #expect(try context.graph() == before)
        context.redo()
        try context.save()
        #expect(try context.graph().count == 4)
      }
    }
  }

  @Test("both sides of relationships are restored", arguments: UndoModel.stores)
  func relationships(_ type: String) throws {
    let (context, _) = try UndoModel.undoingContext(type)
    try context.performAndWait {
      let nodes = (1...4).map { UndoModel.insert("Node", "n", code: $0, in: context) }
      nodes[0].setValue(nodes[1], forKey: "mentor")
      nodes[2].setValue(nodes[3], forKey: "mentor")
      try context.save()
      let before = try context.graph()
      nodes[0].setValue(nodes[3], forKey: "mentor")
      #expect(nodes[2].value(forKey: "mentor") == nil)
      context.processPendingChanges()
      let after = try context.graph()
      context.undo()
      #expect(nodes[2].value(forKey: "mentor") as? NSManagedObject === nodes[3])
      #expect(nodes[1].value(forKey: "pupil") as? NSManagedObject === nodes[0])
      #expect(try context.graph() == before)
      #expect(!context.hasChanges)
      context.redo()
      #expect(try context.graph() == after)
    }
  }

  @Test("the order of an ordered relationship is restored", arguments: UndoModel.stores)
  func order(_ type: String) throws {
    let (context, _) = try UndoModel.undoingContext(type)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "n", in: context)
      let items = (0..<4).map { UndoModel.insert("Item", "i", code: $0, in: context) }
      func codes() -> [Int] {
        node.related("items").compactMap { $0.value(forKey: "code") as? Int }
      }
      node.setValue(NSOrderedSet(array: items), forKey: "items")
      try context.save()
      context.refreshAllObjects()
      items[1].setValue(nil, forKey: "owner")
      context.processPendingChanges()
      #expect(codes() == [0, 2, 3])
      context.undo()
      #expect(codes() == [0, 1, 2, 3])
      node.setValue(NSOrderedSet(array: [items[3], items[1]]), forKey: "items")
      try context.save()
      #expect(codes() == [3, 1])
      context.undo()
      #expect(codes() == [0, 1, 2, 3])
      context.redo()
      #expect(codes() == [3, 1])
      context.undo()
      try context.save()
      context.refreshAllObjects()
      #expect(codes() == [0, 1, 2, 3])
    }
  }

  @Test("undo restores members removed from an unread many-to-many relationship")
  func unreadMembers() throws {
    let (context, _) = try UndoModel.undoingContext(NSSQLiteStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "n", code: 1, in: context)
      let tags = (2...4).map { UndoModel.insert("Tag", "t", code: $0, in: context) }
      node.setValue(NSSet(array: Array(tags[..<2])), forKey: "tags")
      try context.save()
      context.refreshAllObjects()
      let before = try context.graph()
      context.refreshAllObjects()
      // The last tag was not a member, so undo does not add it.
      for tag in tags { node.__removeMember(tag, "tags") }
      context.processPendingChanges()
      context.undo()
      #expect(try context.graph() == before)
    }
  }

  @Test("transient and transformable values are undone, also across saves")
  func boxedValues() throws {
    let (context, _) = try UndoModel.undoingContext(NSSQLiteStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "n", in: context)
      for value in ["one", "two", "three"] {
        node.setValue(value, forKey: "note")
        node.setValue([value], forKey: "blob")
        try context.save()
      }
      for value in ["two", "one"] {
        context.undo()
        #expect(node.value(forKey: "note") as? String == value)
        #expect(node.value(forKey: "blob") as? [String] == [value])
      }
      try context.save()
      context.redo()
      #expect(node.value(forKey: "note") as? String == "two")
      #expect(node.value(forKey: "blob") as? [String] == ["two"])
      try context.save()
      context.refreshAllObjects()
      #expect(node.value(forKey: "blob") as? [String] == ["two"])
    }
  }

  @Test("the first change of a transient value that was saved without an undo manager is undone")
  func savedTransientValue() throws {
    let context = try UndoModel.context(NSInMemoryStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "n", in: context)
      node.setValue("one", forKey: "note")
      try context.save()
      context.undoManager = UndoManager()
      node.setValue("two", forKey: "note")
      context.processPendingChanges()
      context.undo()
      #expect(node.value(forKey: "note") as? String == "one")
      context.redo()
      #expect(node.value(forKey: "note") as? String == "two")
    }
  }
}
