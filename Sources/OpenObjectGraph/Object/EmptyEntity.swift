internal import OpenObjectModel

/// The entity of objects without an entity of a model; it has no properties and no store.
enum EmptyEntity {
  static let shared: CompiledEntity = {
    let entity = NSEntityDescription()
    entity.name = "NSManagedObject"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    guard let compiled = try? model.compiled(), let first = compiled.entities.first else {
      preconditionFailure("The empty model cannot be compiled.")
    }
    return first
  }()
}

extension NSEntityDescription {
  /// The compiled entity; the empty entity for a description outside any model in use.
  // Compiled entities are never released.
  var compiledOrEmpty: Unmanaged<CompiledEntity> {
    uncountedCompiled ?? .passUnretained(EmptyEntity.shared)
  }
}
