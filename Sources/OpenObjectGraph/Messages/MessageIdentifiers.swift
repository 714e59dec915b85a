public import Foundation

// The identifiers of messages for observers: `center.addObserver(of: context, for: .didSave)`.
//
// A program posts a message, and creates its sets of ids, only after it has read the message's
// name.

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.WillSaveMessage> {
  /// Identifies ``NSManagedObjectContext/WillSaveMessage``.
  public static var willSave: Self {
    .init(reading: NSManagedObjectContext.WillSaveMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
  /// Identifies ``NSManagedObjectContext/DidSaveMessage``.
  public static var didSave: Self {
    .init(reading: NSManagedObjectContext.DidSaveMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage>
{
  /// Identifies ``NSManagedObjectContext/ObjectsDidChangeMessage``.
  public static var objectsDidChange: Self {
    .init(reading: NSManagedObjectContext.ObjectsDidChangeMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage>
{
  /// Identifies ``NSManagedObjectContext/DidSaveObjectIDsMessage``.
  public static var didSaveObjectIDs: Self {
    .init(reading: NSManagedObjectContext.DidSaveObjectIDsMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<
    NSManagedObjectContext.DidSaveObjectIDsAsyncMessage
  >
{
  /// Identifies ``NSManagedObjectContext/DidSaveObjectIDsAsyncMessage``.
  public static var didSaveObjectIDsAsync: Self {
    .init(reading: NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage>
{
  /// Identifies ``NSManagedObjectContext/DidMergeChangesMessage``.
  public static var didMergeChanges: Self {
    .init(reading: NSManagedObjectContext.DidMergeChangesMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<
    NSManagedObjectContext.DidMergeChangesAsyncMessage
  >
{
  /// Identifies ``NSManagedObjectContext/DidMergeChangesAsyncMessage``.
  public static var didMergeChangesAsync: Self {
    .init(reading: NSManagedObjectContext.DidMergeChangesAsyncMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<
    NSPersistentStoreCoordinator.StoresDidChangeMessage
  >
{
  /// Identifies ``NSPersistentStoreCoordinator/StoresDidChangeMessage``.
  public static var storesDidChange: Self {
    .init(reading: NSPersistentStoreCoordinator.StoresDidChangeMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<
    NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage
  >
{
  /// Identifies ``NSPersistentStoreCoordinator/StoresDidChangeAsyncMessage``.
  public static var storesDidChangeAsync: Self {
    .init(reading: NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage>
{
  /// Identifies ``NSPersistentStoreCoordinator/RemoteChangeMessage``.
  public static var remoteChange: Self {
    .init(reading: NSPersistentStoreCoordinator.RemoteChangeMessage.name)
  }
}

// Contexts and coordinators post a message only after its name has been read.

extension NotificationCenter.BaseMessageIdentifier
where MessageType: NotificationCenter.MainActorMessage {
  fileprivate init(reading name: Notification.Name) { self.init() }
}

extension NotificationCenter.BaseMessageIdentifier
where MessageType: NotificationCenter.AsyncMessage {
  fileprivate init(reading name: Notification.Name) { self.init() }
}
