internal import Foundation
internal import OpenPredicates

/// Turns the `<attribute>` elements of one entity into attributes.
struct AttributeReader {
  let path: String
  let entityName: String
  /// The composite types of the document, by name.
  var composites: [String: DocumentElement] = [:]

  private static let types: [String: NSAttributeDescription.AttributeType] = [
    "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
    "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string,
    "Boolean": .boolean, "Date": .date, "Binary": .binaryData, "Binary Data": .binaryData,
    "UUID": .uuid, "URI": .uri, "Transformable": .transformable, "Composite": .composite,
    "Undefined": .undefined, "ObjectID": .objectID,
  ]

  func attribute(_ element: DocumentElement) throws(ModelError) -> NSAttributeDescription {
    try attribute(element, enclosing: [])
  }

  /// An attribute; `enclosing` names the composite types that it is an element of.
  private func attribute(
    _ element: DocumentElement, enclosing: [String]
  ) throws(ModelError) -> NSAttributeDescription {
    guard let name = element["name"], !name.isEmpty else {
      throw error(.missingName, "An attribute has no name.", element)
    }
    let attribute = try emptyAttribute(element, enclosing: enclosing)
    attribute.name = name
    attribute.isOptional = element.flag("optional")
    attribute.isTransient = element.flag("transient")
    let typeName = element["attributeType"] ?? "Undefined"
    guard let type = Self.types[typeName] else {
      throw error(
        .unknownType, "There is no attribute type \"\(typeName)\". Choose one in the model editor.",
        element, property: name)
    }
    attribute.type = type
    attribute.valueTransformerName = element["valueTransformerName"]
    if let className = element["customClassName"] { attribute.attributeValueClassName = className }
    attribute.allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.flag("allowsCloudEncryption")
    attribute.defaultValue = try defaultValue(element, type)
    try AttributeValidationReader(path: path, entityName: entityName).read(element, into: attribute)
    return attribute
  }

  /// An attribute of the class that the element asks for.
  private func emptyAttribute(
    _ element: DocumentElement, enclosing: [String]
  ) throws(ModelError) -> NSAttributeDescription {
    if element["attributeType"] == "Composite" {
      return try compositeAttribute(element, enclosing: enclosing)
    }
    guard element.flag("derived") else { return NSAttributeDescription() }
    let derived = NSDerivedAttributeDescription()
    derived.derivationFormat = element["derivationExpression"]
    return derived
  }

  private func compositeAttribute(
    _ element: DocumentElement, enclosing: [String]
  ) throws(ModelError) -> NSCompositeAttributeDescription {
    let typeName = element["composite"] ?? ""
    guard let composite = composites[typeName], !enclosing.contains(typeName) else {
      throw error(
        .unknownType,
        "There is no composite type \"\(typeName)\", or it contains itself. Correct the model.",
        element, property: element["name"])
    }
    let attribute = NSCompositeAttributeDescription()
    for child in composite.children("attribute") {
      attribute.elements.append(try self.attribute(child, enclosing: enclosing + [typeName]))
    }
    return attribute
  }

  private func error(
    _ code: ModelError.Code, _ message: String, _ element: DocumentElement,
    property: String? = nil
  ) -> ModelError {
    ModelError(
      code, message, entityName: entityName, propertyName: property, path: path,
      line: element.line)
  }

  private func defaultValue(
    _ element: DocumentElement, _ type: NSAttributeDescription.AttributeType
  ) throws(ModelError) -> Any? {
    let key = type == .date ? "defaultDateTimeInterval" : "defaultValueString"
    guard let text = element[key] else { return nil }
    if type == .string { return text }
    if text.isEmpty { return nil }
    guard let value = Self.value(text, type) else {
      if [.binaryData, .transformable, .composite, .undefined, .objectID].contains(type) {
        return nil
      }
      throw error(
        .mismatchedDefault, "The default value is not of the attribute's type. Correct it.",
        element, property: element["name"])
    }
    return value
  }

  private static func value(_ text: String, _ type: NSAttributeDescription.AttributeType) -> Any? {
    switch type {
    case .date: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .boolean: return NSNumber(value: text.uppercased() == "YES" || text == "1")
    case .integer16, .integer32, .integer64:
      return (Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) })
        .map { NSNumber(value: $0) }
    case .double, .float: return Double(text).map { NSNumber(value: $0) }
    case .decimal: return exactDecimal(text).map { NSDecimalNumber(decimal: $0) }
    case .uuid: return UUID(uuidString: text)
    case .uri: return URL(string: text)
    default: return nil
    }
  }

  /// A decimal number that fills the text; Foundation's own reading stops at the first letter.
  static func exactDecimal(_ text: String) -> Decimal? {
    Double(text) == nil ? nil : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
