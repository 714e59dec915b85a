import Foundation
import OpenCoreData
import Testing

/// References to missing objects make the save throw.
@Suite("Dangling references")
struct DanglingReferenceTests {
  /// Without an inverse, no delete rule removes the reference.
  @Test(
    "a reference without inverse to an inserted and deleted object makes the save throw and write nothing",
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
    "a reference without inverse to an object that the same save deletes makes the save throw",
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

  @Test("a temporary id of another context is not a destination", arguments: StoreTypes.both)
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
