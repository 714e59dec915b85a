public import Foundation

extension CocoaError.Code {
  /// The error code for an object with a value that fails validation.
  ///
  /// > Reference: Apple, managedObjectValidation.
  public static let managedObjectValidation = CocoaError.Code(
    rawValue: NSManagedObjectValidationError)
  /// The error code for several failed validations.
  ///
  /// The user info contains the errors under `NSDetailedErrorsKey`.
  ///
  /// > Reference: Apple, validationMultipleErrors.
  public static let validationMultipleErrors = CocoaError.Code(
    rawValue: NSValidationMultipleErrorsError)
  /// The error code for a missing mandatory value.
  ///
  /// > Reference: Apple, validationMissingMandatoryProperty.
  public static let validationMissingMandatoryProperty = CocoaError.Code(
    rawValue: NSValidationMissingMandatoryPropertyError)
  /// The error code for a relationship with too few destinations.
  ///
  /// > Reference: Apple, validationRelationshipLacksMinimumCount.
  public static let validationRelationshipLacksMinimumCount = CocoaError.Code(
    rawValue: NSValidationRelationshipLacksMinimumCountError)
  /// The error code for a relationship with too many destinations.
  ///
  /// > Reference: Apple, validationRelationshipExceedsMaximumCount.
  public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(
    rawValue: NSValidationRelationshipExceedsMaximumCountError)
  /// The error code for a deletion that a deny rule prevents.
  ///
  /// > Reference: Apple, validationRelationshipDeniedDelete.
  public static let validationRelationshipDeniedDelete = CocoaError.Code(
    rawValue: NSValidationRelationshipDeniedDeleteError)
  /// The error code for a number above the maximum of its attribute.
  ///
  /// > Reference: Apple, validationNumberTooLarge.
  public static let validationNumberTooLarge = CocoaError.Code(
    rawValue: NSValidationNumberTooLargeError)
  /// The error code for a number below the minimum of its attribute.
  ///
  /// > Reference: Apple, validationNumberTooSmall.
  public static let validationNumberTooSmall = CocoaError.Code(
    rawValue: NSValidationNumberTooSmallError)
  /// The error code for a date after the latest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooLate.
  public static let validationDateTooLate = CocoaError.Code(
    rawValue: NSValidationDateTooLateError)
  /// The error code for a date before the earliest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooSoon.
  public static let validationDateTooSoon = CocoaError.Code(
    rawValue: NSValidationDateTooSoonError)
  /// The error code for an invalid date, whose time interval is not a number.
  ///
  /// > Reference: Apple, validationInvalidDate.
  public static let validationInvalidDate = CocoaError.Code(
    rawValue: NSValidationInvalidDateError)
  /// The error code for a string with too many characters.
  ///
  /// > Reference: Apple, validationStringTooLong.
  public static let validationStringTooLong = CocoaError.Code(
    rawValue: NSValidationStringTooLongError)
  /// The error code for a string with too few characters.
  ///
  /// > Reference: Apple, validationStringTooShort.
  public static let validationStringTooShort = CocoaError.Code(
    rawValue: NSValidationStringTooShortError)
  /// The error code for a string that does not match the regular expression of its attribute.
  ///
  /// > Reference: Apple, validationStringPatternMatching.
  public static let validationStringPatternMatching = CocoaError.Code(
    rawValue: NSValidationStringPatternMatchingError)
  /// The error code for a context that could not be locked.
  ///
  /// Only the method `checkThreading()` of OpenPersistenceKit throws this code.
  ///
  /// > Reference: Apple, managedObjectContextLocking.
  public static let managedObjectContextLocking = CocoaError.Code(
    rawValue: NSManagedObjectContextLockingError)
  /// The error code for a coordinator that could not be locked.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreCoordinatorLocking.
  public static let persistentStoreCoordinatorLocking = CocoaError.Code(
    rawValue: NSPersistentStoreCoordinatorLockingError)
  /// The error code for an object or a fault that has no row in the store.
  ///
  /// > Reference: Apple, managedObjectReferentialIntegrity.
  public static let managedObjectReferentialIntegrity = CocoaError.Code(
    rawValue: NSManagedObjectReferentialIntegrityError)
  /// The error code for a relationship to an object in another store.
  ///
  /// > Reference: Apple, managedObjectExternalRelationship.
  public static let managedObjectExternalRelationship = CocoaError.Code(
    rawValue: NSManagedObjectExternalRelationshipError)
  /// The error code for an unresolved conflict with a row that has changed in the store.
  ///
  /// > Reference: Apple, managedObjectMerge.
  public static let managedObjectMerge = CocoaError.Code(
    rawValue: NSManagedObjectMergeError)
  /// The error code for an unresolved violation of a uniqueness constraint.
  ///
  /// > Reference: Apple, managedObjectConstraintMerge.
  public static let managedObjectConstraintMerge = CocoaError.Code(
    rawValue: NSManagedObjectConstraintMergeError)
  /// The error code for an unknown store type.
  ///
  /// > Reference: Apple, persistentStoreInvalidType.
  public static let persistentStoreInvalidType = CocoaError.Code(
    rawValue: NSPersistentStoreInvalidTypeError)
  /// The error code for a file that contains a store of another type.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreTypeMismatch.
  public static let persistentStoreTypeMismatch = CocoaError.Code(
    rawValue: NSPersistentStoreTypeMismatchError)
  /// The error code for a store whose tables do not match the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleSchema.
  public static let persistentStoreIncompatibleSchema = CocoaError.Code(
    rawValue: NSPersistentStoreIncompatibleSchemaError)
  /// The error code for a store that could not be written.
  ///
  /// > Reference: Apple, persistentStoreSave.
  public static let persistentStoreSave = CocoaError.Code(
    rawValue: NSPersistentStoreSaveError)
  /// The error code for a save that wrote to some stores before another store failed.
  ///
  /// > Reference: Apple, persistentStoreIncompleteSave.
  public static let persistentStoreIncompleteSave = CocoaError.Code(
    rawValue: NSPersistentStoreIncompleteSaveError)
  /// The error code for a save with unresolved conflicts; the library never throws this code.
  ///
  /// For such a save, the library throws error 133020 or 133021 instead.
  ///
  /// > Reference: Apple, persistentStoreSaveConflicts.
  public static let persistentStoreSaveConflicts = CocoaError.Code(
    rawValue: NSPersistentStoreSaveConflictsError)
  /// The error code for general failures in Core Data.
  ///
  /// > Reference: Apple, coreData.
  public static let coreData = CocoaError.Code(
    rawValue: NSCoreDataError)
  /// The error code for a failed operation on a store.
  ///
  /// > Reference: Apple, persistentStoreOperation.
  public static let persistentStoreOperation = CocoaError.Code(
    rawValue: NSPersistentStoreOperationError)
  /// The error code for a store that could not be opened.
  ///
  /// > Reference: Apple, persistentStoreOpen.
  public static let persistentStoreOpen = CocoaError.Code(
    rawValue: NSPersistentStoreOpenError)
  /// The error code for a store that was locked longer than the timeout.
  ///
  /// > Reference: Apple, persistentStoreTimeout.
  public static let persistentStoreTimeout = CocoaError.Code(
    rawValue: NSPersistentStoreTimeoutError)
  /// The error code for a request whose type the store does not support.
  ///
  /// > Reference: Apple, persistentStoreUnsupportedRequestType.
  public static let persistentStoreUnsupportedRequestType = CocoaError.Code(
    rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  /// The error code for a store whose version hashes differ from those of the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleVersionHash.
  public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(
    rawValue: NSPersistentStoreIncompatibleVersionHashError)
  /// The error code for a failed migration.
  ///
  /// > Reference: Apple, migration.
  public static let migration = CocoaError.Code(
    rawValue: NSMigrationError)
  /// The error code for a cancelled migration.
  ///
  /// > Reference: Apple, migrationCancelled.
  public static let migrationCancelled = CocoaError.Code(
    rawValue: NSMigrationCancelledError)
  /// The error code for a migration whose source model was not found.
  ///
  /// > Reference: Apple, migrationMissingSourceModel.
  public static let migrationMissingSourceModel = CocoaError.Code(
    rawValue: NSMigrationMissingSourceModelError)
  /// The error code for a migration whose mapping model was not found.
  ///
  /// > Reference: Apple, migrationMissingMappingModel.
  public static let migrationMissingMappingModel = CocoaError.Code(
    rawValue: NSMigrationMissingMappingModelError)
  /// The error code for a failure of the source store in a migration.
  ///
  /// > Reference: Apple, migrationManagerSourceStore.
  public static let migrationManagerSourceStore = CocoaError.Code(
    rawValue: NSMigrationManagerSourceStoreError)
  /// The error code for a failure of the destination store in a migration.
  ///
  /// > Reference: Apple, migrationManagerDestinationStore.
  public static let migrationManagerDestinationStore = CocoaError.Code(
    rawValue: NSMigrationManagerDestinationStoreError)
  /// The error code for a migration that fails in an entity migration policy.
  ///
  /// > Reference: Apple, entityMigrationPolicy.
  public static let entityMigrationPolicy = CocoaError.Code(
    rawValue: NSEntityMigrationPolicyError)
  /// The error code for a failure in SQLite.
  ///
  /// The user info contains SQLite's result code under `NSSQLiteErrorDomain`.
  ///
  /// > Reference: Apple, sqlite.
  public static let sqlite = CocoaError.Code(
    rawValue: NSSQLiteError)
  /// The error code for a mapping model that could not be inferred.
  ///
  /// > Reference: Apple, inferredMappingModel.
  public static let inferredMappingModel = CocoaError.Code(
    rawValue: NSInferredMappingModelError)
  /// The error code for an external record that could not be imported.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, externalRecordImport.
  public static let externalRecordImport = CocoaError.Code(
    rawValue: NSExternalRecordImportError)
}
