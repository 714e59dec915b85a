public import Foundation

// Apple's older names of the error codes as members of `CocoaError`.

extension CocoaError {
  /// The older spelling of ``managedObjectValidation``.
  ///
  /// > Reference: Apple, managedObjectValidationError.
  @available(*, deprecated, renamed: "managedObjectValidation")
  public static var managedObjectValidationError: CocoaError.Code { .managedObjectValidation }
  /// The older spelling of ``validationMultipleErrors``.
  ///
  /// > Reference: Apple, validationMultipleErrorsError.
  @available(*, deprecated, renamed: "validationMultipleErrors")
  public static var validationMultipleErrorsError: CocoaError.Code { .validationMultipleErrors }
  /// The older spelling of ``validationMissingMandatoryProperty``.
  ///
  /// > Reference: Apple, validationMissingMandatoryPropertyError.
  @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
  public static var validationMissingMandatoryPropertyError: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// The older spelling of ``validationRelationshipLacksMinimumCount``.
  ///
  /// > Reference: Apple, validationRelationshipLacksMinimumCountError.
  @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
  public static var validationRelationshipLacksMinimumCountError: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The older spelling of ``validationRelationshipExceedsMaximumCount``.
  ///
  /// > Reference: Apple, validationRelationshipExceedsMaximumCountError.
  @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
  public static var validationRelationshipExceedsMaximumCountError: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The older spelling of ``validationRelationshipDeniedDelete``.
  ///
  /// > Reference: Apple, validationRelationshipDeniedDeleteError.
  @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
  public static var validationRelationshipDeniedDeleteError: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// The older spelling of ``validationNumberTooLarge``.
  ///
  /// > Reference: Apple, validationNumberTooLargeError.
  @available(*, deprecated, renamed: "validationNumberTooLarge")
  public static var validationNumberTooLargeError: CocoaError.Code { .validationNumberTooLarge }
  /// The older spelling of ``validationNumberTooSmall``.
  ///
  /// > Reference: Apple, validationNumberTooSmallError.
  @available(*, deprecated, renamed: "validationNumberTooSmall")
  public static var validationNumberTooSmallError: CocoaError.Code { .validationNumberTooSmall }
  /// The older spelling of ``validationDateTooLate``.
  ///
  /// > Reference: Apple, validationDateTooLateError.
  @available(*, deprecated, renamed: "validationDateTooLate")
  public static var validationDateTooLateError: CocoaError.Code { .validationDateTooLate }
  /// The older spelling of ``validationDateTooSoon``.
  ///
  /// > Reference: Apple, validationDateTooSoonError.
  @available(*, deprecated, renamed: "validationDateTooSoon")
  public static var validationDateTooSoonError: CocoaError.Code { .validationDateTooSoon }
  /// The older spelling of ``validationInvalidDate``.
  ///
  /// > Reference: Apple, validationInvalidDateError.
  @available(*, deprecated, renamed: "validationInvalidDate")
  public static var validationInvalidDateError: CocoaError.Code { .validationInvalidDate }
  /// The older spelling of ``validationStringTooLong``.
  ///
  /// > Reference: Apple, validationStringTooLongError.
  @available(*, deprecated, renamed: "validationStringTooLong")
  public static var validationStringTooLongError: CocoaError.Code { .validationStringTooLong }
  /// The older spelling of ``validationStringTooShort``.
  ///
  /// > Reference: Apple, validationStringTooShortError.
  @available(*, deprecated, renamed: "validationStringTooShort")
  public static var validationStringTooShortError: CocoaError.Code { .validationStringTooShort }
  /// The older spelling of ``validationStringPatternMatching``.
  ///
  /// > Reference: Apple, validationStringPatternMatchingError.
  @available(*, deprecated, renamed: "validationStringPatternMatching")
  public static var validationStringPatternMatchingError: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// The older spelling of ``managedObjectContextLocking``.
  ///
  /// > Reference: Apple, managedObjectContextLockingError.
  @available(*, deprecated, renamed: "managedObjectContextLocking")
  public static var managedObjectContextLockingError: CocoaError.Code {
    .managedObjectContextLocking
  }
  /// The older spelling of ``persistentStoreCoordinatorLocking``.
  ///
  /// > Reference: Apple, persistentStoreCoordinatorLockingError.
  @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
  public static var persistentStoreCoordinatorLockingError: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// The older spelling of ``managedObjectReferentialIntegrity``.
  ///
  /// > Reference: Apple, managedObjectReferentialIntegrityError.
  @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
  public static var managedObjectReferentialIntegrityError: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// The older spelling of ``managedObjectExternalRelationship``.
  ///
  /// > Reference: Apple, managedObjectExternalRelationshipError.
  @available(*, deprecated, renamed: "managedObjectExternalRelationship")
  public static var managedObjectExternalRelationshipError: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// The older spelling of ``managedObjectMerge``.
  ///
  /// > Reference: Apple, managedObjectMergeError.
  @available(*, deprecated, renamed: "managedObjectMerge")
  public static var managedObjectMergeError: CocoaError.Code { .managedObjectMerge }
  /// The older spelling of ``managedObjectConstraintMerge``.
  ///
  /// > Reference: Apple, managedObjectConstraintMergeError.
  @available(*, deprecated, renamed: "managedObjectConstraintMerge")
  public static var managedObjectConstraintMergeError: CocoaError.Code {
    .managedObjectConstraintMerge
  }
  /// The older spelling of ``persistentStoreInvalidType``.
  ///
  /// > Reference: Apple, persistentStoreInvalidTypeError.
  @available(*, deprecated, renamed: "persistentStoreInvalidType")
  public static var persistentStoreInvalidTypeError: CocoaError.Code { .persistentStoreInvalidType }
  /// The older spelling of ``persistentStoreTypeMismatch``.
  ///
  /// > Reference: Apple, persistentStoreTypeMismatchError.
  @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
  public static var persistentStoreTypeMismatchError: CocoaError.Code {
    .persistentStoreTypeMismatch
  }
  /// The older spelling of ``persistentStoreIncompatibleSchema``.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleSchemaError.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
  public static var persistentStoreIncompatibleSchemaError: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// The older spelling of ``persistentStoreSave``.
  ///
  /// > Reference: Apple, persistentStoreSaveError.
  @available(*, deprecated, renamed: "persistentStoreSave")
  public static var persistentStoreSaveError: CocoaError.Code { .persistentStoreSave }
  /// The older spelling of ``persistentStoreIncompleteSave``.
  ///
  /// > Reference: Apple, persistentStoreIncompleteSaveError.
  @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
  public static var persistentStoreIncompleteSaveError: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// The older spelling of `persistentStoreSaveConflicts`.
  ///
  /// > Reference: Apple, persistentStoreSaveConflictsError.
  @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
  public static var persistentStoreSaveConflictsError: CocoaError.Code {
    .persistentStoreSaveConflicts
  }
  /// The older spelling of ``coreData``.
  ///
  /// > Reference: Apple, coreDataError.
  @available(*, deprecated, renamed: "coreData")
  public static var coreDataError: CocoaError.Code { .coreData }
  /// The older spelling of ``persistentStoreOperation``.
  ///
  /// > Reference: Apple, persistentStoreOperationError.
  @available(*, deprecated, renamed: "persistentStoreOperation")
  public static var persistentStoreOperationError: CocoaError.Code { .persistentStoreOperation }
  /// The older spelling of ``persistentStoreOpen``.
  ///
  /// > Reference: Apple, persistentStoreOpenError.
  @available(*, deprecated, renamed: "persistentStoreOpen")
  public static var persistentStoreOpenError: CocoaError.Code { .persistentStoreOpen }
  /// The older spelling of ``persistentStoreTimeout``.
  ///
  /// > Reference: Apple, persistentStoreTimeoutError.
  @available(*, deprecated, renamed: "persistentStoreTimeout")
  public static var persistentStoreTimeoutError: CocoaError.Code { .persistentStoreTimeout }
  /// The older spelling of ``persistentStoreUnsupportedRequestType``.
  ///
  /// > Reference: Apple, persistentStoreUnsupportedRequestTypeError.
  @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
  public static var persistentStoreUnsupportedRequestTypeError: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The older spelling of ``persistentStoreIncompatibleVersionHash``.
  ///
  /// > Reference: Apple, persistentStoreIncompatibleVersionHashError.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
  public static var persistentStoreIncompatibleVersionHashError: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The older spelling of ``migration``.
  ///
  /// > Reference: Apple, migrationError.
  @available(*, deprecated, renamed: "migration")
  public static var migrationError: CocoaError.Code { .migration }
  /// The older spelling of ``migrationCancelled``.
  ///
  /// > Reference: Apple, migrationCancelledError.
  @available(*, deprecated, renamed: "migrationCancelled")
  public static var migrationCancelledError: CocoaError.Code { .migrationCancelled }
  /// The older spelling of ``migrationMissingSourceModel``.
  ///
  /// > Reference: Apple, migrationMissingSourceModelError.
  @available(*, deprecated, renamed: "migrationMissingSourceModel")
  public static var migrationMissingSourceModelError: CocoaError.Code {
    .migrationMissingSourceModel
  }
  /// The older spelling of ``migrationMissingMappingModel``.
  ///
  /// > Reference: Apple, migrationMissingMappingModelError.
  @available(*, deprecated, renamed: "migrationMissingMappingModel")
  public static var migrationMissingMappingModelError: CocoaError.Code {
    .migrationMissingMappingModel
  }
  /// The older spelling of ``migrationManagerSourceStore``.
  ///
  /// > Reference: Apple, migrationManagerSourceStoreError.
  @available(*, deprecated, renamed: "migrationManagerSourceStore")
  public static var migrationManagerSourceStoreError: CocoaError.Code {
    .migrationManagerSourceStore
  }
  /// The older spelling of ``migrationManagerDestinationStore``.
  ///
  /// > Reference: Apple, migrationManagerDestinationStoreError.
  @available(*, deprecated, renamed: "migrationManagerDestinationStore")
  public static var migrationManagerDestinationStoreError: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// The older spelling of ``entityMigrationPolicy``.
  ///
  /// > Reference: Apple, entityMigrationPolicyError.
  @available(*, deprecated, renamed: "entityMigrationPolicy")
  public static var entityMigrationPolicyError: CocoaError.Code { .entityMigrationPolicy }
  /// The older spelling of ``sqlite``.
  ///
  /// > Reference: Apple, sqliteError.
  @available(*, deprecated, renamed: "sqlite")
  public static var sqliteError: CocoaError.Code { .sqlite }
  /// The older spelling of ``inferredMappingModel``.
  ///
  /// > Reference: Apple, inferredMappingModelError.
  @available(*, deprecated, renamed: "inferredMappingModel")
  public static var inferredMappingModelError: CocoaError.Code { .inferredMappingModel }
  /// The older spelling of ``externalRecordImport``.
  ///
  /// > Reference: Apple, externalRecordImportError.
  @available(*, deprecated, renamed: "externalRecordImport")
  public static var externalRecordImportError: CocoaError.Code { .externalRecordImport }
}
