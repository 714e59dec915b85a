public import Foundation

/// An error that describes why a property's value cannot be stored, or why a stored value cannot be
/// read.
///
/// This is an addition to Apple's API.
public struct ModelValueError: LocalizedError, Sendable, CustomStringConvertible {
  /// A stable number that identifies a kind of failure. `Docs/Errors.md` explains each number.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A number is outside the range of the attribute or of the property.
    public static let outOfRange = Code(rawValue: 1)
    /// The `Codable` implementation of a type omits a stored property or an enumeration case, or
    /// encodes a value of an unexpected type.
    public static let unexpectedShape = Code(rawValue: 2)
    /// The store does not contain a value that the property requires.
    public static let missingValue = Code(rawValue: 3)
    /// A stored value cannot be converted to the type of the property.
    public static let unreadable = Code(rawValue: 4)
    /// The `Codable` implementation of a type threw an error for a value, the JSON text of a value
    /// could not be read back, or a default value has the wrong type.
    public static let refused = Code(rawValue: 5)
    /// The type of the property cannot be stored.
    public static let unsupportedType = Code(rawValue: 6)
  }

  /// The kind of failure.
  public var code: Code
  /// A description of the problem and its remedy.
  public var message: String
  /// The name of the model's entity; `nil` if the entity is unknown.
  public var entityName: String?
  /// The name of the property, followed by the path to the invalid part of the value, as in
  /// `address.zip`; `nil` if the property is unknown.
  public var propertyName: String?
  /// The error that the `Codable` implementation of the property's type threw; `nil` if the
  /// implementation did not throw an error.
  public var underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// The message, followed by the names of the entity and the property, if known. The text contains
  /// no values of the model.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    return parts.joined(separator: " ")
  }

  /// The same text as ``description``. The property `localizedDescription` returns this text.
  public var errorDescription: String? { description }

  /// Returns a copy of the error with the names of the entity and the property.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity; `nil` to keep ``entityName``.
  ///   - property: The name to put before ``propertyName``; `nil` to put none.
  package func located(entity: String?, property: String?) -> ModelValueError {
    var error = self
    error.entityName = entity ?? entityName
    error.propertyName =
      property.map { [$0, propertyName].compactMap(\.self).joined(separator: ".") } ?? propertyName
    return error
  }

  static func wrong(_ value: Any.Type, _ wanted: String) -> ModelValueError {
    ModelValueError(
      .unexpectedShape,
      "The Encodable implementation of a type writes a value of type \(value), but the declared type is \(wanted). "
        + "Use @Attribute(.codable) to store the encoded value as a whole.")
  }
}
