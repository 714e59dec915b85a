import CoreData
import Foundation

extension Notification.Name {
  /// Stands for the notification of an app that goes to the background.
  static let didEnterBackground = Notification.Name("didEnterBackground")
}

// DataStore.swift - Main context configuration
public final class DataStore: NSObject {
  /// Main-queue-concurrency-type context for UI operations
  public let mainManagedObjectContext: NSManagedObjectContext

  private let storeCoordinator: NSPersistentStoreCoordinator
  private var observer: (any NSObjectProtocol)?

  public init(storeDirectoryURL: URL) {
    // Create main context with main queue concurrency
    mainManagedObjectContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    storeCoordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    mainManagedObjectContext.persistentStoreCoordinator = storeCoordinator

    super.init()

    do {
      try storeCoordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: storeDirectoryURL.appendingPathComponent("AwfulCache.sqlite"))
    } catch {
      fatalError("Error adding the store: \(error)")
    }

    // Configure automatic saving
    setupAutomaticSaving()
  }

  deinit { observer.map(NotificationCenter.default.removeObserver) }

  private func setupAutomaticSaving() {
    // There are no selectors without the Objective-C runtime.
    observer = NotificationCenter.default.addObserver(
      forName: .didEnterBackground, object: nil, queue: nil
    ) { [weak self] notification in
      self?.applicationDidEnterBackground(notification: notification)
    }
  }

  private func applicationDidEnterBackground(notification: Notification) {
    do {
      try mainManagedObjectContext.save()
    } catch {
      fatalError("Error saving main managed object context: \(error)")
    }
  }

  /// Background context for import operations
  var backgroundContext: NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = storeCoordinator
    return context
  }

  /// Context merging for cross-context updates
  func mergeContexts(_ notification: Notification) {
    mainManagedObjectContext.perform {
      self.mainManagedObjectContext.mergeChanges(fromContextDidSave: notification)
    }
  }
}
