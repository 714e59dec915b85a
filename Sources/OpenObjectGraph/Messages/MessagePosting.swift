internal import Foundation
internal import Synchronization

/// The kinds of notification with which a message of equal content is posted.
enum Announced: UInt8 {
  case willSave = 1
  case didSave = 2
  case objects = 4
  case savedIDs = 8
  case mergedIDs = 16
  case stores = 32
  case remoteChange = 64

  private static let observed = Atomic<UInt8>(0)

  /// Enables the messages of this kind.
  ///
  /// Posting a message takes a quarter of the time of saving one row. Programs without observers
  /// avoid this cost.
  func noteObserver() { Self.observed.bitwiseOr(rawValue, ordering: .relaxed) }

  var isObserved: Bool { Self.observed.load(ordering: .relaxed) & rawValue != 0 }
}

extension Notification {
  /// Posts the notification, and then the message if the program may observe the message.
  ///
  /// Foundation delivers a notification only to observers of notifications, and a message only to
  /// observers of messages.
  func announce(_ announced: Announced) {
    NotificationCenter.default.post(self)
    guard announced.isObserved else { return }
    let context = object as? NSManagedObjectContext
    let isOfMainQueue = context.map { $0.concurrencyType == .mainQueueConcurrencyType } ?? true
    if isOfMainQueue, announced != .remoteChange, MainQueue.isCurrent {
      // The notification stays on this thread, which works for the main actor.
      nonisolated(unsafe) let notification = self
      return MainActor.assumeIsolated { notification.postOnMain(announced) }
    }
    switch announced {
    case .willSave, .didSave, .objects:
      break  // Only contexts for the main queue post messages with objects.
    case .savedIDs: post(NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.makeMessage(self))
    case .mergedIDs: post(NSManagedObjectContext.DidMergeChangesAsyncMessage.makeMessage(self))
    case .stores:
      post(NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage.makeMessage(self))
    case .remoteChange: post(NSPersistentStoreCoordinator.RemoteChangeMessage.makeMessage(self))
    }
  }

  @MainActor
  private func postOnMain(_ announced: Announced) {
    switch announced {
    case .willSave: post(NSManagedObjectContext.WillSaveMessage.makeMessage(self))
    case .didSave: post(NSManagedObjectContext.DidSaveMessage.makeMessage(self))
    case .objects: post(NSManagedObjectContext.ObjectsDidChangeMessage.makeMessage(self))
    case .savedIDs: post(NSManagedObjectContext.DidSaveObjectIDsMessage.makeMessage(self))
    case .mergedIDs: post(NSManagedObjectContext.DidMergeChangesMessage.makeMessage(self))
    case .stores: post(NSPersistentStoreCoordinator.StoresDidChangeMessage.makeMessage(self))
    case .remoteChange: break  // Posted above, on any thread.
    }
  }

  private func post<Message: NotificationCenter.AsyncMessage>(_ message: Message?)
  where Message.Subject: AnyObject {
    guard let message, let subject = object as? Message.Subject else { return }
    NotificationCenter.default.post(message, subject: subject)
  }

  @MainActor
  private func post<Message: NotificationCenter.MainActorMessage>(_ message: Message?)
  where Message.Subject: AnyObject {
    guard let message, let subject = object as? Message.Subject else { return }
    NotificationCenter.default.post(message, subject: subject)
  }
}
