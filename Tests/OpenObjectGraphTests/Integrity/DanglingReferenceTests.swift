import Foundation
import OpenCoreData
import Testing

/// References that no store could ever follow are errors of the save.
@Suite("Dangling references")
struct DanglingReferenceTests {
  /// Without an inverse nothing takes the reference away.
  @Test(
    "a reference without inverse to an object that was inserted and deleted again fails the save, which writes nothing",
    arguments: StoreTypes.both, ["note", "loose"])
  func insertedAndDeleted(type: String, name: String) throws {
    let stack = try LinkStack(type)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = context.link("LinkOwner", 1)
      let item = context.link("LinkItem", 2)
      name == "note" ? owner.setValue(item, forKey: name) : owner.__addMember(item, name)
      context.delete(item)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSManagedObjectValidationError)
      #expect(error?.validationObject as? NSManagedObject === owner)
      #expect(error?.validationKey == name)
      #expect(error?.validationValue as? NSManagedObject === item)
      #expect(owner.isInserted)
      owner.setValue(nil, forKey: name)
      try context.save()
    }
    let reader = try stack.foreignContext()
    try reader.performAndWait { () throws in
      #expect(try LinkState(of: reader).links == [1: [:]])
    }
  }

  @Test(
    "a reference without inverse to a saved object that the same save deletes fails it",
    arguments: StoreTypes.both)
  func deletedBySameSave(type: String) throws {
    let stack = try LinkStack(type)
    let context = stack.context(.mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let (owner, item) = (context.link("LinkOwner", 1), context.link("LinkItem", 2))
      try context.save()
      owner.setValue(item, forKey: "note")
      context.delete(item)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSManagedObjectValidationError)
      context.insert(item)
      try context.save()
      #expect(owner.linkedObject("note") === item)
    }
  }

  @Test("all dangling references of a save are reported")
  func severalReferences() throws {
    let stack = try LinkStack(NSInMemoryStoreType)
    let context = stack.context()
    context.performAndWait {
      let item = context.link("LinkItem", 9)
      for code in 0..<3 { context.link("LinkOwner", code).setValue(item, forKey: "note") }
      context.delete(item)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSValidationMultipleErrorsError)
      #expect((error?.userInfo[NSDetailedErrorsKey] as? [any Error])?.count == 3)
    }
  }

  @Test(
    "a child context's reference to an object that it inserted and deleted fails the child's save")
  func childContext() throws {
    let stack = try LinkStack(NSInMemoryStoreType)
    let parent = stack.context()
    let child = parent.makeChild()
    child.performAndWait {
      let (owner, item) = (child.link("LinkOwner", 1), child.link("LinkItem", 2))
      owner.setValue(item, forKey: "note")
      child.delete(item)
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code.rawValue == NSManagedObjectValidationError)
    }
    parent.performAndWait { #expect(!parent.hasChanges) }
  }

  @Test("an object of a temporary id of elsewhere is no destination", arguments: StoreTypes.both)
  func foreignTemporaryID(type: String) throws {
    let stack = try LinkStack(type)
    let (context, other) = (stack.context(), stack.context())
    let id = other.performAndWait { other.link("LinkItem", 1).objectID }
    context.performAndWait {
      context.link("LinkOwner", 2).setValue(context.object(with: id), forKey: "note")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSManagedObjectValidationError)
      #expect(error?.localizedDescription.contains("temporary id of another context") == true)
    }
  }
}
