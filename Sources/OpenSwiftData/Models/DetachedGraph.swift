internal import OpenObjectGraph
internal import OpenObjectModel

/// Related objects that do not belong to a context and must belong to one schema.
///
/// If the program creates a model before the container exists, the object of the model belongs to
/// the most recent schema with the model's class. If no schema has the class, the object belongs to
/// a schema that contains only this class.
struct DetachedGraph {
  private let objects: [__ModelObject]

  /// Collects an object and the objects that its relationships lead to. The graph of an object in a
  /// context is empty.
  init(around root: __ModelObject) {
    var objects = root.isDetached ? [root] : []
    var known = Set(objects.map { ObjectIdentifier($0) })
    var position = 0
    while position < objects.count {
      let neighbors = ModelRelationship.knownNeighbors(of: objects[position])
      for case let neighbor as __ModelObject in neighbors
      where neighbor.isDetached && known.insert(ObjectIdentifier(neighbor)).inserted {
        objects.append(neighbor)
      }
      position += 1
    }
    self.objects = objects
  }

  /// Whether a model has the entities of all objects.
  private func fits(_ model: CompiledModel) -> Bool {
    objects.allSatisfy { model.entity(named: $0.modelEntity.name) != nil }
  }

  /// Moves the objects to the entities of a context's model.
  ///
  /// Entities that are missing from the model become a deferred error of the context.
  func move(to model: CompiledModel, in context: NSManagedObjectContext?) {
    let missing = move(to: model)
    if !missing.isEmpty { context?.deferError(SwiftDataError.modelsOutsideSchema(missing)) }
  }

  /// Moves the objects to the entities of a model. The objects keep their values and identifiers.
  ///
  /// Objects whose entities are missing from the model do not move. Their relationships to the
  /// moved objects are removed.
  ///
  /// - Returns: The names of the missing entities.
  @discardableResult
  private func move(to model: CompiledModel) -> Set<String> {
    var missing: Set<String> = []
    var moved: [Values] = []
    for object in objects where object.modelEntity.model !== model {
      if let entity = model.entity(named: object.modelEntity.name) {
        moved.append(Values(of: object, for: entity))
      } else {
        missing.insert(object.modelEntity.name)
      }
    }
    for values in moved { values.setAttributes() }
    for values in moved { values.setRelationships() }
    return missing
  }

  // MARK: Two objects

  /// Moves two objects, and the objects that are related to them, into one schema, so that the two
  /// can be related.
  ///
  /// If one of the two objects is in a context, the schema of that object applies. Entities that
  /// are missing from the schema become a deferred error of the context.
  static func unite(_ one: __ModelObject, _ other: __ModelObject) {
    let (mine, theirs) = (DetachedGraph(around: one), DetachedGraph(around: other))
    switch (one.isDetached, other.isDetached) {
    case (false, true): theirs.move(to: one.modelEntity.model, in: one.managedObjectContext)
    case (true, false): mine.move(to: other.modelEntity.model, in: other.managedObjectContext)
    case (true, true):
      if theirs.fits(one.modelEntity.model) {
        theirs.move(to: one.modelEntity.model)
      } else if mine.fits(other.modelEntity.model) {
        mine.move(to: other.modelEntity.model)
      } else {
        moveToCommonSchema(mine, theirs)
      }
    case (false, false): break
    }
  }

  private static func moveToCommonSchema(_ mine: DetachedGraph, _ theirs: DetachedGraph) {
    let types = (mine.objects + theirs.objects).compactMap { ModelTypes.type(of: $0) }
    do {
      let model = try Schema(types).managedObjectModel().compiled()
      mine.move(to: model)
      theirs.move(to: model)
    } catch {
      GraphLog.error(
        "The library cannot create a schema that contains all models that are related: \(error)")
    }
  }
}

// MARK: Values

/// The values of an object that moves to another entity, with the names of their properties.
private struct Values {
  private let object: __ModelObject
  private let entity: CompiledEntity
  private var attributes: [(name: String, value: Any?)] = []
  private var destinations: [(name: String, object: NSManagedObject)] = []
  private var members: [(name: String, objects: [NSManagedObject])] = []

  init(of object: __ModelObject, for entity: CompiledEntity) {
    self.object = object
    self.entity = entity
    for property in object.modelEntity.properties
    where !property.isElement && entity.ordinal(of: property.name) != nil {
      let key = ModelKeys.key(named: property.name)
      guard let relationship = property.relationship else {
        attributes.append((property.name, object.value(forKey: property.name)))
        continue
      }
      if relationship.isToMany {
        members.append((property.name, ModelRelationship.members(key, of: object)))
      } else if let destination = ModelRelationship.destination(key, of: object) {
        destinations.append((property.name, destination))
      }
    }
  }

  func setAttributes() {
    DetachedObject.change(object, to: entity)
    for (name, value) in attributes { object.setValue(value, forKey: name) }
  }

  /// Sets the relationships to objects of the same schema.
  func setRelationships() {
    for (name, destination) in destinations where isReachable(destination) {
      ModelRelationship.setDestination(ModelKeys.key(named: name), of: object, to: destination)
    }
    for (name, members) in members where !members.isEmpty {
      ModelRelationship.setMembers(
        ModelKeys.key(named: name), of: object, to: members.filter(isReachable))
    }
  }

  private func isReachable(_ other: NSManagedObject) -> Bool {
    other.modelEntity.model === entity.model
  }
}
