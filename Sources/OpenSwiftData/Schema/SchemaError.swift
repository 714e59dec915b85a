public import Foundation
internal import OpenObjectModel

/// The reason why a schema is invalid, with the remedy.
///
/// Creating a schema does not throw. The error is thrown when a managed object model is created
/// from the schema. When a container is created, the error is the cause of
/// `SwiftDataError.loadIssueModelContainer`.
///
/// This is an addition to Apple's API.
public struct SchemaError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number for a kind of failure. `Docs/Errors.md` explains each number.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Two model types, or two properties of one model type, have the same name.
    public static let duplicateName = Code(rawValue: 1)
    /// The type of a property cannot be stored.
    public static let unsupportedType = Code(rawValue: 2)
    /// The given inverse is not a relationship of the destination that leads back to the source.
    public static let wrongInverse = Code(rawValue: 3)
    /// A constraint or index names a property that does not support it.
    public static let unsupportedConstraint = Code(rawValue: 4)
    /// The minimum and maximum counts of a relationship contradict each other or the type of the
    /// relationship.
    public static let wrongCount = Code(rawValue: 5)
    /// The destination entity of a relationship is not in the schema.
    public static let unknownEntity = Code(rawValue: 6)
    /// The declaration of a property does not match its type.
    public static let wrongDeclaration = Code(rawValue: 7)
    /// A version has a negative number.
    public static let invalidVersion = Code(rawValue: 8)
    /// The managed object model of the schema cannot be used.
    public static let invalidModel = Code(rawValue: 9)
  }

  /// The kind of failure.
  public var code: Code
  /// The problem and its remedy.
  public var message: String
  /// The name of the invalid entity, if known.
  public var entityName: String?
  /// The name of the invalid property, if known.
  public var propertyName: String?
  /// The underlying error.
  public var underlying: (any Error)?

  init(
    _ code: Code, _ message: String, entity: String? = nil, property: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    entityName = entity
    propertyName = property
    self.underlying = underlying
  }

  init(_ error: ModelError) {
    self.init(
      error.code == .duplicateName ? .duplicateName : .invalidModel, error.message,
      entity: error.entityName, property: error.propertyName, underlying: error)
  }

  /// All details of the error, as text.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}
