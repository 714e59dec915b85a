internal import Foundation
internal import OpenPredicates

/// Converts conditions on a value back to the XML attributes that contain them.
struct AttributeValidationWriter {
  let entityName: String?

  /// The XML attributes in the order of model documents.
  private static let keys = [
    "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
    "regularExpressionString",
  ]

  /// Returns the XML attributes for the conditions of an attribute.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` for a condition that XML attributes cannot
  ///   contain.
  func attributes(
    of attribute: NSAttributeDescription
  ) throws(ModelError) -> DocumentText.Attributes {
    let predicates = attribute.validationPredicates
    guard !predicates.isEmpty else { return [] }
    let warnings = attribute.validationWarnings
    var texts: [String: String] = [:]
    for (index, predicate) in predicates.enumerated() {
      let code = index < warnings.count ? (warnings[index] as? NSNumber)?.intValue : nil
      guard let condition = condition(predicate, attribute.type), condition.code == code,
        texts.updateValue(condition.text, forKey: condition.key) == nil
      else {
        throw ModelError(
          .unarchivable,
          "Model documents cannot contain the validation condition \(predicate.canonicalFormat). They can contain only a minimum value, a maximum value and a regular expression, with Apple's error codes.",
          entityName: entityName, propertyName: attribute.name)
      }
    }
    return Self.keys.map { (name: $0, value: texts[$0]) }
  }

  private struct Condition {
    var key: String
    var text: String
    var code: Int
  }

  private func condition(
    _ predicate: NSPredicate, _ type: NSAttributeDescription.AttributeType
  ) -> Condition? {
    guard case .comparison(let node)? = predicate.form.resolvedNode(), node.modifier == .direct,
      node.options.isEmpty, case .constant(let limit) = node.right
    else { return nil }
    let isLength = isLength(node.left)
    guard isLength || node.left == .evaluatedObject else { return nil }
    switch (node.operation, limit) {
    case (.matches, .string(let pattern)) where !isLength:
      return Condition(key: "regularExpressionString", text: pattern, code: 1680)
    case (.greaterThanOrEqual, .date(let seconds)) where type == .date:
      return Condition(key: "minDateTimeInterval", text: Self.text(of: seconds), code: 1640)
    case (.lessThanOrEqual, .date(let seconds)) where type == .date:
      return Condition(key: "maxDateTimeInterval", text: Self.text(of: seconds), code: 1630)
    default:
      guard isLength == (type == .string), let text = number(limit) else { return nil }
      return limitCondition(node.operation, text, isLength: isLength)
    }
  }

  private func limitCondition(
    _ operation: ComparisonOperator, _ text: String, isLength: Bool
  ) -> Condition? {
    switch operation {
    case .greaterThanOrEqual:
      Condition(key: "minValueString", text: text, code: isLength ? 1670 : 1620)
    case .lessThanOrEqual:
      Condition(key: "maxValueString", text: text, code: isLength ? 1660 : 1610)
    default: nil
    }
  }

  /// Returns whether an expression is the length of the value, which compiled models contain as a
  /// key path.
  private func isLength(_ node: ExpressionNode) -> Bool {
    node == .function("length:", [.evaluatedObject]) || node == .keyPath(["length"])
  }

  private func number(_ value: Value) -> String? {
    switch value {
    case .int(let integer): String(integer)
    case .double(let real) where real.isFinite: String(real)
    case .decimal(let box) where box.decimal.isFinite: box.decimal.description
    default: nil
    }
  }

  /// Returns a number of seconds as text, without a decimal point if it is an integer.
  static func text(of seconds: Double) -> String {
    Int64(exactly: seconds).map { String($0) } ?? String(seconds)
  }
}
