package import Foundation
internal import OpenObjectModel
package import OpenStoreContract

// The keys of errors, and the one place where the library's own errors become Apple's.

/// The key of the errors that one error combines.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the property that failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the value that failed validation.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key of the predicate that failed validation.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key of the merge conflicts of a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// Domain of SQLite's result codes.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The key of the stores in which an operation failed.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The key of the objects that an error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key of the stores that a save wrote before another store failed. Addition.
public let OpenWrittenStoresErrorKey = "OpenWrittenStores"
/// The key of the library's own error, with all details. Addition.
public let OpenStoreErrorKey = "OpenStoreError"

extension CocoaError {
  /// An error of one of Apple's codes.
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

  /// A store's error under Apple's code; the store's own stays under `OpenStoreErrorKey`.
  static func make(_ error: StoreError) -> CocoaError {
    // The graph itself found it, and says it in Apple's words.
    if error.code == .danglingReference, let known = error.underlying as? CocoaError {
      return known
    }
    var userInfo: [String: Any] = [OpenStoreErrorKey: error]
    if error.nativeCode != 0 { userInfo[NSSQLiteErrorDomain] = Int(error.nativeCode) }
    return make(code(of: error), "\(error)", path: error.path, userInfo: userInfo)
  }

  /// A store's error as callers see it: what a custom store threw as it is, any other under Apple's code.
  package static func surfaced(_ error: StoreError) -> any Error {
    if error.code == .application, let underlying = error.underlying { return underlying }
    return make(error)
  }

  /// A model's error: the model cannot be used.
  static func make(_ error: ModelError) -> CocoaError {
    make(.coreData, "The model cannot be used: \(error)", userInfo: ["OpenModelError": error])
  }

  private static func code(of error: StoreError) -> CocoaError.Code {
    switch error.code {
    case .missingFile, .permission, .foreignFile, .corrupt: .persistentStoreOpen
    case .locked: .persistentStoreTimeout
    case .unreachable: .persistentStoreOpen
    case .outcomeUnknown: .persistentStoreSave
    case .incompatibleSchema: .persistentStoreIncompatibleSchema
    case .readOnly, .inputOutput, .unfitValue: .persistentStoreSave
    case .unsupported: .persistentStoreUnsupportedRequestType
    case .closed: .persistentStoreOperation
    case .missingRow, .danglingReference: .managedObjectReferentialIntegrity
    case .versionConflict: .managedObjectMerge
    case .constraintConflict: .managedObjectConstraintMerge
    case .unsupportedPredicate: .coreData
    case .interrupted: .userCancelled
    default: .sqlite
    }
  }

  /// A failed validation.
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

  /// The errors in a combined error; any other error itself.
  static func details(of error: any Error) -> [any Error] {
    guard let error = error as? CocoaError, error.code == .validationMultipleErrors,
      let details = error.userInfo[NSDetailedErrorsKey] as? [any Error], !details.isEmpty
    else { return [error] }
    return details
  }

  /// One error for several; nil for none, the error itself for one.
  static func combining(_ errors: [any Error]) -> (any Error)? {
    if errors.count < 2 { return errors.first }
    return make(
      .validationMultipleErrors, "Multiple validation errors occurred (\(errors.count)).",
      userInfo: [NSDetailedErrorsKey: errors])
  }
}
