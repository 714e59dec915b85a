public import Foundation
internal import OpenObjectModel

/// An error that describes why a schema is invalid.
///
/// Creating a managed object model from the schema throws this error. Creating a container with the
/// schema throws `SwiftDataError.loadIssueModelContainer` with this error as the underlying error.
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
    /// The given inverse is not a relationship of the destination that leads back to the source, or
    /// is already the inverse of another relationship.
    public static let wrongInverse = Code(rawValue: 3)
    /// A uniqueness constraint or an index has no properties, or has a property that constraints
    /// and indexes do not support.
    public static let unsupportedConstraint = Code(rawValue: 4)
    /// A minimum or maximum count of a relationship is negative, contradicts the other count, or
    /// does not fit the type of the relationship.
    public static let wrongCount = Code(rawValue: 5)
    /// The schema lacks a superentity, the destination of a relationship, or an entity of a
    /// configuration.
    public static let unknownEntity = Code(rawValue: 6)
    /// The declaration of a model or of a property is invalid, such as a generic model or a
    /// relationship with `@Attribute`.
    public static let wrongDeclaration = Code(rawValue: 7)
    /// The version of the schema has a negative number.
    public static let invalidVersion = Code(rawValue: 8)
    /// The managed object model of the schema is invalid.
    public static let invalidModel = Code(rawValue: 9)
  }

  /// The kind of failure.
  public var code: Code
  /// The problem and its remedy.
  public var message: String
  /// The name of the invalid entity; `nil` if the error concerns no single entity.
  public var entityName: String?
  /// The name of the invalid property; `nil` if the error concerns no single property.
  public var propertyName: String?
  /// The error that caused this error, such as a ``ModelValueError``; `nil` if there is none.
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

  /// The message, followed by the names of the entity and the property.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}
