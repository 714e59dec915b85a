internal import Foundation
internal import OpenPredicates

/// Converts the validation attributes of an `<attribute>` element to predicates on the value.
struct AttributeValidationReader {
  let path: String
  let entityName: String

  /// A condition, and Apple's error code for values that do not satisfy it.
  private struct Condition {
    var predicate: NSPredicate
    var code: Int
  }

  func read(
    _ element: DocumentElement, into attribute: NSAttributeDescription
  ) throws(ModelError) {
    let isText = attribute.type == .string
    // Unlike the function `length:`, the key counts UTF-16 code units, as Apple's frameworks do.
    let subject = isText ? "SELF.length" : "SELF"
    let number = attribute.type == .decimal ? decimal : real
    let numbers = [
      try condition("\(subject) >= %@", "minValueString", number, isText ? 1670 : 1620, element),
      try condition("\(subject) <= %@", "maxValueString", number, isText ? 1660 : 1610, element),
    ]
    let dates = [
      try condition("SELF >= %@", "minDateTimeInterval", date, 1640, element),
      try condition("SELF <= %@", "maxDateTimeInterval", date, 1630, element),
    ]
    let pattern = try condition(
      "SELF MATCHES %@", "regularExpressionString", expression, 1680, element)
    let conditions = (numbers + dates + [pattern]).compactMap { $0 }
    attribute.adoptValidation(
      conditions.map(\.predicate), conditions.map { NSNumber(value: $0.code) })
  }

  /// Returns the condition in an XML attribute; nil if the attribute is absent or empty.
  private func condition(
    _ format: String, _ key: String, _ read: (String) -> Any?, _ code: Int,
    _ element: DocumentElement
  ) throws(ModelError) -> Condition? {
    guard let text = element[key], !text.isEmpty else { return nil }
    guard let argument = read(text) else {
      throw ModelError(
        .malformed, "The value of \(key) is invalid. Correct it in the model editor.",
        entityName: entityName, propertyName: element["name"], path: path, line: element.line)
    }
    return Condition(
      predicate: NSPredicate(format: format, argumentArray: [argument]), code: code)
  }

  /// Returns the limit of a decimal attribute with all its digits.
  private func decimal(_ text: String) -> Any? {
    guard let decimal = AttributeReader.exactDecimal(text) else { return nil }
    return Int64(decimal.description).map { NSNumber(value: $0) }
      ?? NSDecimalNumber(decimal: decimal)
  }

  /// Returns the limit of any other attribute: an integer, or the nearest floating-point number.
  private func real(_ text: String) -> Any? {
    if let integer = Int64(text) { return NSNumber(value: integer) }
    guard let real = AttributeReader.real(text), real.isFinite else { return nil }
    return Int64(exactly: real).map { NSNumber(value: $0) } ?? NSNumber(value: real)
  }

  private func date(_ text: String) -> Any? {
    Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  private func expression(_ text: String) -> Any? {
    // Foundation does not report the error in a pattern on every system.
    (try? NSRegularExpression(pattern: text)) == nil ? nil : text
  }
}
