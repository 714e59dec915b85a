/// The change of one model in a transaction.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, HistoryChange.
public enum HistoryChange: Sendable {
  case insert(any HistoryInsert)
  case update(any HistoryUpdate)
  case delete(any HistoryDelete)

  /// The identifier of the model, which may have been deleted since.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// The insertion of a model.
///
/// > Reference: Apple, HistoryInsert.
public protocol HistoryInsert<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// Identifies the change in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// Identifies the transaction in the store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// The update of a model.
///
/// > Reference: Apple, HistoryUpdate.
public protocol HistoryUpdate<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The key path of a property.
  typealias PropertyUpdate = any PartialKeyPath<Model> & Sendable

  /// Identifies the change in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// Identifies the transaction in the store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties that have new values.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
///
/// > Reference: Apple, HistoryDelete.
public protocol HistoryDelete<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// Identifies the change in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// Identifies the transaction in the store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier that the model had.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The values of the properties that are preserved on deletion.
  var tombstone: HistoryTombstone<Model> { get }
}
