import Foundation
import OpenCoreData
import Testing

/// When a context registers undo steps, when it discards them, and what other contexts see.
@Suite("Undo in contexts: rules")
struct ContextUndoRuleTests {
  @Test("changes made and processed while registration is disabled leave nothing to undo")
  func disabled() throws {
    let (context, manager) = try UndoModel.undoingContext(NSInMemoryStoreType)
    context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      context.processPendingChanges()
      manager.removeAllActions()
      manager.disableUndoRegistration()
      node.setValue("b", forKey: "name")
      context.delete(UndoModel.insert("Node", "gone", in: context))
      context.processPendingChanges()
      manager.enableUndoRegistration()
      #expect(!manager.canUndo)
      node.setValue("c", forKey: "name")
      context.undo()
      #expect(node.undoName == "b")
    }
  }

  @Test("rollback and reset discard all steps", arguments: [true, false])
  func forgetting(_ isRollback: Bool) throws {
    let (context, manager) = try UndoModel.undoingContext(NSSQLiteStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      try context.save()
      node.setValue("b", forKey: "name")
      context.processPendingChanges()
      node.setValue("c", forKey: "name")
      context.undo()
      #expect(manager.canUndo && manager.canRedo)
      if isRollback { context.rollback() } else { context.reset() }
      #expect(!manager.canUndo && !manager.canRedo)
      #expect(!context.hasChanges)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      let found = try #require(try context.fetch(request).first)
      found.setValue("d", forKey: "name")
      context.undo()
      #expect(found.undoName == "a")
    }
  }

  @Test("an explicit group contains several processings; one step undoes them")
  func explicitGroups() throws {
    let (context, manager) = try UndoModel.undoingContext(NSSQLiteStoreType)
    context.performAndWait {
      manager.groupsByEvent = false
      manager.beginUndoGrouping()
      let node = UndoModel.insert("Node", "a", in: context)
      context.processPendingChanges()
      node.setValue("b", forKey: "name")
      context.processPendingChanges()
      let child = UndoModel.insert("Node", "child", in: context)
      child.setValue(node, forKey: "parent")
      manager.endUndoGrouping()
      manager.setActionName("Growing")
      #expect(manager.undoCount == 1)
      manager.undo()
      #expect(context.insertedObjects.isEmpty)
      #expect(manager.redoActionName == "Growing")
      manager.redo()
      #expect(context.insertedObjects == [node, child])
      #expect(node.undoName == "b")
      #expect(node.related("children") == [child])
    }
  }

  @Test("a name set before pending changes are processed applies to them")
  func naming() throws {
    let (context, manager) = try UndoModel.undoingContext(NSInMemoryStoreType)
    context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      manager.setActionName("Add")
      context.processPendingChanges()
      node.setValue("b", forKey: "name")
      manager.setActionName("Rename")
      node.setValue("c", forKey: "name")
      context.processPendingChanges()
      #expect(manager.undoCount == 2)
      #expect(manager.undoMenuItemTitle == "Undo Rename")
      manager.undo()
      #expect(manager.undoMenuItemTitle == "Undo Add")
      #expect(node.undoName == "a")
    }
  }

  @Test("the work of perform is one step, and an undo during it reverts the changes so far")
  func perform() async throws {
    let context = try UndoModel.context(NSInMemoryStoreType)
    await context.perform(schedule: .enqueued) {
      context.undoManager = UndoManager()
      _ = UndoModel.insert("Node", "a", in: context)
      _ = UndoModel.insert("Node", "b", in: context)
    }
    try await context.perform(schedule: .enqueued) { () throws in
      #expect(context.undoManager?.undoCount == 1)
      _ = UndoModel.insert("Node", "c", in: context)
      context.undo()
      #expect(try context.graph().count == 2)
      context.undo()
      #expect(try context.graph().isEmpty)
    }
  }

  @Test("an application's undo operation that changes objects is undone and redone with the step")
  func applicationOperations() throws {
    let (context, manager) = try UndoModel.undoingContext(NSInMemoryStoreType)
    context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      context.processPendingChanges()
      manager.beginUndoGrouping()
      manager.disableUndoRegistration()
      node.setValue("b", forKey: "name")
      context.processPendingChanges()
      manager.enableUndoRegistration()
      manager.registerUndo(withTarget: node) { $0.setValue("a", forKey: "name") }
      manager.endUndoGrouping()
      manager.undo()
      #expect(node.undoName == "a")
      #expect(manager.redoCount == 1)
      #expect(manager.undoCount == 1)
      manager.redo()
      #expect(node.undoName == "b")
      manager.undo()
      #expect(node.undoName == "a")
    }
  }

  @Test("changes in willSave belong to the step that the save closes")
  func hooks() throws {
    let (context, manager) = try UndoModel.undoingContext(NSInMemoryStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      try context.save()
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: context, queue: nil
      ) { notification in
        let context = notification.object as? NSManagedObjectContext
        for object in context?.updatedObjects ?? [] { object.setValue(99, forKey: "number") }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      node.setValue("b", forKey: "name")
      try context.save()
      #expect(manager.undoCount == 2)
      context.undo()
      #expect(node.undoName == "a")
      #expect(node.value(forKey: "number") == nil)
    }
  }

  @Test("undo announces its changes")
  func notifications() throws {
    let (context, _) = try UndoModel.undoingContext(NSInMemoryStoreType)
    try context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      let other = UndoModel.insert("Node", "b", in: context)
      try context.save()
      node.setValue("c", forKey: "name")
      context.delete(other)
      context.processPendingChanges()
      nonisolated(unsafe) var changes: [String: Set<NSManagedObject>] = [:]
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        for (key, value) in notification.userInfo ?? [:] {
          if let key = key as? String, let set = value as? Set<NSManagedObject> {
            changes[key] = set
          }
        }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      context.undo()
      #expect(changes == [NSUpdatedObjectsKey: [node, other]])
      changes = [:]
      context.redo()
      #expect(changes == [NSUpdatedObjectsKey: [node], NSDeletedObjectsKey: [other]])
      let third = UndoModel.insert("Node", "c", in: context)
      context.processPendingChanges()
      changes = [:]
      context.undo()
      #expect(changes == [NSDeletedObjectsKey: [third]])
      changes = [:]
      context.redo()
      #expect(changes == [NSInsertedObjectsKey: [third]])
    }
  }

  @Test("another context's save is not a step")
  func merging() throws {
    let (context, manager) = try UndoModel.undoingContext(NSSQLiteStoreType)
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    context.automaticallyMergesChangesFromParent = true
    let (node, gone) = try context.performAndWait { () throws in
      let nodes = (
        UndoModel.insert("Node", "a", in: context), UndoModel.insert("Node", "gone", in: context)
      )
      try context.save()
      manager.removeAllActions()
      return nodes
    }
    try other.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      for object in try other.fetch(request) {
        if object.undoName == "gone" {
          other.delete(object)
        } else {
          object.setValue("merged", forKey: "name")
        }
      }
      try other.save()
    }
    // The save enqueued the merge on the context's queue, so this block runs after it.
    context.performAndWait {
      context.processPendingChanges()
      #expect(node.undoName == "merged")
      #expect(gone.isDeleted || gone.managedObjectContext == nil)
      #expect(!manager.canUndo)
    }
  }

  @Test("a new undo manager starts from the current state; steps stay with the old one")
  func changingManagers() throws {
    let (context, manager) = try UndoModel.undoingContext(NSInMemoryStoreType)
    context.performAndWait {
      let node = UndoModel.insert("Node", "a", in: context)
      context.undoManager = nil
      #expect(manager.undoCount == 1)
      node.setValue("b", forKey: "name")
      context.processPendingChanges()
      context.undoManager = manager
      #expect(manager.undoCount == 1)
      node.setValue("c", forKey: "name")
      context.undo()
      #expect(node.undoName == "b")
      node.setValue("d", forKey: "name")
      let other = UndoManager()
      context.undoManager = other
      #expect(manager.undoCount == 2)
      manager.undo()
      #expect(node.undoName == "d")
      #expect(!other.canUndo)
    }
  }

  @Test("an undo manager does not retain its context, and can outlive it")
  func lifetimes() throws {
    let manager = UndoManager()
    weak var gone: NSManagedObjectContext?
    do {
      let context = try UndoModel.context(NSInMemoryStoreType)
      context.undoManager = manager
      _ = UndoModel.insert("Node", "a", in: context)
      context.processPendingChanges()
      #expect(manager.canUndo)
      gone = context
    }
    #expect(gone == nil)
    manager.undo()
    #expect(!manager.canUndo)
  }

  @Test("objects are notified of undo and redo, and their changes then are not recorded")
  func snapshotEvents() throws {
    #expect(NSSnapshotEventType.undoUpdate.rawValue == 8)
    let container = try ShelfModel.container(NSInMemoryStoreType)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let entity = try #require(NSEntityDescription.entity(forEntityName: "ShelfBook", in: context))
      let book = ListeningBook(entity: entity, insertInto: context)
      book.setValue("a", forKey: "title")
      try context.save()
      context.undoManager = UndoManager()
      book.setValue("b", forKey: "title")
      context.undo()
      context.redo()
      context.delete(book)
      context.undo()
      #expect(book.events == [.undoUpdate, .undoUpdate, .undoDeletion])
    }
  }

  private final class ListeningBook: NSManagedObject {
    var events: [NSSnapshotEventType] = []

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
  }

  @Test(
    "the undo of a saved insertion deletes the row of an object that is a fault",
    arguments: StoreTypes.both)
  func insertionOfFault(_ type: String) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    context.undoManager = UndoManager()
    try context.performAndWait {
      ShelfAuthor(context: context).name = "Ada"
      try context.save()
      context.refreshAllObjects()
      context.undo()
      try context.save()
      let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      #expect(try context.count(for: request) == 0)
    }
  }
}
