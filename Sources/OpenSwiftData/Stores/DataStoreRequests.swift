public import Foundation

/// A request of a context to fetch models from a store.
///
/// > Reference: Apple, DataStoreFetchRequest.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// The predicate, the order and the limits of the fetch.
  public let descriptor: FetchDescriptor<T>
  /// The identity and the author of the context's edits.
  public let editingState: EditingState

  /// Creates a request with a descriptor and the editing state of a context.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the order and the limits of the fetch.
  ///   - editingState: The identity and the author of the context's edits.
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
  /// The descriptor of the request.
  public let descriptor: FetchDescriptor<ModelType>
  /// The snapshots of the models, in the order of the descriptor.
  public let fetchedSnapshots: [SnapshotType]
  /// The snapshots of related models that the store also read, by identifier.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// Creates the result of a fetch.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor of the request.
  ///   - fetchedSnapshots: The snapshots of the models, in the order of the descriptor.
  ///   - relatedSnapshots: The snapshots of related models that the store also read, by identifier.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// A request of a context to save changes to a store.
///
/// > Reference: Apple, DataStoreSaveChangesRequest.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The snapshots of new models, with temporary identifiers.
  public let inserted: [SnapshotType]
  /// The snapshots of models with new values.
  public let updated: [SnapshotType]
  /// The snapshots of models to delete, with their last values.
  public let deleted: [SnapshotType]
  /// The identity and the author of the context's edits.
  public let editingState: EditingState

  /// Creates a request with the changes of a context.
  ///
  /// - Parameters:
  ///   - inserted: The snapshots of new models, with temporary identifiers.
  ///   - updated: The snapshots of models with new values.
  ///   - deleted: The snapshots of models to delete, with their last values.
  ///   - editingState: The identity and the author of the context's edits.
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
  /// The permanent identifiers of the inserted models, by their temporary identifiers.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// The snapshots of the models whose values the store changed during the save, by identifier. The
  /// context reads these models again.
  public let snapshotsToReregister: [PersistentIdentifier: T]
  /// The position after the save in the history of the store; `nil` for a store without history.
  public let historyToken: (any HistoryToken)?

  /// Creates the result of a save.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - remappedIdentifiers: The permanent identifiers of the inserted models, by their temporary
  ///     identifiers.
  ///   - snapshotsToReregister: The snapshots of models whose values the store changed during the
  ///     save, by identifier.
  ///   - historyToken: The position after the save in the history of the store; `nil` for a store
  ///     without history.
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
  /// The condition that the models to delete satisfy; `nil` for all models.
  public let predicate: Predicate<T>?
  /// Whether models of subclasses are also deleted.
  public let includeSubclasses: Bool
  /// The identity and the author of the context's edits.
  public let editingState: EditingState

  /// Creates a request to delete the models that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The condition that the models to delete satisfy; `nil` for all models.
  ///   - includeSubclasses: Whether models of subclasses are also deleted.
  ///   - editingState: The identity and the author of the context's edits.
  public init(
    predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}
