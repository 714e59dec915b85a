public import Foundation
internal import OpenObjectModel

/// The reason that a mapping model cannot be read, written or found, and the remedy.
///
/// An addition to Apple's API.
public struct MigrationError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number for a kind of failure; `Docs/Errors.md` explains each.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A file, or a model that it names, is missing or cannot be read.
    public static let unreadableMapping = Code(rawValue: 1)
    /// A file is not a mapping model, or is damaged.
    public static let malformedMapping = Code(rawValue: 2)
    /// A mapping names an entity or a property that its model lacks.
    public static let foreignMapping = Code(rawValue: 3)
    /// A mapping model has content that files cannot contain.
    public static let unarchivableMapping = Code(rawValue: 4)
    /// A file cannot be written.
    public static let unwritableMapping = Code(rawValue: 5)
    /// No mapping model in the bundles matches the two models.
    public static let noMapping = Code(rawValue: 6)
  }

  /// The kind of failure.
  public let code: Code
  /// The problem and the remedy.
  public let message: String
  /// The entity's name, in the destination model if the entity exists there.
  public let entityName: String?
  /// The property's name in the destination model.
  public let propertyName: String?
  /// The file.
  public let path: String?
  /// The cause, for example a `ModelError`.
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

  /// The failure of reading or writing a mapping model.
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

  /// The sentence that `print` shows.
  public var errorDescription: String? { description }

  /// The message, with the place if it is known.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    if let path { parts.append("File: \(path).") }
    return parts.joined(separator: " ")
  }
}
