internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The ids of a fetch, and the objects of the batches that were used last.
///
/// An instance uses 16 bytes for each row, and retains unsaved objects and the objects of two
/// batches. The results that return the objects own the instance.
///
/// > Concurrency: Confined to the context's queue.
final class FetchedBatches {
  /// One row of the result.
  private struct Entry {
    var key: Int64
    var entityIndex: Int32
    var store: UInt32
  }

  private struct Batch {
    var number: Int
    var objects: [NSManagedObject]
  }

  let context: NSManagedObjectContext
  let batchSize: Int
  private let entity: CompiledEntity
  private let prefetching: [String]
  private var entries: [Entry] = []
  /// The objects that were unsaved when they were found, by position. A save changes their keys,
  /// and they can be moved to another store.
  private var unsaved: [Int: NSManagedObject] = [:]
  private var batches: [Batch] = []
  private static let keptBatches = 2
  private static let usualBatchSize = 500

  /// Fetches the ids.
  ///
  /// - Parameter batchSize: The number of rows to read at once; 0 for the request's batch size, or
  ///   500 if that is 0 as well.
  /// - Throws: The same errors as `fetch(_:)`; `CocoaError` if the request is not for objects.
  init<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>, in context: NSManagedObjectContext, batchSize: Int = 0
  ) throws {
    guard request.resultType == .managedObjectResultType else {
      throw CocoaError.make(
        .coreData,
        "Only objects can be loaded in batches. Set resultType to .managedObjectResultType.")
    }
    self.context = context
    let sizes = [batchSize, request.fetchBatchSize].filter { $0 > 0 }
    self.batchSize = min(sizes.first ?? Self.usualBatchSize, FaultGroup.limit)
    var fetch = try context.loadingFreely { () throws(any Error) in
      try PreparedFetch(request, in: context)
    }
    // This class reads the batches itself.
    fetch.batchSize = 0
    entity = fetch.plan.shape.entity
    prefetching = fetch.prefetching
    if let misfit = ResultCast.misfit(of: entity, context.classes, with: Object.self) {
      throw ResultCast.mismatch(of: misfit, with: Object.self)
    }
    try read(FetchOperation(fetch, in: context))
  }

  private func read(_ operation: FetchOperation) throws {
    let runs = try context.loadingFreely { () throws(any Error) in try operation.keys() }
    entries.reserveCapacity(runs.reduce(0) { $0 + $1.keys.count })
    for run in runs {
      for id in run.keys {
        if id.key < 0 { unsaved[entries.count] = context.registered(id, store: run.store) }
        entries.append(
          Entry(
            key: id.key, entityIndex: id.entityIndex, store: UInt32(truncatingIfNeeded: run.store)))
      }
    }
    context.counters.countFetch(rows: entries.count)
  }

  /// The number of rows.
  var count: Int { entries.count }

  // MARK: Access

  /// Returns the id of the object at a position, without loading the object.
  func objectID(at index: Int) -> NSManagedObjectID {
    context.refreshStores()
    if let object = unsaved[index] {
      context.source.adoptRenames(in: context)
      return object.currentID
    }
    let entry = entries[index]
    return NSManagedObjectID(
      store: context.registry.store(at: Int(entry.store)),
      entity: context.model.entities[Int(entry.entityIndex)], key: entry.key)
  }

  /// Returns the object at a position; reads the batch of the object unless the batch was used
  /// last.
  func object(at index: Int) -> NSManagedObject {
    let number = index / batchSize
    let position = index % batchSize
    if let batch = batches.last(where: { $0.number == number }) { return batch.objects[position] }
    let objects = load(batch: number) { error in
      GraphLog.error("A batch of \(entity.name) objects cannot be read: \(error)")
    }
    let batch = Batch(number: number, objects: objects)
    if batches.count == Self.keptBatches { batches.removeFirst() }
    batches.append(batch)
    return batch.objects[position]
  }

  /// Releases the returned objects.
  func releaseObjects() { batches.removeAll() }

  /// Returns the objects of one batch, with their rows.
  ///
  /// - Parameters:
  ///   - number: The number of the batch.
  ///   - report: Receives the error of each read that fails. If the closure returns, the objects
  ///     whose rows could not be read are faults.
  /// - Throws: The error that `report` throws.
  func load(
    batch number: Int, reporting report: (any Error) throws -> Void
  ) rethrows -> [NSManagedObject] {
    context.refreshStores()
    context.source.adoptRenames(in: context)
    let range = number * batchSize..<min((number + 1) * batchSize, entries.count)
    let objects = range.map { index in
      unsaved[index] ?? registered(entries[index])
    }
    let unread = objects.filter { $0.contents == .fault }
    for (store, group) in Dictionary(grouping: unread, by: { Int($0.storePosition) }) {
      do {
        try read(group, at: store)
      } catch {
        try report(error)
      }
    }
    return objects
  }

  private func registered(_ entry: Entry) -> NSManagedObject {
    context.registered(
      context.model.entities[Int(entry.entityIndex)], key: entry.key, store: Int(entry.store))
  }

  // MARK: Rows

  /// Attaches rows to faults: known rows, and rows that one statement reads.
  private func read(_ faults: [NSManagedObject], at position: Int) throws {
    guard let store = context.registry.store(at: position) else { return }
    let isCustom = store.requests != nil
    var missing: [Int: [Int64]] = [:]
    for object in faults {
      guard let row = context.knownRow(root: entity.rootIndex, key: object.key, in: store) else {
        // A custom store is asked for the id of each object, which has the object's entity.
        let index = isCustom ? object.compiledEntity.index : entity.index
        missing[index, default: []].append(object.key)
        continue
      }
      FaultResolver.attach(row, to: object)
    }
    var chunks: [RowChunk] = []
    for (index, keys) in missing {
      chunks += try context.source.rows(of: context.model.entities[index], keys: keys, in: store)
    }
    guard !chunks.isEmpty else { return }
    for chunk in chunks {
      FaultResolver.attach(
        rowsOf: chunk, root: entity.rootIndex, store: position, in: context.registry)
    }
    if !isCustom {
      let prefetch = Prefetch(context: context, store: store, position: position)
      for keyPath in prefetching { try prefetch.run(keyPath, of: entity, chunks) }
    }
    for chunk in chunks { context.source.publish(chunk, in: store) }
  }
}
