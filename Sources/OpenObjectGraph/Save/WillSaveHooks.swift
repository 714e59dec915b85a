internal import Foundation

/// Calls `willSave()` once on each changed object, including objects that the hooks themselves
/// change.
///
/// Confined to one save.
struct WillSaveHooks {
  /// The maximum number of times that hooks may add objects to the save.
  private static let rounds = 1000
  /// The number of listed objects when all hooks were last called.
  private var askedListings: Int?

  /// Calls the hooks of changed objects that were not yet called, until hooks change no further
  /// objects.
  mutating func run(in context: NSManagedObjectContext) throws {
    for _ in 0..<Self.rounds {
      // The lists have no object that was not asked unless one came since.
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
  /// validates them. The save then writes them like the other objects, which were validated before.
  ///
  /// - Throws: The errors of validators; `CocoaError` with code 134060 if hooks never stop adding
  ///   objects.
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
      "willSave() brought in new changed objects \(rounds) times; the save was given up.")
  }

  /// Clears the marks, so that the next save calls the hooks of objects that are still pending.
  func end(in context: NSManagedObjectContext) {
    if context.unitOfWork.hasChanges { context.unitOfWork.changes.forEach { $0.setAsked(false) } }
  }
}
