public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

/// One commit of a store, as its history keeps it.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSPersistentHistoryTransaction.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, Sendable {
  /// When the changes were committed.
  public let timestamp: Date
  /// The changes; nil if only transactions were requested.
  public let changes: [NSPersistentHistoryChange]?
  /// The number of the transaction in its store, from 1.
  public let transactionNumber: Int64
  /// The UUID of the store.
  public let storeID: String
  /// The bundle of the committing program, or the program's name if it has no bundle.
  public let bundleID: String
  /// The name of the committing process.
  public let processID: String
  /// The name of the context.
  public let contextName: String?
  /// The context's `transactionAuthor`.
  public let author: String?

  init(
    _ transaction: StoreHistoryTransaction, storeID: String, changes: [NSPersistentHistoryChange]?
  ) {
    timestamp = Date(timeIntervalSinceReferenceDate: transaction.timestamp)
    transactionNumber = transaction.number
    self.storeID = storeID
    bundleID = transaction.origin.bundleID ?? ""
    processID = transaction.origin.processID ?? ""
    contextName = transaction.origin.contextName
    author = transaction.origin.author
    self.changes = changes
    super.init()
  }

  /// The same transaction with other changes.
  init(_ other: NSPersistentHistoryTransaction, changes: [NSPersistentHistoryChange]?) {
    timestamp = other.timestamp
    transactionNumber = other.transactionNumber
    storeID = other.storeID
    bundleID = other.bundleID
    processID = other.processID
    contextName = other.contextName
    author = other.author
    self.changes = changes
    super.init()
  }

  /// Number, time and origin.
  public override var description: String {
    DebugText.text(
      of: self,
      [
        "transactionNumber": transactionNumber, "timestamp": timestamp, "author": author,
        "contextName": contextName, "processID": processID, "changes": changes?.count,
      ])
  }

  /// The position after this transaction.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([storeID: transactionNumber])
  }

  /// The changes as a notification with ids, like that of a save; pass it to `mergeChanges(fromContextDidSave:)`.
  ///
  /// - Returns: The notification.
  /// > Reference: Apple, NSPersistentHistoryTransaction, objectIDNotification().
  public func objectIDNotification() -> Notification {
    var ids: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
    for change in changes ?? [] {
      ids[change.changeType, default: []].insert(change.changedObjectID)
    }
    return Notification(
      name: IDNotifications.saveName, object: nil,
      userInfo: [
        NSInsertedObjectIDsKey: ids[.insert] ?? [], NSUpdatedObjectIDsKey: ids[.update] ?? [],
        NSDeletedObjectIDsKey: ids[.delete] ?? [], HistoryName.changeToken: token,
      ])
  }

  /// The entity of requests for transactions; predicates can refer to its attributes.
  ///
  /// > Reference: Apple, NSPersistentHistoryTransaction, entityDescription. Differs: available even
  ///   without a store that records history.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

  /// The entity of requests for transactions.
  ///
  /// - Returns: The entity of requests for transactions; nil if there is none.
  public class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? { entityDescription }

  /// A new request for transactions, for `fetchHistory(withFetch:)`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryEntities.request(for: entityDescription)
  }

  /// Transactions are immutable: the copy is the transaction itself.
  ///
  /// - Returns: The copy.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object is the same transaction of the same store.
  ///
  /// - Returns: `true` if the other object is the same transaction of the same store.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return other.storeID == storeID && other.transactionNumber == transactionNumber
  }

  /// A hash value, equal for the same transaction.
  public override var hash: Int { transactionNumber.hashValue ^ storeID.hashValue }
}

extension NSPersistentHistoryTransaction: KeyValueReadable {
  /// The value of a property by name, for predicates.
  ///
  /// - Returns: The value of a property by name, for predicates; nil if there is none.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "author": author
    case "bundleID": bundleID
    case "contextName": contextName
    case "processID": processID
    case "storeID": storeID
    case "timestamp": timestamp
    case "token": token
    case "transactionNumber": NSNumber(value: transactionNumber)
    case "changes": changes
    default: NoSuchKey.marker
    }
  }
}
