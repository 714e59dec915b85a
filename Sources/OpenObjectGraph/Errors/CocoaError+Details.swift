public import Foundation
internal import OpenStoreContract

// The details of errors of validation and saving.

extension CocoaError {
  /// The object that failed validation; nil if the error has no object.
  ///
  /// > Reference: Apple, validationObject.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
  /// The name of the property that failed validation; nil if the error has no property.
  ///
  /// > Reference: Apple, validationKey.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
  /// The predicate in the model that the value does not satisfy; nil if no predicate failed.
  ///
  /// > Reference: Apple, validationPredicate.
  public var validationPredicate: NSPredicate? {
    userInfo[NSValidationPredicateErrorKey] as? NSPredicate
  }
  /// The value that failed validation; nil if the property has no value, or if the error does not
  /// concern a value.
  ///
  /// > Reference: Apple, validationValue.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
  /// The merge conflicts that made a save fail; nil if the error contains no conflicts.
  ///
  /// If the error contains an `NSConstraintConflict`, the property is also nil. In this case, read
  /// the conflicts from the user info, under `NSPersistentStoreSaveConflictsErrorKey`.
  ///
  /// > Reference: Apple, persistentStoreSaveConflicts.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
  /// The stores in which an operation failed; nil if the error does not specify stores.
  ///
  /// > Reference: Apple, affectedStores.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
  /// The objects that the error concerns; nil if the error does not specify objects.
  ///
  /// > Reference: Apple, affectedObjects.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

  /// Returns the error for an operation that wrote to some stores before another store failed.
  ///
  /// - Parameters:
  ///   - operation: The name of the incomplete operation.
  ///   - advice: Text about the written changes, and about how to write the remaining changes.
  ///   - failed: The store that failed.
  ///   - written: The stores to which the operation wrote.
  ///   - error: The error of the store that failed.
  static func incomplete(
    _ operation: String, _ advice: String, _ failed: NSPersistentStore,
    after written: [NSPersistentStore], _ error: any Error
  ) -> CocoaError {
    make(
      .persistentStoreIncompleteSave,
      "\(operation) is incomplete: the store \(failed.name) failed after these stores were written: "
        + "\(written.map(\.name).joined(separator: ", ")). \(advice) Cause: \(error)",
      path: failed.url?.path,
      userInfo: [
        NSAffectedStoresErrorKey: [failed], OpenWrittenStoresErrorKey: written,
        NSUnderlyingErrorKey: error, NSDetailedErrorsKey: [error],
      ])
  }

  /// Returns the deferred error for a failed read, with the error code of the read.
  static func unread(_ error: any Error, objects: [NSManagedObject]) -> CocoaError {
    let error = (error as? StoreError).map(surfaced) ?? error
    let cause = error as? CocoaError
    var userInfo = cause?.userInfo ?? [NSUnderlyingErrorKey: error]
    userInfo[NSAffectedObjectsErrorKey] = objects
    return make(
      cause?.code ?? .coreData,
      "Nothing was saved because the values of \(objects.count) objects could not be read. When the store can be read "
        + "again, refresh the objects. Otherwise, call rollback() or reset(). Cause: \(error)",
      path: userInfo[NSFilePathErrorKey] as? String, userInfo: userInfo)
  }
}
