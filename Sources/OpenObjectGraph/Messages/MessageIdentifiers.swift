public import Foundation

// The identifiers of messages for observers: `center.addObserver(of: context, for: .didSave)`.
//
// The library posts a message, and creates the message's sets of ids, only after the program has
// read the name of the message.

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.WillSaveMessage> {
  /// The identifier for observers of ``NSManagedObjectContext/WillSaveMessage``.
  public static var willSave: Self {
    .init(reading: NSManagedObjectContext.WillSaveMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
  /// The identifier for observers of ``NSManagedObjectContext/DidSaveMessage``.
  public static var didSave: Self {
    .init(reading: NSManagedObjectContext.DidSaveMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage>
{
  /// The identifier for observers of ``NSManagedObjectContext/ObjectsDidChangeMessage``.
  public static var objectsDidChange: Self {
    .init(reading: NSManagedObjectContext.ObjectsDidChangeMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage>
{
  /// The identifier for observers of ``NSManagedObjectContext/DidSaveObjectIDsMessage``.
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
  /// The identifier for observers of ``NSManagedObjectContext/DidSaveObjectIDsAsyncMessage``.
  public static var didSaveObjectIDsAsync: Self {
    .init(reading: NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage>
{
  /// The identifier for observers of ``NSManagedObjectContext/DidMergeChangesMessage``.
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
  /// The identifier for observers of ``NSManagedObjectContext/DidMergeChangesAsyncMessage``.
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
  /// The identifier for observers of ``NSPersistentStoreCoordinator/StoresDidChangeMessage``.
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
  /// The identifier for observers of ``NSPersistentStoreCoordinator/StoresDidChangeAsyncMessage``.
  public static var storesDidChangeAsync: Self {
    .init(reading: NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage.name)
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage>
{
  /// The identifier for observers of ``NSPersistentStoreCoordinator/RemoteChangeMessage``.
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
