public import Foundation

extension CocoaError.Code {
  /// A value does not satisfy the model.
  ///
  /// > Reference: Apple, managedObjectValidation.
  public static let managedObjectValidation = CocoaError.Code(
    rawValue: NSManagedObjectValidationError)
  /// Several validations failed; the errors are under `NSDetailedErrorsKey`.
  ///
  /// > Reference: Apple, validationMultipleErrors.
  public static let validationMultipleErrors = CocoaError.Code(
    rawValue: NSValidationMultipleErrorsError)
  /// A required value is missing.
  ///
  /// > Reference: Apple, validationMissingMandatoryProperty.
  public static let validationMissingMandatoryProperty = CocoaError.Code(
    rawValue: NSValidationMissingMandatoryPropertyError)
  /// A relationship has too few destinations.
  ///
  /// > Reference: Apple, validationRelationshipLacksMinimumCount.
  public static let validationRelationshipLacksMinimumCount = CocoaError.Code(
    rawValue: NSValidationRelationshipLacksMinimumCountError)
  /// A relationship has too many destinations.
  ///
  /// > Reference: Apple, validationRelationshipExceedsMaximumCount.
  public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(
    rawValue: NSValidationRelationshipExceedsMaximumCountError)
  /// A deny rule forbids the deletion.
  ///
  /// > Reference: Apple, validationRelationshipDeniedDelete.
  public static let validationRelationshipDeniedDelete = CocoaError.Code(
    rawValue: NSValidationRelationshipDeniedDeleteError)
  /// A number is above its limit.
  ///
  /// > Reference: Apple, validationNumberTooLarge.
  public static let validationNumberTooLarge = CocoaError.Code(
    rawValue: NSValidationNumberTooLargeError)
  /// A number is below its limit.
  ///
  /// > Reference: Apple, validationNumberTooSmall.
  public static let validationNumberTooSmall = CocoaError.Code(
    rawValue: NSValidationNumberTooSmallError)
  /// A date is after its limit.
  ///
  /// > Reference: Apple, validationDateTooLate.
  public static let validationDateTooLate = CocoaError.Code(
    rawValue: NSValidationDateTooLateError)
  /// A date is before its limit.
  ///
  /// > Reference: Apple, validationDateTooSoon.
  public static let validationDateTooSoon = CocoaError.Code(
    rawValue: NSValidationDateTooSoonError)
  /// A date is invalid.
  ///
  /// > Reference: Apple, validationInvalidDate.
  public static let validationInvalidDate = CocoaError.Code(
    rawValue: NSValidationInvalidDateError)
  /// A text has too many characters.
  ///
  /// > Reference: Apple, validationStringTooLong.
  public static let validationStringTooLong = CocoaError.Code(
    rawValue: NSValidationStringTooLongError)
  /// A text has too few characters.
  ///
  /// > Reference: Apple, validationStringTooShort.
  public static let validationStringTooShort = CocoaError.Code(
    rawValue: NSValidationStringTooShortError)
  /// A text does not match its pattern.
  ///
  /// > Reference: Apple, validationStringPatternMatching.
  public static let validationStringPatternMatching = CocoaError.Code(
    rawValue: NSValidationStringPatternMatchingError)
  /// A context could not be locked.
  ///
  /// > Reference: Apple, managedObjectContextLocking.
  public static let managedObjectContextLocking = CocoaError.Code(
    rawValue: NSManagedObjectContextLockingError)
  /// A coordinator could not be locked.
  ///
  /// > Reference: Apple, persistentStoreCoordinatorLocking.
  public static let persistentStoreCoordinatorLocking = CocoaError.Code(
    rawValue: NSPersistentStoreCoordinatorLockingError)
  /// An object or a fault has no row.
  ///
  /// > Reference: Apple, managedObjectReferentialIntegrity.
  public static let managedObjectReferentialIntegrity = CocoaError.Code(
    rawValue: NSManagedObjectReferentialIntegrityError)
  /// A relationship leads to an object of another store.
  ///
  /// > Reference: Apple, managedObjectExternalRelationship.
  public static let managedObjectExternalRelationship = CocoaError.Code(
    rawValue: NSManagedObjectExternalRelationshipError)
  /// A conflict was not resolved.
  ///
  /// > Reference: Apple, managedObjectMerge.
  public static let managedObjectMerge = CocoaError.Code(
    rawValue: NSManagedObjectMergeError)
  /// A conflict over a uniqueness constraint was not resolved.
  ///
  /// > Reference: Apple, managedObjectConstraintMerge.
  public static let managedObjectConstraintMerge = CocoaError.Code(
    rawValue: NSManagedObjectConstraintMergeError)
  /// The type of store is unknown.
  ///
  /// > Reference: Apple, persistentStoreInvalidType.
  public static let persistentStoreInvalidType = CocoaError.Code(
    rawValue: NSPersistentStoreInvalidTypeError)
  /// The file is a store of another type.
  ///
  /// > Reference: Apple, persistentStoreTypeMismatch.
  public static let persistentStoreTypeMismatch = CocoaError.Code(
    rawValue: NSPersistentStoreTypeMismatchError)
  /// The tables of a store do not match the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleSchema.
  public static let persistentStoreIncompatibleSchema = CocoaError.Code(
    rawValue: NSPersistentStoreIncompatibleSchemaError)
  /// A store could not be written.
  ///
  /// > Reference: Apple, persistentStoreSave.
  public static let persistentStoreSave = CocoaError.Code(
    rawValue: NSPersistentStoreSaveError)
  /// Some of several stores were written before one failed.
  ///
  /// > Reference: Apple, persistentStoreIncompleteSave.
  public static let persistentStoreIncompleteSave = CocoaError.Code(
    rawValue: NSPersistentStoreIncompleteSaveError)
  /// A save had conflicts; they are under `NSPersistentStoreSaveConflictsErrorKey`.
  ///
  /// > Reference: Apple, persistentStoreSaveConflicts.
  public static let persistentStoreSaveConflicts = CocoaError.Code(
    rawValue: NSPersistentStoreSaveConflictsError)
  /// A general error.
  ///
  /// > Reference: Apple, coreData.
  public static let coreData = CocoaError.Code(
    rawValue: NSCoreDataError)
  /// An operation on a store failed.
  ///
  /// > Reference: Apple, persistentStoreOperation.
  public static let persistentStoreOperation = CocoaError.Code(
    rawValue: NSPersistentStoreOperationError)
  /// A store could not be opened.
  ///
  /// > Reference: Apple, persistentStoreOpen.
  public static let persistentStoreOpen = CocoaError.Code(
    rawValue: NSPersistentStoreOpenError)
  /// A store was locked for too long.
  ///
  /// > Reference: Apple, persistentStoreTimeout.
  public static let persistentStoreTimeout = CocoaError.Code(
    rawValue: NSPersistentStoreTimeoutError)
  /// A store cannot execute requests of this type.
  ///
  /// > Reference: Apple, persistentStoreUnsupportedRequestType.
  public static let persistentStoreUnsupportedRequestType = CocoaError.Code(
    rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  /// Another version of the model wrote the store.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleVersionHash.
  public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(
    rawValue: NSPersistentStoreIncompatibleVersionHashError)
  /// A migration failed.
  ///
  /// > Reference: Apple, migration.
  public static let migration = CocoaError.Code(
    rawValue: NSMigrationError)
  /// A migration was cancelled.
  ///
  /// > Reference: Apple, migrationCancelled.
  public static let migrationCancelled = CocoaError.Code(
    rawValue: NSMigrationCancelledError)
  /// The model that wrote a store was not found.
  ///
  /// > Reference: Apple, migrationMissingSourceModel.
  public static let migrationMissingSourceModel = CocoaError.Code(
    rawValue: NSMigrationMissingSourceModelError)
  /// No mapping model for a migration was found.
  ///
  /// > Reference: Apple, migrationMissingMappingModel.
  public static let migrationMissingMappingModel = CocoaError.Code(
    rawValue: NSMigrationMissingMappingModelError)
  /// The source store of a migration failed.
  ///
  /// > Reference: Apple, migrationManagerSourceStore.
  public static let migrationManagerSourceStore = CocoaError.Code(
    rawValue: NSMigrationManagerSourceStoreError)
  /// The destination store of a migration failed.
  ///
  /// > Reference: Apple, migrationManagerDestinationStore.
  public static let migrationManagerDestinationStore = CocoaError.Code(
    rawValue: NSMigrationManagerDestinationStoreError)
  /// An entity migration policy failed.
  ///
  /// > Reference: Apple, entityMigrationPolicy.
  public static let entityMigrationPolicy = CocoaError.Code(
    rawValue: NSEntityMigrationPolicyError)
  /// SQLite failed; its result code is under `NSSQLiteErrorDomain`.
  ///
  /// > Reference: Apple, sqlite.
  public static let sqlite = CocoaError.Code(
    rawValue: NSSQLiteError)
  /// A mapping model could not be inferred.
  ///
  /// > Reference: Apple, inferredMappingModel.
  public static let inferredMappingModel = CocoaError.Code(
    rawValue: NSInferredMappingModelError)
  /// An external record could not be imported.
  ///
  /// > Reference: Apple, externalRecordImport.
  public static let externalRecordImport = CocoaError.Code(
    rawValue: NSExternalRecordImportError)
}
