internal import OpenObjectModel
internal import OpenStoreContract

/// Finds or creates the managed object of each row that a fetch reads from a store.
///
/// > Concurrency: Confined to the context's queue.
struct Materializer {
  private let context: NSManagedObjectContext
  private let registry: ContextRegistry
  private let store: Int
  private let root: Int
  private let refreshes: Bool
  private var found: [NSManagedObject?] = []
  private var fresh: [NSManagedObject] = []

  init(_ operation: FetchOperation, store: Int) {
    context = operation.context
    registry = context.registry
    self.store = store
    root = operation.fetch.plan.shape.entity.rootIndex
    refreshes = operation.fetch.refreshes
  }

  mutating func append(_ chunk: RowChunk, to objects: inout [NSManagedObject]) {
    registry.identityMap.objects(store: store, root: root, rowsOf: chunk, into: &found)
    if found.isEmpty {
      let start = objects.count
      chunk.forEachRowAddress { objects.append(make(Row(chunk: chunk, base: $0))) }
      return registry.identityMap.insert(objects[start...], store: store, root: root)
    }
    appendMixed(chunk, to: &objects)
    registry.identityMap.insert(fresh[...], store: store, root: root)
  }

  /// Appends the objects of a chunk, some of which are already registered.
  private mutating func appendMixed(_ chunk: RowChunk, to objects: inout [NSManagedObject]) {
    fresh.removeAll(keepingCapacity: true)
    var index = 0
    var hits = 0
    chunk.forEachRow { row in
      // A registered fault may have the wrong entity.
      if let object = found[index], object.represents(row) {
        take(row, object)
        objects.append(object)
        hits += 1
      } else {
        let object = make(row)
        fresh.append(object)
        objects.append(object)
      }
      index += 1
    }
    context.counters.counts.identityMapHits &+= hits
  }

  @inline(__always)
  private func make(_ row: Row) -> NSManagedObject {
    let object = context.materialize(row.entityIndex)
    object.registry = registry
    object.standing = .fetched
    object.contents = .unfired
    object.storePosition = UInt32(truncatingIfNeeded: store)
    object.key = row.key
    object.row = row
    context.retain(object)
    return object
  }

  private func take(_ row: Row, _ object: NSManagedObject) {
    if object.contents == .fault {
      FaultResolver.attach(row, to: object)
    } else if refreshes, object.registration == .persistent {
      ObjectRefresh.replaceRow(of: object, with: row, in: context)
    }
  }
}
