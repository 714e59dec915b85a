public import Foundation
internal import OpenObjectModel

/// An error that describes why a mapping model cannot be read, written or found.
///
/// The message contains the reason and the remedy.
///
/// This is an addition to Apple's API.
public struct MigrationError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number that identifies the kind of failure. `Docs/Errors.md` explains each code.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number that identifies the kind of failure.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The file, or a model to which the file refers, is missing or cannot be read.
    public static let unreadableMapping = Code(rawValue: 1)
    /// The file is not a mapping model, or is damaged.
    public static let malformedMapping = Code(rawValue: 2)
    /// A mapping refers to an entity or a property that the source or destination model does not
    /// contain.
    public static let foreignMapping = Code(rawValue: 3)
    /// A mapping model contains expressions or values that cannot be archived.
    public static let unarchivableMapping = Code(rawValue: 4)
    /// The file cannot be written.
    public static let unwritableMapping = Code(rawValue: 5)
    /// No mapping model in the bundles matches the two models.
    public static let noMapping = Code(rawValue: 6)
  }

  /// The kind of failure.
  public let code: Code
  /// A description of the problem and of the remedy.
  public let message: String
  /// The name of the entity that the error concerns; nil if the error does not concern an entity.
  public let entityName: String?
  /// The name of the property that the error concerns; nil if the error does not concern a
  /// property.
  public let propertyName: String?
  /// The path of the file; nil if the error does not concern a single file.
  public let path: String?
  /// The error that caused this error, for example a `ModelError`; nil if there is no such error.
  public let underlying: (any Error)?

  init(
    _ code: Code, _ message: String, entityName: String? = nil, propertyName: String? = nil,
    path: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.entityName = entityName
    self.propertyName = propertyName
    self.path = path
    self.underlying = underlying
  }

  /// Creates the error for a failure to read or write a mapping model.
  init(_ error: ModelError, path: String?) {
    let codes: [ModelError.Code: Code] = [
      .unreadable: .unreadableMapping, .unarchivable: .unarchivableMapping,
      .unwritable: .unwritableMapping, .unknownEntity: .foreignMapping,
      .unknownProperty: .foreignMapping,
    ]
    self.init(
      codes[error.code] ?? .malformedMapping, error.message, entityName: error.entityName,
      propertyName: error.propertyName, path: error.path ?? path, underlying: error)
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }

  /// The message, followed by the names of the entity and the property, and the path of the file,
  /// if known.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    if let path { parts.append("File: \(path).") }
    return parts.joined(separator: " ")
  }
}
