internal import OpenObjectGraph
internal import OpenObjectModel

/// Gives objects that are in no context the entities of another schema, with the same values.
///
/// A model that is made before its container has an object of the schema that was made last for its type, or of one of its type
/// alone.
struct Rehousing {
  private let model: CompiledModel

  init(to model: CompiledModel) { self.model = model }

  /// The values of an object, by the names of its properties.
  private struct Values {
    let object: __ModelObject
    let entity: CompiledEntity
    var attributes: [(name: String, value: Any?)] = []
    var destinations: [(name: String, object: NSManagedObject)] = []
    var members: [(name: String, objects: [NSManagedObject])] = []

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

  /// Moves an object, and those that its relationships lead to; those of entities that the schema lacks stay what they are, and are
  /// related no more.
  func run(_ root: __ModelObject) {
    var found = [root]
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var moved: [Values] = []
    while let object = found.popLast() {
      guard object.isDetached, object.modelEntity.model !== model,
        let entity = model.entity(named: object.modelEntity.name)
      else { continue }
      for case let neighbor as __ModelObject in object.knownNeighbors
      where known.insert(ObjectIdentifier(neighbor)).inserted {
        found.append(neighbor)
      }
      moved.append(Values(of: object, for: entity))
    }
    for values in moved { values.setAttributes() }
    for values in moved { values.setRelationships() }
  }
}
