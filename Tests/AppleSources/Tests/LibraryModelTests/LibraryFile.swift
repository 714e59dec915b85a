import CoreData
import Foundation
import LibraryModel

/// A library in a separate file, which is deleted when the test ends.
@MainActor final class LibraryFile {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("library-\(UUID().uuidString)")
  private let container = NSPersistentContainer(name: "Library")

  /// Opens an empty library.
  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("library.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A context of the main queue.
  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    return context
  }
}
