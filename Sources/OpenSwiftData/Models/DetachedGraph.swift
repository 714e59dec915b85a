internal import OpenObjectGraph
internal import OpenObjectModel

/// Objects in no context that are related to each other, which must be of one schema.
///
/// A model that is made before its container has an object of the schema that was made last for its type, or of one of its type
/// alone.
struct DetachedGraph {
  private let objects: [__ModelObject]

  /// The object and those that its relationships lead to; nothing around an object that is in a context.
  init(around root: __ModelObject) {
    var objects = root.isDetached ? [root] : []
    var known = Set(objects.map { ObjectIdentifier($0) })
    var position = 0
    while position < objects.count {
      for case let neighbor as __ModelObject in objects[position].knownNeighbors
      where neighbor.isDetached && known.insert(ObjectIdentifier(neighbor)).inserted {
        objects.append(neighbor)
      }
      position += 1
    }
    self.objects = objects
  }

  /// Whether a schema has all entities.
  private func fits(_ model: CompiledModel) -> Bool {
    objects.allSatisfy { model.entity(named: $0.modelEntity.name) != nil }
  }

  /// Gives the objects the entities of a context's schema; what the schema does not have is an error of the next save.
  func move(to model: CompiledModel, in context: NSManagedObjectContext?) {
    let missing = move(to: model)
    if !missing.isEmpty { context?.deferError(SwiftDataError.modelsOutsideSchema(missing)) }
  }

  /// Gives the objects the entities of a schema; they keep their values and identifiers.
  ///
  /// Those of entities that the schema does not have stay what they are, and are no longer related to the others.
  ///
  /// - Returns: The names of these entities.
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

  /// Brings two objects that are to be related into one schema, with those that they are related to.
  ///
  /// Where one is in a context, its schema counts; what that lacks is an error of the next save.
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
      GraphLog.error("Models that are related have no common schema: \(error)")
    }
  }
}

// MARK: Values

/// The values of an object, by the names of its properties, on their way to another entity.
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
        members.append((property.name, object.memberObjects(key)))
      } else if let destination = object.destinationObject(key) {
        destinations.append((property.name, destination))
      }
    }
  }

  func setAttributes() {
    object.become(of: entity)
    for (name, value) in attributes { object.setValue(value, forKey: name) }
  }

  /// Sets the relationships, as far as they lead to objects of the same schema.
  func setRelationships() {
    for (name, destination) in destinations where isReachable(destination) {
      object.setDestinationObject(ModelKeys.key(named: name), destination)
    }
    for (name, members) in members where !members.isEmpty {
      object.setMemberObjects(ModelKeys.key(named: name), members.filter(isReachable))
    }
  }

  private func isReachable(_ other: NSManagedObject) -> Bool {
    other.modelEntity.model === entity.model
  }
}
