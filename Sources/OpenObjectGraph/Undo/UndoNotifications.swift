public import Foundation

extension Notification.Name {
  /// The name of the notification that an undo manager posts at a checkpoint, at which observers
  /// can register pending operations.
  ///
  /// Checkpoints occur at the start of `beginUndoGrouping()`, `endUndoGrouping()`, an undo and a
  /// redo. Checkpoints also occur after the operations of an undo or redo, and when `canRedo` is
  /// read.
  public static let NSUndoManagerCheckpoint = Notification.Name(
    "NSUndoManagerCheckpointNotification")
  /// The name of the notification that an undo manager posts after it opens a group.
  public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
    "NSUndoManagerDidOpenUndoGroupNotification")
  /// The name of the notification that an undo manager posts before it closes a group.
  public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// The name of the notification that an undo manager posts after it closes a group.
  ///
  /// If the group is discardable, the user info contains `NSUndoManagerGroupIsDiscardableKey`.
  public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
    "NSUndoManagerDidCloseUndoGroupNotification")
  /// The name of the notification that an undo manager posts before it undoes a group.
  public static let NSUndoManagerWillUndoChange = Notification.Name(
    "NSUndoManagerWillUndoChangeNotification")
  /// The name of the notification that an undo manager posts after it undoes a group.
  public static let NSUndoManagerDidUndoChange = Notification.Name(
    "NSUndoManagerDidUndoChangeNotification")
  /// The name of the notification that an undo manager posts before it redoes a group.
  public static let NSUndoManagerWillRedoChange = Notification.Name(
    "NSUndoManagerWillRedoChangeNotification")
  /// The name of the notification that an undo manager posts after it redoes a group.
  public static let NSUndoManagerDidRedoChange = Notification.Name(
    "NSUndoManagerDidRedoChangeNotification")
}

/// A user info key for `NSUndoManagerDidCloseUndoGroup`.
///
/// If all operations of the group are discardable, the value is true. Otherwise, the user info does
/// not contain the key.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The priority with which the run loop closes groups on Apple platforms.
///
/// The constant exists for source compatibility and has no effect.
public let NSUndoCloseGroupingRunLoopOrdering = 350000

extension UndoManager {
  /// A key for a value that is stored with an undo step.
  ///
  /// Extend the type with constants for your own keys, such as
  /// `static let selection = UndoManager.UserInfoKey("selection")`.
  ///
  /// > Reference: Apple, UndoManager.UserInfoKey.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the key.
    public let rawValue: String

    /// Creates a key from a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key from a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a key from a string literal.
    public init(stringLiteral value: String) { rawValue = value }
  }
}
