public import OpenObjectGraph

extension __ModelObject {
  /// Returns whether a relationship of a new model has destinations, which an initial value
  /// replaces.
  @usableFromInline
  func hasDestinations(_ key: __ManagedKey) -> Bool {
    ModelRelationship.hasDestinations(key, of: self)
  }

  /// Retains the model of a destination that was read: until the relationship changes, or, if the
  /// relationship has an unsaved value, until the next save.
  @usableFromInline
  func keepModel(_ model: AnyObject, of destination: __ModelObject, _ key: __ManagedKey) {
    if ModelRelationship.keepModel(model, of: destination, key, in: self) { return }
    destination.keepUntilSave(model)
  }

  /// Retains the model of a destination until the next save, which makes the saved objects retain
  /// the models of their destinations.
  func keepUntilSave(_ model: AnyObject) {
    guard keptModel == nil, !isDetached else { return }
    (managedObjectContext as? GraphContext)?.owner?.keep(model, of: self)
  }
}
