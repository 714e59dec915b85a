// The codes of errors in `NSCocoaErrorDomain`, as numbers.

/// A value does not satisfy the model.
///
/// > Reference: Apple, NSManagedObjectValidationError.
public let NSManagedObjectValidationError = 1550
/// Objects of one save violate a uniqueness constraint.
///
/// > Reference: Apple, NSManagedObjectConstraintValidationError.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validations failed; the errors are under `NSDetailedErrorsKey`.
///
/// > Reference: Apple, NSValidationMultipleErrorsError.
public let NSValidationMultipleErrorsError = 1560
/// A required value is missing.
///
/// > Reference: Apple, NSValidationMissingMandatoryPropertyError.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship has too few destinations.
///
/// > Reference: Apple, NSValidationRelationshipLacksMinimumCountError.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship has too many destinations.
///
/// > Reference: Apple, NSValidationRelationshipExceedsMaximumCountError.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A deny rule forbids the deletion.
///
/// > Reference: Apple, NSValidationRelationshipDeniedDeleteError.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its limit.
///
/// > Reference: Apple, NSValidationNumberTooLargeError.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its limit.
///
/// > Reference: Apple, NSValidationNumberTooSmallError.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its limit.
///
/// > Reference: Apple, NSValidationDateTooLateError.
public let NSValidationDateTooLateError = 1630
/// A date is before its limit.
///
/// > Reference: Apple, NSValidationDateTooSoonError.
public let NSValidationDateTooSoonError = 1640
/// A date is invalid.
///
/// > Reference: Apple, NSValidationInvalidDateError.
public let NSValidationInvalidDateError = 1650
/// A text has too many characters.
///
/// > Reference: Apple, NSValidationStringTooLongError.
public let NSValidationStringTooLongError = 1660
/// A text has too few characters.
///
/// > Reference: Apple, NSValidationStringTooShortError.
public let NSValidationStringTooShortError = 1670
/// A text does not match its pattern.
///
/// > Reference: Apple, NSValidationStringPatternMatchingError.
public let NSValidationStringPatternMatchingError = 1680
/// A text is not a URI.
///
/// > Reference: Apple, NSValidationInvalidURIError.
public let NSValidationInvalidURIError = 1690
/// A context could not be locked.
///
/// > Reference: Apple, NSManagedObjectContextLockingError.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator could not be locked.
///
/// > Reference: Apple, NSPersistentStoreCoordinatorLockingError.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object or a fault has no row.
///
/// > Reference: Apple, NSManagedObjectReferentialIntegrityError.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship leads to an object of another store.
///
/// > Reference: Apple, NSManagedObjectExternalRelationshipError.
public let NSManagedObjectExternalRelationshipError = 133010
/// A conflict was not resolved.
///
/// > Reference: Apple, NSManagedObjectMergeError.
public let NSManagedObjectMergeError = 133020
/// A conflict over a uniqueness constraint was not resolved.
///
/// > Reference: Apple, NSManagedObjectConstraintMergeError.
public let NSManagedObjectConstraintMergeError = 133021
/// The type of store is unknown.
///
/// > Reference: Apple, NSPersistentStoreInvalidTypeError.
public let NSPersistentStoreInvalidTypeError = 134000
/// The file is a store of another type.
///
/// > Reference: Apple, NSPersistentStoreTypeMismatchError.
public let NSPersistentStoreTypeMismatchError = 134010
/// The tables of a store do not match the model.
///
/// > Reference: Apple, NSPersistentStoreIncompatibleSchemaError.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// A store could not be written.
///
/// > Reference: Apple, NSPersistentStoreSaveError.
public let NSPersistentStoreSaveError = 134030
/// Some of several stores were written before one failed.
///
/// > Reference: Apple, NSPersistentStoreIncompleteSaveError.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save had conflicts; they are under `NSPersistentStoreSaveConflictsErrorKey`.
///
/// > Reference: Apple, NSPersistentStoreSaveConflictsError.
public let NSPersistentStoreSaveConflictsError = 134050
/// A general error.
///
/// > Reference: Apple, NSCoreDataError.
public let NSCoreDataError = 134060
/// An operation on a store failed.
///
/// > Reference: Apple, NSPersistentStoreOperationError.
public let NSPersistentStoreOperationError = 134070
/// A store could not be opened.
///
/// > Reference: Apple, NSPersistentStoreOpenError.
public let NSPersistentStoreOpenError = 134080
/// A store was locked for too long.
///
/// > Reference: Apple, NSPersistentStoreTimeoutError.
public let NSPersistentStoreTimeoutError = 134090
/// A store cannot execute requests of this type.
///
/// > Reference: Apple, NSPersistentStoreUnsupportedRequestTypeError.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// Another version of the model wrote the store.
///
/// > Reference: Apple, NSPersistentStoreIncompatibleVersionHashError.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed.
///
/// > Reference: Apple, NSMigrationError.
public let NSMigrationError = 134110
/// A migration violates a uniqueness constraint.
///
/// > Reference: Apple, NSMigrationConstraintViolationError.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
///
/// > Reference: Apple, NSMigrationCancelledError.
public let NSMigrationCancelledError = 134120
/// The model that wrote a store was not found.
///
/// > Reference: Apple, NSMigrationMissingSourceModelError.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping model for a migration was found.
///
/// > Reference: Apple, NSMigrationMissingMappingModelError.
public let NSMigrationMissingMappingModelError = 134140
/// The source store of a migration failed.
///
/// > Reference: Apple, NSMigrationManagerSourceStoreError.
public let NSMigrationManagerSourceStoreError = 134150
/// The destination store of a migration failed.
///
/// > Reference: Apple, NSMigrationManagerDestinationStoreError.
public let NSMigrationManagerDestinationStoreError = 134160
/// An entity migration policy failed.
///
/// > Reference: Apple, NSEntityMigrationPolicyError.
public let NSEntityMigrationPolicyError = 134170
/// SQLite failed; its result code is under `NSSQLiteErrorDomain`.
///
/// > Reference: Apple, NSSQLiteError.
public let NSSQLiteError = 134180
/// A mapping model could not be inferred.
///
/// > Reference: Apple, NSInferredMappingModelError.
public let NSInferredMappingModelError = 134190
/// An external record could not be imported.
///
/// > Reference: Apple, NSExternalRecordImportError.
public let NSExternalRecordImportError = 134200
/// The part of the history that a token refers to was deleted.
///
/// > Reference: Apple, NSPersistentHistoryTokenExpiredError.
public let NSPersistentHistoryTokenExpiredError = 134301
/// The model of a model reference was not found.
///
/// > Reference: Apple, NSManagedObjectModelReferenceNotFoundError.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs another version of the framework.
///
/// > Reference: Apple, NSStagedMigrationFrameworkVersionMismatchError.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration leads to an older version of the model.
///
/// > Reference: Apple, NSStagedMigrationBackwardMigrationError.
public let NSStagedMigrationBackwardMigrationError = 134506
