public import Foundation

/// A custom store, which reads and writes snapshots of models.
///
/// A container with the store's configuration fetches from it and saves to it like the default store.
///
/// > Concurrency: Called on any thread or actor that uses a context, by several contexts at a time.
/// > Reference: Apple, DataStore.
public protocol DataStore: AnyObject {
  associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
  associatedtype Snapshot: DataStoreSnapshot

  /// Names the store; part of the identifiers of its models, and the same whenever the store is opened.
  var identifier: String { get }
  /// The models of the store.
  var schema: Schema { get }
  /// What the store was made with.
  var configuration: Configuration { get }

  /// Opens or creates the store.
  ///
  /// - Parameters:
  ///   - configuration: Where and how the models are kept, with their schema.
  ///   - migrationPlan: How to bring models of older versions up to date.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Fetches models.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` to receive the request again without predicate,
  ///   ``DataStoreError/preferInMemorySort`` to receive it again without order; other errors reach the caller of the
  ///   fetch.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>
  /// Counts what ``fetch(_:)`` would find.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  /// Finds the identifiers of what ``fetch(_:)`` would find.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes the changes of a context: all or, with an error, none.
  ///
  /// - Returns: The permanent identifiers of the inserted models by the temporary ones in their snapshots.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes all models and what they are kept in.
  func erase() throws
  /// Called for a context before its first request.
  func initializeState(for editingState: EditingState)
  /// Called for a context that goes.
  func invalidateState(for editingState: EditingState)
  /// The snapshots of some models, as far as the store has them at hand.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Throws by default, because only the store can determine what to erase.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature``.
  public func erase() throws { throw DataStoreError.unsupportedFeature }

  /// Does nothing.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing.
  public func invalidateState(for editingState: EditingState) {}

  /// The default returns no snapshots.
  ///
  /// - Returns: The snapshots by identifier.
  /// - Throws: An error of the store.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// A store that deletes models by a predicate, without reading them.
///
/// > Reference: Apple, DataStoreBatching. Differs: D-366.
public protocol DataStoreBatching: DataStore {
  /// Deletes the models that satisfy a predicate.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// The configuration of a store: where and how it stores models.
///
/// > Reference: Apple, DataStoreConfiguration.
public protocol DataStoreConfiguration<Store>: Hashable {
  associatedtype Store: DataStore where Store.Configuration == Self

  /// The configuration's name; each of a container's has another one.
  var name: String { get }
  /// The models that the store keeps; the container sets it to its own schema where it is nil.
  var schema: Schema? { get set }
  /// Checks the configuration before the store is opened.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts the configuration.
  ///
  /// - Throws: An error if the configuration is invalid; the default never throws.
  public func validate() throws {}
}

/// Errors of a store that does not support an operation.
///
/// > Reference: Apple, DataStoreError.
public enum DataStoreError: LocalizedError, Hashable, Sendable {
  /// The store does not have the requested data.
  case unsupportedFeature
  /// The context is to filter the models itself.
  case preferInMemoryFilter
  /// The context is to sort the models itself.
  case preferInMemorySort
  /// The store cannot execute the predicate.
  case invalidPredicate

  public var errorDescription: String? {
    switch self {
    case .unsupportedFeature: "The store does not support what it was asked for."
    case .preferInMemoryFilter: "The store cannot filter; the context filters the models."
    case .preferInMemorySort: "The store cannot sort; the context sorts the models."
    case .invalidPredicate: "The store cannot carry out the predicate."
    }
  }
}
