internal import OpenObjectModel
internal import OpenStoreContract

/// Converts objects that another context of the same source has fetched to objects of a context.
///
/// Each asynchronous fetch creates its own instance, with the settings of its request.
///
/// > Concurrency: Confined to the queue of the context that receives the objects.
struct ObjectAdoption {
  private let context: NSManagedObjectContext
  private let refreshes: Bool
  private let realizes: Bool
  /// The number of objects that are converted between two checks for cancellation.
  ///
  /// If no rows were read, this is also the number of faults that are read together.
  let sliceSize: Int

  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) {
    self.context = context
    refreshes = request.shouldRefreshRefetchedObjects
    realizes = !request.returnsObjectsAsFaults
    sliceSize =
      request.fetchBatchSize > 0
      ? min(request.fetchBatchSize, FaultGroup.limit) : FaultGroup.limit
  }

  /// Returns the context's own objects for objects of the other context, with their rows.
  ///
  /// > Concurrency: Call on the context's queue, while no other code uses the other context.
  func objects(for found: ArraySlice<NSManagedObject>) -> [NSManagedObject] {
    let group = FaultGroup(keys: found.lazy.filter { $0.contents == .fault }.map(\.key))
    defer { if refreshes { context.observation.compare(in: context.registry) } }
    return found.map { read in
      let object = context.registered(
        read.compiledEntity, key: read.key, store: Int(read.storePosition))
      if read.contents == .fault {
        if object.contents == .fault { object.makeExtras().siblings = group }
      } else {
        takeRow(of: read, object)
      }
      if realizes { context.loadingFreely { object.realizeIfNeeded() } }
      return object
    }
  }

  /// Attaches the row that the other context read, or a newer row that has arrived since.
  private func takeRow(of read: NSManagedObject, _ object: NSManagedObject) {
    let isRefreshed = refreshes && object.registration == .persistent
    guard object.contents == .fault || isRefreshed else { return }
    let newest = object.store.flatMap {
      context.knownRow(root: object.compiledEntity.rootIndex, key: object.key, in: $0)
    }
    let row = newest ?? read.row
    if object.contents == .fault { return FaultResolver.attach(row, to: object) }
    ObjectRefresh.replaceRow(of: object, with: row, in: context)
    SnapshotEvents.announce(.refresh, to: object)
  }
}
