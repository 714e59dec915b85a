public import Foundation

/// The key of the history token in the user info of a remote change notification.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The key of the store's URL in the user info of a remote change notification.
public let NSPersistentStoreURLKey = "storeURL"

extension CocoaError.Code {
  /// The error code for a token whose transactions were deleted from the history.
  public static let persistentHistoryTokenExpired = CocoaError.Code(
    rawValue: NSPersistentHistoryTokenExpiredError)
}

extension Notification.Name {
  /// A notification that a store has changed.
  ///
  /// The notification's `object` is a coordinator that has the store open. The keys of the user
  /// info are `NSStoreUUIDKey`, `NSPersistentStoreURLKey` and `NSPersistentHistoryTokenKey`.
  ///
  /// > Reference: Apple, NSPersistentStoreRemoteChange.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

/// Names that the notifications of saves share with the history.
enum HistoryName {
  /// The key of the token in the notification of a save.
  static let changeToken = "newChangeToken"
}
