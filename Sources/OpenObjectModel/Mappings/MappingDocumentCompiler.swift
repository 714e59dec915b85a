internal import OpenPredicates

/// Compiles the document of a mapping model to entity mappings between two models.
///
/// The compiler adds the parts that the document omits: version hashes, names of mappings, and the
/// expressions that the editor generates. A compiler is used for one document.
package struct MappingDocumentCompiler {
  private typealias Expression = OpenPredicates.NSExpression
  private let document: MappingDocument
  private let source: [String: NSEntityDescription]
  private let destination: [String: NSEntityDescription]

  /// Creates a compiler.
  ///
  /// - Parameters:
  ///   - document: The document to compile.
  ///   - source: The source model.
  ///   - destination: The destination model.
  package init(
    _ document: MappingDocument, from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) {
    self.document = document
    self.source = source.entitiesByName
    self.destination = destination.entitiesByName
  }

  /// Returns the entity mappings in order.
  ///
  /// - Throws: `ModelError` with code `.unknownEntity` or `.unknownProperty` if a mapping names an
  ///   entity or a property that the model lacks, or with code `.missingName` for a mapping without
  ///   entities.
  package func mappings() throws(ModelError) -> [EntityMappingRecord] {
    var records: [EntityMappingRecord] = []
    for mapping in document.mappings { records.append(try record(of: mapping)) }
    return records
  }

  private func record(
    of mapping: MappingDocument.EntityMapping
  ) throws(ModelError) -> EntityMappingRecord {
    let from = try entity(mapping.sourceName, in: source, "source")
    let to = try entity(mapping.destinationName, in: destination, "destination")
    guard from != nil || to != nil else {
      throw ModelError(
        .missingName, "An entity mapping has neither a source entity nor a destination entity.")
    }
    var record = EntityMappingRecord()
    record.name = Self.name(of: mapping)
    record.type = Self.type(of: mapping)
    record.sourceEntityName = mapping.sourceName
    record.sourceEntityVersionHash = from?.versionHash
    record.destinationEntityName = mapping.destinationName
    record.destinationEntityVersionHash = to?.versionHash
    record.policyClassName = mapping.policyClassName
    record.userInfo = mapping.userInfo
    record.sourceExpression =
      mapping.sourceExpression
      ?? mapping.sourceName.map { Self.fetch($0, mapping.filter ?? "TRUEPREDICATE") }
    record.attributeMappings = try attributes(of: mapping, from, to)
    record.relationshipMappings = try relationships(of: mapping, from, to)
    return record
  }

  private func entity(
    _ name: String?, in entities: [String: NSEntityDescription], _ role: String
  ) throws(ModelError) -> NSEntityDescription? {
    guard let name else { return nil }
    if let entity = entities[name] { return entity }
    throw ModelError(
      .unknownEntity,
      "The \(role) model does not contain the entity of a mapping. Correct the mapping model, or use it with the models for which it was created.",
      entityName: name)
  }

  private static func name(of mapping: MappingDocument.EntityMapping) -> String {
    mapping.name
      ?? [mapping.sourceName, mapping.destinationName].compactMap { $0 }.joined(separator: "To")
  }

  /// Returns the raw value of a mapping's type, from the document or else from its entities and
  /// policy.
  private static func type(of mapping: MappingDocument.EntityMapping) -> UInt {
    if mapping.policyClassName != nil { return 1 }
    let named: [String: UInt] = ["custom": 1, "add": 2, "remove": 3, "copy": 4, "transform": 5]
    if let type = mapping.typeName.flatMap({ named[$0.lowercased()] }) { return type }
    if mapping.sourceName == nil { return 2 }
    return mapping.destinationName == nil ? 3 : 4
  }

  // MARK: Properties

  private func attributes(
    of mapping: MappingDocument.EntityMapping, _ from: NSEntityDescription?,
    _ to: NSEntityDescription?
  ) throws(ModelError) -> [PropertyMappingRecord] {
    var records: [PropertyMappingRecord] = []
    for property in mapping.attributes.sorted(by: { $0.name < $1.name }) {
      guard to?.attributesByName[property.name] != nil else {
        throw unknown(property, of: mapping, "attribute")
      }
      var record = PropertyMappingRecord(name: property.name, userInfo: property.userInfo)
      let path = property.keyPath ?? property.name
      let first = path.prefix { $0 != "." }
      if let expression = property.valueExpression {
        record.valueExpression = expression
      } else if from?.propertiesByName[String(first)] != nil {
        record.valueExpression = Self.sourcePath(path)
      }
      records.append(record)
    }
    return records
  }

  private func relationships(
    of mapping: MappingDocument.EntityMapping, _ from: NSEntityDescription?,
    _ to: NSEntityDescription?
  ) throws(ModelError) -> [PropertyMappingRecord] {
    var records: [PropertyMappingRecord] = []
    for property in mapping.relationships.sorted(by: { $0.name < $1.name }) {
      guard to?.relationshipsByName[property.name] != nil else {
        throw unknown(property, of: mapping, "relationship")
      }
      records.append(
        PropertyMappingRecord(
          name: property.name,
          valueExpression: property.valueExpression ?? destinations(of: property, from),
          userInfo: property.userInfo))
    }
    return records
  }

  /// Returns the generated expression for destinations: the objects of the only matching mapping,
  /// or of all mappings that the relationship's objects went through.
  private func destinations(
    of property: MappingDocument.PropertyMapping, _ from: NSEntityDescription?
  ) -> Expression? {
    let path = property.keyPath ?? property.name
    let relationship = from?.relationshipsByName[path]
    if let name = property.mappingName {
      return Self.call("destinationInstancesForEntityMappingNamed:sourceInstances:", name, path)
    }
    guard let target = relationship?.destinationEntity else { return nil }
    let fitting = document.mappings.filter { mapping in
      mapping.sourceName.flatMap { source[$0] }?.isKindOf(entity: target) == true
    }
    guard let first = fitting.first else { return nil }
    if fitting.count == 1 {
      return Self.call(
        "destinationInstancesForEntityMappingNamed:sourceInstances:", Self.name(of: first), path)
    }
    return Self.call("destinationInstancesForSourceRelationshipNamed:sourceInstances:", path, path)
  }

  private func unknown(
    _ property: MappingDocument.PropertyMapping, of mapping: MappingDocument.EntityMapping,
    _ kind: String
  ) -> ModelError {
    ModelError(
      .unknownProperty,
      "The destination entity does not have the \(kind) of a mapping. Correct the mapping model, or use it with the models for which it was created.",
      entityName: mapping.destinationName, propertyName: property.name)
  }

  // MARK: Expressions

  private static func fetch(_ entityName: String, _ filter: String) -> Expression {
    let request = ExpressionNode.function(
      "fetchRequestForSourceEntityNamed:predicateString:",
      [.variable("manager"), .constant(.string(entityName)), .constant(.string(filter))])
    return Expression(
      node: .fetch(
        request, .path(of: .variable("manager"), ["sourceContext"]), countOnly: .constant(.int(0))))
  }

  private static func sourceNode(_ path: String) -> ExpressionNode {
    .path(of: .variable("source"), path.split(separator: ".").map(String.init))
  }

  private static func sourcePath(_ path: String) -> Expression {
    Expression(node: sourceNode(path))
  }

  private static func call(_ selector: String, _ name: String, _ path: String) -> Expression {
    Expression(
      node: .function(
        selector, [.variable("manager"), .constant(.string(name)), sourceNode(path)]))
  }
}
