public import OpenObjectModel

extension NSManagedObjectModel {
  /// Creates the managed object model of an array of model types.
  ///
  /// A Core Data stack with this model can open the store of a ``ModelContainer`` with the types.
  ///
  /// - Parameters:
  ///   - types: The model types. The model also contains the types of their relationships.
  ///   - other: A managed object model whose entities are added; `nil` to add none.
  /// - Returns: The model; `nil` if the types are invalid. ``model(for:mergedWith:)`` throws the
  ///   reason.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type], mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates the managed object model of model types.
  ///
  /// A Core Data stack with this model can open the store of a ``ModelContainer`` with the types.
  ///
  /// - Parameters:
  ///   - types: The model types. The model also contains the types of their relationships.
  ///   - other: A managed object model whose entities are added; `nil` to add none.
  /// - Returns: The model; `nil` if the types are invalid. ``model(for:mergedWith:)`` throws the
  ///   reason.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: any PersistentModel.Type..., mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates the managed object model of a schema.
  ///
  /// A Core Data stack with this model can open the store of a ``ModelContainer`` with the schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A managed object model whose entities are added; `nil` to add none.
  /// - Returns: The model; `nil` if the schema is invalid. ``model(for:mergedWith:)`` throws the
  ///   reason.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    // Apple's function does not throw.
    try? model(for: schema, mergedWith: other)
  }

  /// Creates the managed object model of a schema, or throws the reason why the schema is invalid.
  ///
  /// A Core Data stack with this model can open the store of a ``ModelContainer`` with the schema.
  /// The model can be changed until it is used. Its objects have the class `NSManagedObject`,
  /// unless you set other classes.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A managed object model whose entities are added; `nil` to add none.
  /// - Returns: The model.
  /// - Throws: `SchemaError` if the schema is invalid; `ModelError` if the two models have
  ///   different entities with the same name.
  ///
  /// This is an addition to Apple's API.
  public static func model(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) throws -> NSManagedObjectModel {
    let own = try ModelAssembly.model(of: schema)
    guard let other else { return own }
    return try NSManagedObjectModel(merging: [own, other])
  }
}
