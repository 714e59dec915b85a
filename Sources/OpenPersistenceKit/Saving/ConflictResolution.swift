public import OpenObjectGraph
internal import Foundation

/// Who wins when a save meets rows that changed meanwhile.
public enum ConflictResolution {
  /// The newer version of a row, which is the store's: this context's changes of conflicting objects are dropped.
  case newerVersion
  /// Property by property; where both changed, the store's value.
  case storedValues
  /// Property by property; where both changed, the object's value.
  case objectValues
  /// The object's state as a whole.
  case wholeObject
  /// What the closure makes of each conflict: it changes `sourceObject`, whose values are then written over the row.
  case custom((NSMergeConflict) throws -> Void)

  /// The policy that carries it out.
  var policy: any AnyObject & Sendable {
    switch self {
    case .newerVersion: NSRollbackMergePolicy
    case .storedValues: NSMergeByPropertyStoreTrumpMergePolicy
    case .objectValues, .custom: NSMergeByPropertyObjectTrumpMergePolicy
    case .wholeObject: NSOverwriteMergePolicy
    }
  }
}

extension NSManagedObjectContext {
  /// Saves; conflicts with the store are settled, and the save is tried again.
  ///
  /// Whatever the context's merge policy is, it is asked first, and stands afterwards as before.
  ///
  /// - Parameter resolution: Who wins.
  /// - Returns: The ids of the objects that were in conflict.
  /// - Throws: Everything but version conflicts as `save()`; validation errors all at once under
  ///   `NSDetailedErrorsKey`. What a custom resolution throws; nothing is saved then.
  @discardableResult
  public func saveWithConflictResolution(
    _ resolution: ConflictResolution = .newerVersion
  ) throws -> [NSManagedObjectID] {
    do {
      try save()
      return []
    } catch let error as CocoaError where error.code == .managedObjectMerge {
      let conflicts =
        error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
      if conflicts.isEmpty { throw error }
      if case .custom(let settle) = resolution { try conflicts.forEach(settle) }
      let policy = mergePolicy
      defer { mergePolicy = policy }
      mergePolicy = resolution.policy
      try save()
      return conflicts.map(\.sourceObject.objectID)
    }
  }
}
