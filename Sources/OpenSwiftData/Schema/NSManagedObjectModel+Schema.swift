public import OpenObjectModel

extension NSManagedObjectModel {
  /// Creates the managed object model of model types, with which a Core Data stack opens the same
  /// store.
  ///
  /// - Parameters:
  ///   - types: The model types; related types are added.
  ///   - other: A model whose entities are added.
  /// - Returns: The model; nil if the types are invalid. ``model(for:mergedWith:)`` throws the
  ///   reason.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type], mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates the managed object model of model types, with which a Core Data stack opens the same
  /// store.
  ///
  /// - Parameters:
  ///   - types: The model types; related types are added.
  ///   - other: A model whose entities are added.
  /// - Returns: The model; nil if the types are invalid. ``model(for:mergedWith:)`` throws the
  ///   reason.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: any PersistentModel.Type..., mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates the managed object model of a schema, with which a Core Data stack opens the same
  /// store.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A model whose entities are added.
  /// - Returns: The model; nil if the schema is invalid. ``model(for:mergedWith:)`` throws the
  ///   reason.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    // The documented form knows no errors.
    try? model(for: schema, mergedWith: other)
  }

  /// Creates the managed object model of a schema, with which a Core Data stack opens the same
  /// store.
  ///
  /// The model can be changed until it is used. Its objects are of the class `NSManagedObject`
  /// unless classes are set.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A model whose entities are added.
  /// - Returns: The model.
  /// - Throws: `SchemaError` for an invalid schema, `ModelError` if the models have different
  ///   entities with the same name.
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
