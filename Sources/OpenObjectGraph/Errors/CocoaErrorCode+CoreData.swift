public import Foundation

extension CocoaError.Code {
  /// Error code 1550: an object with a value that fails validation.
  ///
  /// > Reference: Apple, managedObjectValidation.
  public static let managedObjectValidation = CocoaError.Code(
    rawValue: NSManagedObjectValidationError)
  /// Error code 1560: several failed validations.
  ///
  /// The user info contains the errors under `NSDetailedErrorsKey`.
  ///
  /// > Reference: Apple, validationMultipleErrors.
  public static let validationMultipleErrors = CocoaError.Code(
    rawValue: NSValidationMultipleErrorsError)
  /// Error code 1570: a missing mandatory value.
  ///
  /// > Reference: Apple, validationMissingMandatoryProperty.
  public static let validationMissingMandatoryProperty = CocoaError.Code(
    rawValue: NSValidationMissingMandatoryPropertyError)
  /// Error code 1580: a relationship with too few destinations.
  ///
  /// > Reference: Apple, validationRelationshipLacksMinimumCount.
  public static let validationRelationshipLacksMinimumCount = CocoaError.Code(
    rawValue: NSValidationRelationshipLacksMinimumCountError)
  /// Error code 1590: a relationship with too many destinations.
  ///
  /// > Reference: Apple, validationRelationshipExceedsMaximumCount.
  public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(
    rawValue: NSValidationRelationshipExceedsMaximumCountError)
  /// Error code 1600: a deletion that a deny rule prevents.
  ///
  /// > Reference: Apple, validationRelationshipDeniedDelete.
  public static let validationRelationshipDeniedDelete = CocoaError.Code(
    rawValue: NSValidationRelationshipDeniedDeleteError)
  /// Error code 1610: a number above the maximum of its attribute or of the attribute's type.
  ///
  /// > Reference: Apple, validationNumberTooLarge.
  public static let validationNumberTooLarge = CocoaError.Code(
    rawValue: NSValidationNumberTooLargeError)
  /// Error code 1620: a number below the minimum of its attribute or of the attribute's type.
  ///
  /// > Reference: Apple, validationNumberTooSmall.
  public static let validationNumberTooSmall = CocoaError.Code(
    rawValue: NSValidationNumberTooSmallError)
  /// Error code 1630: a date after the latest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooLate.
  public static let validationDateTooLate = CocoaError.Code(
    rawValue: NSValidationDateTooLateError)
  /// Error code 1640: a date before the earliest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooSoon.
  public static let validationDateTooSoon = CocoaError.Code(
    rawValue: NSValidationDateTooSoonError)
  /// Error code 1650: an invalid date, whose time interval is not a number.
  ///
  /// > Reference: Apple, validationInvalidDate.
  public static let validationInvalidDate = CocoaError.Code(
    rawValue: NSValidationInvalidDateError)
  /// Error code 1660: a string with too many characters.
  ///
  /// > Reference: Apple, validationStringTooLong.
  public static let validationStringTooLong = CocoaError.Code(
    rawValue: NSValidationStringTooLongError)
  /// Error code 1670: a string with too few characters.
  ///
  /// > Reference: Apple, validationStringTooShort.
  public static let validationStringTooShort = CocoaError.Code(
    rawValue: NSValidationStringTooShortError)
  /// Error code 1680: a string that does not match the regular expression of its attribute.
  ///
  /// > Reference: Apple, validationStringPatternMatching.
  public static let validationStringPatternMatching = CocoaError.Code(
    rawValue: NSValidationStringPatternMatchingError)
  /// Error code 132000: a context that could not be locked.
  ///
  /// Only the method `checkThreading()` of OpenPersistenceKit throws this code.
  ///
  /// > Reference: Apple, managedObjectContextLocking.
  public static let managedObjectContextLocking = CocoaError.Code(
    rawValue: NSManagedObjectContextLockingError)
  /// Error code 132010: a coordinator that could not be locked.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreCoordinatorLocking.
  public static let persistentStoreCoordinatorLocking = CocoaError.Code(
    rawValue: NSPersistentStoreCoordinatorLockingError)
  /// Error code 133000: an object or a fault that has no row in the store.
  ///
  /// > Reference: Apple, managedObjectReferentialIntegrity.
  public static let managedObjectReferentialIntegrity = CocoaError.Code(
    rawValue: NSManagedObjectReferentialIntegrityError)
  /// Error code 133010: a relationship to an object in another store.
  ///
  /// > Reference: Apple, managedObjectExternalRelationship.
  public static let managedObjectExternalRelationship = CocoaError.Code(
    rawValue: NSManagedObjectExternalRelationshipError)
  /// Error code 133020: an unresolved conflict with a row that has changed in the store.
  ///
  /// > Reference: Apple, managedObjectMerge.
  public static let managedObjectMerge = CocoaError.Code(
    rawValue: NSManagedObjectMergeError)
  /// Error code 133021: an unresolved violation of a uniqueness constraint.
  ///
  /// > Reference: Apple, managedObjectConstraintMerge.
  public static let managedObjectConstraintMerge = CocoaError.Code(
    rawValue: NSManagedObjectConstraintMergeError)
  /// Error code 134000: an unknown store type.
  ///
  /// > Reference: Apple, persistentStoreInvalidType.
  public static let persistentStoreInvalidType = CocoaError.Code(
    rawValue: NSPersistentStoreInvalidTypeError)
  /// Error code 134010: a file that contains a store of another type.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreTypeMismatch.
  public static let persistentStoreTypeMismatch = CocoaError.Code(
    rawValue: NSPersistentStoreTypeMismatchError)
  /// Error code 134020: a store whose tables do not match the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleSchema.
  public static let persistentStoreIncompatibleSchema = CocoaError.Code(
    rawValue: NSPersistentStoreIncompatibleSchemaError)
  /// Error code 134030: a store that could not be written.
  ///
  /// > Reference: Apple, persistentStoreSave.
  public static let persistentStoreSave = CocoaError.Code(
    rawValue: NSPersistentStoreSaveError)
  /// Error code 134040: a save that wrote to some stores before another store failed.
  ///
  /// > Reference: Apple, persistentStoreIncompleteSave.
  public static let persistentStoreIncompleteSave = CocoaError.Code(
    rawValue: NSPersistentStoreIncompleteSaveError)
  /// Error code 134050: a save with unresolved conflicts; the library never throws this code.
  ///
  /// For such a save, the library throws error 133020 or 133021 instead.
  ///
  /// > Reference: Apple, persistentStoreSaveConflicts.
  public static let persistentStoreSaveConflicts = CocoaError.Code(
    rawValue: NSPersistentStoreSaveConflictsError)
  /// Error code 134060: a failure without a more specific code, such as a call that requires a
  /// missing entity, store or coordinator.
  ///
  /// > Reference: Apple, coreData.
  public static let coreData = CocoaError.Code(
    rawValue: NSCoreDataError)
  /// Error code 134070: a failed operation on a store, such as reading or saving objects of a
  /// removed store.
  ///
  /// > Reference: Apple, persistentStoreOperation.
  public static let persistentStoreOperation = CocoaError.Code(
    rawValue: NSPersistentStoreOperationError)
  /// Error code 134080: a store that could not be opened.
  ///
  /// > Reference: Apple, persistentStoreOpen.
  public static let persistentStoreOpen = CocoaError.Code(
    rawValue: NSPersistentStoreOpenError)
  /// Error code 134090: a store that was locked longer than the timeout.
  ///
  /// > Reference: Apple, persistentStoreTimeout.
  public static let persistentStoreTimeout = CocoaError.Code(
    rawValue: NSPersistentStoreTimeoutError)
  /// Error code 134091: a request whose type the store does not support.
  ///
  /// > Reference: Apple, persistentStoreUnsupportedRequestType.
  public static let persistentStoreUnsupportedRequestType = CocoaError.Code(
    rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  /// Error code 134100: a store whose version hashes differ from those of the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleVersionHash.
  public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(
    rawValue: NSPersistentStoreIncompatibleVersionHashError)
  /// Error code 134110: a migration that failed for a reason without a more specific code.
  ///
  /// > Reference: Apple, migration.
  public static let migration = CocoaError.Code(
    rawValue: NSMigrationError)
  /// Error code 134120: a migration that was canceled while a migration manager copied objects.
  ///
  /// > Reference: Apple, migrationCancelled.
  public static let migrationCancelled = CocoaError.Code(
    rawValue: NSMigrationCancelledError)
  /// Error code 134130: a migration whose source model was not found.
  ///
  /// > Reference: Apple, migrationMissingSourceModel.
  public static let migrationMissingSourceModel = CocoaError.Code(
    rawValue: NSMigrationMissingSourceModelError)
  /// Error code 134140: a migration whose mapping model was not found, cannot be read or cannot be
  /// inferred.
  ///
  /// > Reference: Apple, migrationMissingMappingModel.
  public static let migrationMissingMappingModel = CocoaError.Code(
    rawValue: NSMigrationMissingMappingModelError)
  /// Error code 134150: a source store that the migration manager cannot open.
  ///
  /// > Reference: Apple, migrationManagerSourceStore.
  public static let migrationManagerSourceStore = CocoaError.Code(
    rawValue: NSMigrationManagerSourceStoreError)
  /// Error code 134160: a destination store that is the source store, or that the migration manager
  /// cannot open.
  ///
  /// > Reference: Apple, migrationManagerDestinationStore.
  public static let migrationManagerDestinationStore = CocoaError.Code(
    rawValue: NSMigrationManagerDestinationStoreError)
  /// Error code 134170: a migration whose policy class is missing or ambiguous, or whose policy
  /// lacks a method that the mapping calls.
  ///
  /// > Reference: Apple, entityMigrationPolicy.
  public static let entityMigrationPolicy = CocoaError.Code(
    rawValue: NSEntityMigrationPolicyError)
  /// Error code 134180: an SQL statement that failed in a save or a batch request.
  ///
  /// The user info contains SQLite's result code under `NSSQLiteErrorDomain`. If the statement
  /// belongs to a read, the error code is 256 instead.
  ///
  /// > Reference: Apple, sqlite.
  public static let sqlite = CocoaError.Code(
    rawValue: NSSQLiteError)
  /// Error code 134190: a mapping model that could not be inferred.
  ///
  /// > Reference: Apple, inferredMappingModel.
  public static let inferredMappingModel = CocoaError.Code(
    rawValue: NSInferredMappingModelError)
  /// Error code 134200: an external record that could not be imported.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, externalRecordImport.
  public static let externalRecordImport = CocoaError.Code(
    rawValue: NSExternalRecordImportError)
}
