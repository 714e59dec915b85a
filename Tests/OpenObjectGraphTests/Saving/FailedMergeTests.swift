import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Saves that fail after a merge policy has merged objects.
@Suite("Saves that fail after a merge")
struct FailedMergeTests {
  /// Docs/Contexts.md, Conflicts.
  @Test(
    "a failed save announces the objects that the merge policy merged", arguments: StoreTypes.both)
  func announcement(type: String) throws {
    let model = ShelfModel.make()
    model.entitiesByName["ShelfBook"]?.uniquenessConstraints = [["code"]]
    let stack = try FaultStack(type, model)
    let (parent, child) = (stack.context, stack.context.makeChild())
    parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let stored = try parent.performAndWait { try stack.book(11) }
    let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: parent)
    try child.performAndWait { () throws in
      let book = ShelfBook(context: child)
      book.code = 11
      book.title = "new"
      try child.save()
      try parent.performAndWait { () throws in
        let merged = try #require(parent.insertedObjects.first)
        stack.faults.fail(2, of: [.commit])
        let error = #expect(throws: (any Error).self) { try parent.save() }
        #expect(stack.faults.stop())
        #expect(error.map(FaultInjection.made) == true)
        #expect(merged.managedObjectContext == nil && stored.title == "new")
        let info = changes.all.last?.userInfo
        #expect(info?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [merged])
        #expect((info?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.contains(stored) == true)
      }
      // The child's object represents the stored object.
      book.title = "later"
      try child.save()
      try parent.performAndWait { try parent.save() }
    }
    #expect(try stack.contents().contains("11 later 1"))
  }

  /// Docs/Contexts.md, Child contexts.
  @Test(
    "after a failed save that merged two new objects, a child continues with the remaining object",
    arguments: StoreTypes.both)
  func mergedNewObjects(type: String) throws {
    let model = ShelfModel.make()
    model.entitiesByName["ShelfBook"]?.uniquenessConstraints = [["code"]]
    let stack = try FaultStack(type, model)
    let parent = stack.context
    parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let (first, second) = (parent.makeChild(), parent.makeChild())
    try first.performAndWait { () throws in
      ShelfBook(context: first).code = 31
      try first.save()
    }
    try second.performAndWait { () throws in
      let book = ShelfBook(context: second)
      book.code = 31
      book.title = "new"
      try second.save()
      try parent.performAndWait { () throws in
        stack.faults.fail(2, of: [.commit])
        let error = #expect(throws: (any Error).self) { try parent.save() }
        #expect(stack.faults.stop())
        #expect(error.map(FaultInjection.made) == true)
        #expect(parent.insertedObjects.count == 1)
      }
      book.title = "later"
      try second.save()
      try parent.performAndWait { try parent.save() }
      book.title = "last"
      try second.save()
      #expect(!book.objectID.isTemporaryID)
      try parent.performAndWait { try parent.save() }
    }
    #expect(try stack.contents().contains("31 last 0"))
  }
}
