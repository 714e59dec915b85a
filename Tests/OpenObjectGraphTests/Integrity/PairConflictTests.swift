import Foundation
import OpenCoreData
import Testing

/// Both sides of one-to-one relationships agree after conflicts and merges.
@Suite("Conflicts of one-to-one relationships")
struct PairConflictTests {
  private static let policies = Array(LinkHistory.policies.dropFirst())

  /// Two owners and two items; the first owner has the first item.
  private static func seed(_ stack: LinkStack) throws {
    let context = stack.context()
    try context.performAndWait { () throws in
      let (owner, item) = (context.link("LinkOwner", 0), context.link("LinkItem", 2))
      owner.setValue(item, forKey: "badge")
      context.link("LinkOwner", 1)
      context.link("LinkSpecial", 3)
      try context.save()
    }
  }

  private static func pair(_ owner: Int, _ item: Int?, in context: NSManagedObjectContext) throws {
    let owner = try #require(try context.linked(owner))
    owner.setValue(try item.flatMap { try context.linked($0) }, forKey: "badge")
  }

  @Test(
    "the store contains both sides of each pair, regardless of the pairs that two contexts form",
    arguments: StoreTypes.both)
  func conflicts(type: String) throws {
    for policy in Self.policies {
      for first in [(0, 3), (1, 2), (1, 3), (0, nil)] as [(Int, Int?)] {
        for second in [(0, 3), (1, 2), (1, 3), (0, nil)] as [(Int, Int?)] {
          let stack = try LinkStack(type)
          try Self.seed(stack)
          let (one, other) = (stack.context(), stack.context(policy))
          other.retainsRegisteredObjects = true
          try other.performAndWait { () throws in
            _ = try LinkState(of: other)
            try Self.pair(second.0, second.1, in: other)
          }
          try one.performAndWait { () throws in
            try Self.pair(first.0, first.1, in: one)
            try one.save()
          }
          try other.performAndWait { () throws in try other.save() }
          let reader = try stack.foreignContext()
          let state = try reader.performAndWait { () throws in try LinkState(of: reader) }
          #expect(
            state.faults(since: nil).isEmpty, "\(policy.mergeType), \(first), then \(second)")
        }
      }
    }
  }

  @Test(
    "an unsaved pair replaces a merged pair of another context on both sides",
    arguments: StoreTypes.both)
  func merged(type: String) throws {
    let stack = try LinkStack(type)
    try Self.seed(stack)
    let (one, other) = (stack.context(), stack.context())
    other.automaticallyMergesChangesFromParent = true
    other.retainsRegisteredObjects = true
    try other.performAndWait { () throws in
      _ = try LinkState(of: other)
      try Self.pair(1, 3, in: other)
    }
    try one.performAndWait { () throws in
      try Self.pair(1, 2, in: one)
      try one.save()
    }
    try other.performAndWait { () throws in
      let merged = try LinkState(of: other)
      #expect(merged.faults(since: nil).isEmpty)
      try other.save()
      let reader = try stack.foreignContext()
      let state = try reader.performAndWait { () throws in try LinkState(of: reader) }
      #expect(state.faults(since: nil).isEmpty)
      #expect(try LinkState(of: other) == state)
    }
  }

  @Test(
    "a former destination of a subentity that overwrite restores can be read before the save ends",
    arguments: StoreTypes.both)
  func overwrittenSubentity(type: String) throws {
    for name in ["badge", "note"] {
      let stack = try LinkStack(type)
      let (one, other) = (stack.context(), stack.context(.overwrite))
      other.retainsRegisteredObjects = true
      try one.performAndWait { () throws in
        let owner = one.link("LinkOwner", 0)
        owner.setValue(one.link("LinkSpecial", 1), forKey: name)
        one.link("LinkItem", 2)
        try one.save()
      }
      try other.performAndWait { () throws in
        let owner = try #require(try other.linked(0))
        owner.setValue("changed", forKey: "text")
      }
      try one.performAndWait { () throws in
        try #require(try one.linked(0)).setValue(try one.linked(2), forKey: name)
        try one.save()
      }
      try other.performAndWait { () throws in
        try other.save()
        let owner = try #require(try other.linked(0))
        #expect(owner.linkedObject(name)?.entity.name == "LinkSpecial", "\(name)")
        #expect(owner.linkedObject(name)?.linkCode == 1, "\(name)")
      }
      // Only the owner is read: only its row contains the destination's entity.
      let reader = try stack.foreignContext()
      try reader.performAndWait { () throws in
        let owner = try #require(try reader.linked(0))
        #expect(owner.linkedObject(name)?.entity.name == "LinkSpecial", "\(name)")
        #expect(try LinkState(of: reader).faults(since: nil).isEmpty)
      }
    }
  }
}
