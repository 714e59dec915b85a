import Foundation
import OpenCoreData
import Testing

/// The numbers of the error codes, and their two spellings.
@Suite("Error codes")
struct ErrorCodeTests {
  private struct Spelling {
    let number: Int
    let constant: Int
    var code: CocoaError.Code?
  }

  private let spellings = [
    Spelling(
      number: 1550, constant: NSManagedObjectValidationError, code: .managedObjectValidation),
    Spelling(number: 1551, constant: NSManagedObjectConstraintValidationError),
    Spelling(
      number: 1560, constant: NSValidationMultipleErrorsError, code: .validationMultipleErrors),
    Spelling(
      number: 1570, constant: NSValidationMissingMandatoryPropertyError,
      code: .validationMissingMandatoryProperty),
    Spelling(
      number: 1580, constant: NSValidationRelationshipLacksMinimumCountError,
      code: .validationRelationshipLacksMinimumCount),
    Spelling(
      number: 1590, constant: NSValidationRelationshipExceedsMaximumCountError,
      code: .validationRelationshipExceedsMaximumCount),
    Spelling(
      number: 1600, constant: NSValidationRelationshipDeniedDeleteError,
      code: .validationRelationshipDeniedDelete),
    Spelling(
      number: 1610, constant: NSValidationNumberTooLargeError, code: .validationNumberTooLarge),
    Spelling(
      number: 1620, constant: NSValidationNumberTooSmallError, code: .validationNumberTooSmall),
    Spelling(number: 1630, constant: NSValidationDateTooLateError, code: .validationDateTooLate),
    Spelling(number: 1640, constant: NSValidationDateTooSoonError, code: .validationDateTooSoon),
    Spelling(number: 1650, constant: NSValidationInvalidDateError, code: .validationInvalidDate),
    Spelling(
      number: 1660, constant: NSValidationStringTooLongError, code: .validationStringTooLong),
    Spelling(
      number: 1670, constant: NSValidationStringTooShortError, code: .validationStringTooShort),
    Spelling(
      number: 1680, constant: NSValidationStringPatternMatchingError,
      code: .validationStringPatternMatching),
    Spelling(number: 1690, constant: NSValidationInvalidURIError),
    Spelling(
      number: 132000, constant: NSManagedObjectContextLockingError,
      code: .managedObjectContextLocking),
    Spelling(
      number: 132010, constant: NSPersistentStoreCoordinatorLockingError,
      code: .persistentStoreCoordinatorLocking),
    Spelling(
      number: 133000, constant: NSManagedObjectReferentialIntegrityError,
      code: .managedObjectReferentialIntegrity),
    Spelling(
      number: 133010, constant: NSManagedObjectExternalRelationshipError,
      code: .managedObjectExternalRelationship),
    Spelling(number: 133020, constant: NSManagedObjectMergeError, code: .managedObjectMerge),
    Spelling(
      number: 133021, constant: NSManagedObjectConstraintMergeError,
      code: .managedObjectConstraintMerge),
    Spelling(
      number: 134000, constant: NSPersistentStoreInvalidTypeError, code: .persistentStoreInvalidType
    ),
    Spelling(
      number: 134010, constant: NSPersistentStoreTypeMismatchError,
      code: .persistentStoreTypeMismatch),
    Spelling(
      number: 134020, constant: NSPersistentStoreIncompatibleSchemaError,
      code: .persistentStoreIncompatibleSchema),
    Spelling(number: 134030, constant: NSPersistentStoreSaveError, code: .persistentStoreSave),
    Spelling(
      number: 134040, constant: NSPersistentStoreIncompleteSaveError,
      code: .persistentStoreIncompleteSave),
    Spelling(
      number: 134050, constant: NSPersistentStoreSaveConflictsError,
      code: .persistentStoreSaveConflicts),
    Spelling(number: 134060, constant: NSCoreDataError, code: .coreData),
    Spelling(
      number: 134070, constant: NSPersistentStoreOperationError, code: .persistentStoreOperation),
    Spelling(number: 134080, constant: NSPersistentStoreOpenError, code: .persistentStoreOpen),
    Spelling(
      number: 134090, constant: NSPersistentStoreTimeoutError, code: .persistentStoreTimeout),
    Spelling(
      number: 134091, constant: NSPersistentStoreUnsupportedRequestTypeError,
      code: .persistentStoreUnsupportedRequestType),
    Spelling(
      number: 134100, constant: NSPersistentStoreIncompatibleVersionHashError,
      code: .persistentStoreIncompatibleVersionHash),
    Spelling(number: 134110, constant: NSMigrationError, code: .migration),
    Spelling(number: 134111, constant: NSMigrationConstraintViolationError),
    Spelling(number: 134120, constant: NSMigrationCancelledError, code: .migrationCancelled),
    Spelling(
      number: 134130, constant: NSMigrationMissingSourceModelError,
      code: .migrationMissingSourceModel),
    Spelling(
      number: 134140, constant: NSMigrationMissingMappingModelError,
      code: .migrationMissingMappingModel),
    Spelling(
      number: 134150, constant: NSMigrationManagerSourceStoreError,
      code: .migrationManagerSourceStore),
    Spelling(
      number: 134160, constant: NSMigrationManagerDestinationStoreError,
      code: .migrationManagerDestinationStore),
    Spelling(number: 134170, constant: NSEntityMigrationPolicyError, code: .entityMigrationPolicy),
    Spelling(number: 134180, constant: NSSQLiteError, code: .sqlite),
    Spelling(number: 134190, constant: NSInferredMappingModelError, code: .inferredMappingModel),
    Spelling(number: 134301, constant: NSPersistentHistoryTokenExpiredError),
    Spelling(number: 134504, constant: NSManagedObjectModelReferenceNotFoundError),
    Spelling(number: 134505, constant: NSStagedMigrationFrameworkVersionMismatchError),
    Spelling(number: 134506, constant: NSStagedMigrationBackwardMigrationError),
  ]

  /// The codes as members of `CocoaError` itself.
  private let members: [(code: CocoaError.Code, number: Int)] = [
    (CocoaError.managedObjectValidation, 1550),
    (CocoaError.validationMultipleErrors, 1560),
    (CocoaError.validationMissingMandatoryProperty, 1570),
    (CocoaError.validationRelationshipLacksMinimumCount, 1580),
    (CocoaError.validationRelationshipExceedsMaximumCount, 1590),
    (CocoaError.validationRelationshipDeniedDelete, 1600),
    (CocoaError.validationNumberTooLarge, 1610),
    (CocoaError.validationNumberTooSmall, 1620),
    (CocoaError.validationDateTooLate, 1630),
    (CocoaError.validationDateTooSoon, 1640),
    (CocoaError.validationInvalidDate, 1650),
    (CocoaError.validationStringTooLong, 1660),
    (CocoaError.validationStringTooShort, 1670),
    (CocoaError.validationStringPatternMatching, 1680),
    (CocoaError.managedObjectContextLocking, 132000),
    (CocoaError.persistentStoreCoordinatorLocking, 132010),
    (CocoaError.managedObjectReferentialIntegrity, 133000),
    (CocoaError.managedObjectExternalRelationship, 133010),
    (CocoaError.managedObjectMerge, 133020),
    (CocoaError.managedObjectConstraintMerge, 133021),
    (CocoaError.persistentStoreInvalidType, 134000),
    (CocoaError.persistentStoreTypeMismatch, 134010),
    (CocoaError.persistentStoreIncompatibleSchema, 134020),
    (CocoaError.persistentStoreSave, 134030),
    (CocoaError.persistentStoreIncompleteSave, 134040),
    (CocoaError.persistentStoreSaveConflicts, 134050),
    (CocoaError.coreData, 134060),
    (CocoaError.persistentStoreOperation, 134070),
    (CocoaError.persistentStoreOpen, 134080),
    (CocoaError.persistentStoreTimeout, 134090),
    (CocoaError.persistentStoreUnsupportedRequestType, 134091),
    (CocoaError.persistentStoreIncompatibleVersionHash, 134100),
    (CocoaError.migration, 134110),
    (CocoaError.migrationCancelled, 134120),
    (CocoaError.migrationMissingSourceModel, 134130),
    (CocoaError.migrationMissingMappingModel, 134140),
    (CocoaError.migrationManagerSourceStore, 134150),
    (CocoaError.migrationManagerDestinationStore, 134160),
    (CocoaError.entityMigrationPolicy, 134170),
    (CocoaError.sqlite, 134180),
    (CocoaError.inferredMappingModel, 134190),
  ]

  @Test("have the documented numbers as constants and as codes of CocoaError")
  func numbers() {
    for spelling in spellings {
      #expect(spelling.constant == spelling.number)
      if let code = spelling.code { #expect(code.rawValue == spelling.number) }
    }
  }

  @Test("are members of CocoaError, so that catch clauses can name them")
  func catchClauses() {
    func name(of code: Int) -> String {
      do {
        try fail(code)
        return "none"
      } catch CocoaError.managedObjectMerge {
        return "merge"
      } catch CocoaError.managedObjectConstraintMerge, CocoaError.validationMultipleErrors {
        return "constraint or validation"
      } catch {
        return "other"
      }
    }
    #expect(name(of: 133020) == "merge")
    #expect(name(of: 133021) == "constraint or validation")
    #expect(name(of: 1560) == "constraint or validation")
    #expect(name(of: 134030) == "other")
    #expect(members.map(\.code.rawValue) == members.map(\.number))
    #expect(members.map(\.number) == spellings.compactMap { $0.code?.rawValue })
  }

  private func fail(_ code: Int) throws {
    throw CocoaError(CocoaError.Code(rawValue: code))
  }
}
