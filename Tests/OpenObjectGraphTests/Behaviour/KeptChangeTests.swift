import Foundation
import OpenCoreData
import Testing

/// Values that are set right after earlier values were discarded.
@Suite("Kept changes", .serialized)
struct KeptChangeTests {
  private func node(in context: NSManagedObjectContext) throws -> NSManagedObject {
    let node = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
    node.setValue("first", forKey: "name")
    try context.save()
    return node
  }

  private func storedName(beside context: NSManagedObjectContext) throws -> String? {
    let nodes = try other(beside: context)
      .fetch(NSFetchRequest<NSManagedObject>(entityName: "Node"))
    return nodes.first?.value(forKey: "name") as? String
  }

  /// Saves a number of a node in another context.
  private func saveNumber(
    _ number: Int, of node: NSManagedObject, beside context: NSManagedObjectContext
  ) throws {
    let other = other(beside: context)
    try other.existingObject(with: node.objectID).setValue(number, forKey: "number")
    try other.save()
  }

  private func other(beside context: NSManagedObjectContext) -> NSManagedObjectContext {
    let other = NSManagedObjectContext(.mainQueue)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    return other
  }

  @MainActor
  @Test("a property set after a refresh that dropped an edit is saved", arguments: UndoModel.stores)
  func afterRefresh(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("dropped", forKey: "name")
    context.refresh(node, mergeChanges: false)
    #expect(!context.hasChanges)
    node.setValue("kept", forKey: "name")
    #expect(context.hasChanges)
    try context.save()
    #expect(try storedName(beside: context) == "kept")
  }

  @MainActor
  @Test(
    "a list changed after a refresh of its owner marks the owner as changed",
    arguments: UndoModel.stores)
  func listAfterRefresh(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("dropped", forKey: "name")
    context.refresh(node, mergeChanges: false)
    let child = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
    child.setValue(node, forKey: "parent")
    #expect(node.isUpdated)
    #expect(node.changedValues().keys.contains("children"))
  }

  @MainActor
  @Test(
    "a transient value persists across saves until it is set to nil or its object becomes a fault",
    arguments: UndoModel.stores)
  func transient(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("second", forKey: "name")
    node.setValue("only here", forKey: "note")
    try context.save()
    #expect(node.value(forKey: "note") as? String == "only here")
    #expect(node.value(forKey: "name") as? String == "second")
    node.setValue(nil, forKey: "note")
    #expect(node.value(forKey: "note") == nil)
    try context.save()
    #expect(node.value(forKey: "note") == nil)
    node.setValue("again", forKey: "note")
    try context.save()
    context.refresh(node, mergeChanges: false)
    #expect(node.value(forKey: "note") == nil)
  }

  @MainActor
  @Test(
    "a saved transient value stays when the object is refreshed and keeps its changes",
    arguments: UndoModel.stores)
  func transientAfterRefresh(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("only here", forKey: "note")
    try context.save()
    context.refresh(node, mergeChanges: true)
    #expect(node.value(forKey: "note") as? String == "only here")
    context.refresh(node, mergeChanges: false)
    #expect(node.value(forKey: "note") == nil)
  }

  /// Apple, shouldRefreshRefetchedObjects: the effect of a refresh that merges changes.
  @MainActor
  @Test(
    "a saved transient value stays when a fetch refreshes the object", arguments: UndoModel.stores)
  func transientAfterRefetch(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("only here", forKey: "note")
    try context.save()
    try saveNumber(9, of: node, beside: context)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
    request.shouldRefreshRefetchedObjects = true
    #expect(try context.fetch(request) == [node])
    #expect(node.value(forKey: "number") as? Int == 9)
    #expect(node.value(forKey: "note") as? String == "only here")
  }

  @MainActor
  @Test(
    "after the save of a deletion, an object keeps its stored and transient values",
    arguments: UndoModel.stores)
  func transientAfterDeletion(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("only here", forKey: "note")
    try context.save()
    context.delete(node)
    try context.save()
    #expect(node.managedObjectContext == nil)
    #expect(node.value(forKey: "name") as? String == "first")
    #expect(node.value(forKey: "note") as? String == "only here")
  }

  /// Apple, Core Data Programming Guide: related objects have strong references to each other.
  @MainActor
  @Test(
    "a saved object retains a destination that was only set, which keeps its transient value",
    arguments: UndoModel.stores)
  func setDestination(_ type: String) throws {
    let context = try UndoModel.context(type)
    let child = UndoModel.insert("Node", "child", in: context)
    do {
      let parent = UndoModel.insert("Node", "parent", in: context)
      let mentor = UndoModel.insert("Node", "mentor", in: context)
      parent.setValue("of the parent", forKey: "note")
      mentor.setValue("of the mentor", forKey: "note")
      child.setValue(parent, forKey: "parent")
      child.setValue(mentor, forKey: "mentor")
    }
    try context.save()
    #expect(child.related("parent").first?.value(forKey: "note") as? String == "of the parent")
    #expect(child.related("mentor").first?.value(forKey: "note") as? String == "of the mentor")
  }

  @MainActor
  @Test(
    "a saved object releases unread members and unread destinations with temporary ids (D-485)",
    arguments: UndoModel.stores)
  func addedMembers(_ type: String) throws {
    let context = try UndoModel.context(type)
    let parent = try node(in: context)
    do { UndoModel.insert("Node", in: context).setValue(parent, forKey: "parent") }
    try context.save()
    #expect(context.registeredObjects == [parent])
    #expect(parent.related("children").count == 1)
    #expect(context.registeredObjects.count == 2)
    let child = NSManagedObjectContext(.mainQueue)
    child.parent = context
    let pupil = UndoModel.insert("Node", in: child)
    do { pupil.setValue(UndoModel.insert("Node", in: child), forKey: "mentor") }
    try child.save()
    #expect(child.registeredObjects == [pupil])
  }

  @MainActor
  @Test(
    "refreshing all objects updates changed objects to the newest row and keeps their changes",
    arguments: UndoModel.stores)
  func changedAfterRefreshOfAll(_ type: String) throws {
    let context = try UndoModel.context(type)
    let node = try node(in: context)
    node.setValue("mine", forKey: "name")
    try saveNumber(9, of: node, beside: context)
    context.refreshAllObjects()
    #expect(node.value(forKey: "number") as? Int == 9)
    #expect(node.value(forKey: "name") as? String == "mine")
    try context.save()
    #expect(try storedName(beside: context) == "mine")
  }
}
