import Foundation
import OpenCoreData
import Testing

/// Short histories of references that once failed; see ``LinkStep`` for how they are written.
@Suite("Histories of references")
struct LinkCaseTests {
  @Test(
    "a pair that an unsaved value repeats is settled when the row beneath it is read again",
    arguments: StoreTypes.both)
  func repeatedPair(type: String) throws {
    try LinkHistory.run(
      """
      b: 7.previous = 3; c: 4.text = 10, 4.previous = 3; b: save; c: 0.badge = 3; b: 7.owner = 1;
      b: 0.badge = 6; c: save; b: save
      """, .overwrite, type: type)
  }

  @Test("rollback drops both sides of a pair of lists", arguments: StoreTypes.both)
  func rolledBackPair(type: String) throws {
    let histories = [
      // The side that sends the pair conflicts, or the other one does.
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
