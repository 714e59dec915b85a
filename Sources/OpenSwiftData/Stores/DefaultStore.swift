internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// A default store that a program opens without a container, to read and write snapshots of models.
///
/// A container with the same ``ModelConfiguration`` opens the same file, but does not use this
/// class.
///
/// > Concurrency: Any thread. Each request uses a separate context.
/// > Reference: Apple, DefaultStore. Differs: D-365.
public final class DefaultStore: DataStore, DataStoreBatching, HistoryProviding, Sendable {
  public typealias Configuration = ModelConfiguration
  public typealias Snapshot = DefaultSnapshot
  public typealias HistoryType = DefaultHistoryTransaction
  public typealias TokenType = DefaultHistoryToken

  public let configuration: ModelConfiguration
  public let schema: Schema
  private let container: ModelContainer
  private let store: CoordinatorStore

  private struct CoordinatorStore: Sendable { let identifier: String }

  /// Opens or creates the store.
  ///
  /// - Parameters:
  ///   - configuration: The location, the options and the schema of the store.
  ///   - migrationPlan: The plan that migrates a store with an older schema version; `nil` for a
  ///     migration with an inferred mapping model.
  /// - Throws: ``SwiftDataError/unknownDataStoreSchema`` if the configuration has no schema. The
  ///   initializer also throws the same errors as the initializers of ``ModelContainer``.
  /// > Reference: Apple, init(_:migrationPlan:).
  public init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError(
        .unknownDataStoreSchema,
        "The configuration \(configuration.name) has no schema. Set its schema to the schema of the store."
      )
    }
    self.configuration = configuration
    self.schema = schema
    container = try ModelContainer(
      for: schema, migrationPlan: migrationPlan, configurations: [configuration])
    store = CoordinatorStore(
      identifier: container.coordinator.persistentStores.first?.identifier ?? "")
  }

  public var identifier: String { store.identifier }
  /// The name of the store's configuration.
  public var name: String { configuration.name }

  private func context(_ state: EditingState) -> ModelContext {
    let context = ModelContext(container)
    context.author = state.author
    return context
  }

  // MARK: Fetching

  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    // Models lose their relationships when their context is deallocated.
    let context = context(request.editingState)
    let snapshots = try context.fetch(request.descriptor).map { DefaultSnapshot(of: $0.__object) }
    // A snapshot must not contain a replacement for a value that cannot be decoded.
    try context.graph.throwDeferredErrors()
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: snapshots)
  }

  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try context(request.editingState).fetchCount(request.descriptor)
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try context(request.editingState).fetchIdentifiers(request.descriptor)
  }

  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    let context = context(editingState)
    var found: [PersistentIdentifier: DefaultSnapshot] = [:]
    for identifier in persistentIdentifiers {
      guard let id = container.coordinator.objectID(of: identifier) else { continue }
      do {
        let object = try context.graph.existingObject(with: id)
        if let object = object as? __ModelObject { found[identifier] = DefaultSnapshot(of: object) }
      } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
        continue  // A model that is gone has no snapshot.
      }
    }
    try context.graph.throwDeferredErrors()
    return found
  }

  // MARK: Writing

  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try SnapshotSave(request, container, context(request.editingState)).run(identifier)
  }

  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    let context = context(request.editingState)
    try context.delete(
      model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
    try context.save()
  }

  public func erase() throws { try container.erase() }

  // MARK: History

  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try ModelContext(container).fetchHistory(descriptor)
  }

  public func deleteHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws {
    try ModelContext(container).deleteHistory(descriptor)
  }
}

/// Saves the changes of snapshots in a context.
private struct SnapshotSave {
  private let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  private let container: ModelContainer
  private let context: ModelContext

  init(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ container: ModelContainer,
    _ context: ModelContext
  ) {
    self.request = request
    self.container = container
    self.context = context
  }

  func run(
    _ identifier: String
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var inserted: [PersistentIdentifier: __ModelObject] = [:]
    for snapshot in request.inserted {
      inserted[snapshot.persistentIdentifier] = try insert(snapshot)
    }
    func resolve(_ identifier: PersistentIdentifier) throws -> __ModelObject {
      if let object = inserted[identifier] { return object }
      guard !identifier.isTemporary, let id = container.coordinator.objectID(of: identifier),
        let object = context.graph.object(with: id) as? __ModelObject, !object.isDetached
      else { throw unknown(identifier) }
      return object
    }
    for snapshot in request.inserted + request.updated {
      let object = try resolve(snapshot.persistentIdentifier)
      // A change to a model without a row would not be saved.
      if !object.isInserted { _ = try context.graph.existingObject(with: object.objectID) }
      try ObjectValues(object).write(snapshot.values, resolving: resolve)
    }
    for snapshot in request.deleted {
      context.graph.delete(try resolve(snapshot.persistentIdentifier))
    }
    try context.save()
    return DataStoreSaveChangesResult(
      for: identifier,
      remappedIdentifiers: inserted.mapValues { PersistentIdentifier($0.objectID) })
  }

  private func insert(_ snapshot: DefaultSnapshot) throws -> __ModelObject {
    let name = snapshot.persistentIdentifier.entityName
    guard let entity = container.coordinator.model.entity(named: name) else {
      throw unknown(snapshot.persistentIdentifier)
    }
    let object = __ModelObject(entity: entity.entityDescription, insertInto: nil)
    context.graph.insert(object)
    return object
  }

  private func unknown(_ identifier: PersistentIdentifier) -> SwiftDataError {
    SwiftDataError(
      .unknownDataStoreSchema,
      "The model \(identifier.uriRepresentation) of a snapshot or of its relationships is not in this store. Save it in the "
        + "same request, or remove it from the relationship.")
  }
}
