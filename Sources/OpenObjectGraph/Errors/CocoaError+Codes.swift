public import Foundation

// The error codes as members of `CocoaError`, so that `catch` clauses can name them, as in
// `catch CocoaError.managedObjectMerge`.

extension CocoaError {
  /// Error code 1550: an object with a value that fails validation.
  ///
  /// > Reference: Apple, managedObjectValidation.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// Error code 1560: several failed validations.
  ///
  /// The user info contains the errors under `NSDetailedErrorsKey`.
  ///
  /// > Reference: Apple, validationMultipleErrors.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// Error code 1570: a missing mandatory value.
  ///
  /// > Reference: Apple, validationMissingMandatoryProperty.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// Error code 1580: a relationship with too few destinations.
  ///
  /// > Reference: Apple, validationRelationshipLacksMinimumCount.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// Error code 1590: a relationship with too many destinations.
  ///
  /// > Reference: Apple, validationRelationshipExceedsMaximumCount.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// Error code 1600: a deletion that a deny rule prevents.
  ///
  /// > Reference: Apple, validationRelationshipDeniedDelete.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// Error code 1610: a number above the maximum of its attribute or of the attribute's type.
  ///
  /// > Reference: Apple, validationNumberTooLarge.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// Error code 1620: a number below the minimum of its attribute or of the attribute's type.
  ///
  /// > Reference: Apple, validationNumberTooSmall.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// Error code 1630: a date after the latest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooLate.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// Error code 1640: a date before the earliest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooSoon.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// Error code 1650: an invalid date, whose time interval is not a number.
  ///
  /// > Reference: Apple, validationInvalidDate.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// Error code 1660: a string with too many characters.
  ///
  /// > Reference: Apple, validationStringTooLong.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// Error code 1670: a string with too few characters.
  ///
  /// > Reference: Apple, validationStringTooShort.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// Error code 1680: a string that does not match the regular expression of its attribute.
  ///
  /// > Reference: Apple, validationStringPatternMatching.
  public static var validationStringPatternMatching: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// Error code 132000: a context that could not be locked.
  ///
  /// Only the method `checkThreading()` of OpenPersistenceKit throws this code.
  ///
  /// > Reference: Apple, managedObjectContextLocking.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// Error code 132010: a coordinator that could not be locked.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreCoordinatorLocking.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// Error code 133000: an object or a fault that has no row in the store.
  ///
  /// > Reference: Apple, managedObjectReferentialIntegrity.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// Error code 133010: a relationship to an object in another store.
  ///
  /// > Reference: Apple, managedObjectExternalRelationship.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// Error code 133020: an unresolved conflict with a row that has changed in the store.
  ///
  /// > Reference: Apple, managedObjectMerge.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// Error code 133021: an unresolved violation of a uniqueness constraint.
  ///
  /// > Reference: Apple, managedObjectConstraintMerge.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// Error code 134000: an unknown store type.
  ///
  /// > Reference: Apple, persistentStoreInvalidType.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// Error code 134010: a file that contains a store of another type.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreTypeMismatch.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// Error code 134020: a store whose tables do not match the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleSchema.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// Error code 134030: a store that could not be written.
  ///
  /// > Reference: Apple, persistentStoreSave.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// Error code 134040: a save that wrote to some stores before another store failed.
  ///
  /// > Reference: Apple, persistentStoreIncompleteSave.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// Error code 134050: a save with unresolved conflicts; the library never throws this code.
  ///
  /// For such a save, the library throws error 133020 or 133021 instead.
  ///
  /// > Reference: Apple, persistentStoreSaveConflicts.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// Error code 134060: a failure without a more specific code, such as a call that requires a
  /// missing entity, store or coordinator.
  ///
  /// > Reference: Apple, coreData.
  public static var coreData: CocoaError.Code { .coreData }
  /// Error code 134070: a failed operation on a store, such as reading or saving objects of a
  /// removed store.
  ///
  /// > Reference: Apple, persistentStoreOperation.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// Error code 134080: a store that could not be opened.
  ///
  /// > Reference: Apple, persistentStoreOpen.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// Error code 134090: a store that was locked longer than the timeout.
  ///
  /// > Reference: Apple, persistentStoreTimeout.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// Error code 134091: a request whose type the store does not support.
  ///
  /// > Reference: Apple, persistentStoreUnsupportedRequestType.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// Error code 134100: a store whose version hashes differ from those of the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleVersionHash.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// Error code 134110: a migration that failed for a reason without a more specific code.
  ///
  /// > Reference: Apple, migration.
  public static var migration: CocoaError.Code { .migration }
  /// Error code 134120: a migration that was canceled while a migration manager copied objects.
  ///
  /// > Reference: Apple, migrationCancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// Error code 134130: a migration whose source model was not found.
  ///
  /// > Reference: Apple, migrationMissingSourceModel.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// Error code 134140: a migration whose mapping model was not found, cannot be read or cannot be
  /// inferred.
  ///
  /// > Reference: Apple, migrationMissingMappingModel.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// Error code 134150: a source store that the migration manager cannot open.
  ///
  /// > Reference: Apple, migrationManagerSourceStore.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// Error code 134160: a destination store that is the source store, or that the migration manager
  /// cannot open.
  ///
  /// > Reference: Apple, migrationManagerDestinationStore.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// Error code 134170: a migration whose policy class is missing or ambiguous, or whose policy
  /// lacks a method that the mapping calls.
  ///
  /// > Reference: Apple, entityMigrationPolicy.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// Error code 134180: an SQL statement that failed in a save or a batch request.
  ///
  /// The user info contains SQLite's result code under `NSSQLiteErrorDomain`. If the statement
  /// belongs to a read, the error code is 256 instead.
  ///
  /// > Reference: Apple, sqlite.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// Error code 134190: a mapping model that could not be inferred.
  ///
  /// > Reference: Apple, inferredMappingModel.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// Error code 134200: an external record that could not be imported.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, externalRecordImport.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
