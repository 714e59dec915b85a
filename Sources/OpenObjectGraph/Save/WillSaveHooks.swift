internal import Foundation

/// Calls `willSave()` once on each changed object, including objects that `willSave()` changes.
///
/// Confined to one save.
struct WillSaveHooks {
  /// The maximum number of rounds in which hooks may add objects to the save.
  private static let rounds = 1000
  /// The number of objects that were listed as changed before the hooks were last called.
  private var askedListings: Int?

  /// Calls `willSave()` on the changed objects on which it was not yet called, until no further
  /// objects change.
  ///
  /// - Throws: `CocoaError` with code 134060 if objects are still added after 1000 rounds.
  mutating func run(in context: NSManagedObjectContext) throws {
    for _ in 0..<Self.rounds {
      // Without new listings, willSave() was called on all listed objects.
      guard askedListings != context.unitOfWork.listings else { return }
      askedListings = context.unitOfWork.listings
      context.unitOfWork.changes.forEach { object in
        if !object.flags.contains(.askedWillSave) { Self.ask(object) }
      }
      context.processPendingChanges()
    }
    throw Self.endless
  }

  /// Calls `willSave()` on the objects that a merge policy changed or added to the save, and
  /// validates these objects.
  ///
  /// - Throws: An error that combines the errors of all validators; `CocoaError` with code 134060
  ///   if objects are still added after 1000 rounds.
  static func runOfResolved(in context: NSManagedObjectContext) throws {
    var asked: [NSManagedObject] = []
    for _ in 0..<rounds {
      var waiting: [NSManagedObject] = []
      context.unitOfWork.changes.forEach { object in
        if !object.flags.contains(.askedWillSave), !object.isRowMissing { waiting.append(object) }
      }
      guard !waiting.isEmpty else { return try validate(asked) }
      for object in waiting { ask(object) }
      asked += waiting
      DeleteRules(in: context).apply()
    }
    throw endless
  }

  private static func ask(_ object: NSManagedObject) {
    object.setAsked(true)
    object.willSave()
  }

  private static func validate(_ objects: [NSManagedObject]) throws {
    var failures: [any Error] = []
    for object in objects {
      do { try object.validateForSave() } catch { failures += CocoaError.details(of: error) }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  private static var endless: CocoaError {
    CocoaError.make(
      .coreData,
      "The save was canceled because willSave() changed more objects in each of \(rounds) rounds.")
  }

  /// Clears the marks of objects with unsaved changes, so that the next save calls `willSave()` on
  /// these objects again.
  func end(in context: NSManagedObjectContext) {
    if context.unitOfWork.hasChanges { context.unitOfWork.changes.forEach { $0.setAsked(false) } }
  }
}
