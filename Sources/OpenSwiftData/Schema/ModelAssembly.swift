internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates

/// Creates the managed object model of a schema's entities.
///
/// The types, names, constraints and hashes are the same as in Apple's framework. An assembly is
/// used for the creation of one model only.
struct ModelAssembly {
  private let schema: Schema
  private var descriptions: [String: NSEntityDescription] = [:]

  private init(_ schema: Schema) { self.schema = schema }

  /// Returns the managed object model of a schema.
  ///
  /// - Throws: `SchemaError` if the schema is invalid.
  static func model(of schema: Schema) throws(SchemaError) -> NSManagedObjectModel {
    if let issue = schema.issues.first { throw issue }
    guard schema.version.isValid else {
      throw SchemaError(
        .invalidVersion,
        "The version \(schema.version) has a negative number. Version numbers must be 0 or greater."
      )
    }
    var assembly = ModelAssembly(schema)
    return try assembly.run()
  }

  private mutating func run() throws(SchemaError) -> NSManagedObjectModel {
    for entity in schema.entities {
      let description = NSEntityDescription()
      description.name = entity.name
      description.renamingIdentifier = entity.name
      if descriptions.updateValue(description, forKey: entity.name) != nil {
        throw SchemaError(
          .duplicateName, "Two entities have the same name. Rename one.", entity: entity.name)
      }
    }
    for entity in schema.entities { try connectParent(entity) }
    for entity in schema.entities { try addProperties(of: entity) }
    for entity in schema.entities { try connectInverses(of: entity) }
    for entity in schema.entities { try addConstraints(of: entity) }
    let model = NSManagedObjectModel()
    model.entities = schema.entities.compactMap { descriptions[$0.name] }
    model.setEntities(model.entities, forConfigurationName: "default")
    model.versionIdentifiers = [schema.version.description]
    return model
  }

  private func description(of entity: Schema.Entity) throws(SchemaError) -> NSEntityDescription {
    try description(named: entity.name, for: entity, nil)
  }

  private func description(
    named name: String, for entity: Schema.Entity, _ property: String?
  ) throws(SchemaError) -> NSEntityDescription {
    if let description = descriptions[name] { return description }
    throw SchemaError(
      .unknownEntity, "The schema has no entity \(name). Add it.", entity: entity.name,
      property: property)
  }

  private func connectParent(_ entity: Schema.Entity) throws(SchemaError) {
    guard let parent = entity.superentityName else { return }
    let description = try description(named: parent, for: entity, nil)
    description.subentities.append(try self.description(of: entity))
  }

  // MARK: Properties

  private func addProperties(of entity: Schema.Entity) throws(SchemaError) {
    var properties: [NSPropertyDescription] = []
    for property in entity.storedProperties {
      switch property {
      case let attribute as Schema.Attribute:
        do { properties.append(try AttributeAssembly(attribute).description()) } catch {
          throw SchemaError(
            error.code == .unsupportedType ? .unsupportedType : .wrongDeclaration, error.message,
            entity: entity.name, property: attribute.name, underlying: error)
        }
      case let relationship as Schema.Relationship:
        properties.append(try self.relationship(relationship, of: entity))
      default: continue
      }
    }
    try description(of: entity).properties += properties
  }

  private func relationship(
    _ relationship: Schema.Relationship, of entity: Schema.Entity
  ) throws(SchemaError) -> NSRelationshipDescription {
    let description = NSRelationshipDescription()
    description.name = relationship.name
    description.renamingIdentifier =
      relationship.originalName.isEmpty ? relationship.name : relationship.originalName
    description.versionHashModifier = relationship.hashModifier
    description.isOptional = relationship.isOptional
    description.deleteRule = relationship.deleteRule.modelRule
    description.destinationEntity = try self.description(
      named: relationship.destination, for: entity, relationship.name)
    description.minCount =
      relationship.isToOneRelationship ? 0 : relationship.minimumModelCount ?? 0
    description.maxCount =
      relationship.isToOneRelationship ? 1 : relationship.maximumModelCount ?? 0
    try check(relationship, of: entity)
    return description
  }

  private func check(
    _ relationship: Schema.Relationship, of entity: Schema.Entity
  ) throws(SchemaError) {
    func fail(_ code: SchemaError.Code, _ message: String) -> SchemaError {
      SchemaError(code, message, entity: entity.name, property: relationship.name)
    }
    if relationship.isToOneRelationship { return }
    let least = relationship.minimumModelCount ?? 0
    let greatest = relationship.maximumModelCount ?? 0
    if relationship.isUnique {
      throw fail(
        .unsupportedConstraint,
        "A to-many relationship cannot be unique. Remove the option, or use a to-one relationship.")
    }
    if greatest == 1 {
      throw fail(
        .wrongCount,
        "A relationship with a maximumModelCount of 1 cannot be an array. Use an optional model.")
    }
    if least < 0 || greatest < 0 || (greatest > 0 && least > greatest) {
      throw fail(
        .wrongCount,
        "minimumModelCount is greater than maximumModelCount, or one of them is negative. Correct them. A maximum of 0 means no limit."
      )
    }
  }

  private func connectInverses(of entity: Schema.Entity) throws(SchemaError) {
    let own = try description(of: entity)
    for case let relationship as Schema.Relationship in entity.storedProperties {
      guard let name = relationship.inverseName,
        let description = own.relationshipsByName[relationship.name]
      else { continue }
      guard let inverse = description.destinationEntity?.relationshipsByName[name] else {
        throw SchemaError(
          .wrongInverse,
          "\(relationship.destination) has no relationship \(name). Correct the inverse.",
          entity: entity.name, property: relationship.name)
      }
      description.inverseRelationship = inverse
      if inverse.inverseRelationship == nil { inverse.inverseRelationship = description }
    }
  }

  // MARK: Constraints and indexes

  private func addConstraints(of entity: Schema.Entity) throws(SchemaError) {
    let own = try description(of: entity)
    var constraints: [[String]] = []
    for property in entity.storedProperties where property.isUnique {
      constraints.append([try column(property.name, of: own, "A uniqueness constraint")])
    }
    for group in entity.uniquenessConstraints {
      let names = try columns(group, of: own, "A uniqueness constraint")
      if !constraints.contains(names) { constraints.append(names) }
    }
    for name in constraints.joined() { try requireInlineStorage(name, of: own) }
    if !constraints.isEmpty { own.uniquenessConstraints = constraints }
    var indexes: [NSFetchIndexDescription] = []
    for (position, group) in entity.indices.enumerated() {
      let kind: NSFetchIndexElementType =
        entity.spatialIndices.contains(position) ? .rTree : .binary
      let names = comparable(group, of: own)
      if names.isEmpty, !group.isEmpty { continue }
      indexes.append(try index(over: try columns(names, of: own, "An index"), kind, of: own))
    }
    if !indexes.isEmpty { own.indexes = indexes }
  }

  /// Returns the properties of an index without those whose values are encoded.
  ///
  /// No condition on an encoded value uses an index, so such a property is omitted and logged.
  private func comparable(_ names: [String], of entity: NSEntityDescription) -> [String] {
    names.filter { name in
      guard isEncoded(name, of: entity) else { return true }
      GraphLog.warning(
        "An index of \(entity.name ?? "") contains the property \(name), whose values are encoded. The store omits the property "
          + "from the index.")
      return false
    }
  }

  private func columns(
    _ names: [String], of entity: NSEntityDescription, _ what: String
  ) throws(SchemaError) -> [String] {
    if names.isEmpty {
      throw SchemaError(
        .unsupportedConstraint, "\(what) has no properties. Specify at least one.",
        entity: entity.name
      )
    }
    var columns: [String] = []
    for name in names { columns.append(try column(name, of: entity, what)) }
    return columns
  }

  /// Returns the name of the column that a constraint or an index uses for a property.
  ///
  /// For an enumeration with raw values, the name is the path to the attribute's only element.
  ///
  /// - Throws: `SchemaError` if the property does not have exactly one column with comparable
  ///   values.
  private func column(
    _ name: String, of entity: NSEntityDescription, _ what: String
  ) throws(SchemaError) -> String {
    func fail(_ reason: String) -> SchemaError {
      SchemaError(.unsupportedConstraint, reason, entity: entity.name, property: name)
    }
    guard let property = entity.propertiesByName[name] else {
      throw fail("\(what) contains a property that the model does not have. Correct the name.")
    }
    if property.isTransient {
      throw fail(
        "\(what) cannot contain a property that is not stored. Remove the property from it, or store the property."
      )
    }
    if let composite = property as? NSCompositeAttributeDescription {
      guard let only = composite.elements.first, composite.elements.count == 1,
        only.name == name, !(only is NSCompositeAttributeDescription)
      else {
        throw fail(
          "\(what) cannot contain a value that is stored in several columns. Use a property that has one column."
        )
      }
      return name + "." + only.name
    }
    if (property as? NSRelationshipDescription)?.isToMany == true {
      throw fail(
        "\(what) cannot contain a to-many relationship. Use an attribute or a to-one relationship.")
    }
    if isEncoded(name, of: entity) {
      throw fail(
        "\(what) cannot contain a property whose values are encoded. Use a property of a simple type, such as String."
      )
    }
    return name
  }

  /// Requires that the rows contain the values of a constraint's column.
  ///
  /// With external storage, the column contains the name of a file for a large value, and equal
  /// values have different names.
  private func requireInlineStorage(
    _ name: String, of entity: NSEntityDescription
  ) throws(SchemaError) {
    let attribute = entity.propertiesByName[name] as? NSAttributeDescription
    guard attribute?.allowsExternalBinaryDataStorage == true else { return }
    throw SchemaError(
      .unsupportedConstraint,
      "A uniqueness constraint cannot contain a property with the option .externalStorage. Remove the option, or use another "
        + "property, such as a hash of the value.", entity: entity.name, property: name)
  }

  /// Returns whether the values of a property are encoded by a transformer or as JSON text.
  private func isEncoded(_ name: String, of entity: NSEntityDescription) -> Bool {
    if (entity.propertiesByName[name] as? NSAttributeDescription)?.type == .transformable {
      return true
    }
    let own = entity.name.flatMap { schema.entitiesByName[$0]?.attributesByName[name] }
    guard let attribute = own else {
      return entity.superentity.map { isEncoded(name, of: $0) } ?? false
    }
    // An attribute whose form cannot be determined has no description.
    guard let form = try? attribute.form, case .json = form.content else { return false }
    return true
  }

  private func index(
    over columns: [String], _ kind: NSFetchIndexElementType, of entity: NSEntityDescription
  ) throws(SchemaError) -> NSFetchIndexDescription {
    let prefix = kind == .rTree ? "SwiftDataIndexOnRTree" : "SwiftDataIndexOnBinary"
    var elements: [NSFetchIndexElementDescription] = []
    for column in columns {
      if let property = entity.propertiesByName[column] {
        elements.append(NSFetchIndexElementDescription(property: property, collationType: kind))
        continue
      }
      let path = NSExpressionDescription()
      path.name = column
      path.expression = NSExpression(forKeyPath: column)
      elements.append(NSFetchIndexElementDescription(property: path, collationType: kind))
    }
    let names = columns.map { $0.split(separator: ".").first.map(String.init) ?? $0 }
    return NSFetchIndexDescription(name: prefix + names.joined(), elements: elements)
  }
}
