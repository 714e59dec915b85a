public import Foundation

/// The key of a history token in notifications of remote changes.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The key of a store's URL in notifications of remote changes.
public let NSPersistentStoreURLKey = "storeURL"

extension CocoaError.Code {
  /// A token whose transactions were deleted from the history.
  public static let persistentHistoryTokenExpired = CocoaError.Code(
    rawValue: NSPersistentHistoryTokenExpiredError)
}

extension Notification.Name {
  /// A store changed; `object` is a coordinator that has it open, the keys are `NSStoreUUIDKey`,
  /// `NSPersistentStoreURLKey` and `NSPersistentHistoryTokenKey`.
  ///
  /// > Reference: Apple, NSPersistentStoreRemoteChange.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

/// Names that notifications of saves share with history.
enum HistoryName {
  /// The key of the token after a save in its notification.
  static let changeToken = "newChangeToken"
}
