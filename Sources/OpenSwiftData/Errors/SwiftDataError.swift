public import Foundation

/// An error of SwiftData.
///
/// Errors are compared by their kind; `~=` supports `catch SwiftDataError.loadIssueModelContainer`. The cause is
/// ``underlyingError``.
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
  /// The problem and the remedy.
  public let explanation: String?
  /// The cause: an error of Core Data, of a predicate or of a schema.
  ///
  /// > Reference: Addition.
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

  /// Matches an error in `catch` and `case`.
  ///
  /// - Returns: `true` if the condition is satisfied.
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
  /// A key path names no stored property.
  public static let unsupportedKeyPath = Self(.unsupportedKeyPath)
  /// A part of a predicate can be executed neither by a store nor in memory.
  public static let unsupportedPredicate = Self(.unsupportedPredicate)
  /// A sort descriptor does not name a property that can be sorted by.
  public static let unsupportedSortDescriptor = Self(.unsupportedSortDescriptor)
  /// The history before a token was deleted.
  public static let historyTokenExpired = Self(.historyTokenExpired)
  /// No store supports the history descriptor.
  public static let invalidTransactionFetchRequest = Self(.invalidTransactionFetchRequest)
  /// The name of a configuration cannot be a file name.
  public static let configurationFileNameContainsInvalidCharacters = Self(
    .configurationFileNameContainsInvalidCharacters)
  /// The name of a configuration is too long for a file name.
  public static let configurationFileNameTooLong = Self(.configurationFileNameTooLong)
  /// A configuration has models that the container's schema does not have.
  public static let configurationSchemaNotFoundInContainerSchema = Self(
    .configurationSchemaNotFoundInContainerSchema)
  /// Two configurations are the same.
  public static let duplicateConfiguration = Self(.duplicateConfiguration)
  /// A container's store could not be opened, or its schema is invalid.
  public static let loadIssueModelContainer = Self(.loadIssueModelContainer)
  /// A model does not meet its schema.
  public static let modelValidationFailure = Self(.modelValidationFailure)
  /// A model is in no context.
  public static let missingModelContext = Self(.missingModelContext)
  /// A store has a newer version than all versions of the program.
  public static let backwardMigration = Self(.backwardMigration)
  /// A store has a schema that is not one of the program's.
  public static let unknownSchema = Self(.unknownSchema)
  /// A custom store has no such schema.
  public static let unknownDataStoreSchema = Self(.unknownDataStoreSchema)
}

extension SwiftDataError {
  /// Models cannot be inserted into a container.
  static func modelsOutsideSchema(_ entityNames: Set<String>) -> SwiftDataError {
    SwiftDataError(
      .unknownSchema,
      "The schema of the container does not have \(entityNames.sorted().joined(separator: ", ")). Add these models to the schema."
    )
  }
}
