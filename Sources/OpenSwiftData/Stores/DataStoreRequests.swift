public import Foundation

/// A request with which a context fetches models from a store.
///
/// > Reference: Apple, DataStoreFetchRequest.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// The predicate, the sort order and the limits of the fetch.
  public let descriptor: FetchDescriptor<T>
  /// The editing state of the context: a unique identifier, and the author of the changes.
  public let editingState: EditingState

  /// Creates a request with a descriptor and the editing state of a context.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the sort order and the limits of the fetch.
  ///   - editingState: The editing state of the context: a unique identifier, and the author of
  ///     the changes.
  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// The result of a fetch from a store.
///
/// > Reference: Apple, DataStoreFetchResult.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  /// The descriptor of the request that produced the result.
  public let descriptor: FetchDescriptor<ModelType>
  /// The snapshots of the fetched models, in the sort order of the descriptor.
  public let fetchedSnapshots: [SnapshotType]
  /// The snapshots of related models that the store read in the same fetch, keyed by model
  /// identifier; empty if there are none.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// Creates the result of a fetch.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor of the request to which the result belongs.
  ///   - fetchedSnapshots: The snapshots of the fetched models, in the sort order of the
  ///     descriptor.
  ///   - relatedSnapshots: The snapshots of related models that the store read in the same fetch,
  ///     keyed by model identifier.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// A request with which a context saves changes to a store.
///
/// > Reference: Apple, DataStoreSaveChangesRequest.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The snapshots of new models, with temporary identifiers.
  public let inserted: [SnapshotType]
  /// The snapshots of changed models, with the new values.
  public let updated: [SnapshotType]
  /// The snapshots of the models to delete, with the models' current values in the context.
  public let deleted: [SnapshotType]
  /// The editing state of the context: a unique identifier, and the author of the changes.
  public let editingState: EditingState

  /// Creates a request with the changes of a context.
  ///
  /// - Parameters:
  ///   - inserted: The snapshots of new models, with temporary identifiers.
  ///   - updated: The snapshots of changed models, with the new values.
  ///   - deleted: The snapshots of the models to delete, with the models' current values in the
  ///     context.
  ///   - editingState: The editing state of the context: a unique identifier, and the author of
  ///     the changes.
  public init(
    inserted: [SnapshotType], updated: [SnapshotType], deleted: [SnapshotType],
    editingState: EditingState
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.editingState = editingState
  }
}

/// The result of saving changes to a store.
///
/// > Reference: Apple, DataStoreSaveChangesResult.
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The identifier of the store.
  public let storeIdentifier: String
  /// The permanent identifier of each inserted model, keyed by temporary identifier; empty if no
  /// model was inserted.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// The snapshots of models whose values the store changed during the save, keyed by model
  /// identifier. The contexts of the container read these models again.
  public let snapshotsToReregister: [PersistentIdentifier: T]
  /// The position in the store's history after the save; `nil` if the store has no history.
  public let historyToken: (any HistoryToken)?

  /// Creates the result of a save.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - remappedIdentifiers: The permanent identifier of each inserted model, keyed by temporary
  ///     identifier; empty if no model was inserted.
  ///   - snapshotsToReregister: The snapshots of models whose values the store changed during the
  ///     save, keyed by model identifier; empty if the store changed no values.
  ///   - historyToken: The position in the store's history after the save; `nil` if the store has
  ///     no history.
  public init(
    for storeIdentifier: String,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:], historyToken: (any HistoryToken)? = nil
  ) {
    self.storeIdentifier = storeIdentifier
    self.remappedIdentifiers = remappedIdentifiers
    self.snapshotsToReregister = snapshotsToReregister
    self.historyToken = historyToken
  }
}

/// A request to delete models from a store without reading the models.
///
/// > Reference: Apple, DataStoreBatchDeleteRequest.
// Invariant of the unchecked conformance: predicates are immutable.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: @unchecked Sendable {
  /// The condition that selects the models to delete; `nil` to delete all models.
  public let predicate: Predicate<T>?
  /// Whether to also delete models of subclasses.
  public let includeSubclasses: Bool
  /// The editing state of the context: a unique identifier, and the author of the changes.
  public let editingState: EditingState

  /// Creates a request to delete the models that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The condition that selects the models to delete; `nil` to delete all models.
  ///   - includeSubclasses: Whether to also delete models of subclasses.
  ///   - editingState: The editing state of the context: a unique identifier, and the author of
  ///     the changes.
  public init(
    predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}
