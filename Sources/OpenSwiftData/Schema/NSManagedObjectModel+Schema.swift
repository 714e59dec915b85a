public import OpenObjectModel

extension NSManagedObjectModel {
  /// Creates a managed object model for an array of model types.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// types.
  ///
  /// - Parameters:
  ///   - types: The model types. The model also contains the superclasses of these types and the
  ///     destinations of their relationships.
  ///   - other: A managed object model whose entities the method adds to the result; `nil` to add
  ///     no entities.
  /// - Returns: The model; `nil` if the types are invalid, or if `other` has a different entity
  ///   with the same name. To receive an error instead of `nil`, call ``model(for:mergedWith:)``.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type], mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates a managed object model for the given model types.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// types.
  ///
  /// - Parameters:
  ///   - types: The model types. The model also contains the superclasses of these types and the
  ///     destinations of their relationships.
  ///   - other: A managed object model whose entities the method adds to the result; `nil` to add
  ///     no entities.
  /// - Returns: The model; `nil` if the types are invalid, or if `other` has a different entity
  ///   with the same name. To receive an error instead of `nil`, call ``model(for:mergedWith:)``.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: any PersistentModel.Type..., mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates a managed object model for a schema.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A managed object model whose entities the method adds to the result; `nil` to add
  ///     no entities.
  /// - Returns: The model; `nil` if the schema is invalid, or if `other` has a different entity
  ///   with the same name. To receive an error instead of `nil`, call ``model(for:mergedWith:)``.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    // Apple's function does not throw.
    try? model(for: schema, mergedWith: other)
  }

  /// Creates a managed object model for a schema, or throws an error if the schema is invalid.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// schema.
  ///
  /// You can change the model until its first use. The objects of an entity have the class
  /// `NSManagedObject` if you do not set another class name.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A managed object model whose entities the method adds to the result; `nil` to add
  ///     no entities.
  /// - Returns: The model.
  /// - Throws: ``SchemaError`` if the schema is invalid; `ModelError` with code `.duplicateName` if
  ///   `other` has a different entity with the same name.
  public static func model(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) throws -> NSManagedObjectModel {
    let own = try ModelAssembly.model(of: schema)
    guard let other else { return own }
    return try NSManagedObjectModel(merging: [own, other])
  }
}
