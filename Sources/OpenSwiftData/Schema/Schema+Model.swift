package import OpenObjectModel
internal import Synchronization

extension Schema {
  /// The managed object model of the schema, compiled and therefore unchangeable.
  ///
  /// Schemas of the same types and version share one model, so that their containers share its
  /// entities.
  ///
  /// - Throws: `SchemaError` for what no model can be made of; it names the entity and the
  ///   property.
  /// > Concurrency: Any thread.
  package func managedObjectModel() throws(SchemaError) -> NSManagedObjectModel {
    if types.isEmpty { return try ModelCache.compiled(ModelAssembly.model(of: self)) }
    return try ModelCache.model(of: self)
  }

  /// The model of the schema, with configurations of its entities.
  ///
  /// - Parameter configurations: The names of the entities of each configuration, by name.
  /// - Throws: `SchemaError` for what no model can be made of, and for a name that the schema does
  ///   not have.
  /// > Concurrency: Any thread.
  package func managedObjectModel(
    withConfigurations configurations: [String: [String]]
  ) throws(SchemaError) -> NSManagedObjectModel {
    try ModelCache.model(of: self, configurations)
  }

  /// The managed object model of model types.
  ///
  /// - Parameters:
  ///   - types: The types, in any order.
  ///   - version: The version.
  /// - Throws: `SchemaError` for what no model can be made of.
  /// > Concurrency: Any thread.
  package static func model(
    for types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) throws(SchemaError) -> NSManagedObjectModel {
    try Schema(types, version: version).managedObjectModel()
  }
}

/// The models of schemas that were made of types.
private enum ModelCache {
  private struct Key: Hashable {
    let types: Set<ObjectIdentifier>
    let version: Schema.Version
    let configurations: [String: [String]]
  }

  // Invariant: the model is compiled, and so only read from then on.
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
            "The configuration \(name) names an entity that the schema does not have. Correct it.",
            entity: entityName)
        }
        entities.append(entity)
      }
      model.setEntities(entities, forConfigurationName: name)
    }
  }

  private static func register(
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
