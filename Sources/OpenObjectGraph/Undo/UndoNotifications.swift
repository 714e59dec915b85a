public import Foundation

extension Notification.Name {
  /// Posted before an undo manager opens or closes a group, undoes or redoes; observers can register pending
  /// operations.
  public static let NSUndoManagerCheckpoint = Notification.Name(
    "NSUndoManagerCheckpointNotification")
  /// An undo manager opened a group.
  public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
    "NSUndoManagerDidOpenUndoGroupNotification")
  /// An undo manager is about to close a group.
  public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// An undo manager closed a group; `NSUndoManagerGroupIsDiscardableKey` states whether it is discardable.
  public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
    "NSUndoManagerDidCloseUndoGroupNotification")
  /// An undo manager is about to undo.
  public static let NSUndoManagerWillUndoChange = Notification.Name(
    "NSUndoManagerWillUndoChangeNotification")
  /// An undo manager undid a group.
  public static let NSUndoManagerDidUndoChange = Notification.Name(
    "NSUndoManagerDidUndoChangeNotification")
  /// An undo manager is about to redo.
  public static let NSUndoManagerWillRedoChange = Notification.Name(
    "NSUndoManagerWillRedoChangeNotification")
  /// An undo manager redid a group.
  public static let NSUndoManagerDidRedoChange = Notification.Name(
    "NSUndoManagerDidRedoChangeNotification")
}

/// Key in `NSUndoManagerDidCloseUndoGroup`: present and true if the whole group is discardable.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The order in which Apple's run loop closes groups; exists for source compatibility and has no effect.
public let NSUndoCloseGroupingRunLoopOrdering = 350000

extension UndoManager {
  /// The key of a value stored with an undo step; extend the type with constants.
  ///
  /// > Reference: Apple, UndoManager.UserInfoKey.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String

    /// Creates a key from a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key from a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a key from a literal.
    public init(stringLiteral value: String) { rawValue = value }
  }
}
