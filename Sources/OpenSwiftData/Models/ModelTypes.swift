internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// Which model class belongs to which entity, in all schemas of the process.
///
/// > Concurrency: Any thread.
enum ModelTypes {
  private struct Tables {
    /// The class of an entity, at the place of the entity's token.
    var types: [(any PersistentModel.Type)?] = []
    /// The class of the entities of a name, in the schema that was made last.
    var named: [String: any PersistentModel.Type] = [:]
    /// The entity that was made last for a class.
    var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  }

  // Invariant of the unchecked conformance: descriptions of compiled models are frozen.
  private struct Box: @unchecked Sendable { var tables = Tables() }

  private static let box = Mutex(Box())

  /// Makes the entities of a schema's model known.
  static func register(_ model: NSManagedObjectModel, _ types: [String: any PersistentModel.Type])
    throws(ModelError)
  {
    let compiled = try model.compiled()
    box.withLock { box in
      for entity in compiled.entities {
        guard let type = types[entity.name] else { continue }
        let place = Int(entity.token)
        while box.tables.types.count <= place { box.tables.types.append(nil) }
        box.tables.types[place] = type
        box.tables.named[entity.name] = type
        box.tables.entities[ObjectIdentifier(type)] = entity.entityDescription
      }
    }
  }

  /// The class of the entity of an object that is named by its id.
  static func type(of id: NSManagedObjectID) -> (any PersistentModel.Type)? {
    type(of: id.compiledEntity)
  }

  /// The class of an entity.
  static func type(of entity: CompiledEntity) -> (any PersistentModel.Type)? {
    box.withLock { box in
      let place = Int(entity.token)
      return place < box.tables.types.count ? box.tables.types[place] : nil
    }
  }

  /// The class of the entities of a name, in the schema that was made last.
  static func type(named name: String) -> (any PersistentModel.Type)? {
    box.withLock { $0.tables.named[name] }
  }

  /// The class of an object's entity.
  static func type(of object: __ModelObject) -> (any PersistentModel.Type)? {
    type(of: object.modelEntity)
  }

  /// The entity of a class in the most recently created schema; without one, the entity in a schema of the class
  /// alone.
  static func entity<Model: PersistentModel>(of type: Model.Type) -> NSEntityDescription {
    let known = box.withLock { $0.tables.entities[ObjectIdentifier(type)] }
    if let known { return known }
    do {
      _ = try Schema([type]).managedObjectModel()
    } catch {
      GraphLog.error("\(type) has no schema: \(error)")
    }
    return box.withLock { $0.tables.entities[ObjectIdentifier(type)] } ?? NSEntityDescription()
  }
}
