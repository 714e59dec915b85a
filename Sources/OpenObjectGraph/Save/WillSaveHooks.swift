internal import Foundation

/// Calls `willSave()` on each changed object, including objects that `willSave()` changes, until
/// the objects no longer change.
///
/// If an object changes after its call, all changed objects are called again, because their values
/// may depend on the object. Confined to one save.
struct WillSaveHooks {
  /// The maximum number of rounds in which hooks may change objects.
  private static let rounds = 1000
  /// The number of objects that were listed as changed before the hooks were last called.
  private var askedListings: Int?

  /// Calls `willSave()` on the changed objects until no object changes after its call.
  ///
  /// - Throws: `CocoaError` with code 134060 if objects still change after 1000 rounds.
  mutating func run(in context: NSManagedObjectContext) throws {
    for _ in 0..<Self.rounds {
      // Without new listings, willSave() was called on all listed objects.
      guard askedListings != context.unitOfWork.listings else { return }
      askedListings = context.unitOfWork.listings
      let changes = context.unitOfWork.changes
      if context.unitOfWork.takeLateChanges() { changes.forEach { $0.setAsked(false) } }
      changes.forEach { if Self.isDue($0) { Self.ask($0) } }
      context.processPendingChanges()
    }
    throw Self.endless
  }

  /// Calls `willSave()` on the objects that a merge policy changed or added to the save, and
  /// validates these objects.
  ///
  /// - Throws: An error that combines the errors of all validators; `CocoaError` with code 134060
  ///   if objects still change after 1000 rounds.
  static func runOfResolved(in context: NSManagedObjectContext) throws {
    var asked: [NSManagedObject] = []
    var known: Set<ObjectIdentifier> = []
    for _ in 0..<rounds {
      var waiting: [NSManagedObject] = []
      context.unitOfWork.changes.forEach { object in
        if isDue(object), !object.isRowMissing { waiting.append(object) }
      }
      guard !waiting.isEmpty else { return try validate(asked) }
      for object in waiting { ask(object) }
      asked += waiting.filter { known.insert(ObjectIdentifier($0)).inserted }
      DeleteRules(in: context).apply()
    }
    throw endless
  }

  /// Whether `willSave()` must be called on an object. A hook that saves its context is not called
  /// again by the inner save, and the objects that the inner save has saved are not called again.
  private static func isDue(_ object: NSManagedObject) -> Bool {
    guard object.registration != .detached,
      object.registration != .persistent || object.isMarkedUpdated
    else { return false }
    return object.flags.isDisjoint(with: [.askedWillSave, .runsWillSave])
  }

  private static func ask(_ object: NSManagedObject) {
    object.setAsked(true)
    object.setRunsWillSave(true)
    object.willSave()
    object.setRunsWillSave(false)
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
      "The save was canceled because objects still changed after \(rounds) rounds of willSave(). "
        + "A save calls willSave() again if an object changes after the call, so a method that always sets a new value, "
        + "such as the current date, never ends. Set a property only if its value must change, or call "
        + "setPrimitiveValue(_:forKey:).")
  }

  /// Clears the marks of objects with unsaved changes, so that the next save calls `willSave()` on
  /// these objects again.
  func end(in context: NSManagedObjectContext) {
    if context.unitOfWork.hasChanges { context.unitOfWork.changes.forEach { $0.setAsked(false) } }
  }
}
