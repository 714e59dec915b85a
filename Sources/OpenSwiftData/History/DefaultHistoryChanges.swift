internal import OpenObjectGraph
internal import OpenObjectModel

/// An insertion of a model, as recorded in the history of a ``DefaultStore``.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultHistoryInsert.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  public typealias ChangeIdentifier = Int64
  public typealias TransactionIdentifier = Int64

  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// An update to a model, as recorded in the history of a ``DefaultStore``.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultHistoryUpdate.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  public typealias ChangeIdentifier = Int64
  public typealias TransactionIdentifier = Int64

  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  let updatedNames: Set<String>

  init(
    _ change: Int64, _ transaction: Int64, _ identifier: PersistentIdentifier, names: Set<String>
  ) {
    changeIdentifier = change
    transactionIdentifier = transaction
    changedPersistentIdentifier = identifier
    updatedNames = names
  }

  /// The key paths of the changed attributes and relationships, in the order of their declarations.
  public var updatedAttributes: [any PartialKeyPath<Model> & Sendable] {
    ModelKeys.keyPaths(of: Model.self, named: updatedNames)
  }

  /// Returns whether the update changed a property.
  ///
  /// - Parameter keyPath: The key path of a declared or inherited persisted property. For any other
  ///   key path, the method returns `false`.
  /// > Reference: Apple, containsAttribute(_:).
  public func containsAttribute(_ keyPath: PartialKeyPath<Model>) -> Bool {
    ModelKeys.name(of: keyPath, in: Model.self).map(updatedNames.contains) ?? false
  }
}

/// A deletion of a model, as recorded in the history of a ``DefaultStore``.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultHistoryDelete.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  public typealias ChangeIdentifier = Int64
  public typealias TransactionIdentifier = Int64

  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let tombstone: HistoryTombstone<Model>

  public static func == (one: Self, other: Self) -> Bool {
    one.changeIdentifier == other.changeIdentifier
      && one.transactionIdentifier == other.transactionIdentifier
      && one.changedPersistentIdentifier == other.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(transactionIdentifier)
  }
}

extension HistoryChange {
  /// Creates the change from a change of the object graph, typed with the class of the changed
  /// model.
  init(_ change: NSPersistentHistoryChange, in transaction: NSPersistentHistoryTransaction) {
    func open<Model: PersistentModel>(_ type: Model.Type) -> HistoryChange {
      HistoryChange(change, in: transaction, of: type)
    }
    let type: any PersistentModel.Type =
      ModelTypes.type(of: change.changedObjectID) ?? MissingModel.self
    self = open(type)
  }

  private init<Model: PersistentModel>(
    _ change: NSPersistentHistoryChange, in transaction: NSPersistentHistoryTransaction,
    of type: Model.Type
  ) {
    let (number, transaction) = (change.changeID, transaction.transactionNumber)
    let identifier = PersistentIdentifier(change.changedObjectID)
    switch change.changeType {
    case .insert:
      self = .insert(
        DefaultHistoryInsert<Model>(
          changeIdentifier: number, transactionIdentifier: transaction,
          changedPersistentIdentifier: identifier))
    case .update:
      let names = Set((change.updatedProperties ?? []).map(\.name))
      self = .update(DefaultHistoryUpdate<Model>(number, transaction, identifier, names: names))
    case .delete:
      self = .delete(
        DefaultHistoryDelete<Model>(
          changeIdentifier: number, transactionIdentifier: transaction,
          changedPersistentIdentifier: identifier, tombstone: HistoryTombstone(change)))
    }
  }
}
