public import Foundation

/// A custom store that reads and writes snapshots of models.
///
/// A container opens the store if you create the container with the store's configuration. The
/// contexts of the container then fetch from the store and save to the store, as with a default
/// store.
///
/// > Concurrency: Any thread. The contexts of a container call ``fetch(_:)``, ``fetchCount(_:)``,
/// > ``cachedSnapshots(for:editingState:)`` and ``save(_:)`` one at a time. These methods must not
/// > wait for another thread that uses the container. The other methods may be called at the same
/// > time.
/// > Reference: Apple, DataStore.
public protocol DataStore: AnyObject {
  associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
  associatedtype Snapshot: DataStoreSnapshot

  /// The identifier of the store. The identifier must be the same each time the store is opened.
  /// The persistent identifiers of the store's models contain this identifier.
  var identifier: String { get }
  /// The models that the store contains.
  var schema: Schema { get }
  /// The configuration with which the store was created.
  var configuration: Configuration { get }

  /// Opens or creates the store.
  ///
  /// - Parameters:
  ///   - configuration: The location, the options and the schema of the store.
  ///   - migrationPlan: The plan that migrates stores with older schema versions. A container
  ///     always passes `nil`.
  /// - Throws: An error if the store cannot be opened. The initializer of the container throws
  ///   `SwiftDataError.loadIssueModelContainer` with this error as the underlying error.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// Fetches snapshots of the models that match a request.
  ///
  /// - Parameter request: The fetch descriptor and the editing state of the context.
  /// - Returns: A result with the snapshots in the order of the descriptor.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` if the store cannot evaluate the predicate;
  ///   ``DataStoreError/preferInMemorySort`` if the store cannot sort the models; any other error
  ///   if the fetch fails. After the first two errors, the library repeats the request without the
  ///   predicate or the sort order, and filters or sorts the models in memory. The caller of the
  ///   fetch receives all other errors.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>
  /// Returns the number of models that ``fetch(_:)`` would return.
  ///
  /// - Parameter request: The fetch descriptor and the editing state of the context.
  /// - Throws: A ``DataStoreError`` if the store cannot count the models; the library then calls
  ///   ``fetch(_:)`` and counts the snapshots. Any other error if the count fails; the caller of
  ///   the fetch receives this error.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  /// Returns the identifiers of the models that ``fetch(_:)`` would return. The contexts of a
  /// container call ``fetch(_:)`` instead of this method.
  ///
  /// - Parameter request: The fetch descriptor and the editing state of the context.
  /// - Throws: An error if the store cannot be read.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes all changes of a context, or throws an error without writing any change.
  ///
  /// - Parameter request: The snapshots of the inserted, updated and deleted models.
  /// - Returns: A result with a different permanent identifier of this store for each inserted
  ///   model. If the result lacks such an identifier, the save of the context throws
  ///   `SwiftDataError.unknownDataStoreSchema`.
  /// - Throws: An error if the store cannot write the changes. The caller of the save receives this
  ///   error.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes all models, and the files or other storage that contain the models.
  ///
  /// - Throws: An error if the store cannot be erased. ``ModelContainer/erase()`` throws the same
  ///   error.
  func erase() throws
  /// Prepares the store for the requests of a context. The library calls this method before the
  /// first request of the context, and when the identity of the context's editing state changes.
  ///
  /// - Parameter editingState: The editing state of the context.
  func initializeState(for editingState: EditingState)
  /// Discards the state that the store keeps for a context. The library calls this method when the
  /// context is deallocated, and when the identity of the context's editing state changes.
  ///
  /// - Parameter editingState: The previous editing state of the context.
  func invalidateState(for editingState: EditingState)
  /// Returns the snapshots that the store has in memory for the given models.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: The identifiers of the models.
  ///   - editingState: The editing state of the context.
  /// - Returns: The snapshots in memory, keyed by the identifiers of their models.
  /// - Throws: An error if the store cannot return the snapshots. Reading the models then fails
  ///   with this error. If a snapshot is missing from the result, the library calls ``fetch(_:)``
  ///   instead.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Calls ``fetch(_:)``, and returns the number of fetched snapshots.
  ///
  /// - Parameter request: The fetch descriptor and the editing state of the context.
  /// - Returns: The number of models.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetch(request).fetchedSnapshots.count
  }

  /// Calls ``fetch(_:)``, and returns the identifiers of the fetched snapshots.
  ///
  /// - Parameter request: The fetch descriptor and the editing state of the context.
  /// - Returns: The identifiers, in the order of the descriptor.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
  }

  /// Throws ``DataStoreError/unsupportedFeature``. A store that supports erasing implements this
  /// method.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature``.
  public func erase() throws { throw DataStoreError.unsupportedFeature }

  /// Does nothing. A store that keeps state for each context implements this method.
  public func initializeState(for editingState: EditingState) {}

  /// Does nothing. A store that keeps state for each context implements this method.
  public func invalidateState(for editingState: EditingState) {}

  /// Returns an empty dictionary, and does not throw an error. A store that keeps snapshots in
  /// memory provides its own implementation.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// A custom store that can delete the models that satisfy a predicate without reading the models.
///
/// Contexts do not call the method of this protocol.
///
/// > Reference: Apple, DataStoreBatching. Differs: D-366.
public protocol DataStoreBatching: DataStore {
  /// Deletes the models that satisfy the predicate of a request.
  ///
  /// - Parameter request: The predicate and the editing state of the context.
  /// - Throws: An error if the store cannot delete the models.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// The location and the options of a store.
///
/// > Reference: Apple, DataStoreConfiguration.
public protocol DataStoreConfiguration<Store>: Hashable {
  associatedtype Store: DataStore where Store.Configuration == Self

  /// The name of the configuration, which must be unique among the configurations of a container.
  var name: String { get }
  /// The models in the store. If the value is `nil`, a container sets the property to the schema of
  /// the container.
  var schema: Schema? { get set }
  /// Checks the configuration. The container calls this method before it opens the store.
  ///
  /// - Throws: An error if the configuration is invalid. The initializer of the container throws
  ///   the same error.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts every configuration, and does not throw an error.
  public func validate() throws {}
}

/// An error that a custom store throws if it does not support an operation.
///
/// > Reference: Apple, DataStoreError.
public enum DataStoreError: LocalizedError, Hashable, Sendable {
  /// The store does not support the requested operation.
  case unsupportedFeature
  /// The store cannot evaluate the predicate. The context filters the models in memory.
  case preferInMemoryFilter
  /// The store cannot sort the models. The context sorts the models in memory.
  case preferInMemorySort
  /// The store cannot evaluate the predicate, and the fetch fails.
  case invalidPredicate

  public var errorDescription: String? {
    switch self {
    case .unsupportedFeature: "The store does not support the requested operation."
    case .preferInMemoryFilter:
      "The store cannot evaluate the predicate, so the context filters the models in memory."
    case .preferInMemorySort:
      "The store cannot sort the models, so the context sorts them in memory."
    case .invalidPredicate: "The store cannot evaluate the predicate."
    }
  }
}
