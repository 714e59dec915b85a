public import Foundation

// The error codes as members of `CocoaError`, so that `catch` clauses can name them, as in
// `catch CocoaError.managedObjectMerge`.

extension CocoaError {
  /// The error code for an object with a value that fails validation.
  ///
  /// > Reference: Apple, managedObjectValidation.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// The error code for several failed validations.
  ///
  /// The user info contains the errors under `NSDetailedErrorsKey`.
  ///
  /// > Reference: Apple, validationMultipleErrors.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// The error code for a missing mandatory value.
  ///
  /// > Reference: Apple, validationMissingMandatoryProperty.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// The error code for a relationship with too few destinations.
  ///
  /// > Reference: Apple, validationRelationshipLacksMinimumCount.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The error code for a relationship with too many destinations.
  ///
  /// > Reference: Apple, validationRelationshipExceedsMaximumCount.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The error code for a deletion that a deny rule prevents.
  ///
  /// > Reference: Apple, validationRelationshipDeniedDelete.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// The error code for a number above the maximum of its attribute.
  ///
  /// > Reference: Apple, validationNumberTooLarge.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// The error code for a number below the minimum of its attribute.
  ///
  /// > Reference: Apple, validationNumberTooSmall.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// The error code for a date after the latest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooLate.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// The error code for a date before the earliest date that its attribute allows.
  ///
  /// > Reference: Apple, validationDateTooSoon.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// The error code for an invalid date, whose time interval is not a number.
  ///
  /// > Reference: Apple, validationInvalidDate.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// The error code for a string with too many characters.
  ///
  /// > Reference: Apple, validationStringTooLong.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// The error code for a string with too few characters.
  ///
  /// > Reference: Apple, validationStringTooShort.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// The error code for a string that does not match the regular expression of its attribute.
  ///
  /// > Reference: Apple, validationStringPatternMatching.
  public static var validationStringPatternMatching: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// The error code for a context that could not be locked.
  ///
  /// Only the method `checkThreading()` of OpenPersistenceKit throws this code.
  ///
  /// > Reference: Apple, managedObjectContextLocking.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// The error code for a coordinator that could not be locked.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreCoordinatorLocking.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// The error code for an object or a fault that has no row in the store.
  ///
  /// > Reference: Apple, managedObjectReferentialIntegrity.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// The error code for a relationship to an object in another store.
  ///
  /// > Reference: Apple, managedObjectExternalRelationship.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// The error code for an unresolved conflict with a row that has changed in the store.
  ///
  /// > Reference: Apple, managedObjectMerge.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// The error code for an unresolved violation of a uniqueness constraint.
  ///
  /// > Reference: Apple, managedObjectConstraintMerge.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// The error code for an unknown store type.
  ///
  /// > Reference: Apple, persistentStoreInvalidType.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// The error code for a file that contains a store of another type.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, persistentStoreTypeMismatch.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The error code for a store whose tables do not match the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleSchema.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// The error code for a store that could not be written.
  ///
  /// > Reference: Apple, persistentStoreSave.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// The error code for a save that wrote to some stores before another store failed.
  ///
  /// > Reference: Apple, persistentStoreIncompleteSave.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// The error code for a save with unresolved conflicts; the library never throws this code.
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
  /// The error code for a failed operation on a store.
  ///
  /// > Reference: Apple, persistentStoreOperation.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// The error code for a store that could not be opened.
  ///
  /// > Reference: Apple, persistentStoreOpen.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// The error code for a store that was locked longer than the timeout.
  ///
  /// > Reference: Apple, persistentStoreTimeout.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// The error code for a request whose type the store does not support.
  ///
  /// > Reference: Apple, persistentStoreUnsupportedRequestType.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The error code for a store whose version hashes differ from those of the model.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleVersionHash.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The error code for a failed migration.
  ///
  /// > Reference: Apple, migration.
  public static var migration: CocoaError.Code { .migration }
  /// The error code for a cancelled migration.
  ///
  /// > Reference: Apple, migrationCancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// The error code for a migration whose source model was not found.
  ///
  /// > Reference: Apple, migrationMissingSourceModel.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// The error code for a migration whose mapping model was not found.
  ///
  /// > Reference: Apple, migrationMissingMappingModel.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// The error code for a failure of the source store in a migration.
  ///
  /// > Reference: Apple, migrationManagerSourceStore.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// The error code for a failure of the destination store in a migration.
  ///
  /// > Reference: Apple, migrationManagerDestinationStore.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// The error code for a migration that fails in an entity migration policy.
  ///
  /// > Reference: Apple, entityMigrationPolicy.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// The error code for a failure in SQLite.
  ///
  /// The user info contains SQLite's result code under `NSSQLiteErrorDomain`.
  ///
  /// > Reference: Apple, sqlite.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// The error code for a mapping model that could not be inferred.
  ///
  /// > Reference: Apple, inferredMappingModel.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// The error code for an external record that could not be imported.
  ///
  /// The library never throws this code.
  ///
  /// > Reference: Apple, externalRecordImport.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
