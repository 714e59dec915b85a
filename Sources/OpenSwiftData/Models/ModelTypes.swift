internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// The model classes of the entities in all schemas of the process.
///
/// > Concurrency: Any thread.
enum ModelTypes {
  private struct Tables {
    /// The classes of entities. The index of a class is the token of its entity.
    var types: [(any PersistentModel.Type)?] = []
    /// The classes of entities in the schemas that were registered last, by the name of the entity.
    var named: [String: any PersistentModel.Type] = [:]
    /// The most recent entity of each class.
    var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  }

  // Invariant of the unchecked conformance: descriptions of compiled models are frozen.
  private struct Box: @unchecked Sendable { var tables = Tables() }

  private static let box = Mutex(Box())

  /// Registers the entities of a schema's managed object model.
  ///
  /// - Throws: `ModelError` if the model is invalid.
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

  /// Returns the model class of the object with the given identifier.
  static func type(of id: NSManagedObjectID) -> (any PersistentModel.Type)? {
    type(of: id.compiledEntity)
  }

  /// Returns the model class of an entity.
  static func type(of entity: CompiledEntity) -> (any PersistentModel.Type)? {
    box.withLock { box in
      let place = Int(entity.token)
      return place < box.tables.types.count ? box.tables.types[place] : nil
    }
  }

  /// Returns the model class of an entity with a name, in the most recent schema with such an
  /// entity.
  static func type(named name: String) -> (any PersistentModel.Type)? {
    box.withLock { $0.tables.named[name] }
  }

  /// Returns the model class of an object's entity.
  static func type(of object: __ModelObject) -> (any PersistentModel.Type)? {
    type(of: object.modelEntity)
  }

  /// Returns the entity of a class in a model.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - model: The model of a schema.
  /// - Returns: The entity; `nil` if the model has no entity with the name of the class, or if this
  ///   entity belongs to another class, such as another version of the class.
  static func entity(
    of type: any PersistentModel.Type, in model: CompiledModel
  ) -> CompiledEntity? {
    guard let entity = model.entity(named: Schema.entityName(forType: type)) else { return nil }
    // A schema that was decoded or created from entities has no classes.
    let isOther = self.type(of: entity).map { $0 != type } ?? false
    return isOther ? nil : entity
  }

  /// Returns the entity of a class in the most recent schema with the class.
  ///
  /// If no schema has the class, the function creates a schema of the class alone.
  static func entity<Model: PersistentModel>(of type: Model.Type) -> NSEntityDescription {
    let known = box.withLock { $0.tables.entities[ObjectIdentifier(type)] }
    if let known { return known }
    do {
      _ = try Schema([type]).managedObjectModel()
    } catch {
      GraphLog.error("The library cannot create a schema for \(type): \(error)")
    }
    return box.withLock { $0.tables.entities[ObjectIdentifier(type)] } ?? NSEntityDescription()
  }
}
