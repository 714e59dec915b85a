import Foundation
import OpenCoreData
import Testing

/// Ordered relationships are the same in a merging context and in the store.
@Suite("Merged orders")
struct MergedOrderTests {
  @Test(
    "an unsaved order drops members that another context moved, and keeps the other members in place",
    arguments: StoreTypes.both, ["items", "picks"])
  func movedMember(type: String, name: String) throws {
    let stack = try LinkStack(type)
    let (a, b) = (stack.context(), stack.context())
    for context in [a, b] {
      context.automaticallyMergesChangesFromParent = true
      context.retainsRegisteredObjects = true
    }
    func set(_ owner: Int, _ codes: [Int], in context: NSManagedObjectContext) throws {
      let objects = try codes.compactMap { try context.linked($0) }
      try #require(try context.linked(owner)).setLinkedMembers(name, objects)
    }
    try a.performAndWait { () throws in
      for code in 0..<3 { a.link("LinkItem", code) }
      for code in 10..<13 { a.link("LinkOwner", code) }
      try set(10, [2, 0], in: a)
      try a.save()
      try set(10, [1, 2], in: a)
    }
    try b.performAndWait { () throws in
      try set(12, [2, 0], in: b)
      if name == "picks" { try set(10, [0], in: b) }
      try b.save()
    }
    try a.performAndWait { () throws in
      try a.save()
      let reader = try stack.foreignContext()
      let stored = try reader.performAndWait { () throws in try LinkState(of: reader) }
      #expect(try LinkState(of: a).differences(from: stored) == [])
      #expect(try #require(try a.linked(10)).linkedCodes(name) == [1])
    }
  }

  @Test(
    "an unsaved order appends members that another context added",
    arguments: StoreTypes.both)
  func addedMember(type: String) throws {
    let stack = try LinkStack(type)
    let (a, b) = (stack.context(), stack.context())
    a.automaticallyMergesChangesFromParent = true
    a.retainsRegisteredObjects = true
    try a.performAndWait { () throws in
      let owner = a.link("LinkOwner", 10)
      owner.setLinkedMembers("items", (0..<3).map { a.link("LinkItem", $0) })
      try a.save()
      owner.setLinkedMembers("items", owner.linkedMembers("items").reversed())
    }
    try b.performAndWait { () throws in
      b.link("LinkItem", 3).setValue(try b.linked(10), forKey: "owner")
      try b.save()
    }
    try a.performAndWait { () throws in
      #expect(try a.linked(10)?.linkedCodes("items") == [2, 1, 0, 3])
      try a.save()
      let reader = try stack.foreignContext()
      try reader.performAndWait { () throws in
        #expect(try reader.linked(10)?.linkedCodes("items") == [2, 1, 0, 3])
      }
    }
  }

  @Test(
    "a refresh keeps an unsaved order, additions and removals, and adds members of other contexts",
    arguments: StoreTypes.both, ["items", "picks"])
  func refreshedOrder(type: String, name: String) throws {
    let stack = try LinkStack(type)
    let (a, b) = (stack.context(), stack.context())
    let owner = try a.performAndWait { () throws -> NSManagedObject in
      let owner = a.link("LinkOwner", 10)
      let items = (0..<3).map { a.link("LinkItem", $0) }
      owner.setLinkedMembers(name, items)
      try a.save()
      owner.setLinkedMembers(name, [items[2], items[0], a.link("LinkItem", 4)])
      return owner
    }
    try b.performAndWait { () throws in
      let owner = try #require(try b.linked(10))
      owner.setLinkedMembers(name, owner.linkedMembers(name) + [b.link("LinkItem", 3)])
      try b.save()
    }
    try a.performAndWait { () throws in
      #expect(owner.linkedCodes(name) == [2, 0, 4])
      a.refresh(owner, mergeChanges: true)
      #expect(owner.linkedCodes(name) == [2, 0, 4, 3])
      try a.save()
      let reader = try stack.foreignContext()
      try reader.performAndWait { () throws in
        #expect(try reader.linked(10)?.linkedCodes(name) == [2, 0, 4, 3])
      }
    }
  }

  @Test(
    "dropping an unsaved order after a merge releases its owner", arguments: [true, false])
  func droppedOrder(isReset: Bool) throws {
    let stack = try LinkStack(NSInMemoryStoreType)
    let (a, b) = (stack.context(), stack.context())
    a.automaticallyMergesChangesFromParent = true
    weak var owner: NSManagedObject?
    a.performAndWait {
      let fresh = a.link("LinkOwner", 10)
      owner = fresh
      fresh.setLinkedMembers("items", (0..<3).map { a.link("LinkItem", $0) })
    }
    try a.performAndWait { () throws in
      let kept = try #require(owner)
      try a.save()
      kept.setLinkedMembers("items", kept.linkedMembers("items").reversed())
    }
    try b.performAndWait { () throws in
      b.link("LinkItem", 3).setValue(try b.linked(10), forKey: "owner")
      try b.save()
    }
    a.performAndWait {
      #expect(owner?.hasChanges == true)
      if isReset { a.reset() } else { a.rollback() }
      #expect(owner == nil)
    }
  }
}
