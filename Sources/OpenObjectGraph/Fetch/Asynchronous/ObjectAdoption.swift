internal import OpenObjectModel
internal import OpenStoreContract

/// Takes over what another context of the same source found, as objects of a context's own.
///
/// Made for one asynchronous fetch, by what its request says of objects.
///
/// > Concurrency: Confined to the queue of the context that takes the objects over.
struct ObjectAdoption {
  private let context: NSManagedObjectContext
  private let refreshes: Bool
  private let realizes: Bool
  /// Objects taken over between two looks at the cancellation; rows read together where none was read.
  let sliceSize: Int

  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) {
    self.context = context
    refreshes = request.shouldRefreshRefetchedObjects
    realizes = !request.returnsObjectsAsFaults
    sliceSize =
      request.fetchBatchSize > 0
      ? min(request.fetchBatchSize, FaultGroup.limit) : FaultGroup.limit
  }

  /// The context's own objects for those of the other context, with their rows.
  ///
  /// > Concurrency: On the context's queue, while nothing else uses the other context.
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

  /// Gives an object the row that the other context read, or a newer one that came meanwhile.
  private func takeRow(of read: NSManagedObject, _ object: NSManagedObject) {
    let isRefreshed = refreshes && object.registration == .persistent && !object.isMarkedUpdated
    guard object.contents == .fault || isRefreshed else { return }
    let newest = object.store.flatMap {
      context.knownRow(root: object.compiledEntity.rootIndex, key: object.key, in: $0)
    }
    let row = newest ?? read.row
    if object.contents == .fault { return FaultResolver.attach(row, to: object) }
    object.row = row
    object.forgetLoaded()
  }
}
