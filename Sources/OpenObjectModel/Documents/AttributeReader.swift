internal import Foundation
internal import OpenPredicates

/// Turns the `<attribute>` elements of one entity into attributes.
struct AttributeReader {
  let path: String
  let entityName: String
  /// The composite types of the document, by name.
  var composites: [String: DocumentElement] = [:]

  static let types: [String: NSAttributeDescription.AttributeType] = [
    "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
    "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string,
    "Boolean": .boolean, "Date": .date, "Binary": .binaryData, "Binary Data": .binaryData,
    "UUID": .uuid, "URI": .uri, "Transformable": .transformable, "Composite": .composite,
    "Undefined": .undefined, "ObjectID": .objectID,
  ]

  /// The names to write; of two spellings the one that Xcode uses.
  static let typeNames = Dictionary(
    types.filter { $0.key != "Binary Data" }.map { ($0.value, $0.key) },
    uniquingKeysWith: { first, _ in first })

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
    element.readCommon(into: attribute)
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
    guard let format = element["derivationExpression"], !format.isEmpty else { return derived }
    do {
      derived.derivationExpression = try .parsing(format)
    } catch {
      throw self.error(
        .malformed, "The derivation \(format) cannot be parsed: \(error.message)", element,
        property: element["name"])
    }
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
    case .boolean: return flags[text.uppercased()].map { NSNumber(value: $0) }
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

  private static let flags = [
    "YES": true, "TRUE": true, "1": true, "NO": false, "FALSE": false, "0": false,
  ]

  /// A decimal number that fills the text; Foundation's own reading stops at the first letter.
  static func exactDecimal(_ text: String) -> Decimal? {
    Double(text) == nil ? nil : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
