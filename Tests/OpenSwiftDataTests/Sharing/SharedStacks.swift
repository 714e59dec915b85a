import Foundation
import OpenCoreData
import OpenSwiftData
import Testing

/// A SwiftData stack and a Core Data stack on one file.
struct SharedStacks {
  let container: ModelContainer
  let managed: NSManagedObjectContext
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    let url = folder.file()
    container = try ModelContainer(
      for: Library.schema, configurations: ModelConfiguration(url: url))
    let model = try #require(
      NSManagedObjectModel.makeManagedObjectModel(for: [Book.self, Author.self]))
    let stack = NSPersistentContainer(name: "Shared", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    stack.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    stack.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    managed = stack.newBackgroundContext()
  }
}
