package import OpenObjectModel
internal import Synchronization

extension Schema {
  /// Returns the managed object model of the schema. The model cannot be changed.
  ///
  /// Schemas with the same types and the same version share one model, so that the containers of
  /// these schemas share the entities.
  ///
  /// - Throws: `SchemaError` if the schema is invalid. The error contains a code for the problem
  ///   and, if known, the names of the invalid entity and property.
  /// > Concurrency: Any thread.
  package func managedObjectModel() throws(SchemaError) -> NSManagedObjectModel {
    if types.isEmpty { return try ModelCache.compiled(ModelAssembly.model(of: self)) }
    return try ModelCache.model(of: self)
  }

  /// Returns the managed object model of the schema with the given configurations.
  ///
  /// - Parameter configurations: The names of the entities in each configuration, keyed by the name
  ///   of the configuration.
  /// - Throws: `SchemaError` with code `.unknownEntity` if the schema lacks an entity of a
  ///   configuration, or with another code if the schema is invalid.
  /// > Concurrency: Any thread.
  package func managedObjectModel(
    withConfigurations configurations: [String: [String]]
  ) throws(SchemaError) -> NSManagedObjectModel {
    try ModelCache.model(of: self, configurations)
  }

  /// Makes a managed object model of the schema the most recent model with the schema's classes and
  /// with the names of its entities.
  ///
  /// - Throws: `SchemaError` if the model is invalid.
  /// > Concurrency: Any thread.
  func register(_ model: NSManagedObjectModel) throws(SchemaError) {
    try ModelCache.register(model, types)
  }

  /// Returns the managed object model of the given model types.
  ///
  /// - Parameters:
  ///   - types: The types, in any order.
  ///   - version: The version of the schema.
  /// - Throws: `SchemaError` if the types are invalid. The error contains a code for the problem
  ///   and, if known, the names of the invalid entity and property.
  /// > Concurrency: Any thread.
  package static func model(
    for types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) throws(SchemaError) -> NSManagedObjectModel {
    try Schema(types, version: version).managedObjectModel()
  }
}

/// The managed object models of schemas that were created from model types.
private enum ModelCache {
  private struct Key: Hashable {
    let types: Set<ObjectIdentifier>
    let version: Schema.Version
    let configurations: [String: [String]]
  }

  // Invariant of the unchecked conformance: the model is compiled, and from then on only read.
  private struct Entry: @unchecked Sendable {
    let model: NSManagedObjectModel
  }

  private static let models = Mutex<[Key: Entry]>([:])

  static func model(
    of schema: Schema, _ configurations: [String: [String]] = [:]
  ) throws(SchemaError) -> NSManagedObjectModel {
    let key = Key(
      types: Set(schema.types.map { ObjectIdentifier($0) }), version: schema.version,
      configurations: configurations)
    if let entry = models.withLock({ $0[key] }) { return entry.model }
    let model = try ModelAssembly.model(of: schema)
    try add(configurations, to: model)
    let entry = Entry(model: try compiled(model))
    let kept = models.withLock { models in
      if let first = models[key] { return first }
      models[key] = entry
      return entry
    }
    try register(kept.model, schema.types)
    return kept.model
  }

  private static func add(
    _ configurations: [String: [String]], to model: NSManagedObjectModel
  ) throws(SchemaError) {
    let known = model.entitiesByName
    for (name, entityNames) in configurations {
      var entities: [NSEntityDescription] = []
      for entityName in entityNames {
        guard let entity = known[entityName] else {
          throw SchemaError(
            .unknownEntity,
            "The configuration \(name) contains an entity that the schema does not have. Correct the name.",
            entity: entityName)
        }
        entities.append(entity)
      }
      model.setEntities(entities, forConfigurationName: name)
    }
  }

  static func register(
    _ model: NSManagedObjectModel, _ types: [any PersistentModel.Type]
  ) throws(SchemaError) {
    let pairs = types.map { (ModelRecord.of($0).entityName, $0) }
    do {
      try ModelTypes.register(model, Dictionary(pairs) { first, _ in first })
    } catch { throw SchemaError(error) }
  }

  static func compiled(_ model: NSManagedObjectModel) throws(SchemaError) -> NSManagedObjectModel {
    do { _ = try model.compiled() } catch { throw SchemaError(error) }
    return model
  }
}
