internal import OpenObjectModel

/// Creates the entities of a schema from the metadata of model types.
///
/// An assembly is used for the creation of one schema only.
struct SchemaAssembly {
  private(set) var records: [ModelRecord] = []
  private(set) var entities: [Schema.Entity] = []
  private(set) var issues: [SchemaError] = []

  init(_ types: [any PersistentModel.Type]) {
    collect(types)
    checkNames()
    for record in records { entities.append(entity(of: record)) }
    connectParents()
    var pairing = RelationshipPairing(records)
    pairing.run()
    issues += pairing.issues
    for (position, record) in records.enumerated() {
      for row in record.rows {
        guard
          let relationship = entities[position].storedProperties.first(where: {
            $0.name == row.name
          }) as? Schema.Relationship
        else { continue }
        relationship.inverseName = pairing.inverse(of: row.name, record)?.name
        relationship.inverseKeyPath = pairing.inverse(of: row.name, record)?.keyPath
      }
    }
  }

  // MARK: Types

  /// Adds the superclasses of model types, and the destinations of their relationships.
  private mutating func collect(_ types: [any PersistentModel.Type]) {
    var seen: Set<ObjectIdentifier> = []
    var open = types
    var next = 0
    while next < open.count {
      let type = open[next]
      next += 1
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      let record = ModelRecord.of(type)
      records.append(record)
      open += record.rows.compactMap { $0.relationship?.destination }
      if let parent = record.parent { open.append(parent.type) }
    }
  }

  private mutating func checkNames() {
    var known: [String: ModelRecord] = [:]
    for record in records {
      if record.entityName.contains("<") {
        issues.append(
          SchemaError(
            .wrongDeclaration, "A model cannot be generic. Declare a class for each type.",
            entity: record.entityName))
      }
      if record.isIncomplete {
        issues.append(
          SchemaError(
            .wrongDeclaration,
            "A default value creates a model that refers back to this model. Set the value in the initializer instead.",
            entity: record.entityName))
      }
      if let other = known.updateValue(record, forKey: record.entityName) {
        issues.append(
          SchemaError(
            .duplicateName,
            "The models \(String(reflecting: other.type)) and \(String(reflecting: record.type)) have the same "
              + "entity name. Rename one of them, or include only one of them in the schema.",
            entity: record.entityName))
      }
    }
  }

  private func connectParents() {
    for (entity, record) in zip(entities, records) {
      guard let parent = record.parent,
        let position = records.firstIndex(where: { $0 === parent })
      else { continue }
      entities[position].subentities.insert(entity)
    }
  }

  // MARK: Properties

  private mutating func entity(of record: ModelRecord) -> Schema.Entity {
    let entity = Schema.Entity(record.entityName)
    for row in record.rows {
      if let shape = row.relationship {
        entity.storedProperties.append(relationship(row, shape, record))
      } else if let attribute = attribute(row, record) {
        entity.storedProperties.append(attribute)
      }
    }
    entity.uniquenessConstraints = entity.storedProperties.filter(\.isUnique).map { [$0.name] }
    addGroups(of: record, to: entity)
    return entity
  }

  private mutating func relationship(
    _ row: ModelRecord.Row, _ shape: RelationshipShape, _ record: ModelRecord
  ) -> Schema.Relationship {
    let relationship = Schema.Relationship()
    if let given = row.metadata as? Schema.Attribute {
      if given.options.contains(where: { $0 != .unique }) {
        fail(
          .wrongDeclaration,
          "A relationship with @Attribute can have only the option .unique. Remove the other options.",
          row.name, record)
      }
      if given.isUnique { relationship.options = [.unique] }
      relationship.originalName = given.originalName
      relationship.hashModifier = given.hashModifier
    }
    if let given = row.metadata as? Schema.Relationship {
      relationship.options = given.options
      relationship.deleteRule = given.deleteRule
      relationship.minimumModelCount = given.minimumModelCount
      relationship.maximumModelCount = given.maximumModelCount
      relationship.originalName = given.originalName
      relationship.hashModifier = given.hashModifier
    }
    if relationship.originalName.isEmpty { relationship.originalName = row.name }
    relationship.name = row.name
    relationship.valueType = row.valueType
    relationship.keypath = row.keyPath
    relationship.destination = ModelRecord.of(shape.destination).entityName
    return relationship
  }

  private mutating func attribute(
    _ row: ModelRecord.Row, _ record: ModelRecord
  ) -> Schema.Attribute? {
    if row.metadata is Schema.Relationship {
      fail(
        .wrongDeclaration,
        "A property with @Relationship has the type \(row.valueType). The type must be a model or an array of models, "
          + "which may be optional.", row.name, record)
      return nil
    }
    let given = row.metadata as? Schema.Attribute
    do {
      let attribute = try Schema.Attribute.make(
        name: row.name, originalName: given?.originalName, options: given?.options ?? [],
        valueType: row.valueType, defaultValue: row.defaultValue, hashModifier: given?.hashModifier)
      if attribute.isOptional || row.defaultValue != nil || Placeholder.exists(for: row.valueType) {
        return attribute
      }
      fail(
        .wrongDeclaration,
        "The type \(row.valueType) has no empty value for a row without a value. Make the property optional, or give it a "
          + "default value.", row.name, record)
      return nil
    } catch {
      fail(.unsupportedType, error.message, row.name, record, underlying: error)
      return nil
    }
  }

  // MARK: Constraints and indexes

  private mutating func addGroups(of record: ModelRecord, to entity: Schema.Entity) {
    for group in record.groups {
      let names = group.keyPaths.compactMap { keyPath -> String? in
        if let name = record.name(of: keyPath) { return name }
        issues.append(
          SchemaError(
            .unsupportedConstraint,
            "#Unique or #Index contains a key path that does not lead to a stored property of the model. Use only stored "
              + "properties.", entity: record.entityName))
        return nil
      }
      switch group.kind {
      case .unique:
        checkInheritance(of: names, record)
        if !entity.uniquenessConstraints.contains(names) {
          entity.uniquenessConstraints.append(names)
        }
      case .binaryIndex: entity.indices.append(names)
      case .rtreeIndex:
        entity.spatialIndices.insert(entity.indices.count)
        entity.indices.append(names)
      }
    }
  }

  /// Requires a uniqueness constraint of a subclass to contain a property of the subclass.
  ///
  /// The rows of a class and its subclasses are in one table, so a constraint on inherited
  /// properties would also apply to models of the superclass.
  private mutating func checkInheritance(of names: [String], _ record: ModelRecord) {
    let own = Set(record.rows.map(\.name))
    guard let first = names.first, own.isDisjoint(with: names) else { return }
    let properties = names.joined(separator: ", ")
    fail(
      .unsupportedConstraint,
      "#Unique contains only inherited properties: \(properties). Declare the constraint in the class that declares the "
        + "properties, or add a property of \(record.entityName) to the constraint.", first, record)
  }

  private mutating func fail(
    _ code: SchemaError.Code, _ message: String, _ property: String, _ record: ModelRecord,
    underlying: (any Error)? = nil
  ) {
    issues.append(
      SchemaError(
        code, message, entity: record.entityName, property: property, underlying: underlying))
  }
}

extension Schema.Attribute {
  /// Creates the attribute of a property, which is a composite attribute if the value has several
  /// columns.
  ///
  /// - Throws: `ModelValueError` if values of the type cannot be stored.
  static func make(
    name: String, originalName: String?, options: [Option], valueType: any Any.Type,
    defaultValue: Any?, hashModifier: String?
  ) throws(ModelValueError) -> Schema.Attribute {
    let original = originalName.flatMap { $0.isEmpty ? nil : $0 }
    let plain = Schema.Attribute(
      name: name, originalName: original, options: options, valueType: valueType,
      defaultValue: defaultValue, hashModifier: hashModifier)
    guard let form = try plain.form?.composite else { return plain }
    let composite = Schema.CompositeAttribute(
      name: name, originalName: original, options: options, valueType: valueType,
      defaultValue: defaultValue, hashModifier: hashModifier)
    composite.properties = parts(of: form, named: name)
    return composite
  }

  private static func parts(of form: CompositeForm, named name: String) -> [Schema.Attribute] {
    form.elements.map { element in
      let partName = form.kind.isRawValues ? name : element.name
      guard case .composite(let inner) = element.content else {
        return Schema.Attribute(name: partName, valueType: element.type)
      }
      let part = Schema.CompositeAttribute(name: partName, valueType: element.type)
      part.properties = parts(of: inner, named: partName)
      return part
    }
  }

  /// The form in which the values are stored; `nil` if a value transformer converts the values.
  var form: StoredForm? {
    get throws(ModelValueError) {
      if isTransformable { return nil }
      let form = try StoredForm.of(valueType)
      // A scalar is stored in one column without encoding.
      if case .scalar = form.content { return form }
      return isCodable ? try StoredForm.whole(valueType) : form
    }
  }
}
