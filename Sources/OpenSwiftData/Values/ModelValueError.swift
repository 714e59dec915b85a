public import Foundation

/// Why a value of a model's property cannot be stored, or a stored value not be read, and what to
/// do about it.
///
/// This is an addition to Apple's API.
public struct ModelValueError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number for a kind of failure; `Docs/Errors.md` explains each.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A number is outside the range of the stored attribute or of the property's type.
    public static let outOfRange = Code(rawValue: 1)
    /// A type's custom coding writes something other than its stored properties or cases.
    public static let unexpectedShape = Code(rawValue: 2)
    /// A required value is missing in the store.
    public static let missingValue = Code(rawValue: 3)
    /// A stored value cannot be read as the property's type.
    public static let unreadable = Code(rawValue: 4)
    /// The property's type or its coding rejects a value.
    public static let refused = Code(rawValue: 5)
    /// The stored form of a type is unknown.
    public static let unsupportedType = Code(rawValue: 6)
  }

  /// The kind of failure.
  public var code: Code
  /// The problem and the remedy.
  public var message: String
  /// The entity of the model.
  public var entityName: String?
  /// The property, followed by the path to the rejected part if its value has parts, such as
  /// `address.zip`.
  public var propertyName: String?
  /// The error of the type's own coding.
  public var underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// All details of the error, as text without values.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// The same error with the names of entity and property, which only the caller knows.
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
