internal import Foundation
internal import OpenPredicates

/// Converts the `<attribute>` elements of an entity to attributes.
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

  /// The type names to write; of two spellings, the one that Xcode uses.
  static let typeNames = Dictionary(
    types.filter { $0.key != "Binary Data" }.map { ($0.value, $0.key) },
    uniquingKeysWith: { first, _ in first })

  func attribute(_ element: DocumentElement) throws(ModelError) -> NSAttributeDescription {
    try attribute(element, enclosing: [])
  }

  /// Reads an attribute; `enclosing` names the composite types that contain it.
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
        .unknownType,
        "The attribute type \"\(typeName)\" does not exist. Choose a type in the model editor.",
        element, property: name)
    }
    attribute.type = type
    attribute.valueTransformerName = element["valueTransformerName"]
    if let className = element["customClassName"] { attribute.attributeValueClassName = className }
    attribute.allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.flag("allowsCloudEncryption")
    try readDefault(element, into: attribute)
    element.readCommon(into: attribute)
    try AttributeValidationReader(path: path, entityName: entityName).read(element, into: attribute)
    return attribute
  }

  /// Returns an attribute of the class that the element requires.
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
        .malformed, "The derivation expression \(format) cannot be parsed: \(error.message)",
        element,
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
        "The composite type \"\(typeName)\" does not exist or contains itself. Correct the model.",
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

  private func readDefault(
    _ element: DocumentElement, into attribute: NSAttributeDescription
  ) throws(ModelError) {
    if attribute.type == .string {
      attribute.defaultValue = element["defaultValueString"]
      return
    }
    let written =
      (attribute.type == .date ? element["defaultDateTimeInterval"] : nil)
      ?? element["defaultValueString"]
    let text = (written ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, DefaultText.canHold(attribute.type) else { return }
    let read = DefaultText(text, of: attribute.type)
    guard let value = read.value else {
      throw error(
        .mismatchedDefault,
        "The default value \"\(text)\" is not a value of the attribute's type. Correct the default value.",
        element, property: element["name"])
    }
    attribute.defaultValue = value
    if !read.isExact { attribute.looseDefaultText = text }
  }

  /// Returns the number that a string contains in decimal notation; nil for another string.
  ///
  /// Foundation ignores trailing letters, and therefore reads the hexadecimal number `0x10` as 0.
  static func exactDecimal(_ text: String) -> Decimal? {
    guard real(text) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// Returns the floating-point number nearest to the number that a string contains in decimal
  /// notation; nil for another string.
  static func real(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isDecimal ? Double(text) : nil
  }
}
