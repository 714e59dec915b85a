public import Foundation

/// The reason why a property's value cannot be stored, or why a stored value cannot be read.
///
/// The message describes the problem and its remedy.
///
/// This is an addition to Apple's API.
public struct ModelValueError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number for a kind of failure. `Docs/Errors.md` explains each number.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A number is outside the range of the attribute or of the property's type.
    public static let outOfRange = Code(rawValue: 1)
    /// A type's custom coding writes something other than its stored properties or cases.
    public static let unexpectedShape = Code(rawValue: 2)
    /// The store lacks a value that the property requires.
    public static let missingValue = Code(rawValue: 3)
    /// A stored value cannot be read as the property's type.
    public static let unreadable = Code(rawValue: 4)
    /// The property's type or its coding rejects the value.
    public static let refused = Code(rawValue: 5)
    /// The type of the property cannot be stored.
    public static let unsupportedType = Code(rawValue: 6)
  }

  /// The kind of failure.
  public var code: Code
  /// The problem and the remedy.
  public var message: String
  /// The name of the model's entity, if known.
  public var entityName: String?
  /// The name of the property, if known. The path to the rejected part of the value follows the
  /// name, as in `address.zip`.
  public var propertyName: String?
  /// The error of the type's own coding, if there is one.
  public var underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// All details of the error, without values of the model.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// Returns the error with the names of the entity and the property, which only the caller knows.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - property: The name of the property.
  package func located(entity: String?, property: String?) -> ModelValueError {
    var error = self
    error.entityName = entity ?? entityName
    error.propertyName = [property, propertyName].compactMap { $0 }.joined(separator: ".")
    return error
  }

  static func wrong(_ value: Any.Type, _ wanted: String) -> ModelValueError {
    ModelValueError(
      .unexpectedShape,
      "The coding of a type writes a value of type \(value) where its declaration has \(wanted). "
        + "Use @Attribute(.codable) to store the encoded value as a whole.")
  }
}
