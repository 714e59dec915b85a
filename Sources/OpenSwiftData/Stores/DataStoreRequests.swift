public import Foundation

/// A fetch request of a context to a store.
///
/// > Reference: Apple, DataStoreFetchRequest.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// The models to fetch, and their order.
  public let descriptor: FetchDescriptor<T>
  /// Identifies the context.
  public let editingState: EditingState

  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// The result of a fetch of a store.
///
/// > Reference: Apple, DataStoreFetchResult.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  /// The requested descriptor.
  public let descriptor: FetchDescriptor<ModelType>
  /// The models, in order.
  public let fetchedSnapshots: [SnapshotType]
  /// Related models that the store also read.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// A save request of a context to a store.
///
/// > Reference: Apple, DataStoreSaveChangesRequest.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// New models, with temporary identifiers.
  public let inserted: [SnapshotType]
  /// Models with new values.
  public let updated: [SnapshotType]
  /// Models to delete, with the values they had.
  public let deleted: [SnapshotType]
  /// Identifies the context.
  public let editingState: EditingState

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
  /// The permanent identifiers of inserted models, by the temporary ones.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// Models whose values the store changed while it wrote them; the context reads them again.
  public let snapshotsToReregister: [PersistentIdentifier: T]
  /// The position after the save in the store's history; nil for a store without history.
  public let historyToken: (any HistoryToken)?

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

/// Which models a store is to delete without reading them.
///
/// > Reference: Apple, DataStoreBatchDeleteRequest.
// Invariant of the unchecked conformance: predicates are immutable.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: @unchecked Sendable {
  /// A filter; nil for all models.
  public let predicate: Predicate<T>?
  /// Whether models of subclasses are deleted too.
  public let includeSubclasses: Bool
  /// Identifies the context.
  public let editingState: EditingState

  public init(
    predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}
