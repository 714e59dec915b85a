internal import Foundation
internal import OpenObjectGraph
internal import OpenStoreContract

/// The kinds of error that a save or fetch throws. The kind of an error determines how an
/// application can respond.
public enum ErrorKind: Sendable, Hashable {
  /// Another process holds a lock on the store, or a context was used on the wrong thread.
  ///
  /// In the first case, the work may succeed later. The second case is a programming error.
  case locking
  /// Rows in the store have changed since the context read these rows. Resolve the conflict and
  /// save again.
  case conflict
  /// A uniqueness constraint is violated. Fetch the existing object and change this object instead.
  case constraint
  /// A required value is missing.
  case missingValue
  /// A value violates a validation condition, or delete rules forbid a batch deletion. A missing
  /// required value is of the kind ``missingValue`` instead.
  case validation
  /// The store cannot be opened, read or written, or a statement exceeded the `statement_timeout`
  /// of a PostgreSQL server.
  case store
  /// Any other error.
  case other

  /// Determines the kind of an error.
  ///
  /// An error that combines several validation errors is of the kind ``missingValue`` if each of
  /// these errors reports a missing value, and of the kind ``validation`` otherwise. A
  /// `PersistenceError` has the kind of the error that it wraps.
  ///
  /// - Parameter error: Any error.
  public init(_ error: any Error) {
    let bridged = PersistenceError.cause(of: error) as NSError
    guard bridged.domain == NSCocoaErrorDomain else {
      self = .other
      return
    }
    switch bridged.code {
    case _ where Self.exceedsStatementTimeout(bridged): self = .store
    case _ where Self.isForbiddenDeletion(bridged): self = .validation
    case NSManagedObjectContextLockingError, NSPersistentStoreCoordinatorLockingError,
      NSPersistentStoreTimeoutError:
      self = .locking
    case NSManagedObjectMergeError, NSPersistentStoreSaveConflictsError: self = .conflict
    case NSManagedObjectConstraintMergeError, NSManagedObjectConstraintValidationError:
      self = .constraint
    case NSValidationMissingMandatoryPropertyError: self = .missingValue
    case NSValidationMultipleErrorsError:
      let inner = bridged.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
      let isMissing = inner.allSatisfy {
        ($0 as NSError).code == NSValidationMissingMandatoryPropertyError
      }
      self = isMissing && !inner.isEmpty ? .missingValue : .validation
    case 1550..<1700: self = .validation
    case 134000..<135000: self = .store
    case _ where Self.concernsStoreFile(bridged): self = .store
    default: self = .other
    }
  }

  /// Returns whether an error with one of Foundation's codes for files concerns a store.
  fileprivate static func concernsStoreFile(_ error: NSError) -> Bool {
    let codes: [CocoaError.Code] = [
      .fileReadUnknown, .fileReadCorruptFile, .fileReadNoSuchFile, .fileWriteUnknown,
    ]
    return codes.contains { $0.rawValue == error.code } && error.userInfo[OpenStoreErrorKey] != nil
  }

  /// Returns whether a statement took longer than the limit of the store's server.
  fileprivate static func exceedsStatementTimeout(_ error: NSError) -> Bool {
    (error.userInfo[OpenStoreErrorKey] as? StoreError)?.underlying is StatementTimeout
  }

  /// Returns whether an error states that delete rules forbid a batch deletion.
  fileprivate static func isForbiddenDeletion(_ error: NSError) -> Bool {
    (error.userInfo[OpenStoreErrorKey] as? StoreError)?.underlying is ForbiddenDeletion
  }

  /// Returns whether work that failed with an error may succeed if it is repeated.
  ///
  /// The result is true in three cases: another process locked the store, rows changed in the store
  /// after the context read the rows, or the work violated a uniqueness constraint. In the last two
  /// cases, the repeated work must start with a new fetch. The result is false for a statement that
  /// exceeded the `statement_timeout` of a PostgreSQL server, although the error has the code of a
  /// locked store. The result is also false for a batch deletion that delete rules forbid, although
  /// the error has the code of a violated uniqueness constraint.
  ///
  /// - Parameter error: Any error.
  public static func isTransient(_ error: any Error) -> Bool {
    let bridged = PersistenceError.cause(of: error) as NSError
    guard bridged.domain == NSCocoaErrorDomain, !exceedsStatementTimeout(bridged),
      !isForbiddenDeletion(bridged)
    else { return false }
    return [
      NSPersistentStoreTimeoutError, NSManagedObjectMergeError, NSManagedObjectConstraintMergeError,
      NSPersistentStoreSaveConflictsError,
    ].contains(bridged.code)
  }
}

/// Suggestions for errors that contain no suggestion.
enum ErrorAdvice {
  static func suggestion(for error: NSError) -> String? {
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch error.code {
    case _ where ErrorKind.exceedsStatementTimeout(error): return nil
    // The message names the remedy.
    case _ where ErrorKind.isForbiddenDeletion(error): return nil
    case NSPersistentStoreTimeoutError:
      return "Close other programs that use the store, then try again."
    case NSManagedObjectMergeError: return "Refresh the objects, or set a merge policy."
    case NSManagedObjectConstraintMergeError: return "Fetch the existing object and change it."
    case NSManagedObjectReferentialIntegrityError: return "The object was deleted. Fetch again."
    case NSManagedObjectContextLockingError: return "Use the context's perform or performAndWait."
    case NSPersistentStoreIncompatibleSchemaError, NSPersistentStoreIncompatibleVersionHashError:
      return "Migrate the store, or open it with the model that wrote it."
    case NSPersistentStoreOpenError: return openingAdvice
    case NSPersistentStoreSaveError: return "Check free space and permissions, then save again."
    case 1550..<1700: return "Correct the values, then save again."
    case _ where ErrorKind.concernsStoreFile(error): return openingAdvice
    default: return nil
    }
  }

  private static let openingAdvice = "Check the file, its folder and their permissions."
}
