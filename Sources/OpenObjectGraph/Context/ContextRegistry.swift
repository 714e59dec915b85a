internal import OpenObjectModel
internal import Synchronization

/// What a context's objects keep of it: the way back to the context, without keeping it alive.
///
/// Outlives the context, so that an object that is released late can still leave the identity map.
// Invariant of the unchecked conformance: all but `sharedContext`, a weak reference that is set once before any
// object is registered, is used on the context's queue only; the identity map locks by itself.
final class ContextRegistry: @unchecked Sendable {
  let identityMap: IdentityMap
  /// The context, for its own queue; nil once it is gone.
  @exclusivity(unchecked) unowned(unsafe) var context: NSManagedObjectContext?
  /// The context, for other threads.
  private(set) weak var sharedContext: NSManagedObjectContext?
  /// The coordinator's stores by position, as last seen by the context.
  @exclusivity(unchecked) var stores: [NSPersistentStore] = []

  /// Where new objects go.
  @exclusivity(unchecked) var defaultStorePosition: UInt16 = 0
  /// The coordinator's generation that `stores` was read at.
  @exclusivity(unchecked) private var generation = -1

  /// Takes over the coordinator's stores if any was added or removed.
  @inline(__always)
  func refresh(from coordinator: NSPersistentStoreCoordinator) {
    let current = coordinator.generation.load(ordering: .acquiring)
    if current != generation { read(coordinator, current) }
  }

  private func read(_ coordinator: NSPersistentStoreCoordinator, _ current: Int) {
    generation = current
    stores = coordinator.storeTable
    defaultStorePosition = coordinator.defaultStorePosition
  }

  init(context: NSManagedObjectContext, model: CompiledModel) {
    identityMap = IdentityMap(model: model)
    self.context = context
    sharedContext = context
  }

  func store(at position: Int) -> NSPersistentStore? {
    position < stores.count ? stores[position] : nil
  }
}
