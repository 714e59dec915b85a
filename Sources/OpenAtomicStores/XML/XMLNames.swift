import OpenObjectModel
import OpenStoreContract

/// The names of a model's entities and properties in an XML store: entities in uppercase,
/// properties in lowercase.
///
/// Used for only one read or write.
struct XMLNames {
  private let entities: [String: CompiledEntity]
  private var properties: [[String: CompiledProperty]]

  /// - Throws: `StoreError` with code `.unsupported` if two names differ only in case, because the
  ///   file cannot distinguish these names.
  init(_ model: CompiledModel) throws(StoreError) {
    entities = Dictionary(model.entities.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    properties = model.entities.map { entity in
      let stored = entity.properties.filter { !$0.isTransient }
      return Dictionary(stored.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    }
    guard entities.count == model.entities.count else {
      throw StoreError(
        .unsupported,
        "An XML store cannot contain entities whose names differ only in case. Rename one of them.")
    }
    for (entity, names) in zip(model.entities, properties)
    where names.count < entity.properties.count(where: { !$0.isTransient }) {
      throw StoreError(
        .unsupported,
        "An XML store cannot contain properties of an entity whose names differ only in case. Rename one of them.",
        entityName: entity.name)
    }
  }

  func entity(_ name: String) -> CompiledEntity? { entities[name.uppercased()] }

  func property(_ name: String, of entity: CompiledEntity) -> CompiledProperty? {
    properties[entity.index][name.lowercased()]
  }
}
