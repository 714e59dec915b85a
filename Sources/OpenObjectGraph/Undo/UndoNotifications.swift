public import Foundation

extension Notification.Name {
  /// Posted when an undo manager reaches a checkpoint, at which observers can register pending
  /// operations.
  ///
  /// Checkpoints occur before explicit opening and closing of a group, before an undo or redo, after
  /// the operations of an undo or redo, and when `canRedo` is read.
  public static let NSUndoManagerCheckpoint = Notification.Name(
    "NSUndoManagerCheckpointNotification")
  /// Posted after an undo manager opens a group.
  public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
    "NSUndoManagerDidOpenUndoGroupNotification")
  /// Posted before an undo manager closes a group.
  public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// Posted after an undo manager closes a group. The user info contains
  /// `NSUndoManagerGroupIsDiscardableKey` if the group is discardable.
  public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
    "NSUndoManagerDidCloseUndoGroupNotification")
  /// Posted before an undo manager undoes a group.
  public static let NSUndoManagerWillUndoChange = Notification.Name(
    "NSUndoManagerWillUndoChangeNotification")
  /// Posted after an undo manager undoes a group.
  public static let NSUndoManagerDidUndoChange = Notification.Name(
    "NSUndoManagerDidUndoChangeNotification")
  /// Posted before an undo manager redoes a group.
  public static let NSUndoManagerWillRedoChange = Notification.Name(
    "NSUndoManagerWillRedoChangeNotification")
  /// Posted after an undo manager redoes a group.
  public static let NSUndoManagerDidRedoChange = Notification.Name(
    "NSUndoManagerDidRedoChangeNotification")
}

/// A user info key of `NSUndoManagerDidCloseUndoGroup`. The value is true if all operations of the
/// group are discardable; otherwise, the key is absent.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The order in which Apple's run loop closes groups. The constant exists for source compatibility
/// and has no effect.
public let NSUndoCloseGroupingRunLoopOrdering = 350000

extension UndoManager {
  /// The key of a value stored with an undo step. Extend the type with constants for your own keys.
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
