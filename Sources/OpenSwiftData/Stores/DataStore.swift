public import Foundation

/// A custom store, which reads and writes snapshots of models.
///
/// A container with the store's configuration fetches from the store and saves to it, as it does
/// with a default store.
///
/// > Concurrency: Any thread. Several contexts call the store at the same time.
/// > Reference: Apple, DataStore.
public protocol DataStore: AnyObject {
  associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
  associatedtype Snapshot: DataStoreSnapshot

  /// The identifier of the store, which must be the same whenever the store is opened. The
  /// identifiers of the store's models contain this identifier.
  var identifier: String { get }
  /// The models that the store contains.
  var schema: Schema { get }
  /// The configuration that the store was created with.
  var configuration: Configuration { get }

  /// Opens or creates the store.
  ///
  /// - Parameters:
  ///   - configuration: The location, the options and the schema of the store.
  ///   - migrationPlan: The plan for migrating models of older versions; `nil` if there is none.
  /// - Throws: An error if the store cannot be opened. The container's initializer throws it as the
  ///   cause of `SwiftDataError.loadIssueModelContainer`.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Fetches snapshots of the models that a request describes.
  ///
  /// - Parameter request: The fetch descriptor and the identity of the context.
  /// - Returns: The snapshots in the order of the descriptor.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` to receive the request again without its
  ///   predicate; ``DataStoreError/preferInMemorySort`` to receive the request again without its
  ///   order. The caller of the fetch receives all other errors.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>
  /// Returns the number of models that ``fetch(_:)`` would return.
  ///
  /// - Parameter request: The fetch descriptor and the identity of the context.
  /// - Throws: A ``DataStoreError`` to let the context count the result of ``fetch(_:)``. The
  ///   caller of the fetch receives all other errors.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  /// Returns the identifiers of the models that ``fetch(_:)`` would return.
  ///
  /// - Parameter request: The fetch descriptor and the identity of the context.
  /// - Throws: An error of the store.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes all changes of a context, or throws an error and writes none.
  ///
  /// - Parameter request: The inserted, updated and deleted models.
  /// - Returns: The permanent identifiers of the inserted models, by the temporary identifiers in
  ///   their snapshots.
  /// - Throws: An error of the store, which the caller of the save receives.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes all models and the storage that contains them.
  ///
  /// - Throws: An error of the store, which ``ModelContainer/erase()`` also throws.
  func erase() throws
  /// Prepares for the requests of a context. The library calls this method before the first request
  /// of the context, and when the identity of its editing state changes.
  ///
  /// - Parameter editingState: The identity of the context.
  func initializeState(for editingState: EditingState)
  /// Discards the state for a context. The library calls this method when the context is
  /// deallocated, and when the identity of its editing state changes.
  ///
  /// - Parameter editingState: The identity of the context.
  func invalidateState(for editingState: EditingState)
  /// Returns the snapshots of models that the store has in memory.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The identifiers of the models.
  ///   - editingState: The identity of the context.
  /// - Returns: The available snapshots, by identifier.
  /// - Throws: An error of the store.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Fetches the models, and returns their number.
  ///
  /// - Returns: The number of models.
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  /// Fetches the models, and returns their identifiers.
  ///
  /// - Returns: The identifiers, in the order of the descriptor.
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Throws an error, because only the store can determine what to erase.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature``.
  public func erase() throws { throw DataStoreError.unsupportedFeature }

  /// Does nothing by default.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing by default.
  public func invalidateState(for editingState: EditingState) {}

  /// Returns no snapshots by default, and does not throw.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// A store that deletes models by a predicate, without reading them.
///
/// > Reference: Apple, DataStoreBatching. Differs: D-366.
public protocol DataStoreBatching: DataStore {
  /// Deletes the models that satisfy the predicate of a request.
  ///
  /// - Parameter request: The predicate, and the identity of the context.
  /// - Throws: An error of the store.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// The location and the options of a store.
///
/// > Reference: Apple, DataStoreConfiguration.
public protocol DataStoreConfiguration<Store>: Hashable {
  associatedtype Store: DataStore where Store.Configuration == Self

  /// The name of the configuration, which must be unique among the configurations of a container.
  var name: String { get }
  /// The models in the store. If the value is `nil`, the container sets it to the container's
  /// schema.
  var schema: Schema? { get set }
  /// Throws an error if the configuration is invalid. The container calls this method before it
  /// opens the store.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts every configuration by default, and does not throw.
  public func validate() throws {}
}

/// An error of a store that does not support an operation.
///
/// > Reference: Apple, DataStoreError.
public enum DataStoreError: LocalizedError, Hashable, Sendable {
  /// The store does not support the requested operation.
  case unsupportedFeature
  /// The store cannot evaluate the predicate, so the context must filter the models.
  case preferInMemoryFilter
  /// The store cannot sort the models, so the context must sort them.
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
