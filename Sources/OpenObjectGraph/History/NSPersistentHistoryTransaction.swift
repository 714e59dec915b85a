public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

/// A commit to a store, as recorded in the store's history.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSPersistentHistoryTransaction.
// Invariant of the unchecked conformance: all fields are set by the initializers only.
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  /// The time of the commit.
  open private(set) var timestamp: Date
  /// The changes in the transaction; nil if the request fetched only transactions.
  open private(set) var changes: [NSPersistentHistoryChange]?
  /// The number of the transaction in its store, starting at 1; 0 for a transaction created with
  /// ``init()``.
  open private(set) var transactionNumber: Int64
  /// The UUID of the store.
  open private(set) var storeID: String
  /// The bundle identifier of the program that committed the transaction.
  ///
  /// If the program has no bundle identifier, the value is the name of the program.
  open private(set) var bundleID: String
  /// The name of the process that committed the transaction.
  open private(set) var processID: String
  /// The name of the context that saved the changes; nil if the context has no name.
  open private(set) var contextName: String?
  /// The `transactionAuthor` of the context that saved the changes; nil if the context has none.
  open private(set) var author: String?

  /// Creates a transaction without changes, for use in tests; a subclass can override the
  /// properties.
  public override init() {
    timestamp = Date(timeIntervalSinceReferenceDate: 0)
    transactionNumber = 0
    storeID = ""
    bundleID = ""
    processID = ""
    super.init()
  }

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
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "transactionNumber": transactionNumber, "timestamp": timestamp, "author": author,
        "contextName": contextName, "processID": processID, "changes": changes?.count,
      ])
  }

  /// A token for the position immediately after this transaction.
  open var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([storeID: transactionNumber])
  }

  /// Returns the changes in the transaction as a save notification with object ids.
  ///
  /// Pass the notification to `mergeChanges(fromContextDidSave:)`. The notification contains no ids
  /// if the transaction was fetched without changes.
  ///
  /// - Returns: The notification.
  /// > Reference: Apple, NSPersistentHistoryTransaction, objectIDNotification().
  open func objectIDNotification() -> Notification {
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
  /// The predicate and the sort descriptors of a fetch request for this entity can use the keys
  /// `author`, `bundleID`, `changes`, `contextName`, `processID`, `storeID`, `timestamp`, `token`
  /// and `transactionNumber`. A key path that continues after `changes` uses the keys of
  /// ``NSPersistentHistoryChange/entityDescription``. For any other key, executing the history
  /// request throws `CocoaError` 134060.
  ///
  /// ```swift
  /// let request = NSFetchRequest<any NSFetchRequestResult>()
  /// request.entity = NSPersistentHistoryTransaction.entityDescription
  /// request.predicate = NSPredicate(format: "author != %@", "app")
  /// let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
  /// ```
  ///
  /// > Reference: Apple, NSPersistentHistoryTransaction, entityDescription. Differs: available even
  /// > without a store that records history.
  open class var entityDescription: NSEntityDescription? { HistoryEntities.transaction }

  /// Returns the entity for requests that fetch transactions.
  ///
  /// - Parameter context: A context, which does not affect the result.
  /// - Returns: The same entity as `entityDescription`.
  open class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? { entityDescription }

  /// A new fetch request for transactions, which you can pass to `fetchHistory(withFetch:)`; never
  /// nil.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryEntities.request(for: entityDescription)
  }

  /// Returns the transaction itself, because transactions are immutable.
  ///
  /// - Returns: The transaction.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another object is the same transaction in the same store.
  ///
  /// - Parameter object: The object to compare.
  /// - Returns: `true` if the object is a transaction with the same number and store UUID.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return other.storeID == storeID && other.transactionNumber == transactionNumber
  }

  /// A hash value; equal transactions have equal hash values.
  open override var hash: Int { transactionNumber.hashValue ^ storeID.hashValue }
}

extension NSPersistentHistoryTransaction: KeyValueReadable {
  /// Returns the value of a property, for evaluating predicates.
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
