public import Foundation

// What observers name messages by: `center.addObserver(of: context, for: .didSave)`.
//
// Messages are posted only in programs that have read their names, and so are sets of ids made.

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.WillSaveMessage> {
  /// Identifies ``NSManagedObjectContext/WillSaveMessage``.
  public static var willSave: Self {
    Announced.willSave.noteObserver()
    return .init()
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
  /// Identifies ``NSManagedObjectContext/DidSaveMessage``.
  public static var didSave: Self {
    Announced.didSave.noteObserver()
    return .init()
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage>
{
  /// Identifies ``NSManagedObjectContext/ObjectsDidChangeMessage``.
  public static var objectsDidChange: Self {
    Announced.objects.noteObserver()
    return .init()
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage>
{
  /// Identifies ``NSManagedObjectContext/DidSaveObjectIDsMessage``.
  public static var didSaveObjectIDs: Self {
    IDNotifications.wantSaves()
    Announced.savedIDs.noteObserver()
    return .init()
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
    IDNotifications.wantSaves()
    Announced.savedIDs.noteObserver()
    return .init()
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage>
{
  /// Identifies ``NSManagedObjectContext/DidMergeChangesMessage``.
  public static var didMergeChanges: Self {
    IDNotifications.wantMerges()
    Announced.mergedIDs.noteObserver()
    return .init()
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
    IDNotifications.wantMerges()
    Announced.mergedIDs.noteObserver()
    return .init()
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
    Announced.stores.noteObserver()
    return .init()
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
    Announced.stores.noteObserver()
    return .init()
  }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage>
{
  /// Identifies ``NSPersistentStoreCoordinator/RemoteChangeMessage``.
  public static var remoteChange: Self {
    Announced.remoteChange.noteObserver()
    return .init()
  }
}
