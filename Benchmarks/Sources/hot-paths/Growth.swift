import Foundation
import OpenBuiltInStores

/// Operations whose cost may depend on the number of objects that they process, but not on the
/// number of other objects.
///
/// Each operation works on a prepared store with a given number of posts. The operation is prepared
/// and run once or twice before its instructions are counted.
@MainActor
struct Growth {
  /// The number of objects that an operation processes in each turn.
  static let few = 10
  let folder: String
  /// The number of posts in the thread of the prepared store.
  let size: Int
  let forum: ForumStore
  var context: NSManagedObjectContext { forum.context }

  init(in folder: String, size: Int) throws {
    self.folder = folder
    self.size = size
    forum = try ForumStore(in: folder)
  }

  /// Runs an operation and counts its instructions.
  ///
  /// - Returns: The number of units in the counted work, or nil if the operation is unknown.
  func run(_ operation: String) throws -> Int? {
    switch operation {
    case "import": try importMore()
    case "save-all-inserted": try saveInserted()
    case "save-changed": try saveChanged()
    case "save-all-changed": try saveAll()
    case "has-changes": try askForChanges()
    case "delete": try delete()
    case "merge-changed": try mergeChanges()
    case "merge-deleted": try mergeDeletions()
    case "merge-deleted-owner": try mergeDeletionsOfOwners()
    case "merge-deleted-fault": try mergeDeletionsOfFaults()
    case "register-undo": try registerUndo()
    case "undo": try undo()
    default: try runReading(operation)
    }
  }

  private func runReading(_ operation: String) throws -> Int? {
    switch operation {
    case "add-to-unread": try addMembers { _ in }
    case "add-to-read": try addMembers { try check($0.posts.count == size) }
    case "change-beside-list": try changeBesideList()
    case "change-in-list": try changeInList()
    case "open": try open()
    case "read-all": try readAll()
    case "fetch-one": try fetchOne()
    case "batched-fetch": try fetchInBatches()
    case "first-batch": try readFirstBatch()
    case "lazy-batch": try readLazyBatch()
    case "registered-object": try lookUpRegistered()
    case "object-with-id": try makeFaults()
    default: nil
    }
  }

  /// Processes a few objects in each of eleven turns. The first turn is not counted.
  ///
  /// - Parameter operation: A closure that receives the objects of a turn, and a function that runs
  ///   and counts a part of the work.
  /// - Returns: The number of counted turns.
  func inTurns<Object>(
    _ objects: [Object], _ operation: ([Object], (() throws -> Void) throws -> Void) throws -> Void
  ) throws -> Int {
    let turns = 10
    for turn in 0...turns {
      let some = Array(objects[turn * Self.few..<(turn + 1) * Self.few])
      if turn == 0 {
        try operation(some) { try $0() }
      } else {
        try operation(some) { try counted($0) }
      }
    }
    return turns
  }
}
