import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// The destinations of a save exist when it commits, whether or not its context was notified of a
/// deletion.
@Suite("Lost destinations")
struct LostDestinationTests {
  /// Relationships that lead from an owner to an item.
  private static let relationships = [
    "items", "crowd", "badge", "tags", "picks", "note", "loose",
  ]

  /// A store whose item 1 is deleted without notifying a context that has loaded it.
  private static func lose(
    _ type: String, _ policy: NSMergePolicy
  ) throws -> (LinkStack, NSManagedObjectContext) {
    let stack = try LinkStack(type)
    let (context, other) = (stack.context(policy), stack.context())
    context.retainsRegisteredObjects = true
    try other.performAndWait { () throws in
      other.link("LinkOwner", 0)
      other.link("LinkItem", 1)
      other.link("LinkItem", 2)
      try other.save()
    }
    try context.performAndWait { () throws in _ = try LinkState(of: context) }
    try other.performAndWait { () throws in
      other.delete(try #require(try other.linked(1)))
      try other.save()
    }
    return (stack, context)
  }

  private static func refer(
    _ kind: String, _ name: String, _ context: NSManagedObjectContext
  ) throws -> (NSManagedObject, NSManagedObject) {
    let owner =
      kind == "new owner"
      ? context.link("LinkOwner", 9)
      : try #require(context.registeredObjects.first { $0.entity.name == "LinkOwner" })
    let item = try #require(context.registeredObjects.first { $0.linkCode == 1 })
    if LinkModel.toOne["LinkOwner"]?.contains(name) == true {
      owner.setValue(item, forKey: name)
    } else {
      owner.__addMember(item, name)
    }
    return (owner, item)
  }

  private static func stored(_ stack: LinkStack) throws -> LinkState {
    let context = try stack.foreignContext()
    return try context.performAndWait { () throws in try LinkState(of: context) }
  }

  @Test(
    "under the error policy, a save that refers to a deleted row throws and writes nothing",
    arguments: StoreTypes.both, ["LinkOwner", "new owner"])
  func errorPolicy(type: String, kind: String) throws {
    for name in Self.relationships {
      let (stack, context) = try Self.lose(type, .error)
      let before = try Self.stored(stack)
      try context.performAndWait { () throws in
        let (owner, item) = try Self.refer(kind, name, context)
        let error = #expect(throws: CocoaError.self, "\(name)") { try context.save() }
        #expect(error?.code == .managedObjectMerge, "\(name)")
        #expect(error?.persistentStoreSaveConflicts?.map(\.sourceObject) == [item], "\(name)")
        #expect(error?.persistentStoreSaveConflicts?.first?.newVersionNumber == 0, "\(name)")
        #expect(owner.hasChanges, "\(name)")
      }
      #expect(try Self.stored(stack) == before, "\(name)")
    }
  }

  @Test(
    "every other policy removes the lost destination from the relationship, in the store and the context",
    arguments: StoreTypes.both, ["LinkOwner", "new owner"])
  func otherPolicies(type: String, kind: String) throws {
    for policy in LinkHistory.policies.dropFirst() {
      for name in Self.relationships {
        let (stack, context) = try Self.lose(type, policy)
        try context.performAndWait { () throws in
          let (owner, item) = try Self.refer(kind, name, context)
          try context.save()
          #expect(!context.hasChanges)
          #expect(owner.managedObjectContext != nil)
          #expect(owner.linkedMembers(name).isEmpty && owner.linkedObject(name) == nil, "\(name)")
          #expect(item.managedObjectContext == nil, "\(name)")
        }
        let state = try Self.stored(stack)
        #expect(state.faults(since: nil).isEmpty, "\(name), \(policy.mergeType)")
        #expect(state.links.keys.contains(kind == "new owner" ? 9 : 0), "\(name)")
      }
    }
  }

  @Test(
    "store trump and rollback keep the stored destination; object trump and overwrite keep none")
  func formerDestination() throws {
    for policy in LinkHistory.policies.dropFirst() {
      let (stack, context) = try Self.lose(NSSQLiteStoreType, policy)
      try context.performAndWait { () throws in
        let owner = try #require(try context.linked(0))
        let item = try #require(context.registeredObjects.first { $0.linkCode == 1 })
        let other = try #require(context.registeredObjects.first { $0.linkCode == 2 })
        owner.setValue(other, forKey: "note")
        try context.save()
        owner.setValue(item, forKey: "note")
        try context.save()
        let storeWins =
          policy === NSMergePolicy.rollback || policy === NSMergePolicy.mergeByPropertyStoreTrump
        #expect(owner.linkedObject("note") === (storeWins ? other : nil), "\(policy.mergeType)")
      }
      #expect(try Self.stored(stack).faults(since: nil).isEmpty)
    }
  }

  @Test(
    "a required relationship that lost its destination makes the save throw, and the change stays",
    arguments: StoreTypes.both)
  func mandatory(type: String) throws {
    let stack = try LinkStack(type) { model in
      model.entitiesByName["LinkOwner"]?.relationshipsByName["note"]?.isOptional = false
    }
    let (context, other) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
    try context.performAndWait { () throws in
      let item = context.link("LinkItem", 1)
      try context.save()
      try other.performAndWait { () throws in
        other.delete(try #require(try other.linked(1)))
        try other.save()
      }
      let owner = context.link("LinkOwner", 2)
      owner.setValue(item, forKey: "note")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      #expect(owner.isInserted)
      #expect(owner.linkedObject("note") === item)
    }
    #expect(try Self.stored(stack).links.isEmpty)
  }

  @Test(
    "a delete rule also applies to rows that another context linked to the object in the meantime",
    arguments: StoreTypes.both)
  func unknownReferences(type: String) throws {
    for name in ["items", "crowd", "badge"] {
      let stack = try LinkStack(type)
      let (context, other) = (stack.context(.mergeByPropertyObjectTrump), stack.context())
      try context.performAndWait { () throws in
        let owner = context.link("LinkOwner", 0)
        context.link("LinkItem", 1)
        try context.save()
        context.delete(owner)
        context.processPendingChanges()
      }
      try other.performAndWait { () throws in
        let owner = try #require(try other.linked(0))
        let item = try #require(try other.linked(1))
        name == "badge" ? owner.setValue(item, forKey: name) : owner.__addMember(item, name)
        try other.save()
      }
      try context.performAndWait { () throws in
        try context.save()
        #expect(!context.hasChanges)
      }
      let state = try Self.stored(stack)
      #expect(state.links == [1: [:]], "\(name)")
    }
  }

  @Test(
    "a save without relationships checks no destination; otherwise, it checks once for each entity"
  )
  func cost() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1000, share: 10)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let posts = try context.fetch(BudgetStack.request())
      let authors = posts.compactMap(\.author)
      for post in posts { post.number += 1 }
      let plain = try stack.recorder.recording { try context.save() }
      #expect(!plain.statements.contains { $0.hasPrefix("SELECT") }, "\(plain.statements)")
      for (post, author) in zip(posts, authors.reversed()) { post.author = author }
      let linked = try stack.recorder.recording { try context.save() }
      let looks = linked.statements.filter { $0.hasPrefix("SELECT") }
      #expect(looks.count == 1, "\(linked.statements)")
      #expect(looks.first?.contains("OpenCoreDataList") == true)
    }
  }
}
