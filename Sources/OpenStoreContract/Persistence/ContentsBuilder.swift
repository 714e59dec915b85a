package import OpenObjectModel
package import OpenPredicates

/// Assembles the objects of a file: packs their rows and checks that their destinations exist.
///
/// A builder is confined to the opening of one store.
package struct ContentsBuilder {
  private let model: CompiledModel
  private let path: String
  private let problem: String
  private let remedy: String
  private var objects: [StoredObject] = []
  /// The entity of each object, by root entity and key.
  private var entities: [[Int64: Int]]

  /// Creates a builder for objects of a model.
  ///
  /// - Parameters:
  ///   - model: The model of the objects.
  ///   - path: The path of the file, for error messages.
  ///   - problem: The beginning of error messages.
  ///   - remedy: The last sentence of error messages.
  package init(
    model: CompiledModel, path: String, problem: String = "The store file is damaged",
    remedy: String = "Restore a backup."
  ) {
    self.model = model
    self.path = path
    self.problem = problem
    self.remedy = remedy
    entities = Array(repeating: [:], count: model.entities.count)
  }

  /// Adds an object.
  ///
  /// - Throws: `StoreError` with code `.corrupt` if the key is out of range or already in use, or
  ///   if the entity is abstract.
  package mutating func add(_ object: StoredObject) throws(StoreError) {
    guard object.key > 0, object.key < StoreContents.greatestKey, !object.entity.isAbstract else {
      throw corrupt("an object has an invalid key or an abstract entity", object.entity)
    }
    let root = object.entity.rootIndex
    guard entities[root].updateValue(object.entity.index, forKey: object.key) == nil else {
      throw corrupt("two objects have the key \(object.key)", object.entity)
    }
    objects.append(object)
  }

  /// Adds the rows, pairs and orderings of all objects to the contents of a store.
  ///
  /// - Throws: `StoreError` with code `.corrupt` if a relationship refers to a missing object or to
  ///   an object of the wrong entity, or with code `.unfitValue` if a row would exceed four
  ///   gigabytes. A to-one relationship to a missing object is set to nil instead if the
  ///   relationship has no inverse, or if the delete rule of the inverse is No Action.
  package func fill(_ contents: inout StoreContents) throws(StoreError) {
    var writer = RowWriter()
    for object in objects {
      contents.changes.inserted.append(try row(of: object, &writer))
      for (ordinal, keys) in object.toMany {
        try addMembers(keys, ordinal, of: object, &contents.changes)
      }
    }
  }

  private func row(of object: StoredObject, _ writer: inout RowWriter) throws(StoreError) -> Row {
    let entity = object.entity
    var values = object.values
    for (ordinal, key) in object.toOne {
      let property = entity.properties[ordinal]
      guard let slot = property.slot, let relationship = property.relationship else { continue }
      let root = relationship.destination.rootIndex
      if entities[root][key] == nil, model.mayOutliveDestination(relationship) { continue }
      let destination = try destination(key, of: property, relationship, entity)
      values.append(SlotValue(slot: slot, content: .integer(key)))
      if let discriminator = relationship.discriminatorSlot {
        values.append(SlotValue(slot: discriminator, content: .integer(Int64(destination) + 1)))
      }
    }
    return try writer.checkedRow(
      of: entity, key: object.key, version: max(1, object.version), over: nil, values: values)
  }

  /// Adds the pairs of a relationship without a foreign key, and the members of an ordered
  /// relationship.
  private func addMembers(
    _ keys: [Int64], _ ordinal: Int, of object: StoredObject, _ changes: inout ChangeSet
  ) throws(StoreError) {
    let property = object.entity.properties[ordinal]
    guard let relationship = property.relationship, relationship.isToMany else { return }
    let source = ObjectKey(entityIndex: object.entity.index, key: object.key)
    let inverse = relationship.inverseOrdinal.map {
      model.entities[relationship.destinationIndex].properties[$0]
    }
    let isPaired = inverse?.relationship?.isToMany != false
    var members: [Int64] = []
    for key in keys {
      let entity = try destination(key, of: property, relationship, object.entity)
      members.append(key)
      guard isPaired else { continue }
      changes.joinRows.append(
        ChangeSet.JoinRow(
          entityIndex: property.declaringEntityIndex, ordinal: property.ordinal, source: source,
          destination: ObjectKey(entityIndex: entity, key: key), isAdded: true))
    }
    guard relationship.isOrdered else { return }
    changes.orderings.append(
      ChangeSet.Ordering(
        entityIndex: property.declaringEntityIndex, ordinal: property.ordinal, source: source,
        members: members, isWhole: true, removed: []))
  }

  /// Returns the entity of a destination, which must be in the file and fit the relationship.
  private func destination(
    _ key: Int64, of property: CompiledProperty, _ relationship: CompiledRelationship,
    _ entity: CompiledEntity
  ) throws(StoreError) -> Int {
    let wanted = model.entities[relationship.destinationIndex]
    guard let found = entities[wanted.rootIndex][key], wanted.subtree.contains(found) else {
      throw StoreError(
        .corrupt, "\(problem): a relationship refers to a missing object. \(remedy)",
        path: path, entityName: entity.name, propertyName: property.name)
    }
    return found
  }

  private func corrupt(_ what: String, _ entity: CompiledEntity) -> StoreError {
    StoreError(
      .corrupt, "\(problem): \(what). \(remedy)", path: path, entityName: entity.name)
  }
}

extension CompiledEntity {
  /// Returns a value as the content of a slot of the entity.
  ///
  /// - Parameters:
  ///   - value: The value from the file.
  ///   - slot: The slot of the attribute.
  ///   - property: The attribute.
  ///   - path: The path of the file, for error messages.
  /// - Throws: `StoreError` with code `.corrupt` if the value is nil or null, or if the attribute
  ///   cannot have the value.
  package func content(
    _ value: Value?, _ slot: Int, of property: CompiledProperty, path: String
  ) throws(StoreError) -> SlotValue {
    if let value, value != .null, slots[slot].domain.accepts(value),
      let content = SlotContent(value, as: slots[slot].kind)
    {
      return SlotValue(slot: slot, content: content)
    }
    throw StoreError(
      .corrupt,
      "The store file is damaged: a value does not have the type of its attribute. Restore a backup.",
      path: path, entityName: name, propertyName: property.name)
  }
}
