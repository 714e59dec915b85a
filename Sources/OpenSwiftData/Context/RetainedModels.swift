internal import OpenObjectGraph

/// The models that a context retains until the next save or rollback: the models of inserted
/// objects, and the models of stored objects that unsaved to-one relationships refer to.
///
/// > Concurrency: Confined to the actor or task that uses the context.
final class RetainedModels {
  @exclusivity(unchecked) private var objects: [__ModelObject] = []
  /// The classes of the retained models, and whether their instances have transient properties.
  private var classes: [ObjectIdentifier: Bool] = [:]
  /// Whether a retained model has transient properties.
  private var haveTransients = false

  func add(_ model: AnyObject, of object: __ModelObject) {
    object.keptModel = model
    objects.append(object)
    if !haveTransients { haveTransients = hasTransients(type(of: model)) }
  }

  private func hasTransients(_ type: AnyClass) -> Bool {
    if let known = classes[ObjectIdentifier(type)] { return known }
    let found = TransientProperties.exist(in: type)
    classes[ObjectIdentifier(type)] = found
    return found
  }

  /// Makes saved objects retain the models of their destinations, so that the transient values of
  /// the models remain.
  ///
  /// - Parameter saved: The objects, whose list is created only if a retained model has transient
  ///   properties.
  func handOver(to saved: @autoclosure () -> [NSManagedObject]) {
    guard haveTransients else { return }
    for object in saved() {
      ModelRelationship.keepModels(ofDestinationsOf: object) { ($0 as? __ModelObject)?.knownModel }
    }
  }

  /// Releases the models that are no longer inserted and unsaved.
  func releaseSaved() {
    let former = objects
    objects = former.filter { $0.isInserted }
    if objects.isEmpty { haveTransients = false }
    for object in former where !object.isInserted { object.keptModel = nil }
  }

  func releaseAll() { for object in objects { object.keptModel = nil } }
}
