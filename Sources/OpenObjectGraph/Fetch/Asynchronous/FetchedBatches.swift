internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The ids that a fetch found, and the objects of the batches that were asked for last.
///
/// Confined to the context's queue; owned by the results that hand its objects out. Keeps 16 bytes for each
/// row, and the objects of two batches.
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
  private let prefetching: [[String]]
  private var entries: [Entry] = []
  /// Objects that were not saved when they were found: their keys will change.
  private var unsaved: [Int: NSManagedObject] = [:]
  private var batches: [Batch] = []
  private static let keptBatches = 2
  private static let usualBatchSize = 500

  /// Fetches the ids.
  ///
  /// - Parameter batchSize: Rows to read at once; 0 for the request's own size, or a usual one.
  /// - Throws: As `fetch(_:)`.
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
    entity = try context.entity(of: request)
    prefetching = (request.relationshipKeyPathsForPrefetching ?? []).map {
      $0.split(separator: ".").map(String.init)
    }
    try context.check(Object.self, isClassOf: entity)
    if let (keys, position) = try context.storedKeys(of: request, entity) {
      context.countFetch(rows: keys.count)
      entries = keys.map {
        Entry(
          key: $0.key, entityIndex: $0.entityIndex, store: UInt32(truncatingIfNeeded: position))
      }
    } else {
      try readIDs(of: NSFetchRequest<NSManagedObjectID>(copying: request))
    }
  }

  /// The number of rows.
  var count: Int { entries.count }

  /// Fetches the ids as objects where unsaved changes or several stores are concerned.
  private func readIDs(of request: NSFetchRequest<NSManagedObjectID>) throws {
    request.resultType = .managedObjectIDResultType
    for id in try context.fetch(request) {
      guard let position = context.storePosition(of: id) else { continue }
      if id.isTemporaryID { unsaved[entries.count] = context.registeredObject(for: id) }
      entries.append(
        Entry(
          key: id.key, entityIndex: Int32(truncatingIfNeeded: id.compiledEntity.index),
          store: UInt32(truncatingIfNeeded: position)))
    }
  }

  // MARK: Access

  /// The id of a row, without loading it.
  func objectID(at index: Int) -> NSManagedObjectID {
    if let object = unsaved[index] { return object.objectID }
    let entry = entries[index]
    return NSManagedObjectID(
      store: context.registry.store(at: Int(entry.store)),
      entity: context.model.entities[Int(entry.entityIndex)], key: entry.key)
  }

  /// The object of a row; reads the batch it is in, unless it is one of those read last.
  func object(at index: Int) -> NSManagedObject {
    let number = index / batchSize
    let position = index % batchSize
    if let batch = batches.last(where: { $0.number == number }) { return batch.objects[position] }
    let batch = Batch(number: number, objects: load(batch: number))
    if batches.count == Self.keptBatches { batches.removeFirst() }
    batches.append(batch)
    return batch.objects[position]
  }

  /// Lets go of the objects that were handed out.
  func releaseObjects() { batches.removeAll() }

  /// The objects of one batch, with their rows; a batch that cannot be read has faults.
  func load(batch number: Int) -> [NSManagedObject] {
    let range = number * batchSize..<min((number + 1) * batchSize, entries.count)
    let objects = range.map { index in
      unsaved[index] ?? registered(entries[index])
    }
    let unread = zip(range, objects).filter { $0.1.contents == .unresolved }
    for (store, group) in Dictionary(grouping: unread, by: { Int(entries[$0.0].store) }) {
      do {
        try read(group.map { entries[$0.0].key }, at: store)
      } catch {
        GraphLog.error("A batch of \(entity.name) cannot be read: \(error)")
      }
    }
    return objects
  }

  private func registered(_ entry: Entry) -> NSManagedObject {
    context.registered(
      context.model.entities[Int(entry.entityIndex)], key: entry.key, store: Int(entry.store))
  }

  // MARK: Rows

  /// Gives faults their rows: those that other contexts hold, the others by one statement.
  private func read(_ keys: [Int64], at position: Int) throws {
    guard let store = context.registry.store(at: position) else { return }
    var missing: [Int64] = []
    for key in keys {
      guard let row = context.knownRow(root: entity.rootIndex, key: key, in: store) else {
        missing.append(key)
        continue
      }
      attach(row, at: position)
    }
    guard !missing.isEmpty else { return }
    let chunks = try context.rows(of: entity, keys: missing, in: store)
    guard !chunks.isEmpty else { return }
    for chunk in chunks { chunk.forEachRow { attach($0, at: position) } }
    for path in prefetching {
      try context.prefetch(path, of: entity, chunks, from: store, at: position)
    }
    context.publish(chunks, in: store)
  }

  private func attach(_ row: Row, at position: Int) {
    let object = context.registry.identityMap.object(
      store: position, root: entity.rootIndex, key: row.key)
    if let object { FaultResolver.attach(row, to: object) }
  }
}

extension NSManagedObjectContext {
  /// The keys of a request that one store carries out as a whole; nil for any other.
  fileprivate func storedKeys<Result>(
    of request: NSFetchRequest<Result>, _ entity: CompiledEntity
  ) throws -> (keys: [ObjectKey], position: Int)? {
    let coordinator = try requireCoordinator()
    let stores = try affectedStores(of: request)
    guard parentContext == nil, stores.count == 1, let store = stores.first,
      !(request.includesPendingChanges && hasChanges)
    else { return nil }
    return try reporting {
      let planned = try planning(request.predicate) { predicate in
        try coordinator.planner.plan(
          FetchPlanner.Request(
            entity: entity, predicate: predicate, sortDescriptors: request.sortDescriptors ?? [],
            limit: max(0, request.fetchLimit), offset: max(0, request.fetchOffset),
            includesSubentities: request.includesSubentities,
            isStrict: !request.allowsEvaluationInMemory))
      }
      guard planned.isComplete else { return nil }
      var plan = planned.plan
      plan.interruption = readInterruption
      let keys = try reader(of: store).keys(matching: plan.addressed(to: store))
      return (keys: keys, position: store.position)
    }
  }

  /// Checks that every object of an entity has a class.
  fileprivate func check(_ type: NSManagedObject.Type, isClassOf entity: CompiledEntity) throws {
    for index in entity.subtree where !Self.is(classes[index], type) {
      throw CocoaError.make(
        .coreData,
        "The fetch returns \(classes[index]), but the request's result type is \(type). Check the "
          + "class that the model names for the entity.")
    }
  }

  private static func `is`(_ type: AnyClass, _ wanted: AnyClass) -> Bool {
    var current: AnyClass? = type
    while let candidate = current {
      if candidate == wanted { return true }
      current = _getSuperclass(candidate)
    }
    return false
  }
}
