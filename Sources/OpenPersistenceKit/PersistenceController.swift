public import Foundation
public import OpenCoreData

/// An application's stack: one container, its main context, and background work.
///
/// > Concurrency: Usable on any thread; `viewContext` belongs to the main queue.
open class PersistenceController {
  /// The container, with its stores loaded.
  public let container: NSPersistentContainer

  /// Where the controller's store lives.
  public enum Storage: Sendable {
    /// In the container's default folder.
    case standard
    /// In a file.
    case file(URL)
    /// In memory, gone with the controller.
    case inMemory
  }

  /// Opens a stack.
  ///
  /// - Parameters:
  ///   - name: Name of the model and of the default store file.
  ///   - model: The model; nil looks for it by name in the program's bundles.
  ///   - storage: Where the store lives.
  ///   - options: Store options by key.
  /// - Throws: The error of the first store that cannot be opened.
  public init(
    name: String, model: NSManagedObjectModel? = nil, storage: Storage = .standard,
    options: [String: NSObject] = [:]
  ) throws {
    container =
      model.map { NSPersistentContainer(name: name, managedObjectModel: $0) }
      ?? NSPersistentContainer(name: name)
    Self.describe(storage, of: container)
    for description in container.persistentStoreDescriptions {
      for (key, value) in options { description.setOption(value, forKey: key) }
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
  }

  private static func describe(_ storage: Storage, of container: NSPersistentContainer) {
    switch storage {
    case .standard: break
    case .file(let url):
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    case .inMemory:
      let description = NSPersistentStoreDescription()
      description.type = NSInMemoryStoreType
      description.url = nil
      container.persistentStoreDescriptions = [description]
    }
  }

  /// The context for the main queue.
  public var viewContext: NSManagedObjectContext { container.viewContext }

  /// Makes a context for background work, whose edits win over the store's.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    return context
  }

  /// Saves the main context if it has changes.
  ///
  /// - Throws: What the save throws; the changes stay pending.
  open func save() throws { try save(viewContext) }

  /// Saves a context if it has changes; call on its queue.
  open func save(_ context: NSManagedObjectContext) throws {
    if context.hasChanges { try context.save() }
  }

  /// Runs work in a background context, saves it, and returns what the work returns.
  ///
  /// - Throws: What the work or the save throws; nothing is saved then.
  open func performBackgroundTask<Result>(
    _ work: @escaping (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.perform {
      let result = try work(context)
      if context.hasChanges { try context.save() }
      return result
    }
  }

  /// Runs work in a background context while the caller waits, saves it, and returns what it returns.
  open func performBatchOperation<Result>(
    _ operation: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = newBackgroundContext()
    return try context.performAndWait {
      let result = try operation(context)
      if context.hasChanges { try context.save() }
      return result
    }
  }
}
