import Dispatch
import Foundation
import OpenCoreData
import OpenManagedMacros
import Synchronization
import Testing

/// Which objects a context has registered, when they are equal, and on which of them a save calls
/// hooks.
@Suite("Registered objects")
struct RegisteredObjectTests {
  @Test(
    "objects with distant keys are found, and only retained objects stay registered",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func distantKeys(type: String) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    try context.performAndWait { () throws in
      for code in 0..<1024 { ShelfBook(context: context).code = Int32(code) }
      try context.save()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      for book in try context.fetch(request) where book.objectID.rowKey % 16 != 0 {
        context.delete(book)
      }
      try context.save()
      context.reset()
      var books = try context.fetch(request)
      let ids = books.map(\.objectID)
      #expect(ids.count == 64)
      for book in books { #expect(context.registeredObject(for: book.objectID) === book) }
      books.removeAll { $0.objectID.rowKey % 32 != 0 }
      let kept = Set(books.map(\.objectID))
      for id in ids { #expect((context.registeredObject(for: id) != nil) == kept.contains(id)) }
      #expect(Set(try context.fetch(request).map(\.objectID)) == Set(ids))
    }
  }

  @Test("several threads read the ids of saved objects at the same time, and get the same ids")
  func idsOnThreads() throws {
    let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    nonisolated(unsafe) var books: [ShelfBook] = []
    try context.performAndWait { () throws in
      for code in 0..<500 { ShelfBook(context: context).code = Int32(code) }
      try context.save()
      context.reset()
      books = try context.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
    }
    let seen = Mutex<[Set<ObjectIdentifier>]>(Array(repeating: [], count: books.count))
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let ids = books.map(\.objectID)
      seen.withLock { seen in
        for (place, id) in ids.enumerated() { seen[place].insert(ObjectIdentifier(id)) }
      }
    }
    #expect(books.count == 500)
    #expect(seen.withLock { $0.allSatisfy { $0.count == 1 } })
    withExtendedLifetime(context) {}
  }

  @Test("an object is equal only to itself, however it is passed")
  func equality() throws {
    let context = try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()
    context.performAndWait {
      let (one, other) = (ShelfBook(context: context), ShelfBook(context: context))
      let address = UInt(bitPattern: Unmanaged.passUnretained(one).toOpaque())
      #expect(one.isEqual(one))
      #expect(one.isEqual(one as Any))
      #expect(one.isEqual(Optional(one) as Any))
      #expect(one.isEqual(one as NSObject))
      #expect(!one.isEqual(other))
      #expect(!one.isEqual(nil))
      #expect(!one.isEqual(address))
      #expect(!one.isEqual(NSNumber(value: address)))
      #expect(!one.isEqual("a text that takes two words"))
      #expect(Set([one, other, one]).count == 2)
    }
  }

  /// Apple, existingObject(with:) and shouldDeleteInaccessibleFaults.
  @Test(
    "existingObject(with:) throws for a registered fault without a row, which stays registered",
    arguments: StoreTypes.both)
  func faultWithoutRow(type: String) throws {
    let container = try ShelfModel.container(type)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try context.performAndWait { () throws in
      let book = ShelfBook(context: context)
      try context.save()
      context.refresh(book, mergeChanges: false)
      try other.performAndWait { () throws in
        other.delete(try other.existingObject(with: book.objectID))
        try other.save()
      }
      let error = #expect(throws: CocoaError.self) {
        _ = try context.existingObject(with: book.objectID)
      }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(book.managedObjectContext === context && !context.hasChanges)
      #expect(book.title == nil && book.isDeleted)
    }
  }

  /// Apple, refresh(_:mergeChanges:) and shouldDeleteInaccessibleFaults.
  @Test(
    "a refreshed object without a row becomes a fault, and keeps only unsaved changes",
    arguments: StoreTypes.both)
  func refreshWithoutRow(type: String) throws {
    let container = try ShelfModel.container(type)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try context.performAndWait { () throws in
      let (book, changed) = (ShelfBook(context: context), ShelfBook(context: context))
      book.title = "Old"
      try context.save()
      changed.title = "New"
      try other.performAndWait { () throws in
        for object in [book, changed] {
          other.delete(try other.existingObject(with: object.objectID))
        }
        try other.save()
      }
      context.refresh(book, mergeChanges: true)
      #expect(book.isFault)
      #expect(book.title == nil && book.isDeleted)
      context.refresh(changed, mergeChanges: true)
      #expect(changed.title == "New")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
    }
  }

  /// Apple, refresh(_:mergeChanges:).
  @Test(
    "a deleted object that is refreshed has the newest row, so that the next save deletes it",
    arguments: StoreTypes.both)
  func refreshOfDeletion(type: String) throws {
    let container = try ShelfModel.container(type)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try context.performAndWait { () throws in
      let book = ShelfBook(context: context)
      try context.save()
      context.delete(book)
      try other.performAndWait { () throws in
        let same = try #require(try other.existingObject(with: book.objectID) as? ShelfBook)
        same.title = "Newer"
        try other.save()
      }
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.refresh(book, mergeChanges: true)
      #expect(book.isDeleted && book.title == "Newer")
      try context.save()
      #expect(try context.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) == 0)
    }
  }

  // MARK: Ids of destinations

  @Test(
    "objectIDs(forRelationshipNamed:) returns ids with the actual entities of the destinations",
    arguments: StoreTypes.both)
  func destinationEntities(type: String) throws {
    let stack = try LinkStack(type)
    let writer = stack.context()
    try writer.performAndWait { () throws in
      let owner = writer.link("LinkOwner", 1)
      owner.setValue(writer.link("LinkSpecial", 2), forKey: "note")
      owner.setValue(writer.link("LinkItem", 3), forKey: "badge")
      try writer.save()
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = try #require(try context.links("LinkOwner").first)
      let id = try #require(owner.objectIDs(forRelationshipNamed: "note").first)
      #expect(context.registeredObject(for: id) == nil)
      #expect(id.entity.name == "LinkSpecial")
      #expect(id.uriRepresentation().path.hasPrefix("/LinkSpecial/"))
      let special = context.object(with: id)
      #expect(special.entity.name == "LinkSpecial" && special.linkCode == 2)
      #expect(owner.linkedObject("note") === special)
      let badges = owner.objectIDs(forRelationshipNamed: "badge")
      #expect(badges.map(\.entity.name) == ["LinkItem"])
    }
    withExtendedLifetime(stack) {}
  }

  @Test(
    "objectIDs(forRelationshipNamed:) of a child returns the permanent id after the parent's save",
    arguments: StoreTypes.both)
  func permanentDestinations(type: String) throws {
    let stack = try LinkStack(type)
    let parent = stack.context()
    let child = parent.makeChild()
    let special = parent.performAndWait { () -> NSManagedObject in
      let special = parent.link("LinkSpecial", 2)
      parent.link("LinkOwner", 1).setValue(special, forKey: "note")
      return special
    }
    try child.performAndWait { () throws in
      let owner = try #require(try child.links("LinkOwner").first)
      let before = owner.objectIDs(forRelationshipNamed: "note")
      #expect(before.map(\.isTemporaryID) == [true])
      #expect(before.map(\.entity.name) == ["LinkSpecial"])
      let id = try parent.performAndWait { () throws in
        try parent.save()
        return special.objectID
      }
      let after = owner.objectIDs(forRelationshipNamed: "note")
      #expect(after == [id])
      #expect(after.map(\.entity.name) == ["LinkSpecial"])
    }
    withExtendedLifetime(stack) {}
  }

  // MARK: willSave

  @Test("willSave is called on each changed object, also on those that it adds to the changes")
  func hooks() throws {
    let context = try HookedModel.makeContext()
    try context.performAndWait { () throws in
      let (one, other, idle) = (
        HookedNode(context: context), HookedNode(context: context), HookedNode(context: context)
      )
      try context.save()
      for node in [one, other, idle] { node.hookCount = 0 }
      one.hook = { if other.number == 0 { other.number = 7 } }
      one.number = 1
      try context.save()
      #expect([one, other, idle].map(\.hookCount) == [1, 1, 0])
      #expect(!context.hasChanges)
      context.refreshAllObjects()
      #expect([one, other, idle].map(\.number) == [1, 7, 0])
      other.number = 8
      try context.save()
      #expect([one, other, idle].map(\.hookCount) == [1, 2, 0])
    }
  }

  @Test("an object that changes after willSave dropped all changes is notified and saved")
  func droppedChanges() throws {
    let context = try HookedModel.makeContext()
    try context.performAndWait { () throws in
      let (one, other) = (HookedNode(context: context), HookedNode(context: context))
      try context.save()
      for node in [one, other] { node.hookCount = 0 }
      one.hook = {
        context.rollback()
        other.number = 7
      }
      one.number = 1
      try context.save()
      #expect([one, other].map(\.hookCount) == [1, 1])
      context.refreshAllObjects()
      #expect([one, other].map(\.number) == [0, 7])
    }
  }

  @Test("the save after a failed save notifies objects again")
  func failedSave() throws {
    let context = try HookedModel.makeContext()
    try context.performAndWait { () throws in
      let node = HookedNode(context: context)
      node.number = -1
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(node.hookCount == 1)
      node.number = 1
      try context.save()
      #expect(node.hookCount == 2)
    }
  }

  @Test(
    "a context that retains its objects releases the objects that leave it",
    arguments: StoreTypes.both)
  func leavingObjects(type: String) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    context.retainsRegisteredObjects = true
    weak var deleted: ShelfBook?
    weak var discarded: ShelfBook?
    try context.performAndWait { () throws in
      let books = (ShelfBook(context: context), ShelfBook(context: context))
      context.processPendingChanges()
      context.delete(books.1)
      try context.save()
      context.delete(books.0)
      try context.save()
      deleted = books.0
      discarded = books.1
    }
    context.performAndWait {
      #expect(context.registeredObjects.isEmpty)
      #expect(deleted == nil)
      #expect(discarded == nil)
    }
  }
}

/// An object that records the calls of its hooks before a save.
@ManagedObject
final class HookedNode: NSManagedObject {
  @Managed var number: Int64
  var hook: (() -> Void)?
  var hookCount = 0

  override func willSave() {
    super.willSave()
    hookCount += 1
    hook?()
  }
}

enum HookedModel {
  /// A context on a new store in memory; numbers must not be negative.
  static func makeContext() throws -> NSManagedObjectContext {
    let number = NSAttributeDescription()
    number.name = "number"
    number.attributeType = .integer64AttributeType
    number.defaultValue = 0
    number.setValidationPredicates(
      [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["too small"])
    let node = NSEntityDescription()
    node.name = "HookedNode"
    node.managedObjectClassName = "HookedNode"
    node.properties = [number]
    let model = NSManagedObjectModel()
    model.entities = [node]
    return try ValidationModel.context(of: model)
  }
}
