import CoreData
import Foundation
import OpenPersistenceKit

// ForumsClient.swift - Background context management
public final class ForumsClient {
  private(set) var backgroundManagedObjectContext: NSManagedObjectContext?
  private var lastModifiedObserver: LastModifiedContextObserver?
  private var observers: [any NSObjectProtocol] = []
  /// The clock of the last-modified observer.
  var now: @Sendable () -> Date = { Date() }

  public var managedObjectContext: NSManagedObjectContext? {
    didSet {
      setupBackgroundContext(for: managedObjectContext)
    }
  }

  deinit { observers.forEach(NotificationCenter.default.removeObserver) }

  private func setupBackgroundContext(for mainContext: NSManagedObjectContext?) {
    // Clean up old context
    observers.forEach(NotificationCenter.default.removeObserver)
    observers = []

    guard let mainContext = mainContext else {
      backgroundManagedObjectContext = nil
      lastModifiedObserver = nil
      return
    }

    // Create new background context
    let background = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    background.persistentStoreCoordinator = mainContext.persistentStoreCoordinator
    background.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    backgroundManagedObjectContext = background

    // Set up change notification
    observers.append(
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: background, queue: nil
      ) { [weak self] in self?.backgroundManagedObjectContextDidSave($0) })

    // Set up bidirectional merging
    observers.append(
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: mainContext, queue: nil
      ) { [weak self] in self?.mainManagedObjectContextDidSave($0) })

    // Add last modified date tracking
    lastModifiedObserver = LastModifiedContextObserver(managedObjectContext: background, now: now)
  }

  // ForumsClient.swift - Background to main context merging
  private func backgroundManagedObjectContextDidSave(_ notification: Notification) {
    guard let context = managedObjectContext else { return }

    // Extract updated object IDs for efficient fault management
    let updatedObjectIDs: [NSManagedObjectID] = {
      guard
        let userInfo = notification.userInfo,
        let updatedObjects = userInfo[NSUpdatedObjectsKey] as? Set<NSManagedObject>
      else { return [] }
      return updatedObjects.map { $0.objectID }
    }()

    // Merge changes on main queue
    context.perform {
      // Refresh faults to prevent stale data issues
      updatedObjectIDs
        .compactMap { context.object(with: $0) }
        .forEach { $0.willAccessValue(forKey: nil) }

      // Apply changes from background context
      context.mergeChanges(fromContextDidSave: notification)
    }
  }

  // ForumsClient.swift - Main to background context merging
  private func mainManagedObjectContextDidSave(_ notification: Notification) {
    guard let context = backgroundManagedObjectContext else { return }

    // Merge user changes to background context
    context.perform {
      context.mergeChanges(fromContextDidSave: notification)
    }
  }

  // Background processing
  func processScrapedData<T>(
    _ scrapedData: T,
    importing importScrapedData: @escaping (T, NSManagedObjectContext) throws -> Void,
    completion: @escaping (Result<T, Error>) -> Void
  ) {
    guard let backgroundContext = backgroundManagedObjectContext else { return }

    backgroundContext.perform {
      do {
        // Import scraped data into Core Data
        try importScrapedData(scrapedData, backgroundContext)

        // Save changes to persistent store
        try backgroundContext.save()

        // Success callback on main queue
        DispatchQueue.main.async {
          completion(.success(scrapedData))
        }
      } catch {
        // Error handling
        DispatchQueue.main.async {
          completion(.failure(error))
        }
      }
    }
  }
}

// Context configuration with merge policies
func configureContextMergePolicy(_ context: NSManagedObjectContext, isBackground: Bool) {
  if isBackground {
    // Background context: prefer server data
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
  } else {
    // Main context: prefer user changes
    context.mergePolicy = NSErrorMergePolicy
  }
}
