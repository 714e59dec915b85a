public import OpenObjectModel

extension NSManagedObjectModel {
  /// Makes the managed object model of model types, with which a Core Data stack opens the same store.
  ///
  /// - Parameters:
  ///   - types: The model types; those that they refer to are added.
  ///   - other: A model whose entities the result has too.
  /// - Returns: nil where no model can be made of the types; ``model(for:mergedWith:)`` says why.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type], mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Makes the managed object model of model types, with which a Core Data stack opens the same store.
  ///
  /// - Parameters:
  ///   - types: The model types; those that they refer to are added.
  ///   - other: A model whose entities the result has too.
  /// - Returns: nil where no model can be made of the types; ``model(for:mergedWith:)`` says why.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for types: any PersistentModel.Type..., mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: other)
  }

  /// Makes the managed object model of a schema, with which a Core Data stack opens the same store.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A model whose entities the result has too.
  /// - Returns: nil where no model can be made of the schema; ``model(for:mergedWith:)`` says why.
  /// > Reference: Apple, makeManagedObjectModel(for:mergedWith:).
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    // The documented form knows no errors.
    try? model(for: schema, mergedWith: other)
  }

  /// Makes the managed object model of a schema, with which a Core Data stack opens the same store.
  ///
  /// The model can be changed until it is used. Its objects are of the class `NSManagedObject` unless classes are set.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - other: A model whose entities the result has too.
  /// - Throws: `SchemaError` for what no model can be made of, `ModelError` where the models have different entities of
  ///   one name.
  /// > Reference: Addition.
  public static func model(
    for schema: Schema, mergedWith other: NSManagedObjectModel? = nil
  ) throws -> NSManagedObjectModel {
    let own = try ModelAssembly.model(of: schema)
    guard let other else { return own }
    return try NSManagedObjectModel(merging: [own, other])
  }
}
