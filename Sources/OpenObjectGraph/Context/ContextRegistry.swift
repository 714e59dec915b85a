internal import OpenObjectModel
internal import Synchronization

/// What a context's objects keep of it: the way back to the context, without keeping it alive.
///
/// Outlives the context, so that an object that is released late can still leave the identity map.
// Invariant of the unchecked conformance: `context` and `stores` are used on the context's queue only;
// `sharedContext` is read under the lock; the identity map locks by itself.
final class ContextRegistry: @unchecked Sendable {
  let identityMap: IdentityMap
  /// The context, for its own queue; nil once it is gone.
  unowned(unsafe) var context: NSManagedObjectContext?
  /// The coordinator's stores by position, as last seen by the context.
  var stores: [NSPersistentStore] = []

  init(context: NSManagedObjectContext, model: CompiledModel) {
    identityMap = IdentityMap(model: model)
    self.context = context
  }

  func store(at position: Int) -> NSPersistentStore? {
    position < stores.count ? stores[position] : nil
  }
}
