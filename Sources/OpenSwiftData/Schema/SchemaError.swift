public import Foundation
internal import OpenObjectModel

/// An error that describes why a schema is invalid.
///
/// Creating a managed object model from the schema throws this error. Creating a container with the
/// schema throws `SwiftDataError.loadIssueModelContainer` with this error as the underlying error.
///
/// This is an addition to Apple's API.
public struct SchemaError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number that identifies a kind of failure. `Docs/Errors.md` explains each number.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Two model types, or two properties of one model type, have the same name.
    public static let duplicateName = Code(rawValue: 1)
    /// The type of a property cannot be stored.
    public static let unsupportedType = Code(rawValue: 2)
    /// The given inverse does not refer from the destination to the source, or is already the
    /// inverse of another relationship.
    public static let wrongInverse = Code(rawValue: 3)
    /// A uniqueness constraint or an index has no properties or has an unsupported property, or a
    /// to-many relationship has the option `.unique`.
    public static let unsupportedConstraint = Code(rawValue: 4)
    /// A minimum or maximum count of a to-many relationship is negative, the minimum is greater
    /// than the maximum, or the maximum is 1.
    public static let wrongCount = Code(rawValue: 5)
    /// The schema does not contain a superentity, the destination of a relationship, or an entity
    /// of a configuration.
    public static let unknownEntity = Code(rawValue: 6)
    /// The declaration of a model or of a property is invalid. Examples are a generic model, and a
    /// relationship with an option of `@Attribute` other than `.unique`.
    public static let wrongDeclaration = Code(rawValue: 7)
    /// The schema's version number has a negative component.
    public static let invalidVersion = Code(rawValue: 8)
    /// The managed object model that the library created from the schema is invalid.
    public static let invalidModel = Code(rawValue: 9)
  }

  /// The kind of failure.
  public var code: Code
  /// A description of the problem and its remedy.
  public var message: String
  /// The name of the invalid entity; `nil` if the error does not concern a single entity.
  public var entityName: String?
  /// The name of the invalid property; `nil` if the error does not concern a single property.
  public var propertyName: String?
  /// The error that caused this error, such as a ``ModelValueError``; `nil` if the error has no
  /// such cause.
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

  /// The message, followed by the names of the entity and the property, if known.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The same text as ``description``. The property `localizedDescription` returns this text.
  public var errorDescription: String? { description }
}
