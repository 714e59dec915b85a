public import Foundation

/// An error that a container, a context, a fetch or a migration throws.
///
/// The static properties are the kinds of errors. Two errors of the same kind are equal, even if
/// their explanations differ. A `catch` clause matches an error by its kind, as in
/// `catch SwiftDataError.loadIssueModelContainer`.
///
/// > Reference: Apple, SwiftDataError.
public struct SwiftDataError: LocalizedError, Hashable, CustomDebugStringConvertible, Sendable {
  enum Kind: String, Hashable, Sendable {
    case backwardMigration, configurationFileNameContainsInvalidCharacters
    case configurationFileNameTooLong, configurationSchemaNotFoundInContainerSchema
    case duplicateConfiguration, historyTokenExpired, includePendingChangesWithBatchSize
    case invalidTransactionFetchRequest, loadIssueModelContainer, missingModelContext
    case modelValidationFailure, sortingPendingChangesWithIdentifiers, unknownSchema
    case unsupportedKeyPath, unsupportedPredicate, unsupportedSortDescriptor
    case unknownDataStoreSchema
  }

  let kind: Kind
  /// A description of the problem and its remedy; `nil` in the errors that the static properties
  /// return.
  public let explanation: String?
  /// The error that caused this error, such as a `CocoaError` or a ``SchemaError``; `nil` if the
  /// error has no such cause.
  ///
  /// This is an addition to Apple's API.
  public let underlyingError: (any Error)?

  init(_ kind: Kind, _ explanation: String? = nil, _ underlyingError: (any Error)? = nil) {
    self.kind = kind
    self.explanation = explanation
    self.underlyingError = underlyingError
  }

  public static func == (one: SwiftDataError, other: SwiftDataError) -> Bool {
    one.kind == other.kind
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Returns whether an error is a `SwiftDataError` of the same kind as a pattern.
  ///
  /// Swift calls this operator to match the patterns in `catch` and `case` clauses.
  ///
  /// - Parameters:
  ///   - pattern: An error of the kind to match.
  ///   - error: The error to examine.
  public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
    (error as? SwiftDataError)?.kind == pattern.kind
  }

  public var errorDescription: String? {
    let cause = underlyingError.map { error in
      (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
    }
    return [explanation ?? "SwiftData error \(kind.rawValue).", cause].compactMap { $0 }
      .joined(separator: " ")
  }

  public var debugDescription: String {
    "SwiftDataError(\(kind.rawValue)): \(errorDescription ?? "")"
  }

  /// A batched fetch cannot include unsaved changes.
  public static let includePendingChangesWithBatchSize = Self(.includePendingChangesWithBatchSize)
  /// A fetch of identifiers cannot have a sort order if the fetch includes unsaved changes and the
  /// context has unsaved changes.
  public static let sortingPendingChangesWithIdentifiers = Self(
    .sortingPendingChangesWithIdentifiers)
  /// A key path does not refer to a stored property.
  public static let unsupportedKeyPath = Self(.unsupportedKeyPath)
  /// A predicate contains an expression that can be evaluated neither by a store nor in memory.
  public static let unsupportedPredicate = Self(.unsupportedPredicate)
  /// A sort descriptor has a property or a comparator that fetches do not support.
  public static let unsupportedSortDescriptor = Self(.unsupportedSortDescriptor)
  /// Transactions after a history token were deleted, or the token belongs to another store.
  public static let historyTokenExpired = Self(.historyTokenExpired)
  /// No store supports the history descriptor, or a store cannot delete the transactions that the
  /// descriptor selects.
  public static let invalidTransactionFetchRequest = Self(.invalidTransactionFetchRequest)
  /// The name of a configuration is empty, `.` or `..`, or contains a slash or a null character.
  public static let configurationFileNameContainsInvalidCharacters = Self(
    .configurationFileNameContainsInvalidCharacters)
  /// The name of a configuration has more than 241 UTF-8 bytes, and is too long for a file name.
  public static let configurationFileNameTooLong = Self(.configurationFileNameTooLong)
  /// A configuration has models that are missing from the container's schema.
  public static let configurationSchemaNotFoundInContainerSchema = Self(
    .configurationSchemaNotFoundInContainerSchema)
  /// Two configurations have the same name or the same file.
  public static let duplicateConfiguration = Self(.duplicateConfiguration)
  /// A store of a container could not be opened or migrated, or the schema or the migration plan is
  /// invalid.
  public static let loadIssueModelContainer = Self(.loadIssueModelContainer)
  /// The closure of ``ModelContext/enumerate(_:batchSize:allowEscapingMutations:block:)`` left
  /// unsaved changes in the context.
  public static let modelValidationFailure = Self(.modelValidationFailure)
  /// A model is not in a context. The library does not throw this error.
  public static let missingModelContext = Self(.missingModelContext)
  /// A store has a higher version number than the container's schema.
  public static let backwardMigration = Self(.backwardMigration)
  /// A model is not in the schema, a migration plan is inconsistent or does not fit a store, or a
  /// persistent identifier is invalid.
  ///
  /// A migration plan causes this error if two of its versions have the same models, if a stage
  /// uses a version that is not in the plan, or if the plan has no version or no stage for a store.
  /// A container then throws ``loadIssueModelContainer`` with this error as the underlying error. A
  /// persistent identifier causes this error if its store is unknown or its entity name is empty.
  public static let unknownSchema = Self(.unknownSchema)
  /// A snapshot or an identifier does not match the schema of a store, or the configuration of a
  /// ``DefaultStore`` has no schema.
  public static let unknownDataStoreSchema = Self(.unknownDataStoreSchema)
}

extension SwiftDataError {
  /// Returns the error for models that the schema of a container does not have.
  static func modelsOutsideSchema(_ entityNames: Set<String>) -> SwiftDataError {
    SwiftDataError(
      .unknownSchema,
      "The schema of the container does not contain \(entityNames.sorted().joined(separator: ", ")). Add these models to the schema."
    )
  }
}
