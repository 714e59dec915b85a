import Foundation
import OpenObjectGraph
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract

/// A reader for single objects, identified by URI.
package struct ObjectReading {
  private let store: InspectedStore

  package init(_ store: InspectedStore) { self.store = store }

  /// Returns the object with a URI, including its to-many relationships.
  ///
  /// - Parameter uri: The URI of the object, such as `x-coredata://STORE/Entity/p1`.
  /// - Throws: `ToolError` with status `.usage` if the URI is invalid or belongs to another store,
  ///   or if there is no row for the URI; `StoreError` with code `.closed` if the store is closed,
  ///   or with another code if the store cannot be read.
  package func object(_ uri: String) throws -> [OutputValue.Field] {
    guard let url = URL(string: uri), url.scheme == "x-coredata" else {
      throw ToolError(
        .usage,
        "\(uri) is not an object ID. An object ID has the form x-coredata://STORE/Entity/p1.")
    }
    guard let id = store.coordinator.managedObjectID(forURIRepresentation: url) else {
      throw ToolError(.usage, "\(uri) refers to another store or to an unknown entity.")
    }
    let chunk = try store.backend.rows(of: store.entities[id.compiledEntity.index], keys: [id.key])
    let presenter = RowPresenter(
      model: store.coordinator.model, backend: store.backend, includesToMany: true)
    var found: [OutputValue.Field]?
    try presenter.present(chunk) { found = $0 }
    guard let found else {
      throw ToolError(.usage, "\(uri): The store does not contain this object.")
    }
    return found
  }
}
