internal import Foundation
internal import OpenPredicates

/// Reads the objects of a mapping model's document and connects them.
struct MappingDocumentReader {
  /// An object in the editor's store.
  private struct StoredObject {
    var attributes: [String: String] = [:]
    var references: [String: [String]] = [:]
  }

  private static let greatestCount = 100_000
  private var objects: [String: StoredObject] = [:]
  private var models: [StoredObject] = []
  private var predicates = ArchivedPredicates(calls: .methods)
  private var contents = ArchivedContents()
  /// The number of mappings that may still be read; a document may refer to one mapping many times.
  private var remaining = greatestCount

  /// Reads the XML document.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the document is damaged.
  mutating func document(_ data: Data) throws(ModelError) -> MappingDocument {
    try readObjects(data)
    guard let model = models.first, models.count == 1 else {
      throw .damagedMapping("it does not contain exactly one mapping model")
    }
    var document = MappingDocument()
    document.sourceModelPath = model.attributes["sourcemodelpath"]
    document.destinationModelPath = model.attributes["destinationmodelpath"]
    var numbered: [(number: Int, mapping: MappingDocument.EntityMapping)] = []
    for object in try referenced("entitymappings", of: model) {
      let number = object.attributes["mappingnumber"].flatMap { Int($0) } ?? 0
      numbered.append((number: number, mapping: try entityMapping(object)))
    }
    document.mappings = numbered.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
      .map(\.element.mapping)
    return document
  }

  // MARK: Objects

  private mutating func readObjects(_ data: Data) throws(ModelError) {
    do {
      var reader = try MarkupReader(data, root: "database")
      while let element = try reader.next() {
        if element.name == "object" { try note(element) }
      }
    } catch let error as ModelError {
      throw error
    } catch {
      let fault = error as? MarkupFault
      switch fault?.kind {
      case .damaged: throw .damagedMapping(fault?.message ?? "")
      default: throw .damagedMapping("it is not an XML document of a mapping model")
      }
    }
  }

  private mutating func note(_ element: MarkupElement) throws(ModelError) {
    guard let type = element.attributes["type"]?.uppercased(), let id = element.attributes["id"]
    else { throw .damagedMapping("an object has no type or no id") }
    var object = StoredObject()
    for child in element.children {
      guard let name = child.attributes["name"]?.lowercased() else { continue }
      switch child.name {
      case "attribute": object.attributes[name] = child.text
      case "relationship":
        object.references[name] = (child.attributes["idrefs"] ?? "")
          .split(whereSeparator: \.isWhitespace).map(String.init)
      default: continue
      }
    }
    guard objects.count < Self.greatestCount else {
      throw .damagedMapping("it contains more than 100,000 objects")
    }
    guard objects.updateValue(object, forKey: id) == nil else {
      throw .damagedMapping("two objects have the id \(id.prefix(24))")
    }
    if type == "XDDEVMAPPINGMODEL" { models.append(object) }
  }

  private mutating func referenced(
    _ name: String, of object: StoredObject
  ) throws(ModelError) -> [StoredObject] {
    var found: [StoredObject] = []
    for id in object.references[name] ?? [] {
      remaining -= 1
      guard remaining >= 0 else { throw .damagedMapping("it contains more than 100,000 mappings") }
      guard let object = objects[id] else {
        throw .damagedMapping("the object \(id.prefix(24)) is missing")
      }
      found.append(object)
    }
    return found
  }

  // MARK: Mappings

  private mutating func entityMapping(
    _ object: StoredObject
  ) throws(ModelError) -> MappingDocument.EntityMapping {
    var mapping = MappingDocument.EntityMapping()
    mapping.name = text("name", of: object)
    mapping.sourceName = text("sourcename", of: object)
    mapping.destinationName = text("destinationname", of: object)
    mapping.typeName = text("mappingtypename", of: object)
    mapping.policyClassName = text("migrationpolicyclassname", of: object)
    mapping.filter = text("sourcefilterpredicatestring", of: object)
    do {
      mapping.sourceExpression = try expression("sourceexpressiondata", of: object)
      mapping.userInfo = try userInfo(of: object)
      for property in try referenced("attributemappings", of: object) {
        mapping.attributes.append(try propertyMapping(property))
      }
      for property in try referenced("relationshipmappings", of: object) {
        mapping.relationships.append(try propertyMapping(property))
      }
    } catch {
      var located = error
      located.entityName = mapping.destinationName ?? mapping.sourceName
      throw located
    }
    return mapping
  }

  private mutating func propertyMapping(
    _ object: StoredObject
  ) throws(ModelError) -> MappingDocument.PropertyMapping {
    guard let name = text("name", of: object) else {
      throw .damagedMapping("a property mapping has no name")
    }
    do {
      return MappingDocument.PropertyMapping(
        name: name, valueExpression: try expression("valueexpressiondata", of: object),
        keyPath: text("sourcekeypath", of: object),
        mappingName: text("sourcemappingname", of: object), userInfo: try userInfo(of: object))
    } catch {
      var located = error
      located.propertyName = name
      throw located
    }
  }

  /// Returns the text of an attribute; nil if the attribute is absent or empty.
  private func text(_ name: String, of object: StoredObject) -> String? {
    let text = object.attributes[name]?.trimmingCharacters(in: .whitespacesAndNewlines)
    return text?.isEmpty == true ? nil : text
  }

  private func data(_ name: String, of object: StoredObject) throws(ModelError) -> Data? {
    guard let text = text(name, of: object) else { return nil }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw .damagedMapping("the value of \(name) is not valid Base64")
    }
    return data
  }

  private mutating func expression(
    _ name: String, of object: StoredObject
  ) throws(ModelError) -> OpenPredicates.NSExpression? {
    guard let data = try data(name, of: object) else { return nil }
    let node = try predicates.expression(try KeyedArchive(data).root())
    let expression = OpenPredicates.NSExpression(node: node)
    guard expression.formatError == nil else {
      throw .damagedMapping("an expression is nested too deeply")
    }
    return expression
  }

  private mutating func userInfo(
    of object: StoredObject
  ) throws(ModelError) -> [AnyHashable: Any]? {
    guard let data = try data("userinfodata", of: object) else { return nil }
    guard let userInfo = try contents.any(KeyedArchive(data).rootValue()) as? [AnyHashable: Any]
    else { throw .damagedMapping("the user info is not a dictionary") }
    return userInfo
  }
}

extension ModelError {
  /// Creates the error for a document of a mapping model that cannot be read.
  static func damagedMapping(_ reason: String) -> ModelError {
    ModelError(
      .malformed,
      "The document of the mapping model is damaged: \(reason). Save it again in Xcode.")
  }
}
