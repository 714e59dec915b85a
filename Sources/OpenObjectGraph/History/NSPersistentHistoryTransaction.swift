public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

/// A commit to a store, as recorded in the store's history.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSPersistentHistoryTransaction.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, Sendable {
  /// The time of the commit.
  public let timestamp: Date
  /// The changes of the transaction; nil if only transactions were requested.
  public let changes: [NSPersistentHistoryChange]?
  /// The number of the transaction in its store, starting at 1.
  public let transactionNumber: Int64
  /// The UUID of the store.
  public let storeID: String
  /// The bundle identifier of the program that committed the transaction.
  ///
  /// If the program has no bundle identifier, the value is the name of the program.
  public let bundleID: String
  /// The name of the process that committed the transaction.
  public let processID: String
  /// The name of the context that saved; nil if the context has no name.
  public let contextName: String?
  /// The `transactionAuthor` of the context that saved; nil if none is set.
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

  /// Creates a copy of a transaction with other changes.
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

  /// A description with the transaction's number, time and origin, and the number of its changes.
  public override var description: String {
    DebugText.text(
      of: self,
      [
        "transactionNumber": transactionNumber, "timestamp": timestamp, "author": author,
        "contextName": contextName, "processID": processID, "changes": changes?.count,
      ])
  }

  /// A token for the position directly after this transaction.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([storeID: transactionNumber])
  }

  /// Returns the changes of the transaction as a save notification with object ids.
  ///
  /// Pass the notification to `mergeChanges(fromContextDidSave:)`. The notification is empty if the
  /// transaction was fetched without changes.
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

  /// The entity for requests that fetch transactions; never nil.
  ///
  /// The predicate of a fetch request for this entity can use the entity's attributes.
  ///
  /// > Reference: Apple, NSPersistentHistoryTransaction, entityDescription. Differs: available even
  /// > without a store that records history.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

  /// Returns the entity for requests that fetch transactions.
  ///
  /// - Parameter context: A context, which does not affect the result.
  /// - Returns: The same entity as `entityDescription`.
  public class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? { entityDescription }

  /// A new fetch request for transactions, which you can pass to `fetchHistory(withFetch:)`; never
  /// nil.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryEntities.request(for: entityDescription)
  }

  /// Returns the transaction itself, because transactions are immutable.
  ///
  /// - Returns: The transaction.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another object is the same transaction of the same store.
  ///
  /// - Parameter object: The object to compare.
  /// - Returns: `true` if the object is a transaction with the same number and store UUID.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return other.storeID == storeID && other.transactionNumber == transactionNumber
  }

  /// A hash value; equal transactions have equal hash values.
  public override var hash: Int { transactionNumber.hashValue ^ storeID.hashValue }
}

extension NSPersistentHistoryTransaction: KeyValueReadable {
  /// Returns the value of a property, for the evaluation of predicates.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value of the property; nil if the property has no value; `NoSuchKey.marker` if
  ///   no property has the name.
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
