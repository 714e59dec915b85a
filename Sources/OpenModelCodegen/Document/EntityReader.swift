internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Reads the settings of a model document that only code generation uses and that entity
/// descriptions do not contain.
///
/// The document has already been read as a model, so its names, references and nesting are valid.
final class EntityReader: NSObject, XMLParserDelegate {
  private var entities: [EntityElement] = []
  private var stack: [String] = []

  /// Returns the entities of a document, in the order of the document.
  ///
  /// - Throws: `CodegenError` if the document cannot be read.
  static func entities(in contents: URL) throws(CodegenError) -> [EntityElement] {
    let data: Data
    do {
      data = try Data(contentsOf: contents)
    } catch {
      throw CodegenError(
        .unreadableModel, "The model document cannot be read.", path: contents.path,
        underlying: error)
    }
    let reader = EntityReader()
    let parser = XMLParser(data: data)
    parser.delegate = reader
    guard parser.parse() else {
      throw CodegenError(
        .unreadableModel, "The model document is not well-formed XML.", path: contents.path,
        line: max(1, parser.lineNumber))
    }
    return reader.entities
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch (stack.last, elementName) {
    case ("model", "entity"): begin(attributes, parser.lineNumber)
    case ("entity", "attribute"): addAttribute(attributes, parser.lineNumber)
    case ("entity", "relationship"): addRelationship(attributes, parser.lineNumber)
    case ("entity", "fetchedProperty"): addFetchedProperty(attributes, parser.lineNumber)
    case ("fetchedProperty", "fetchRequest"): completeFetchedProperty(attributes)
    default: break
    }
    stack.append(elementName)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    if !stack.isEmpty { stack.removeLast() }
  }

  private func begin(_ attributes: [String: String], _ line: Int) {
    let className = attributes["representedClassName"]
    entities.append(
      EntityElement(
        name: attributes["name"] ?? "",
        representedClassName: className?.isEmpty == true ? nil : className,
        parentName: attributes["parentEntity"],
        codegen: EntityElement.Codegen(attributes["codeGenerationType"]), line: line))
  }

  private func addAttribute(_ attributes: [String: String], _ line: Int) {
    let className = attributes["customClassName"]
    changeLast {
      $0.attributes.append(
        AttributeElement(
          name: attributes["name"] ?? "", type: attributes["attributeType"] ?? "Undefined",
          usesScalar: isSet(attributes["usesScalarValueType"]),
          customClassName: className?.isEmpty == true ? nil : className, line: line))
    }
  }

  private func addRelationship(_ attributes: [String: String], _ line: Int) {
    // As in the model reader, `maxCount` takes precedence over `toMany`.
    let isToMany = attributes["maxCount"].flatMap { Int($0) }.map { $0 != 1 }
    let isMany = isToMany ?? isSet(attributes["toMany"])
    changeLast {
      $0.relationships.append(
        RelationshipElement(
          name: attributes["name"] ?? "",
          form: !isMany ? .toOne : isSet(attributes["ordered"]) ? .ordered : .toMany,
          destinationName: attributes["destinationEntity"] ?? "", line: line))
    }
  }

  private func addFetchedProperty(_ attributes: [String: String], _ line: Int) {
    changeLast {
      $0.fetchedProperties.append(
        FetchedPropertyElement(name: attributes["name"] ?? "", destinationName: "", line: line))
    }
  }

  private func completeFetchedProperty(_ attributes: [String: String]) {
    changeLast { entity in
      guard let property = entity.fetchedProperties.popLast() else { return }
      entity.fetchedProperties.append(
        FetchedPropertyElement(
          name: property.name, destinationName: attributes["entity"] ?? "", line: property.line))
    }
  }

  private func isSet(_ flag: String?) -> Bool { flag?.uppercased() == "YES" }

  private func changeLast(_ change: (inout EntityElement) -> Void) {
    guard let last = entities.indices.last else { return }
    change(&entities[last])
  }
}
