package import OpenObjectModel
package import OpenPredicates

/// Puts the objects of a file together: packs their rows, and checks that what they refer to is there.
///
/// Confined to the opening of one store.
package struct ContentsBuilder {
  private let model: CompiledModel
  private let path: String
  private var objects: [StoredObject] = []
  /// Entity of each object, by root entity and key.
  private var entities: [[Int64: Int]]

  /// Creates a builder of a model's objects; the path is for errors.
  package init(model: CompiledModel, path: String) {
    self.model = model
    self.path = path
    entities = Array(repeating: [:], count: model.entities.count)
  }

  /// Takes an object.
  ///
  /// - Throws: `StoreError` with code `.corrupt` for a key that is impossible or used twice, and for an abstract entity.
  package mutating func add(_ object: StoredObject) throws(StoreError) {
    guard object.key > 0, object.key < StoreContents.greatestKey, !object.entity.isAbstract else {
      throw corrupt("An object has an impossible key, or an abstract entity", object.entity)
    }
    let root = object.entity.rootIndex
    guard entities[root].updateValue(object.entity.index, forKey: object.key) == nil else {
      throw corrupt("Two objects have the key \(object.key)", object.entity)
    }
    objects.append(object)
  }

  /// The contents of the store; rows, pairs and orders of all objects.
  ///
  /// - Throws: `StoreError` with code `.corrupt` for a relationship to an object that is not there.
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
      let destination = try destination(key, of: property, relationship, entity)
      values.append(SlotValue(slot: slot, content: .integer(key)))
      if let discriminator = relationship.discriminatorSlot {
        values.append(SlotValue(slot: discriminator, content: .integer(Int64(destination) + 1)))
      }
    }
    return writer.row(
      of: entity, key: object.key, version: max(1, object.version), over: nil, values: values)
  }

  /// Adds pairs where no row has the other's key, and the order of an ordered relationship.
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

  /// The entity of a destination, which must be in the file and of an entity that the relationship leads to.
  private func destination(
    _ key: Int64, of property: CompiledProperty, _ relationship: CompiledRelationship,
    _ entity: CompiledEntity
  ) throws(StoreError) -> Int {
    let wanted = model.entities[relationship.destinationIndex]
    guard let found = entities[wanted.rootIndex][key], wanted.subtree.contains(found) else {
      throw StoreError(
        .corrupt, "A relationship leads to an object that is not in the file; restore a copy.",
        path: path, entityName: entity.name, propertyName: property.name)
    }
    return found
  }

  private func corrupt(_ what: String, _ entity: CompiledEntity) -> StoreError {
    StoreError(
      .corrupt, "\(what); the file is damaged. Restore a copy.", path: path,
      entityName: entity.name)
  }
}

extension CompiledEntity {
  /// A value as stored in a slot of the entity.
  ///
  /// - Throws: `StoreError` with code `.corrupt` for a value that the attribute cannot have.
  package func content(
    _ value: Value?, _ slot: Int, of property: CompiledProperty, path: String
  ) throws(StoreError) -> SlotValue {
    if let value, value != .null, slots[slot].domain.accepts(value),
      let content = SlotContent(value, as: slots[slot].kind)
    {
      return SlotValue(slot: slot, content: content)
    }
    throw StoreError(
      .corrupt, "A value is none of its attribute's type; the file is damaged. Restore a copy.",
      path: path, entityName: name, propertyName: property.name)
  }
}
