internal import Foundation
internal import OpenObjectModel

// Hooks of objects that a merge policy changed: they are to be written as the others, which were asked before.

extension NSManagedObjectContext {
  /// Runs `willSave()` of objects that merge policies changed or brought into the save, and validates them.
  ///
  /// - Throws: What validators throw; `CocoaError` 134060 when hooks never stop to bring in objects.
  func runHooksOfResolvedObjects() throws {
    let rounds = 1000
    var asked: [NSManagedObject] = []
    for _ in 0..<rounds {
      let waiting = unaskedObjects()
      guard !waiting.isEmpty else { return try validateAgain(asked) }
      for object in waiting {
        object.noteAsked()
        object.willSave()
      }
      asked += waiting
      propagateDeletions()
    }
    throw CocoaError.make(
      .coreData, "willSave() brought in new changed objects \(rounds) times; the save was given up."
    )
  }

  private func validateAgain(_ objects: [NSManagedObject]) throws {
    var failures: [any Error] = []
    for object in objects {
      do { try object.validateForSave() } catch { failures += CocoaError.details(of: error) }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  private func unaskedObjects() -> [NSManagedObject] {
    var waiting: [NSManagedObject] = []
    for list in [unitOfWork.inserted, unitOfWork.updated, unitOfWork.deleted] {
      list.forEachBorrowed { object in
        if !object.flags.contains(.askedWillSave), !object.isRowMissing {
          waiting.append(object)
        }
      }
    }
    return waiting
  }
}
