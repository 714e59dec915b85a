package import OpenObjectModel

/// Changes the entity or the identifier of an object without a context, for typed models.
///
/// > Concurrency: An object without a context is confined to the code that uses it.
package enum DetachedObject {
  /// Changes the entity of an object that was never in a context.
  ///
  /// The object loses all values. The method does nothing for any other object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - entity: The new entity.
  package static func change(_ object: NSManagedObject, to entity: CompiledEntity) {
    guard object.registration == .detached, object.registry == nil else { return }
    object.edits.removeAll()
    object.forgetLoaded()
    object.extras?.observers = nil
    object.dropRow()
    object.compiledEntity = entity
    object.entityToken = entity.token
    object.base = DefaultRows.base(of: entity)
    object.contents = .realized
    object.cachedID = nil
  }

  /// Gives an object that a save merged into another object the identifier of the other object.
  ///
  /// The method does nothing if the object is in a context.
  ///
  /// - Parameters:
  ///   - object: The object that was merged.
  ///   - survivor: The object that survived.
  package static func give(_ object: NSManagedObject, identifierOf survivor: NSManagedObject) {
    guard object.registration == .detached, object.registry == nil else { return }
    object.key = survivor.key
    object.cachedID = survivor.currentID
  }
}
