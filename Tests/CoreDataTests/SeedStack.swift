import CoreData
import Foundation

// The stack as an app writes it. The model is found by name among the resources.

class PersistenceController {
  static let shared = PersistenceController()

  // MARK: - Core Data Stack

  lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(name: "AwfulModel")

    // Configure store description
    let storeDescription = container.persistentStoreDescriptions.first!
    storeDescription.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    storeDescription.setOption(
      true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)

    container.loadPersistentStores { storeDescription, error in
      if let error = error as NSError? {
        // Handle store loading error
        fatalError("Unresolved Core Data error \(error), \(error.userInfo)")
      }
    }

    // Configure view context
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy

    return container
  }()

  // MARK: - Contexts

  var viewContext: NSManagedObjectContext {
    return persistentContainer.viewContext
  }

  func newBackgroundContext() -> NSManagedObjectContext {
    let context = persistentContainer.newBackgroundContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    return context
  }

  // MARK: - Saving

  func save() {
    let context = persistentContainer.viewContext

    if context.hasChanges {
      do {
        try context.save()
      } catch {
        // Handle save error
        let nsError = error as NSError
        fatalError("Unresolved Core Data save error \(nsError), \(nsError.userInfo)")
      }
    }
  }

  func saveContext(context: NSManagedObjectContext) {
    context.perform {
      if context.hasChanges {
        do {
          try context.save()
        } catch {
          // Handle background context save error
          print("Background context save error: \(error)")
        }
      }
    }
  }
}

extension PersistenceController {
  // Background import context
  func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform {
      block(context)
      self.saveContext(context: context)
    }
  }

  // Main queue operations
  func performMainQueueTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = viewContext
    context.perform {
      block(context)
      self.save()
    }
  }

  // Batch operations
  func performBatchOperation<T>(_ operation: @escaping (NSManagedObjectContext) -> T) -> T? {
    let context = newBackgroundContext()
    var result: T?

    context.performAndWait {
      result = operation(context)
      self.saveContext(context: context)
    }

    return result
  }
}

class CoreDataTestStack {
  lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(name: "AwfulModel")

    // Use in-memory store for testing
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]

    container.loadPersistentStores { _, error in
      if let error = error {
        fatalError("Test store loading failed: \(error)")
      }
    }

    return container
  }()

  var viewContext: NSManagedObjectContext {
    return persistentContainer.viewContext
  }
}
