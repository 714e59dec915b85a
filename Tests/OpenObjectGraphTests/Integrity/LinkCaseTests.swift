import Foundation
import OpenCoreData
import Testing

/// Regression tests with short histories of references; see ``LinkStep`` for the notation.
@Suite("Histories of references")
struct LinkCaseTests {
  @Test(
    "a pair that an unsaved value repeats is settled when the row beneath it is reread",
    arguments: StoreTypes.both)
  func repeatedPair(type: String) throws {
    try LinkHistory.run(
      """
      b: 7.previous = 3; c: 4.text = 10, 4.previous = 3; b: save; c: 0.badge = 3; b: 7.owner = 1;
      b: 0.badge = 6; c: save; b: save
      """, .overwrite, type: type)
  }

  @Test(
    "a member that another context also added can be removed after a merge",
    arguments: StoreTypes.both)
  func repeatedAddition(type: String) throws {
    let histories = [
      "a: 3.tagged + 0; b: 3.tagged + 0; b: save; a: 0.tags = []; a: save",
      "a: 3.tagged + 0; c: 3.tagged + 0; c: save; a: 0.tags = []; a: save",
      "a: 0.loose + 3; b: 0.loose + 3; b: save; a: 0.loose = []; a: save",
      "a: 3.picked + 0; b: 3.picked + 0; b: save; a: 3.picked = []; a: save",
      // The pair is reread from one side only.
      """
      b: insert LinkSpecial 11; b: save; a: 2.tags = [11]; c: 0.items + 11; c: save; a: 2.tags = [12];
      a: 2.tags = [11,4]; a: save
      """,
    ]
    for steps in histories { try LinkHistory.run(steps, .overwrite, type: type) }
  }

  @Test(
    "a member that another context also removed can be added after a merge",
    arguments: StoreTypes.both, ["tags", "picks", "loose"])
  func repeatedRemoval(type: String, name: String) throws {
    let stack = try LinkStack(type)
    let (one, other) = (stack.context(.overwrite), stack.context())
    one.automaticallyMergesChangesFromParent = true
    try one.performAndWait { () throws in
      let (owner, item) = (one.link("LinkOwner", 0), one.link("LinkItem", 3))
      owner.setLinkedMembers(name, [item])
      try one.save()
      owner.setLinkedMembers(name, [])
      try other.performAndWait { () throws in
        try other.linked(0)?.setLinkedMembers(name, [])
        try other.save()
      }
    }
    try one.performAndWait { () throws in
      let owner = try #require(try one.linked(0))
      let item = try #require(try one.linked(3))
      owner.__addMember(item, name)
      try one.save()
      one.reset()
      #expect(try one.linked(0)?.linkedCodes(name) == [3])
    }
  }

  @Test(
    "a pair that other contexts separated is complete or absent in the store",
    arguments: StoreTypes.both)
  func separatedPair(type: String) throws {
    try LinkHistory.run(
      """
      b: 7.tagged + 2; c: 0.text = 10, 0.badge = 7; b: save; c: insert LinkItem 10; c: save;
      c: 7.tagged = []; c: delete LinkItem 10; a: 0.badge = 10; a: save; c: save
      """, .mergeByPropertyStoreTrump, type: type)
    try LinkHistory.run(
      """
      b: 4.bearer = 1; b: save; a: insert LinkOwner 10; c: 5.bearer = 0; a: save; b: 10.badge = 4;
      b: save; c: 10.badge = nil; c: 1.tags = [7,12,4]; c: save
      """, .mergeByPropertyStoreTrump, type: type)
    try LinkHistory.run(
      """
      b: 2.badge = 7; b: save; a: 1.text = 11, 1.badge = 7; a: save; b: 7.owner = 2;
      b: delete LinkOwner 1; b: save
      """, .rollback, type: type)
  }

  @Test("rollback drops both sides of a pair of lists", arguments: StoreTypes.both)
  func rolledBackPair(type: String) throws {
    let histories = [
      // Either side of the pair conflicts.
      "c: 0.badge = 7; c: 0.tags + 5; a: 8.bearer = 0; a: save; c: save",
      "c: 5.host = 1; c: 0.tags + 5; a: 5.host = 2; a: save; c: save",
      "a: 2.note = 3; c: 2.note = 3; a: save; c: 2.picks + 8; c: save",
      "c: 8.host = 1; c: 2.picks + 8; a: 8.host = 2; a: save; c: save",
    ]
    for steps in histories { try LinkHistory.run(steps, .rollback, type: type) }
  }

  @Test(
    "refreshing an object without its changes drops both sides of a pair of lists",
    arguments: StoreTypes.both, [0, 1])
  func refreshedPair(type: String, side: Int) throws {
    let stack = try LinkStack(type)
    let context = stack.context()
    try context.performAndWait {
      let (owner, item) = (context.link("LinkOwner", 0), context.link("LinkItem", 4))
      try context.save()
      owner.setLinkedMembers("tags", [item])
      context.refresh([owner, item][side], mergeChanges: false)
      #expect(owner.linkedCodes("tags") == [])
      #expect(item.linkedCodes("tagged") == [])
      try context.save()
      context.reset()
      #expect(try context.linked(0)?.linkedCodes("tags") == [])
    }
  }
}
