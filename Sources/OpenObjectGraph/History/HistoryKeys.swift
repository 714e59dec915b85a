public import Foundation

/// The user info key for the history token in a remote change notification.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The user info key for the store URL in a remote change notification.
public let NSPersistentStoreURLKey = "storeURL"

extension CocoaError.Code {
  /// The error code for a history token after which a request cannot return all transactions.
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

/// User info keys that save notifications share with the history.
enum HistoryName {
  /// The key of the history token in a save notification.
  static let changeToken = "newChangeToken"
}
