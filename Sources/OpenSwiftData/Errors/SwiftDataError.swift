public import Foundation

/// An error of a container, a context, a fetch or a migration.
///
/// Two errors are equal if they are of the same kind, such as ``loadIssueModelContainer``. A
/// `catch` clause matches an error by its kind: `catch SwiftDataError.loadIssueModelContainer`. The
/// property ``underlyingError`` contains the cause.
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
  /// A description of the problem and its remedy.
  public let explanation: String?
  /// The error that caused this error: an error of Core Data, of a predicate or of a schema.
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

  /// Returns whether an error is a `SwiftDataError` of the pattern's kind, for `catch` and `case`.
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

  /// A fetch in batches cannot include pending changes.
  public static let includePendingChangesWithBatchSize = Self(.includePendingChangesWithBatchSize)
  /// Identifiers cannot be sorted together with pending changes.
  public static let sortingPendingChangesWithIdentifiers = Self(
    .sortingPendingChangesWithIdentifiers)
  /// A key path does not lead to a stored property.
  public static let unsupportedKeyPath = Self(.unsupportedKeyPath)
  /// A predicate has a part that neither a store nor an evaluation in memory can execute.
  public static let unsupportedPredicate = Self(.unsupportedPredicate)
  /// A sort descriptor has a property or a comparator that fetches cannot sort by.
  public static let unsupportedSortDescriptor = Self(.unsupportedSortDescriptor)
  /// Transactions after a history token were deleted.
  public static let historyTokenExpired = Self(.historyTokenExpired)
  /// No store supports the history descriptor.
  public static let invalidTransactionFetchRequest = Self(.invalidTransactionFetchRequest)
  /// The name of a configuration contains characters that file names cannot contain.
  public static let configurationFileNameContainsInvalidCharacters = Self(
    .configurationFileNameContainsInvalidCharacters)
  /// The name of a configuration is too long for a file name.
  public static let configurationFileNameTooLong = Self(.configurationFileNameTooLong)
  /// A configuration has models that are missing from the container's schema.
  public static let configurationSchemaNotFoundInContainerSchema = Self(
    .configurationSchemaNotFoundInContainerSchema)
  /// Two configurations have the same name or the same store.
  public static let duplicateConfiguration = Self(.duplicateConfiguration)
  /// The store of a container could not be opened, or the schema is invalid.
  public static let loadIssueModelContainer = Self(.loadIssueModelContainer)
  /// A model violates a rule of its schema.
  public static let modelValidationFailure = Self(.modelValidationFailure)
  /// A model is not in a context.
  public static let missingModelContext = Self(.missingModelContext)
  /// The version of a store is newer than every version that the program has.
  public static let backwardMigration = Self(.backwardMigration)
  /// A schema is not one of the program's schemas, or lacks a model.
  public static let unknownSchema = Self(.unknownSchema)
  /// A snapshot, an identifier or a configuration does not fit the schema of its store.
  public static let unknownDataStoreSchema = Self(.unknownDataStoreSchema)
}

extension SwiftDataError {
  /// Returns the error for models that the schema of a container does not have.
  static func modelsOutsideSchema(_ entityNames: Set<String>) -> SwiftDataError {
    SwiftDataError(
      .unknownSchema,
      "The schema of the container does not have \(entityNames.sorted().joined(separator: ", ")). Add these models to the schema."
    )
  }
}
