/// The insertion, update or deletion of one model in a transaction.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, HistoryChange.
public enum HistoryChange: Sendable {
  /// The insertion of a model.
  case insert(any HistoryInsert)
  /// An update to a model.
  case update(any HistoryUpdate)
  /// The deletion of a model.
  case delete(any HistoryDelete)

  /// The identifier of the changed model. The model may have been deleted since the change.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// An insertion of a model.
///
/// > Reference: Apple, HistoryInsert.
public protocol HistoryInsert<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The identifier of the change within its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The identifier of the transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the inserted model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// An update to a model.
///
/// > Reference: Apple, HistoryUpdate.
public protocol HistoryUpdate<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The key path of an updated property, such as `\Story.title`.
  typealias PropertyUpdate = any PartialKeyPath<Model> & Sendable

  /// The identifier of the change within its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The identifier of the transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the updated model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The key paths of the properties that the update changed.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// A deletion of a model.
///
/// > Reference: Apple, HistoryDelete.
public protocol HistoryDelete<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The identifier of the change within its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The identifier of the transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the deleted model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The last values of the properties that have the option `.preserveValueOnDeletion`.
  var tombstone: HistoryTombstone<Model> { get }
}
