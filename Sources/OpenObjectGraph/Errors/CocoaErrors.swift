package import Foundation
internal import OpenObjectModel
package import OpenStoreContract

// The user info keys of errors, and the conversion of the library's own errors to errors with
// Apple's codes.

/// The user info key for an array of the errors that a combined error contains.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The user info key for the object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The user info key for the name of the property that failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The user info key for the value that failed validation; absent if the property has no value.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The user info key for the predicate in the model that the value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The user info key for an array of the `NSMergeConflict` and `NSConstraintConflict` objects that
/// made a save fail.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The error domain of SQLite's result codes; also the user info key for the result code, an `Int`.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The user info key for an array of the stores in which an operation failed.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The user info key for an array of the objects that an error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The user info key for an array of the stores to which an operation wrote before another store
/// failed.
///
/// This is an addition to Apple's API.
public let OpenWrittenStoresErrorKey = "OpenWrittenStores"
/// The user info key for the `StoreError` that describes the failure in detail.
///
/// This is an addition to Apple's API.
public let OpenStoreErrorKey = "OpenStoreError"

/// Runs work of a store or of the fetch planner, and converts a `StoreError` to the error that
/// callers receive. Other errors are thrown unchanged.
@inline(__always)
func surfacingErrors<Result>(_ work: () throws -> Result) throws -> Result {
  do {
    return try work()
  } catch let error as StoreError {
    throw CocoaError.surfaced(error)
  }
}

extension CocoaError {
  /// Creates an error with one of Apple's codes.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - message: The localized description, which is also the failure reason unless `userInfo`
  ///     contains another failure reason.
  ///   - path: The path of the file that the error concerns; nil for an error that does not concern
  ///     a file.
  ///   - userInfo: Additional entries of the user info dictionary.
  package static func make(
    _ code: CocoaError.Code, _ message: String, path: String? = nil, userInfo: [String: Any] = [:]
  ) -> CocoaError {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = message
    // Foundation prints the reason, and "(null)" for an error without one.
    userInfo[NSLocalizedFailureReasonErrorKey] =
      userInfo[NSLocalizedFailureReasonErrorKey] ?? message
    if let path { userInfo[NSFilePathErrorKey] = path }
    return CocoaError(code, userInfo: userInfo)
  }

  /// Converts a store's error to an error with Apple's code and with the original error under
  /// ``OpenStoreErrorKey``.
  static func make(_ error: StoreError) -> CocoaError {
    // The object graph itself created the underlying error, with Apple's text.
    if error.code == .danglingReference, let known = error.underlying as? CocoaError {
      return known
    }
    return make(code(of: error), error)
  }

  private static func make(_ code: CocoaError.Code, _ error: StoreError) -> CocoaError {
    var userInfo: [String: Any] = [OpenStoreErrorKey: error]
    if error.nativeCode != 0 { userInfo[NSSQLiteErrorDomain] = Int(error.nativeCode) }
    // Apple's text, which contains the system's number for a missing file.
    if error.code == .missingFolder { userInfo["reason"] = "Failed to create file; code = 2" }
    return make(code, "\(error)", path: error.path, userInfo: userInfo)
  }

  /// Converts a store's error to the error that callers receive.
  ///
  /// - Returns: For an error of a custom store, the error that the store threw; for any other
  ///   error, a `CocoaError`.
  package static func surfaced(_ error: StoreError) -> any Error {
    if error.code == .application, let underlying = error.underlying { return underlying }
    return make(error)
  }

  /// Converts the error of a store that could not write to the error that callers receive.
  ///
  /// Apple's code for a failed SQL statement depends on whether the statement reads or writes.
  static func unwritten(_ error: StoreError) -> any Error {
    error.code == .statement ? make(.sqlite, error) : surfaced(error)
  }

  /// Converts the error of an invalid model to an error with Apple's code.
  static func make(_ error: ModelError) -> CocoaError {
    make(.coreData, "The model cannot be used: \(error)", userInfo: ["OpenModelError": error])
  }

  private static func code(of error: StoreError) -> CocoaError.Code {
    switch error.code {
    case .missingFile: .fileReadNoSuchFile
    case .missingFolder: .fileWriteUnknown
    case .foreignFile, .corrupt: .fileReadCorruptFile
    // Not 259: programs that receive 259 replace the file, but these files may be intact.
    case .permission, .obstructed, .unreachable, .unusableLocation: .persistentStoreOpen
    case .locked: .persistentStoreTimeout
    case .outcomeUnknown: .persistentStoreSave
    case .incompatibleSchema: .persistentStoreIncompatibleSchema
    case .readOnly, .inputOutput, .unfitValue: .persistentStoreSave
    case .unsupported: .persistentStoreUnsupportedRequestType
    case .closed, .snapshotLost: .persistentStoreOperation
    case .missingRow, .danglingReference: .managedObjectReferentialIntegrity
    case .versionConflict: .managedObjectMerge
    case .constraintConflict: .managedObjectConstraintMerge
    case .unsupportedPredicate: .coreData
    case .interrupted: .userCancelled
    case .statement: .fileReadUnknown
    default: .sqlite
    }
  }

  /// Creates the error for a failed validation.
  static func validation(
    _ code: Int, _ message: String, object: NSManagedObject, key: String, value: Any?,
    predicate: NSPredicate? = nil
  ) -> CocoaError {
    var userInfo: [String: Any] = [
      NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key,
    ]
    if let value { userInfo[NSValidationValueErrorKey] = value }
    if let predicate { userInfo[NSValidationPredicateErrorKey] = predicate }
    return make(CocoaError.Code(rawValue: code), message, userInfo: userInfo)
  }

  /// Returns the errors in a combined error; for any other error, the error itself.
  static func details(of error: any Error) -> [any Error] {
    guard let error = error as? CocoaError, error.code == .validationMultipleErrors,
      let details = error.userInfo[NSDetailedErrorsKey] as? [any Error], !details.isEmpty
    else { return [error] }
    return details
  }

  /// Combines errors into one error; returns a single error unchanged, and nil for an empty array.
  static func combining(_ errors: [any Error]) -> (any Error)? {
    if errors.count < 2 { return errors.first }
    return make(
      .validationMultipleErrors, "Multiple validation errors occurred (\(errors.count)).",
      userInfo: [NSDetailedErrorsKey: errors])
  }
}
