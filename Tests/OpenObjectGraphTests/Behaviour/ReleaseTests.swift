import Foundation
import OpenCoreData
import Testing

/// Releasing a context releases its objects, including objects with unsaved changes.
@Suite("Releasing contexts")
struct ReleaseTests {
  enum Ending: CaseIterable { case nothing, rollback, reset, deletion, save }

  @Test(
    "objects that refer to each other are freed with their context",
    arguments: StoreTypes.both, Ending.allCases)
  func unsavedPairs(type: String, ending: Ending) throws {
    let stack = try LinkStack(type)
    weak var owner: NSManagedObject?
    weak var item: NSManagedObject?
    weak var saved: NSManagedObject?
    weak var coordinator: NSPersistentStoreCoordinator?
    try Self.withContext(of: stack) { context in
      coordinator = context.persistentStoreCoordinator
      let first = context.link("LinkItem", 3)
      try context.save()
      let pair = (context.link("LinkOwner", 0), context.link("LinkItem", 4))
      pair.0.setValue(pair.1, forKey: "badge")
      pair.0.setLinkedMembers("tags", [pair.1])
      pair.0.setLinkedMembers("items", [first])
      pair.1.setValue(first, forKey: "next")
      (owner, item, saved) = (pair.0, pair.1, first)
      switch ending {
      case .nothing: break
      case .rollback: context.rollback()
      case .reset: context.reset()
      case .deletion: for object in [pair.0, pair.1, first] { context.delete(object) }
      case .save: try context.save()
      }
    }
    #expect(owner == nil)
    #expect(item == nil)
    #expect(saved == nil)
    #expect(type == NSInMemoryStoreType || coordinator == nil)
  }

  /// Runs work with a context that is then released; a store that can be opened twice has its own coordinator.
  private static func withContext(
    of stack: LinkStack, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let context = try stack.foreignContext()
    try context.performAndWait { try body(context) }
  }
}
