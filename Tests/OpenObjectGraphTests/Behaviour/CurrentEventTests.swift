import Foundation
import OpenCoreData
import Testing

/// `changedValuesForCurrentEvent()`: the properties changed since the last change notification,
/// with their former values.
@Suite("Values changed in the current event")
struct CurrentEventTests {
  private func run(
    _ work: (FetchingStack, _ item: NSManagedObject, _ owner: NSManagedObject) throws -> Void
  ) throws {
    try FetchingStack(NSSQLiteStoreType).run { stack in
      let item = try #require(try stack.item("a"))
      let owner = try #require(try stack.item("a", "Owner"))
      try work(stack, item, owner)
    }
  }

  @Test("values are those before the event regardless of earlier events")
  func formerValues() throws {
    try run { stack, item, _ in
      #expect(item.changedValuesForCurrentEvent().isEmpty)
      item.setValue("first", forKey: "name")
      item.setValue("second", forKey: "name")
      #expect(item.changedValuesForCurrentEvent() as? [String: String] == ["name": "a"])
      stack.context.processPendingChanges()
      #expect(item.changedValuesForCurrentEvent().isEmpty)
      item.setValue("third", forKey: "name")
      item.setValue(nil, forKey: "price")
      let changed = item.changedValuesForCurrentEvent()
      #expect(Set(changed.keys) == ["name", "price"])
      #expect(changed["name"] as? String == "second")
      #expect(changed["price"] as? Double == 1.5)
      #expect(Set(item.changedValues().keys) == ["name", "price"])
      stack.context.processPendingChanges()
      item.setValue(4.5, forKey: "price")
      #expect(item.changedValuesForCurrentEvent()["price"] is NSNull)
      item.setValue(nil, forKey: "price")
      #expect(item.changedValuesForCurrentEvent().isEmpty)
      try stack.context.save()
      #expect(item.changedValuesForCurrentEvent().isEmpty)
    }
  }

  @Test("observers of the notification see the reported values")
  func observers() throws {
    try run { stack, item, _ in
      // The notification is posted on this queue.
      nonisolated(unsafe) let item = item
      nonisolated(unsafe) var seen: [[String: String]] = []
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
      ) { _ in
        let names = item.changedValuesForCurrentEvent().compactMapValues { $0 as? String }
        seen.append(names)
      }
      defer { NotificationCenter.default.removeObserver(token) }
      item.setValue("first", forKey: "name")
      stack.context.processPendingChanges()
      item.setValue("second", forKey: "name")
      stack.context.processPendingChanges()
      stack.insert("Item", ["name": "other"])
      stack.context.processPendingChanges()
      #expect(seen == [["name": "a"], ["name": "first"], [:]])
    }
  }

  @Test("both sides of a relationship have their former destinations and members")
  func relationships() throws {
    try run { stack, item, owner in
      func former(_ owner: NSManagedObject) -> Set<NSManagedObject>? {
        owner.changedValuesForCurrentEvent()["items"] as? Set<NSManagedObject>
      }
      let other = try #require(try stack.item("bob", "Owner"))
      let members = try #require(owner.value(forKey: "items") as? Set<NSManagedObject>)
      item.setValue(other, forKey: "owner")
      #expect(item.changedValuesForCurrentEvent()["owner"] as? NSManagedObject === owner)
      #expect(former(owner) == members)
      #expect(former(other)?.contains(item) == false)
      stack.context.processPendingChanges()
      let new = stack.insert("Item", ["name": "new", "owner": owner])
      #expect(former(owner) == members.subtracting([item]))
      #expect(former(other) == nil)
      item.setValue(owner, forKey: "owner")
      #expect(former(owner) == members.subtracting([item]))
      #expect(item.changedValuesForCurrentEvent()["owner"] as? NSManagedObject === other)
      #expect(new.changedValuesForCurrentEvent()["owner"] is NSNull)
    }
  }

  @Test("the former value of a transformable attribute is decoded", arguments: UndoModel.stores)
  func transformables(_ type: String) throws {
    let (context, _) = try UndoModel.undoingContext(type)
    try context.performAndWait { () throws in
      let node = UndoModel.insert("Node", in: context)
      node.setValue(["first"], forKey: "blob")
      try context.save()
      node.setValue(["second"], forKey: "blob")
      #expect(node.changedValuesForCurrentEvent()["blob"] as? [String] == ["first"])
      try context.save()
      context.undo()
      context.processPendingChanges()
      #expect(node.value(forKey: "blob") as? [String] == ["first"])
      node.setValue(["third"], forKey: "blob")
      #expect(node.changedValuesForCurrentEvent()["blob"] as? [String] == ["first"])
    }
  }

  @Test("objects that are deleted, undone or without a context report no false changes")
  func otherObjects() throws {
    try run { stack, item, _ in
      stack.context.undoManager = UndoManager()
      item.setValue("first", forKey: "name")
      stack.context.processPendingChanges()
      stack.context.undo()
      #expect(item.value(forKey: "name") as? String == "a")
      item.setValue("second", forKey: "name")
      #expect(item.changedValuesForCurrentEvent() as? [String: String] == ["name": "a"])
      stack.context.delete(item)
      #expect(item.changedValuesForCurrentEvent().isEmpty)
      let detached = NSManagedObject(entity: item.entity, insertInto: nil)
      detached.setValue("x", forKey: "name")
      #expect(detached.changedValuesForCurrentEvent().isEmpty)
    }
  }
}
