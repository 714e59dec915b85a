internal import OpenObjectModel
internal import OpenStoreContract

/// Objects whose rows the next save compares with the store, even if they are unchanged.
///
/// The struct retains the objects. A context owns the struct, which is confined to the context's
/// queue.
struct GuardedObjects {
  private var objects: [ObjectIdentifier: NSManagedObject] = [:]

  /// All objects, in no order.
  var all: some Collection<NSManagedObject> { objects.values }

  /// Implements `detectConflicts(for:)`.
  ///
  /// The save compares the stored row with the row that the context has at the time of the save.
  static func add(_ object: NSManagedObject, in context: NSManagedObjectContext) {
    context.checkQueue("conflict detection was requested")
    guard object.registry === context.registry, object.registration != .detached else {
      return context.deferredErrors.note(
        "A context can detect conflicts only for its own objects.", of: object)
    }
    context.loadingFreely { object.realizeIfNeeded() }
    context.guardedObjects.objects[ObjectIdentifier(object)] = object
  }

  mutating func removeAll() { objects.removeAll() }

  /// Returns the unchanged objects in a store, sorted by key, whose rows a commit compares.
  func unchanged(at position: Int) -> [NSManagedObject] {
    if objects.isEmpty { return [] }
    return objects.values.filter { object in
      Int(object.storePosition) == position && object.registration == .persistent
        && object.contents != .fault && object.key > 0
    }
    .sorted { $0.key < $1.key }
  }
}

extension ChangeSetBuilder {
  /// Adds the expected versions of rows that the save does not write.
  mutating func addExpectations(of objects: [NSManagedObject]) {
    guard !objects.isEmpty else { return }
    var written = Set(changes.updated.map { Row.Identity($0.row) })
    for object in objects where written.insert(Row.Identity(object.row)).inserted {
      changes.unchanged.append(
        ChangeSet.Expectation(
          id: ObjectKey(entityIndex: object.compiledEntity.index, key: object.key),
          version: object.row.version))
    }
  }
}

extension Row {
  /// The entity and the key of a row, which identify it in a store.
  fileprivate struct Identity: Hashable {
    let entityIndex: Int
    let key: Int64

    init(_ row: Row) {
      entityIndex = row.entityIndex
      key = row.key
    }
  }
}
