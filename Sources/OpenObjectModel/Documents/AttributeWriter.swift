internal import Foundation
internal import OpenPredicates

/// Writes an attribute to a model document.
struct AttributeWriter {
  let attribute: NSAttributeDescription
  let entityName: String?
  let composites: CompositeNames

  func write(to document: inout DocumentText) throws(ModelError) {
    guard let typeName = AttributeReader.typeNames[attribute.type] else {
      throw error(.unknownType, "Model documents cannot contain attributes of this type.")
    }
    var attributes: DocumentText.Attributes = [
      ("name", attribute.name), ("optional", attribute.isOptional ? "YES" : nil),
      ("transient", attribute.isTransient ? "YES" : nil), ("attributeType", typeName),
    ]
    if let composite = attribute as? NSCompositeAttributeDescription {
      attributes.append(("composite", try composites.name(of: composite)))
    }
    attributes += try AttributeValidationWriter(entityName: entityName).attributes(of: attribute)
    attributes.append((defaultKey, try defaultText()))
    attributes += [
      ("usesScalarValueType", Self.scalarFlags[attribute.type]),
      ("valueTransformerName", attribute.valueTransformerName), ("customClassName", className),
      ("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage ? "YES" : nil),
      ("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion ? "YES" : nil),
      ("allowsCloudEncryption", attribute.allowsCloudEncryption ? "YES" : nil),
    ]
    attributes += try derivation() + attribute.commonAttributes
    try document.element("attribute", attributes) { (document) throws(ModelError) in
      try UserInfoWriter.write(
        attribute.userInfo, entityName: entityName, propertyName: attribute.name, to: &document)
    }
  }

  private func error(_ code: ModelError.Code, _ message: String) -> ModelError {
    ModelError(code, message, entityName: entityName, propertyName: attribute.name)
  }

  /// The flags that Xcode writes for new attributes and that only code generation uses.
  private static let scalarFlags: [NSAttributeDescription.AttributeType: String] = [
    .integer16: "YES", .integer32: "YES", .integer64: "YES", .double: "YES", .float: "YES",
    .boolean: "YES", .date: "NO", .uuid: "NO",
  ]

  /// The class of the values if it is not the default class of the type; otherwise nil.
  private var className: String? {
    let plain = NSAttributeDescription()
    plain.type = attribute.type
    let usual = attribute.type == .composite ? "NSDictionary" : plain.attributeValueClassName
    return attribute.ownClassName == usual ? nil : attribute.ownClassName
  }

  private func derivation() throws(ModelError) -> DocumentText.Attributes {
    guard let derived = attribute as? NSDerivedAttributeDescription else { return [] }
    guard derived.filteringPredicate == nil else {
      throw error(
        .unarchivable, "Model documents cannot contain the filter predicate of a derived attribute."
      )
    }
    return [
      ("derived", "YES"), ("derivationExpression", derived.derivationExpression?.description),
    ]
  }

  // MARK: Default values

  private var defaultKey: String {
    attribute.type == .date ? "defaultDateTimeInterval" : "defaultValueString"
  }

  private func defaultText() throws(ModelError) -> String? {
    guard let value = attribute.defaultValue else { return nil }
    guard let converted = attribute.convertedDefault else {
      throw error(
        .mismatchedDefault,
        "The default value does not have the attribute's type. Correct the default value.")
    }
    guard !(value is NSNull) else { return nil }
    guard let text = text(of: converted) else {
      throw error(
        .unarchivable, "Model documents cannot contain the default value of the attribute.")
    }
    return text
  }

  private func text(of value: Value) -> String? {
    switch (attribute.type, value) {
    case (.string, .string(let text)): text
    case (.boolean, .bool(let flag)): flag ? "YES" : "NO"
    case (.integer16, .int(let integer)), (.integer32, .int(let integer)),
      (.integer64, .int(let integer)):
      String(integer)
    case (.double, .double(let real)): String(real)
    case (.float, .double(let real)): Double(Float(real)) == real ? "\(Float(real))" : String(real)
    case (.date, .date(let seconds)): AttributeValidationWriter.text(of: seconds)
    case (.decimal, .decimal(let box)): decimalText(box.decimal)
    case (.uuid, .uuid(let uuid)): uuid.uuidString
    case (.uri, .url(let url)): url.absoluteString
    default: nil
    }
  }

  /// Returns a decimal number as text, with ".0" for integers, as Xcode writes it.
  private func decimalText(_ decimal: Decimal) -> String? {
    guard decimal.isFinite else { return nil }
    let text = decimal.description
    return text.contains(".") ? text : text + ".0"
  }
}
