internal import OpenObjectModel

/// The entity of objects that belong to none: it has no properties and is not in a store.
enum EmptyEntity {
  static let shared: CompiledEntity = {
    let entity = NSEntityDescription()
    entity.name = "NSManagedObject"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    guard let compiled = try? model.compiled(), let first = compiled.entities.first else {
      preconditionFailure("A model of one entity without properties is valid.")
    }
    return first
  }()
}

extension NSEntityDescription {
  /// The compiled form, or that of the empty entity for a description outside any model in use.
  // Compiled entities are never released.
  var compiledOrEmpty: Unmanaged<CompiledEntity> {
    uncountedCompiled ?? .passUnretained(EmptyEntity.shared)
  }
}
