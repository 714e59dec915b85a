import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// Refreshes that drop the changes of one side of a relationship.
@Suite("Refreshed sides of relationships")
struct RefreshedLinkTests {
  @Test(
    "refreshing either object of a new pair restores the former pair", arguments: StoreTypes.both,
    [0, 1])
  func pair(type: String, side: Int) throws {
    let stack = try LinkStack(type)
    let context = stack.context()
    try context.performAndWait {
      let owner = context.link("LinkOwner", 0)
      let (former, new) = (context.link("LinkItem", 4), context.link("LinkItem", 5))
      owner.setValue(former, forKey: "badge")
      try context.save()
      owner.setValue(new, forKey: "badge")
      context.refresh([owner, new][side], mergeChanges: false)
      for _ in 0..<2 {
        #expect(owner.linkedObject("badge") === former)
        #expect(former.linkedObject("bearer") === owner)
        #expect(new.linkedObject("bearer") == nil)
        #expect(!context.hasChanges)
        try context.save()
        context.refreshAllObjects()
      }
      #expect(context.checkInvariants().isEmpty)
    }
  }

  @Test(
    "a refreshed object's to-many list contains the unsaved members that refer to the object",
    arguments: StoreTypes.both, ["items", "crowd"])
  func list(type: String, name: String) throws {
    let inverse = name == "items" ? "owner" : "host"
    for isReadBefore in [true, false] {
      let stack = try LinkStack(type)
      let context = stack.context()
      try context.performAndWait {
        let (owner, item) = (context.link("LinkOwner", 0), context.link("LinkItem", 4))
        try context.save()
        item.setValue(owner, forKey: inverse)
        context.refresh(owner, mergeChanges: false)
        #expect(!owner.hasChanges && item.isUpdated)
        if isReadBefore { #expect(owner.linkedCodes(name) == [4]) }
        try context.save()
        #expect(owner.linkedCodes(name) == [4])
        context.reset()
        #expect(try context.linked(0)?.linkedCodes(name) == [4])
      }
    }
  }

  /// Apple, shouldRefreshRefetchedObjects: the effect of a refresh that merges changes.
  @Test(
    "if a fetch refreshes an unchanged object, the lists of the former and the new owner change",
    arguments: StoreTypes.both)
  func refetchedMember(type: String) throws {
    let stack = try LinkStack(type)
    let (context, other) = (stack.context(), stack.context())
    try context.performAndWait { () throws in
      let (former, new) = (context.link("LinkOwner", 0), context.link("LinkOwner", 1))
      let item = context.link("LinkItem", 4)
      item.setValue(former, forKey: "host")
      try context.save()
      #expect(former.linkedCodes("crowd") == [4] && new.linkedCodes("crowd") == [])
      try other.performAndWait { () throws in
        try other.linked(4)?.setValue(try other.linked(1), forKey: "host")
        try other.save()
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "LinkItem")
      request.shouldRefreshRefetchedObjects = true
      #expect(try context.fetch(request) == [item])
      #expect(item.linkedObject("host") === new)
      #expect(former.linkedCodes("crowd") == [] && new.linkedCodes("crowd") == [4])
    }
  }

  @Test(
    "a rollback removes unsaved members from the to-many list of a refreshed object",
    arguments: StoreTypes.both)
  func rolledBackList(type: String) throws {
    let stack = try LinkStack(type)
    let context = stack.context()
    try context.performAndWait {
      let (owner, item) = (context.link("LinkOwner", 0), context.link("LinkItem", 4))
      try context.save()
      item.setValue(owner, forKey: "host")
      context.refresh(owner, mergeChanges: false)
      #expect(owner.linkedCodes("crowd") == [4])
      context.rollback()
      #expect(owner.linkedCodes("crowd") == [])
      #expect(item.linkedObject("host") == nil)
    }
  }

  @Test(
    "the rollback policy drops both sides of a new pair if an object violates a constraint",
    arguments: StoreTypes.both)
  func rolledBackPair(type: String) throws {
    let stack = try LinkStack(type) { model in
      model.entitiesByName["LinkOwner"]?.uniquenessConstraints = [["text"]]
    }
    let context = stack.context(.rollback)
    try context.performAndWait {
      let owners = (0..<2).map { context.link("LinkOwner", $0) }
      for owner in owners { owner.setValue("text \(owner.linkCode)", forKey: "text") }
      let item = context.link("LinkItem", 4)
      try context.save()
      owners[1].setValue("text 0", forKey: "text")
      owners[1].setValue(item, forKey: "badge")
      try context.save()
      #expect(owners[1].value(forKey: "text") as? String == "text 1")
      #expect(owners[1].linkedObject("badge") == nil && item.linkedObject("bearer") == nil)
      context.reset()
      #expect(try context.linked(4)?.linkedObject("bearer") == nil)
    }
  }
}
