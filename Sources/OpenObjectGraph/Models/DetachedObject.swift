package import OpenObjectModel

/// Operations of typed models, such as SwiftData's, on managed objects that have no context:
/// changing the entity or the identifier.
///
/// > Concurrency: An object without a context is confined to the code that uses it.
package enum DetachedObject {
  /// Changes the entity of an object that was never in a context.
  ///
  /// The object loses all values, and its observers are notified once. The method does nothing for
  /// any other object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - entity: The new entity.
  package static func change(_ object: NSManagedObject, to entity: CompiledEntity) {
    guard object.registration == .detached, object.registry == nil else { return }
    object.edits.removeAll()
    object.forgetLoaded()
    let observers = object.extras?.observers
    object.extras?.observers = nil
    object.dropRow()
    object.compiledEntity = entity
    object.entityToken = entity.token
    object.base = DefaultRows.base(of: entity)
    object.contents = .realized
    object.cachedID = nil
    observers?.dismiss(from: object)
  }

  /// Sets the identifier of an object to the identifier of another object, after a save merged the
  /// first object into the other object.
  ///
  /// The method does nothing if the first object is in a context.
  ///
  /// - Parameters:
  ///   - object: The first object, which no longer has a row.
  ///   - survivor: The object into which the save merged the first object.
  package static func give(_ object: NSManagedObject, identifierOf survivor: NSManagedObject) {
    guard object.registration == .detached, object.registry == nil else { return }
    object.key = survivor.key
    object.cachedID = survivor.currentID
  }
}
