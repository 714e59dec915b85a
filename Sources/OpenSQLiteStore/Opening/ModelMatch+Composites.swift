import OpenObjectModel
import OpenStoreContract

extension ModelMatch {
  /// Requires that composite attributes with elements of the same name have the names that they
  /// have in the file's copy of its model.
  ///
  /// Version hashes do not contain these names, which determine the columns of the elements. A file
  /// without a readable copy of its model is not checked.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema`, whose underlying error is a
  ///   `ModelVersionMismatch`.
  func requireComposites(on connection: Connection) throws(StoreError) {
    let hasElements = model.entities.contains { $0.properties.contains { $0.isElement } }
    guard hasElements, !model.descriptions.ambiguousElementPaths.isEmpty,
      let content = try ModelCache.content(on: connection),
      // Only tools and migrations need the copy, so the store opens without it.
      let kept = try? ModelCache.model(in: content, path: path),
      let name = model.descriptions.entityWithRenamedComposites(in: kept)
    else { return }
    throw StoreError(
      .incompatibleSchema,
      "The composite attributes of the entity have other names in the store. Migrate the store.",
      path: path, entityName: name,
      underlying: ModelVersionMismatch(storeEntities: [name], modelEntities: [name]))
  }
}
