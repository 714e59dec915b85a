public import CoreData

/// The folder of everything that a page's samples write; the script deletes it.
public let sampleFolder = FileManager.default.temporaryDirectory

/// The description of a store in the folder, with a history.
public func sampleDescription(_ name: String = "Sample") -> NSPersistentStoreDescription {
  let url = sampleFolder.appendingPathComponent("\(name).sqlite")
  let description = NSPersistentStoreDescription(url: url)
  description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  return description
}

/// A container whose store is open.
public func sampleContainer(
  _ model: NSManagedObjectModel, description: NSPersistentStoreDescription? = nil
) -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Sample", managedObjectModel: model)
  container.persistentStoreDescriptions = [description ?? sampleDescription()]
  container.loadPersistentStores { _, error in
    if let error { preconditionFailure("The store of the samples does not open: \(error)") }
  }
  container.viewContext.automaticallyMergesChangesFromParent = true
  return container
}

/// A placeholder for the application's use of values.
public func show(_ values: Any?...) {}

/// The error of a sample whose result differs from the page.
public struct SampleFailure: Error {
  let message: String
}

/// Throws if a sample's result differs from the page.
public func expect(_ condition: Bool, _ message: String = "", line: Int = #line) throws {
  if !condition { throw SampleFailure(message: "line \(line): \(message)") }
}
