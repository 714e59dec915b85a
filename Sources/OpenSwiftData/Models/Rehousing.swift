internal import OpenObjectGraph
internal import OpenObjectModel

/// Gives models that are in no context objects of another schema's entities, with the same values.
///
/// A model that is made before its container has an object of a schema of its type alone.
struct Rehousing {
  private let model: CompiledModel

  init(to model: CompiledModel) { self.model = model }

  /// Moves a model, and those that its relationships lead to.
  ///
  /// - Returns: The entities of objects that were left behind, because their models are not known: of models that were related in
  ///   their own initializers and not touched since.
  @discardableResult
  func run<Model: PersistentModel>(_ root: Model) -> Set<String> {
    var moved: [__ModelObject] = []
    var left: Set<String> = []
    move(root, &moved)
    var position = 0
    while position < moved.count {
      for case let neighbor as __ModelObject in moved[position].knownNeighbors
      where neighbor.isDetached && neighbor.successor == nil && neighbor.modelEntity.model !== model
      {
        if let known = neighbor.knownModel as? any PersistentModel {
          move(known, &moved)
        } else {
          left.insert(neighbor.entity.name ?? "")
        }
      }
      position += 1
    }
    for old in moved { if let new = old.successor { copyRelationships(from: old, to: new) } }
    return left
  }

  private func move<Model: PersistentModel>(_ model: Model, _ moved: inout [__ModelObject]) {
    let old = model.__object
    guard let name = old.entity.name, let entity = self.model.entity(named: name),
      entity !== old.modelEntity
    else { return }
    let new = __ModelObject(entity: entity.entityDescription, insertInto: nil)
    for property in entity.properties where property.attribute != nil && !property.isElement {
      guard old.modelEntity.ordinal(of: property.name) != nil else { continue }
      new.setValue(old.value(forKey: property.name), forKey: property.name)
    }
    model.__object = new
    model.__bind()
    if old.keptModel != nil { new.keptModel = old.keptModel }
    old.keptModel = nil
    old.successor = new
    moved.append(old)
  }

  /// The object that stands for another one in the schema.
  private func present(_ object: NSManagedObject) -> NSManagedObject? {
    let object = (object as? __ModelObject)?.successor ?? object
    return object.modelEntity.model === model ? object : nil
  }

  private func copyRelationships(from old: __ModelObject, to new: __ModelObject) {
    for property in old.modelEntity.properties {
      guard let relationship = property.relationship,
        new.modelEntity.ordinal(of: property.name) != nil
      else { continue }
      let key = ModelKeys.key(named: property.name)
      if relationship.isToMany {
        let members = old.memberObjects(key).compactMap(present)
        if !members.isEmpty { new.setMemberObjects(key, members) }
      } else if let destination = old.destinationObject(key).flatMap(present) {
        new.setDestinationObject(key, destination)
      }
    }
  }
}
