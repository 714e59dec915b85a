public import OpenObjectModel

extension NSManagedObjectModel {
  /// Creates the managed object model of an array of model types.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// types.
  ///
  /// - Parameters:
  ///   - types: The model types. The model also contains the superclasses of these types and the
  ///     destinations of their relationships.
  ///   - other: A managed object model whose entities the result also contains; `nil` for none.
  /// - Returns: The model; `nil` if the types are invalid or if `other` has a different entity with
  ///   the same name. ``model(for:mergedWith:)`` throws an error in these cases.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type], mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates the managed object model of the given model types.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// types.
  ///
  /// - Parameters:
  ///   - types: The model types. The model also contains the superclasses of these types and the
  ///     destinations of their relationships.
  ///   - other: A managed object model whose entities the result also contains; `nil` for none.
  /// - Returns: The model; `nil` if the types are invalid or if `other` has a different entity with
  ///   the same name. ``model(for:mergedWith:)`` throws an error in these cases.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: any PersistentModel.Type..., mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Creates the managed object model of a schema.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A managed object model whose entities the result also contains; `nil` for none.
  /// - Returns: The model; `nil` if the schema is invalid or if `other` has a different entity with
  ///   the same name. ``model(for:mergedWith:)`` throws an error in these cases.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    // Apple's function does not throw.
    try? model(for: schema, mergedWith: other)
  }

  /// Creates the managed object model of a schema, or throws an error if the schema is invalid.
  ///
  /// A Core Data stack with this model can open a store that a ``ModelContainer`` created for the
  /// schema.
  /// You can change the model until its first use. The objects of the model have the class
  /// `NSManagedObject`, unless you set other class names in the entities.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A managed object model whose entities the result also contains; `nil` for none.
  /// - Returns: The model.
  /// - Throws: ``SchemaError`` if the schema is invalid; `ModelError` if `other` has a different
  ///   entity with the same name.
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
