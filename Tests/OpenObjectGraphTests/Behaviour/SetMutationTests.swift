import Foundation
import OpenCoreData
import Testing

/// `willChangeValue(forKey:withSetMutation:using:)` and `subscript(key:)`.
@Suite("Mutations announced by accessors")
struct SetMutationTests {
  @Test("a set mutation of a primitive value marks the object as changed, and is saved")
  func setMutation() throws {
    let stack = try LinkStack(NSSQLiteStoreType)
    let context = stack.context()
    try context.performAndWait { () throws in
      let (owner, item) = (context.link("LinkOwner", 0), context.link("LinkItem", 1))
      try context.save()
      owner.willChangeValue(forKey: "tags", withSetMutation: .union, using: [item])
      owner.setPrimitiveValue(NSSet(object: item), forKey: "tags")
      #expect(!owner.isUpdated)
      owner.didChangeValue(forKey: "tags", withSetMutation: .union, using: [item])
      #expect(owner.isUpdated)
      try context.save()
      context.reset()
      #expect(try context.linked(0)?.linkedCodes("tags") == [1])
    }
  }

  @Test("committedValues(forKeys:) has the saved members, in their order if they have one")
  func committedMembers() throws {
    let stack = try LinkStack(NSSQLiteStoreType)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = context.link("LinkOwner", 0)
      let items = (1...3).map { context.link("LinkItem", $0) }
      owner.setLinkedMembers("tags", items)
      owner.setLinkedMembers("items", items)
      try context.save()
      owner.setLinkedMembers("tags", [items[0]])
      owner.setLinkedMembers("items", [items[2], items[0]])
      let values = owner.committedValues(forKeys: ["tags", "items", "badge"])
      #expect(values["tags"] as? NSSet == NSSet(array: items))
      #expect(values["items"] as? NSOrderedSet == NSOrderedSet(array: items))
      #expect(values["badge"] is NSNull)
      try context.save()
      let saved = owner.committedValues(forKeys: nil)["items"] as? NSOrderedSet
      #expect(saved == NSOrderedSet(array: [items[2], items[0]]))
    }
  }

  /// Apple, mutableSetValue(forKey:): the result is an NSMutableSet, so it can be assigned.
  @Test("setValue and setPrimitiveValue accept the object's own mutable set")
  func ownSet() throws {
    let stack = try LinkStack(NSSQLiteStoreType)
    let context = stack.context()
    try context.performAndWait { () throws in
      let (owner, other) = (context.link("LinkOwner", 0), context.link("LinkOwner", 3))
      let items = (1...2).map { context.link("LinkItem", $0) }
      let tags = owner.mutableSetValue(forKey: "tags")
      tags.addObjects(from: items)
      owner.setValue(tags, forKey: "tags")
      other.setPrimitiveValue(tags, forKey: "tags")
      #expect(owner.linkedCodes("tags").sorted() == [1, 2])
      #expect(other.linkedCodes("tags").sorted() == [1, 2])
      try context.save()
    }
  }

  @Test("the subscript reads and sets a property by name")
  func subscripting() throws {
    let stack = try LinkStack(NSSQLiteStoreType)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = context.link("LinkOwner", 0)
      owner["text"] = "one"
      #expect(owner["text"] as? String == "one")
      #expect(owner.value(forKey: "text") as? String == "one")
      try context.save()
      owner["nothing"] = 1
      #expect(throws: ObjectError.self) { try context.save() }
    }
  }

  @Test("a key path sets the property of an object, or of each member of a collection")
  func keyPath() throws {
    let stack = try LinkStack(NSSQLiteStoreType)
    let context = stack.context()
    try context.performAndWait { () throws in
      let owner = context.link("LinkOwner", 0)
      let items = [context.link("LinkItem", 1), context.link("LinkItem", 2)]
      owner.setValue("nowhere", forKeyPath: "badge.text")
      owner.setValue(items[0], forKeyPath: "badge")
      owner.setLinkedMembers("tags", items)
      owner.setLinkedMembers("items", items)
      owner.setValue("one", forKeyPath: "badge.text")
      #expect(items.map { $0.value(forKey: "text") as? String } == ["one", nil])
      owner.setValue("all", forKeyPath: "tags.text")
      #expect(items.map { $0.value(forKey: "text") as? String } == ["all", "all"])
      owner.setValue("each", forKeyPath: "items.text")
      #expect(items.map { $0.value(forKey: "text") as? String } == ["each", "each"])
      owner.setValue("across", forKeyPath: "tags.tagged.text")
      #expect(owner.value(forKey: "text") as? String == "across")
      try context.save()
      owner.setValue("text", forKey: "text")
      owner.setValue(1, forKeyPath: "text.length")
      #expect(throws: ObjectError.self) { try context.save() }
    }
  }
}
