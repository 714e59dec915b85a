internal import Foundation

/// The text of an attribute's default value in a model document.
///
/// Apple's compiler is lenient: `NO` is a valid default value of an integer, and `1` of a date.
/// This type accepts every text that has a meaning for the attribute's type. The type marks text
/// that the model editor would not write, so that `ModelLint` can report it.
///
/// > Reference: Model documents in use, which Apple's compiler accepts.
struct DefaultText {
  /// The value; nil if the text is not a value of the type.
  let value: Any?
  /// Whether the text has the usual form of the type's values.
  let isExact: Bool

  /// Reads a text without surrounding whitespace.
  init(_ text: String, of type: NSAttributeDescription.AttributeType) {
    if let exact = Self.exact(text, type) {
      (value, isExact) = (exact, true)
    } else {
      (value, isExact) = (Self.lenient(text, type), false)
    }
  }

  /// Returns whether documents can contain values of a type.
  static func canHold(_ type: NSAttributeDescription.AttributeType) -> Bool {
    ![.binaryData, .transformable, .composite, .undefined, .objectID].contains(type)
  }

  private static func exact(_ text: String, _ type: NSAttributeDescription.AttributeType) -> Any? {
    switch type {
    case .date: seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .boolean: flags[text].map { NSNumber(value: $0) }
    case .integer16, .integer32, .integer64: Int64(text).map { NSNumber(value: $0) }
    case .double, .float: Double(text).map { NSNumber(value: $0) }
    case .decimal: AttributeReader.exactDecimal(text).map { NSDecimalNumber(decimal: $0) }
    case .uuid: UUID(uuidString: text)
    case .uri: URL(string: text)
    default: nil
    }
  }

  private static func lenient(
    _ text: String, _ type: NSAttributeDescription.AttributeType
  ) -> Any? {
    switch type {
    case .date: date(text)
    case .boolean: number(text).map { NSNumber(value: $0 != 0) }
    case .integer16, .integer32, .integer64: integer(text).map { NSNumber(value: $0) }
    case .double, .float: number(text).map { NSNumber(value: $0) }
    case .decimal:
      number(text).flatMap { Int64(exactly: $0) }.map { NSDecimalNumber(decimal: Decimal($0)) }
    case .uuid: UUID(uuidString: text.trimmingCharacters(in: CharacterSet(charactersIn: "{}")))
    case .uri:
      text.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed)
        .flatMap { URL(string: $0) }
    default: nil
    }
  }

  /// The Boolean values that the model editor writes, and those that developers write by hand.
  private static let flags = [
    "YES": true, "TRUE": true, "1": true, "NO": false, "FALSE": false, "0": false,
    "yes": true, "true": true, "no": false, "false": false,
  ]

  /// Returns a number, or the number of a Boolean value.
  private static func number(_ text: String) -> Double? {
    flags[text.uppercased()].map { $0 ? 1 : 0 } ?? Double(text)
  }

  /// Returns the integer part of a number with all its digits.
  private static func integer(_ text: String) -> Int64? {
    if let decimal = AttributeReader.exactDecimal(text) { return AttributeType.whole(decimal) }
    return number(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
  }

  private static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns a date in ISO 8601 format, with or without a time.
  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601)) ?? (try? Date(text + "T00:00:00Z", strategy: .iso8601))
  }
}
