public import Foundation

/// The user info key for the `NSPersistentHistoryToken` in a remote change notification.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The user info key for the store URL in a remote change notification; the URL is `/dev/null` for
/// a store without a URL.
public let NSPersistentStoreURLKey = "storeURL"

extension CocoaError.Code {
  /// Error code 134301: a history token after which a request cannot return all transactions.
  ///
  /// The error occurs if transactions after the token were deleted, if the token is newer than the
  /// history of its store, or if the coordinator has none of the stores in the token.
  public static let persistentHistoryTokenExpired = CocoaError.Code(
    rawValue: NSPersistentHistoryTokenExpiredError)
}

extension Notification.Name {
  /// The name of the notification that a coordinator posts after this process or another process
  /// has committed changes to a store.
  ///
  /// Open the store with `NSPersistentHistoryTrackingKey` and
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey` to receive the notification. The
  /// notification's `object` is a coordinator that has the store open. The user info contains the
  /// store's UUID (`NSStoreUUIDKey`), the store's URL (`NSPersistentStoreURLKey`), and a history
  /// token for the position after the commit (`NSPersistentHistoryTokenKey`).
  ///
  /// > Reference: Apple, NSPersistentStoreRemoteChange.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

/// Keys in the user info of save notifications and of the notifications that are created from
/// history transactions.
package enum HistoryName {
  /// The key of the history token in these notifications. The token contains the numbers of the
  /// transactions that the save wrote.
  package static let changeToken = "newChangeToken"
}
