internal import Foundation

/// The text of an attribute's default value in a model document.
///
/// Apple's compiler is lenient: `NO` is a default value of integers, and `1` one of dates. What can be understood is
/// taken; a text that the model editor would not write for the type is noted, so that `ModelLint` finds it.
///
/// > Reference: real model documents, which Apple's compiler accepts.
struct DefaultText {
  /// The value; nil when the text means none of the type.
  let value: Any?
  /// Whether the text is one that the type's values have.
  let isExact: Bool

  /// Reads a text without blanks around it.
  init(_ text: String, of type: NSAttributeDescription.AttributeType) {
    if let exact = Self.exact(text, type) {
      (value, isExact) = (exact, true)
    } else {
      (value, isExact) = (Self.lenient(text, type), false)
    }
  }

  /// The types whose values documents can hold.
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
    case .integer16, .integer32, .integer64:
      number(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { NSNumber(value: $0) }
    case .double, .float: number(text).map { NSNumber(value: $0) }
    case .decimal: flags[text.uppercased()].map { NSDecimalNumber(value: $0 ? 1 : 0) }
    case .uuid: UUID(uuidString: text.trimmingCharacters(in: CharacterSet(charactersIn: "{}")))
    case .uri:
      text.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed)
        .flatMap { URL(string: $0) }
    default: nil
    }
  }

  /// What the model editor writes for truth values, and what is written by hand.
  private static let flags = [
    "YES": true, "TRUE": true, "1": true, "NO": false, "FALSE": false, "0": false,
    "yes": true, "true": true, "no": false, "false": false,
  ]

  /// A number, or the number that a truth value is.
  private static func number(_ text: String) -> Double? {
    flags[text.uppercased()].map { $0 ? 1 : 0 } ?? Double(text)
  }

  private static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A date as ISO 8601 has it, or its day.
  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601)) ?? (try? Date(text + "T00:00:00Z", strategy: .iso8601))
  }
}
