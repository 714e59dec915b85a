// The codes of errors in `NSCocoaErrorDomain`, as numbers.

/// The error code for an object with a value that fails validation.
///
/// > Reference: Apple, NSManagedObjectValidationError.
public let NSManagedObjectValidationError = 1550
/// The error code for a save in which several objects violate a uniqueness constraint.
///
/// The library never throws an error with this code. For such a save, the library throws error
/// 133021 instead.
///
/// > Reference: Apple, NSManagedObjectConstraintValidationError.
public let NSManagedObjectConstraintValidationError = 1551
/// The error code for several failed validations.
///
/// The user info contains the errors under `NSDetailedErrorsKey`.
///
/// > Reference: Apple, NSValidationMultipleErrorsError.
public let NSValidationMultipleErrorsError = 1560
/// The error code for a missing mandatory value.
///
/// > Reference: Apple, NSValidationMissingMandatoryPropertyError.
public let NSValidationMissingMandatoryPropertyError = 1570
/// The error code for a relationship with too few destinations.
///
/// > Reference: Apple, NSValidationRelationshipLacksMinimumCountError.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// The error code for a relationship with too many destinations.
///
/// > Reference: Apple, NSValidationRelationshipExceedsMaximumCountError.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// The error code for a deletion that a deny rule prevents.
///
/// > Reference: Apple, NSValidationRelationshipDeniedDeleteError.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// The error code for a number above the maximum of its attribute or of the attribute's type.
///
/// > Reference: Apple, NSValidationNumberTooLargeError.
public let NSValidationNumberTooLargeError = 1610
/// The error code for a number below the minimum of its attribute or of the attribute's type.
///
/// > Reference: Apple, NSValidationNumberTooSmallError.
public let NSValidationNumberTooSmallError = 1620
/// The error code for a date after the latest date that its attribute allows.
///
/// > Reference: Apple, NSValidationDateTooLateError.
public let NSValidationDateTooLateError = 1630
/// The error code for a date before the earliest date that its attribute allows.
///
/// > Reference: Apple, NSValidationDateTooSoonError.
public let NSValidationDateTooSoonError = 1640
/// The error code for an invalid date, whose time interval is not a number.
///
/// > Reference: Apple, NSValidationInvalidDateError.
public let NSValidationInvalidDateError = 1650
/// The error code for a string with too many characters.
///
/// > Reference: Apple, NSValidationStringTooLongError.
public let NSValidationStringTooLongError = 1660
/// The error code for a string with too few characters.
///
/// > Reference: Apple, NSValidationStringTooShortError.
public let NSValidationStringTooShortError = 1670
/// The error code for a string that does not match the regular expression of its attribute.
///
/// > Reference: Apple, NSValidationStringPatternMatchingError.
public let NSValidationStringPatternMatchingError = 1680
/// The error code for a string that is not a URI.
///
/// > Reference: Apple, NSValidationInvalidURIError.
public let NSValidationInvalidURIError = 1690
/// The error code for a context that could not be locked.
///
/// Only the method `checkThreading()` of OpenPersistenceKit throws this code.
///
/// > Reference: Apple, NSManagedObjectContextLockingError.
public let NSManagedObjectContextLockingError = 132000
/// The error code for a coordinator that could not be locked.
///
/// The library never throws this code.
///
/// > Reference: Apple, NSPersistentStoreCoordinatorLockingError.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// The error code for an object or a fault that has no row in the store.
///
/// > Reference: Apple, NSManagedObjectReferentialIntegrityError.
public let NSManagedObjectReferentialIntegrityError = 133000
/// The error code for a relationship to an object in another store.
///
/// > Reference: Apple, NSManagedObjectExternalRelationshipError.
public let NSManagedObjectExternalRelationshipError = 133010
/// The error code for an unresolved conflict with a row that has changed in the store.
///
/// > Reference: Apple, NSManagedObjectMergeError.
public let NSManagedObjectMergeError = 133020
/// The error code for an unresolved violation of a uniqueness constraint.
///
/// > Reference: Apple, NSManagedObjectConstraintMergeError.
public let NSManagedObjectConstraintMergeError = 133021
/// The error code for an unknown store type.
///
/// > Reference: Apple, NSPersistentStoreInvalidTypeError.
public let NSPersistentStoreInvalidTypeError = 134000
/// The error code for a file that contains a store of another type.
///
/// The library never throws this code.
///
/// > Reference: Apple, NSPersistentStoreTypeMismatchError.
public let NSPersistentStoreTypeMismatchError = 134010
/// The error code for a store whose tables do not match the model.
///
/// > Reference: Apple, NSPersistentStoreIncompatibleSchemaError.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// The error code for a store that could not be written.
///
/// > Reference: Apple, NSPersistentStoreSaveError.
public let NSPersistentStoreSaveError = 134030
/// The error code for a save that wrote to some stores before another store failed.
///
/// > Reference: Apple, NSPersistentStoreIncompleteSaveError.
public let NSPersistentStoreIncompleteSaveError = 134040
/// The error code for a save with unresolved conflicts; the library never throws this code.
///
/// For such a save, the library throws error 133020 or 133021 instead.
///
/// > Reference: Apple, NSPersistentStoreSaveConflictsError.
public let NSPersistentStoreSaveConflictsError = 134050
/// The error code for a failure without a more specific code, such as a call that requires a
/// missing entity, store or coordinator.
///
/// > Reference: Apple, NSCoreDataError.
public let NSCoreDataError = 134060
/// The error code for a failed operation on a store, such as reading or saving objects of a removed
/// store.
///
/// > Reference: Apple, NSPersistentStoreOperationError.
public let NSPersistentStoreOperationError = 134070
/// The error code for a store that could not be opened.
///
/// > Reference: Apple, NSPersistentStoreOpenError.
public let NSPersistentStoreOpenError = 134080
/// The error code for a store that was locked longer than the timeout.
///
/// > Reference: Apple, NSPersistentStoreTimeoutError.
public let NSPersistentStoreTimeoutError = 134090
/// The error code for a request whose type the store does not support.
///
/// > Reference: Apple, NSPersistentStoreUnsupportedRequestTypeError.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The error code for a store whose version hashes differ from those of the model.
///
/// > Reference: Apple, NSPersistentStoreIncompatibleVersionHashError.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// The error code for a migration that failed for a reason without a more specific code.
///
/// > Reference: Apple, NSMigrationError.
public let NSMigrationError = 134110
/// The error code for a migration that violates a uniqueness constraint.
///
/// > Reference: Apple, NSMigrationConstraintViolationError.
public let NSMigrationConstraintViolationError = 134111
/// The error code for a migration that was canceled while a migration manager copied objects.
///
/// > Reference: Apple, NSMigrationCancelledError.
public let NSMigrationCancelledError = 134120
/// The error code for a migration whose source model was not found.
///
/// > Reference: Apple, NSMigrationMissingSourceModelError.
public let NSMigrationMissingSourceModelError = 134130
/// The error code for a migration whose mapping model was not found, cannot be read or cannot be
/// inferred.
///
/// > Reference: Apple, NSMigrationMissingMappingModelError.
public let NSMigrationMissingMappingModelError = 134140
/// The error code for a source store that the migration manager cannot open.
///
/// > Reference: Apple, NSMigrationManagerSourceStoreError.
public let NSMigrationManagerSourceStoreError = 134150
/// The error code for a destination store that is the source store, or that the migration manager
/// cannot open.
///
/// > Reference: Apple, NSMigrationManagerDestinationStoreError.
public let NSMigrationManagerDestinationStoreError = 134160
/// The error code for a migration whose policy class is missing or ambiguous, or whose policy lacks
/// a method that the mapping calls.
///
/// > Reference: Apple, NSEntityMigrationPolicyError.
public let NSEntityMigrationPolicyError = 134170
/// The error code for an SQL statement that failed in a save or a batch request.
///
/// The user info contains SQLite's result code under `NSSQLiteErrorDomain`. If the statement
/// belongs to a read, the error code is 256 instead.
///
/// > Reference: Apple, NSSQLiteError.
public let NSSQLiteError = 134180
/// The error code for a mapping model that could not be inferred.
///
/// > Reference: Apple, NSInferredMappingModelError.
public let NSInferredMappingModelError = 134190
/// The error code for an external record that could not be imported.
///
/// The library never throws this code.
///
/// > Reference: Apple, NSExternalRecordImportError.
public let NSExternalRecordImportError = 134200
/// The error code for a history token that cannot be used, because transactions were deleted or
/// stores were replaced.
///
/// > Reference: Apple, NSPersistentHistoryTokenExpiredError.
public let NSPersistentHistoryTokenExpiredError = 134301
/// The error code for a model reference or a migration stage whose model was not found, or a store
/// whose model version no migration stage contains.
///
/// > Reference: Apple, NSManagedObjectModelReferenceNotFoundError.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// The error code for a staged migration that requires another version of the framework.
///
/// The library never throws this code.
///
/// > Reference: Apple, NSStagedMigrationFrameworkVersionMismatchError.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// The error code for a staged migration to an older model version.
///
/// > Reference: Apple, NSStagedMigrationBackwardMigrationError.
public let NSStagedMigrationBackwardMigrationError = 134506
